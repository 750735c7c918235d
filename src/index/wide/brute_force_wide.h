#ifndef ZHIWEN_INDEX_WIDE_BRUTE_FORCE_WIDE_H_
#define ZHIWEN_INDEX_WIDE_BRUTE_FORCE_WIDE_H_

// Every code of 128 bits compared with every query: the definition that other indexes are held
// against, and the fastest one for some thousand codes.
//
// Guarantees  exact for every radius
// Cost        16 bytes a code; half a nanosecond a code and query of a batch; a change moves all
//             codes
// Threads     const functions from many threads; others alone

#include <cstdint>
#include <span>
#include <vector>

#include "index/wide/wide_hamming_index.h"

namespace zhiwen {

class BruteForceWide final : public WideHammingIndex {
 public:
  uint64_t size() const override { return codes_.size(); }
  uint64_t bytes() const override { return codes_.capacity() * sizeof(Code128); }

  void Query(std::span<const Code128> queries, uint32_t radius, WideAnswer& answer) const override;
  uint64_t Insert(std::span<const Code128> codes) override;
  uint64_t Remove(std::span<const Code128> codes) override;

 private:
  std::vector<Code128> codes_;  // ascending
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_WIDE_BRUTE_FORCE_WIDE_H_
