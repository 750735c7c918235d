#ifndef ZHIWEN_MATCH_SHARED_RUNS_H_
#define ZHIWEN_MATCH_SHARED_RUNS_H_

// Runs of symbols that two texts share: greedy tiling from the longest.
// M. Wise, "Running Karp-Rabin Matching and Greedy String Tiling", 1993.
//
// In          symbols of both texts on one channel
// Out         runs of at least `min_run` equal symbols, each maximal, non-overlapping in a,
// ascending in a Guarantees  every symbol of `a` that lies in a run of ≥ min_run symbols shared
// with `b` is covered, or lies in a rest shorter than
//             min_run beside a longer run
// Cost        expected linear; positions of one seed are bounded by kMaxSeedPositions

#include <cstdint>
#include <span>
#include <vector>

#include "zhiwen/offsets.h"

namespace zhiwen {

struct SymbolRun {
  SymbolOffset a, b;
  uint64_t length = 0;

  friend bool operator==(const SymbolRun&, const SymbolRun&) = default;
};

std::vector<SymbolRun> FindSharedRuns(std::span<const uint32_t> a, std::span<const uint32_t> b,
                                      uint32_t min_run);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_SHARED_RUNS_H_
