#include "base/files/section_output.h"
#include "text/language/language_parts.h"
#include "zhiwen/language.h"

namespace zhiwen {
namespace {

using CompilePart = Status (*)(const LanguageTables& tables, SectionWriter& writer);

// Writes the packages as one text, one line each, with fields separated by tabs.
Status CompilePackages(const LanguageTables& tables, SectionWriter& writer) {
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable table, tables.Read("packages"));
  std::string lines;
  const auto take = [&](std::span<const std::string_view> row, const auto&) -> Status {
    for (size_t i = 0; i < row.size(); ++i) {
      lines += row[i];
      lines += i + 1 == row.size() ? '\n' : '\t';
    }
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(table.ForEachRow(4, take));
  writer.Add("packages", lines);
  return {};
}

constexpr CompilePart kParts[] = {CompilePackages, CompileReadings, CompileRegional,
                                  CompileSegmenter, CompileShape};

}  // namespace

Status CompileLanguage(FileSystem& files, const std::string& folder, const LanguageOutput& output) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto file, SectionOutput::Create(files, kLanguageFile,
                                                                 {output.path, output.overwrite}));
  const LanguageTables tables(files, folder);
  SectionWriter writer;
  for (const CompilePart compile : kParts) ZHIWEN_RETURN_IF_ERROR(compile(tables, writer));
  ZHIWEN_RETURN_IF_ERROR(file->Publish(writer.contents()));
  return {};
}

}  // namespace zhiwen
