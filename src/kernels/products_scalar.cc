#include "kernels/kernels.h"

namespace zhiwen {

// Few products are below the bound, but which is not to be foreseen: every one is written, and the
// next one over it unless it stays.
size_t ProductsBelowScalar(const uint64_t* hashes, size_t count, uint64_t multiplier,
                           uint64_t bound, uint64_t* out) {
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t product = hashes[i] * multiplier;
    out[kept] = product;
    kept += product < bound;
  }
  return kept;
}

}  // namespace zhiwen
