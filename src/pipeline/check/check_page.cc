#include "pipeline/check/check_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "pipeline/check/suspect_article.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/page_files.h"
#include "pipeline/run_report/page_frame.h"

namespace zhiwen {
namespace {

PageKind KindOfCheckPage() {
  return {.title_en = "Check report",
          .title_zh = "比对报告",
          .figures_en = "the same command asked for JSON",
          .figures_zh = "同一命令的 JSON 输出",
          .sections = kCheckHtml};
}

std::string SearchedRow(const Words& name, const std::string& value) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>", Both(name), value);
}

std::string RenderSearched(const CheckFilesOptions& options, const CheckFilesSummary& summary) {
  std::string out = "<table class=\"figures parameters\"><tbody>";
  out += SearchedRow({"library", "库"}, HtmlCode(options.folder));
  out += SearchedRow({"originals", "原文"}, Both(PageDocuments(summary.searched)));
  std::string channels;
  for (const std::string& channel : summary.channels) {
    channels += (channels.empty() ? "" : ", ") + HtmlCode(channel);
  }
  if (!channels.empty()) out += SearchedRow({"channels", "通道"}, channels);
  out += SearchedRow({"shortest passage", "最短段落"},
                     Both(fmt::format("{} characters or words", kPassageScore),
                          fmt::format("{} 字", kPassageScore)));
  if (options.check.least_containment > 0) {
    out += SearchedRow({"least share of a suspect in an original", "可疑文见于原文的最低比例"},
                       PageFigure(FormatContainment(options.check.least_containment)));
  }
  return out + "</tbody></table>";
}

}  // namespace

Result<std::unique_ptr<CheckPage>> CheckPage::Create(FileSystem& files,
                                                     const CheckFilesOptions& options) {
  std::unique_ptr<CheckPage> page(new CheckPage(options));
  ZHIWEN_ASSIGN_OR_RETURN(
      page->output_,
      OutputFile::Create(files, KindThatBeginsWith("check page", BeginningOf(KindOfCheckPage())),
                         {.path = options.page.path, .overwrite = options.page.overwrite}));
  return page;
}

Status CheckPage::Add(const CheckedDocument& checked, const Library& library) {
  const uint64_t number = ++documents_;
  if (checked.is_only) only_ = Paragraph("lead", VerdictSentence(checked));
  if (checked.checked.matches.empty()) return {};
  const auto rank = [](const Suspect& suspect) {
    return std::tuple(suspect.verdict, ~suspect.matched, suspect.order);
  };
  Suspect suspect = {.verdict = checked.checked.verdict,
                     .matched = checked.checked.union_matched,
                     .order = number};
  const auto place = std::ranges::upper_bound(suspects_, rank(suspect), {}, rank);
  if (place - suspects_.begin() == std::ptrdiff_t{kShownSuspects}) return {};
  suspect.row = RenderSuspectRow(checked, number);
  ZHIWEN_ASSIGN_OR_RETURN(suspect.article, RenderSuspect(checked, number, library));
  suspects_.insert(place, std::move(suspect));
  if (suspects_.size() > kShownSuspects) suspects_.pop_back();
  return {};
}

std::string CheckPage::RenderHeadline(const CheckFilesSummary& summary) const {
  if (!only_.empty()) return only_;
  const std::string all = FormatCount(summary.documents), some = FormatCount(summary.matched());
  std::string out = fmt::format(
      "<p class=\"lead\">{}</p>",
      Both(fmt::format("<b class=\"kept\">{}</b> of <b>{}</b> documents {} the library.", some, all,
                       summary.matched() == 1 ? "matches" : "match"),
           fmt::format("<b>{}</b> 篇文档中有 <b class=\"kept\">{}</b> 篇与库匹配。", all, some)));
  Words by_verdict;
  for (size_t i = 0; i < kRelations; ++i) {
    const auto verdict = static_cast<Relation>(i);
    if (summary.With(verdict) == 0) continue;
    const Words words = CountedWords(verdict);
    const std::string count = FormatCount(summary.With(verdict));
    const std::string_view between = by_verdict.en.empty() ? "" : " · ";
    by_verdict.en += fmt::format("{}{}&nbsp;{}", between, count, words.en);
    by_verdict.zh += fmt::format("{}{}&nbsp;{}&nbsp;篇", between, words.zh, count);
  }
  return out + Paragraph("second", by_verdict);
}

std::string CheckPage::RenderSuspects(const CheckFilesSummary& summary) const {
  if (suspects_.empty()) {
    return Absent("Nothing matches a document of the library.", "没有与库匹配的文档。");
  }
  std::string out;
  if (only_.empty()) {
    out +=
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"matches-title\">"
        "<table class=\"figures\"><thead><tr>";
    for (const auto& [en, zh, css_class] : {std::tuple("suspect", "可疑文", ""),
                                            {"verdict", "结论", ""},
                                            {"in common", "相同", "n"},
                                            {"of the suspect", "占可疑文", "n"},
                                            {"longest", "最长", "n"},
                                            {"original", "原文", ""}}) {
      out += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", css_class, Both(en, zh));
    }
    out += "</tr></thead><tbody>";
    for (const Suspect& suspect : suspects_) out += suspect.row;
    out += "</tbody></table></div>";
  }
  if (const uint64_t more = summary.matched() - suspects_.size(); more > 0) {
    out += Paragraph(
        "note", {fmt::format("The {} documents that match most are shown; {} more that match {} "
                             "not.",
                             suspects_.size(), FormatCount(more), more == 1 ? "is" : "are"),
                 fmt::format("仅显示匹配最多的 {} 篇，另有 {} 篇匹配的文档未显示。",
                             suspects_.size(), FormatCount(more))});
  }
  for (const Suspect& suspect : suspects_) out += suspect.article;
  return out;
}

Status CheckPage::Publish(const CheckFilesSummary& summary) {
  return output_->PublishBytes(FillPage(
      KindOfCheckPage(), {
                             {"headline", [&] { return RenderHeadline(summary); }},
                             {"suspects", [&] { return RenderSuspects(summary); }},
                             {"searched", [&] { return RenderSearched(options_, summary); }},
                             {"command", [&] { return RenderCommand(options_.command); }},
                         }));
}

}  // namespace zhiwen
