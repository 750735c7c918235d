#include "index/hamming/hamming_index.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "kernels/kernels.h"

namespace zhiwen {

void CodeScan::Compare(std::span<const uint64_t> codes) {
  std::array<uint32_t, kBlock + 8> found;
  const Kernels& kernels = ActiveKernels();
  for (size_t begin = 0; begin < codes.size(); begin += kBlock) {
    const auto block = codes.subspan(begin, std::min(kBlock, codes.size() - begin));
    for (uint32_t q = 0; q < queries_.size(); ++q) {
      const size_t hits =
          kernels.codes_within(block.data(), block.size(), queries_[q], radius_, found.data());
      for (size_t i = 0; i < hits; ++i) {
        const uint64_t code = block[found[i]];
        const auto distance = static_cast<uint32_t>(std::popcount(code ^ queries_[q]));
        answer_.matches.push_back({q, distance, code});
      }
    }
  }
}

void CodeScan::Finish() {
  Compare(std::span(block_).first(size_));
  size_ = 0;
}

void SortMatches(HammingAnswer& answer, size_t begin) {
  const auto is_before = [](const HammingMatch& a, const HammingMatch& b) {
    return std::tie(a.query, a.distance, a.code) < std::tie(b.query, b.distance, b.code);
  };
  const auto first = answer.matches.begin() + static_cast<ptrdiff_t>(begin);
  // Matches for small radii are already sorted.
  if (std::is_sorted(first, answer.matches.end(), is_before)) return;
  std::sort(first, answer.matches.end(), is_before);
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
