#include <cstring>

#include "kernels/kernels.h"

namespace zhiwen {

void UnpackAscendingScalar(const uint8_t* packed, uint32_t width, uint32_t first, size_t count,
                           uint32_t* out) {
  const uint64_t mask = (uint64_t{1} << width) - 1;
  uint32_t value = first;
  uint64_t bit = 0;
  for (size_t i = 0; i < count; ++i) {
    out[i] = value;
    uint64_t word;
    std::memcpy(&word, packed + bit / 8, sizeof(word));
    value += 1 + static_cast<uint32_t>(word >> bit % 8 & mask);
    bit += width;
  }
}

}  // namespace zhiwen
