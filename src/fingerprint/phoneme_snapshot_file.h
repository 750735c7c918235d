#ifndef ZHIWEN_FINGERPRINT_PHONEME_SNAPSHOT_FILE_H_
#define ZHIWEN_FINGERPRINT_PHONEME_SNAPSHOT_FILE_H_

// The sections of a snapshot of phonemes, in order.
//
// Persisted   docs/formats/phonemes.md

#include <array>
#include <cstdint>
#include <string_view>

#include "base/files/section_file.h"

namespace zhiwen {

inline constexpr SectionFileKind kPhonemesFile = {.name = "phonemes", .version = 1};

inline constexpr std::string_view kPhonemesAbout = "about";            // PhonemesAbout
inline constexpr std::string_view kPhonemesChannel = "channel";        // canonical name
inline constexpr std::string_view kPhonemesCounts = "counts";          // uint64_t for each phoneme
inline constexpr std::string_view kPhonemesReference = "reference";    // canonical name, or empty
inline constexpr std::string_view kPhonemesThresholds = "thresholds";  // PhonemesThresholds

struct PhonemesAbout {
  uint64_t texts = 0;
  uint64_t seed = 0;  // this and the following fields: PhonemeTraining
  uint64_t drawn = 0;
  uint64_t pairs = 0;
  uint64_t characters = 0;
  uint64_t replacements = 0;
};

// Rows are the minimum, the first percentile, the mean and the standard deviation. Columns are the
// cosines of initials, finals and tones, and their weighted sum. All values are in millionths.
using PhonemesThresholds = std::array<std::array<uint32_t, 4>, 4>;

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_PHONEME_SNAPSHOT_FILE_H_
