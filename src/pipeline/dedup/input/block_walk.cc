#include "pipeline/dedup/input/block_walk.h"

namespace zhiwen {

Result<bool> BlockWalk::Next(BlockRow& row, std::vector<uint32_t>& failed) {
  failed.clear();
  if (blocks_.AtEnd()) return false;
  ZHIWEN_RETURN_IF_ERROR(blocks_.ReadRow(row));
  const uint32_t wanted = row.records - row.documents;
  while (failed.size() < wanted) {
    ZHIWEN_ASSIGN_OR_RETURN(const FailedRecord record, ReadFailed(failed_));
    failed.push_back(static_cast<uint32_t>(record.record - row.first_record));
  }
  return true;
}

}  // namespace zhiwen
