#include "kernels/kernels.h"

namespace zhiwen {

size_t CountEqualScalar(const uint8_t* a, const uint8_t* b, size_t count) {
  size_t equal = 0;
  for (size_t i = 0; i < count; ++i) equal += a[i] == b[i];
  return equal;
}

}  // namespace zhiwen
