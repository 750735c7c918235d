#ifndef ZHIWEN_INDEX_HAMMING_BIT_ORDER_H_
#define ZHIWEN_INDEX_HAMMING_BIT_ORDER_H_

// Chooses where the bits of a code go in an index by halves, and how many bits of a half need not
// be mixed.
//
// The low half has the even bits of a code, the high half the odd ones, so that adjacent bits which
// many codes have in common are shared by both halves
// (docs/decisions/015-halves-are-even-and-odd-bits.md). The lowest bits of a half are those that
// distinguish the codes of a sample least, that is, are equal most often. Tables of keys keep these
// bits side by side (index/line_table/mix_key.h): as many of them as leave the other bits nearly as
// different as in random keys (docs/decisions/016-flips-of-a-line.md).
//
// Cost     32 KiB
// Threads  const functions from many threads

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

class BitOrder {
 public:
  // Keeps the order of the code in both halves, and no bits side by side. Codes have 64 or 32 bits.
  explicit BitOrder(uint32_t code_bits);
  // Chooses the order of bits from a sample of distinct codes. Takes O(n log n).
  BitOrder(std::span<const uint64_t> sample, uint32_t code_bits);

  // Returns the halves, one above the other, each of half the bits of a code.
  uint64_t OrderedOf(uint64_t code) const { return Put(to_ordered_, code); }
  uint64_t CodeOf(uint64_t ordered) const { return Put(to_code_, ordered); }

  // Returns how many of the lowest bits of both halves may be kept side by side.
  uint32_t kept_bits() const { return kept_bits_; }

 private:
  // For every byte at every place, the bits that its bits go to.
  using Places = std::vector<std::array<uint64_t, 256>>;

  static uint64_t Put(const Places& places, uint64_t bits) {
    uint64_t put = 0;
    for (const auto& of_byte : places) {
      put |= of_byte[bits & 0xFF];
      bits >>= 8;
    }
    return put;
  }
  // Bit i of a code goes to to[i].
  void Make(std::span<const uint32_t> to);

  Places to_ordered_, to_code_;
  uint32_t kept_bits_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_BIT_ORDER_H_
