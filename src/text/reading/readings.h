#ifndef ZHIWEN_TEXT_READING_READINGS_H_
#define ZHIWEN_TEXT_READING_READINGS_H_

// How Chinese is read: the part of language data with the first reading of every character, of
// phrases the readings of their characters, and how often phonemes occur.
//
// In          symbols of the folded channel
// Guarantees  what was opened has been checked whole: no content makes a look-up leave it
// Cost        Open: a pass over the sections
// Threads     const: share freely; lives no longer than the language data
// Fails       Open: kUnreadable, naming the section
// Persisted   docs/formats/language.md, sections reading.*

#include <cstdint>
#include <span>
#include <vector>

#include "base/files/section_file.h"
#include "text/phrase/phrase_table.h"

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

// Opens the phrases in which characters are read otherwise: a syllable for each character.
Result<PhraseTable> OpenPhraseReadings(const SectionFile& sections);

// More Han characters are in no corpus.
inline constexpr uint64_t kMostPhonemes = uint64_t{1} << 40;

// Whether numbers can say how often each initial, final and tone occurs (text/reading/syllable.h):
// kInitialCount, kFinalCount and kToneCount of them, of which each group has the same sum, from 1
// to kMostPhonemes.
bool ArePhonemeCounts(std::span<const uint64_t> numbers);

// How often they occur in Chinese. Lives as long as the language data.
Result<std::span<const uint64_t>> OpenPhonemeFrequencies(const SectionFile& sections);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_READING_READINGS_H_
