#include "kernels/kernels.h"

namespace zhiwen {

void MinhashScalar(const uint64_t* hashes, size_t count, const uint32_t* multipliers,
                   const uint32_t* keys, size_t permutations, uint32_t* minima) {
  for (size_t j = 0; j < permutations; ++j) {
    uint32_t minimum = minima[j];
    for (size_t i = 0; i < count; ++i) {
      const uint32_t value = (static_cast<uint32_t>(hashes[i]) ^ keys[j]) * multipliers[j];
      minimum = value < minimum ? value : minimum;
    }
    minima[j] = minimum;
  }
}

}  // namespace zhiwen
