#include "document/array_scanner.h"

#include <cstring>

#include "base/utf8/transcoder.h"

namespace zhiwen {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

size_t PassSpace(std::string_view bytes, size_t at) {
  while (at < bytes.size() && IsSpace(bytes[at])) ++at;
  return at;
}

}  // namespace

bool BeginsAsArrayOfObjects(std::string_view head) {
  size_t at = PassSpace(head, 0);
  if (at == head.size() || head[at] != '[') return false;
  at = PassSpace(head, at + 1);
  if (at == head.size() || head[at] != '{') return false;
  at = PassSpace(head, at + 1);
  return at < head.size() && (head[at] == '"' || head[at] == '}');
}

void ArrayScanner::SetEncoding(TextEncoding encoding) {
  for (size_t byte = 0; byte < is_lead_.size(); ++byte) {
    is_lead_[byte] = BeforeAsciiByte(encoding, static_cast<uint8_t>(byte));
  }
}

void ArrayScanner::Restart(Before before) {
  state_ = before == Before::kBracket ? State::kFirst : State::kEnded;
  is_passed_ = false;
  depth_ = 0;
  ends_whole_ = false;
  scanned_ = 0;
  elements_.clear();
}

// Returns where scanning continues after `at`, which is inside a string.
size_t ArrayScanner::PassString(std::string_view piece, size_t at) {
  for (; at < piece.size(); ++at) {
    const char c = piece[at];
    if (is_passed_) {
      is_passed_ = false;
    } else if (c == '\\' || IsLead(c)) {
      is_passed_ = true;
    } else if (c == '"') {
      state_ = State::kElement;
      element_.end = scanned_ + at + 1;
      return at + 1;
    }
  }
  return at;
}

// Takes a byte outside of elements. Returns whether the byte ends an empty element or the array.
bool ArrayScanner::TakeBetween(char c, uint64_t offset) {
  if (IsSpace(c)) return false;
  if (c == ',' && state_ == State::kEnded) {
    state_ = State::kNext;
    return false;
  }
  if (c == ',' || c == ']') {
    // An element is missing after a comma or before the first comma.
    const bool is_missing = state_ == State::kNext || (state_ == State::kFirst && c == ',');
    if (is_missing) elements_.push_back({offset, offset});
    const bool begins_block = state_ == State::kFirst && c == ',';
    state_ = c == ']' ? State::kClosed : State::kNext;
    return !begins_block;
  }
  state_ = State::kElement;
  depth_ = 0;
  element_ = {offset, offset};
  return TakeByte(c, offset);
}

// Takes a byte outside of strings. Returns whether it ends an element or the array.
bool ArrayScanner::TakeByte(char c, uint64_t offset) {
  if (state_ != State::kElement) return TakeBetween(c, offset);
  if (IsSpace(c)) return false;
  if (depth_ == 0 && (c == ',' || c == ']')) {
    elements_.push_back(element_);
    state_ = c == ']' ? State::kClosed : State::kNext;
    return true;
  }
  element_.end = offset + 1;
  ends_whole_ = false;
  if (c == '"') {
    state_ = State::kString;
  } else if (c == '{' || c == '[') {
    ++depth_;
  } else if ((c == '}' || c == ']') && depth_ > 0) {
    ends_whole_ = --depth_ == 0 && c == '}';
  }
  return false;
}

template <ArrayScanner::Wanted wanted>
size_t ArrayScanner::Find(std::string_view piece) {
  size_t found = kNone;
  for (size_t at = 0; at < piece.size() && state_ != State::kClosed;) {
    if (state_ == State::kString) {
      at = PassString(piece, at);
      continue;
    }
    if (TakeByte(piece[at], scanned_ + at)) {
      found = at;
      if (wanted == Wanted::kFirst) return found;
    }
    ++at;
  }
  scanned_ += piece.size();
  return found;
}

size_t ArrayScanner::FindLastEnd(std::string_view piece) { return Find<Wanted::kLast>(piece); }

size_t ArrayScanner::FindFirstEnd(std::string_view piece) { return Find<Wanted::kFirst>(piece); }

bool ArrayScanner::EndInput() {
  if (state_ != State::kElement || !ends_whole_) return false;
  elements_.push_back(element_);
  state_ = State::kEnded;
  return true;
}

}  // namespace zhiwen
