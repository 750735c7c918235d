#include "pipeline/columnar/parquet_file.h"

#include <arrow/util/byte_size.h>
#include <fmt/format.h>
#include <parquet/file_reader.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace zhiwen {
namespace {

// Rows of the first batch of a row group, before it is known how large they are in memory: values
// of a dictionary take more than the footer says.
constexpr int64_t kFirstRows = 64;
constexpr int64_t kGrowth = 8;
constexpr int64_t kMostRows = 1024;

// A column's buffer, so that those of all columns stay small together.
int64_t BufferBytes(int columns) {
  constexpr int64_t kAll = int64_t{8} << 20, kLeast = int64_t{16} << 10, kMost = int64_t{1} << 20;
  return std::clamp(kAll / std::max(columns, 1), kLeast, kMost);
}

std::string FirstLine(const std::string& message) { return message.substr(0, message.find('\n')); }

}  // namespace

uint64_t DecompressedBytes(const parquet::RowGroupMetaData& group, const std::vector<int>& leaves) {
  uint64_t bytes = 0;
  for (const int leaf : leaves) {
    bytes += static_cast<uint64_t>(
        std::max<int64_t>(group.ColumnChunk(leaf)->total_uncompressed_size(), 0));
  }
  return bytes;
}

// Summed up here, since many writers leave the group's own sum out.
uint64_t WritingBytes(const parquet::RowGroupMetaData& group) {
  uint64_t bytes = 0;
  for (int i = 0; i < group.num_columns(); ++i) {
    bytes +=
        static_cast<uint64_t>(std::max<int64_t>(group.ColumnChunk(i)->total_compressed_size(), 0));
  }
  return 2 * bytes;
}

std::vector<int> AllLeaves(const ParquetFile& file) {
  std::vector<int> leaves(static_cast<size_t>(file.metadata().num_columns()));
  std::iota(leaves.begin(), leaves.end(), 0);
  return leaves;
}

ParquetFile::ParquetFile(InputFile input, uint64_t max_bytes)
    : input_(std::move(input)), pool_(std::make_shared<BoundedPool>(max_bytes)) {}

Result<std::unique_ptr<ParquetFile>> ParquetFile::Open(FileSystem& files, const InputFile& input,
                                                       uint64_t max_bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> open, OpenUnchanged(files, input));
  std::unique_ptr<ParquetFile> file(new ParquetFile(input, max_bytes));
  const arrow::Status status = CatchArrow([&] { return file->Start(std::move(open)); });
  if (!status.ok()) return tl::unexpected(file->ErrorOf(status));
  return file;
}

arrow::Status ParquetFile::Start(std::unique_ptr<ReadableFile> file) {
  source_ = std::make_shared<ArrowInput>(std::move(file), input_.identity.size, pool_->get());
  parquet::ReaderProperties properties(pool_->get());
  properties.enable_buffered_stream();
  properties.set_page_checksum_verification(true);
  metadata_ = parquet::ParquetFileReader::Open(source_, properties)->metadata();
  ARROW_RETURN_NOT_OK(CountRows());
  properties.set_buffer_size(BufferBytes(metadata_->num_columns()));
  parquet::ArrowReaderProperties choices(/*use_threads=*/false);
  choices.set_pre_buffer(false);
  return parquet::arrow::FileReader::Make(
             pool_->get(), parquet::ParquetFileReader::Open(source_, properties, metadata_),
             choices)
      .Value(&reader_);
}

arrow::Status ParquetFile::CountRows() {
  first_rows_ = {0};
  for (int group = 0; group < metadata_->num_row_groups(); ++group) {
    const int64_t rows = metadata_->RowGroup(group)->num_rows();
    if (rows < 0 || rows > metadata_->num_rows()) {
      return arrow::Status::Invalid("row group ", group, " claims ", rows, " rows");
    }
    first_rows_.push_back(first_rows_.back() + static_cast<uint64_t>(rows));
  }
  if (first_rows_.back() != static_cast<uint64_t>(metadata_->num_rows())) {
    return arrow::Status::Invalid("the row groups have ", first_rows_.back(), " rows, the file ",
                                  metadata_->num_rows());
  }
  return arrow::Status::OK();
}

int ParquetFile::GroupOf(uint64_t row) const {
  const auto after = std::upper_bound(first_rows_.begin(), first_rows_.end(), row);
  return static_cast<int>(after - first_rows_.begin()) - 1;
}

Error ParquetFile::ErrorOf(const arrow::Status& status, std::string_view place) const {
  if (source_ != nullptr) {
    if (std::optional<Error> error = source_->error()) return *std::move(error);
  }
  if (status.IsOutOfMemory()) {
    return {ErrorCode::kExhausted,
            fmt::format("cannot read \"{}\": its pages need more than the {} bytes of memory that "
                        "a file may have; give more memory, or write smaller row groups",
                        input_.path, pool_->limit())};
  }
  std::string why = FirstLine(status.message());
  while (why.ends_with('.')) why.pop_back();
  return {ErrorCode::kUnreadable,
          fmt::format("cannot read \"{}\" as Parquet: {}{}; restore the file or leave it out",
                      input_.path, place, why)};
}

Status RowBatches::Start(int group) {
  group_ = group;
  done_ = 0;
  batches_ = nullptr;
  const arrow::Status status = CatchArrow([&]() -> arrow::Status {
    const auto metadata = file_.metadata().RowGroup(group);
    group_rows_ = static_cast<uint64_t>(metadata->num_rows());
    batch_rows_ = kMostRows;
    if (options_.leaves.empty()) return arrow::Status::OK();
    ARROW_RETURN_NOT_OK(CheckGroup(*metadata));
    batch_rows_ = FirstBatchRows(*metadata);
    file_.reader().set_batch_size(batch_rows_);
    return file_.reader().GetRecordBatchReader({group}, options_.leaves).Value(&batches_);
  });
  if (status.IsCapacityError()) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("cannot read \"{}\": {}", file_.input().path, status.message()));
  }
  if (!status.ok()) return tl::unexpected(file_.ErrorOf(status, Place()));
  return {};
}

std::string RowBatches::Place() const {
  const uint64_t first = file_.FirstRow(group_), end = file_.FirstRow(group_ + 1);
  return fmt::format("row group {} (rows {} to {}): ", group_, first + 1, end);
}

arrow::Status RowBatches::CheckGroup(const parquet::RowGroupMetaData& group) const {
  for (const int leaf : options_.leaves) {
    const bool repeats = group.schema()->Column(leaf)->max_repetition_level() > 0;
    if (!repeats && group.ColumnChunk(leaf)->num_values() != group.num_rows()) {
      return arrow::Status::Invalid("row group ", group_, " has ", group.num_rows(),
                                    " rows and a column of ",
                                    group.ColumnChunk(leaf)->num_values());
    }
  }
  const uint64_t need = DecompressedBytes(group, options_.leaves), limit = options_.max_group_bytes;
  if (limit != 0 && need > limit) {
    return arrow::Status::CapacityError(fmt::format(
        "the columns that are read of row group {} are {} bytes when decompressed, more than the "
        "{} that a row group may have; give more memory, or write smaller row groups",
        group_, need, limit));
  }
  return arrow::Status::OK();
}

int64_t RowBatches::FirstBatchRows(const parquet::RowGroupMetaData& group) const {
  const uint64_t row_bytes =
      DecompressedBytes(group, options_.leaves) / std::max<uint64_t>(group_rows_, 1);
  const uint64_t rows = options_.batch_bytes / std::max<uint64_t>(row_bytes, 1);
  return std::clamp(static_cast<int64_t>(std::min<uint64_t>(rows, kFirstRows)), int64_t{1},
                    kFirstRows);
}

void RowBatches::ChooseRows(const arrow::RecordBatch& last) {
  const int64_t bytes = std::max<int64_t>(arrow::util::TotalBufferSize(last), 1);
  const auto fitting =
      static_cast<int64_t>(static_cast<double>(options_.batch_bytes) *
                           static_cast<double>(last.num_rows()) / static_cast<double>(bytes));
  batch_rows_ = std::clamp(fitting, int64_t{1}, std::min(kMostRows, last.num_rows() * kGrowth));
  file_.reader().set_batch_size(batch_rows_);
}

Result<std::shared_ptr<arrow::RecordBatch>> RowBatches::Next() {
  if (done_ == group_rows_) return nullptr;
  std::shared_ptr<arrow::RecordBatch> batch;
  const arrow::Status status = CatchArrow([&]() -> arrow::Status {
    if (batches_ == nullptr) {
      const auto rows = static_cast<int64_t>(
          std::min<uint64_t>(group_rows_ - done_, static_cast<uint64_t>(batch_rows_)));
      batch = arrow::RecordBatch::Make(arrow::schema({}), rows, arrow::ArrayVector{});
      return arrow::Status::OK();
    }
    ARROW_RETURN_NOT_OK(batches_->ReadNext(&batch));
    if (batch == nullptr || batch->num_rows() == 0 ||
        static_cast<uint64_t>(batch->num_rows()) > group_rows_ - done_) {
      return arrow::Status::Invalid("row group ", group_, " has not the ", group_rows_,
                                    " rows that it claims");
    }
    ARROW_RETURN_NOT_OK(batch->Validate());
    ChooseRows(*batch);
    return arrow::Status::OK();
  });
  if (!status.ok()) return tl::unexpected(file_.ErrorOf(status, Place()));
  done_ += static_cast<uint64_t>(batch->num_rows());
  return batch;
}

}  // namespace zhiwen
