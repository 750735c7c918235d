#include "match/similarity.h"

#include <algorithm>
#include <utility>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

double Ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Counts the values of an ascending array that are at most `bound`, searching near its beginning
// first.
size_t CountUpTo(std::span<const uint64_t> values, uint64_t bound) {
  size_t step = 64;
  while (step < values.size() && values[step] <= bound) step *= 2;
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(step == 64 ? 0 : step / 2);
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(step, values.size()));
  return static_cast<size_t>(std::upper_bound(begin, end, bound) - values.begin());
}

}  // namespace

double SetOverlap::Resemblance() const { return Ratio(shared, a + b - shared); }
double SetOverlap::ContainmentOfA() const { return Ratio(shared, a); }
double SetOverlap::ContainmentOfB() const { return Ratio(shared, b); }

SetOverlap ComputeOverlap(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  return {a.size(), b.size(),
          ActiveKernels().intersection_size(a.data(), a.size(), b.data(), b.size())};
}

bool SetsReachThreshold(std::span<const uint64_t> a, std::span<const uint64_t> b,
                        double threshold) {
  constexpr size_t kStep = 128;
  if (a.size() > b.size()) std::swap(a, b);
  const uint64_t required = RequiredOverlap(a.size(), b.size(), threshold);
  uint64_t shared = 0;
  while (shared + a.size() >= required && shared + b.size() >= required) {
    if (a.empty() || b.empty()) return shared >= required && required > 0;
    const auto head = a.first(std::min(kStep, a.size()));
    const auto stop = std::upper_bound(b.begin(), b.end(), head.back());
    const auto rival = b.first(static_cast<size_t>(stop - b.begin()));
    shared +=
        ActiveKernels().intersection_size(head.data(), head.size(), rival.data(), rival.size());
    a = a.subspan(head.size());
    b = b.subspan(rival.size());
  }
  return false;
}

bool SetContains(std::span<const uint64_t> a, std::span<const uint64_t> b, double threshold) {
  constexpr size_t kStep = 64;
  if (a.empty()) return false;
  uint64_t required = RequiredShared(a.size(), threshold);  // for what is left of a and b
  while (required > 0) {
    if (required > a.size() || required > b.size()) return false;
    const auto head = a.first(std::min(kStep, a.size()));
    const size_t rivals = CountUpTo(b, head.back());
    const uint64_t shared =
        ActiveKernels().intersection_size(head.data(), head.size(), b.data(), rivals);
    required -= std::min(required, shared);
    a = a.subspan(head.size());
    b = b.subspan(rivals);
  }
  return true;
}

bool SizesAllow(uint64_t a_size, uint64_t b_size, double threshold) {
  return ReachesThreshold(std::min(a_size, b_size), std::max(a_size, b_size), threshold);
}

}  // namespace zhiwen
