#include "index/hamming/bit_order.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "index/line_table/mix_key.h"

namespace zhiwen {
namespace {

// Returns the bit of the halves that bit i of a code goes to, when halves keep the order of the
// code.
uint32_t PlaceOf(uint32_t bit, uint32_t code_bits) { return bit / 2 + bit % 2 * code_bits / 2; }

// Counts for each bit the codes in which it is 1.
std::array<uint32_t, 64> CountOnes(std::span<const uint64_t> codes) {
  constexpr uint64_t kLowBits = 0x0101010101010101;
  std::array<uint32_t, 64> ones = {};
  for (size_t begin = 0; begin < codes.size(); begin += 255) {
    const auto some = codes.subspan(begin, std::min<size_t>(255, codes.size() - begin));
    for (uint32_t bit = 0; bit < 8; ++bit) {
      uint64_t counts = 0;  // counts of this bit of each byte
      for (const uint64_t code : some) counts += code >> bit & kLowBits;
      for (uint32_t byte = 0; byte < 8; ++byte) ones[byte * 8 + bit] += counts >> byte * 8 & 0xFF;
    }
  }
  return ones;
}

// Counts the pairs of keys that have equal bits from `kept` on, and different bits below. Keys must
// ascend.
uint64_t PairsApartBelow(std::span<const uint32_t> keys, uint32_t kept) {
  uint64_t pairs = 0, same_above = 0, same = 0;  // for the keys before
  for (size_t i = 1; i < keys.size(); ++i) {
    same = keys[i] == keys[i - 1] ? same + 1 : 0;
    same_above = keys[i] >> kept == keys[i - 1] >> kept ? same_above + 1 : 0;
    pairs += same_above - same;
  }
  return pairs;
}

// Returns the largest number of bits that need not be mixed: without them not many more keys are
// equal than among random keys.
uint32_t KeptBitsOf(std::span<const uint32_t> keys) {
  const double pairs = static_cast<double>(keys.size()) * static_cast<double>(keys.size()) / 2;
  for (uint32_t kept = kMostKeptBits; kept > 0; --kept) {
    const double at_random = pairs / static_cast<double>(uint64_t{1} << (32 - kept));
    constexpr double kByChance = 16;
    if (static_cast<double>(PairsApartBelow(keys, kept)) <= 1.5 * at_random + kByChance)
      return kept;
  }
  return 0;
}

}  // namespace

BitOrder::BitOrder(uint32_t code_bits) {
  std::vector<uint32_t> to(code_bits);
  for (uint32_t bit = 0; bit < code_bits; ++bit) to[bit] = PlaceOf(bit, code_bits);
  Make(to);
}

BitOrder::BitOrder(std::span<const uint64_t> sample, uint32_t code_bits) {
  const std::array<uint32_t, 64> ones = CountOnes(sample);
  const auto bias = [&](uint32_t bit) {
    return std::abs(2 * static_cast<int64_t>(ones[bit]) - static_cast<int64_t>(sample.size()));
  };
  std::vector<uint32_t> to(code_bits);
  for (uint32_t half = 0; half < 2; ++half) {
    std::vector<uint32_t> bits;
    for (uint32_t bit = half; bit < code_bits; bit += 2) bits.push_back(bit);
    std::ranges::stable_sort(bits, std::ranges::greater(), bias);
    for (uint32_t i = 0; i < bits.size(); ++i) to[bits[i]] = i + half * code_bits / 2;
  }
  Make(to);
  kept_bits_ = kMostKeptBits;
  std::vector<uint32_t> keys(sample.size());
  for (uint32_t half = 0; half < 2; ++half) {
    const uint64_t mask = (uint64_t{1} << code_bits / 2) - 1;
    for (size_t i = 0; i < keys.size(); ++i) {
      keys[i] = static_cast<uint32_t>(OrderedOf(sample[i]) >> half * code_bits / 2 & mask);
    }
    std::ranges::sort(keys);
    kept_bits_ = std::min(kept_bits_, KeptBitsOf(keys));
  }
}

void BitOrder::Make(std::span<const uint32_t> to) {
  to_ordered_.assign(to.size() / 8, {});
  to_code_.assign(to.size() / 8, {});
  const auto add = [](Places& places, uint32_t from, uint32_t bit) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      if ((byte >> from % 8 & 1) != 0) places[from / 8][byte] |= uint64_t{1} << bit;
    }
  };
  for (uint32_t bit = 0; bit < to.size(); ++bit) {
    add(to_ordered_, bit, to[bit]);
    add(to_code_, to[bit], bit);
  }
}

}  // namespace zhiwen
