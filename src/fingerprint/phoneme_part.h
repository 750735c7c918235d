#ifndef ZHIWEN_FINGERPRINT_PHONEME_PART_H_
#define ZHIWEN_FINGERPRINT_PHONEME_PART_H_

// Uses the phonemes of a text as features of a scheme: the part phoneme.v1(reference=…) of its
// name. All texts have similar phoneme counts; they differ in how much more or less often than
// usual each phoneme occurs.
//
// In          valid UTF-8
// Guarantees  integer arithmetic: the same on every machine (docs/formats/simhash.md)
// Threads     const: share freely

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "feature/phoneme_counts.h"
#include "fingerprint/name_family.h"
#include "text/reading/syllable.h"
#include "zhiwen/channel.h"

namespace zhiwen {

extern const NameFamily kPhonemePart;

// Returns how often phonemes usually occur, by `scheme`'s parameter of the kind kPhonemes:
// "language", or the id of resources.phonemes. Fails: kInvalidArgument when the language data is
// not the one of the scheme's channel, because the name states only that one.
Result<PhonemeCounts> CountsOfReference(const ResolvedName& scheme, std::string_view reference,
                                        const SchemeResources& resources);

// Weights in the order of PhonemeNames().
using PhonemeWeights = std::array<int64_t, kPhonemeCount>;

class PhonemePart {
 public:
  // Creates the part of `scheme`, which has the channel. Fails: kInvalidArgument for any other
  // channel than phonemes; kConflict when the reference was counted on another channel.
  static Result<PhonemePart> Create(const ResolvedName& scheme, const ResolvedName& part,
                                    const SchemeResources& resources);

  // Returns the count of each phoneme in the text. With a reference, returns 2²⁴ times the count
  // less the count that the reference expects of as many characters. Returns nothing for a text
  // without phonemes.
  std::optional<PhonemeWeights> Weigh(std::string_view utf8) const;

 private:
  explicit PhonemePart(Channel channel) : channel_(std::move(channel)) {}

  Channel channel_;
  int64_t unit_ = 1;              // weight of one occurrence
  PhonemeWeights expected_ = {};  // expected weight for one character
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_PHONEME_PART_H_
