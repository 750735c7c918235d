#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "feature/shingles.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/feature_hash.h"
#include "fingerprint/feature_parts.h"
#include "fingerprint/phoneme_part.h"
#include "fingerprint/scheme_family.h"
#include "fingerprint/simhash.h"
#include "zhiwen/phoneme_snapshot.h"

namespace zhiwen {
namespace {

constexpr std::string_view kCharikar =
    "M. Charikar, Similarity Estimation Techniques from Rounding Algorithms, 2002, §3; G. Manku, "
    "A. Jain, A. Das Sarma, Detecting Near-Duplicates for Web Crawling, 2007, §2";

constexpr std::string_view kDistance =
    "few differing bits mean a small angle of the feature counts";

constexpr std::string_view kSimhashWeights[] = {"tf", "distinct"};
constexpr const NameFamily* kSimhashWeightParts[] = {&kTfidfPart};
constexpr const NameFamily* kFeatures[] = {&kShinglePart, &kTermPart, &kPhonemePart};
constexpr ParameterSpec kSimhashParameters[] = {
    kChannelParameter,
    {"feature",
     ParameterKind::kChoice,
     "shingle",
     "what the text is cut into",
     0,
     0,
     {},
     kFeatures},
    {"hash", ParameterKind::kChoice, "xxh3",
     "hash of a feature; all but xxh3 leave bits constant in short ones", 0, 0, kFeatureHashes},
    {"weight", ParameterKind::kChoice, "tf",
     "what a feature counts: how often it occurs, once, or, of terms, TF·IDF", 0, 0,
     kSimhashWeights, kSimhashWeightParts},
};

class SimhashScheme : public ChannelScheme {
 public:
  SimhashScheme(const ResolvedName& name, uint32_t bits)
      : ChannelScheme(name),
        bits_(bits),
        hash_(FindFeatureHash(name["hash"].text, bits)),
        is_distinct_(name["weight"].text == "distinct") {}

 protected:
  uint32_t bits() const { return bits_; }
  bool is_distinct() const { return is_distinct_; }
  Hash128 HashOf(std::string_view feature) const { return hash_(feature); }

  FingerprintBytes BytesOf(const Hash128& simhash) const {
    FingerprintBytes bytes;
    if (bits_ > 64) AppendBigEndian(bytes, simhash.high, 8);
    AppendBigEndian(bytes, simhash.low, bits_ == 32 ? 4 : 8);
    return bytes;
  }

 private:
  uint32_t bits_;
  FeatureHash hash_;
  bool is_distinct_;
};

class ShingleSimhash final : public SimhashScheme {
 public:
  ShingleSimhash(const ResolvedName& name, uint32_t bits, const SchemeResources& resources)
      : SimhashScheme(name, bits),
        shingles_(name["feature"].nested[0], channel(), resources),
        is_usual_(bits <= 64 && name["hash"].text == "xxh3") {}

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    return is_usual_ ? ComputeUsual(utf8) : ComputeAny(utf8);
  }

  // Computes 64 bits; the value of 32 bits is the low half of them.
  Fingerprint ComputeUsual(std::string_view utf8) const {
    std::vector<uint64_t> hashes;
    shingles_.ComputeInto(utf8, hashes);
    if (hashes.empty()) return NoFingerprint();
    if (is_distinct()) {
      std::vector<uint64_t> scratch;
      MakeShingleSet(hashes, scratch);
    }
    return BytesOf({.high = 0, .low = ComputeSimhash64(hashes)});
  }

  Fingerprint ComputeAny(std::string_view utf8) const {
    SimhashVotes votes;
    std::unordered_set<std::string> features;
    shingles_.ForEach(utf8, [&](std::string_view bytes) {
      if (is_distinct() && !features.emplace(bytes).second) return;
      votes.AddOnce(HashOf(bytes));
    });
    if (votes.empty()) return NoFingerprint();
    return BytesOf(votes.Finish());
  }

  ShinglePart shingles_;
  bool is_usual_;
};

class TermSimhash final : public SimhashScheme {
 public:
  TermSimhash(const ResolvedName& name, uint32_t bits, TermPart terms)
      : SimhashScheme(name, bits), terms_(std::move(terms)) {}

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    SimhashVotes votes;
    for (const RankedTerm& term : terms_.Rank(utf8)) {
      votes.Add(HashOf(term.text), is_distinct() ? 1 : static_cast<int64_t>(term.score));
    }
    if (votes.empty()) return NoFingerprint();
    return BytesOf(votes.Finish());
  }

  TermPart terms_;
};

class PhonemeSimhash final : public SimhashScheme {
 public:
  PhonemeSimhash(const ResolvedName& name, uint32_t bits, PhonemePart phonemes)
      : SimhashScheme(name, bits), phonemes_(std::move(phonemes)) {
    for (const auto& [kind, phoneme] : PhonemeNames()) {
      hashes_.push_back(HashOf(fmt::format("{} {}", kind, phoneme)));
    }
  }

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    const std::optional<PhonemeWeights> weights = phonemes_.Weigh(utf8);
    if (!weights) return NoFingerprint();
    SimhashVotes votes;
    for (size_t i = 0; i < hashes_.size(); ++i) votes.Add(hashes_[i], (*weights)[i]);
    return BytesOf(votes.Finish());
  }

  PhonemePart phonemes_;
  std::vector<Hash128> hashes_;
};

template <uint32_t kBits>
Result<std::unique_ptr<Scheme>> CreateSimhash(const ResolvedName& name,
                                              const SchemeResources& resources) {
  const ResolvedName& feature = name["feature"].nested[0];
  if (feature.family == &kTermPart) {
    ZHIWEN_ASSIGN_OR_RETURN(TermPart terms,
                            TermPart::Create(TermParametersOf(feature, &name["weight"]),
                                             *name["channel"].channel, resources));
    return std::make_unique<TermSimhash>(name, kBits, std::move(terms));
  }
  if (feature.family == &kPhonemePart) {
    if (name["weight"].text != "tf") {
      return FailScheme(name, "phonemes weigh as often as they occur; use weight=tf");
    }
    ZHIWEN_ASSIGN_OR_RETURN(PhonemePart phonemes, PhonemePart::Create(name, feature, resources));
    return std::make_unique<PhonemeSimhash>(name, kBits, std::move(phonemes));
  }
  if (!name["weight"].nested.empty()) {
    return FailScheme(name,
                      "shingles have no document frequencies; use feature=term, or weight=tf");
  }
  return std::make_unique<ShingleSimhash>(name, kBits, resources);
}

}  // namespace

constinit const SchemeFamily kSimhash32Scheme = {
    .name = {"simhash32", 1, "feature", kSimhashParameters},
    .source = kCharikar,
    .input = "shingles, words or phonemes",
    .value = "4 bytes",
    .distance = kDistance,
    .use_for = "near-copies among some thousand texts; the six steps of simhash 与重复信息识别",
    .not_for = "more texts: unrelated ones are soon within few bits of each other",
    .measure = "equal_bits",
    .threshold = 29.0 / 32,
    .threshold_meaning = "at most 3 of 32 bits differ",
    .create = CreateSimhash<32>,
};

constinit const SchemeFamily kSimhash128Scheme = {
    .name = {"simhash128", 1, "feature", kSimhashParameters},
    .source = kCharikar,
    .input = "shingles, words or phonemes",
    .value = "16 bytes",
    .distance = kDistance,
    .use_for = "near-copies of long texts where 64 bits are too coarse to rank them",
    .not_for = "short texts, or resemblance below 0.9",
    .measure = "equal_bits",
    .create = CreateSimhash<128>,
};

constinit const SchemeFamily kSimhash64Scheme = {
    .name = {"simhash64", 1, "feature", kSimhashParameters},
    .source = kCharikar,
    .input = "shingles, words or phonemes",
    .value = "8 bytes",
    .distance = kDistance,
    .use_for = "near-copies of long texts at eight bytes each",
    .not_for = "short texts, or resemblance below 0.9",
    .measure = "equal_bits",
    .threshold = 61.0 / 64,
    .threshold_meaning = "at most 3 of 64 bits differ",
    .create = CreateSimhash<64>,
};

}  // namespace zhiwen
