#include "index/hamming/hamming_index.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace zhiwen {

void CompareWithAll(uint64_t code, std::span<const uint64_t> queries, uint32_t radius,
                    HammingAnswer& answer) {
  for (size_t q = 0; q < queries.size(); ++q) {
    const auto distance = static_cast<uint32_t>(std::popcount(code ^ queries[q]));
    if (distance <= radius) answer.matches.push_back({static_cast<uint32_t>(q), distance, code});
  }
}

void SortMatches(HammingAnswer& answer, size_t begin) {
  std::sort(answer.matches.begin() + static_cast<ptrdiff_t>(begin), answer.matches.end(),
            [](const HammingMatch& a, const HammingMatch& b) {
              return std::tie(a.query, a.distance, a.code) < std::tie(b.query, b.distance, b.code);
            });
}

Result<NearestCodes> FindNearest(const HammingIndex& index, uint64_t query, size_t count,
                                 uint32_t radius) {
  HammingAnswer answer;
  for (uint32_t within = 0; within <= radius; ++within) {
    answer.matches.clear();
    answer.truncated.clear();
    ZHIWEN_RETURN_IF_ERROR(index.Query({&query, 1}, within, answer));
    if (answer.matches.size() >= count) break;
  }
  if (answer.matches.size() > count) answer.matches.resize(count);
  return NearestCodes{std::move(answer.matches), answer.truncated.empty()};
}

}  // namespace zhiwen
