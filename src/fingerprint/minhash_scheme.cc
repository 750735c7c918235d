#include <memory>
#include <optional>

#include <fmt/format.h>

#include "feature/shingles.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/feature_parts.h"
#include "fingerprint/minhash.h"
#include "fingerprint/one_permutation.h"
#include "fingerprint/scheme_family.h"

namespace zhiwen {
namespace {

constexpr std::string_view kMethods[] = {"k_permutation", "one_permutation"};
constexpr ParameterSpec kParameters[] = {
    kChannelParameter,
    kShingleFeature,
    {"method", ParameterKind::kChoice, "one_permutation",
     "one operation a shingle, or one a shingle and permutation", 0, 0, kMethods},
    {"permutations", ParameterKind::kInteger, "128",
     "how many values; the error falls with their square root; k_permutation: a multiple of 16", 1,
     4096},
    {"seed", ParameterKind::kInteger, "0", "chooses the permutations", 0, ~uint64_t{0}},
};

class MinhashScheme final : public ChannelScheme {
 public:
  static Result<std::unique_ptr<Scheme>> Create(const ResolvedName& name,
                                                const SchemeResources& resources) {
    auto scheme = std::make_unique<MinhashScheme>(name, resources);
    const auto values = static_cast<uint32_t>(name["permutations"].integer);
    const uint64_t seed = name["seed"].integer;
    if (name["method"].text == "one_permutation") {
      ZHIWEN_ASSIGN_OR_RETURN(scheme->one_permutation_,
                              OnePermutationMinHash::Create(values, seed));
    } else {
      ZHIWEN_ASSIGN_OR_RETURN(scheme->minhash_,
                              MinHash::Create({.permutations = values, .seed = seed}));
    }
    return scheme;
  }

  MinhashScheme(const ResolvedName& name, const SchemeResources& resources)
      : ChannelScheme(name),
        shingles_(name["feature"].nested[0], channel(), resources),
        is_usual_(shingles_.length() == kShingleLength &&
                  name["feature"].nested[0]["unit"].nested.empty()) {}

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    std::vector<uint64_t> shingles;
    if (is_usual_) {
      ComputeShingles(SymbolsOf(utf8), shingles);
    } else {
      shingles_.ComputeInto(utf8, shingles);
    }
    if (shingles.empty()) return NoFingerprint();
    std::vector<uint32_t> values(one_permutation_ ? one_permutation_->bins()
                                                  : minhash_->permutations());
    if (one_permutation_) {
      one_permutation_->Compute(shingles, values);
    } else {
      minhash_->Compute(shingles, values);
    }
    FingerprintBytes bytes;
    bytes.reserve(values.size() * 4);
    for (const uint32_t value : values) AppendBigEndian(bytes, value, 4);
    return bytes;
  }

  ShinglePart shingles_;
  bool is_usual_;  // the shingles of feature/shingles.h, whose hash is faster
  std::optional<OnePermutationMinHash> one_permutation_;  // or else
  std::optional<MinHash> minhash_;
};

}  // namespace

constinit const SchemeFamily kMinhashScheme = {
    .name = {"minhash", 1, "permutations", kParameters},
    .source =
        "A. Broder, On the resemblance and containment of documents, 1997, §3; P. Li, "
        "A. Owen, C.-H. Zhang, One Permutation Hashing, 2012, §2",
    .input = "shingles of symbols or words",
    .value = "4 bytes a permutation",
    .distance = "the share of equal values estimates the resemblance of the shingle sets",
    .use_for = "near-duplicates of any length, with a known error",
    .not_for = "a short text inside a long one: use containment of shingles",
    .measure = "equal_values",
    .create = MinhashScheme::Create,
};

}  // namespace zhiwen
