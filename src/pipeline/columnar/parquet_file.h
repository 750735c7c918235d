#ifndef ZHIWEN_PIPELINE_COLUMNAR_PARQUET_FILE_H_
#define ZHIWEN_PIPELINE_COLUMNAR_PARQUET_FILE_H_

// A Parquet file opened for reading, and its rows in batches.
//
// Guarantees  checksums of pages are verified where there are any; a damaged file is an Error, or
//             values that its checksums do not cover; one thread, no pool of Arrow's
// Cost        the footer is read once; of a column the page and the dictionary in use are in memory
// Threads     one at a time
// Fails       kUnreadable: damaged, truncated, encrypted, no Parquet, or changed since the run
//             began · kExhausted: a row group needs more memory than it may have

#include <arrow/record_batch.h>
#include <parquet/arrow/reader.h>
#include <parquet/metadata.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/columnar/arrow_files.h"
#include "pipeline/records/record_block.h"

namespace zhiwen {

class ParquetFile {
 public:
  // max_bytes: what the file's buffers and batches may take together, beside 16 MiB; 0: no limit.
  static Result<std::unique_ptr<ParquetFile>> Open(FileSystem& files, const InputFile& input,
                                                   uint64_t max_bytes);

  const InputFile& input() const { return input_; }
  const parquet::FileMetaData& metadata() const { return *metadata_; }
  parquet::arrow::FileReader& reader() { return *reader_; }
  const std::shared_ptr<BoundedPool>& pool() const { return pool_; }
  uint64_t bytes_read() const { return source_->bytes_read(); }

  uint64_t rows() const { return first_rows_.back(); }
  int row_groups() const { return static_cast<int>(first_rows_.size()) - 1; }
  // Rows before a row group; of row_groups(), all of them.
  uint64_t FirstRow(int group) const { return first_rows_[static_cast<size_t>(group)]; }
  // The group that holds `row`, or row_groups() for rows().
  int GroupOf(uint64_t row) const;

  // Fails: kUnreadable when the file is not what it was when the run began.
  Status CheckUnchanged() const { return zhiwen::CheckUnchanged(source_->file(), input_); }

  // What a failed call of Arrow means.
  Error ErrorOf(const arrow::Status& status, std::string_view place = {}) const;

 private:
  ParquetFile(InputFile input, uint64_t max_bytes);
  arrow::Status Start(std::unique_ptr<ReadableFile> file);
  arrow::Status CountRows();

  InputFile input_;
  std::shared_ptr<BoundedPool> pool_;  // outlives what it gave to the members below
  std::shared_ptr<ArrowInput> source_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::vector<uint64_t> first_rows_;
};

struct RowBatchOptions {
  std::vector<int> leaves;  // columns, ascending; with none of them batches have rows alone
  size_t batch_bytes = size_t{1} << 20;
  uint64_t max_group_bytes = 0;  // of these columns of a row group, decompressed; 0: no limit
};

// Every leaf of the schema.
std::vector<int> AllLeaves(const ParquetFile& file);

// The rows of one row group after another. How many rows a batch has depends on the file, the
// columns and batch_bytes alone.
class RowBatches {
 public:
  RowBatches(ParquetFile& file, RowBatchOptions options)
      : file_(file), options_(std::move(options)) {}

  // Goes to the start of a row group. Fails: kExhausted when it is larger than
  // max_group_bytes.
  Status Start(int group);

  // Returns the next batch of the group, nullptr at its end.
  Result<std::shared_ptr<arrow::RecordBatch>> Next();

  int group() const { return group_; }
  // Of the batch that Next returns.
  uint64_t next_row() const { return file_.FirstRow(group_) + done_; }

 private:
  arrow::Status CheckGroup(const parquet::RowGroupMetaData& group) const;
  std::string Place() const;  // for messages
  int64_t FirstBatchRows(const parquet::RowGroupMetaData& group) const;
  void ChooseRows(const arrow::RecordBatch& last);

  ParquetFile& file_;
  RowBatchOptions options_;
  int group_ = 0;
  uint64_t done_ = 0;
  uint64_t group_rows_ = 0;
  int64_t batch_rows_ = 0;
  std::unique_ptr<arrow::RecordBatchReader> batches_;
};

// Bytes of the columns of a row group when they are decompressed.
uint64_t DecompressedBytes(const parquet::RowGroupMetaData& group, const std::vector<int>& leaves);

// What writing all columns of a row group takes: they are in memory, compressed, until it is
// finished, in buffers that double.
uint64_t WritingBytes(const parquet::RowGroupMetaData& group);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COLUMNAR_PARQUET_FILE_H_
