#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/utf8/text_encoding.h"
#include "base/utf8/transcoder.h"
#include "document/csv_record.h"
#include "document/field_names.h"
#include "pipeline/reader/document_input.h"
#include "pipeline/reader/stream_blocks.h"
#include "zhiwen/extract.h"

namespace zhiwen {
namespace {

constexpr size_t kMaxHeadBytes = size_t{1} << 20;
constexpr size_t kEncodingBytes = size_t{256} << 10;  // that are looked at
constexpr std::string_view kBlanks = " \n\r\t";
constexpr size_t kFirstBytes = size_t{4} << 10;
constexpr std::chrono::milliseconds kPause(20);  // that ends the first burst of a stream

DocumentHints HintsOf(const InputFile& input) {
  return {.type = DocumentTypeOfPath(input.path), .asked_encoding = input.encoding};
}

// "2 semicolons", "no comma", for messages.
std::string NameSeparators(std::ptrdiff_t count, char separator) {
  std::string word = {separator};
  if (separator == ',') word = "comma";
  if (separator == ';') word = "semicolon";
  if (separator == '\t') word = "tab";
  if (separator == '|') word = "bar";
  if (count == 0) return "no " + word;
  return fmt::format("{} {}{}{}", count, word, count == 1 || word.size() == 1 ? "" : "s",
                     separator == '|' ? " (|)" : "");
}

}  // namespace

Status StreamBlocks::ReadHead() {
  if (head_ != nullptr) return {};
  auto head = std::make_shared<RecordHead>();
  head->separator = SeparatorOf(input_);
  if (input_.may_be_other) ZHIWEN_RETURN_IF_ERROR(DetectDocument());
  if (IsExtracted(format_)) {
    head->hints = HintsOf(input_);
    head->name = input_.name;
  } else {
    ZHIWEN_RETURN_IF_ERROR(ReadEncoding());
  }
  head->encoding = encoding_;
  if (!is_text() && !IsExtracted(format_)) ZHIWEN_RETURN_IF_ERROR(ReadMark(*head));
  if (input_.may_be_other) ZHIWEN_RETURN_IF_ERROR(DetectArray());
  if (is_array()) ZHIWEN_RETURN_IF_ERROR(ReadBracket(*head));
  if (is_separated()) ZHIWEN_RETURN_IF_ERROR(ReadNames(*head));
  scanner_ = CsvScanner(head->separator);
  offset_ = head->bytes.size();
  lines_ = CountLines(head->bytes);
  head_ = std::move(head);
  return {};
}

// Takes up to `most` bytes. Where bytes arrive over time, these are the ones before the first pause
// behind something else than white space and opening brackets, which do not tell an array.
Result<std::string> StreamBlocks::TakeFirst(size_t most) {
  std::string first;
  const auto has_more = [this] { return carry_begin_ < carry_.size() || !source_at_end_; };
  while (first.size() < most && has_more()) {
    if (arriving_ && first.find_first_not_of(" \n\r\t[") != std::string::npos) {
      ZHIWEN_ASSIGN_OR_RETURN(const bool came, arriving_->await(kPause));
      if (!came) break;
    }
    const size_t have = first.size();
    first.resize(most);
    ZHIWEN_ASSIGN_OR_RETURN(const Taken taken, TakeArrived(std::span(first).subspan(have)));
    first.resize(have + taken.count);
  }
  return first;
}

// The first bytes of a stream say how it is encoded; those of a listed file have said it.
Status StreamBlocks::ReadEncoding() {
  if (files_ != nullptr && input_.encoding) {
    encoding_ = *input_.encoding;
  } else {
    const bool needs_mark = input_.encoding && !arriving_;
    ZHIWEN_ASSIGN_OR_RETURN(const std::string first,
                            TakeFirst(needs_mark ? kByteOrderMark.size() : kEncodingBytes));
    const HeadEnd end = source_at_end_ ? HeadEnd::kFile : HeadEnd::kCut;
    encoding_ = ChooseTextEncoding(first, end, input_.encoding);
    PutBack(first);
  }
  unit_ = UnitBytes(encoding_);
  largest_ -= largest_ % unit_;
  window_ = std::max(window_ - window_ % unit_, unit_);
  array_.SetEncoding(encoding_);
  return {};
}

Status StreamBlocks::ReadMark(RecordHead& head) {
  char first[kByteOrderMark.size() + 1];  // whole units
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count, Take(first));
  const std::string_view bytes(first, count);
  head.bytes = LeadingMark(bytes);
  PutBack(bytes.substr(head.bytes.size()));
  return {};
}

std::string_view StreamBlocks::UnitsOf(std::string_view piece) {
  if (unit_ == 1) return piece;
  ProjectUtf16(piece, encoding_, units_);
  return units_;
}

uint64_t StreamBlocks::CountLines(std::string_view piece) {
  const std::string_view units = UnitsOf(piece);
  return static_cast<uint64_t>(std::ranges::count(units, '\n'));
}

Status StreamBlocks::DetectDocument() {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string first, TakeFirst(kFirstBytes));
  if (const auto found = DetectExtractedFormat(first)) format_ = ToRecordFormat(*found);
  if (is_warc()) largest_ += kMaxWarcHeaderBytes;  // a group ends where the next header says so
  PutBack(first);
  if (!is_archive()) return {};
  largest_ += kMostEntryFrameBytes;
  arriving_.reset();
  std::string taken(carry_.begin() + static_cast<std::ptrdiff_t>(carry_begin_), carry_.end());
  carry_begin_ = carry_.size();
  ZHIWEN_ASSIGN_OR_RETURN(source_, OpenArchive(std::move(taken), std::move(source_), input_.path,
                                               {.max_member_bytes = max_member_bytes_}));
  taken_ = 0;
  source_at_end_ = false;
  return {};
}

Status StreamBlocks::DetectArray() {
  if (format_ != RecordFormat::kJsonLines) return {};
  char first[kFirstBytes];
  ZHIWEN_ASSIGN_OR_RETURN(const Taken taken, TakeArrived(first));
  PutBack({first, taken.count});
  if (BeginsAsArrayOfObjects(UnitsOf({first, taken.count}))) format_ = RecordFormat::kJsonArray;
  return {};
}

// Reads the opening bracket, with the white space around it.
Status StreamBlocks::ReadBracket(RecordHead& head) {
  std::string bytes;
  bool is_open = false, at_end = false;
  size_t at = 0;
  while (true) {
    const std::string_view units = UnitsOf(bytes);
    at = std::min(units.find_first_not_of(kBlanks, at), units.size());
    const bool has_more = at < units.size();
    if (has_more && is_open) break;
    if (has_more && units[at] != '[') {
      return Fail(
          ErrorCode::kUnreadable,
          fmt::format("cannot read \"{}\": it is no JSON array, which begins with [", input_.path));
    }
    if (has_more) {
      is_open = true;
      ++at;
      continue;
    }
    if (at_end || bytes.size() > kMaxHeadBytes) break;
    const size_t have = bytes.size();
    bytes.resize(have + kFirstBytes);
    ZHIWEN_ASSIGN_OR_RETURN(const Taken taken, TakeArrived(std::span(bytes).subspan(have)));
    bytes.resize(have + taken.count);
    at_end = taken.at_end;
  }
  const size_t length = std::min(at * unit_, bytes.size());
  if (at_end && is_cut() && length == bytes.size()) return FailDamaged();
  if (!is_open) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read \"{}\": it holds nothing, not even the brackets of an "
                            "empty JSON array",
                            input_.path));
  }
  head.bytes.append(bytes, 0, length);
  PutBack(std::string_view(bytes).substr(length));
  return {};
}

// Reads the line with the names and blank lines before it.
Status StreamBlocks::ReadNames(RecordHead& head) {
  std::vector<char> buffer;
  size_t begin = 0, have = 0;  // [begin, have) is not looked at yet
  scanner_.Restart();
  size_t line_begin = 0;
  while (true) {
    if (begin == have) {
      buffer.resize(have + std::min(kMaxHeadBytes, std::max(have, size_t{4096})));
      ZHIWEN_ASSIGN_OR_RETURN(const Taken taken, TakeArrived(std::span(buffer).subspan(have)));
      have += taken.count;
    }
    const bool at_end = begin == have;
    if (at_end && is_cut()) return FailDamaged();
    const size_t found = FindFirstEnd({buffer.data() + begin, have - begin});
    const size_t line_end = found == CsvScanner::kNone ? have : begin + found;
    begin = line_end;
    if (found == CsvScanner::kNone && !at_end) {
      if (have - line_begin <= kMaxHeadBytes) continue;
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("cannot read \"{}\": its first line, which names the fields, is "
                              "longer than {} bytes",
                              input_.path, kMaxHeadBytes));
    }
    scanner_.Restart();
    const std::string_view line(buffer.data() + line_begin, line_end - line_begin);
    line_begin = line_end;
    const std::string_view units = UnitsOf(line);
    const bool is_blank = units.empty() || units == "\n" || units == "\r\n";
    if (is_blank && !at_end) continue;
    head.bytes.append(buffer.data(), line_end);
    PutBack({buffer.data() + line_end, have - line_end});
    return is_blank ? Status() : DecodeNames(line, head);
  }
}

Status StreamBlocks::DecodeNames(std::string_view line, RecordHead& head) const {
  if (encoding_ == TextEncoding::kUtf8) return ParseNames(line, head);
  ZHIWEN_ASSIGN_OR_RETURN(TextDecoder decoder, TextDecoder::Create(encoding_));
  std::string names;
  if (const size_t broken = decoder.Decode(line, names); broken < line.size()) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read the line of \"{}\" that names the fields: not valid {} at "
                            "byte {}",
                            input_.path, TextEncodingName(encoding_), broken));
  }
  return ParseNames(names, head);
}

// A first line that names no text field, and would with another separator, or has another one and
// none of the one in use, is no list of names.
Status StreamBlocks::CheckSeparator(std::string_view line, char used,
                                    const std::vector<std::string>& names) const {
  const bool has_text = std::ranges::find_first_of(names, text_fields_) != names.end();
  const char other = has_text ? '\0' : OtherSeparator(line, used, text_fields_);
  if (other == '\0') return {};
  const std::ptrdiff_t uses = std::ranges::count(line, used);
  const bool is_tsv = format_ == RecordFormat::kTsv;
  std::vector<Advice> advice = {Advice::kNameTextField, Advice::kNameSeparator};
  if (is_tsv) advice = {Advice::kNameFormat};
  // Not kUnreadable: the file is sound, and what was said of it does not fit.
  return Fail(
      ErrorCode::kInvalidArgument,
      fmt::format("cannot read \"{}\": its first line, which names the fields, has {} {} {}, so "
                  "that it names no field {}; {}",
                  input_.path, NameSeparators(uses, used), uses == 0 ? "but" : "and also",
                  NameSeparators(std::ranges::count(line, other), other), QuoteNames(text_fields_),
                  is_tsv ? "read it as CSV"
                         : "name the field with the text, or say what separates the fields"),
      std::move(advice));
}

Status StreamBlocks::ParseNames(std::string_view line, RecordHead& head) const {
  if (input_.finds_separator && format_ == RecordFormat::kCsv) {
    head.separator = FindSeparator(line, text_fields_);
  }
  Result<std::vector<std::string>> names = ParseCsvHeader(line, head.separator);
  ZHIWEN_RETURN_IF_ERROR(
      CheckSeparator(line, head.separator, names.value_or(std::vector<std::string>())));
  if (!names) {
    return Fail(names.error().code, fmt::format("cannot read the line of \"{}\" that names the "
                                                "fields: {}",
                                                input_.path, names.error().message));
  }
  head.fields = *std::move(names);
  return {};
}

}  // namespace zhiwen
