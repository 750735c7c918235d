#include "index/wide/brute_force_wide.h"

#include <algorithm>
#include <iterator>

namespace zhiwen {
namespace {

std::vector<Code128> Sorted(std::span<const Code128> codes) {
  std::vector<Code128> sorted(codes.begin(), codes.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

}  // namespace

void BruteForceWide::Query(std::span<const Code128> queries, uint32_t radius,
                           WideAnswer& answer) const {
  const size_t before = answer.matches.size();
  WideCodeScan scan(queries, radius, answer);
  for (const Code128& code : codes_) scan.Add(code);
  scan.Finish();
  SortMatches(answer, before);
}

uint64_t BruteForceWide::Insert(std::span<const Code128> codes) {
  const std::vector<Code128> sorted = Sorted(codes);
  std::vector<Code128> all;
  std::set_union(codes_.begin(), codes_.end(), sorted.begin(), sorted.end(),
                 std::back_inserter(all));
  codes_.swap(all);
  return codes_.size() - all.size();
}

uint64_t BruteForceWide::Remove(std::span<const Code128> codes) {
  const std::vector<Code128> sorted = Sorted(codes);
  std::vector<Code128> left;
  std::set_difference(codes_.begin(), codes_.end(), sorted.begin(), sorted.end(),
                      std::back_inserter(left));
  codes_.swap(left);
  return left.size() - codes_.size();
}

}  // namespace zhiwen
