// The shingle hash, defined: docs/formats/shingles.md.
//
// Each symbol becomes 64 practically random bits once; a shingle joins five of them, each turned
// by another multiple of kTurn that tells the places apart, and mixes once more, so that top and
// low bits alike are fit to choose buckets.

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr uint64_t kSymbolMultiplier = 0x9E3779B1;
constexpr uint64_t kMixMultiplier = 0xBB67AE8584CAA73B;
constexpr uint64_t kFinalMultiplier = 0x9E3779B97F4A7C15;
constexpr int kTurn = 13;

uint64_t Mix(uint32_t symbol) {
  uint64_t x = symbol * kSymbolMultiplier;
  x ^= x >> 32;
  x *= kMixMultiplier;
  return x ^ (x >> 32);
}

uint64_t TurnLeft(uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

uint64_t Finish(uint64_t x) {
  x ^= x >> 32;
  x *= kFinalMultiplier;
  return x ^ (x >> 32);
}

}  // namespace

void ShingleHashesScalar(const uint32_t* symbols, size_t count, uint64_t* out) {
  if (count == 0) return;
  uint64_t m0 = Mix(symbols[0]), m1 = Mix(symbols[1]), m2 = Mix(symbols[2]), m3 = Mix(symbols[3]);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t m4 = Mix(symbols[i + 4]);
    out[i] = Finish(m0 ^ TurnLeft(m1, kTurn) ^ TurnLeft(m2, 2 * kTurn) ^ TurnLeft(m3, 3 * kTurn) ^
                    TurnLeft(m4, 4 * kTurn));
    m0 = m1, m1 = m2, m2 = m3, m3 = m4;
  }
}

}  // namespace zhiwen
