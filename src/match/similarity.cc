#include "match/similarity.h"

#include <algorithm>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

double Ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double SetOverlap::Resemblance() const { return Ratio(shared, a + b - shared); }
double SetOverlap::ContainmentOfA() const { return Ratio(shared, a); }
double SetOverlap::ContainmentOfB() const { return Ratio(shared, b); }

SetOverlap ComputeOverlap(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  return {a.size(), b.size(),
          ActiveKernels().intersection_size(a.data(), a.size(), b.data(), b.size())};
}

bool SizesAllow(uint64_t a_size, uint64_t b_size, double threshold) {
  return ReachesThreshold(std::min(a_size, b_size), std::max(a_size, b_size), threshold);
}

}  // namespace zhiwen
