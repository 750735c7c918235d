#ifndef ZHIWEN_TEXT_PHRASE_PHRASE_REPLACER_H_
#define ZHIWEN_TEXT_PHRASE_PHRASE_REPLACER_H_

// Replaces phrases in a stream of symbols: from left to right the longest phrase at each place;
// what was put in is not looked at again.
//
// Guarantees  no phrase goes beyond EndLine; the result does not depend on how the symbols are cut
// Cost        linear; holds back at most 31 symbols and gathers some thousands before it hands them
//             on; no allocation

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "text/phrase/phrase_table.h"

namespace zhiwen {

// The definition, for a line: calls keep(at) for a symbol that stays and replace(at, match) for the
// symbols [at, at + match.length) that a phrase replaces. Starts at `at`, ends at the first place
// not before `end`, and returns it; phrases may go on to the end of `symbols`.
template <typename Keep, typename Replace>
size_t ReplacePhrases(const PhraseTable& table, std::span<const uint32_t> symbols, size_t at,
                      size_t end, const Keep& keep, const Replace& replace) {
  while (at < end) {
    const uint32_t second = at + 1 < symbols.size() ? symbols[at + 1] : symbols[at];
    if (table.MayStart(symbols[at], second)) {
      const PhraseTable::Match match = table.FindLongest(symbols.subspan(at));
      if (match.length > 0) {
        replace(at, match);
        at += match.length;
        continue;
      }
    }
    keep(at++);
  }
  return at;
}

// take(std::span<uint32_t>) is called with the next symbols, and may change them in place.
template <typename Take>
class PhraseReplacer {
 public:
  PhraseReplacer(const PhraseTable& table, const Take& take) : table_(table), take_(take) {}
  PhraseReplacer(const PhraseReplacer&) = delete;
  PhraseReplacer& operator=(const PhraseReplacer&) = delete;

  // Takes the next symbols of the line.
  void Add(std::span<const uint32_t> symbols) {
    while (!symbols.empty()) {
      const size_t room = std::min(symbols.size(), kCapacity - held_count_);
      std::memcpy(held_ + held_count_, symbols.data(), room * sizeof(uint32_t));
      held_count_ += room;
      symbols = symbols.subspan(room);
      if (held_count_ >= kMaxPhraseLength) Replace(held_count_ - (kMaxPhraseLength - 1));
    }
  }

  void EndLine() { Replace(held_count_); }

  // Ends the line and hands on what is left.
  void Flush() {
    EndLine();
    HandOn();
  }

 private:
  static constexpr size_t kCapacity = 2048;

  // Replaces what starts before `end` of what is held.
  void Replace(size_t end) {
    const std::span<const uint32_t> held(held_, held_count_);
    const auto keep = [&](size_t at) {
      if (count_ == kCapacity) HandOn();
      out_[count_++] = held[at];
    };
    const auto replace = [&](size_t, const PhraseTable::Match& match) {
      if (count_ + match.output.size() > kCapacity) HandOn();
      std::ranges::copy(match.output, out_ + count_);
      count_ += match.output.size();
    };
    const size_t at = ReplacePhrases(table_, held, 0, end, keep, replace);
    held_count_ -= at;
    std::memmove(held_, held_ + at, held_count_ * sizeof(uint32_t));
  }

  void HandOn() {
    if (count_ > 0) take_(std::span<uint32_t>(out_, count_));
    count_ = 0;
  }

  const PhraseTable& table_;
  const Take& take_;
  size_t held_count_ = 0;
  size_t count_ = 0;
  uint32_t held_[kCapacity];
  uint32_t out_[kCapacity];
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_PHRASE_PHRASE_REPLACER_H_
