#ifndef ZHIWEN_FINGERPRINT_PHONEME_PART_H_
#define ZHIWEN_FINGERPRINT_PHONEME_PART_H_

// The phonemes of a text as features of a scheme: the part phoneme.v1(reference=…) of its name.
// Counts of all texts are much alike; what tells them apart is how much more or less often than
// usual each phoneme occurs.
//
// In          valid UTF-8
// Guarantees  integers: the same on every machine (docs/formats/simhash.md)
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

// How often phonemes usually occur, by a parameter of `scheme` of the kind kPhonemes: "language",
// or the id of resources.phonemes. Fails: kInvalidArgument where the language data that says it is
// not that of the scheme's channel, the only one that its name has.
Result<PhonemeCounts> CountsOfReference(const ResolvedName& scheme, std::string_view reference,
                                        const SchemeResources& resources);

// In the order of PhonemeNames().
using PhonemeWeights = std::array<int64_t, kPhonemeCount>;

class PhonemePart {
 public:
  // Of `scheme`, which has the channel. Fails: kInvalidArgument for another channel; kConflict
  // where the reference was counted on another one.
  static Result<PhonemePart> Create(const ResolvedName& scheme, const ResolvedName& part,
                                    const SchemeResources& resources);

  // How often each is in the text; with a reference 2²⁴ times that, less what the reference expects
  // of so many characters. Nothing of a text without any.
  std::optional<PhonemeWeights> Weigh(std::string_view utf8) const;

 private:
  explicit PhonemePart(Channel channel) : channel_(std::move(channel)) {}

  Channel channel_;
  int64_t unit_ = 1;              // what an occurrence weighs
  PhonemeWeights expected_ = {};  // of one character
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_PHONEME_PART_H_
