#ifndef ZHIWEN_PIPELINE_DEDUP_INPUT_LARGE_BLOCKS_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUT_LARGE_BLOCKS_H_

// Limits the memory of large blocks. A block that holds one record of many megabytes is worked on
// alone (ordered_jobs.h), and its buffers are freed afterwards, so that memory does not grow with
// the number of workers.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "pipeline/reader/record_blocks.h"

namespace zhiwen {

// From which size on a text, or a block, is large: it is not held as symbols and shingles, which
// take up to twenty times as much.
inline uint64_t LargeTextBytes(uint64_t memory_bytes, size_t threads) {
  constexpr uint64_t kLeast = uint64_t{256} << 10, kMost = uint64_t{4} << 20;
  return std::clamp<uint64_t>(memory_bytes / 64 / std::max<size_t>(threads, 1), kLeast, kMost);
}

// Gives back what is left of something large in a buffer that is used again.
template <typename Buffer>
void ShrinkLarge(Buffer& buffer, uint64_t large_bytes) {
  if (buffer.capacity() * sizeof(typename Buffer::value_type) < large_bytes) return;
  Buffer().swap(buffer);
}

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUT_LARGE_BLOCKS_H_
