#include "index/wide/wide_hamming_index.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "kernels/kernels.h"

namespace zhiwen {

void WideCodeScan::Finish() {
  std::array<uint32_t, kBlock + 8> found;
  const Kernels& kernels = ActiveKernels();
  for (uint32_t q = 0; q < queries_.size(); ++q) {
    const Code128& query = queries_[q];
    const size_t hits = kernels.codes_within(low_.data(), size_, query.low, radius_, found.data());
    for (size_t i = 0; i < hits; ++i) {
      const Code128 code = {.high = high_[found[i]], .low = low_[found[i]]};
      const uint32_t distance = HammingDistance(code, query);
      if (distance <= radius_) answer_.matches.push_back({q, distance, code});
    }
  }
  size_ = 0;
}

void SortMatches(WideAnswer& answer, size_t begin) {
  const auto is_before = [](const WideMatch& a, const WideMatch& b) {
    return std::tie(a.query, a.distance, a.code) < std::tie(b.query, b.distance, b.code);
  };
  const auto first = answer.matches.begin() + static_cast<ptrdiff_t>(begin);
  // As those of small radii are found.
  if (std::is_sorted(first, answer.matches.end(), is_before)) return;
  std::sort(first, answer.matches.end(), is_before);
}

NearestWideCodes FindNearest(const WideHammingIndex& index, const Code128& query, size_t count,
                             uint32_t radius) {
  WideAnswer answer;
  for (uint32_t within = 0; within <= radius; ++within) {
    answer.matches.clear();
    answer.truncated.clear();
    index.Query({&query, 1}, within, answer);
    if (answer.matches.size() >= count) break;
  }
  if (answer.matches.size() > count) answer.matches.resize(count);
  return {std::move(answer.matches), answer.truncated.empty()};
}

}  // namespace zhiwen
