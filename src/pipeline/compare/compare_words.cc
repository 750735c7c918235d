#include "pipeline/compare/compare_words.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "pipeline/check/suspect_article.h"
#include "pipeline/run_report/html_text.h"
#include "zhiwen/channel.h"
#include "zhiwen/check.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

// Shares from which on a text is said to be the other one, or a part of it.
constexpr double kNearText = 0.8;

// "a near copy, renamed".
Words DescribeVerdict(const Comparison& comparison, const PassageComparison& found) {
  const double of_a = ShareOf(found.a_matched, found.a_symbols);
  const double of_b = ShareOf(found.b_matched, found.b_symbols);
  Relation relation = Relation::kNone;
  if (!found.passages.empty()) relation = Relation::kPassages;
  if (of_a >= kNearText) relation = Relation::kContained;
  if (of_b >= kNearText) relation = Relation::kContains;
  if (of_a >= kNearText && of_b >= kNearText) relation = Relation::kNear;
  if (comparison.equal_channel || comparison.equal_exact) relation = Relation::kSame;
  Words words = VerdictWords(relation);
  PassageKind kind = PassageKind::kVerbatim;
  for (const CopiedPassage& passage : found.passages) kind = std::max(kind, passage.kind);
  if (kind == PassageKind::kVerbatim) return words;
  return {fmt::format("{}, {}", words.en, WordsOf(kind).en),
          fmt::format("{}，有{}", words.zh, WordsOf(kind).zh)};
}

Words DescribeReason(NotSearched reason) {
  switch (reason) {
    case NotSearched::kNotAsked:
      return {"not asked for", "未要求"};
    case NotSearched::kNoLanguageData:
      return {"no language data", "无语言数据"};
    case NotSearched::kNotNeeded:
      return {"not needed", "无需再查"};
  }
  return {};
}

// The channels that were searched, and why others were not.
GlanceRow SearchedRow(const SearchedChannels& searched) {
  std::vector<Words> parts;
  for (const std::string& channel : searched.channels) {
    const std::string name = HtmlLabel(ShortChannelName(channel));
    parts.push_back({name, name});
  }
  if (!searched.not_searched.empty()) {
    const Words others = NotSearchedInWords(searched.not_searched);
    parts.push_back({"not searched: " + others.en, "未查：" + others.zh});
  }
  return {{"searched", "范围"}, JoinWords(parts)};
}

Words DescribeHow(const PassageComparison& found) {
  const std::string verbatim = FormatCount(CountVerbatim(found.a_matched, found.edits));
  std::vector<Words> parts = {
      {fmt::format("verbatim <b>{}</b>", verbatim), fmt::format("逐字 <b>{}</b>", verbatim)}};
  for (const auto& [kind, symbols] : CountedEdits(found.edits)) {
    const std::string count = FormatCount(symbols);
    parts.push_back({fmt::format("{} <b>{}</b>", WordsOf(kind).en, count),
                     fmt::format("{} <b>{}</b>", WordsOf(kind).zh, count)});
  }
  return JoinWords(parts);
}

}  // namespace

Words NotSearchedInWords(std::span<const UnsearchedChannel> channels) {
  std::vector<Words> parts;
  for (const UnsearchedChannel& one : channels) {
    const std::string name = HtmlLabel(ShortChannelName(one.channel));
    const Words reason = DescribeReason(one.reason);
    parts.push_back(
        {fmt::format("{} ({})", name, reason.en), fmt::format("{}（{}）", name, reason.zh)});
  }
  return JoinWords(parts, {", ", "、"});
}

Words SentenceOn(const ComparedDocument& a, const ComparedDocument& b,
                 const PassageComparison& passages) {
  const std::string in_a = HtmlLabel(a.name, 80), in_b = HtmlLabel(b.name, 80);
  if (passages.passages.empty()) {
    return {fmt::format("No passage of {} characters or more is in both <b>{}</b> and <b>{}</b>.",
                        kPassageScore, in_a, in_b),
            fmt::format("<b>{}</b> 与 <b>{}</b>：未发现 {} 字以上相同段落。", in_a, in_b,
                        kPassageScore)};
  }
  const std::string share = PageShare(passages.a_matched, passages.a_symbols);
  return {
      fmt::format("<b class=\"kept\">{}</b> of <b>{}</b> is also in <b>{}</b>.", share, in_a, in_b),
      fmt::format("<b>{}</b> 有 <b class=\"kept\">{}</b> 也见于 <b>{}</b>。", in_a, share, in_b)};
}

std::vector<GlanceRow> ComparisonRows(const Comparison& comparison,
                                      const PassageComparison& passages,
                                      const ComparePageOptions& options) {
  std::vector<GlanceRow> rows;
  const Words verdict = DescribeVerdict(comparison, passages);
  rows.push_back({{"verdict", "结论"}, {"<b>" + verdict.en + "</b>", "<b>" + verdict.zh + "</b>"}});
  const std::string same = FormatCount(passages.a_matched);
  const std::string of_a = PageShare(passages.a_matched, passages.a_symbols);
  const std::string of_b = PageShare(passages.b_matched, passages.b_symbols);
  const std::string longest = FormatCount(comparison.longest_run);
  rows.push_back(
      {{"same", "相同"},
       {fmt::format("<b>{}</b> characters or words · <b>{}</b> of a · <b>{}</b> of b · longest run "
                    "<b>{}</b>",
                    same, of_a, of_b, longest),
        fmt::format("<b>{}</b> 字 · 甲文 <b>{}</b> · 乙文 <b>{}</b> · 最长连续 <b>{}</b>", same,
                    of_a, of_b, longest)}});
  if (!passages.passages.empty()) rows.push_back({{"how", "方式"}, DescribeHow(passages)});
  if (const auto reasons = CountByReason(passages.excluded); !reasons.empty()) {
    rows.push_back({{"excluded", "排除"}, ExcludedInWords(reasons)});
  }
  if (!passages.renamed.empty()) {
    std::string names;
    for (const Renaming& one : passages.renamed) {
      names += fmt::format("{}{} → {} ×{}", names.empty() ? "" : " · ", HtmlLabel(one.in_b),
                           HtmlLabel(one.in_a), FormatCount(one.count));
    }
    rows.push_back({{"renamed", "改名"}, {names, names}});
  }
  const std::string resemblance = PageFigure(FormatSimilarity(comparison.resemblance));
  rows.push_back({{"resemblance", "相似度"}, {resemblance, resemblance}});
  rows.push_back(SearchedRow(options.searched));
  return rows;
}

Words SentenceOnRepeats(const ComparedDocument& text, const PassageComparison& repeats) {
  const std::string name = HtmlLabel(text.name, 80);
  if (repeats.passages.empty()) {
    return {
        fmt::format("<b>{}</b> repeats no passage of {} characters or more.", name, kPassageScore),
        fmt::format("<b>{}</b>：未发现 {} 字以上的重复段落。", name, kPassageScore)};
  }
  const std::string share = PageShare(repeats.a_matched, repeats.a_symbols);
  return {
      fmt::format("<b class=\"kept\">{}</b> of <b>{}</b> stands in it before, too.", share, name),
      fmt::format("<b>{}</b> 有 <b class=\"kept\">{}</b> 是重复前文。", name, share)};
}

std::vector<GlanceRow> RepeatsRows(const PassageComparison& repeats,
                                   const ComparePageOptions& options) {
  std::vector<GlanceRow> rows;
  const std::string count = FormatCount(repeats.passages.size());
  rows.push_back(
      {{"repeats", "重复"},
       {fmt::format("<b>{}</b> {}", count, repeats.passages.size() == 1 ? "passage" : "passages"),
        fmt::format("<b>{}</b> 段", count)}});
  const std::string same = FormatCount(repeats.a_matched);
  const std::string share = PageShare(repeats.a_matched, repeats.a_symbols);
  const std::string longest = FormatCount(LongestPassage(repeats));
  rows.push_back(
      {{"repeated", "重复字数"},
       {fmt::format("<b>{}</b> characters or words · <b>{}</b> of the text · longest "
                    "passage <b>{}</b>",
                    same, share, longest),
        fmt::format("<b>{}</b> 字 · 全文 <b>{}</b> · 最长段落 <b>{}</b>", same, share, longest)}});
  if (!repeats.passages.empty()) rows.push_back({{"how", "方式"}, DescribeHow(repeats)});
  rows.push_back(SearchedRow(options.searched));
  return rows;
}

}  // namespace zhiwen
