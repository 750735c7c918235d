#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/files/output_file.h"
#include "pipeline/calibrate/calibration_charts.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/page_files.h"
#include "pipeline/run_report/page_frame.h"
#include "pipeline/run_report/page_words.h"
#include "zhiwen/calibration.h"

namespace zhiwen {
namespace {

constexpr double kMillionPairs = 1e6;

std::string PageShareOf(double share) { return fmt::format("{:.1f}&nbsp;%", 100 * share); }

std::string PageInterval(const ShareInterval& interval) {
  return fmt::format("{} <small class=\"whole\">{:.1f}–{:.1f}</small>", PageShareOf(interval.share),
                     100 * interval.low, 100 * interval.high);
}

std::string PageCounts(const ShareInterval& interval, double many) {
  return fmt::format("{} <small class=\"whole\">{}–{}</small>", PageEstimate(interval.share * many),
                     PageEstimate(interval.low * many), PageEstimate(interval.high * many));
}

std::string ChangedPercent(double share) { return fmt::format("{:g}&nbsp;%", 100 * share); }

Words VerdictWords(RadiusVerdict verdict) {
  switch (verdict) {
    case RadiusVerdict::kFit:
      return {"a radius fits", "有适用的半径"};
    case RadiusVerdict::kUnfit:
      return {"no radius fits", "没有适用的半径"};
    case RadiusVerdict::kNotSure:
      return {"not sure whether a radius fits", "不能确定有无适用的半径"};
    case RadiusVerdict::kTooFew:
      break;
  }
  return {"too few pairs to say", "文本对太少，无法判断"};
}

// Returns what the radius does to the pairs that count neither as copies nor as false joins.
std::string RenderRelatedJoins(const Calibration& calibration) {
  constexpr double kHalf = 0.5;
  const uint64_t pairs = calibration.CountRelated(calibration.bits);
  if (pairs == 0 || !calibration.all.radius) return "";
  const uint64_t joined = calibration.CountRelated(*calibration.all.radius);
  Words words = {
      fmt::format("The radius joins <b>{}</b> of the {} with a resemblance of {:g} or more, which "
                  "are left out of the unrelated ones.",
                  FormatCount(joined), FormatPlural(pairs, "pair"), calibration.unrelated),
      fmt::format("相似度不低于 {2:g} 的 {1} 对文本不算作无关；该半径连接其中 <b>{0}</b> 对。",
                  FormatCount(joined), FormatCount(pairs), calibration.unrelated)};
  if (joined > 0) {
    words.en +=
        " With <code>verify</code>, cluster compares the texts, and joins only those that "
        "are alike.";
    words.zh += "cluster 使用 <code>verify</code> 时会比较文本，只连接相似的。";
    if (calibration.unrelated < kHalf) {
      words.en +=
          " With <code>unrelated</code> at 0.5, pairs that share less than half count as "
          "false joins.";
      words.zh += "把 <code>unrelated</code> 设为 0.5，相同部分不到一半的文本对就算作误并。";
    }
  }
  return ListItem(words);
}

std::string RenderHeadline(const Calibration& calibration) {
  const LengthCalibration& all = calibration.all;
  const std::string changed = ChangedPercent(calibration.changed);
  if (!all.radius) {
    const std::string joined = PageEstimate(all.unrelated.Joined(0).share * kMillionPairs);
    return Paragraph("lead", {"No radius is shown to keep false joins as rare as wanted: "
                              "equal codes have <b>" +
                                  joined + "</b> of 1,000,000 unrelated pairs.",
                              "没有半径能保证误并足够少：每 1,000,000 对无关文本中，<b>" + joined +
                                  "</b> 对的码相同。"});
  }
  const std::string found = PageShareOf(calibration.CopiesAsked(all).Found(*all.radius).share);
  const ShareInterval joined = all.unrelated.Joined(*all.radius);
  const std::string documents = FormatCount(DocumentsWithFewFalseJoins(joined));
  const std::string million = PageEstimate(joined.share * kMillionPairs);
  const std::string billion = PageEstimate(joined.share * 1e9);
  return Paragraph(
             "lead",
             {fmt::format("Radius <b>{}</b> finds <b class=\"kept\">{}</b> of the copies with {} "
                          "changed.",
                          *all.radius, found, changed),
              fmt::format("半径 <b>{}</b> 可找到 <b class=\"kept\">{}</b> 改动了 {} 的副本。",
                          *all.radius, found, changed)}) +
         Paragraph(
             "second",
             {fmt::format("It is for corpora of up to <b>{}</b> documents: of these, at most 1 in "
                          "100 has an unrelated one within the radius. With 1,000,000 documents "
                          "each has {} such neighbours on average, with 10⁹ {}.",
                          documents, million, billion),
              fmt::format("适用于不超过 <b>{}</b> 篇文档的语料：其中最多每 100 篇有 1 "
                          "篇在此半径内有无关文本。文档有 1,000,000 篇时，每篇平均有 {} "
                          "个这样的邻居；有 10⁹ 篇时有 {} 个。",
                          documents, million, billion)});
}

std::string RenderUnfit(const Calibration& calibration) {
  std::string items = RenderRelatedJoins(calibration);
  if (calibration.unfit_below) {
    const std::string below = FormatCount(*calibration.unfit_below);
    items += ListItem({"Codes are unfit for texts below <b>" + below +
                           "</b> characters: no radius finds enough of their copies and joins no "
                           "more than wanted. Use dedup or check, which compare the texts.",
                       "码不适用于少于 <b>" + below +
                           "</b> 字的文本：没有半径既能找到足够的副本，又不过多误并。请改用比较文本"
                           "本身的 dedup 或 check。"});
  }
  if (calibration.all.unrelated.by_distance[0] > 0) {
    const std::string equal = FormatCount(calibration.all.unrelated.by_distance[0]);
    items += ListItem(
        {equal + " pairs of unrelated texts have equal codes. Texts in which a few passages repeat "
                 "many times have such codes: tables, broken characters. A scheme with "
                 "<code>weight=distinct</code> counts each passage once.",
         equal + " 对无关文本的码相同。少数片段大量重复的文本会有这样的码：表格、乱码。带有 "
                 "<code>weight=distinct</code> 的方案对每个片段只计一次。"});
  }
  if (calibration.all.threshold) {
    const std::string threshold = fmt::format("{:.2f}", *calibration.all.threshold);
    const std::string found = PageShareOf(calibration.all.found_at_threshold.share);
    const std::string changed = ChangedPercent(calibration.changed);
    items += ListItem(
        {fmt::format("dedup, which compares the texts, finds {} of the copies with {} changed at "
                     "the threshold <b>{}</b>.",
                     found, changed, threshold),
         fmt::format("比较文本本身的 dedup 在阈值 <b>{}</b> 处可找到 {} 改动了 {} 的副本。",
                     threshold, found, changed)});
  }
  return items.empty() ? "" : "<ul class=\"claims\">" + items + "</ul>";
}

std::string HeadCell(const Words& words, std::string_view css_class = "n") {
  return fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", css_class, Both(words));
}

std::string FigureCell(const std::string& content) {
  return fmt::format("<td class=\"n\">{}</td>", content);
}

// The name of a change as the head of a column.
std::string FindsHead(double share) {
  const std::string percent = ChangedPercent(share);
  return HeadCell({"finds " + percent, "找到 " + percent});
}

std::string LengthRow(const LengthCalibration& measured, double wanted) {
  const bool is_all = measured.from == 0 && measured.to == 0;
  std::string name;
  AppendHtmlText(name, NameOfLength(measured));
  std::string out =
      fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>", is_all ? Both("all", "全部") : name,
                  Both(VerdictWords(measured.verdict)));
  out += FigureCell(FormatCount(measured.texts));
  const std::optional<uint32_t> radius = measured.used_radius;
  const std::string figure = radius ? fmt::format("{}", *radius) : "–";
  out += FigureCell(radius && !measured.radius ? "(" + figure + ")" : figure);
  out += FigureCell(PageCounts(measured.unrelated.Joined(radius.value_or(0)), kMillionPairs));
  for (size_t i = 0; i < kChangedShares.size(); ++i) {
    const ChangedCopies& copies = measured.changed[i];
    if (!radius || copies.copies == 0) {
      out += FigureCell("–");
      continue;
    }
    const ShareInterval found = copies.Found(*radius);
    out += FigureCell(kChangedShares[i] == wanted ? PageInterval(found) : PageShareOf(found.share));
  }
  out += FigureCell(measured.threshold ? fmt::format("{:.2f}", *measured.threshold) : "–");
  return out + "</tr>";
}

std::string RenderLengthTable(const Calibration& calibration) {
  std::string out =
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"lengths-title\">"
      "<table class=\"figures lengths\"><thead><tr>" +
      HeadCell({"characters", "字数"}, "") + HeadCell({"verdict", "结论"}, "") +
      HeadCell({"texts", "文本"}) + HeadCell({"radius", "半径"}) +
      HeadCell({"false joins in 10⁶", "每 10⁶ 对误并"});
  for (const double share : kChangedShares) out += FindsHead(share);
  out += HeadCell({"threshold", "阈值"}) + "</tr></thead><tbody>";
  for (const LengthCalibration& length : calibration.lengths) {
    out += LengthRow(length, calibration.changed);
  }
  return out + LengthRow(calibration.all, calibration.changed) + "</tbody></table></div>";
}

std::string RenderBoxes(const Calibration& calibration) {
  std::string out = "<div class=\"charts\">";
  size_t number = 0;
  out += RenderDistanceBoxes(calibration, calibration.all, number);
  for (const LengthCalibration& length : calibration.lengths) {
    if (length.texts > 0) out += RenderDistanceBoxes(calibration, length, ++number);
  }
  return out + "</div>";
}

// The figures of both curves.
std::string RenderRadiusTable(const Calibration& calibration) {
  std::string out =
      "<div class=\"fold\" data-fold=\"table\"><div class=\"scroll\" role=\"region\" "
      "tabindex=\"0\" aria-labelledby=\"radius-title\"><table class=\"figures "
      "lengths\"><thead><tr>" +
      HeadCell({"radius", "半径"}, "") + HeadCell({"false joins in 10⁶", "每 10⁶ 对误并"}) +
      HeadCell({"for documents", "适用篇数"});
  for (const double share : kChangedShares) out += FindsHead(share);
  out += "</tr></thead><tbody>";
  for (uint32_t radius = 0; radius <= calibration.bits / 2; ++radius) {
    const ShareInterval joined = calibration.all.unrelated.Joined(radius);
    out += fmt::format("<tr><th scope=\"row\">{}</th>", radius) +
           FigureCell(PageCounts(joined, kMillionPairs)) +
           FigureCell(FormatCount(DocumentsWithFewFalseJoins(joined)));
    for (const ChangedCopies& copies : calibration.all.changed) {
      out += FigureCell(copies.copies > 0 ? PageShareOf(copies.Found(radius).share) : "–");
    }
    out += "</tr>";
  }
  return out + "</tbody></table></div></div>";
}

std::string RenderRadius(const Calibration& calibration) {
  return "<div class=\"charts\">" + RenderFoundCurves(calibration) + RenderFalseJoins(calibration) +
         "</div>" + RenderRadiusTable(calibration);
}

std::string RenderSample(const Calibration& calibration) {
  const std::string texts = FormatCount(calibration.texts);
  const std::string documents = FormatCount(calibration.documents);
  const std::string pairs = FormatCount(calibration.all.unrelated.pairs());
  const std::string unrelated = fmt::format("{:g}", calibration.unrelated);
  return Paragraph(
      "note",
      {fmt::format("{}: {} different texts drawn from {} documents (seed {}); {} pairs "
                   "with a resemblance below {}.",
                   HtmlCode(calibration.scheme), texts, documents, calibration.seed, pairs,
                   unrelated),
       fmt::format("{}：从 {} 篇文档中抽取 {} 篇不同的文本（种子 {}）；{} 对文本的相似度低于 {}。",
                   HtmlCode(calibration.scheme), documents, texts, calibration.seed, pairs,
                   unrelated)});
}

PageKind KindOfCalibration() {
  return {.title_en = "Calibration of a radius",
          .title_zh = "半径校准",
          .figures_en = "the same command asked for JSON",
          .figures_zh = "同一命令的 JSON 输出",
          .sections = kCalibrationHtml};
}

constexpr std::string_view kTomlBeginning = "# A recommendation of zhiwen calibrate";

OutputFileKind KindOfFile(CalibrationOutput::Form form) {
  const bool is_page = form == CalibrationOutput::Form::kPage;
  return KindThatBeginsWith(
      "calibration", is_page ? BeginningOf(KindOfCalibration()) : std::string(kTomlBeginning));
}

}  // namespace

std::string RenderCalibrationPage(const Calibration& calibration,
                                  std::span<const std::string> command) {
  return FillPage(KindOfCalibration(),
                  {
                      {"headline", [&] { return RenderHeadline(calibration); }},
                      {"unfit", [&] { return RenderUnfit(calibration); }},
                      {"lengths", [&] { return RenderLengthTable(calibration); }},
                      {"sample", [&] { return RenderSample(calibration); }},
                      {"boxes", [&] { return RenderBoxes(calibration); }},
                      {"radius", [&] { return RenderRadius(calibration); }},
                      {"related", [&] { return RenderRelatedPairs(calibration); }},
                      {"command", [&] { return RenderCommand(command); }},
                  });
}

CalibrationOutput::CalibrationOutput(std::unique_ptr<OutputFile> output, Form form)
    : output_(std::move(output)), form_(form) {}
CalibrationOutput::~CalibrationOutput() = default;

Result<std::unique_ptr<CalibrationOutput>> CalibrationOutput::Create(FileSystem& files,
                                                                     const std::string& path,
                                                                     Form form, Existing existing) {
  ZHIWEN_ASSIGN_OR_RETURN(
      std::unique_ptr<OutputFile> output,
      OutputFile::Create(files, KindOfFile(form),
                         {.path = path, .overwrite = existing == Existing::kReplace}));
  return std::unique_ptr<CalibrationOutput>(new CalibrationOutput(std::move(output), form));
}

Status CalibrationOutput::Publish(const Calibration& calibration,
                                  std::span<const std::string> command) {
  return output_->PublishBytes(form_ == Form::kPage ? RenderCalibrationPage(calibration, command)
                                                    : CalibrationToToml(calibration, command));
}

}  // namespace zhiwen
