#ifndef ZHIWEN_INDEX_DURABLE_MERGE_CHOICE_H_
#define ZHIWEN_INDEX_DURABLE_MERGE_CHOICE_H_

// Chooses the segments of an index that are worth merging. Tiers of sizes grow fourfold, and the
// smallest tier with four segments is merged.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

struct MergeCandidate {
  uint64_t rows = 0, deleted = 0;
  // Share of the capacity of one segment, when a kind has a limit beside rows.
  double share = 0;

  uint64_t live() const { return rows - deleted; }
};

inline constexpr uint64_t kMostMergedRows = uint64_t{1} << 31;

// Returns the places of the segments to merge, ascending, or none when there is nothing to do.
std::vector<size_t> ChooseMerge(std::span<const MergeCandidate> segments);
// Returns the segments to merge when as many as possible shall become one.
std::vector<size_t> ChooseAll(std::span<const MergeCandidate> segments);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_MERGE_CHOICE_H_
