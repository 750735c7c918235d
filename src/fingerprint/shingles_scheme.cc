#include <memory>

#include "feature/shingles.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/feature_parts.h"
#include "fingerprint/scheme_family.h"

namespace zhiwen {
namespace {

constexpr std::string_view kShinglesHashes[] = {"xxh3"};
constexpr ParameterSpec kShinglesParameters[] = {
    kChannelParameter,
    kShingleFeature,
    {"hash", ParameterKind::kChoice, "xxh3", "hash of a shingle", 0, 0, kShinglesHashes},
};

class ShinglesScheme final : public ChannelScheme {
 public:
  ShinglesScheme(const ResolvedName& name, const SchemeResources& resources)
      : ChannelScheme(name), shingles_(name["feature"].nested[0], channel(), resources) {}

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    HashSet set;
    std::vector<uint64_t> scratch;
    shingles_.ComputeInto(utf8, set.hashes);
    if (set.hashes.empty()) return NoFingerprint();
    MakeShingleSet(set.hashes, scratch);
    return set;
  }

  ShinglePart shingles_;
};

}  // namespace

constinit const SchemeFamily kShinglesScheme = {
    .name = {"shingles", 1, "feature", kShinglesParameters},
    .source = "A. Broder, On the resemblance and containment of documents, 1997, §2",
    .input = "shingles of symbols or words",
    .value = "8 bytes a distinct shingle",
    .distance = "resemblance and containment are exact",
    .use_for = "verifying matches, containment",
    .not_for = "storing many long texts",
    .measure = "resemblance",
    .threshold = 0.8,
    .threshold_meaning = "what zhiwen dedup removes",
    .create = CreateOf<ShinglesScheme>,
};

}  // namespace zhiwen
