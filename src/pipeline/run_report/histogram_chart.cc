#include "pipeline/run_report/histogram_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace zhiwen {
namespace {

struct Frame {
  std::string_view css_class;
  double width, height;
  double right, top, bottom;  // margins
  double left = 0;            // as the labels need it

  double plot_width() const { return width - left - right; }
  double plot_height() const { return height - top - bottom; }
};

constexpr Frame kWide = {"wide", 520, 270, 10, 26, 46};
constexpr Frame kNarrow = {"narrow", 330, 240, 8, 26, 46};
constexpr double kDigitWidth = 7.6;  // at 12 px, in the widest of usual fonts
constexpr double kLabelGap = 7;
constexpr int kSteps = 4;  // of the vertical axis, about

uint64_t HighestBin(const HistogramChart& chart) {
  uint64_t highest = 1;
  for (size_t bin = 0; bin < chart.bins.size(); ++bin) {
    uint64_t total = 0;
    for (const ChartSeries& series : chart.series) total += series.counts[bin];
    highest = std::max(highest, total);
  }
  return highest;
}

// The smallest of 1, 2, 5, 10, 20 … that cuts `highest` into at most kSteps + 1 steps.
uint64_t NiceStep(uint64_t highest) {
  uint64_t power = 1;
  while (true) {
    for (const uint64_t factor : {1U, 2U, 5U}) {
      if (highest / (power * factor) <= kSteps) return power * factor;
    }
    power *= 10;
  }
}

class Drawing {
 public:
  Drawing(const HistogramChart& chart, const Frame& frame)
      : chart_(chart), frame_(frame), highest_(HighestBin(chart)), step_(NiceStep(highest_)) {
    top_value_ = (highest_ + step_ - 1) / step_ * step_;
    frame_.left = kDigitWidth * static_cast<double>(FormatCount(top_value_).size()) + kLabelGap + 4;
  }

  std::string Render() {
    Put("<svg class=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{}-title {}-sum\">",
        frame_.css_class, frame_.width, frame_.height, chart_.id, chart_.id);
    DrawGrid();
    DrawBars();
    DrawTicks();
    Text("axis", 0, 12, "start", chart_.y_axis);
    Text("axis", frame_.left + frame_.plot_width(), frame_.height - 6, "end", chart_.x_axis);
    out_ += "</svg>";
    return std::move(out_);
  }

 private:
  template <typename... Values>
  void Put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
  }

  void Text(std::string_view css_class, double x, double y, std::string_view anchor,
            const Words& words) {
    for (const auto& [language, text] : {std::pair("en", std::string_view(words.en)),
                                         std::pair("zh-CN", std::string_view(words.zh))}) {
      Put("<text class=\"{} t\" lang=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>",
          css_class, language, x, y, anchor, text);
    }
  }

  double X(size_t edge) const {
    return frame_.left + frame_.plot_width() * static_cast<double>(edge) /
                             static_cast<double>(chart_.bins.size());
  }
  double Y(uint64_t value) const {
    return frame_.top + frame_.plot_height() *
                            (1 - static_cast<double>(value) / static_cast<double>(top_value_));
  }

  void DrawGrid() {
    for (uint64_t value = 0; value <= top_value_; value += step_) {
      Put("<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
          value == 0 ? "base" : "grid", frame_.left, frame_.width - frame_.right, Y(value),
          Y(value));
      Put("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
          frame_.left - kLabelGap, Y(value) + 4, FormatCount(value));
    }
  }

  void DrawBars() {
    const double width = X(1) - X(0);
    const double gap = std::min(1.5, width * 0.12);
    for (size_t bin = 0; bin < chart_.bins.size(); ++bin) {
      uint64_t below = 0;
      for (const ChartSeries& series : chart_.series) {
        const uint64_t count = series.counts[bin];
        if (count == 0) continue;
        const double bottom = Y(below);
        below += count;
        // One document among millions is still a line.
        const double height = std::max(bottom - Y(below), 0.7);
        Put("<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>",
            series.css_class, X(bin) + gap / 2, bottom - height, width - gap, height);
      }
    }
  }

  void DrawTicks() {
    double free_from = 0;  // where a label may start without touching the last one
    for (const auto& [edge, label] : chart_.x_ticks) {
      const double half = kDigitWidth / 2 * static_cast<double>(label.size());
      if (X(edge) - half < free_from) continue;
      const bool touches_end = X(edge) + half > frame_.width;
      free_from = X(edge) + half + 6;
      Put("<line class=\"base\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", X(edge),
          X(edge), Y(0), Y(0) + 4);
      Put("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>",
          touches_end ? frame_.width : X(edge), Y(0) + 17, touches_end ? "end" : "middle", label);
    }
  }

  const HistogramChart& chart_;
  Frame frame_;
  uint64_t highest_, step_, top_value_ = 1;
  std::string out_;
};

std::string RenderLegend(const HistogramChart& chart) {
  std::string out = "<p class=\"legend\" aria-hidden=\"true\">";
  for (const ChartSeries& series : chart.series) {
    out += fmt::format(
        "<span><svg class=\"key\" viewBox=\"0 0 10 10\"><rect class=\"{}\" width=\"10\" "
        "height=\"10\"/></svg>{}</span>",
        series.css_class, Both(series.name));
  }
  return out + "</p>";
}

std::string RenderTable(const HistogramChart& chart) {
  std::string out = fmt::format(
      "<div class=\"fold\" data-fold=\"table\"><div class=\"scroll\" role=\"region\" "
      "tabindex=\"0\" "
      "aria-labelledby=\"{2} {0}-title\"><table class=\"figures\"><thead><tr><th "
      "scope=\"col\">{1}</th>",
      chart.id, Both(chart.bin_header), chart.heading);
  for (const ChartSeries& series : chart.series) {
    out += fmt::format("<th scope=\"col\" class=\"n\">{}</th>", Both(series.name));
  }
  out += "</tr></thead><tbody>";
  for (size_t bin = 0; bin < chart.bins.size(); ++bin) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", chart.bins[bin]);
    for (const ChartSeries& series : chart.series) {
      out += fmt::format("<td class=\"n\">{}</td>", FormatCount(series.counts[bin]));
    }
    out += "</tr>";
  }
  return out + "</tbody></table></div></div>";
}

}  // namespace

std::string RenderHistogram(const HistogramChart& chart) {
  return fmt::format(
      "<figure class=\"chart\" id=\"{0}\"><figcaption id=\"{0}-title\">{1}</figcaption>{2}{3}{4}"
      "<p class=\"note\" id=\"{0}-sum\">{5}</p>{6}</figure>",
      chart.id, Both(chart.title), RenderLegend(chart), Drawing(chart, kWide).Render(),
      Drawing(chart, kNarrow).Render(), Both(chart.summary), RenderTable(chart));
}

}  // namespace zhiwen
