#ifndef ZHIWEN_TEXT_PHRASE_PHRASE_SINK_H_
#define ZHIWEN_TEXT_PHRASE_PHRASE_SINK_H_

// Replaces phrases in a stream of units, from left to right, taking the longest phrase at each
// place. Inserted units are not examined again. A gap is a unit that is in no phrase and yields no
// symbol.

#include <algorithm>
#include <cstdint>
#include <span>

#include "text/phrase/phrase_table.h"
#include "text/symbol_buffer.h"
#include "text/wide_table.h"

namespace zhiwen {

// Defines the replacement. Calls keep(at) for a unit that stays, and replace(at, match) for the
// units [at, at + match.length) that a phrase replaces. Stops at the first place not before `end`,
// and returns it; phrases may extend to the end of `units`.
template <typename Keep, typename Replace>
size_t ReplacePhrases(const PhraseTable& table, std::span<const uint32_t> units, size_t end,
                      const Keep& keep, const Replace& replace) {
  size_t at = 0;
  while (at < end) {
    const uint32_t second = at + 1 < units.size() ? units[at + 1] : kPhraseGap;
    if (table.MayStart(units[at], second)) {
      const PhraseTable::Match match = table.FindLongest(units.subspan(at));
      if (match.length > 0) {
        replace(at, match);
        at += match.length;
        continue;
      }
    }
    if (units[at] != kPhraseGap) keep(at);
    ++at;
  }
  return at;
}

// The sink of fast forms with phrases (text/fold_machine.h). Units wait until no phrase that begins
// with them can go on. The wide table has units, and kPhraseGap where phrases end. Rules has
//   bool Parts(const uint8_t* begin, const uint8_t* end) const   whether phrases end at the text
//       between two units; `end` may be before `begin` where the units share their source
//   void ForEachUnit(uint32_t folded, const uint8_t* begin, const uint8_t* end, add) const
//       calls add(unit, begin, end) for the units that a symbol of folded becomes
//   uint32_t SymbolOf(uint32_t unit) const
//
// Cost        linear; holds some thousands of units, no allocation
template <typename Rules, typename Take>
class PhraseSink {
 public:
  static constexpr bool kExplains = false;

  PhraseSink(const Rules& rules, const PhraseTable& phrases, const WideTable& wide, size_t most,
             const Take& take)
      : rules_(rules),
        phrases_(phrases),
        wide_(wide),
        fold_wide_(ActiveKernels().fold_wide),
        most_(most),
        symbols_(take, most) {}

  void Emit(uint32_t folded, const uint8_t* begin, const uint8_t* end) {
    MoveTo(begin);
    rules_.ForEachUnit(folded, begin, end,
                       [this](uint32_t unit, const uint8_t*, const uint8_t*) { Add(unit); });
    last_end_ = end;
  }

  size_t FoldWide(const uint8_t* at, size_t size) {
    MoveTo(at);
    if (count_ > most_ / 2) ReplaceBut(kMaxPhraseLength - 1);
    const size_t room = (most_ - count_ - kFoldWideSlack) * 3;
    const size_t taken =
        fold_wide_(at, std::min(size, room), wide_.data(), units_ + count_, &count_);
    last_end_ = at + taken;
    return taken;
  }

  void Flush() {
    ReplaceBut(0);
    symbols_.Flush();
  }

 private:
  void MoveTo(const uint8_t* begin) {
    if (last_end_ != nullptr && rules_.Parts(last_end_, begin)) Add(kPhraseGap);
  }

  void Add(uint32_t unit) {
    units_[count_++] = unit;
    if (count_ == most_) ReplaceBut(kMaxPhraseLength - 1);
  }

  // Passes on all but the last `left` units.
  void ReplaceBut(size_t left) {
    if (count_ <= left) return;
    const auto keep = [this](size_t at) { symbols_.Add(rules_.SymbolOf(units_[at])); };
    const auto replace = [this](size_t, const PhraseTable::Match& match) {
      for (const uint32_t symbol : match.output) symbols_.Add(symbol);
    };
    const std::span<const uint32_t> units(units_, count_);
    const size_t next = ReplacePhrases(phrases_, units, count_ - left, keep, replace);
    std::copy(units_ + next, units_ + count_, units_);
    count_ -= next;
  }

  const Rules& rules_;
  const PhraseTable& phrases_;
  const WideTable& wide_;
  decltype(Kernels::fold_wide) fold_wide_;
  const size_t most_;
  const uint8_t* last_end_ = nullptr;
  size_t count_ = 0;
  uint32_t units_[kLargestPiece];
  BasicSymbolBuffer<Take> symbols_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_PHRASE_PHRASE_SINK_H_
