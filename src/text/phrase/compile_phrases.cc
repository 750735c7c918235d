// Compiles the sections regional, shape.splits and shape.classes of language data.
#include <numeric>
#include <string>
#include <vector>

#include "text/fold.h"
#include "text/language/language_parts.h"
#include "text/phrase/phrase_table.h"
#include "text/phrase/phrase_view.h"
#include "text/phrase/stops.h"

namespace zhiwen {
namespace {

// Compiles rows of a phrase and its replacement. Of two phrases that are equal when folded, the
// first row counts.
Status CompileReplacements(const LanguageTables& tables, std::string_view name,
                           std::string_view section, SectionWriter& writer) {
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable table, tables.Read(name));
  PhraseTableBuilder builder;
  const auto take = [&](std::span<const std::string_view> row, const auto& fault) -> Status {
    if (IsPartedByStop(row[0])) return fault("a phrase with a stop inside, which is never found");
    const auto added = builder.Add(BaseFoldedSymbolsOf(row[0]), BaseFoldedSymbolsOf(row[1]));
    if (added == PhraseTableBuilder::Added::kLength) return fault("a phrase of no or many units");
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(table.ForEachRow(2, take));
  writer.AddValues(section, std::span<const uint32_t>(builder.Build()));
  return {};
}

}  // namespace

Status CompileRegional(const LanguageTables& tables, SectionWriter& writer) {
  return CompileReplacements(tables, "regional", "regional", writer);
}

Status CompileShape(const LanguageTables& tables, SectionWriter& writer) {
  ZHIWEN_RETURN_IF_ERROR(CompileReplacements(tables, "shape_splits", "shape.splits", writer));
  ZHIWEN_ASSIGN_OR_RETURN(const LanguageTable table, tables.Read("shape_classes"));
  std::vector<uint16_t> classes(kLastClassed - kFirstClassed + 1);
  std::iota(classes.begin(), classes.end(), static_cast<uint16_t>(kFirstClassed));
  const auto take = [&](std::span<const std::string_view> row, const auto& fault) -> Status {
    const std::u32string member = DecodeWord(row[0]);
    const std::u32string stands = DecodeWord(row[1]);
    const auto is_classed = [](const std::u32string& word) {
      return word.size() == 1 && word[0] >= kFirstClassed && word[0] <= kLastClassed;
    };
    if (!is_classed(member) || !is_classed(stands)) return fault("not a Han character each");
    classes[member[0] - kFirstClassed] = static_cast<uint16_t>(stands[0]);
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(table.ForEachRow(2, take));
  writer.AddValues("shape.classes", std::span<const uint16_t>(classes));
  return {};
}

}  // namespace zhiwen
