#include "fingerprint/permutations.h"

namespace zhiwen {
namespace {

// Returns the next pseudo-random number: a counter in steps of the golden ratio, mixed.
uint32_t NextRandom(uint64_t& state) {
  state += 0x9E3779B97F4A7C15;
  uint64_t x = (state ^ (state >> 32)) * 0xBB67AE8584CAA73B;
  x = (x ^ (x >> 32)) * 0x9E3779B97F4A7C15;
  return static_cast<uint32_t>(x >> 32);
}

}  // namespace

Permutations MakePermutations(uint32_t count, uint64_t seed) {
  Permutations permutations;
  uint64_t state = seed;
  for (uint32_t i = 0; i < count; ++i) {
    permutations.multipliers.push_back(NextRandom(state) | 1);
    permutations.keys.push_back(NextRandom(state));
  }
  return permutations;
}

}  // namespace zhiwen
