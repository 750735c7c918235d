#ifndef ZHIWEN_MATCH_SHARED_RUNS_H_
#define ZHIWEN_MATCH_SHARED_RUNS_H_

// Finds the runs of symbols that two texts share, by greedy tiling from the longest run: M. Wise,
// "Running Karp-Rabin Matching and Greedy String Tiling", 1993. Unlike there, tiles may overlap in
// b (a passage that is repeated in a is found each time), and the longest match of every symbol
// comes from a suffix array, so that no bound on repeats is needed.
//
// In          symbols of both texts on one channel, together fewer than 2³¹
// Out         runs of at least `min_run` (≥ 1) equal symbols, ascending and non-overlapping in a;
//             of several places in b with an equally long match, one that is the same on every
//             machine
// Guarantees  a run can be extended in neither direction without meeting a different symbol, an end
//             of a text, or another run in a; every symbol of `a` that lies in a run of ≥ min_run
//             symbols shared with `b` is covered, or lies in a rest shorter than min_run beside a
//             run that is at least as long
// Cost        linear in both texts, whatever repeats, and one sort of the distinct symbols and of
//             the matches; 20 bytes a symbol of both texts
// Threads     free function

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

// Returns the length of the longest run of symbols that both texts contain.
uint64_t FindLongestSharedRun(std::span<const uint32_t> a, std::span<const uint32_t> b);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_SHARED_RUNS_H_
