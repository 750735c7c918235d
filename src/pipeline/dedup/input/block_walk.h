#ifndef ZHIWEN_PIPELINE_DEDUP_INPUT_BLOCK_WALK_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUT_BLOCK_WALK_H_

// Walks over the rows of all blocks that the first pass read, with the failed records of each.

#include <vector>

#include "pipeline/dedup/rows/run_spools.h"
#include "zhiwen/result.h"

namespace zhiwen {

class BlockWalk {
 public:
  explicit BlockWalk(const RunSpools& spools) : blocks_(*spools.blocks), failed_(*spools.failed) {}

  // The next block; `failed` are the indices of its failed records, ascending. False at the end.
  Result<bool> Next(BlockRow& row, std::vector<uint32_t>& failed);

 private:
  Spool::Reader blocks_;
  Spool::Reader failed_;
};

// Calls visit(index, document) for each document of the block: its index among the records.
template <typename Visit>
void ForEachDocument(const BlockRow& row, const std::vector<uint32_t>& failed, const Visit& visit) {
  auto next_failed = failed.begin();
  DocumentIndex d = row.first_document;
  for (uint32_t index = 0; index < row.records; ++index) {
    if (next_failed != failed.end() && *next_failed == index) {
      ++next_failed;
    } else {
      visit(index, d++);
    }
  }
}

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUT_BLOCK_WALK_H_
