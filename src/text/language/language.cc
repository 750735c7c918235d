#include "zhiwen/language.h"

#include <fmt/format.h>

#include "text/language/language_parts.h"

namespace zhiwen {
namespace {

Result<std::vector<LanguagePackage>> ReadPackages(const SectionFile& sections) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string_view lines, sections.Bytes("packages"));
  const LanguageTable table(sections.path(), std::string(lines));
  std::vector<LanguagePackage> packages;
  const auto take = [&](std::span<const std::string_view> row, const auto&) -> Status {
    packages.push_back(
        {std::string(row[0]), std::string(row[1]), std::string(row[2]), std::string(row[3])});
    return {};
  };
  if (!table.ForEachRow(4, take)) return sections.Damaged("packages", "a row cannot be read");
  return packages;
}

}  // namespace

Language::~Language() = default;

Result<std::shared_ptr<const Language>> Language::Open(FileSystem& files, const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(SectionFile sections, SectionFile::Open(files, path, kLanguageFile));
  std::shared_ptr<Language> language(new Language);
  language->id_ = fmt::format("{:016x}", sections.identity());
  language->path_ = path;
  ZHIWEN_ASSIGN_OR_RETURN(language->packages_, ReadPackages(sections));
  language->sections_ = std::make_unique<const SectionFile>(std::move(sections));
  return language;
}

uint64_t Language::size() const { return sections_->size(); }

}  // namespace zhiwen
