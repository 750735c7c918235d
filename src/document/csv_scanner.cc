#include "document/csv_scanner.h"

#include <algorithm>
#include <cstring>

namespace zhiwen {

size_t FindByte(std::string_view bytes, size_t at, char wanted) {
  if (at >= bytes.size()) return bytes.size();
  const void* found = std::memchr(bytes.data() + at, wanted, bytes.size() - at);
  if (found == nullptr) return bytes.size();
  return static_cast<size_t>(static_cast<const char*>(found) - bytes.data());
}
void CsvScanner::Restart() {
  state_ = State::kPlain;
  field_begins_ = true;
  scanned_ = 0;
  quote_offset_ = 0;
}

// Returns where scanning continues after `at`, which is inside quotes.
size_t CsvScanner::PassQuoted(std::string_view piece, size_t at) {
  if (state_ == State::kMaybeClosed) {
    const bool doubled = piece[at] == '"';
    state_ = doubled ? State::kQuoted : State::kPlain;
    return doubled ? at + 1 : at;
  }
  const size_t quote = FindByte(piece, at, '"');
  if (quote == piece.size()) return quote;
  if (quote + 1 == piece.size()) {
    state_ = State::kMaybeClosed;
    return quote + 1;
  }
  if (piece[quote + 1] == '"') return quote + 2;
  state_ = State::kPlain;
  return quote + 1;
}

template <CsvScanner::Wanted wanted>
size_t CsvScanner::Find(std::string_view piece) {
  size_t found = kNone;
  size_t at = 0;
  while (at < piece.size()) {
    if (state_ != State::kPlain) {
      at = PassQuoted(piece, at);
      field_begins_ = false;
      continue;
    }
    const size_t quote = FindByte(piece, at, '"');
    const void* end = wanted == Wanted::kFirst ? std::memchr(piece.data() + at, '\n', quote - at)
                                               : memrchr(piece.data() + at, '\n', quote - at);
    if (end != nullptr) {
      found = static_cast<size_t>(static_cast<const char*>(end) - piece.data()) + 1;
      if (wanted == Wanted::kFirst) return found;
    }
    if (quote > at) field_begins_ = IsFieldEnd(piece[quote - 1]);
    at = quote;
    if (quote == piece.size()) break;
    if (field_begins_) {
      state_ = State::kQuoted;
      quote_offset_ = scanned_ + quote;
    }
    field_begins_ = false;
    ++at;
  }
  scanned_ += piece.size();
  return found;
}

size_t CsvScanner::FindLastEnd(std::string_view piece) { return Find<Wanted::kLast>(piece); }

size_t CsvScanner::FindFirstEnd(std::string_view piece) { return Find<Wanted::kFirst>(piece); }

std::string_view CsvCutter::Next() {
  const size_t end = FindEnd();
  const std::string_view record = bytes_.substr(begin_, end - begin_);
  begin_ = end;
  return record;
}

// Returns where the record at begin_ ends.
size_t CsvCutter::FindEnd() {
  size_t at = begin_;
  size_t line_end = FindByte(bytes_, at, '\n');
  while (true) {
    if (!quote_known_ || quote_ < at) quote_ = FindByte(bytes_, at, '"');
    quote_known_ = true;
    if (line_end < at) line_end = FindByte(bytes_, at, '\n');
    if (line_end <= quote_) return std::min(line_end + 1, bytes_.size());
    const bool opens = quote_ == begin_ || bytes_[quote_ - 1] == separator_;
    at = opens ? PassQuoted(quote_ + 1) : quote_ + 1;
  }
}

// Returns the first byte after the closing quote; `at` follows the opening one.
size_t CsvCutter::PassQuoted(size_t at) const {
  while (true) {
    const size_t quote = FindByte(bytes_, at, '"');
    if (quote + 1 >= bytes_.size()) return bytes_.size();
    if (bytes_[quote + 1] != '"') return quote + 1;
    at = quote + 2;
  }
}

}  // namespace zhiwen
