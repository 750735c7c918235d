// Records of CSV, TSV and JSON Lines cut by blocks of any size are those of a reader that goes
// character by character; every one is a document or a fault with a message. Where a quote is never
// closed, the file fails behind the records before it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/utf8/utf8.h"
#include "pipeline/reader/record_blocks.h"
#include "require.h"
#include "support/in_memory_file_system.h"

namespace {

using zhiwen::RecordFormat;
using zhiwen::Require;

struct SlowRecord {
  size_t length;
  bool has_line_end;  // outside quotes
};

// The records of a file, and whether it fails behind them.
template <typename Record>
struct Records {
  std::vector<Record> all;
  bool is_torn = false;

  friend bool operator==(const Records&, const Records&) = default;
};

// The slow definition: the records of `bytes`, those without a character among them.
Records<SlowRecord> SlowRecords(std::string_view bytes, RecordFormat format) {
  const char separator = format == RecordFormat::kTsv ? '\t' : ',';
  const bool has_quotes = format != RecordFormat::kJsonLines;
  enum { kStart, kPlain, kQuoted, kQuoteInQuoted } state = kStart;
  std::vector<SlowRecord> out;
  size_t length = 0;
  for (const char c : bytes) {
    ++length;
    if (state == kQuoted) {
      state = c == '"' ? kQuoteInQuoted : kQuoted;
    } else if (has_quotes && c == '"' && state != kPlain) {
      state = kQuoted;
    } else if (c == '\n') {
      state = kStart;
      out.push_back({length, true});
      length = 0;
    } else {
      state = c == separator ? kStart : kPlain;
    }
  }
  if (state == kQuoted) return {out, true};
  if (length > 0) out.push_back({length, false});
  return {out, false};
}

bool IsRecord(std::string_view bytes, RecordFormat format) {
  if (format != RecordFormat::kJsonLines) return bytes != "\n" && bytes != "\r\n" && bytes != "\r";
  while (bytes.ends_with('\n')) bytes.remove_suffix(1);
  return !zhiwen::IsBlankLine(bytes);
}

struct Seen {
  uint64_t offset, length;
  std::string said;

  friend bool operator==(const Seen&, const Seen&) = default;
};

std::string Say(const zhiwen::ParsedRecord& parsed) {
  if (const auto* fault = std::get_if<zhiwen::RecordFault>(&parsed)) {
    Require(!fault->message.empty());
    return "fault: " + std::string(RecordFaultName(fault->reason)) + fault->message;
  }
  const auto& document = std::get<zhiwen::Document>(parsed);
  Require(zhiwen::FindInvalidUtf8(document.text) == document.text.size());
  return "text: " + std::string(document.text);
}

Records<Seen> ReadAll(zhiwen::FileSystem& files, const zhiwen::InputFile& input,
                      const zhiwen::BlockOptions& options) {
  static zhiwen::BlockParser parser = zhiwen::BlockParser::Create({}).value();
  Records<Seen> out;
  const auto blocks = OpenFileBlocks(files, input, 0, options).value();
  zhiwen::RecordBlock block;
  while (true) {
    const zhiwen::Result<bool> more = blocks->Next(block);
    out.is_torn = !more;
    if (!more || !*more) break;
    parser.ParseAll(block,
                    [&](const zhiwen::BlockRecord& record, const zhiwen::ParsedRecord& parsed) {
                      out.all.push_back({record.offset, record.length, Say(parsed)});
                    });
  }
  return out;
}

}  // namespace

// The first byte chooses the format, the second the size of blocks, the third the largest record.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  const RecordFormat format = static_cast<RecordFormat>(data[0] % 3);
  const bool is_lines = format == RecordFormat::kJsonLines;
  const std::string head = is_lines                       ? ""
                           : format == RecordFormat::kCsv ? "id,text\n"
                                                          : "id\ttext\n";
  // Behind a first record, so that no byte order mark or blank line belongs to the head.
  const std::string body = "x\n" + std::string(reinterpret_cast<const char*>(data) + 3, size - 3);
  zhiwen::InMemoryFileSystem files;
  files.Put("a", head + body);
  zhiwen::InputFile input{.path = "a", .identity = {}, .format = format};
  input.identity = files.OpenForRead("a").value()->Identity().value();
  const uint64_t limit = data[2] == 0 ? uint64_t{1} << 30 : data[2];
  const auto [small, is_torn] =
      ReadAll(files, input, {.block_bytes = data[1] + size_t{1}, .max_record_bytes = limit});
  const auto large = ReadAll(files, input, {.block_bytes = 1 << 16, .max_record_bytes = limit});
  Require(small == large.all && is_torn == large.is_torn);
  size_t next = 0, at = 0;
  const Records<SlowRecord> slow = SlowRecords(body, format);
  Require(is_torn == slow.is_torn);
  for (const auto [length, has_line_end] : slow.all) {
    const std::string_view bytes = std::string_view(body).substr(at, length);
    const bool is_oversized = length - (has_line_end ? 1 : 0) > limit;
    if (is_oversized || IsRecord(bytes, format)) {
      Require(next < small.size());
      Require(small[next].offset == head.size() + at && small[next].length == length);
      Require(small[next].said.starts_with("fault: too_large") == is_oversized);
      ++next;
    }
    at += length;
  }
  Require(next == small.size());
  return 0;
}
