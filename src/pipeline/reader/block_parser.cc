#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "document/csv_record.h"
#include "document/csv_scanner.h"
#include "pipeline/columnar/parquet_blocks.h"
#include "pipeline/reader/record_blocks.h"

namespace zhiwen {
namespace {

using Reason = RecordFault::Reason;

std::string_view WithoutLineEnd(std::string_view record) {
  if (record.ends_with('\n')) record.remove_suffix(1);
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

// Cuts lines off the front of bytes.
class LineCutter {
 public:
  explicit LineCutter(std::string_view bytes) : rest_(bytes) {}

  std::string_view Next() {
    const size_t end = rest_.find('\n');
    const std::string_view line =
        rest_.substr(0, end == std::string_view::npos ? rest_.size() : end + 1);
    rest_.remove_prefix(line.size());
    return line;
  }

 private:
  std::string_view rest_;
};

bool IsNoRecord(const LineCutter&, std::string_view line) {
  return line.front() != '{' && IsBlankLine(WithoutLineEnd(line));
}

bool IsNoRecord(const CsvCutter&, std::string_view record) {
  return record.size() <= 2 && WithoutLineEnd(record).empty();
}

// Calls visit(record) for every record until it returns false; returns the bytes between records.
template <typename Cutter, typename Visit>
uint64_t VisitCut(const RecordBlock& block, Cutter cutter, const Visit& visit) {
  uint64_t between = 0;
  BlockRecord record{.index = 0, .offset = block.offset, .length = 0, .bytes = {}};
  while (true) {
    record.bytes = cutter.Next();
    record.length = record.bytes.size();
    if (record.bytes.empty()) return between;
    if (IsNoRecord(cutter, record.bytes)) {
      between += record.length;
    } else {
      if (!visit(std::as_const(record))) return between;
      ++record.index;
    }
    record.offset += record.length;
  }
}

// The same for the elements of an array, be they in memory or not.
template <typename Visit>
uint64_t VisitSpans(const RecordBlock& block, const Visit& visit) {
  uint64_t between = block.length;
  for (const RecordSpan& span : block.spans) between -= span.end - span.begin;
  uint32_t index = 0;
  for (const RecordSpan& span : block.spans) {
    const uint64_t length = span.end - span.begin;
    const bool more = visit(
        BlockRecord{.index = index++,
                    .offset = block.offset + span.begin,
                    .length = length,
                    .bytes = block.oversized ? "" : block.bytes.substr(span.begin, length)});
    if (!more) break;
  }
  return between;
}

// The same for any format but Parquet.
template <typename Visit>
uint64_t VisitBytes(const RecordBlock& block, const Visit& visit) {
  if (block.format == RecordFormat::kJsonArray) return VisitSpans(block, visit);
  if (block.oversized || block.format == RecordFormat::kText) {
    visit(BlockRecord{
        .index = 0, .offset = block.offset, .length = block.length, .bytes = block.bytes});
    return 0;
  }
  if (block.format == RecordFormat::kJsonLines) {
    return VisitCut(block, LineCutter(block.bytes), visit);
  }
  return VisitCut(block, CsvCutter(block.bytes, block.head->separator), visit);
}

BlockRecord RowOf(const RecordBlock& block, uint32_t row) {
  return {.index = row, .offset = block.offset + row, .length = 1, .bytes = {}};
}

}  // namespace

uint64_t SplitRecords(const RecordBlock& block,
                      const std::function<void(const BlockRecord&)>& visit) {
  return VisitBytes(block, [&](const BlockRecord& record) {
    visit(record);
    return true;
  });
}

struct BlockParser::State {
  State(size_t policy_values, RecordParser json_parser, CsvParser csv_parser,
        ParquetRows parquet_rows)
      : policy_fields(policy_values),
        json(std::move(json_parser)),
        csv(std::move(csv_parser)),
        parquet(std::move(parquet_rows)) {}

  void UseHead(const RecordBlock& block);
  ParsedRecord Parse(const RecordBlock& block, const BlockRecord& record);

  size_t policy_fields;
  RecordParser json;
  CsvParser csv;  // of TSV, too
  ParquetRows parquet;
  std::shared_ptr<const RecordHead> head;  // whose names csv uses
};

// Records of `block` are parsed from now on.
void BlockParser::State::UseHead(const RecordBlock& block) {
  if (block.head == nullptr || block.head == head) return;
  head = block.head;
  csv.UseHeader(head->fields, head->separator);
}

ParsedRecord BlockParser::State::Parse(const RecordBlock& block, const BlockRecord& record) {
  if (block.oversized) {
    return RecordFault{Reason::kTooLarge,
                       fmt::format("the record has {} bytes, more than are read", record.length)};
  }
  if (block.format == RecordFormat::kText) {
    return ParseText(record.bytes, {record.offset}, policy_fields);
  }
  if (block.format == RecordFormat::kCsv || block.format == RecordFormat::kTsv) {
    return csv.Parse(record.bytes);
  }
  if (block.format == RecordFormat::kJsonArray) {
    return json.Parse(record.bytes, JsonPlace::kElement);
  }
  std::string_view line = record.bytes;
  if (line.ends_with('\n')) line.remove_suffix(1);
  return json.Parse(line);
}

BlockParser::BlockParser(std::unique_ptr<State> state) : state_(std::move(state)) {}
BlockParser::~BlockParser() = default;
BlockParser::BlockParser(BlockParser&&) noexcept = default;
BlockParser& BlockParser::operator=(BlockParser&&) noexcept = default;

Result<BlockParser> BlockParser::Create(const RecordFields& fields) {
  ZHIWEN_ASSIGN_OR_RETURN(RecordParser json, RecordParser::Create(fields));
  ZHIWEN_ASSIGN_OR_RETURN(CsvParser csv, CsvParser::Create(fields));
  ZHIWEN_ASSIGN_OR_RETURN(ParquetRows parquet, ParquetRows::Create(fields));
  return BlockParser(std::make_unique<State>(fields.policy.size(), std::move(json), std::move(csv),
                                             std::move(parquet)));
}

uint64_t BlockParser::ParseAll(const RecordBlock& block, const RecordVisitor& visit) {
  if (block.format == RecordFormat::kParquet) {
    for (uint32_t row = 0; row < block.length; ++row) {
      visit(RowOf(block, row), state_->parquet.Parse(block, row));
    }
    return 0;
  }
  state_->UseHead(block);
  return VisitBytes(block, [&](const BlockRecord& record) {
    visit(record, state_->Parse(block, record));
    return true;
  });
}

void BlockParser::ParseChosen(const RecordBlock& block, std::span<const uint32_t> chosen,
                              const RecordVisitor& visit) {
  if (chosen.empty()) return;
  if (block.format == RecordFormat::kParquet) {
    for (const uint32_t row : chosen) visit(RowOf(block, row), state_->parquet.Parse(block, row));
    return;
  }
  state_->UseHead(block);
  size_t next = 0;
  VisitBytes(block, [&](const BlockRecord& record) {
    if (record.index == chosen[next]) {
      visit(record, state_->Parse(block, record));
      ++next;
    }
    return next < chosen.size();
  });
}

void BlockParser::Shrink() {
  state_->json.Shrink();
  state_->csv.Shrink();
}

std::string BlockParser::RecordText(const RecordBlock& block, const BlockRecord& record) {
  if (block.format == RecordFormat::kParquet) {
    return state_->parquet.RowAsJson(block, record.index);
  }
  if (block.format == RecordFormat::kText) return std::string(record.bytes);
  return std::string(WithoutLineEnd(record.bytes));
}

}  // namespace zhiwen
