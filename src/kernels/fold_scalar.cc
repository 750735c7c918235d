#include "kernels/kernels.h"

namespace zhiwen {

// Consumes nothing, so that the general path of the fold does all the work.
size_t FoldWideScalar(const uint8_t*, size_t, const uint16_t*, uint32_t*, size_t*) { return 0; }

}  // namespace zhiwen
