#include "pipeline/check/check_page.h"

#include <fmt/format.h>

#include <tuple>
#include <vector>

#include "pipeline/check/check_words.h"
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

std::string RenderParameters(const std::vector<GlanceRow>& rows) {
  std::string out = "<table class=\"figures parameters\"><tbody>";
  for (const auto& [name, value] : rows) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>", Both(name),
                       value.en == value.zh ? value.en : Both(value));
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
  return suspects_.Add(checked.checked, number, [&](ShownSuspect& suspect) -> Status {
    suspect.row = RenderSuspectRow(checked, number);
    ZHIWEN_ASSIGN_OR_RETURN(suspect.article, RenderSuspect(checked, number, library));
    return {};
  });
}

std::string CheckPage::RenderHeadline(const CheckFilesSummary& summary) const {
  return only_.empty() ? Paragraph("lead", SentenceOn(summary)) +
                             Paragraph("second", VerdictsInWords(summary))
                       : only_;
}

std::string CheckPage::RenderSuspects(const CheckFilesSummary& summary) const {
  const std::vector<ShownSuspect>& suspects = suspects_.worst_first();
  if (suspects.empty()) {
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
    for (const ShownSuspect& suspect : suspects) out += suspect.row;
    out += "</tbody></table></div>";
  }
  if (summary.matched() > suspects.size()) {
    out += Paragraph("note", MoreSuspects(suspects.size(), summary.matched()));
  }
  for (const ShownSuspect& suspect : suspects) out += suspect.article;
  return out;
}

Status CheckPage::Publish(const CheckFilesSummary& summary) {
  return output_->PublishBytes(
      FillPage(KindOfCheckPage(),
               {
                   {"headline", [&] { return RenderHeadline(summary); }},
                   {"suspects", [&] { return RenderSuspects(summary); }},
                   {"searched", [&] { return RenderParameters(SearchedRows(options_, summary)); }},
                   {"command", [&] { return RenderCommand(options_.command); }},
               }));
}

}  // namespace zhiwen
