#include "fingerprint/phoneme_part.h"

#include <fmt/format.h>

#include "feature/phoneme_counts.h"
#include "fingerprint/scheme_family.h"
#include "zhiwen/phoneme_snapshot.h"

namespace zhiwen {
namespace {

__extension__ using Word128 = unsigned __int128;

constexpr std::string_view kPhonemePartReferences[] = {"language", "none"};
constexpr ParameterSpec kPhonemePartParameters[] = {
    {"reference", ParameterKind::kPhonemes, "language",
     "how often phonemes usually occur: what is expected is subtracted", 0, 0,
     kPhonemePartReferences},
};

constexpr int kShareBits = 24;

}  // namespace

constinit const NameFamily kPhonemePart = {"phoneme", 1, "reference", kPhonemePartParameters};

Result<PhonemeCounts> CountsOfReference(const ResolvedName& scheme, std::string_view reference,
                                        const SchemeResources& resources) {
  if (reference != "language") {
    return PhonemeCounts::Of(resources.phonemes->counts().first<kPhonemeCount>());
  }
  const bool is_of_channel =
      resources.language != nullptr &&
      scheme["channel"].text.find(resources.language->id()) != std::string::npos;
  if (is_of_channel) return PhonemesOfChinese(*resources.language);
  return FailScheme(scheme, "its channel is not of the language data of this run; give both");
}

Result<PhonemePart> PhonemePart::Create(const ResolvedName& scheme, const ResolvedName& part,
                                        const SchemeResources& resources) {
  const Channel& channel = *scheme["channel"].channel;
  if (!channel.name().starts_with("phonemes.")) {
    return FailScheme(scheme, "only the channel phonemes has them; use channel=phonemes");
  }
  PhonemePart made(channel);
  if (part["reference"].is_none()) return made;
  const std::string& reference = part["reference"].text;
  if (reference != "language" && resources.phonemes->channel_name() != channel.name()) {
    return Fail(
        ErrorCode::kConflict,
        fmt::format("cannot use \"{}\": it counted {}, and the channel here is {}; train it "
                    "again",
                    resources.phonemes->path(), resources.phonemes->channel_name(),
                    channel.name()));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const PhonemeCounts counts,
                          CountsOfReference(scheme, reference, resources));
  made.unit_ = int64_t{1} << kShareBits;
  const std::array<uint64_t, kPhonemeCount> all = counts.InOrder();
  for (size_t i = 0; i < all.size(); ++i) {
    made.expected_[i] = static_cast<int64_t>((Word128{all[i]} << kShareBits) / counts.characters());
  }
  return made;
}

std::optional<PhonemeWeights> PhonemePart::Weigh(std::string_view utf8) const {
  const PhonemeCounts counts = CountPhonemes(channel_, utf8);
  if (counts.characters() == 0) return std::nullopt;
  const auto characters = static_cast<int64_t>(counts.characters());
  const std::array<uint64_t, kPhonemeCount> all = counts.InOrder();
  PhonemeWeights weights = {};
  for (size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<int64_t>(all[i]) * unit_ - characters * expected_[i];
  }
  return weights;
}

}  // namespace zhiwen
