#include "index/hamming/brute_force_hamming.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <utility>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

std::vector<uint64_t> Sorted(std::span<const uint64_t> codes) {
  std::vector<uint64_t> sorted(codes.begin(), codes.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

}  // namespace

uint64_t BruteForceHamming::Insert(std::span<const uint64_t> codes) {
  const std::vector<uint64_t> sorted = Sorted(codes);
  std::vector<uint64_t> all;
  std::set_union(codes_.begin(), codes_.end(), sorted.begin(), sorted.end(),
                 std::back_inserter(all));
  codes_.swap(all);
  return codes_.size() - all.size();
}

uint64_t BruteForceHamming::Remove(std::span<const uint64_t> codes) {
  const std::vector<uint64_t> sorted = Sorted(codes);
  std::vector<uint64_t> left;
  std::set_difference(codes_.begin(), codes_.end(), sorted.begin(), sorted.end(),
                      std::back_inserter(left));
  codes_.swap(left);
  return left.size() - codes_.size();
}

Status BruteForceHamming::Query(std::span<const uint64_t> queries, uint32_t radius,
                                HammingAnswer& answer) const {
  constexpr size_t kBlock = 1024;
  std::array<uint32_t, kBlock + 8> found;
  const Kernels& kernels = ActiveKernels();
  const size_t before = answer.matches.size();
  // A block of codes stays in the cache for all queries.
  for (size_t begin = 0; begin < codes_.size(); begin += kBlock) {
    const size_t count = std::min(kBlock, codes_.size() - begin);
    const uint64_t* const codes = codes_.data() + begin;
    for (size_t q = 0; q < queries.size(); ++q) {
      const size_t hits = kernels.codes_within(codes, count, queries[q], radius, found.data());
      for (size_t i = 0; i < hits; ++i) {
        const uint64_t code = codes[found[i]];
        const auto distance = static_cast<uint32_t>(std::popcount(code ^ queries[q]));
        answer.matches.push_back({static_cast<uint32_t>(q), distance, code});
      }
    }
  }
  SortMatches(answer, before);
  return {};
}

}  // namespace zhiwen
