#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

// Shorter inputs are cheap with any implementation.
constexpr size_t kLong = 1024;

// Replaces XXH3_hashLong_128b of the header by a kernel for the processor's instruction set. The
// header's own loop is compiled for the least of them.
Hash128 HashLong128(std::string_view bytes) {
  static_assert(sizeof(XXH3_kSecret) == kXxh3Secret);
  alignas(64) uint64_t sums[kXxh3Sums] = XXH3_INIT_ACC;
  ActiveKernels().xxh3_stripes(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(),
                               XXH3_kSecret, sums);
  const uint64_t size = bytes.size();
  const uint8_t* const high_secret =
      XXH3_kSecret + kXxh3Secret - sizeof(sums) - XXH_SECRET_MERGEACCS_START;
  return {
      .high = XXH3_mergeAccs(sums, high_secret, ~(size * XXH_PRIME64_2)),
      .low = XXH3_mergeAccs(sums, XXH3_kSecret + XXH_SECRET_MERGEACCS_START, size * XXH_PRIME64_1)};
}

}  // namespace

uint64_t HashBytes64(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

Hash128 HashBytes128(std::string_view bytes, uint64_t seed) {
  if (seed == 0 && bytes.size() >= kLong) return HashLong128(bytes);
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return {.high = hash.high64, .low = hash.low64};
}

struct StreamHash128::State {
  XXH3_state_t xxh3;
};

StreamHash128::StreamHash128() : state_(std::make_unique<State>()) {
  XXH3_INITSTATE(&state_->xxh3);
  XXH3_128bits_reset(&state_->xxh3);
}
StreamHash128::~StreamHash128() = default;
StreamHash128::StreamHash128(StreamHash128&&) noexcept = default;
StreamHash128& StreamHash128::operator=(StreamHash128&&) noexcept = default;

void StreamHash128::Add(std::string_view bytes) {
  XXH3_128bits_update(&state_->xxh3, bytes.data(), bytes.size());
}

Hash128 StreamHash128::Finish() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh3);
  return {.high = hash.high64, .low = hash.low64};
}

struct StreamHash64::State {
  XXH3_state_t xxh3;
};

StreamHash64::StreamHash64() : state_(std::make_unique<State>()) {
  XXH3_INITSTATE(&state_->xxh3);
  XXH3_64bits_reset(&state_->xxh3);
}
StreamHash64::~StreamHash64() = default;

void StreamHash64::Add(std::string_view bytes) {
  XXH3_64bits_update(&state_->xxh3, bytes.data(), bytes.size());
}

uint64_t StreamHash64::Finish() const { return XXH3_64bits_digest(&state_->xxh3); }

}  // namespace zhiwen
