#include <cstring>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

uint64_t Read(const uint8_t* at) {
  uint64_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

void Accumulate(const uint8_t* stripe, const uint8_t* secret, uint64_t* sums) {
  for (size_t i = 0; i < kXxh3Sums; ++i) {
    const uint64_t value = Read(stripe + 8 * i);
    const uint64_t keyed = value ^ Read(secret + 8 * i);
    sums[i ^ 1] += value;
    sums[i] += (keyed & 0xFFFFFFFF) * (keyed >> 32);
  }
}

void Scramble(const uint8_t* secret, uint64_t* sums) {
  for (size_t i = 0; i < kXxh3Sums; ++i) {
    sums[i] = (sums[i] ^ sums[i] >> 47 ^ Read(secret + 8 * i)) * kXxh3Prime;
  }
}

}  // namespace

void Xxh3StripesScalar(const uint8_t* bytes, size_t size, const uint8_t* secret, uint64_t* sums) {
  const uint8_t* const last = bytes + size - kXxh3Stripe;
  for (size_t stripe = 0; size > kXxh3Stripe; bytes += kXxh3Stripe, size -= kXxh3Stripe) {
    Accumulate(bytes, secret + 8 * stripe, sums);
    if (++stripe == kXxh3StripesOfBlock) {
      Scramble(secret + 8 * stripe, sums);
      stripe = 0;
    }
  }
  Accumulate(last, secret + kXxh3LastSecret, sums);
}

}  // namespace zhiwen
