#include "document/html/pattern_groups.h"

#include <algorithm>
#include <bit>
#include <queue>

namespace zhiwen {
namespace {

constexpr uint32_t kNoStep = UINT32_MAX;
constexpr uint32_t kEndsWords = uint32_t{1} << 31;  // in a step: some word ends with it

bool IsSmall(char c) { return c >= 'a' && c <= 'z'; }
bool IsCapital(char c) { return c >= 'A' && c <= 'Z'; }
char SmallOf(char c) { return IsCapital(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// The byte of a text that a byte of a word stands for.
char ByteOf(char c) { return c == '~' ? ' ' : c; }

// Whether a word ends between two bytes.
bool IsWordEnd(char before, char behind) {
  if (!IsSmall(SmallOf(before)) || !IsSmall(SmallOf(behind))) return true;
  return IsSmall(before) && IsCapital(behind);
}

template <typename Visit>
void ForEachWord(std::string_view words, const Visit& visit) {
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    if (end > 0) visit(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

}  // namespace

PatternGroups::PatternGroups(std::span<const PatternGroup> groups) : whole_words_(1) {
  size_t width = 1;
  for (const PatternGroup& group : groups) {
    for (const char c : group.words) {
      if (c == ' ' || c == '*') continue;
      uint8_t& known = classes_[static_cast<uint8_t>(ByteOf(c))];
      if (known == 0) known = static_cast<uint8_t>(width++);
    }
  }
  for (char c = 'A'; c <= 'Z'; ++c) {
    classes_[static_cast<uint8_t>(c)] = classes_[static_cast<uint8_t>(SmallOf(c))];
  }
  shift_ = static_cast<size_t>(std::bit_width(width - 1));
  steps_.assign(size_t{1} << shift_, kNoStep);
  endings_.resize(1);
  for (uint32_t i = 0; i < groups.size(); ++i) {
    ForEachWord(groups[i].words, [&](std::string_view word) { Add(word, i); });
  }
  Link();
}

void PatternGroups::Add(std::string_view word, uint32_t group) {
  const bool is_anywhere = word.front() == '*';
  if (is_anywhere) word = word.substr(1, word.size() - 2);
  size_t state = 0;
  for (const char c : word) {
    const auto byte = static_cast<uint8_t>(ByteOf(c));
    uint32_t next = Step(state, byte);
    if (next == kNoStep) {
      next = static_cast<uint32_t>(endings_.size());
      Step(state, byte) = next;
      steps_.resize(steps_.size() + (size_t{1} << shift_), kNoStep);
      endings_.emplace_back();
    }
    state = next;
  }
  if (is_anywhere || !IsSmall(word.front())) {
    endings_[state].any |= uint32_t{1} << group;
  } else {
    whole_words_.push_back({group, static_cast<uint32_t>(word.size()), endings_[state].next});
    endings_[state].next = static_cast<uint32_t>(whole_words_.size() - 1);
  }
}

// Makes every step lead to the longest end of what was read that begins some word.
void PatternGroups::Link() {
  std::vector<uint32_t> shorter(endings_.size(), 0);
  std::queue<size_t> states;
  states.push(0);
  while (!states.empty()) {
    const size_t state = states.front();
    states.pop();
    for (size_t c = 0; c < size_t{1} << shift_; ++c) {
      uint32_t& next = steps_[state << shift_ | c];
      const uint32_t other = state == 0 ? 0 : steps_[size_t{shorter[state]} << shift_ | c];
      if (next == kNoStep) {
        next = other;
        continue;
      }
      shorter[next] = other;
      endings_[next].any |= endings_[other].any;
      // A word that ends here is found as the end of a longer one, too.
      if (endings_[next].next == 0) {
        endings_[next].next = endings_[other].next;
      } else {
        uint32_t last = endings_[next].next;
        while (whole_words_[last].next != 0) last = whole_words_[last].next;
        whole_words_[last].next = endings_[other].next;
      }
      states.push(next);
    }
  }
  // From now on a step is the row of a state.
  for (uint32_t& step : steps_) {
    const bool ends = endings_[step].any != 0 || endings_[step].next != 0;
    step = step << shift_ | (ends ? kEndsWords : 0);
  }
}

uint32_t PatternGroups::Find(std::string_view text) const {
  uint32_t found = 0;
  size_t row = 0;  // of the state
  for (size_t i = 0; i < text.size(); ++i) {
    const uint32_t step = steps_[row | classes_[static_cast<uint8_t>(text[i])]];
    row = step & ~kEndsWords;
    if (step == row) continue;
    const Ending& ending = endings_[row >> shift_];
    found |= ending.any;
    for (uint32_t at = ending.next; at != 0; at = whole_words_[at].next) {
      const WholeWord& word = whole_words_[at];
      const size_t begin = i + 1 - word.length;
      const bool begins = begin == 0 || IsWordEnd(text[begin - 1], text[begin]);
      if (begins && (i + 1 == text.size() || IsWordEnd(text[i], text[i + 1]))) {
        found |= uint32_t{1} << word.group;
      }
    }
  }
  return found;
}

}  // namespace zhiwen
