#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/json/json_reader.h"
#include "base/utf8/transcoder.h"
#include "base/utf8/utf8.h"
#include "document/archive/tar_entry.h"
#include "document/csv_record.h"
#include "document/csv_scanner.h"
#include "document/decoded_text.h"
#include "document/field_names.h"
#include "document/warc/warc_scanner.h"
#include "pipeline/columnar/parquet_blocks.h"
#include "pipeline/reader/extracted_records.h"
#include "pipeline/reader/record_blocks.h"

namespace zhiwen {
namespace {

using Reason = RecordFault::Reason;

// A text with more than one byte that cannot be decoded in so many characters may be none.
constexpr uint64_t kCharactersToAnError = 100;

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

bool IsNoRecord(const WarcCutter&, std::string_view) { return false; }

bool IsNoRecord(const TarCutter&, std::string_view) { return false; }

bool IsNoRecord(const CsvCutter&, std::string_view record) {
  return record.size() <= 2 && WithoutLineEnd(record).empty();
}

// Calls visit(record) for every record until it returns false; returns the bytes between records.
// The first begins at `offset`.
template <typename Cutter, typename Visit>
uint64_t VisitCut(uint64_t offset, Cutter cutter, const Visit& visit) {
  uint64_t between = 0;
  BlockRecord record{.index = 0, .offset = offset, .length = 0, .bytes = {}};
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
    const bool more =
        visit(BlockRecord{.index = index++,
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
  if (block.oversized || IsWholeFile(block.format)) {
    visit(BlockRecord{
        .index = 0, .offset = block.offset, .length = block.length, .bytes = block.bytes});
    return 0;
  }
  const auto visit_cut = [&](std::string_view bytes, uint64_t offset, const auto& visit_one) {
    if (block.format == RecordFormat::kJsonLines) {
      return VisitCut(offset, LineCutter(bytes), visit_one);
    }
    return VisitCut(offset, CsvCutter(bytes, block.head->separator), visit_one);
  };
  if (block.format == RecordFormat::kWarc) {
    return VisitCut(block.offset, WarcCutter(block.bytes), visit);
  }
  if (block.format == RecordFormat::kArchive) {
    return VisitCut(block.offset, TarCutter(block.bytes), visit);
  }
  if (!IsUtf16(block.head->encoding)) return visit_cut(block.bytes, block.offset, visit);
  // Cut where the ASCII characters are, in units of two bytes.
  std::string units;
  ProjectUtf16(block.bytes, block.head->encoding, units);
  uint64_t between = block.length;
  visit_cut(units, 0, [&](const BlockRecord& found) {
    BlockRecord record = found;
    record.bytes = block.bytes.substr(found.offset * 2, found.length * 2);
    record.offset = block.offset + found.offset * 2;
    record.length = record.bytes.size();
    between -= record.length;
    return visit(std::as_const(record));
  });
  return between;
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
  State(const RecordFields& fields, RecordParser json_parser, CsvParser csv_parser,
        ParquetRows parquet_rows)
      : policy_fields(fields.policy.size()),
        mends_texts(fields.mends_texts),
        text_type(fields.text_type),
        extracted(fields),
        json(std::move(json_parser)),
        csv(std::move(csv_parser)),
        parquet(std::move(parquet_rows)) {}

  void UseHead(const RecordBlock& block);
  ParsedRecord Parse(const RecordBlock& block, const BlockRecord& record);
  ParsedRecord ParseUtf8(const RecordBlock& block, const BlockRecord& record,
                         std::string_view bytes);
  ParsedRecord ParseStrictly(const RecordBlock& block, const BlockRecord& record);
  ParsedRecord MendText(const RecordBlock& block, std::string_view bytes, RecordFault fault);
  Result<size_t> Decode(TextEncoding encoding, std::string_view bytes);

  ParsedRecord ExtractField(ParsedRecord parsed);

  size_t policy_fields;
  bool mends_texts;
  std::optional<DocumentType> text_type;
  ExtractedRecords extracted;
  RecordParser json;
  CsvParser csv;  // of TSV, too
  ParquetRows parquet;
  std::shared_ptr<const RecordHead> head;  // whose names csv uses
  std::optional<TextDecoder> decoder;      // of the last encoding but UTF-8
  std::string decoded;                     // the last record, with padding
};

// Records of `block` are parsed from now on.
void BlockParser::State::UseHead(const RecordBlock& block) {
  if (block.head == nullptr || block.head == head) return;
  head = block.head;
  csv.UseHeader(head->fields, head->separator);
}

ParsedRecord BlockParser::State::Parse(const RecordBlock& block, const BlockRecord& record) {
  ParsedRecord parsed = ParseStrictly(block, record);
  const auto* fault = std::get_if<RecordFault>(&parsed);
  const bool is_mended =
      fault != nullptr && mends_texts && block.format == RecordFormat::kText && !block.oversized;
  return is_mended ? MendText(block, record.bytes, *fault) : std::move(parsed);
}

// A text with U+FFFD for what cannot be decoded; or the fault, where that is so much that the bytes
// may be no text.
ParsedRecord BlockParser::State::MendText(const RecordBlock& block, std::string_view bytes,
                                          RecordFault fault) {
  const Result<DecodedText> mended = DecodedText::Decode(bytes, {.asked = block.head->encoding});
  if (!mended || mended->text().find('\0') != std::string_view::npos) return fault;
  if (mended->errors() * kCharactersToAnError > CountCodePoints(mended->text())) return fault;
  decoded = mended->text();
  Document document;
  document.text = decoded;
  document.policy.resize(policy_fields);
  document.decoding_errors = mended->errors();
  return document;
}

ParsedRecord BlockParser::State::ParseStrictly(const RecordBlock& block,
                                               const BlockRecord& record) {
  if (block.oversized) {
    return RecordFault{Reason::kTooLarge,
                       fmt::format("the record has {} bytes, more than are read", record.length)};
  }
  if (IsExtracted(block.format)) return extracted.Parse(block, record.bytes);
  const TextEncoding encoding = block.head->encoding;
  if (encoding == TextEncoding::kUtf8) return ParseUtf8(block, record, record.bytes);
  const Result<size_t> end = Decode(encoding, record.bytes);
  if (!end) return RecordFault{Reason::kInvalidEncoding, end.error().message};
  if (*end < record.bytes.size()) {
    return RecordFault{
        Reason::kInvalidEncoding,
        fmt::format("not valid {} at byte {}", TextEncodingName(encoding),
                    block.format == RecordFormat::kText ? record.offset + *end : *end)};
  }
  const size_t size = decoded.size();
  decoded.resize(size + JsonReader::kPadding);
  return ParseUtf8(block, record, std::string_view(decoded).substr(0, size));
}

// `decoded` becomes `bytes` in UTF-8, as far as they can be decoded. Returns how far that is.
Result<size_t> BlockParser::State::Decode(TextEncoding encoding, std::string_view bytes) {
  if (!decoder || decoder->encoding() != encoding) {
    ZHIWEN_ASSIGN_OR_RETURN(decoder, TextDecoder::Create(encoding));
  }
  decoded.clear();
  return decoder->Decode(bytes, decoded);
}

// The text of a field that holds a document.
ParsedRecord BlockParser::State::ExtractField(ParsedRecord parsed) {
  if (!text_type || std::holds_alternative<RecordFault>(parsed)) return parsed;
  return extracted.ExtractField(std::get<Document>(std::move(parsed)), *text_type);
}

ParsedRecord BlockParser::State::ParseUtf8(const RecordBlock& block, const BlockRecord& record,
                                           std::string_view bytes) {
  if (block.format == RecordFormat::kText) {
    return ParseText(bytes, {record.offset}, policy_fields);
  }
  if (block.format == RecordFormat::kCsv || block.format == RecordFormat::kTsv) {
    return ExtractField(csv.Parse(bytes));
  }
  if (block.format == RecordFormat::kJsonArray) {
    return ExtractField(json.Parse(bytes, JsonPlace::kElement));
  }
  std::string_view line = bytes;
  if (line.ends_with('\n')) line.remove_suffix(1);
  return ExtractField(json.Parse(line));
}

BlockParser::BlockParser(std::unique_ptr<State> state) : state_(std::move(state)) {}
BlockParser::~BlockParser() = default;
BlockParser::BlockParser(BlockParser&&) noexcept = default;
BlockParser& BlockParser::operator=(BlockParser&&) noexcept = default;

Result<BlockParser> BlockParser::Create(const RecordFields& fields) {
  ZHIWEN_ASSIGN_OR_RETURN(RecordParser json, RecordParser::Create(fields));
  ZHIWEN_ASSIGN_OR_RETURN(CsvParser csv, CsvParser::Create(fields));
  ZHIWEN_ASSIGN_OR_RETURN(ParquetRows parquet, ParquetRows::Create(fields));
  return BlockParser(
      std::make_unique<State>(fields, std::move(json), std::move(csv), std::move(parquet)));
}

uint64_t BlockParser::ParseAll(const RecordBlock& block, const RecordVisitor& visit) {
  if (block.format == RecordFormat::kParquet) {
    for (uint32_t row = 0; row < block.length; ++row) {
      visit(RowOf(block, row), state_->ExtractField(state_->parquet.Parse(block, row)));
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
    for (const uint32_t row : chosen) {
      visit(RowOf(block, row), state_->ExtractField(state_->parquet.Parse(block, row)));
    }
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

ParsedRecord BlockParser::Parse(const RecordBlock& block, const BlockRecord& record) {
  state_->UseHead(block);
  return state_->Parse(block, record);
}

size_t BlockParser::FindUndecodable(const RecordBlock& block, std::string_view bytes) {
  if (block.head->encoding == TextEncoding::kUtf8) return FindInvalidUtf8(bytes);
  return state_->Decode(block.head->encoding, bytes).value_or(0);
}

void BlockParser::Shrink() {
  std::string().swap(state_->decoded);
  state_->extracted.Shrink();
  state_->json.Shrink();
  state_->csv.Shrink();
}

std::string DescribeFields(const RecordBlock& block) {
  if (block.format == RecordFormat::kParquet) return ParquetRows::DescribeColumns(block);
  auto parser = BlockParser::Create({});
  if (!parser) return "";
  std::vector<std::string> names;
  VisitBytes(block, [&](const BlockRecord& record) {
    names = parser->FieldNames(block, record);
    return names.empty();
  });
  if (names.empty()) return "";
  return (block.head->fields.empty() ? "; the first record has " : "; the header names ") +
         QuoteNames(names);
}

std::string BlockParser::RecordText(const RecordBlock& block, const BlockRecord& record) {
  if (block.format == RecordFormat::kParquet) {
    return state_->parquet.RowAsJson(block, record.index);
  }
  if (IsWholeFile(block.format)) return std::string(record.bytes);
  if (block.format == RecordFormat::kArchive) {
    return std::string(ParseTarEntry(record.bytes).content);
  }
  return std::string(WithoutLineEnd(record.bytes));
}

std::vector<std::string> BlockParser::FieldNames(const RecordBlock& block,
                                                 const BlockRecord& record) {
  const RecordFormat format = block.format;
  if (format == RecordFormat::kCsv || format == RecordFormat::kTsv) return block.head->fields;
  if (format == RecordFormat::kText || block.oversized) return {};
  if (IsExtracted(format)) return ExtractedRecords::FieldNames(format);
  std::string& object = state_->decoded;
  if (format == RecordFormat::kParquet) {
    object = state_->parquet.RowAsJson(block, record.index);
  } else if (block.head->encoding == TextEncoding::kUtf8) {
    object = record.bytes;
  } else if (!state_->Decode(block.head->encoding, record.bytes)) {
    return {};
  }
  const size_t size = object.size();
  object.resize(size + JsonReader::kPadding);
  JsonReader reader;
  if (reader.Parse(std::string_view(object).substr(0, size))) return {};
  return reader.Names();
}

}  // namespace zhiwen
