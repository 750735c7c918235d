#include "kernels/kernels.h"

namespace zhiwen {

uint64_t BottomOrder(uint64_t hash) {
  const auto high = static_cast<uint32_t>(hash >> 32);
  return uint64_t{__builtin_bswap32(high)} << 32 | static_cast<uint32_t>(hash);
}

// Few hashes are below the bound, but which is not to be foreseen: every order is written, and the
// next one over it unless it stays.
size_t OrdersBelowScalar(const uint64_t* hashes, size_t count, uint64_t bound, uint64_t* out) {
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t order = BottomOrder(hashes[i]);
    out[kept] = order;
    kept += order < bound;
  }
  return kept;
}

}  // namespace zhiwen
