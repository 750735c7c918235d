#ifndef ZHIWEN_TEXT_READING_READING_UNITS_H_
#define ZHIWEN_TEXT_READING_READING_UNITS_H_

// Maps units of the folded channel to reading units. Both forms of a channel go the same way:
// FoldMachine → ForEachUnit → (phrases) → SymbolOf.
//
// A reading unit is one of three: the code point of a character that has a reading; the symbol of a
// syllable that a run spells, with kSpelled set; or kPhraseGap, which separates phrases and has no
// symbol.

#include <cstdint>
#include <span>
#include <string_view>

#include "text/phrase/phrase_table.h"
#include "text/reading/readings.h"
#include "text/reading/spelled_run.h"
#include "text/reading/syllable.h"

namespace zhiwen {

enum class ReadingKind : uint8_t { kPinyin, kInitials, kPhonemes };

class ReadingUnits {
 public:
  static constexpr uint32_t kSpelled = 0x80000000;

  ReadingUnits(ReadingKind kind, const Readings& readings)
      : kind_(kind), readings_(readings), speller_(readings.Syllables()) {}

  ReadingKind kind() const { return kind_; }
  const Readings& readings() const { return readings_; }

  // Returns the symbol of a character, or 0 when it has no reading.
  uint32_t SymbolOfCharacter(uint32_t folded) const {
    const uint32_t phonemes = readings_.PhonemesOf(folded);
    if (phonemes == 0 || kind_ == ReadingKind::kPhonemes) return phonemes;
    return SymbolOfSyllable(SyllableOf(phonemes));
  }

  // Returns the symbol of a reading unit that is not a gap.
  uint32_t SymbolOf(uint32_t unit) const {
    return (unit & kSpelled) != 0 ? unit & ~kSpelled : SymbolOfCharacter(unit);
  }

  // The characters of a phrase must be adjacent: each begins where the one before it ends.
  static bool Parts(const uint8_t* end, const uint8_t* begin) { return begin != end; }

  // Calls add(unit, begin, end) for each reading unit of a symbol of the folded channel, with its
  // bytes, or once for a gap. Returns whether the symbol is a run that spells something.
  template <typename Add>
  bool ForEachUnit(uint32_t folded, const uint8_t* begin, const uint8_t* end,
                   const Add& add) const {
    const bool may_be_run = folded < 0x80 || folded >= kSpelled;
    if (may_be_run && kind_ != ReadingKind::kPhonemes && ReadRun(folded, begin, end, add)) {
      return true;
    }
    const bool is_read = !may_be_run && readings_.PhonemesOf(folded) != 0;
    add(is_read ? folded : kPhraseGap, begin, end);
    return false;
  }

 private:
  uint32_t SymbolOfSyllable(uint32_t syllable) const {
    return kind_ == ReadingKind::kInitials ? static_cast<uint8_t>(FirstLetter(syllable)) : syllable;
  }

  static bool IsConsonant(uint32_t letter) {
    constexpr std::string_view kOthers = "aeiouv";
    return letter - 'a' < 26 && kOthers.find(static_cast<char>(letter)) == std::string_view::npos;
  }

  template <typename Add>
  bool ReadRun(uint32_t folded, const uint8_t* begin, const uint8_t* end, const Add& add) const {
    if (folded < 0x80) {  // a letter alone spells no syllable
      if (kind_ != ReadingKind::kInitials || !IsConsonant(folded)) return false;
      add(kSpelled | folded, begin, end);
      return true;
    }
    const bool may_be_initials = kind_ == ReadingKind::kInitials && IsConsonant(begin[0] | 0x20U) &&
                                 IsConsonant(begin[1] | 0x20U);
    if (!may_be_initials && !speller_.MayBegin(begin[0], begin[1])) return false;
    LatinRun run;
    if (!run.Read(begin, end)) return false;
    SyllableSpeller::Pieces pieces;
    const std::span<const SyllableSpeller::Piece> syllables = speller_.Cut(run, pieces);
    for (const SyllableSpeller::Piece& piece : syllables) {
      add(kSpelled | SymbolOfSyllable(piece.syllable), run.begin_of(piece.begin),
          run.end_of(piece.end - 1));
    }
    if (!syllables.empty() || kind_ != ReadingKind::kInitials) return !syllables.empty();
    for (size_t i = 0; i < run.size(); ++i) {
      if (!IsConsonant(run[i])) return false;
    }
    for (size_t i = 0; i < run.size(); ++i) add(kSpelled | run[i], run.begin_of(i), run.end_of(i));
    return true;
  }

  ReadingKind kind_;
  Readings readings_;
  SyllableSpeller speller_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_READING_READING_UNITS_H_
