#include "feature/terms/term_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.h"

namespace zhiwen {

tl::unexpected<Error> TermListLine::Fault(std::string_view what) const {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read \"{}\", line {}: {}", file, number, what));
}

std::string_view TrimSpaces(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

Status ForEachTermLine(const TermListFile& file,
                       const std::function<Status(const TermListLine& line)>& take) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view rest = file.content;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  for (size_t number = 1; !rest.empty(); ++number) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    TermListLine line{.file = file.name, .number = number, .text = rest.substr(0, end)};
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.text.ends_with('\r')) line.text.remove_suffix(1);
    if (TrimSpaces(line.text).empty() || line.text.starts_with('#')) continue;
    if (FindInvalidUtf8(line.text) != line.text.size()) return line.Fault("it is not UTF-8");
    if (line.text.find('\0') != std::string_view::npos) return line.Fault("it has a NUL byte");
    ZHIWEN_RETURN_IF_ERROR(take(line));
  }
  return {};
}

}  // namespace zhiwen
