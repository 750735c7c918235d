#include "document/warc/header_fields.h"

#include <algorithm>

#include "base/utf8/ascii.h"
#include "document/csv_scanner.h"

namespace zhiwen {
namespace {

constexpr std::string_view kHeaderSpace = " \t\r\n";

}  // namespace

std::string_view TrimValue(std::string_view value) { return Trim(value, kHeaderSpace); }

std::string_view TakePart(std::string_view& list, char separator) {
  const size_t end = FindByte(list, 0, separator);
  const std::string_view part = TrimValue(list.substr(0, end));
  list.remove_prefix(std::min(end + 1, list.size()));
  return part;
}

std::string UnfoldValue(std::string_view value) {
  std::string line(TakePart(value, '\n'));
  while (!value.empty()) line.append(" ").append(TakePart(value, '\n'));
  return line;
}

// Returns the next line with its line end.
std::string_view HeaderFields::TakeLine() {
  const size_t end = std::min(FindByte(lines_, at_, '\n') + 1, lines_.size());
  const std::string_view line = lines_.substr(at_, end - at_);
  at_ = end;
  return line;
}

std::optional<HeaderField> HeaderFields::Next() {
  while (at_ < lines_.size()) {
    const size_t begin = at_;
    const std::string_view line = TakeLine();
    if (line == "\n" || line == "\r\n") {
      lines_ = lines_.substr(0, at_);
      return std::nullopt;
    }
    while (at_ < lines_.size() && (lines_[at_] == ' ' || lines_[at_] == '\t')) TakeLine();
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    return HeaderField{TrimValue(line.substr(0, colon)),
                       TrimValue(lines_.substr(begin + colon + 1, at_ - begin - colon - 1))};
  }
  return std::nullopt;
}

}  // namespace zhiwen
