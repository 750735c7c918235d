#ifndef ZHIWEN_FINGERPRINT_PHONEME_NOISE_H_
#define ZHIWEN_FINGERPRINT_PHONEME_NOISE_H_

// Adds noise as 金哲凡 et al. 2017 do: Han characters at random places are replaced by characters
// of a template, until the reference fingerprint of the text differs in exactly kPhonemeDistance
// bits. When one replacement exceeds this distance, the text is restored and tried again.
//
// In          a text, the template's characters, a seed
// Out         the noisy text and its number of replacements; nothing when no try succeeds
// Guarantees  the same result for the same text, template and seed
// Cost        one fingerprint for each replacement
// Threads     const: share freely

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/environment.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

inline constexpr uint32_t kNoiseTries = 100;

struct NoisyText {
  std::string text;
  uint64_t replacements = 0;
};

// Returns the places of the characters that have phonemes.
std::vector<ByteSpan> HanPlaces(const Channel& phonemes, std::string_view utf8);

class PhonemeNoise {
 public:
  // `reference` must compute values of 8 bytes and outlive this object. The template's characters
  // must have phonemes on `phonemes`.
  PhonemeNoise(const Channel& phonemes, const Scheme& reference,
               std::vector<std::string> template_characters)
      : phonemes_(phonemes), reference_(reference), template_(std::move(template_characters)) {}

  // Fails as the reference does, and on cancellation.
  Result<std::optional<NoisyText>> AddTo(std::string_view utf8, uint64_t seed,
                                         const Cancellation& cancellation) const;

 private:
  Channel phonemes_;
  const Scheme& reference_;
  std::vector<std::string> template_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_PHONEME_NOISE_H_
