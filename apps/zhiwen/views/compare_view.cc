#include "views/compare_view.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>
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

// "12 symbols, 40 % of a, 60 % of b".
std::string DescribeMatched(const PassageComparison& passages) {
  return fmt::format("{} of a ({}), {} of b", FormatCount(passages.a_matched),
                     FormatShare(passages.a_matched, passages.a_symbols),
                     FormatShare(passages.b_matched, passages.b_symbols));
}

// "5 homophones, 8 renamed".
std::string DescribeEdits(const PassageComparison& passages) {
  std::vector<std::string> parts;
  for (const auto& [kind, symbols] : CountedEdits(passages.edits)) {
    parts.push_back(fmt::format("{} {}", FormatCount(symbols), WordsOf(kind).en));
  }
  return parts.empty() ? "nothing is changed" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string DescribeRenamings(std::span<const Renaming> renamed) {
  std::vector<std::string> parts;
  for (const Renaming& one : renamed) {
    parts.push_back(
        fmt::format("{} → {} ×{}", MakePrintable(one.in_b), MakePrintable(one.in_a), one.count));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string RenderFigures(const Comparison& comparison, const PassageComparison& passages,
                          const CompareOptions& options) {
  std::vector<std::vector<std::string>> rows = {
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
  if (!passages.passages.empty()) {
    rows.push_back({"passages", FormatPlural(passages.passages.size(), "passage")});
    rows.push_back({"same", DescribeMatched(passages)});
    rows.push_back({"how", DescribeEdits(passages)});
  }
  std::string excluded;
  for (const auto& [reason, symbols] : CountByReason(passages.excluded)) {
    excluded += fmt::format("{}{} {}", excluded.empty() ? "" : ", ", WordsOf(reason).en,
                            FormatPlural(symbols, "symbol"));
  }
  if (!excluded.empty()) rows.push_back({"excluded", excluded});
  if (!passages.renamed.empty()) {
    rows.push_back({"renamed", DescribeRenamings(passages.renamed)});
  }
  return FormatTable(rows);
}

std::string FormatBytesOf(ByteSpan span) {
  return fmt::format("bytes {}–{}", span.begin.value, span.end.value);
}

// A place in both texts.
struct SharedBytes {
  ByteSpan a, b;
};

// Renders both passages in columns side by side, line by line.
std::string RenderSideBySide(const SharedBytes& run, const ComparedTexts& texts, size_t columns,
                             const Palette& palette) {
  const size_t column = (columns - kColumnGap - kGutterColumns) / 2;
  std::vector<std::string> left = WrapPassage(texts.a, run.a, column, palette);
  std::vector<std::string> right = WrapPassage(texts.b, run.b, column, palette);
  const size_t lines = std::max(left.size(), right.size());
  left.resize(lines, std::string(column, ' '));
  right.resize(lines);
  const std::string gutter = palette.Paint(Ink::kDim, kGutter);
  std::string out =
      fmt::format("{:{}}{}{}{} {}\n", "", kColumnGap,
                  FitToWidth(fmt::format("{} {}", texts.a_label, FormatBytesOf(run.a)), column),
                  gutter, texts.b_label, FormatBytesOf(run.b));
  for (size_t i = 0; i < lines; ++i) {
    std::string line = fmt::format("{:{}}{}{}{}", "", kColumnGap, left[i], gutter, right[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string RenderStacked(const SharedBytes& run, const ComparedTexts& texts, size_t columns,
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
  append(texts.a_label, texts.a, run.a);
  append(texts.b_label, texts.b, run.b);
  return out;
}

std::string RenderPlace(const SharedBytes& bytes, const ComparedTexts& texts, size_t columns,
                        const Palette& palette) {
  return columns >= kSideBySideColumns ? RenderSideBySide(bytes, texts, columns, palette)
                                       : RenderStacked(bytes, texts, columns, palette);
}

// Returns the indices of the longest ones, in their order.
std::vector<size_t> ChooseLongest(const std::vector<uint64_t>& lengths) {
  std::vector<size_t> chosen(lengths.size());
  std::iota(chosen.begin(), chosen.end(), size_t{0});
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](size_t x, size_t y) { return lengths[x] > lengths[y]; });
  chosen.resize(std::min(chosen.size(), kMaxRunsShown));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::string RenderRuns(const std::vector<SharedRun>& runs, const ComparedTexts& texts,
                       size_t columns, const Palette& palette) {
  std::vector<uint64_t> lengths;
  for (const SharedRun& run : runs) lengths.push_back(run.a_symbols.size());
  const std::vector<size_t> chosen = ChooseLongest(lengths);
  std::string out;
  for (const size_t i : chosen) {
    out += fmt::format("\n{}  {}\n",
                       palette.Paint(Ink::kBold, fmt::format("run {} of {}", i + 1, runs.size())),
                       FormatPlural(lengths[i], "symbol"));
    out += RenderPlace({runs[i].a_bytes, runs[i].b_bytes}, texts, columns, palette);
  }
  if (chosen.size() == runs.size()) return out;
  return out + fmt::format("\n{} not shown; --json has all\n",
                           FormatPlural(runs.size() - chosen.size(), "shorter run"));
}

// "负手 → 付首 homophone, …": what b has, and what a has instead.
std::string RenderEdits(const CopiedPassage& passage, const ComparedTexts& texts) {
  const auto shown = [](std::string_view text, const ByteSpan& bytes) {
    constexpr size_t kWidth = 24;
    const std::string printable = MakePrintable(text.substr(bytes.begin.value, bytes.size()));
    const std::string_view cut = TruncateToWidth(printable, kWidth);
    if (cut.empty()) return std::string("∅");
    return cut.size() == printable.size() ? printable : std::string(cut) + "…";
  };
  std::vector<std::string> parts;
  for (const PassageEdit& edit : passage.edits) {
    if (parts.size() == kMaxEditsShown) break;
    parts.push_back(fmt::format("{} → {} {}", shown(texts.b, edit.b_bytes),
                                shown(texts.a, edit.a_bytes), WordsOf(edit.kind).en));
  }
  if (parts.empty()) return "";
  const size_t more = passage.edits.size() - parts.size();
  return fmt::format("  {} → {}: {}{}\n", texts.b_label, texts.a_label, fmt::join(parts, ", "),
                     more == 0 ? "" : fmt::format(", and {} more; --json has all", more));
}

// ", again every 300 characters, 4 times in all": of a repeat that overlaps what it repeats.
std::string DescribePeriod(const CopiedPassage& repeat) {
  const std::optional<uint64_t> period = PeriodOf(repeat);
  if (!period) return "";
  const uint64_t whole = repeat.a_points.end - repeat.b_points.begin;
  return fmt::format(", again every {}, {} times in all", FormatPlural(*period, "character"),
                     FormatCount(std::max<uint64_t>(whole / *period, 2)));
}

// `describe` says more of a passage.
template <typename Describe>
std::string RenderPassages(const std::vector<CopiedPassage>& passages, const ComparedTexts& texts,
                           size_t columns, const Palette& palette, const Describe& describe) {
  std::vector<uint64_t> lengths;
  for (const CopiedPassage& passage : passages) lengths.push_back(passage.matched);
  const std::vector<size_t> chosen = ChooseLongest(lengths);
  std::string out;
  for (const size_t i : chosen) {
    const CopiedPassage& passage = passages[i];
    out += fmt::format(
        "\n{}  {}, {} the same ({}){}\n",
        palette.Paint(Ink::kBold, fmt::format("passage {} of {}", i + 1, passages.size())),
        PassageKindName(passage.kind), FormatPlural(passage.matched, "symbol"),
        ShortChannelName(passage.channel), describe(passage));
    out += RenderPlace({passage.a_bytes, passage.b_bytes}, texts, columns, palette);
    out += RenderEdits(passage, texts);
  }
  if (chosen.size() == passages.size()) return out;
  return out + fmt::format("\n{} not shown; --json has all\n",
                           FormatPlural(passages.size() - chosen.size(), "shorter passage"));
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

std::string RenderComparison(const Comparison& comparison, const PassageComparison& passages,
                             const ComparedTexts& texts, const CompareOptions& options,
                             size_t columns, const Palette& palette) {
  return RenderFigures(comparison, passages, options) +
         (passages.passages.empty() ? RenderRuns(comparison.runs, texts, columns, palette)
                                    : RenderPassages(passages.passages, texts, columns, palette,
                                                     [](const CopiedPassage&) { return ""; }));
}

std::string RenderRepeats(const PassageComparison& repeats, const ComparedDocument& text,
                          const SearchedChannels& searched, size_t columns,
                          const Palette& palette) {
  std::vector<std::string> channels;
  for (const std::string& channel : searched.channels) {
    channels.emplace_back(ShortChannelName(channel));
  }
  const std::string channels_shown = fmt::format("{}", fmt::join(channels, ", "));
  std::vector<std::vector<std::string>> rows = {{"text", MakePrintable(text.name)},
                                                {"", FormatPlural(repeats.a_symbols, "symbol")},
                                                {"channels", channels_shown}};
  if (repeats.passages.empty()) {
    rows.push_back({"repeats", "none"});
    return FormatTable(rows);
  }
  rows.push_back({"repeats", fmt::format("{}; the longest passage has {}",
                                         FormatPlural(repeats.passages.size(), "passage"),
                                         FormatPlural(LongestPassage(repeats), "symbol"))});
  rows.push_back({"repeated", fmt::format("{} ({} of the text): they stand before, too",
                                          FormatPlural(repeats.a_matched, "symbol"),
                                          FormatShare(repeats.a_matched, repeats.a_symbols))});
  rows.push_back({"how", DescribeEdits(repeats)});
  return FormatTable(rows) +
         RenderPassages(repeats.passages,
                        {.a = text.text, .b = text.text, .a_label = "again", .b_label = "before"},
                        columns, palette, DescribePeriod);
}

}  // namespace zhiwen
