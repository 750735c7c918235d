#include "pipeline/columnar/kept_parquet.h"

#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/array/concatenate.h>
#include <arrow/array/util.h>
#include <arrow/scalar.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "pipeline/columnar/cell.h"
#include "pipeline/columnar/parquet_file.h"
#include "pipeline/columnar/writer_like.h"

namespace zhiwen {
namespace {

// Constant, since the places of pages depend on it.
constexpr size_t kBatchBytes = size_t{1} << 20;

// Returns the place of the column whose texts are cut, or -1 where there is none.
int CutColumn(const ParquetFile& file, const KeptColumns& columns) {
  return columns.cut_name ? file.metadata().schema()->group_node()->FieldIndex(*columns.cut_name)
                          : -1;
}

// Makes a value of a column of texts; nullptr for a type that cannot be cut.
std::shared_ptr<arrow::Scalar> TextLike(arrow::Type::type type, std::string text) {
  switch (type) {
    case arrow::Type::STRING:
      return std::make_shared<arrow::StringScalar>(std::move(text));
    case arrow::Type::LARGE_STRING:
      return std::make_shared<arrow::LargeStringScalar>(std::move(text));
    case arrow::Type::BINARY:
      return std::make_shared<arrow::BinaryScalar>(std::move(text));
    case arrow::Type::LARGE_BINARY:
      return std::make_shared<arrow::LargeBinaryScalar>(std::move(text));
    default:
      return nullptr;
  }
}

// A column that is missing is for the pass that reads the file.
Status CheckCutColumn(ParquetFile& file, const KeptColumns& columns) {
  if (!columns.cut_name) return {};
  const std::string& name = *columns.cut_name;
  const int place = CutColumn(file, columns);
  const auto& root = *file.metadata().schema()->group_node();
  const bool is_inside = place < 0 && root.FieldIndex(name.substr(0, name.find('.'))) >= 0;
  std::shared_ptr<arrow::Schema> schema;
  if (place >= 0) {
    const arrow::Status read = CatchArrow([&] { return file.reader().GetSchema(&schema); });
    if (!read.ok()) return tl::unexpected(file.ErrorOf(read));
  }
  if (!is_inside && (place < 0 || TextLike(schema->field(place)->type()->id(), "") != nullptr)) {
    return {};
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("passages cannot be cut out of the column \"{}\" of \"{}\", which is {}; "
                          "write the texts as a plain column of strings, or remove the inputs",
                          name, file.input().path,
                          is_inside ? "inside another one" : schema->field(place)->type()->name()));
}

// Neighbouring rows of a batch that are kept.
struct Run {
  int64_t begin = 0, end = 0;
};

class KeptWriter {
 public:
  KeptWriter(ParquetFile& file, std::unique_ptr<WritableFile> out,
             const KeptParquetOptions& options)
      : file_(file),
        columns_(options.columns),
        cut_column_(CutColumn(file, options.columns)),
        rows_end_(options.rows_end),
        pool_(options.max_row_group_bytes),
        sink_(std::make_shared<ArrowOutput>(std::move(out))),
        batches_(file, {.leaves = AllLeaves(file), .batch_bytes = kBatchBytes}) {}

  // Arrow finishes a file that is not whole, when its writer goes.
  ~KeptWriter() { sink_->Abandon(); }
  KeptWriter(const KeptWriter&) = delete;
  KeptWriter& operator=(const KeptWriter&) = delete;

  Result<ParquetWritten> Write(const RowJudge& judge) {
    ZHIWEN_RETURN_IF_ERROR(Check(CatchArrow(
        [&] { return OpenWriterLike(file_, columns_, sink_, pool_.get()).Value(&writer_); })));
    for (int group = 0; group < file_.row_groups() && file_.FirstRow(group) < rows_end_; ++group) {
      ZHIWEN_RETURN_IF_ERROR(WriteGroup(group, judge));
    }
    ZHIWEN_RETURN_IF_ERROR(file_.CheckUnchanged());
    ZHIWEN_RETURN_IF_ERROR(Check(CatchArrow([&] {
      ARROW_RETURN_NOT_OK(writer_->Close());
      return sink_->Close();
    })));
    written_.bytes = sink_->bytes_written();
    return written_;
  }

 private:
  Status Check(const arrow::Status& status) const {
    if (status.ok()) return {};
    if (sink_->error()) return tl::unexpected(*sink_->error());
    return tl::unexpected(file_.ErrorOf(status));
  }

  // Damage of columns that nobody read before: the run has decided already over rows that cannot be
  // written, so that it cannot go on, with the file replaced neither.
  static Status LateDamage(Error error) {
    if (error.code == ErrorCode::kUnreadable) {
      error.message +=
          "; replace the file, or skip bad files, which finds such damage before rows are "
          "decided, and start the run again";
      error.advice.insert(error.advice.end(), {Advice::kSkipBadFiles, Advice::kStartOver});
    }
    return tl::unexpected(std::move(error));
  }

  Status WriteGroup(int group, const RowJudge& judge) {
    bool started = false;
    if (Status begun = batches_.Start(group); !begun) return LateDamage(std::move(begun).error());
    while (batches_.next_row() < rows_end_) {
      const uint64_t row = batches_.next_row();
      auto batch_or_error = batches_.Next();
      if (!batch_or_error) return LateDamage(std::move(batch_or_error).error());
      const auto batch = *std::move(batch_or_error);
      if (batch == nullptr) return {};
      ZHIWEN_RETURN_IF_ERROR(JudgeRows(row, batch->num_rows(), judge));
      if (kept_.empty()) continue;
      ZHIWEN_RETURN_IF_ERROR(Check(CatchArrow([&]() -> arrow::Status {
        if (!std::exchange(started, true)) {
          ARROW_RETURN_NOT_OK(writer_->NewBufferedRowGroup());
          ++written_.row_groups;
        }
        return WriteKept(*batch);
      })));
    }
    return {};
  }

  Status JudgeRows(uint64_t first, int64_t count, const RowJudge& judge) {
    kept_.clear();
    verdicts_.clear();
    for (int64_t i = 0; i < count; ++i) {
      ZHIWEN_ASSIGN_OR_RETURN(RowVerdict verdict, judge(first + static_cast<uint64_t>(i)));
      if (!verdict.keep) continue;
      verdicts_.push_back(std::move(verdict));
      if (kept_.empty() || kept_.back().end != i) kept_.push_back({i, i});
      kept_.back().end = i + 1;
    }
    return {};
  }

  arrow::Status WriteKept(const arrow::RecordBatch& batch) {
    arrow::ArrayVector columns;
    for (const auto& column : batch.columns()) {
      const bool is_cut = static_cast<int>(columns.size()) == cut_column_;
      ARROW_ASSIGN_OR_RAISE(auto kept, is_cut ? CutOf(*column) : KeptOf(*column));
      columns.push_back(std::move(kept));
    }
    ARROW_RETURN_NOT_OK(AddColumns(columns));
    written_.rows += verdicts_.size();
    return writer_->WriteRecordBatch(*arrow::RecordBatch::Make(
        writer_->schema(), static_cast<int64_t>(verdicts_.size()), std::move(columns)));
  }

  // Slices joined: works for every type, which filter kernels do not.
  arrow::Result<std::shared_ptr<arrow::Array>> KeptOf(const arrow::Array& column) {
    arrow::ArrayVector slices;
    for (const Run& run : kept_) slices.push_back(column.Slice(run.begin, run.end - run.begin));
    if (slices.size() == 1) return slices.front();
    return arrow::Concatenate(slices, pool_.get());
  }

  // The same of the column whose texts may be cut: each that is stands by itself.
  arrow::Result<std::shared_ptr<arrow::Array>> CutOf(const arrow::Array& column) {
    arrow::ArrayVector slices;
    auto verdict = verdicts_.begin();
    for (const Run& run : kept_) {
      int64_t begin = run.begin;
      for (int64_t row = run.begin; row < run.end; ++row, ++verdict) {
        if (verdict->cuts.empty()) continue;
        if (begin < row) slices.push_back(column.Slice(begin, row - begin));
        begin = row + 1;
        ARROW_ASSIGN_OR_RAISE(auto rest, RestOf(column, row, verdict->cuts));
        slices.push_back(std::move(rest));
      }
      if (begin < run.end) slices.push_back(column.Slice(begin, run.end - begin));
    }
    if (slices.size() == 1) return slices.front();
    return arrow::Concatenate(slices, pool_.get());
  }

  arrow::Result<std::shared_ptr<arrow::Array>> RestOf(const arrow::Array& column, int64_t row,
                                                      const std::vector<TextCut>& cuts) {
    const std::optional<Cell> cell = CellAt(column, row);
    const std::optional<std::string_view> text = cell ? StringOf(*cell) : std::nullopt;
    std::optional<std::string> rest = text ? CutText(*text, cuts) : std::nullopt;
    if (!rest) return arrow::Status::Invalid("the text of a row is not the one that was cut");
    const auto scalar = TextLike(column.type_id(), *std::move(rest));
    if (scalar == nullptr) return arrow::Status::Invalid("texts of this type cannot be cut");
    return arrow::MakeArrayFromScalar(*scalar, 1, pool_.get());
  }

  arrow::Status AddColumns(arrow::ArrayVector& columns) {
    if (columns_.mark_name) {
      arrow::BooleanBuilder marks(pool_.get());
      for (const RowVerdict& verdict : verdicts_) ARROW_RETURN_NOT_OK(marks.Append(verdict.marked));
      ARROW_ASSIGN_OR_RAISE(auto column, marks.Finish());
      columns.push_back(std::move(column));
    }
    if (columns_.keeper_name) {
      arrow::StringBuilder keepers(pool_.get());
      for (const RowVerdict& verdict : verdicts_) {
        ARROW_RETURN_NOT_OK(verdict.keeper.empty() ? keepers.AppendNull()
                                                   : keepers.Append(verdict.keeper));
      }
      ARROW_ASSIGN_OR_RAISE(auto column, keepers.Finish());
      columns.push_back(std::move(column));
    }
    if (columns_.cluster_size_name) {
      arrow::Int64Builder sizes(pool_.get());
      for (const RowVerdict& verdict : verdicts_) {
        ARROW_RETURN_NOT_OK(sizes.Append(static_cast<int64_t>(verdict.cluster_size)));
      }
      ARROW_ASSIGN_OR_RAISE(auto column, sizes.Finish());
      columns.push_back(std::move(column));
    }
    return arrow::Status::OK();
  }

  ParquetFile& file_;
  KeptColumns columns_;
  int cut_column_;
  uint64_t rows_end_;
  BoundedPool pool_;  // outlives what it gave to the members below
  std::shared_ptr<ArrowOutput> sink_;
  RowBatches batches_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
  std::vector<Run> kept_;             // of the batch at hand
  std::vector<RowVerdict> verdicts_;  // of its kept rows
  ParquetWritten written_;
};

Status CheckRowGroups(const ParquetFile& file, uint64_t limit) {
  if (limit == 0) return {};
  uint64_t need = 0;
  const arrow::Status status = CatchArrow([&] {
    for (int i = 0; i < file.row_groups(); ++i) {
      need = std::max(need, WritingBytes(*file.metadata().RowGroup(i)));
    }
    return arrow::Status::OK();
  });
  if (!status.ok()) return tl::unexpected(file.ErrorOf(status));
  if (need <= limit) return {};
  return Fail(ErrorCode::kExhausted,
              fmt::format("cannot write the kept rows of \"{}\": a row group needs {} bytes of "
                          "memory, more than the {} it may have; give more memory, or write "
                          "smaller row groups",
                          file.input().path, need, limit));
}

}  // namespace

Result<ParquetWritten> WriteKeptParquet(FileSystem& files, const InputFile& input,
                                        std::unique_ptr<WritableFile> out, const RowJudge& judge,
                                        const KeptParquetOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto file,
                          ParquetFile::Open(files, input, options.max_row_group_bytes));
  ZHIWEN_RETURN_IF_ERROR(CheckAddedNames(*file, options.columns));
  ZHIWEN_RETURN_IF_ERROR(CheckCutColumn(*file, options.columns));
  ZHIWEN_RETURN_IF_ERROR(CheckRowGroups(*file, options.max_row_group_bytes));
  KeptWriter writer(*file, std::move(out), options);
  return writer.Write(judge);
}

Status CheckKeptColumns(FileSystem& files, const InputFile& input, const KeptColumns& columns) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto file, ParquetFile::Open(files, input, 0));
  ZHIWEN_RETURN_IF_ERROR(CheckAddedNames(*file, columns));
  return CheckCutColumn(*file, columns);
}

}  // namespace zhiwen
