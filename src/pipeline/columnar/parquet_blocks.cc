#include "pipeline/columnar/parquet_blocks.h"

#include <arrow/util/byte_size.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/columnar/column_block.h"
#include "pipeline/columnar/parquet_file.h"

namespace zhiwen {
namespace {

constexpr size_t kCheckedBytes = size_t{1} << 20;

class ParquetBlocks final : public FileBlocks {
 public:
  ParquetBlocks(std::unique_ptr<ParquetFile> opened, std::shared_ptr<const ParquetSource> source,
                uint32_t file, const BlockOptions& options)
      : opened_(std::move(opened)),
        source_(std::move(source)),
        file_(file),
        check_(options.row_group_check),
        batches_(*opened_, {.leaves = source_->plan.leaves,
                            .batch_bytes = options.block_bytes,
                            .max_group_bytes = source_->max_row_group_bytes}) {}

  Result<bool> Next(RecordBlock& block) override {
    block = {};
    while (true) {
      if (!started_) ZHIWEN_RETURN_IF_ERROR(Start());
      if (group_ == opened_->row_groups()) {
        ZHIWEN_RETURN_IF_ERROR(opened_->CheckUnchanged());
        return false;
      }
      const uint64_t row = batches_.next_row();
      ZHIWEN_ASSIGN_OR_RETURN(const auto batch, batches_.Next());
      if (batch != nullptr) {
        ZHIWEN_RETURN_IF_ERROR(Fill(block, row, *batch));
        return true;
      }
      started_ = false;
      ++group_;
    }
  }

  Status SkipTo(uint64_t offset) override {
    const uint64_t here = group_ == opened_->row_groups() ? opened_->rows()
                          : started_                      ? batches_.next_row()
                                                          : opened_->FirstRow(group_);
    if (offset == here) return {};
    if (offset < here || offset > opened_->rows()) return NoBlock(offset);
    if (const int group = opened_->GroupOf(offset); group != group_) {
      group_ = group;
      started_ = false;
    }
    if (group_ == opened_->row_groups()) return {};
    if (!started_) ZHIWEN_RETURN_IF_ERROR(Start());
    while (batches_.next_row() < offset) {
      ZHIWEN_ASSIGN_OR_RETURN(const auto batch, batches_.Next());
      if (batch == nullptr) return NoBlock(offset);
    }
    return batches_.next_row() == offset ? Status() : NoBlock(offset);
  }

  uint64_t file_bytes_read() const override { return opened_->bytes_read() - checked_bytes_; }
  std::shared_ptr<const RecordHead> head() const override { return nullptr; }

 private:
  // Begins the group, when there is one.
  Status Start() {
    while (group_ < opened_->row_groups() &&
           opened_->FirstRow(group_) == opened_->FirstRow(group_ + 1)) {
      ++group_;
    }
    if (group_ == opened_->row_groups()) return {};
    if (check_ == RowGroupCheck::kAllColumns) ZHIWEN_RETURN_IF_ERROR(CheckGroup());
    ZHIWEN_RETURN_IF_ERROR(batches_.Start(group_));
    started_ = true;
    return {};
  }

  // Reads all of the group as a writer of kept rows will.
  Status CheckGroup() {
    const uint64_t before = opened_->bytes_read();
    RowBatches whole(*opened_, {.leaves = AllLeaves(*opened_), .batch_bytes = kCheckedBytes});
    ZHIWEN_RETURN_IF_ERROR(whole.Start(group_));
    while (true) {
      ZHIWEN_ASSIGN_OR_RETURN(const auto batch, whole.Next());
      if (batch == nullptr) break;
    }
    checked_bytes_ += opened_->bytes_read() - before;
    return {};
  }

  Status Fill(RecordBlock& block, uint64_t row, const arrow::RecordBatch& batch) const {
    auto columns = std::make_shared<ColumnBlock>();
    columns->source = source_;
    columns->pool = opened_->pool();
    const arrow::Status status = CatchArrow([&] {
      return ColumnsOf(batch, source_->plan, columns->pool->get()).Value(&columns->columns);
    });
    if (!status.ok()) return tl::unexpected(opened_->ErrorOf(status));
    block.file = file_;
    block.format = RecordFormat::kParquet;
    block.offset = row;
    block.length = static_cast<uint64_t>(batch.num_rows());
    block.column_bytes = 0;
    for (const auto& column : columns->columns) {
      block.column_bytes += static_cast<uint64_t>(arrow::util::TotalBufferSize(*column));
    }
    block.columns = std::move(columns);
    return {};
  }

  Status NoBlock(uint64_t offset) const {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot go on at row {} of \"{}\": no block starts there; the file "
                            "changed, or was read with other options",
                            offset, source_->input.path));
  }

  std::unique_ptr<ParquetFile> opened_;
  std::shared_ptr<const ParquetSource> source_;
  uint32_t file_;
  RowGroupCheck check_;
  uint64_t checked_bytes_ = 0;  // read by checks alone
  RowBatches batches_;
  int group_ = 0;
  bool started_ = false;
};

}  // namespace

Result<std::unique_ptr<FileBlocks>> OpenParquetBlocks(FileSystem& files, const InputFile& input,
                                                      uint32_t file, const BlockOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ParquetFile> opened,
                          ParquetFile::Open(files, input, options.max_row_group_bytes));
  ZHIWEN_ASSIGN_OR_RETURN(ColumnPlan plan,
                          PlanColumns(options.fields, opened->reader().manifest()));
  auto source = std::make_shared<const ParquetSource>(
      ParquetSource{.files = files,
                    .input = input,
                    .plan = std::move(plan),
                    .max_record_bytes = options.max_record_bytes,
                    .max_row_group_bytes = options.max_row_group_bytes});
  return std::make_unique<ParquetBlocks>(std::move(opened), std::move(source), file, options);
}

Result<ParquetShape> ExamineParquet(FileSystem& files, const InputFile& input,
                                    const RecordFields& fields) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto opened, ParquetFile::Open(files, input, 0));
  ZHIWEN_ASSIGN_OR_RETURN(const ColumnPlan plan, PlanColumns(fields, opened->reader().manifest()));
  ParquetShape shape{.rows = opened->rows(),
                     .row_groups = static_cast<uint64_t>(opened->row_groups())};
  const arrow::Status status = CatchArrow([&] {
    for (int i = 0; i < opened->row_groups(); ++i) {
      const auto group = opened->metadata().RowGroup(i);
      const uint64_t needed = DecompressedBytes(*group, plan.leaves);
      shape.needed_bytes += needed;
      shape.largest_needed_bytes = std::max(shape.largest_needed_bytes, needed);
      shape.largest_kept_bytes = std::max(shape.largest_kept_bytes, WritingBytes(*group));
    }
    return arrow::Status::OK();
  });
  if (!status.ok()) return tl::unexpected(opened->ErrorOf(status));
  return shape;
}

}  // namespace zhiwen
