#ifndef ZHIWEN_TEXT_LANGUAGE_LANGUAGE_TABLES_H_
#define ZHIWEN_TEXT_LANGUAGE_LANGUAGE_TABLES_H_

// Reads the tables that language data is compiled from: UTF-8, one row a line, fields separated by
// tabs, no comments. tools/collect_language_tables.py writes them from the packages.
//
// Fails       kNotFound: the table does not exist; kUnreadable: a bad row, naming table and line

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

class LanguageTable {
 public:
  using Row = std::vector<std::string_view>;

  LanguageTable(std::string path, std::string content)
      : path_(std::move(path)), content_(std::move(content)) {}

  // Calls take(row, fault) for every row; each must have `fields` fields. fault(what) makes the
  // error for that row.
  template <typename Take>
  Status ForEachRow(size_t fields, const Take& take) const {
    Row row;
    size_t line = 0;
    for (size_t at = 0; at < content_.size();) {
      const size_t end = std::min(content_.find('\n', at), content_.size());
      ++line;
      SplitRow(std::string_view(content_).substr(at, end - at), row);
      const auto fault = [&](std::string_view what) { return FaultAt(line, what); };
      if (row.size() != fields) return FaultAt(line, "it has another number of fields");
      ZHIWEN_RETURN_IF_ERROR(Status(take(std::span<const std::string_view>(row), fault)));
      at = end + 1;
    }
    return {};
  }

 private:
  static void SplitRow(std::string_view line, Row& row);
  tl::unexpected<Error> FaultAt(size_t line, std::string_view what) const;

  std::string path_;
  std::string content_;
};

class LanguageTables {
 public:
  LanguageTables(FileSystem& files, std::string folder)
      : files_(files), folder_(std::move(folder)) {}

  // Reads "NAME.tsv".
  Result<LanguageTable> Read(std::string_view name) const;

 private:
  FileSystem& files_;
  std::string folder_;
};

// Returns the code points of a field.
std::u32string DecodeWord(std::string_view utf8);

// Returns the number in a field, or nothing when the field is not exactly one number.
template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number value = {};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_LANGUAGE_LANGUAGE_TABLES_H_
