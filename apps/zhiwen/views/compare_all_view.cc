#include "views/compare_all_view.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "terminal/table.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

constexpr size_t kShownPairs = 10;

}  // namespace

std::string FormatCompareAll(const CompareAllSummary& summary, const std::string& folder,
                             size_t columns) {
  const std::span<const ComparedPair> counted = summary.counted_pairs();
  std::string out = fmt::format(
      "{}, {}: {} compared, {} with passages, {} {}\n", FormatPlural(summary.texts.size(), "text"),
      FormatPlural(summary.all_pairs(), "pair"), FormatCount(summary.compared),
      FormatCount(counted.size()), FormatCount(summary.families.size()),
      summary.families.size() == 1 ? "family" : "families");
  const size_t shown = std::min(counted.size(), kShownPairs);
  if (shown > 0) {
    std::vector<std::vector<std::string>> rows = {{"same", "of a", "of b", "kind", "a", "b"}};
    for (size_t i = 0; i < shown; ++i) {
      const ComparedPair& pair = counted[i];
      rows.push_back(
          {FormatCount(pair.a_matched), FormatShare(pair.a_matched, summary.texts[pair.a].symbols),
           FormatShare(pair.b_matched, summary.texts[pair.b].symbols),
           std::string(PassageKindName(pair.kind)), MakePrintable(summary.texts[pair.a].id),
           MakePrintable(summary.texts[pair.b].id) + (pair.is_directed ? " (first)" : "")});
    }
    out += "\n" + FormatTable(rows, columns) + "\n";
  }
  const std::string path = folder.ends_with('/') ? folder : folder + "/";
  const uint64_t more = counted.size() - shown, excluded = summary.pairs.size() - counted.size();
  if (more > 0) out += fmt::format("{} more in {}pairs.jsonl\n", FormatCount(more), path);
  if (excluded > 0) {
    out += fmt::format("{} of which nothing counts, in {}pairs.jsonl\n",
                       FormatPlural(excluded, "pair"), path);
  }
  return out + path + "report.html: a page to open in a browser\n";
}

std::vector<std::string> WarningsOfCompareAll(const CompareAllSummary& summary) {
  std::vector<std::string> warnings;
  if (summary.repeated_ids > 0) {
    warnings.push_back(fmt::format(
        "{} the id of an earlier one, the first is \"{}\"; rows and numbers tell them apart",
        summary.repeated_ids == 1 ? "1 text has"
                                  : fmt::format("{} texts have", FormatCount(summary.repeated_ids)),
        MakePrintable(summary.repeated_id)));
  }
  if (summary.short_texts > 0) {
    warnings.push_back(fmt::format(
        "{} too short to share a passage",
        summary.short_texts == 1 ? "1 text is"
                                 : fmt::format("{} texts are", FormatCount(summary.short_texts))));
  }
  if (const uint64_t left = summary.nominated - summary.compared; left > 0) {
    warnings.push_back(fmt::format(
        "{} of {} that have 8 characters in common were not compared: those that share fewest "
        "rare runs; raise --most-pairs to compare them",
        FormatCount(left), FormatPlural(summary.nominated, "pair")));
  }
  return warnings;
}

}  // namespace zhiwen
