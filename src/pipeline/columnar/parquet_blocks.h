#ifndef ZHIWEN_PIPELINE_COLUMNAR_PARQUET_BLOCKS_H_
#define ZHIWEN_PIPELINE_COLUMNAR_PARQUET_BLOCKS_H_

// Parquet files as blocks of rows, and rows as documents.
//
// In          files as Parquet 2 has them, with any codec that Arrow knows. Text: string, large
//             string, string view, binary holding UTF-8, each plain or by dictionary. Ids and
//             values of policies: these, numbers, bools, decimals, timestamps, dates and times
// Out         blocks whose offset and length count rows; never across row groups
// Guarantees  only the needed columns are read; checksums of pages are verified where there are
//             any; a damaged file is an error, never a crash. Blocks depend on the file and the
//             options alone
// Cost        memory of a page and a dictionary a column, and of the blocks in use: about
//             block_bytes each. SkipTo passes over row groups without reading them
// Threads     FileBlocks: one at a time; no thread of Arrow's. ParquetRows: one object a worker
// Fails       kUnreadable: damaged, truncated, encrypted, no Parquet, changed since the run began ·
//             kExhausted: a row group is larger than max_row_group_bytes · kUnavailable: this
//             program was built without Parquet

#include <cstdint>
#include <memory>
#include <string>

#include "pipeline/records/record_block.h"

namespace zhiwen {

// `files` must outlive the blocks.
Result<std::unique_ptr<FileBlocks>> OpenParquetBlocks(FileSystem& files, const InputFile& input,
                                                      uint32_t file, const BlockOptions& options);

// What a footer says, without reading rows.
struct ParquetShape {
  uint64_t rows = 0;
  uint64_t row_groups = 0;
  uint64_t needed_bytes = 0;          // of the columns of a run, decompressed
  uint64_t largest_needed_bytes = 0;  // of one row group: what max_row_group_bytes must allow
  uint64_t largest_kept_bytes = 0;    // to write all columns of one row group (kept_parquet.h)
};
Result<ParquetShape> ExamineParquet(FileSystem& files, const InputFile& input,
                                    const RecordFields& fields);

// The documents of blocks that OpenParquetBlocks made with the same fields.
class ParquetRows {
 public:
  // Fails: kInvalidArgument for an empty or malformed field name.
  static Result<ParquetRows> Create(const RecordFields& fields);
  ~ParquetRows();
  ParquetRows(ParquetRows&&) noexcept;
  ParquetRows& operator=(ParquetRows&&) noexcept;

  // Returns the document of a row of the block, or why it is none: a column that does not exist or
  // a null is a missing field. Views live until the next call, and no longer than the block.
  ParsedRecord Parse(const RecordBlock& block, uint32_t row);

  // Returns the row as one JSON object: all columns, read again; those of the block where that
  // fails. Rows in order cost one pass over their row group.
  std::string RowAsJson(const RecordBlock& block, uint32_t row);

  // Returns "; the file has the columns "id", "body"".
  static std::string DescribeColumns(const RecordBlock& block);

 private:
  struct State;
  explicit ParquetRows(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COLUMNAR_PARQUET_BLOCKS_H_
