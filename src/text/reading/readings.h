#ifndef ZHIWEN_TEXT_READING_READINGS_H_
#define ZHIWEN_TEXT_READING_READINGS_H_

// How Chinese is read: the part of language data with the first reading of every character, and
// phrases in which characters are read otherwise.
//
// In          symbols of the folded channel
// Guarantees  what was opened has been checked whole: no content makes a look-up leave it
// Cost        Open: a pass over the sections, 0.2 ms; with the phrases 2 ms
// Threads     const: share freely; lives no longer than the language data
// Fails       Open: kUnreadable, naming the section
// Persisted   docs/formats/language.md, sections reading.*

#include <cstdint>
#include <span>
#include <vector>

#include "base/section_file.h"
#include "text/language/language_tables.h"

namespace zhiwen {

class Readings {
 public:
  static Result<Readings> Open(const SectionFile& sections);

  // The phonemes (text/reading/syllable.h) of a character, 0 of anything else.
  uint32_t PhonemesOf(uint32_t folded) const {
    return folded < plane0_.size() ? plane0_[folded] : PhonemesBeyond(folded);
  }

  // The syllables that characters have, ascending.
  std::vector<uint32_t> Syllables() const;

 private:
  uint32_t PhonemesBeyond(uint32_t folded) const;

  std::span<const uint16_t> plane0_;  // by code point
  std::span<const uint32_t> beyond_;  // code points, ascending
  std::span<const uint16_t> beyond_phonemes_;
};

class PhraseReadings {
 public:
  static constexpr size_t kMaxLength = 16;  // characters

  static Result<PhraseReadings> Open(const SectionFile& sections);

  // The syllables of the longest phrase that `folded` begins with; empty when there is none.
  std::span<const uint16_t> LongestAt(std::span<const uint32_t> folded) const {
    if (folded.size() < 2 || folded[0] > 0xFFFF || folded[1] > 0xFFFF) return {};
    const uint32_t pair = folded[0] << 16 | folded[1];
    const uint32_t bit = HashOf(pair) % kFilterBits;
    if ((filter_[bit / 64] >> bit % 64 & 1) == 0) return {};
    return LongestOfPair(pair, folded);
  }

 private:
  // Where the phrases that begin with two characters are.
  struct Slot {
    uint32_t pair = 0;  // first << 16 | second; 0 is an empty slot
    uint32_t phrase = 0;
  };

  static constexpr uint32_t kFilterBits = 1U << 19;  // 64 KB; one in twelve is set

  static uint32_t HashOf(uint32_t pair) {
    return static_cast<uint32_t>(pair * uint64_t{0x9E3779B97F4A7C15} >> 32);
  }

  Status Check(const SectionFile& sections) const;
  void IndexPairs();
  std::span<const uint16_t> LongestOfPair(uint32_t pair, std::span<const uint32_t> folded) const;
  size_t FindSlot(uint32_t pair) const;

  size_t size() const { return starts_.size() - 1; }
  size_t Length(size_t phrase) const { return starts_[phrase + 1] - starts_[phrase]; }
  std::span<const uint16_t> CharactersOf(size_t phrase) const {
    return characters_.subspan(starts_[phrase], Length(phrase));
  }
  uint32_t PairOf(size_t phrase) const {
    const std::span<const uint16_t> characters = CharactersOf(phrase);
    return static_cast<uint32_t>(characters[0]) << 16 | characters[1];
  }

  std::span<const uint32_t> starts_;  // of the phrases in the two below, and their end
  std::span<const uint16_t> characters_;
  std::span<const uint16_t> syllables_;
  std::vector<uint64_t> filter_;  // whether a phrase may begin with a pair, by its hash
  std::vector<Slot> slots_;       // a power of two, half of them empty
  size_t slot_mask_ = 0;
};

// Compiles the tables readings and phrase_readings (tools/language/reading_tables.py).
Status CompileReadings(const LanguageTables& tables, SectionWriter& writer);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_READING_READINGS_H_
