#include "pipeline/columnar/parquet_codes.h"

#include <arrow/type_traits.h>
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "pipeline/columnar/cell.h"
#include "pipeline/columnar/column_block.h"
#include "pipeline/columnar/parquet_blocks.h"

namespace zhiwen {
namespace {

// The code stands for the text of a document, its scheme for a value.
RecordFields FieldsOf(const CodeReaderOptions& options, const std::string& id) {
  const bool has_code = options.rows == CodeRows::kCodes;
  return {.text = {has_code ? options.code_field : id}, .id = id, .policy = {"scheme"}};
}

class ParquetCodes final : public CodeSource {
 public:
  ParquetCodes(std::unique_ptr<FileBlocks> blocks, std::string name,
               const CodeReaderOptions& options)
      : blocks_(std::move(blocks)),
        name_(std::move(name)),
        rows_(options.rows),
        bits_(options.code_bits),
        needs_id_(options.id_field.has_value() || options.rows == CodeRows::kLabels),
        scheme_(options) {}

  Result<bool> Next(CodeBatch& batch) override;
  uint64_t rows_without_code() const override { return passed_over_; }
  std::string_view scheme() const override { return scheme_.chosen(); }
  uint64_t bytes_read() const override { return blocks_->file_bytes_read(); }

 private:
  // Of the row that is looked at; nothing where it is null, or there is no such column.
  std::optional<Cell> Find(const PlannedField& field) const;
  tl::unexpected<Error> Wrong(const PlannedField& field, std::string_view what) const;
  Status CheckColumn(const PlannedField& field, Advice advice) const;
  Status CheckColumns() const;
  Status TakeRow(CodeBatch& batch);
  Result<bool> TakeCode(CodeBatch& batch);
  std::string ReadCode(const Cell& cell, uint64_t& code);
  Status TakeId();

  std::unique_ptr<FileBlocks> blocks_;
  std::string name_;
  CodeRows rows_;
  uint32_t bits_;
  bool needs_id_;
  SchemeChoice scheme_;
  RecordBlock block_;
  const ColumnPlan* plan_ = nullptr;  // of the block
  int64_t row_ = 0;                   // in it
  std::string spelled_;
  LabelCopies labels_;
  uint64_t passed_over_ = 0;
};

std::optional<Cell> ParquetCodes::Find(const PlannedField& field) const {
  if (field.kind != PlannedField::Kind::kColumn) return std::nullopt;
  return CellAt(*block_.columns->columns[field.column], row_);
}

tl::unexpected<Error> ParquetCodes::Wrong(const PlannedField& field, std::string_view what) const {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read \"{}\": row {} is wrong: field \"{}\" {}", name_,
                          block_.offset + static_cast<uint64_t>(row_) + 1, field.name, what));
}

Status ParquetCodes::CheckColumn(const PlannedField& field, Advice advice) const {
  if (field.kind == PlannedField::Kind::kColumn) return {};
  return Fail(ErrorCode::kNotFound,
              fmt::format("cannot read \"{}\": it has no column of single values \"{}\"; name "
                          "another one",
                          name_, field.name),
              {advice});
}

Status ParquetCodes::CheckColumns() const {
  if (rows_ == CodeRows::kCodes) {
    ZHIWEN_RETURN_IF_ERROR(CheckColumn(plan_->text.front(), Advice::kNameCodeField));
  }
  return needs_id_ ? CheckColumn(plan_->id, Advice::kNameIdField) : Status();
}

std::string ParquetCodes::ReadCode(const Cell& cell, uint64_t& code) {
  if (const std::optional<std::string_view> bytes = StringOf(cell)) {
    return IsTextType(cell) ? CodeOfHex(*bytes, bits_, code) : CodeOfBytes(*bytes, bits_, code);
  }
  if (arrow::is_floating(cell.array->type_id())) return std::string(kInexactNumber);
  spelled_.clear();
  if (!Spell(cell, spelled_)) return fmt::format("is no code but {}", KindOf(cell));
  return CodeOfNumber(spelled_, bits_, code);
}

// False: the row does not count.
Result<bool> ParquetCodes::TakeCode(CodeBatch& batch) {
  if (scheme_.is_asked()) {
    const std::optional<Cell> cell = Find(plan_->policy.front());
    const std::optional<std::string_view> scheme = cell ? StringOf(*cell) : std::nullopt;
    if (!scheme_.Takes(scheme.value_or(std::string_view()))) {
      passed_over_ += scheme ? 0 : 1;
      return false;
    }
  }
  const PlannedField& field = plan_->text.front();
  const std::optional<Cell> cell = Find(field);
  if (!cell) {
    ++passed_over_;
    return false;
  }
  uint64_t code = 0;
  if (const std::string fault = ReadCode(*cell, code); !fault.empty()) return Wrong(field, fault);
  batch.codes.push_back(code);
  return true;
}

Status ParquetCodes::TakeId() {
  const std::optional<Cell> cell = Find(plan_->id);
  std::string_view label;
  if (!cell && needs_id_) return Wrong(plan_->id, "is null");
  if (cell) {
    spelled_.clear();
    const std::optional<std::string_view> text = StringOf(*cell);
    if (!text && !Spell(*cell, spelled_)) {
      return Wrong(plan_->id, fmt::format("is no id but {}", KindOf(*cell)));
    }
    label = text.value_or(spelled_);
    if (label.empty() && rows_ == CodeRows::kLabels) return Wrong(plan_->id, kNoId);
  }
  if (const std::string fault = FaultOfLabel(label); !fault.empty()) return Wrong(plan_->id, fault);
  labels_.Add(label);
  return {};
}

Status ParquetCodes::TakeRow(CodeBatch& batch) {
  if (rows_ == CodeRows::kCodes) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool counts, TakeCode(batch));
    if (!counts) return {};
  }
  return TakeId();
}

Result<bool> ParquetCodes::Next(CodeBatch& batch) {
  batch.codes.clear();
  batch.labels.clear();
  labels_.Clear();
  ZHIWEN_ASSIGN_OR_RETURN(const bool more, blocks_->Next(block_));
  if (!more) {
    ZHIWEN_RETURN_IF_ERROR(scheme_.CheckFound(name_));
    return false;
  }
  plan_ = &block_.columns->source->plan;
  ZHIWEN_RETURN_IF_ERROR(CheckColumns());
  for (row_ = 0; row_ < static_cast<int64_t>(block_.length); ++row_) {
    ZHIWEN_RETURN_IF_ERROR(TakeRow(batch));
  }
  ZHIWEN_RETURN_IF_ERROR(scheme_.CheckOne(name_));
  labels_.Finish(batch.labels);
  return true;
}

}  // namespace

Result<std::unique_ptr<CodeSource>> OpenParquetCodes(FileSystem& files, const std::string& path,
                                                     const CodeReaderOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<ReadableFile> file, files.OpenForRead(path));
  ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity identity, file->Identity());
  const InputFile input{.path = path,
                        .identity = identity,
                        .format = RecordFormat::kParquet,
                        .compression = Compression::kNone};
  const BlockOptions blocks{.fields = FieldsOf(options, options.id_field.value_or("id"))};
  ZHIWEN_ASSIGN_OR_RETURN(auto opened, OpenParquetBlocks(files, input, 0, blocks));
  return std::make_unique<ParquetCodes>(std::move(opened), path, options);
}

}  // namespace zhiwen
