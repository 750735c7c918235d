#include "index/postings/overlap_index.h"

#include <algorithm>

namespace zhiwen {

std::vector<uint64_t> DistinctFeatures(std::span<const uint64_t> features) {
  std::vector<uint64_t> distinct(features.begin(), features.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return distinct;
}

}  // namespace zhiwen
