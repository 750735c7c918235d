#include "base/hash.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace zhiwen {

uint64_t HashBytes64(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

Hash128 HashBytes128(std::string_view bytes, uint64_t seed) {
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

std::string ToHex(const Hash128& hash) {
  return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

}  // namespace zhiwen
