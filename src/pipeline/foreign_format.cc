#include "pipeline/foreign_format.h"

#include <array>
#include <utility>

#include "base/utf8/text_encoding.h"
#include "base/utf8/utf8.h"
#include "document/array_scanner.h"

namespace zhiwen {
namespace {

constexpr size_t kTarMagicAt = 257;

// Fewer lines than this are taken for bad records.
constexpr size_t kLeastForeignLines = 2;

// A byte order mark, and the character of number 0, as UTF-16 in UTF-8: the mark of UTF-32.
constexpr std::string_view kUtf32Mark("\xef\xbb\xbf\0", 4);

std::string_view WithoutMark(std::string_view head) {
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  return head;
}

bool IsAscii(std::string_view line) {
  for (const char c : line) {
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

// Whether most lines are GB18030, and none is UTF-8 beyond ASCII: a few others are bad records.
bool HasLinesOfGb18030(std::string_view head) {
  size_t foreign = 0, lines = 0;
  for (size_t end = head.find('\n'); end != std::string_view::npos; end = head.find('\n')) {
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + 1);
    ++lines;
    if (IsAscii(line)) continue;
    if (IsValidUtf8(line) || !LooksLikeGb18030(line)) return false;
    ++foreign;
  }
  return foreign >= kLeastForeignLines && 2 * foreign > lines;
}

}  // namespace

bool BeginsAsXz(std::string_view head) { return head.starts_with("\xFD\x37\x7A\x58"); }

// "BZh", a digit, and what the first block, or an empty file, begins with.
bool BeginsAsBzip2(std::string_view head) {
  if (!head.starts_with("BZh") || head.size() < 10 || head[3] < '1' || head[3] > '9') return false;
  const std::string_view block = head.substr(4);
  return block.starts_with("1AY&SY") || block.starts_with("\x17\x72\x45\x38\x50\x90");
}

std::string_view ForeignFormat(std::string_view head, DocumentFormat format) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kMagic = {{
      {"PK\x03\x04", "a zip archive; call it *.zip"},
      {"7z\xBC\xAF", "a 7z archive; call it *.7z"},
      {"zhiwen\x1A\n", "a file that zhiwen made, of terms or of language data; name texts"},
  }};
  for (const auto& [magic, what] : kMagic) {
    if (head.starts_with(magic)) return what;
  }
  if (BeginsAsXz(head)) {
    return "xz data; decompress it first (unxz), or call it *.tar.xz if it is an archive";
  }
  if (BeginsAsBzip2(head)) {
    return "bzip2 data; decompress it first (bunzip2), or call it *.tar.bz2 if it is an archive";
  }
  if (head.size() > kTarMagicAt && head.substr(kTarMagicAt).starts_with("ustar")) {
    return "a tar archive; call it *.tar";
  }
  if (head.starts_with(kUtf32Mark)) return "UTF-32 text; convert it to UTF-8 first (iconv)";
  if (format == DocumentFormat::kText) return {};
  if (format == DocumentFormat::kJsonLines && IsArrayNoLines(WithoutMark(head)))
    return kArrayNoLines;
  return {};
}

bool IsArrayNoLines(std::string_view head) {
  const size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || head[first] != '[') return false;
  const size_t line_end = head.find('\n', first);
  if (head.find_first_not_of(" \t\r", first + 1) == line_end)
    return line_end != std::string_view::npos;
  if (!BeginsAsArrayOfObjects(head)) return false;
  // Of one line: a line of JSON Lines that is an array is a bad record, and others follow it.
  return line_end == std::string_view::npos ||
         head.find_first_not_of(" \t\r\n", line_end) == std::string_view::npos;
}

std::string_view ForeignEncoding(std::string_view head) {
  return HasLinesOfGb18030(head) ? kUnknownEncoding : std::string_view();
}

std::string_view NotJsonLines(std::string_view head) {
  head = WithoutMark(head);
  const size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || head[first] == '{') return {};
  return "not JSON Lines, and its name says no other format: say what it is: text, jsonl, json, "
         "csv, tsv or parquet";
}

}  // namespace zhiwen
