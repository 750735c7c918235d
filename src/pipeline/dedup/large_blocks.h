#ifndef ZHIWEN_PIPELINE_DEDUP_LARGE_BLOCKS_H_
#define ZHIWEN_PIPELINE_DEDUP_LARGE_BLOCKS_H_

// Blocks that hold one record of many megabytes: worked on one at a time, and what they took is
// given back, so that memory does not grow with the number of workers.

#include <mutex>
#include <utility>
#include <vector>

#include "pipeline/reader/record_blocks.h"

namespace zhiwen {

inline constexpr size_t kLargeBlockBytes = size_t{4} << 20;

class LargeBlockGate {
 public:
  // Held while the block is worked on; of a block of usual size, nothing is held.
  std::unique_lock<std::mutex> Enter(const RecordBlock& block) {
    if (block.bytes.size() < kLargeBlockBytes) return {};
    return std::unique_lock(mutex_);
  }

 private:
  std::mutex mutex_;
};

// Gives back what a large block left in buffers that are used again.
template <typename Buffer>
void ShrinkLarge(Buffer& buffer) {
  if (buffer.capacity() * sizeof(typename Buffer::value_type) < kLargeBlockBytes) return;
  Buffer().swap(buffer);
}

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_LARGE_BLOCKS_H_
