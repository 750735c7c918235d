#ifndef ZHIWEN_MATCH_PASSAGES_SEED_MATCHES_H_
#define ZHIWEN_MATCH_PASSAGES_SEED_MATCHES_H_

// Finds equal stretches of two texts from seeds: short runs of equal symbols, extended in both
// directions as far as they go.
//
// In          symbols of both texts on one channel, each fewer than 2³¹; the length of a seed
// Out         stretches of at least `seed` symbols that can be extended in neither direction,
//             ascending in a, then in b
// Guarantees  where a symbol of a run of a begins a seed that at most kMostSeedPlaces places of b
//             begin with, all of these are found. A seed that more places have is made longer;
//             where the longest has too many, its first place in b stands for all, and is tried
//             where no stretch covers the text yet
// Cost        linear in both texts, and in what is found; 30 bytes a symbol of b
// Threads     free function
// Fails       not: where cancellation is requested, some stretches are missing

#include <cstdint>
#include <span>
#include <vector>

#include "zhiwen/environment.h"

namespace zhiwen {

inline constexpr size_t kMostSeedPlaces = 16;

struct SeedMatch {
  uint32_t a = 0, b = 0;
  uint32_t length = 0;

  friend bool operator==(const SeedMatch&, const SeedMatch&) = default;
};

std::vector<SeedMatch> FindSeedMatches(std::span<const uint32_t> a, std::span<const uint32_t> b,
                                       uint32_t seed, const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_SEED_MATCHES_H_
