#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/files/output_file.h"
#include "pipeline/evaluate/curve_chart.h"
#include "pipeline/run_report/histogram_chart.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/page_files.h"
#include "pipeline/run_report/page_frame.h"
#include "pipeline/run_report/page_words.h"
#include "zhiwen/evaluation.h"

namespace zhiwen {
namespace {

constexpr size_t kNameCharacters = 200;
constexpr std::string_view kBreakAfter = ",(";
constexpr int kTints = 5;

// The name of a scheme, which may be longer than a phone is wide.
std::string SchemeLabel(std::string_view name, size_t characters = kNameCharacters) {
  std::string out;
  for (const char letter : HtmlLabel(name, characters)) {
    out += letter;
    if (kBreakAfter.find(letter) != std::string_view::npos) out += "<wbr>";
  }
  return out;
}

std::string Figure(std::optional<double> value) {
  return value ? fmt::format("{:.3f}", *value) : "–";
}

std::string Threshold(const std::optional<ThresholdResult>& result) {
  if (!result) return "–";
  return result->threshold < 1e-6 ? "&gt;&nbsp;0" : FormatSimilarity(result->threshold);
}

// Rounded down: 100 only when it is all.
std::string Percent(double share) {
  return fmt::format("{}", static_cast<int>(std::floor(100 * share + 1e-9)));
}

std::string TableCell(const std::string& content) {
  return fmt::format("<td class=\"n\">{}</td>", content);
}

std::string ResultCells(const std::optional<ThresholdResult>& result) {
  const auto figure = [&](std::optional<double> (PairDecisions::*of)() const) {
    return TableCell(Figure(result ? (result->pairs.*of)() : std::nullopt));
  };
  return TableCell(Threshold(result)) + figure(&PairDecisions::Precision) +
         figure(&PairDecisions::Recall) + figure(&PairDecisions::F1);
}

std::string PerText(const EvaluationRow& row) {
  if (row.texts == 0) return "–";
  return PageBytes(static_cast<uint64_t>(
      std::llround(static_cast<double>(row.value_bytes) / static_cast<double>(row.texts))));
}

// The head of a table in two rows: names of columns, and below those of both thresholds what
// ResultCells says of each.
std::string TwoRowHead(const Words& row_name, const Words& before,
                       std::initializer_list<Words> behind) {
  const auto tall = [](const Words& words) {
    return fmt::format("<th scope=\"col\" rowspan=\"2\" class=\"n\">{}</th>", Both(words));
  };
  std::string out =
      fmt::format("<thead><tr><th scope=\"col\" rowspan=\"2\">{}</th>", Both(row_name)) +
      tall(before);
  std::string below;
  for (const Words& threshold : {Words{"at the best threshold", "最佳阈值"},
                                 Words{"at the source’s threshold", "出处阈值"}}) {
    out += fmt::format("<th scope=\"colgroup\" colspan=\"4\" class=\"group\">{}</th>",
                       Both(threshold));
    for (const Words& figure : {Words{"≥", "≥"}, Words{"precision", "精确率"},
                                Words{"recall", "召回率"}, Words{"F1", "F1"}}) {
      below += fmt::format("<th scope=\"col\" class=\"n\">{}</th>", Both(figure));
    }
  }
  for (const Words& words : behind) out += tall(words);
  const std::string_view row = behind.size() == 0 ? "<tr>" : "<tr class=\"inner\">";
  return fmt::format("{}</tr>{}{}</tr></thead>", out, row, below);
}

std::string ScrollBegin(std::string_view labelled_by, std::string_view table_class) {
  return fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"{}\"><table "
      "class=\"{}\">",
      labelled_by, table_class);
}

std::string RenderHeadline(const Evaluation& evaluation) {
  if (evaluation.schemes.empty()) return "";
  const EvaluationRow& all = evaluation.schemes.front().rows.front();
  const std::string pairs = FormatCount(evaluation.pairs), copies = FormatCount(all.copies);
  const std::string schemes = FormatCount(evaluation.schemes.size());
  return fmt::format(
      "<p class=\"lead\">{}</p>",
      Both(fmt::format("<b>{}</b> on {} pairs, <b class=\"kept\">{}</b> of them copies.",
                       FormatPlural(evaluation.schemes.size(), "scheme"), pairs, copies),
           fmt::format("<b>{}</b> 个方案，{} 对文本，其中 <b class=\"kept\">{}</b> 对重复。",
                       schemes, pairs, copies)));
}

std::string RenderSchemes(const Evaluation& evaluation) {
  std::string out =
      ScrollBegin("schemes-title", "figures") +
      TwoRowHead(
          {"scheme", "方案"}, {"area", "面积"},
          {{"stored a text", "每篇存储"}, {"MB/s a core", "MB/s（单核）"}, {"no value", "无值"}}) +
      "<tbody>";
  size_t number = 0;
  for (const SchemeEvaluation& scheme : evaluation.schemes) {
    const EvaluationRow& all = scheme.rows.front();
    out += fmt::format("<tr><th scope=\"row\"><a href=\"#scheme-{0}\">{0}</a> {1}</th>", ++number,
                       SchemeLabel(scheme.scheme));
    out += TableCell(Figure(all.area)) + ResultCells(all.at_best) + ResultCells(all.at_source);
    out += TableCell(PerText(all)) +
           TableCell(fmt::format("{:.1f}", scheme.bytes_per_second / 1e6)) +
           TableCell(PageShare(all.texts_without_value, all.texts)) + "</tr>";
  }
  return out + "</tbody></table></div>";
}

std::string RenderSkipped(const Evaluation& evaluation) {
  if (evaluation.skipped.empty()) return "";
  std::string out = fmt::format("<h3>{}</h3><ul class=\"warnings\">",
                                Both("Schemes that were left out", "未评测的方案"));
  for (const SkippedScheme& skipped : evaluation.skipped) {
    out += fmt::format("<li>{}: {}</li>", SchemeLabel(skipped.scheme),
                       HtmlLabel(skipped.why, kNameCharacters));
  }
  return out + "</ul>";
}

using FigureOf = std::function<std::optional<double>(const EvaluationRow&)>;

std::string RowName(const EvaluationRow& row) {
  const std::string corpus =
      row.corpus.empty() ? Both("all", "全部") : HtmlLabel(row.corpus, kNameCharacters);
  const std::string& part = row.relation.empty() ? row.length : row.relation;
  return part.empty() ? corpus : corpus + " · " + HtmlLabel(part, kNameCharacters);
}

// A table of rows and schemes.
std::string RenderMatrix(const Evaluation& evaluation, const Words& title, std::string_view id,
                         const std::function<bool(const EvaluationRow&)>& is_shown,
                         const FigureOf& figure_of) {
  std::string body;
  const std::vector<EvaluationRow>& rows = evaluation.schemes.front().rows;
  for (size_t row = 0; row < rows.size(); ++row) {
    if (!is_shown(rows[row])) continue;
    body += fmt::format("<tr><th scope=\"row\">{}</th>", RowName(rows[row])) +
            TableCell(FormatCount(rows[row].copies)) + TableCell(FormatCount(rows[row].others));
    for (const SchemeEvaluation& scheme : evaluation.schemes) {
      const std::optional<double> figure = figure_of(scheme.rows[row]);
      body += fmt::format("<td class=\"n tint-{}\">{}</td>",
                          figure ? static_cast<int>(std::floor(*figure * kTints)) : 0,
                          figure ? Percent(*figure) : "–");
    }
    body += "</tr>";
  }
  if (body.empty()) return "";
  std::string out = fmt::format("<h3 id=\"{}\">{}</h3>", id, Both(title)) +
                    ScrollBegin(id, "matrix") + "<thead><tr><th scope=\"col\">" +
                    Both("corpus", "语料库") + "</th>";
  for (const Words& words : {Words{"copies", "重复"}, Words{"others", "其他"}}) {
    out += fmt::format("<th scope=\"col\" class=\"n\">{}</th>", Both(words));
  }
  for (size_t i = 1; i <= evaluation.schemes.size(); ++i) {
    out += fmt::format("<th scope=\"col\" class=\"n\"><a href=\"#scheme-{0}\">{0}</a></th>", i);
  }
  return out + "</tr></thead><tbody>" + body + "</tbody></table></div>";
}

std::string RenderRows(const Evaluation& evaluation) {
  if (evaluation.schemes.empty()) return "";
  const auto has_copies = [](const EvaluationRow& row) {
    return !row.relation.empty() && row.copies > 0;
  };
  const auto recall = [](const std::optional<ThresholdResult>& result) {
    return result ? result->pairs.Recall() : std::nullopt;
  };
  return RenderMatrix(
             evaluation, {"Area, by corpus and length", "面积，按语料库与长度"}, "area-rows",
             [](const EvaluationRow& row) { return row.relation.empty(); },
             [](const EvaluationRow& row) { return row.area; }) +
         RenderMatrix(evaluation,
                      {"Recall of relations, at the best threshold", "各关系的召回率，最佳阈值"},
                      "recall-best", has_copies,
                      [&](const EvaluationRow& row) { return recall(row.at_best); }) +
         RenderMatrix(
             evaluation,
             {"Recall of relations, at the source’s threshold", "各关系的召回率，出处阈值"},
             "recall-source", has_copies,
             [&](const EvaluationRow& row) { return recall(row.at_source); }) +
         RenderMatrix(
             evaluation,
             {"Mistaken for copies, at the best threshold", "误判为重复的比例，最佳阈值"},
             "mistaken-best",
             [](const EvaluationRow& row) { return !row.relation.empty() && row.copies == 0; },
             [](const EvaluationRow& row) {
               return row.at_best ? row.at_best->pairs.FalsePositives() : std::nullopt;
             });
}

HistogramChart SimilaritiesOf(const SchemeEvaluation& scheme, size_t number) {
  const EvaluationRow& all = scheme.rows.front();
  HistogramChart chart;
  chart.id = fmt::format("similarities-{}", number);
  chart.heading = fmt::format("scheme-{}", number);
  chart.title = {"Similarities of pairs", "文本对的相似度"};
  chart.summary = {"measure: " + HtmlLabel(scheme.measure), "度量：" + HtmlLabel(scheme.measure)};
  chart.x_axis = {"similarity", "相似度"};
  chart.y_axis = {"pairs", "对"};
  chart.bin_header = {"similarity", "相似度"};
  for (size_t bin = 0; bin < kSimilarityBins; ++bin) {
    const auto edge = [](size_t at) {
      return static_cast<double>(at) / static_cast<double>(kSimilarityBins);
    };
    chart.bins.push_back(fmt::format("{:.2f}–{:.2f}", edge(bin), edge(bin + 1)));
    if (bin % 4 == 0) chart.x_ticks.emplace_back(bin, fmt::format("{:.1f}", edge(bin)));
  }
  chart.x_ticks.emplace_back(kSimilarityBins, "1");
  chart.series = {{{"copies", "重复"}, "kept", all.copies_by_similarity},
                  {{"others", "其他"}, "removed", all.others_by_similarity}};
  return chart;
}

// What both thresholds make of each corpus and relation.
std::string RenderDecisions(const SchemeEvaluation& scheme, size_t number) {
  std::string body;
  size_t rows = 0;
  for (const EvaluationRow& row : scheme.rows) {
    const bool is_whole = row.relation.empty() && row.length.empty() && !row.corpus.empty();
    if (!is_whole && (row.relation.empty() || row.copies == 0)) continue;
    body += fmt::format("<tr><th scope=\"row\">{}</th>", RowName(row)) +
            TableCell(FormatCount(row.copies)) + ResultCells(row.at_best) +
            ResultCells(row.at_source) + "</tr>";
    ++rows;
  }
  if (rows == 0) return "";
  return fmt::format("<div class=\"fold\" data-fold=\"parts\" data-count=\"{}\">", rows) +
         ScrollBegin(fmt::format("scheme-{}", number), "figures") +
         TwoRowHead({"corpus", "语料库"}, {"copies", "重复"}, {}) + "<tbody>" + body +
         "</tbody></table></div></div>";
}

std::string RenderCharts(const Evaluation& evaluation) {
  std::string out;
  size_t number = 0;
  for (const SchemeEvaluation& scheme : evaluation.schemes) {
    ++number;
    out += fmt::format("<h3 id=\"scheme-{}\">{} {}</h3><p class=\"note\">{}</p>", number, number,
                       SchemeLabel(scheme.scheme),
                       SchemeLabel(scheme.canonical_name, 4 * kNameCharacters));
    out += "<div class=\"charts\">" +
           RenderCurve(scheme.rows.front(), fmt::format("curve-{}", number)) +
           RenderHistogram(SimilaritiesOf(scheme, number)) + "</div>" +
           RenderDecisions(scheme, number);
  }
  return out;
}

PageKind KindOfPage() {
  return {.title_en = "Evaluation of schemes",
          .title_zh = "指纹方案评测",
          .figures_en = "the same command asked for JSON",
          .figures_zh = "同一命令的 JSON 输出",
          .sections = kEvaluationHtml};
}

}  // namespace

std::string RenderEvaluationPage(const Evaluation& evaluation,
                                 std::span<const std::string> command) {
  return FillPage(KindOfPage(), {
                                    {"headline", [&] { return RenderHeadline(evaluation); }},
                                    {"schemes", [&] { return RenderSchemes(evaluation); }},
                                    {"skipped", [&] { return RenderSkipped(evaluation); }},
                                    {"rows", [&] { return RenderRows(evaluation); }},
                                    {"charts", [&] { return RenderCharts(evaluation); }},
                                    {"command", [&] { return RenderCommand(command); }},
                                });
}

EvaluationPage::EvaluationPage(std::unique_ptr<OutputFile> output) : output_(std::move(output)) {}
EvaluationPage::~EvaluationPage() = default;

Result<std::unique_ptr<EvaluationPage>> EvaluationPage::Create(FileSystem& files,
                                                               const std::string& path,
                                                               Existing existing) {
  ZHIWEN_ASSIGN_OR_RETURN(
      std::unique_ptr<OutputFile> output,
      OutputFile::Create(files, KindThatBeginsWith("evaluation", BeginningOf(KindOfPage())),
                         {.path = path, .overwrite = existing == Existing::kReplace}));
  return std::unique_ptr<EvaluationPage>(new EvaluationPage(std::move(output)));
}

Status EvaluationPage::Publish(const Evaluation& evaluation, std::span<const std::string> command) {
  return output_->PublishBytes(RenderEvaluationPage(evaluation, command));
}

}  // namespace zhiwen
