#include "kernels/kernels.h"

namespace zhiwen {
namespace {

// From this ratio of sizes on, searching each value of the shorter array beats walking the longer.
constexpr size_t kGallopRatio = 32;

// Returns the first position at or after `from` whose value is not below `wanted`, looking at
// exponentially growing distances first.
size_t Gallop(const uint64_t* values, size_t size, size_t from, uint64_t wanted) {
  size_t step = 1;
  size_t low = from;
  while (low + step < size && values[low + step] < wanted) {
    low += step;
    step *= 2;
  }
  size_t high = low + step < size ? low + step : size;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (values[middle] < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

size_t GallopingIntersectionSize(const uint64_t* few, size_t few_size, const uint64_t* many,
                                 size_t many_size) {
  size_t shared = 0;
  size_t at = 0;
  for (size_t i = 0; i < few_size && at < many_size; ++i) {
    at = Gallop(many, many_size, at, few[i]);
    shared += at < many_size && many[at] == few[i];
  }
  return shared;
}

}  // namespace

size_t IntersectionSizeScalar(const uint64_t* a, size_t a_size, const uint64_t* b, size_t b_size) {
  if (a_size * kGallopRatio < b_size) return GallopingIntersectionSize(a, a_size, b, b_size);
  if (b_size * kGallopRatio < a_size) return GallopingIntersectionSize(b, b_size, a, a_size);
  size_t shared = 0;
  for (size_t i = 0, j = 0; i < a_size && j < b_size;) {
    const uint64_t x = a[i];
    const uint64_t y = b[j];
    shared += x == y;
    i += x <= y;
    j += y <= x;
  }
  return shared;
}

}  // namespace zhiwen
