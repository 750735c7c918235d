#include "index/postings/fingerprint_features.h"

#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include "base/hash.h"

namespace zhiwen {
namespace {

uint64_t FeatureOfCode(std::span<const uint8_t> code) {
  if (code.size() > sizeof(uint64_t)) {
    return HashBytes64({reinterpret_cast<const char*>(code.data()), code.size()});
  }
  uint64_t number = 0;
  for (const uint8_t byte : code) number = number << 8 | byte;
  return number;
}

// Adds the features of each kind of value.
class FeatureList {
 public:
  Status operator()(const NoFingerprint&) { return {}; }
  Status operator()(const FingerprintBytes&) {
    return Fail(ErrorCode::kInvalidArgument,
                "cannot look for shared features: values of this scheme are bytes, which are "
                "compared as a whole; take a scheme of sets, codes or selected shingles");
  }
  Status operator()(const HashSet& set) {
    for (const uint64_t hash : set.hashes) features.push_back({hash, 0});
    return {};
  }
  Status operator()(const CodeSequence& codes) {
    for (size_t i = 0; i < codes.size(); ++i) {
      ZHIWEN_RETURN_IF_ERROR(Add(FeatureOfCode(codes[i]), i));
    }
    return {};
  }
  Status operator()(const SelectedShingles& shingles) {
    for (const SelectedShingle& shingle : shingles) {
      ZHIWEN_RETURN_IF_ERROR(Add(shingle.hash, shingle.position));
    }
    return {};
  }
  Status operator()(const WeightedTerms& terms) {
    for (const WeightedTerm& term : terms) features.push_back({HashBytes64(term.term), 0});
    return {};
  }

  std::vector<FeatureAt> features;

 private:
  Status Add(uint64_t feature, uint64_t position) {
    if (position >> 32 != 0) {
      return Fail(ErrorCode::kExhausted,
                  "cannot index a text: it has features beyond the place 2^32; cut it");
    }
    features.push_back({feature, static_cast<uint32_t>(position)});
    return {};
  }
};

}  // namespace

Result<std::vector<FeatureAt>> FeaturesOfFingerprint(const Fingerprint& fingerprint) {
  FeatureList list;
  ZHIWEN_RETURN_IF_ERROR(std::visit(list, fingerprint));
  return std::move(list.features);
}

}  // namespace zhiwen
