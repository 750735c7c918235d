#include <memory>
#include <optional>
#include <span>
#include <vector>

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
constexpr std::string_view kBits[] = {"1", "2", "4", "8"};
constexpr uint32_t kAllBits = 32;
constexpr ParameterSpec kMethod = {"method",
                                   ParameterKind::kChoice,
                                   "one_permutation",
                                   "one operation a shingle, or one a shingle and permutation",
                                   0,
                                   0,
                                   kMethods};
constexpr ParameterSpec kSeed = {
    "seed", ParameterKind::kInteger, "0", "chooses the permutations", 0, ~uint64_t{0}};
constexpr ParameterSpec kMinhashParameters[] = {
    kChannelParameter,
    kShingleFeature,
    kMethod,
    {"permutations", ParameterKind::kInteger, "128",
     "how many values; the error falls with their square root; k_permutation: a multiple of 16", 1,
     4096},
    kSeed,
};
constexpr ParameterSpec kBbitParameters[] = {
    {"bits", ParameterKind::kChoice, "1", "of each value that are kept", 0, 0, kBits},
    kChannelParameter,
    kShingleFeature,
    kMethod,
    {"permutations", ParameterKind::kInteger, "256",
     "how many values; the error falls with their square root; the bits of all fill bytes", 1,
     4096},
    kSeed,
};

// Packs the lowest `bits` of each value; earlier values take the higher bits of a byte.
FingerprintBytes PackLowBits(std::span<const uint32_t> values, uint32_t bits) {
  FingerprintBytes bytes(values.size() * bits / 8);
  for (size_t i = 0; i < values.size(); ++i) {
    uint8_t& byte = bytes[i * bits / 8];
    byte = static_cast<uint8_t>(byte << bits | (values[i] & ((1U << bits) - 1)));
  }
  return bytes;
}

class MinhashScheme final : public ChannelScheme {
 public:
  static Result<std::unique_ptr<Scheme>> Create(const ResolvedName& name,
                                                const SchemeResources& resources) {
    return Create(name, resources, kAllBits);
  }
  static Result<std::unique_ptr<Scheme>> CreateBbit(const ResolvedName& name,
                                                    const SchemeResources& resources) {
    const auto bits = static_cast<uint32_t>(name["bits"].text[0] - '0');
    if (name["permutations"].integer * bits % 8 != 0) {
      return FailScheme(name, "bits times permutations is no multiple of 8");
    }
    return Create(name, resources, bits);
  }

  static Result<std::unique_ptr<Scheme>> Create(const ResolvedName& name,
                                                const SchemeResources& resources, uint32_t bits) {
    auto scheme = std::make_unique<MinhashScheme>(name, resources, bits);
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

  MinhashScheme(const ResolvedName& name, const SchemeResources& resources, uint32_t bits)
      : ChannelScheme(name),
        bits_(bits),
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
    if (bits_ != kAllBits) return PackLowBits(values, bits_);
    FingerprintBytes bytes;
    bytes.reserve(values.size() * 4);
    for (const uint32_t value : values) AppendBigEndian(bytes, value, 4);
    return bytes;
  }

  uint32_t bits_;
  ShinglePart shingles_;
  // Whether the shingles are those of feature/shingles.h, which have a faster hash.
  bool is_usual_;
  // Exactly one of the two is set.
  std::optional<OnePermutationMinHash> one_permutation_;
  std::optional<MinHash> minhash_;
};

}  // namespace

constinit const SchemeFamily kBbitMinhashScheme = {
    .name = {"bbit_minhash", 1, "bits", kBbitParameters},
    .source = "P. Li, A. König, b-Bit Minwise Hashing, 2010",
    .input = "shingles of symbols or words",
    .value = "1, 2, 4 or 8 bits a permutation",
    .distance =
        "the share of equal values, less those that are equal by chance, estimates the "
        "resemblance of the shingle sets",
    .use_for = "resemblance in the least memory: 32 bytes say as much as 256 of minhash",
    .not_for =
        "bands, which need whole values; resemblances below a half; texts of a few shingles, but "
        "for bits=8 (docs/formats/minhash.md)",
    .measure = "bbit*",
    .threshold = 0.8,
    .threshold_meaning = "what zhiwen dedup removes",
    .create = MinhashScheme::CreateBbit,
};

constinit const SchemeFamily kMinhashScheme = {
    .name = {"minhash", 1, "permutations", kMinhashParameters},
    .source =
        "A. Broder, On the resemblance and containment of documents, 1997, §3; P. Li, "
        "A. Owen, C.-H. Zhang, One Permutation Hashing, 2012, §2",
    .input = "shingles of symbols or words",
    .value = "4 bytes a permutation",
    .distance = "the share of equal values estimates the resemblance of the shingle sets",
    .use_for = "near-duplicates of any length, with a known error",
    .not_for = "a short text inside a long one: use containment of shingles",
    .measure = "equal_values",
    .threshold = 0.8,
    .threshold_meaning = "what zhiwen dedup removes",
    .create = MinhashScheme::Create,
};

}  // namespace zhiwen
