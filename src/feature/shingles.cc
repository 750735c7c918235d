// MakeShingleSet spreads the hashes over about twice as many buckets as there are values, by their
// top bits. Being uniform, they are then nearly in order; a bubble pass without branches and an
// insertion sort put the rest right.

#include "feature/shingles.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr int kMaxRadixBits = 13;  // 32 KiB of counters
constexpr size_t kSmall = 16;

// Moves the values to `out`, ordered by `bits` bits from bit `shift` on; equal ones keep their
// order.
void SpreadByBits(std::span<const uint64_t> values, int shift, int bits, uint64_t* out) {
  std::array<uint32_t, size_t{1} << kMaxRadixBits> begins;
  const size_t buckets = size_t{1} << bits;
  const uint64_t mask = buckets - 1;
  std::fill_n(begins.begin(), buckets, 0);
  for (const uint64_t value : values) ++begins[(value >> shift) & mask];
  uint32_t begin = 0;
  for (size_t i = 0; i < buckets; ++i) begin += std::exchange(begins[i], begin);
  for (const uint64_t value : values) out[begins[(value >> shift) & mask]++] = value;
}

// Carries the greater of each neighbouring pair on: every value that has one greater value before
// it moves one place forward.
void BubbleOnce(std::span<uint64_t> values) {
  uint64_t carried = values[0];
  for (size_t i = 1; i < values.size(); ++i) {
    const uint64_t value = values[i];
    values[i - 1] = std::min(carried, value);
    carried = std::max(carried, value);
  }
  values.back() = carried;
}

// Sorts values that are nearly in order. Gives up, with the same values in another order, when
// that takes more than eight moves a value: they were not uniform.
bool InsertionSort(std::span<uint64_t> values) {
  size_t moves_left = 8 * values.size();
  for (size_t i = 1; i < values.size(); ++i) {
    const uint64_t value = values[i];
    if (value >= values[i - 1]) continue;
    size_t at = i;
    for (; at > 0 && value < values[at - 1]; --at) values[at] = values[at - 1];
    values[at] = value;
    if (i - at > moves_left) return false;
    moves_left -= i - at;
  }
  return true;
}

// Copies ascending values to `out` without repeats and returns how many are left; out may be their
// own place.
size_t CopyDistinct(std::span<const uint64_t> values, uint64_t* out) {
  size_t distinct = 0;
  uint64_t last = ~values[0];
  for (const uint64_t value : values) {
    out[distinct] = value;
    distinct += value != last;
    last = value;
  }
  return distinct;
}

}  // namespace

void ComputeShingles(std::span<const uint32_t> symbols, std::vector<uint64_t>& hashes) {
  if (symbols.size() < kShingleLength) {
    hashes.clear();
    return;
  }
  hashes.resize(symbols.size() - kShingleLength + 1);
  ActiveKernels().shingle_hashes(symbols.data(), hashes.size(), hashes.data());
}

void MakeShingleSet(std::vector<uint64_t>& hashes, std::vector<uint64_t>& scratch) {
  const size_t count = hashes.size();
  if (count == 0) return;
  // SpreadByBits counts in 32 bits; a text of so many symbols is beyond what is deduplicated.
  if (count <= kSmall || count > ~uint32_t{0}) {
    std::sort(hashes.begin(), hashes.end());
    hashes.resize(CopyDistinct(hashes, hashes.data()));
    return;
  }
  if (scratch.size() < count) scratch.resize(count);
  std::span<uint64_t> values(scratch.data(), count);
  const int bits = std::min(static_cast<int>(std::bit_width(count)), 2 * kMaxRadixBits);
  if (bits <= kMaxRadixBits) {
    SpreadByBits(hashes, 64 - bits, bits, values.data());
  } else {
    const int high_bits = bits / 2;
    SpreadByBits(hashes, 64 - bits, bits - high_bits, scratch.data());
    SpreadByBits(values, 64 - high_bits, high_bits, hashes.data());
    values = hashes;
  }
  BubbleOnce(values);
  if (!InsertionSort(values)) std::sort(values.begin(), values.end());
  hashes.resize(CopyDistinct(values, hashes.data()));
}

}  // namespace zhiwen
