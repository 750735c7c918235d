#ifndef ZHIWEN_INDEX_DURABLE_MERGE_CHOICE_H_
#define ZHIWEN_INDEX_DURABLE_MERGE_CHOICE_H_

// Which segments of an index are worth merging: tiers of sizes that grow fourfold, and a merge of
// the smallest tier that has four.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

struct MergeCandidate {
  uint64_t rows = 0, deleted = 0;
  double share = 0;  // of what fits into one segment, where a kind has a limit beside rows

  uint64_t live() const { return rows - deleted; }
};

inline constexpr uint64_t kMostMergedRows = uint64_t{1} << 31;

// The places of the segments, ascending; none where there is nothing to do.
std::vector<size_t> ChooseMerge(std::span<const MergeCandidate> segments);
// Those that become one when as many as possible shall.
std::vector<size_t> ChooseAll(std::span<const MergeCandidate> segments);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_MERGE_CHOICE_H_
