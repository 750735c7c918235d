#ifndef ZHIWEN_INDEX_HAMMING_BIT_ORDER_H_
#define ZHIWEN_INDEX_HAMMING_BIT_ORDER_H_

// Where the bits of a code stand in an index by halves, and how many of a half need not be mixed.
//
// The low half has the even bits of a code, the high one the odd ones: bits side by side that many
// codes have in common are shared by both (docs/decisions/015-halves-are-even-and-odd-bits.md). In
// a half those bits come lowest that say least of the codes of a sample, that is, are most often
// equal: they are kept side by side by tables of keys (index/line_table/mix_key.h), as many of them
// as leave the others nearly as different as keys at random
// (docs/decisions/016-flips-of-a-line.md).
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
  // The order of the code itself in both halves, none of which is kept. Codes of 64 bits, or of 32.
  explicit BitOrder(uint32_t code_bits);
  // The order of bits for codes of which these are some, each once. In O(n log n).
  BitOrder(std::span<const uint64_t> sample, uint32_t code_bits);

  // The halves one above the other, of half the bits of a code each.
  uint64_t OrderedOf(uint64_t code) const { return Put(to_ordered_, code); }
  uint64_t CodeOf(uint64_t ordered) const { return Put(to_code_, ordered); }

  // How many of the lowest bits of both halves may be kept.
  uint32_t kept_bits() const { return kept_bits_; }

 private:
  // Of every byte at every place, where its bits go.
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
