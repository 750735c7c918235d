#ifndef ZHIWEN_FINGERPRINT_SIMHASH_H_
#define ZHIWEN_FINGERPRINT_SIMHASH_H_

// SimHash: the hashes of a text's features vote on each bit. M. Charikar, "Similarity Estimation
// Techniques from Rounding Algorithms", 2002, §3; G. Manku, A. Jain, A. Das Sarma, "Detecting
// Near-Duplicates for Web Crawling", 2007, §2; 语义指纹生成 ①–⑤ of 基于语义指纹的中文文本快速去重.
//
// In          hashes of features, each with a weight, which may be below 0: then the hash votes for
//             its complement; of 64 bits also many with weight 1
// Out         a bit is set when the weights of hashes with it are strictly more than of those
//             without
// Guarantees  the same bits for any order; a tie is 0
// Cost        a bit-sliced sum of hashes that count once: half a nanosecond for 64 bits; with
//             weights an addition a bit and hash
// Persisted   simhash32.v1(…), simhash64.v1(…), simhash128.v1(…): docs/formats/simhash.md
// Not for     no features at all: there is no value then (NoFingerprint)

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/hash.h"

namespace zhiwen {

uint64_t ComputeSimhash64(std::span<const uint64_t> hashes);

// How many bits differ of two values of one size: their Hamming distance.
uint64_t CountDifferingBits(std::span<const uint8_t> a, std::span<const uint8_t> b);

class SimhashVotes {
 public:
  // Without their signs the weights are together below 2⁶³.
  void Add(const Hash128& hash, int64_t weight);
  void AddOnce(const Hash128& hash);

  // Whether nothing was added; not for weights below 0.
  bool empty() const { return all_ == 0 && waiting_ == 0; }

  // Of hashes with less bits the low ones are theirs.
  Hash128 Finish();

 private:
  static constexpr size_t kAtOnce = 256;

  void AddWaiting();

  std::array<uint64_t, 128> for_ = {};  // weights of hashes with the bit, from the lowest
  uint64_t all_ = 0;
  std::array<uint64_t, kAtOnce> low_, high_;  // those that AddOnce was given last
  size_t waiting_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_SIMHASH_H_
