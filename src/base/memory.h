#ifndef ZHIWEN_BASE_MEMORY_H_
#define ZHIWEN_BASE_MEMORY_H_

// Measures the memory that the process has used, for reports.

#include <cstdint>

namespace zhiwen {

// Returns the largest resident set of this process so far, in bytes. Counts from the start of the
// program, not of the process that started it (getrusage alone carries the parent's peak over).
uint64_t PeakMemoryBytes();

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_MEMORY_H_
