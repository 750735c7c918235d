#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/value_bytes.h"
#include "feature/shingles.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/feature_parts.h"
#include "fingerprint/scheme_family.h"

namespace zhiwen {
namespace {

constexpr std::string_view kBroder =
    "A. Broder, S. Glassman, M. Manasse, G. Zweig, Syntactic Clustering of the Web, 1997";

constexpr ParameterSpec kModulus = {
    "modulus", ParameterKind::kInteger, "25", "of hashes those that it divides are kept", 1, 65536};
constexpr ParameterSpec kDscParameters[] = {kChannelParameter, kShingleFeature, kModulus};
constexpr ParameterSpec kSuperParameters[] = {
    kChannelParameter,
    kShingleFeature,
    kModulus,
    {"size", ParameterKind::kInteger, "6", "kept shingles of a super shingle", 1, 64},
};

// Keeps the shingles of a text whose hash is divisible by `modulus`.
class DscScheme : public ChannelScheme {
 public:
  DscScheme(const ResolvedName& name, const SchemeResources& resources)
      : ChannelScheme(name),
        shingles_(name["feature"].nested[0], channel(), resources),
        modulus_(name["modulus"].integer) {}

 protected:
  HashSet SketchOf(std::string_view utf8) const {
    HashSet sketch;
    std::vector<uint64_t> scratch;
    shingles_.ComputeInto(utf8, sketch.hashes);
    std::erase_if(sketch.hashes, [&](uint64_t hash) { return hash % modulus_ != 0; });
    MakeShingleSet(sketch.hashes, scratch);
    return sketch;
  }

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    HashSet sketch = SketchOf(utf8);
    if (sketch.hashes.empty()) return NoFingerprint();
    return sketch;
  }

  ShinglePart shingles_;
  uint64_t modulus_;
};

// Hashes runs of the sorted sketch. Two texts that share a super shingle share the whole run.
class SuperShingleScheme final : public DscScheme {
 public:
  SuperShingleScheme(const ResolvedName& name, const SchemeResources& resources)
      : DscScheme(name, resources), size_(name["size"].integer) {}

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    const HashSet sketch = SketchOf(utf8);
    HashSet super;
    for (size_t i = 0; i + size_ <= sketch.hashes.size(); ++i) {
      const auto run = std::span(sketch.hashes).subspan(i, size_);
      super.hashes.push_back(HashBytes64(BytesOfValues(run)));
    }
    if (super.hashes.empty()) return NoFingerprint();
    std::vector<uint64_t> scratch;
    MakeShingleSet(super.hashes, scratch);
    return super;
  }

  size_t size_;
};

}  // namespace

constinit const SchemeFamily kDscScheme = {
    .name = {"dsc", 1, "feature", kDscParameters},
    .source = kBroder,
    .input = "shingles of symbols or words",
    .value = "8 bytes for one in `modulus` shingles",
    .distance = "the resemblance of the kept shingles estimates that of all",
    .use_for = "long texts, at a fraction of their shingles",
    .not_for = "short texts, which may keep none",
    .measure = "resemblance",
    .threshold = 0.5,
    .threshold_meaning = "half of the kept shingles",
    .create = CreateOf<DscScheme>,
};

constinit const SchemeFamily kSuperShinglesScheme = {
    .name = {"supershingles", 1, "feature", kSuperParameters},
    .source = kBroder,
    .input = "shingles of symbols or words",
    .value = "8 bytes for one in `modulus` shingles",
    .distance = "one in common: the texts share `size` kept shingles that lie side by side",
    .use_for = "finding near-copies of long texts by equality",
    .not_for = "short texts, which have none; rewritten ones",
    .measure = "resemblance",
    .threshold = kAnythingInCommon,
    .threshold_meaning = "one super shingle in common",
    .create = CreateOf<SuperShingleScheme>,
};

}  // namespace zhiwen
