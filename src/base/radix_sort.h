#ifndef ZHIWEN_BASE_RADIX_SORT_H_
#define ZHIWEN_BASE_RADIX_SORT_H_

// Sorts 64-bit values by their bits, the upper ones first.
//
// Cost        50 million random values a second and core; `scratch` is as large as `values`
// Threads     any

#include <cstdint>

#include "base/large_memory.h"

namespace zhiwen {

// Sorts ascending. The content of `scratch` is ignored before and undefined afterwards.
void RadixSort(LargeVector<uint64_t>& values, LargeVector<uint64_t>& scratch);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_RADIX_SORT_H_
