#include "index/minhash/bbit_signatures.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "index/line_table/mix_key.h"

namespace zhiwen {

Result<BbitSignatures> BbitSignatures::Create(const Options& options) {
  if (!std::has_single_bit(options.bits) || options.bits > 8) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot keep {} bits of a value; take 1, 2, 4 or 8", options.bits));
  }
  if (!std::has_single_bit(options.values) || options.values < 64 || options.values > 4096) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot estimate resemblance by {} values; take a power of two from 64 "
                            "to 4096",
                            options.values));
  }
  return BbitSignatures(options);
}

// Each group of 64 values gives one word for each bit.
void BbitSignatures::Encode(std::span<const uint32_t> signature, std::span<uint64_t> out) const {
  std::array<uint32_t, 64> hashes;
  size_t word = 0;
  for (size_t begin = 0; begin < options_.values; begin += 64) {
    for (size_t i = 0; i < 64; ++i) hashes[i] = MixKey(signature[begin + i]);
    for (uint32_t bit = 0; bit < options_.bits; ++bit) {
      uint64_t bits = 0;
      for (size_t i = 0; i < 64; ++i) bits |= uint64_t{hashes[i] >> (31 - bit) & 1} << i;
      out[word++] = bits;
    }
  }
}

uint32_t BbitSignatures::CountEqual(const uint64_t* bits, const uint8_t* stored) const {
  uint32_t different = 0;
  for (size_t word = 0; word < words(); word += options_.bits) {
    uint64_t any = 0;
    for (size_t i = word; i < word + options_.bits; ++i) {
      uint64_t other;
      std::memcpy(&other, stored + i * sizeof(other), sizeof(other));
      any |= bits[i] ^ other;
    }
    different += static_cast<uint32_t>(std::popcount(any));
  }
  return options_.values - different;
}

double BbitSignatures::Estimate(uint32_t equal) const {
  const double share = static_cast<double>(equal) / options_.values;
  return std::max(0.0, (share - chance()) / (1 - chance()));
}

// Calls visit(n, probability of n equal values) for n = 0, 1, …, as long as it returns true.
template <typename Visit>
void BbitSignatures::VisitProbabilities(double resemblance, const Visit& visit) const {
  const double s = std::clamp(resemblance, 0.0, 1.0);
  const double p = s + (1 - s) * chance();
  const uint32_t n = options_.values;
  if (p >= 1) {
    for (uint32_t equal = 0; equal <= n && visit(equal, equal == n ? 1.0 : 0.0);) ++equal;
    return;
  }
  double log = n * std::log1p(-p);
  for (uint32_t equal = 0; equal <= n; ++equal) {
    if (!visit(equal, std::exp(log))) return;
    log += std::log(p / (1 - p) * (n - equal) / (equal + 1.0));
  }
}

double BbitSignatures::ReachProbability(uint32_t equal, double resemblance) const {
  double below = 0;
  VisitProbabilities(resemblance, [&](uint32_t n, double probability) {
    if (n >= equal) return false;
    below += probability;
    return true;
  });
  return std::max(0.0, 1 - below);
}

uint32_t BbitSignatures::LeastEqual(double resemblance, double miss) const {
  double below = 0;
  uint32_t least = 0;
  VisitProbabilities(resemblance, [&](uint32_t n, double probability) {
    least = n;
    below += probability;
    return below <= miss;
  });
  return least;
}

}  // namespace zhiwen
