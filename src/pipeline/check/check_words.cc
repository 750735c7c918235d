#include "pipeline/check/check_words.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "pipeline/check/suspect_article.h"
#include "pipeline/run_report/html_text.h"
#include "zhiwen/figures.h"

namespace zhiwen {

Words SentenceOn(const CheckFilesSummary& summary) {
  const std::string all = FormatCount(summary.documents), some = FormatCount(summary.matched());
  return {fmt::format("<b class=\"kept\">{}</b> of <b>{}</b> documents {} the library.", some, all,
                      summary.matched() == 1 ? "matches" : "match"),
          fmt::format("<b>{}</b> 篇文档中有 <b class=\"kept\">{}</b> 篇与库匹配。", all, some)};
}

Words VerdictsInWords(const CheckFilesSummary& summary) {
  std::vector<Words> parts;
  for (size_t i = 0; i < kRelations; ++i) {
    const auto verdict = static_cast<Relation>(i);
    if (summary.With(verdict) == 0) continue;
    const Words words = CountedWords(verdict);
    const std::string count = FormatCount(summary.With(verdict));
    parts.push_back({fmt::format("{}&nbsp;{}", count, words.en),
                     fmt::format("{}&nbsp;{}&nbsp;篇", words.zh, count)});
  }
  return JoinWords(parts);
}

Words NotSeenInWords(const CheckedText& checked) {
  std::vector<Words> parts;
  if (checked.pictures > 0) {
    parts.push_back(
        {FormatPlural(checked.pictures, "picture"), FormatCount(checked.pictures) + "&nbsp;图"});
  }
  if (checked.obfuscated > 0) {
    parts.push_back({FormatPlural(checked.obfuscated, "character") + " of a font of the page",
                     FormatCount(checked.obfuscated) + "&nbsp;个网页自带字体的字"});
  }
  if (checked.extracted.value_or(1) < 1) {
    const std::string share = PageFigure(FormatExtracted(*checked.extracted));
    parts.push_back({"extracted " + share, "提取 " + share});
  }
  return JoinWords(parts);
}

Words MoreSuspects(size_t shown, uint64_t matched) {
  const uint64_t more = matched - shown;
  return {fmt::format("The {} documents that match most are shown; {} more that match {} not.",
                      shown, FormatCount(more), more == 1 ? "is" : "are"),
          fmt::format("仅显示匹配最多的 {} 篇，另有 {} 篇匹配的文档未显示。", shown,
                      FormatCount(more))};
}

std::vector<GlanceRow> SearchedRows(const CheckFilesOptions& options,
                                    const CheckFilesSummary& summary) {
  std::vector<GlanceRow> rows;
  const auto add = [&](const Words& name, const std::string& value) {
    rows.push_back({name, {value, value}});
  };
  add({"library", "库"}, HtmlCode(options.folder));
  rows.push_back({{"originals", "原文"}, PageDocuments(summary.searched)});
  std::string channels;
  for (const std::string& channel : summary.channels) {
    channels += (channels.empty() ? "" : ", ") + HtmlCode(channel);
  }
  if (!channels.empty()) add({"channels", "通道"}, channels);
  rows.push_back({{"shortest passage", "最短段落"},
                  {fmt::format("{} characters or words", kPassageScore),
                   fmt::format("{} 字", kPassageScore)}});
  if (options.check.least_containment > 0) {
    add({"least share of a suspect in an original", "可疑文见于原文的最低比例"},
        PageFigure(FormatContainment(options.check.least_containment)));
  }
  if (summary.little_compared > 0 && !summary.is_only) {  // of one, VerdictSentence says it
    const std::string count = FormatCount(summary.little_compared);
    rows.push_back(
        {{"not seen", "未看"},
         {FormatPlural(summary.little_compared, "document") +
              " not known, of each less than half compared. " + std::string(kLittleComparedEn),
          count + "&nbsp;篇未见的文档，比对的部分不到一半。" + std::string(kLittleComparedZh)}});
  }
  return rows;
}

}  // namespace zhiwen
