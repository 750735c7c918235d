#include "pipeline/evaluate/curve_chart.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <utility>

#include "pipeline/run_report/page_words.h"

namespace zhiwen {
namespace {

constexpr double kWidth = 520, kHeight = 270, kLeft = 40, kRight = 10, kTop = 26, kBottom = 46;
constexpr int kSteps = 5;

double X(double recall) { return kLeft + (kWidth - kLeft - kRight) * recall; }
double Y(double precision) { return kTop + (kHeight - kTop - kBottom) * (1 - precision); }

void AppendText(std::string& out, double x, double y, std::string_view anchor, const Words& words) {
  for (const auto& [language, text] : {std::pair("en", std::string_view(words.en)),
                                       std::pair("zh-CN", std::string_view(words.zh))}) {
    fmt::format_to(std::back_inserter(out),
                   "<text class=\"axis t\" lang=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" "
                   "text-anchor=\"{}\">{}</text>",
                   language, x, y, anchor, text);
  }
}

void AppendGrid(std::string& out) {
  for (int step = 0; step <= kSteps; ++step) {
    const double at = static_cast<double>(step) / kSteps;
    fmt::format_to(std::back_inserter(out),
                   "<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
                   "<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.1f}"
                   "</text><text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" "
                   "text-anchor=\"middle\">{:.1f}</text>",
                   step == 0 ? "base" : "grid", X(0), X(1), Y(at), Y(at), X(0) - 7, Y(at) + 4, at,
                   X(at) - (step == kSteps ? 4 : 0), Y(0) + 17, at);
  }
  AppendText(out, 0, 12, "start", {"precision", "精确率"});
  AppendText(out, X(1), kHeight - 6, "end", {"recall", "召回率"});
}

void AppendMark(std::string& out, std::string_view css_class,
                const std::optional<ThresholdResult>& result) {
  if (!result) return;
  const auto precision = result->pairs.Precision(), recall = result->pairs.Recall();
  if (!precision || !recall) return;
  fmt::format_to(std::back_inserter(out),
                 "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>", css_class,
                 X(*recall), Y(*precision));
}

std::string RenderLegend() {
  std::string out = "<p class=\"legend\" aria-hidden=\"true\">";
  for (const auto& [css_class, words] :
       {std::pair("mark-best", Words{"at the best threshold", "最佳阈值处"}),
        std::pair("mark-source", Words{"at the source’s threshold", "出处阈值处"})}) {
    out += fmt::format(
        "<span><svg class=\"key\" viewBox=\"0 0 10 10\"><circle class=\"{}\" cx=\"5\" cy=\"5\" "
        "r=\"3.5\"/></svg>{}</span>",
        css_class, Both(words));
  }
  return out + "</p>";
}

}  // namespace

std::string RenderCurve(const EvaluationRow& row, std::string_view id) {
  std::string svg;
  AppendGrid(svg);
  if (!row.curve.empty()) {
    svg += fmt::format("<path class=\"curve\" d=\"M{:.1f} {:.1f}", X(0), Y(row.curve[0].precision));
    for (const CurvePoint& point : row.curve) {
      fmt::format_to(std::back_inserter(svg), "V{:.1f}H{:.1f}", Y(point.precision),
                     X(point.recall));
    }
    svg += "\"/>";
  }
  AppendMark(svg, "mark-source", row.at_source);
  AppendMark(svg, "mark-best", row.at_best);
  const std::string area = row.area ? fmt::format("{:.4f}", *row.area) : "–";
  return fmt::format(
      "<figure class=\"chart\" id=\"{0}\"><figcaption id=\"{0}-title\">{1}</figcaption>{2}"
      "<svg class=\"curves\" viewBox=\"0 0 {3} {4}\" role=\"img\" aria-labelledby=\"{0}-title "
      "{0}-sum\">{5}</svg>"
      "<p class=\"note\" id=\"{0}-sum\">{6}</p></figure>",
      id, Both("Precision over recall", "精确率与召回率"), RenderLegend(), kWidth, kHeight, svg,
      Both("area: " + area, "面积：" + area));
}

}  // namespace zhiwen
