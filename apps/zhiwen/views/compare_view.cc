#include "views/compare_view.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "terminal/table.h"
#include "views/text_column.h"
#include "zhiwen/channel.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

constexpr std::string_view kGutter = " │ ";
constexpr size_t kGutterColumns = 3;
constexpr size_t kColumnGap = 2;
constexpr size_t kMinColumn = 10;

std::string DescribeEquality(const Comparison& comparison) {
  const bool has_text = comparison.a_symbols + comparison.b_symbols > 0;
  if (comparison.equal_bytes && comparison.resemblance == 0) {
    return "yes, both are empty; an empty text matches none";
  }
  if (comparison.equal_bytes) {
    return has_text ? "yes, the same text" : "yes, the same text, without a symbol to compare";
  }
  if (comparison.equal_exact) return "yes, on the exact channel";
  if (comparison.equal_channel) return "yes, on the channel compared";
  return has_text ? "no" : "unknown: neither has a symbol on the channel compared";
}

std::string DescribeText(uint64_t symbols, uint64_t shingles, uint64_t covered) {
  if (symbols == 0) return "no symbol: it has nothing that is seen on the channel";
  const std::string out = fmt::format("{}, {}", FormatPlural(symbols, "symbol"),
                                      FormatPlural(shingles, "distinct shingle"));
  return out + fmt::format(", {} in shared runs", FormatShare(covered, symbols));
}

std::string RenderFigures(const Comparison& comparison, const CompareOptions& options) {
  const std::vector<std::vector<std::string>> rows = {
      {"a", MakePrintable(options.a_name)},
      {"", DescribeText(comparison.a_symbols, comparison.a_shingles, comparison.a_covered)},
      {"b", MakePrintable(options.b_name)},
      {"", DescribeText(comparison.b_symbols, comparison.b_shingles, comparison.b_covered)},
      {"channel", std::string(options.channel.name())},
      {"equal", DescribeEquality(comparison)},
      {"resemblance", FormatSimilarity(comparison.resemblance)},
      {"containment", fmt::format("{} of a is in b, {} of b is in a",
                                  FormatContainment(comparison.containment_of_a),
                                  FormatContainment(comparison.containment_of_b))},
      {"shared runs",
       fmt::format("{} of {} symbols or more, the longest {}", FormatCount(comparison.runs.size()),
                   options.min_run, FormatCount(comparison.longest_run))},
      {"normalized", "a: " + DescribeDisguise(comparison.a_disguise)},
      {"", "b: " + DescribeDisguise(comparison.b_disguise)},
  };
  return FormatTable(rows);
}

std::string FormatBytesOf(ByteSpan span) {
  return fmt::format("bytes {}–{}", span.begin.value, span.end.value);
}

// Renders both passages in columns side by side, line by line.
std::string RenderSideBySide(const SharedRun& run, const ComparedTexts& texts, size_t columns,
                             const Palette& palette) {
  const size_t column = (columns - kColumnGap - kGutterColumns) / 2;
  std::vector<std::string> left = WrapPassage(texts.a, run.a_bytes, column, palette);
  std::vector<std::string> right = WrapPassage(texts.b, run.b_bytes, column, palette);
  const size_t lines = std::max(left.size(), right.size());
  left.resize(lines, std::string(column, ' '));
  right.resize(lines);
  const std::string gutter = palette.Paint(Ink::kDim, kGutter);
  std::string out = fmt::format("{:{}}{}{}{}\n", "", kColumnGap,
                                FitToWidth("a " + FormatBytesOf(run.a_bytes), column), gutter,
                                "b " + FormatBytesOf(run.b_bytes));
  for (size_t i = 0; i < lines; ++i) {
    std::string line = fmt::format("{:{}}{}{}{}", "", kColumnGap, left[i], gutter, right[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string RenderStacked(const SharedRun& run, const ComparedTexts& texts, size_t columns,
                          const Palette& palette) {
  const size_t column =
      std::max(columns, kMinColumn + kColumnGap + kGutterColumns) - kGutterColumns;
  std::string out;
  const auto append = [&](std::string_view name, std::string_view text, ByteSpan bytes) {
    out += fmt::format("{} {}\n", name, FormatBytesOf(bytes));
    for (std::string& line : WrapPassage(text, bytes, column, palette)) {
      line.erase(line.find_last_not_of(' ') + 1);
      out += fmt::format("{}{}\n", palette.Paint(Ink::kDim, kGutter), line);
    }
  };
  append("a", texts.a, run.a_bytes);
  append("b", texts.b, run.b_bytes);
  return out;
}

// Returns the indices of the longest runs, in the order of a.
std::vector<size_t> ChooseRuns(const std::vector<SharedRun>& runs) {
  std::vector<size_t> chosen(runs.size());
  for (size_t i = 0; i < runs.size(); ++i) chosen[i] = i;
  std::stable_sort(chosen.begin(), chosen.end(), [&](size_t x, size_t y) {
    return runs[x].a_symbols.size() > runs[y].a_symbols.size();
  });
  chosen.resize(std::min(chosen.size(), kMaxRunsShown));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

std::string DescribeDisguise(const DisguiseCounts& counts) {
  std::vector<std::string> parts;
  const auto add = [&](uint64_t count, std::string_view noun) {
    if (count > 0) parts.push_back(FormatPlural(count, noun));
  };
  for (const DisguiseKind& kind : DisguiseKinds()) add(counts.*kind.count, kind.noun);
  return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string RenderComparison(const Comparison& comparison, const ComparedTexts& texts,
                             const CompareOptions& options, size_t columns,
                             const Palette& palette) {
  std::string out = RenderFigures(comparison, options);
  const std::vector<size_t> chosen = ChooseRuns(comparison.runs);
  for (const size_t i : chosen) {
    const SharedRun& run = comparison.runs[i];
    out += fmt::format(
        "\n{}  {}\n",
        palette.Paint(Ink::kBold, fmt::format("run {} of {}", i + 1, comparison.runs.size())),
        FormatPlural(run.a_symbols.size(), "symbol"));
    out += columns >= kSideBySideColumns ? RenderSideBySide(run, texts, columns, palette)
                                         : RenderStacked(run, texts, columns, palette);
  }
  if (chosen.size() < comparison.runs.size()) {
    out += fmt::format("\n{} not shown; --json has all\n",
                       FormatPlural(comparison.runs.size() - chosen.size(), "shorter run"));
  }
  return out;
}

}  // namespace zhiwen
