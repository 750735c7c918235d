#include "fingerprint/simhash.h"

#include <array>
#include <cstddef>

namespace zhiwen {

uint64_t ComputeSimhash64(std::span<const uint64_t> hashes) {
  std::array<uint64_t, 64> votes = {};
  for (const uint64_t hash : hashes) {
    for (size_t bit = 0; bit < votes.size(); ++bit) votes[bit] += hash >> bit & 1;
  }
  uint64_t simhash = 0;
  for (size_t bit = 0; bit < votes.size(); ++bit) {
    simhash |= static_cast<uint64_t>(votes[bit] > hashes.size() - votes[bit]) << bit;
  }
  return simhash;
}

}  // namespace zhiwen
