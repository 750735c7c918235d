#include "kernels/kernels.h"

namespace zhiwen {

void OnePermutationScalar(const uint64_t* hashes, size_t count, uint32_t bins, uint32_t* minima) {
  for (size_t i = 0; i < count; ++i) {
    const uint64_t hash = hashes[i];
    const size_t bin = (hash >> 32) * bins >> 32;
    const uint32_t value = static_cast<uint32_t>(hash);
    const uint32_t minimum = minima[bin];
    minima[bin] = value < minimum ? value : minimum;  // always stores: no branch to mispredict
  }
}

}  // namespace zhiwen
