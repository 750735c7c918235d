#ifndef ZHIWEN_PIPELINE_DEDUP_ROWS_RECORD_LIMITS_H_
#define ZHIWEN_PIPELINE_DEDUP_ROWS_RECORD_LIMITS_H_

// How large a record may be; a larger one is a failed record.

#include <cstdint>

namespace zhiwen {

// A record may take this part of the memory.
inline constexpr uint64_t kRecordsInMemory = 8;
// The characters of a line, with their places, may take this part of the memory where a passage is
// cut out of it.
inline constexpr uint64_t kCutsInMemory = 4;
// An id may take this part of the largest record.
inline constexpr uint64_t kIdsInRecord = 4;
// Lengths and numbers of shingles have 32 bits, whatever the memory.
inline constexpr uint64_t kLargestRecord = (uint64_t{1} << 32) - (uint64_t{1} << 20);

// The unit in which messages give memory.
inline constexpr uint64_t kMebibyte = uint64_t{1} << 20;

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_ROWS_RECORD_LIMITS_H_
