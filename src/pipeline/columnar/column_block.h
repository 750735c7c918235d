#ifndef ZHIWEN_PIPELINE_COLUMNAR_COLUMN_BLOCK_H_
#define ZHIWEN_PIPELINE_COLUMNAR_COLUMN_BLOCK_H_

// What a block of rows holds.

#include <arrow/array.h>

#include <cstdint>
#include <memory>

#include "pipeline/columnar/arrow_files.h"
#include "pipeline/columnar/column_plan.h"
#include "pipeline/records/record_block.h"

namespace zhiwen {

// The file of a block, enough to open it again.
struct ParquetSource {
  FileSystem& files;
  InputFile input;
  ColumnPlan plan;
  uint64_t max_record_bytes = 0;
  uint64_t max_row_group_bytes = 0;
};

struct ColumnBlock {
  std::shared_ptr<const ParquetSource> source;
  std::shared_ptr<BoundedPool> pool;  // of the columns, which go before it
  arrow::ArrayVector columns;         // in the order of plan.leaves
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COLUMNAR_COLUMN_BLOCK_H_
