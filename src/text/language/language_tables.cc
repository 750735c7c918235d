#include "text/language/language_tables.h"

#include <fmt/format.h>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

constexpr uint64_t kLargestTable = uint64_t{256} << 20;

}  // namespace

void LanguageTable::SplitRow(std::string_view line, Row& row) {
  row.clear();
  for (size_t at = 0; at <= line.size();) {
    const size_t end = std::min(line.find('\t', at), line.size());
    row.push_back(line.substr(at, end - at));
    at = end + 1;
  }
}

tl::unexpected<Error> LanguageTable::FaultAt(size_t line, std::string_view what) const {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot compile \"{}\" line {}: {}", path_, line, what));
}

Result<LanguageTable> LanguageTables::Read(std::string_view name) const {
  std::string path = fmt::format("{}/{}.tsv", folder_, name);
  ZHIWEN_ASSIGN_OR_RETURN(std::string content, ReadWholeFile(files_, path, kLargestTable));
  if (const size_t broken = FindInvalidUtf8(content); broken != content.size()) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot compile \"{}\": invalid UTF-8 at byte {}", path, broken));
  }
  return LanguageTable(std::move(path), std::move(content));
}

std::u32string DecodeWord(std::string_view utf8) {
  std::u32string word;
  VisitCodePoints(utf8, [&](DecodedCodePoint decoded, size_t) {
    word += static_cast<char32_t>(decoded.code_point);
  });
  return word;
}

}  // namespace zhiwen
