#include "views/check_view.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "terminal/table.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

constexpr size_t kShownMatches = 10;

std::string_view WordsOf(Relation relation) {
  switch (relation) {
    case Relation::kSame:
      return "相同 the same text";
    case Relation::kNear:
      return "近似副本 a near copy";
    case Relation::kContains:
      return "包含原文 contains an original";
    case Relation::kContained:
      return "摘自原文 part of an original";
    case Relation::kPassages:
      return "部分相同 shares passages";
    case Relation::kNone:
      return "未见 not known";
  }
  return "";
}

// Returns the document of a match, and what they share below it.
std::string FormatMatch(const CheckMatch& match, size_t columns, const Palette& palette) {
  std::string document = MakePrintable(match.document.id);
  for (const std::string* label : {&match.document.labels.date, &match.document.labels.title}) {
    if (!label->empty()) document += " · " + MakePrintable(*label);
  }
  const std::vector<std::vector<std::string>> row = {
      {std::string(RelationName(match.relation)), FormatSimilarity(match.resemblance), document}};
  const std::string figures =
      fmt::format("可疑文 {} of suspect · 原文 {} of original · 最长 longest {}",
                  FormatContainment(match.containment),
                  FormatContainment(match.containment_of_original), FormatCount(match.longest_run));
  return FormatTable(row, columns) + "      " + palette.Paint(Ink::kDim, figures) + "\n";
}

}  // namespace

std::string FormatCheck(const CheckedDocument& checked, size_t columns, const Palette& palette) {
  const CheckedText& text = checked.checked;
  const Ink ink = text.verdict == Relation::kNone ? Ink::kGood : Ink::kBad;
  std::string out =
      fmt::format("{}: {}\n", palette.Paint(Ink::kBold, MakePrintable(checked.document.id)),
                  palette.Paint(ink, WordsOf(text.verdict)));
  const size_t shown = std::min(kShownMatches, text.matches.size());
  for (const CheckMatch& match : std::span(text.matches).first(shown)) {
    out += FormatMatch(match, columns, palette);
  }
  if (text.matches.size() > kShownMatches) {
    out += fmt::format("… {} more (--json lists them)\n",
                       FormatCount(text.matches.size() - kShownMatches));
  }
  if (text.below_least > 0) {
    out += fmt::format("{} below --least\n", FormatPlural(text.below_least, "match"));
  }
  if (text.common_blocks > 0) {
    out += fmt::format("{} of the text in more than 64 documents each, which were not looked up\n",
                       FormatPlural(text.common_blocks, "place"));
  }
  if (text.truncated) out += "a bound was met: there may be more matches\n";
  out +=
      fmt::format("范围 searched {} · exact, folded\n", FormatPlural(text.documents, "document"));
  return out;
}

}  // namespace zhiwen
