#ifndef ZHIWEN_TEXT_READING_SYLLABLE_H_
#define ZHIWEN_TEXT_READING_SYLLABLE_H_

// Numbers the syllables of Mandarin after 金哲凡 et al. 2017 (基于音位的网络盗版文本查重方法): 24
// initials (including y, w and the zero initial), 34 finals and 5 tones, by spelling. ü loses its
// dots except in nü and lü, and üe is the final "ue".
//
//   syllable   initial << 6 | final, from 1 each
//   phonemes   syllable << 3 | tone, 1–5
//
// 0 means no reading. The numbers are symbols of channels and must never change.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace zhiwen {

inline constexpr uint32_t kInitialCount = 24;  // the last is the zero initial
inline constexpr uint32_t kFinalCount = 34;
inline constexpr uint32_t kToneCount = 5;  // the last is the neutral tone
inline constexpr uint32_t kPhonemeCount = kInitialCount + kFinalCount + kToneCount;
inline constexpr uint32_t kPhonemesEnd = ((kInitialCount << 6 | kFinalCount) << 3 | kToneCount) + 1;

constexpr uint32_t SyllableOf(uint32_t phonemes) { return phonemes >> 3; }
constexpr uint32_t ToneOf(uint32_t phonemes) { return phonemes & 7; }
constexpr uint32_t InitialOf(uint32_t syllable) { return syllable >> 6; }
constexpr uint32_t FinalOf(uint32_t syllable) { return syllable & 63; }

constexpr bool IsSyllable(uint32_t syllable) {
  return InitialOf(syllable) - 1 < kInitialCount && FinalOf(syllable) - 1 < kFinalCount;
}
constexpr bool IsPhonemes(uint32_t phonemes) {
  return IsSyllable(SyllableOf(phonemes)) && ToneOf(phonemes) - 1 < kToneCount;
}

// Return the spelling of an initial or final for people: "zh" or "ong", and an empty string for the
// zero initial. They do not spell whole syllables.
std::string_view InitialName(uint32_t initial);
std::string_view FinalName(uint32_t final);

// Returns the spelling of a syllable: "zhong", "lü", "lüe", "jue".
std::string SyllableName(uint32_t syllable);

// Returns the first letter of a syllable.
char FirstLetter(uint32_t syllable);

// Parses the spelling of a syllable, whether or not the syllable exists in Mandarin.
std::optional<uint32_t> ParseSyllable(std::string_view spelling);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_READING_SYLLABLE_H_
