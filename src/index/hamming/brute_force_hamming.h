#ifndef ZHIWEN_INDEX_HAMMING_BRUTE_FORCE_HAMMING_H_
#define ZHIWEN_INDEX_HAMMING_BRUTE_FORCE_HAMMING_H_

// Compares every code with every query. This is the definition that all other indexes are compared
// with, and the fastest index for some thousand codes or for large radii.
//
// Guarantees  exact for every radius
// Cost        8 bytes a code; a billion comparisons a second while codes come from a cache, half as
//             many from memory; a change moves all codes
// Threads     const functions from many threads; the others alone

#include <cstdint>
#include <span>
#include <vector>

#include "index/hamming/hamming_index.h"

namespace zhiwen {

class BruteForceHamming final : public MutableHammingIndex {
 public:
  uint64_t size() const override { return codes_.size(); }
  uint64_t bytes() const override { return codes_.capacity() * sizeof(uint64_t); }

  uint64_t Insert(std::span<const uint64_t> codes) override;
  uint64_t Remove(std::span<const uint64_t> codes) override;
  Status Query(std::span<const uint64_t> queries, uint32_t radius,
               HammingAnswer& answer) const override;

 private:
  std::vector<uint64_t> codes_;  // ascending
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_BRUTE_FORCE_HAMMING_H_
