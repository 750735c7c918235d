#include "index/hamming/brute_force_hamming.h"

#include <algorithm>
#include <iterator>
#include <utility>

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
  const size_t before = answer.matches.size();
  CodeScan(queries, radius, answer).Compare(codes_);
  SortMatches(answer, before);
  return {};
}

}  // namespace zhiwen
