#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/utf8/utf8.h"
#include "document/field_names.h"
#include "pipeline/columnar/cell.h"
#include "pipeline/columnar/column_block.h"
#include "pipeline/columnar/parquet_blocks.h"
#include "pipeline/columnar/parquet_file.h"

namespace zhiwen {
namespace {

using Reason = RecordFault::Reason;

constexpr size_t kRowBatchBytes = size_t{1} << 20;

RecordFault NotAString(const PlannedField& field, std::string_view kind) {
  return {Reason::kNotAString,
          fmt::format("field \"{}\" holds {}, not a string", field.name, kind)};
}

RecordFault NotUtf8(const PlannedField& field, size_t byte) {
  return {Reason::kInvalidUtf8,
          fmt::format("byte {} of field \"{}\" is not valid UTF-8", byte, field.name)};
}

std::string DescribeColumnsOf(const ColumnPlan& plan) {
  return "; the file has the columns " + QuoteNames(plan.columns);
}

RecordFault MissingText(const ColumnPlan& plan) {
  if (plan.text.size() == 1) {
    const bool absent = plan.text.front().kind == PlannedField::Kind::kAbsent;
    const std::string& name = plan.text.front().name;
    if (!absent) return {Reason::kMissingField, fmt::format("field \"{}\" is null", name)};
    return {Reason::kMissingField,
            fmt::format("field \"{}\" is missing{}", name, DescribeColumnsOf(plan))};
  }
  std::string names;
  for (const PlannedField& field : plan.text) {
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", field.name);
  }
  const bool all_absent = std::ranges::all_of(plan.text, [](const PlannedField& field) {
    return field.kind == PlannedField::Kind::kAbsent;
  });
  std::string message = fmt::format("fields {} are all missing", names);
  if (all_absent) message += DescribeColumnsOf(plan);
  return {Reason::kMissingField, std::move(message)};
}

// All columns of one row after another, of a file that is opened for it.
class WholeRows {
 public:
  static Result<std::unique_ptr<WholeRows>> Open(const ParquetSource& source) {
    ZHIWEN_ASSIGN_OR_RETURN(
        auto file, ParquetFile::Open(source.files, source.input, source.max_row_group_bytes));
    return std::unique_ptr<WholeRows>(new WholeRows(std::move(file)));
  }

  Result<std::string> Json(uint64_t row) {
    ZHIWEN_RETURN_IF_ERROR(GoTo(row));
    std::string out;
    JsonWriter json(out);
    json.BeginObject();
    for (int i = 0; i < batch_->num_columns(); ++i) {
      json.Key(batch_->schema()->field(i)->name());
      WriteCell(json, *batch_->column(i), static_cast<int64_t>(row - first_row_));
    }
    json.EndObject();
    return out;
  }

 private:
  explicit WholeRows(std::unique_ptr<ParquetFile> file)
      : file_(std::move(file)),
        batches_(*file_, {.leaves = AllLeaves(*file_), .batch_bytes = kRowBatchBytes}) {}

  Status GoTo(uint64_t row) {
    const int group = file_->GroupOf(row);
    if (batch_ == nullptr || row < first_row_ || group != batches_.group()) {
      batch_ = nullptr;
      ZHIWEN_RETURN_IF_ERROR(batches_.Start(group));
    }
    while (batch_ == nullptr || row >= first_row_ + static_cast<uint64_t>(batch_->num_rows())) {
      first_row_ = batches_.next_row();
      ZHIWEN_ASSIGN_OR_RETURN(batch_, batches_.Next());
      if (batch_ == nullptr) {
        return Fail(ErrorCode::kUnreadable,
                    fmt::format("\"{}\" has no row {}", file_->input().path, row));
      }
    }
    return {};
  }

  std::unique_ptr<ParquetFile> file_;
  RowBatches batches_;
  std::shared_ptr<arrow::RecordBatch> batch_;
  uint64_t first_row_ = 0;
};

std::string NeededAsJson(const ColumnBlock& block, uint32_t row) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  const auto write = [&](const PlannedField& field) {
    if (field.kind != PlannedField::Kind::kColumn) return;
    json.Key(field.name);
    WriteCell(json, *block.columns[field.column], row);
  };
  for (const PlannedField& field : block.source->plan.text) write(field);
  write(block.source->plan.id);
  for (const PlannedField& field : block.source->plan.policy) write(field);
  json.EndObject();
  return out;
}

}  // namespace

struct ParquetRows::State {
  // Either a string or nothing, or a fault.
  struct Label {
    std::optional<std::string_view> value = {};
    std::optional<RecordFault> fault = {};
  };

  Label TextOf(const ColumnBlock& block, const PlannedField& field, int64_t row) const;
  Label LabelOf(const ColumnBlock& block, const PlannedField& field, int64_t row,
                std::string& spelled) const;
  Label JoinedText(const ColumnBlock& block, int64_t row);

  std::string joined;
  std::vector<std::string> spelt;               // of the id and the policy's values
  std::shared_ptr<const ParquetSource> source;  // of `whole`
  std::unique_ptr<WholeRows> whole;
};

// A text of the row.
ParquetRows::State::Label ParquetRows::State::TextOf(const ColumnBlock& block,
                                                     const PlannedField& field, int64_t row) const {
  if (field.kind == PlannedField::Kind::kAbsent) return {};
  if (field.kind == PlannedField::Kind::kList) return {.fault = NotAString(field, "an array")};
  if (field.kind == PlannedField::Kind::kObject) return {.fault = NotAString(field, "an object")};
  const std::optional<Cell> cell = CellAt(*block.columns[field.column], row);
  if (!cell.has_value()) return {};
  const std::optional<std::string_view> text = StringOf(*cell);
  if (!text.has_value()) return {.fault = NotAString(field, KindOf(*cell))};
  const size_t valid = FindInvalidUtf8(*text);
  if (valid != text->size()) return {.fault = NotUtf8(field, valid)};
  return {.value = text};
}

ParquetRows::State::Label ParquetRows::State::JoinedText(const ColumnBlock& block, int64_t row) {
  const std::vector<PlannedField>& fields = block.source->plan.text;
  joined.clear();
  bool any_string = false, any_text = false;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) joined.push_back('\n');
    Label text = TextOf(block, fields[i], row);
    if (text.fault) return text;
    if (!text.value) continue;
    any_string = true;
    any_text = any_text || !text.value->empty();
    joined.append(*text.value);
  }
  if (!any_string) return {};
  if (!any_text) joined.clear();
  return {.value = joined};
}

// An id or a value of a policy. Bytes that are no text are no label.
ParquetRows::State::Label ParquetRows::State::LabelOf(const ColumnBlock& block,
                                                      const PlannedField& field, int64_t row,
                                                      std::string& spelled) const {
  if (field.kind != PlannedField::Kind::kColumn) return {};
  const std::optional<Cell> cell = CellAt(*block.columns[field.column], row);
  if (!cell.has_value()) return {};
  if (const std::optional<std::string_view> bytes = StringOf(*cell)) {
    const size_t valid = FindInvalidUtf8(*bytes);
    if (valid == bytes->size()) return {.value = bytes};
    if (IsTextType(*cell)) return {.fault = NotUtf8(field, valid)};
    return {};
  }
  spelled.clear();
  if (!Spell(*cell, spelled)) {
    spelled.clear();
    if (!JoinStrings(*cell, spelled)) return {};
    const size_t valid = FindInvalidUtf8(spelled);
    if (valid != spelled.size()) return {.fault = NotUtf8(field, valid)};
  }
  return {.value = spelled};
}

ParquetRows::ParquetRows(std::unique_ptr<State> state) : state_(std::move(state)) {}
ParquetRows::~ParquetRows() = default;
ParquetRows::ParquetRows(ParquetRows&&) noexcept = default;
ParquetRows& ParquetRows::operator=(ParquetRows&&) noexcept = default;

Result<ParquetRows> ParquetRows::Create(const RecordFields& fields) {
  ZHIWEN_RETURN_IF_ERROR(PlanColumns(fields, {}));
  return ParquetRows(std::make_unique<State>());
}

ParsedRecord ParquetRows::Parse(const RecordBlock& block, uint32_t row) {
  const ColumnBlock& columns = *block.columns;
  const ColumnPlan& plan = columns.source->plan;
  State::Label text = plan.text.size() == 1 ? state_->TextOf(columns, plan.text.front(), row)
                                            : state_->JoinedText(columns, row);
  if (text.fault) return *std::move(text.fault);
  if (!text.value) return MissingText(plan);
  if (text.value->size() > columns.source->max_record_bytes) {
    return RecordFault{Reason::kTooLarge,
                       fmt::format("the text has {} bytes, more than the {} that a record may have",
                                   text.value->size(), columns.source->max_record_bytes)};
  }
  Document document;
  document.text = *text.value;
  state_->spelt.resize(plan.policy.size() + 1);
  State::Label id = state_->LabelOf(columns, plan.id, row, state_->spelt.back());
  if (id.fault) return *std::move(id.fault);
  document.id = id.value;
  document.found_texts = plan.found_texts;
  document.found_policy = plan.found_policy;
  document.policy.reserve(plan.policy.size());
  for (size_t i = 0; i < plan.policy.size(); ++i) {
    State::Label value = state_->LabelOf(columns, plan.policy[i], row, state_->spelt[i]);
    if (value.fault) return *std::move(value.fault);
    document.policy.push_back(value.value);
  }
  return document;
}

std::string ParquetRows::DescribeColumns(const RecordBlock& block) {
  return DescribeColumnsOf(block.columns->source->plan);
}

std::string ParquetRows::RowAsJson(const RecordBlock& block, uint32_t row) {
  const ColumnBlock& columns = *block.columns;
  if (state_->source != columns.source) {
    Result<std::unique_ptr<WholeRows>> whole = WholeRows::Open(*columns.source);
    state_->source = columns.source;
    state_->whole = whole ? *std::move(whole) : nullptr;
  }
  if (state_->whole != nullptr) {
    if (Result<std::string> json = state_->whole->Json(block.offset + row)) return *std::move(json);
  }
  return NeededAsJson(columns, row);
}

}  // namespace zhiwen
