#include "base/files/user_lines.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/utf8/ascii.h"
#include "base/utf8/text_encoding.h"
#include "base/utf8/utf8.h"
#include "base/utf8/white_space.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMostBytes = uint64_t{256} << 20;
constexpr std::string_view kBlanks = " \t";

bool IsComment(std::string_view line) {
  return line.starts_with('#') &&
         (line.size() == 1 || kBlanks.find(line[1]) != std::string_view::npos);
}

// Returns the first control character of valid UTF-8, or 0xFFFF when there is none. A tab is not
// counted.
uint32_t FindControl(std::string_view utf8) {
  for (size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<uint8_t>(utf8[i]);
    if ((byte < 0x20 && byte != '\t') || byte == 0x7F) return byte;
    // U+0080 to U+009F. The second byte exists, because the sequence is valid.
    if (byte == 0xC2 && static_cast<uint8_t>(utf8[i + 1]) < 0xA0) {
      return static_cast<uint8_t>(utf8[i + 1]);
    }
  }
  return 0xFFFF;
}

// Returns the first white space of valid UTF-8 that is neither a space nor a tab, or 0 when there
// is none. It looks like a space but would be part of a word.
uint32_t FindOtherSpace(std::string_view utf8) {
  uint32_t found = 0;
  VisitCodePoints(utf8, [&](DecodedCodePoint decoded, size_t) {
    const bool is_other = decoded.code_point >= 0x80 && IsPythonSpace(decoded.code_point);
    if (is_other) found = decoded.code_point;
    return !is_other;
  });
  return found;
}

Status CheckCharacters(const UserLine& line) {
  if (const size_t broken = FindInvalidUtf8(line.text); broken != line.text.size()) {
    const std::string_view advice = EncodingAdvice(line.text);
    return line.Fault(fmt::format("not valid UTF-8 at byte {} of the line{}", broken + 1,
                                  advice.empty() ? "; convert the file to UTF-8 first" : advice));
  }
  if (const uint32_t control = FindControl(line.text); control != 0xFFFF) {
    return line.Fault(fmt::format(
        "it has the control character U+{:04X}; take it out (lines end with U+000A)", control));
  }
  return {};
}

}  // namespace

tl::unexpected<Error> UserLine::Fault(std::string_view what) const {
  return Fail(ErrorCode::kUnreadable, fmt::format("{}:{}: {}", file, number, what));
}

std::string_view TrimBlanks(std::string_view text) { return Trim(text, kBlanks); }

std::vector<std::string_view> SplitAtBlanks(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

Status ForEachUserLine(const UserFile& file, UserComments comments,
                       const std::function<Status(const UserLine& line)>& take) {
  const std::string_view content = file.content;
  if (BeginsAsUtf16(content)) {
    return UserLine{.file = file.name, .number = 1, .text = {}}.Fault(
        fmt::format("not valid UTF-8{}", EncodingAdvice(content.substr(0, 2))));
  }
  UserLine line{.file = file.name, .number = 0, .text = {}};
  for (size_t at = 0; at < content.size();) {
    const size_t end = std::min(content.find('\n', at), content.size());
    line.text = content.substr(at, end - at);
    ++line.number;
    at = end + 1;
    while (line.text.ends_with('\r')) line.text.remove_suffix(1);
    // Any line may begin with a byte order mark, because people join files with cat.
    while (line.text.starts_with(kByteOrderMark)) line.text.remove_prefix(kByteOrderMark.size());
    ZHIWEN_RETURN_IF_ERROR(CheckCharacters(line));
    if (TrimBlanks(line.text).empty()) continue;
    if (comments == UserComments::kHash && IsComment(line.text)) continue;
    if (const uint32_t space = FindOtherSpace(line.text); space != 0) {
      return line.Fault(fmt::format(
          "it has the white space U+{:04X}; write a space (U+0020), or take it out", space));
    }
    ZHIWEN_RETURN_IF_ERROR(take(line));
  }
  return {};
}

Result<UserFile> ReadUserFile(FileSystem& files, const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(std::string content, ReadWholeFile(files, path, kMostBytes));
  return UserFile{.name = path, .content = std::move(content)};
}

Result<std::vector<UserFile>> ReadUserFiles(FileSystem& files, std::span<const std::string> paths) {
  std::vector<UserFile> read;
  for (const std::string& path : paths) {
    ZHIWEN_ASSIGN_OR_RETURN(UserFile file, ReadUserFile(files, path));
    read.push_back(std::move(file));
  }
  return read;
}

}  // namespace zhiwen
