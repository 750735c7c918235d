#ifndef ZHIWEN_TEXT_READING_READINGS_H_
#define ZHIWEN_TEXT_READING_READINGS_H_

// The readings of Chinese in language data: the first reading of every character, the readings of
// the characters in phrases, and how often phonemes occur.
//
// In          symbols of the folded channel
// Guarantees  Open checks all data: afterwards no content makes a look-up leave it
// Cost        Open: one pass over the sections
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

  // Returns the phonemes (text/reading/syllable.h) of a character, or 0 for any other symbol.
  uint32_t PhonemesOf(uint32_t folded) const {
    return folded < plane0_.size() ? plane0_[folded] : PhonemesBeyond(folded);
  }

  // Returns the syllables that characters have, ascending.
  std::vector<uint32_t> Syllables() const;

 private:
  uint32_t PhonemesBeyond(uint32_t folded) const;

  std::span<const uint16_t> plane0_;  // by code point
  std::span<const uint32_t> beyond_;  // code points, ascending
  std::span<const uint16_t> beyond_phonemes_;
};

// Opens the phrases in which characters have other readings. Outputs hold a syllable for each
// character.
Result<PhraseTable> OpenPhraseReadings(const SectionFile& sections);

// A bound on the number of Han characters, which no corpus reaches.
inline constexpr uint64_t kMostPhonemes = uint64_t{1} << 40;

// Returns whether numbers can be the frequencies of initials, finals and tones
// (text/reading/syllable.h): there are kInitialCount, kFinalCount and kToneCount of them, and all
// three groups have the same sum, from 1 to kMostPhonemes.
bool ArePhonemeCounts(std::span<const uint64_t> numbers);

// Returns how often the phonemes occur in Chinese. The view is valid as long as the language data.
Result<std::span<const uint64_t>> OpenPhonemeFrequencies(const SectionFile& sections);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_READING_READINGS_H_
