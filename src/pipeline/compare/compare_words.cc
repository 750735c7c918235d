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

Words SentenceOn(const ComparedDocument& a, const ComparedDocument& b,
                 const PassageComparison& passages) {
  const std::string in_a = HtmlLabel(a.name, 80), in_b = HtmlLabel(b.name, 80);
  if (passages.passages.empty()) {
    return {fmt::format("No passage of 30 characters or more is in both <b>{}</b> and <b>{}</b>.",
                        in_a, in_b),
            fmt::format("<b>{}</b> 与 <b>{}</b>：未发现 30 字以上相同段落。", in_a, in_b)};
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
       {fmt::format(
            "<b>{}</b> characters or words · <b>{}</b> of a · <b>{}</b> of b · longest <b>{}</b>",
            same, of_a, of_b, longest),
        fmt::format("<b>{}</b> 字 · 甲文 <b>{}</b> · 乙文 <b>{}</b> · 最长 <b>{}</b>", same, of_a,
                    of_b, longest)}});
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
  std::string channels;
  for (const std::string& channel : options.channels) {
    channels += (channels.empty() ? "" : " · ") + HtmlLabel(ShortChannelName(channel));
  }
  rows.push_back({{"searched", "范围"}, {channels, channels}});
  return rows;
}

}  // namespace zhiwen
