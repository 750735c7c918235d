#include "base/radix_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace zhiwen {
namespace {

constexpr size_t kFew = 32;  // at most this many values are sorted by comparisons
// At most; this bounds the number of places that are written in turn.
constexpr uint32_t kDigitBits = 11;
// Bits of the number of values that a last bucket should have.
constexpr uint32_t kBucketBits = 3;

// Values that agree in the bits from `bits` on. They are at `from` and shall be sorted to `to`.
// `other` has as much room; one of the two is `from`.
struct Stretch {
  uint64_t *from, *other, *to;
  size_t count;
  uint32_t bits;
};

void SortFew(const Stretch& stretch) {
  if (stretch.to != stretch.from) std::copy_n(stretch.from, stretch.count, stretch.to);
  uint64_t* const values = stretch.to;
  for (size_t i = 1; i < stretch.count; ++i) {
    const uint64_t value = values[i];
    size_t place = i;
    for (; place > 0 && values[place - 1] > value; --place) values[place] = values[place - 1];
    values[place] = value;
  }
}

// Sorts by the upper bits first, because their buckets soon fit the caches.
void Sort(Stretch stretch) {
  const auto& [from, other, to, count, bits] = stretch;
  if (count <= kFew || bits == 0) return SortFew(stretch);
  const uint32_t wanted_bits = static_cast<uint32_t>(std::bit_width(count)) - kBucketBits;
  const uint32_t digit_bits = std::min({kDigitBits, wanted_bits, bits});
  const uint32_t shift = bits - digit_bits;
  const uint64_t mask = (uint64_t{1} << digit_bits) - 1;
  std::array<size_t, 1 << kDigitBits> ends;
  std::fill_n(ends.begin(), mask + 1, size_t{0});
  for (size_t i = 0; i < count; ++i) ++ends[from[i] >> shift & mask];
  if (ends[from[0] >> shift & mask] == count) {
    stretch.bits = shift;
    return Sort(stretch);
  }
  size_t end = 0;
  for (size_t i = 0; i <= mask; ++i) end += std::exchange(ends[i], end);
  for (size_t i = 0; i < count; ++i) other[ends[from[i] >> shift & mask]++] = from[i];
  size_t begin = 0;
  for (size_t i = 0; i <= mask; begin = ends[i++]) {
    Sort({other + begin, from + begin, to + begin, ends[i] - begin, shift});
  }
}

}  // namespace

void RadixSort(LargeVector<uint64_t>& values, LargeVector<uint64_t>& scratch) {
  scratch.resize(values.size());
  if (values.empty()) return;
  uint64_t differences = 0;
  for (const uint64_t value : values) differences |= value ^ values[0];
  Sort({values.data(), scratch.data(), values.data(), values.size(),
        static_cast<uint32_t>(std::bit_width(differences))});
}

}  // namespace zhiwen
