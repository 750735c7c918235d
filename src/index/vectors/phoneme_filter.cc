#include "index/vectors/phoneme_filter.h"

#include <algorithm>

#include "index/vectors/phoneme_scan.h"

namespace zhiwen {

void PhonemeFilter::Add(const PhonemeVector& vector) {
  vectors_.insert(vectors_.end(), vector.bytes.begin(), vector.bytes.end());
  for (size_t i = 0; i < 3; ++i) angles_[i] = std::max<double>(angles_[i], vector.angles[i]);
}

void PhonemeFilter::Query(const PhonemeVector& query, const PhonemeModel& model,
                          PhonemeRule::Kind which, std::vector<uint32_t>& candidates) const {
  candidates.clear();
  if (std::ranges::max(query.bytes) == 0) return;
  PhonemeTriple turned = angles_;
  for (size_t i = 0; i < 3; ++i) turned[i] += query.angles[i];
  const PhonemeBound bound(query.bytes, model, which, turned);
  SelectRows({.bytes = vectors_}, std::span(&bound, 1),
             [&](size_t, size_t place) { candidates.push_back(static_cast<uint32_t>(place)); });
}

}  // namespace zhiwen
