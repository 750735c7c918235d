#ifndef ZHIWEN_FINGERPRINT_SIMHASH_H_
#define ZHIWEN_FINGERPRINT_SIMHASH_H_

// SimHash: the hashes of a text's features vote on each bit. M. Charikar, "Similarity Estimation
// Techniques from Rounding Algorithms", 2002, §3; G. Manku, A. Jain, A. Das Sarma, "Detecting
// Near-Duplicates for Web Crawling", 2007, §2; 语义指纹生成 ①–⑤ of 基于语义指纹的中文文本快速去重.
//
// In          hashes of features, each with a weight; a hash with a negative weight votes for its
//             complement; also many 64-bit hashes with weight 1
// Out         a bit is set when the weights of the hashes with it sum to strictly more than the
//             weights of the hashes without it
// Guarantees  the same bits for any order; a tie is 0
// Cost        a bit-sliced sum for hashes that count once: half a nanosecond for 64 bits; with
//             weights, one addition for each bit and hash
// Persisted   simhash32.v1(…), simhash64.v1(…), simhash128.v1(…): docs/formats/simhash.md
// Not for     texts without features: they have no value (NoFingerprint)

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/hash.h"

namespace zhiwen {

uint64_t ComputeSimhash64(std::span<const uint64_t> hashes);

// Returns the Hamming distance of two values of one size.
uint64_t CountDifferingBits(std::span<const uint8_t> a, std::span<const uint8_t> b);

class SimhashVotes {
 public:
  // The absolute values of all weights must sum to less than 2⁶³.
  void Add(const Hash128& hash, int64_t weight);
  void AddOnce(const Hash128& hash);

  // Returns whether nothing was added. Must not be called when weights are negative.
  bool empty() const { return all_ == 0 && waiting_ == 0; }

  // Returns the bits. A hash of fewer than 128 bits has its result in the low bits.
  Hash128 Finish();

 private:
  static constexpr size_t kAtOnce = 256;

  void AddWaiting();

  std::array<uint64_t, 128> for_ = {};  // weights of the hashes with each bit, the lowest bit first
  uint64_t all_ = 0;
  std::array<uint64_t, kAtOnce> low_, high_;  // hashes given to AddOnce that are not added yet
  size_t waiting_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_SIMHASH_H_
