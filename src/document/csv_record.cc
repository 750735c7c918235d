#include "document/csv_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/utf8/text_encoding.h"
#include "base/utf8/utf8.h"
#include "document/csv_scanner.h"
#include "document/field_names.h"

namespace zhiwen {
namespace {

using Reason = RecordFault::Reason;

// The separators that occur in files that call themselves CSV.
constexpr std::string_view kSeparators = ",;\t|";
// Those that are seldom meant: they are never found, but named in messages.
constexpr std::string_view kRareSeparators = "^~:#!&*+=";

// Returns the first byte after the closing quote, or nothing when the quote at `open` is never
// closed.
std::optional<size_t> PassQuoted(std::string_view record, size_t open) {
  size_t at = open + 1;
  while (true) {
    const size_t quote = FindByte(record, at, '"');
    if (quote == record.size()) return std::nullopt;
    if (quote + 1 == record.size() || record[quote + 1] != '"') return quote + 1;
    at = quote + 2;
  }
}

// Returns a header without what stands in quotes.
std::string WithoutQuoted(std::string_view header) {
  std::string rest;
  while (!header.empty()) {
    const size_t open = FindByte(header, 0, '"');
    rest += header.substr(0, open);
    if (open == header.size()) break;
    header.remove_prefix(PassQuoted(header, open).value_or(header.size()));
  }
  return rest;
}

RecordFault InvalidCsv(std::string message) { return {Reason::kInvalidCsv, std::move(message)}; }

// Splits a record, given without its line end, into cells.
std::optional<RecordFault> SplitFields(std::string_view record, char separator,
                                       std::vector<std::string_view>& cells) {
  cells.clear();
  for (size_t at = 0;; ++at) {
    size_t end = 0;
    if (at < record.size() && record[at] == '"') {
      const std::optional<size_t> closed = PassQuoted(record, at);
      if (!closed) {
        return InvalidCsv(
            fmt::format("field {}: the quote at byte {} is never closed", cells.size() + 1, at));
      }
      end = *closed;
      if (end < record.size() && record[end] != separator) {
        return InvalidCsv(fmt::format(
            "field {}: text after the closing quote at byte {}; a quote inside a field is doubled",
            cells.size() + 1, end - 1));
      }
    } else {
      end = FindByte(record, at, separator);
      const std::string_view cell = record.substr(at, end - at);
      if (const size_t quote = cell.find('"'); quote != std::string_view::npos) {
        return InvalidCsv(
            fmt::format("field {}: a quote at byte {} inside a field without quotes; put the field "
                        "in quotes and double those inside",
                        cells.size() + 1, at + quote));
      }
    }
    cells.push_back(record.substr(at, end - at));
    if (end == record.size()) return std::nullopt;
    at = end;
  }
}

std::string_view WithoutLineEnd(std::string_view record) {
  if (record.ends_with('\n')) record.remove_suffix(1);
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

// Returns the value of a cell. `unquoted` holds the value where it cannot be a view of the record.
std::string_view Unquote(std::string_view cell, std::string& unquoted) {
  if (!cell.starts_with('"')) return cell;
  cell = cell.substr(1, cell.size() - 2);
  size_t quote = FindByte(cell, 0, '"');
  if (quote == cell.size()) return cell;
  unquoted.clear();
  size_t begin = 0;
  while (quote < cell.size()) {
    unquoted.append(cell, begin, quote + 1 - begin);
    begin = quote + 2;
    quote = FindByte(cell, begin, '"');
  }
  if (begin < cell.size()) unquoted.append(cell, begin);
  return unquoted;
}

std::optional<RecordFault> CheckUtf8(std::string_view record) {
  if (IsValidUtf8(record)) return std::nullopt;
  return RecordFault{
      Reason::kInvalidUtf8,
      fmt::format("not valid UTF-8 at byte {}{}", FindInvalidUtf8(record), EncodingAdvice(record))};
}

Status CheckNames(const std::vector<std::string>& names) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) {
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("name {} of {} is empty; give every field a name (pandas: "
                              "index=False)",
                              i + 1, names.size()));
    }
  }
  std::vector<std::string_view> sorted(names.begin(), names.end());
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice == sorted.end()) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("the name \"{}\" is there twice; give every field its own", *twice));
}

// Returns which of `separators` is the most frequent one in a header, or '\0' when none occurs.
char MostFrequent(std::string_view header, std::string_view separators) {
  char most = '\0';
  std::ptrdiff_t most_often = 0;
  for (const char candidate : separators) {
    const std::ptrdiff_t often = std::ranges::count(header, candidate);
    if (often <= most_often) continue;
    most = candidate;
    most_often = often;
  }
  return most;
}

// Returns whether a header, split by `separator`, has one of `text_fields`.
bool NamesText(std::string_view header, char separator, std::span<const std::string> text_fields) {
  const Result<std::vector<std::string>> names = ParseCsvHeader(header, separator);
  return names && std::ranges::find_first_of(*names, text_fields) != names->end();
}

}  // namespace

Result<std::vector<std::string>> ParseCsvHeader(std::string_view record, char separator) {
  record = WithoutLineEnd(record);
  std::vector<std::string_view> cells;
  std::optional<RecordFault> fault = CheckUtf8(record);
  if (!fault) fault = SplitFields(record, separator, cells);
  if (fault) return Fail(ErrorCode::kUnreadable, std::move(fault->message));
  std::vector<std::string> names;
  std::string unquoted;
  names.reserve(cells.size());
  for (const std::string_view cell : cells) names.emplace_back(Unquote(cell, unquoted));
  ZHIWEN_RETURN_IF_ERROR(CheckNames(names));
  return names;
}

bool SplitCsvRecord(std::string_view record, char separator, std::vector<std::string_view>& cells) {
  return !SplitFields(WithoutLineEnd(record), separator, cells);
}

char OtherSeparator(std::string_view header, char separator,
                    std::span<const std::string> text_fields) {
  const std::string unquoted = WithoutQuoted(header);
  for (const std::string_view candidates : {kSeparators, kRareSeparators}) {
    for (const char candidate : candidates) {
      if (candidate == separator || unquoted.find(candidate) == std::string::npos) continue;
      if (NamesText(header, candidate, text_fields)) return candidate;
    }
  }
  if (unquoted.find(separator) != std::string::npos) return '\0';
  const char usual = MostFrequent(unquoted, kSeparators);
  return usual != '\0' ? usual : MostFrequent(unquoted, kRareSeparators);
}

char FindSeparator(std::string_view header, std::span<const std::string> text_fields) {
  const std::string unquoted = WithoutQuoted(header);
  const char found = MostFrequent(unquoted, kSeparators);
  if (found == '\0') return ',';
  for (const char candidate : kSeparators) {
    if (candidate != found && unquoted.find(candidate) != std::string::npos) return ',';
  }
  return NamesText(header, found, text_fields) ? found : ',';
}

Result<CsvParser> CsvParser::Create(const RecordFields& fields) {
  if (fields.text.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "no text field is named; name one, such as text");
  }
  CsvParser parser;
  for (const std::string& name : fields.text) parser.text_.push_back({name, kAbsent, {}});
  parser.id_.name = fields.id;
  for (const std::string& name : fields.policy) parser.policy_.push_back({name, kAbsent, {}});
  return parser;
}

void CsvParser::UseHeader(std::span<const std::string> names, char separator) {
  separator_ = separator;
  names_.assign(names.begin(), names.end());
  const auto find = [&](Column& column) {
    const auto found = std::ranges::find(names_, column.name);
    column.index = found == names_.end() ? kAbsent : static_cast<size_t>(found - names_.begin());
  };
  std::ranges::for_each(text_, find);
  found_texts_.clear();
  for (const Column& column : text_) found_texts_.push_back(column.index == kAbsent ? 0 : 1);
  if (text_.size() == 1) found_texts_.clear();
  find(id_);
  std::ranges::for_each(policy_, find);
  found_policy_.clear();
  for (const Column& column : policy_) found_policy_.push_back(column.index == kAbsent ? 0 : 1);
}

std::variant<Document, RecordFault> CsvParser::Parse(std::string_view record) {
  record = WithoutLineEnd(record);
  if (std::optional<RecordFault> fault = CheckUtf8(record)) return *std::move(fault);
  if (std::optional<RecordFault> fault = SplitFields(record, separator_, cells_)) {
    return *std::move(fault);
  }
  if (cells_.size() != names_.size()) {
    return RecordFault{Reason::kWrongFieldCount,
                       fmt::format("the record has {} field{}, the header names {}", cells_.size(),
                                   cells_.size() == 1 ? "" : "s", names_.size())};
  }
  Document document;
  if (std::optional<RecordFault> fault = ReadText(document)) return *std::move(fault);
  document.id = ReadLabel(id_);
  document.found_texts = found_texts_;
  document.found_policy = found_policy_;
  document.policy.reserve(policy_.size());
  for (Column& column : policy_) document.policy.push_back(ReadLabel(column));
  return document;
}

std::string_view CsvParser::ValueOf(Column& column) {
  return Unquote(cells_[column.index], column.unquoted);
}

std::optional<std::string_view> CsvParser::ReadLabel(Column& column) {
  if (column.index == kAbsent) return std::nullopt;
  const std::string_view value = ValueOf(column);
  return value.empty() ? std::nullopt : std::optional(value);
}

std::optional<RecordFault> CsvParser::ReadText(Document& document) {
  if (text_.size() == 1 && text_.front().index != kAbsent) {
    document.text = ValueOf(text_.front());
    return std::nullopt;
  }
  joined_.clear();
  bool any_field = false, any_text = false;
  for (size_t i = 0; i < text_.size(); ++i) {
    if (i > 0) joined_.push_back('\n');
    if (text_[i].index == kAbsent) continue;
    const std::string_view value = ValueOf(text_[i]);
    any_field = true;
    any_text = any_text || !value.empty();
    joined_.append(value);
  }
  if (!any_field) return MissingText();
  if (!any_text) joined_.clear();
  document.text = joined_;
  return std::nullopt;
}

RecordFault CsvParser::MissingText() const {
  std::vector<std::string> wanted;
  wanted.reserve(text_.size());
  for (const Column& column : text_) wanted.push_back(column.name);
  return {
      Reason::kMissingField,
      fmt::format("{} {} {} missing; the header names {}", wanted.size() == 1 ? "field" : "fields",
                  QuoteNames(wanted), wanted.size() == 1 ? "is" : "are all", QuoteNames(names_))};
}

void CsvParser::Shrink() {
  std::vector<std::string_view>().swap(cells_);
  std::string().swap(joined_);
  for (Column& column : text_) std::string().swap(column.unquoted);
  std::string().swap(id_.unquoted);
  for (Column& column : policy_) std::string().swap(column.unquoted);
}

}  // namespace zhiwen
