#ifndef ZHIWEN_INDEX_EXACT_BRUTE_FORCE_EXACT_H_
#define ZHIWEN_INDEX_EXACT_BRUTE_FORCE_EXACT_H_

// The definition of ExactIndex: compares every entry with every key.
//
// Cost        16 bytes an entry; all entries are read for a query, and for each removed entry
// Threads     const functions from many threads; the others alone

#include <cstdint>
#include <span>
#include <vector>

#include "index/exact/exact_index.h"

namespace zhiwen {

class BruteForceExact final : public ExactIndex {
 public:
  uint64_t size() const override { return entries_.size(); }
  uint64_t bytes() const override { return entries_.capacity() * sizeof(KeyRow); }

  void Query(std::span<const uint64_t> keys, const ExactQueryOptions& options,
             ExactAnswer& answer) const override;
  void Insert(std::span<const KeyRow> entries) override;
  uint64_t Remove(std::span<const KeyRow> entries) override;

 private:
  std::vector<KeyRow> entries_;  // in the order of insertion
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_EXACT_BRUTE_FORCE_EXACT_H_
