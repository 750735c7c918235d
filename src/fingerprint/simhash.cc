#include "fingerprint/simhash.h"

#include <bit>
#include <cstddef>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

// Returns the bits for which more than half of the weight votes. Sums wrap around, as weights may
// be negative.
uint64_t Majority(std::span<const uint64_t, 64> votes, uint64_t all) {
  uint64_t bits = 0;
  for (size_t bit = 0; bit < votes.size(); ++bit) {
    bits |= static_cast<uint64_t>(static_cast<int64_t>(2 * votes[bit] - all) > 0) << bit;
  }
  return bits;
}

}  // namespace

uint64_t ComputeSimhash64(std::span<const uint64_t> hashes) {
  std::array<uint64_t, 64> votes = {};
  ActiveKernels().count_bits(hashes.data(), hashes.size(), votes.data());
  return Majority(votes, hashes.size());
}

void SimhashVotes::Add(const Hash128& hash, int64_t weight) {
  const auto votes = static_cast<uint64_t>(weight);
  for (size_t bit = 0; bit < 64; ++bit) {
    for_[bit] += (hash.low >> bit & 1) * votes;
    for_[64 + bit] += (hash.high >> bit & 1) * votes;
  }
  all_ += votes;
}

void SimhashVotes::AddOnce(const Hash128& hash) {
  low_[waiting_] = hash.low;
  high_[waiting_] = hash.high;
  if (++waiting_ == kAtOnce) AddWaiting();
}

void SimhashVotes::AddWaiting() {
  ActiveKernels().count_bits(low_.data(), waiting_, for_.data());
  ActiveKernels().count_bits(high_.data(), waiting_, for_.data() + 64);
  all_ += waiting_;
  waiting_ = 0;
}

Hash128 SimhashVotes::Finish() {
  AddWaiting();
  const std::span<const uint64_t, 128> votes = for_;
  return {.high = Majority(votes.last<64>(), all_), .low = Majority(votes.first<64>(), all_)};
}

uint64_t CountDifferingBits(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  uint64_t differing = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    differing += static_cast<uint64_t>(std::popcount(static_cast<uint8_t>(a[i] ^ b[i])));
  }
  return differing;
}

}  // namespace zhiwen
