#include "pipeline/calibrate/calibration_charts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "pipeline/run_report/histogram_chart.h"
#include "pipeline/run_report/page_words.h"

namespace zhiwen {
namespace {

constexpr double kWidth = 520, kHeight = 290, kLeft = 46, kRight = 14, kTop = 26, kBottom = 46;
constexpr uint32_t kDistanceStep = 8;  // between lines of the grid

struct Point {
  double x = 0, y = 0;
};

// A plot: x and y are linear from their first to their last value.
class Plot {
 public:
  Plot(Point least, Point most) : least_(least), most_(most) {}

  double X(double x) const {
    return kLeft + (kWidth - kLeft - kRight) * (x - least_.x) / (most_.x - least_.x);
  }
  double Y(double y) const {
    return kTop + (kHeight - kTop - kBottom) * (most_.y - y) / (most_.y - least_.y);
  }

  template <typename... Values>
  void Put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Values>(values)...);
  }

  void Text(std::string_view css_class, Point at, std::string_view anchor, const Words& words) {
    for (const auto& [language, text] : {std::pair("en", std::string_view(words.en)),
                                         std::pair("zh-CN", std::string_view(words.zh))}) {
      Put("<text class=\"{} t\" lang=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>",
          css_class, language, at.x, at.y, anchor, text);
    }
  }
  void Axes(const Words& x, const Words& y) {
    Text("axis", {0, 12}, "start", y);
    Text("axis", {X(most_.x), kHeight - 6}, "end", x);
  }
  void TickOfY(double y, std::string_view label) {
    Put("<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
        y == least_.y ? "base" : "grid", kLeft, kWidth - kRight, Y(y), Y(y), kLeft - 6, Y(y) + 4,
        label);
  }
  void TickOfX(double x, std::string_view label) {
    Put("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", X(x),
        Y(least_.y) + 17, label);
  }
  void LevelLine(double y, const Words& name) {
    Put("<line class=\"limit\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", kLeft,
        kWidth - kRight, Y(y), Y(y));
    Text("limit-name", {kWidth - kRight, Y(y) - 5}, "end", name);
  }
  void UprightLine(double x, const Words& name) {
    Put("<line class=\"limit\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", X(x),
        X(x), kTop, Y(least_.y));
    Text("limit-name", {X(x), kTop - 6}, "middle", name);
  }
  void Curve(std::string_view css_class, const std::vector<Point>& points) {
    if (points.empty()) return;
    Put("<path class=\"{}\" d=\"", css_class);
    for (size_t i = 0; i < points.size(); ++i) {
      Put("{}{:.1f} {:.1f}", i == 0 ? 'M' : 'L', X(points[i].x), Y(points[i].y));
    }
    svg_ += "\"/>";
  }

  std::string Figure(std::string_view id, const Words& title, const Words& summary,
                     std::string_view legend) const {
    return fmt::format(
        "<figure class=\"chart\" id=\"{0}\"><figcaption id=\"{0}-title\">{1}</figcaption>{2}"
        "<svg class=\"curves\" viewBox=\"0 0 {3} {4}\" role=\"img\" aria-labelledby=\"{0}-title "
        "{0}-sum\">{5}</svg><p class=\"note\" id=\"{0}-sum\">{6}</p></figure>",
        id, Both(title), legend, kWidth, kHeight, svg_, Both(summary));
  }

 private:
  const Point least_, most_;
  std::string svg_;
};

std::string PercentOf(double share) { return fmt::format("{:g} %", 100 * share); }

Words RadiusName(uint32_t radius) {
  return {fmt::format("radius {}", radius), fmt::format("半径 {}", radius)};
}

struct LegendEntry {
  std::string_view css_class;
  Words name;
};

std::string Legend(std::initializer_list<LegendEntry> entries) {
  std::string out = "<p class=\"legend\" aria-hidden=\"true\">";
  for (const auto& [css_class, name] : entries) {
    out += fmt::format(
        "<span><svg class=\"key\" viewBox=\"0 0 10 10\"><rect class=\"{}\" width=\"10\" "
        "height=\"10\"/></svg>{}</span>",
        css_class, Both(name));
  }
  return out + "</p>";
}

// Draws the 5th to 95th percentile as a thin box, the 25th to 75th as a wide one, and the median.
void DrawBox(Plot& plot, double x, const DistanceCounts& counts, std::string_view css_class) {
  const auto at = [&](double share) {
    return plot.Y(static_cast<double>(DistanceQuantile(counts, share).value_or(0)));
  };
  const auto box = [&](std::string_view part, double half, double from, double to) {
    // A box without extent is still a line.
    const double top = std::min(from, to - 2);
    plot.Put("<rect class=\"{} {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
             css_class, part, plot.X(x) - half, top, 2 * half, to - top);
  };
  if (!DistanceQuantile(counts, 0.5)) return;
  box("outer", 4, at(0.95), at(0.05));
  box("inner", 11, at(0.75), at(0.25));
  plot.Put("<line class=\"median\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
           plot.X(x) - 13, plot.X(x) + 13, at(0.5), at(0.5));
}

// Chance that two codes of independent, even bits are within the radius.
double ChanceOfEvenBits(uint32_t bits, uint32_t radius) {
  double sum = 0;
  for (uint32_t distance = 0; distance <= radius; ++distance) {
    sum += std::exp(std::lgamma(bits + 1.0) - std::lgamma(distance + 1.0) -
                    std::lgamma(bits - distance + 1.0) - bits * std::log(2.0));
  }
  return sum;
}

constexpr double kLeastPower = -15;  // of ten, of the shares that are drawn

double PowerOf(double share) { return std::max(kLeastPower, std::log10(std::max(share, 1e-300))); }

Words RelatedName(const Calibration& calibration, size_t bin) {
  const double from = bin == 0 ? calibration.unrelated : kRelatedFrom[bin];
  const double to = bin + 1 < kRelatedFrom.size() ? kRelatedFrom[bin + 1] : 1;
  const std::string range = fmt::format("{:g}–{:g}", std::max(from, kRelatedFrom[bin]), to);
  return {"resemblance " + range, "相似度 " + range};
}

}  // namespace

std::string RenderDistanceBoxes(const Calibration& calibration, const LengthCalibration& measured,
                                size_t number) {
  const auto shares = static_cast<double>(kChangedShares.size());
  const uint32_t most = calibration.bits * 3 / 4;  // unrelated texts are around a half
  Plot plot({-0.6, 0}, {shares + 0.7, static_cast<double>(most)});
  for (uint32_t distance = 0; distance <= most; distance += kDistanceStep) {
    plot.TickOfY(distance, fmt::format("{}", distance));
  }
  for (size_t i = 0; i < kChangedShares.size(); ++i) {
    plot.TickOfX(static_cast<double>(i), PercentOf(kChangedShares[i]));
    DrawBox(plot, static_cast<double>(i), measured.changed[i].by_distance, "copies");
  }
  DrawBox(plot, shares + 0.1, measured.unrelated.by_distance, "others");
  plot.Text("tick", {plot.X(shares + 0.1), plot.Y(0) + 17}, "middle", {"unrelated", "无关"});
  plot.Axes({"characters changed in copies", "副本中改动的字符"},
            {"bits that differ", "不同的位数"});
  if (measured.used_radius) {
    plot.LevelLine(*measured.used_radius, RadiusName(*measured.used_radius));
  }
  const std::string length = NameOfLength(measured);
  const std::optional<uint32_t> nearest = DistanceQuantile(measured.unrelated.by_distance, 0);
  const std::string texts = FormatCount(measured.texts);
  const std::string pairs = FormatCount(measured.unrelated.pairs());
  const std::string bits = nearest ? fmt::format("{}", *nearest) : "–";
  const bool is_all = measured.from == 0 && measured.to == 0;
  std::string name = length;
  if (const size_t less = name.find('<'); less != std::string::npos) name.replace(less, 1, "&lt;");
  return plot.Figure(
      fmt::format("boxes-{}", number),
      is_all ? Words{"All lengths", "全部长度"} : Words{name + " characters", name + " 字"},
      {fmt::format("{} texts, {} unrelated pairs, of which the nearest differ in {} bits.", texts,
                   pairs, bits),
       fmt::format("{} 篇文本，{} 对无关文本，其中最近的相差 {} 位。", texts, pairs, bits)},
      "");
}

std::string RenderFoundCurves(const Calibration& calibration) {
  const uint32_t most = calibration.bits / 2;
  Plot plot({0, 0}, {static_cast<double>(most), 1});
  for (int step = 0; step <= 4; ++step) plot.TickOfY(step / 4.0, fmt::format("{} %", 25 * step));
  for (uint32_t x = 0; x <= most; x += most / 8) plot.TickOfX(x, fmt::format("{}", x));
  for (size_t i = 0; i < kChangedShares.size(); ++i) {
    const ChangedCopies& copies = calibration.all.changed[i];
    if (copies.copies == 0) continue;
    std::vector<Point> points;
    for (uint32_t radius = 0; radius <= most; ++radius) {
      points.push_back({static_cast<double>(radius), copies.Found(radius).share});
    }
    plot.Curve(kChangedShares[i] == calibration.changed ? "curve target" : "curve", points);
    // Its name stands on it, at a height of its own, so that names do not meet.
    const double height = 0.75 - 0.1 * static_cast<double>(i);
    const auto crossing = std::ranges::find_if(points, [&](Point p) { return p.y >= height; });
    if (crossing == points.end()) continue;
    plot.Put("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
             plot.X(crossing->x), plot.Y(crossing->y) + 4, PercentOf(kChangedShares[i]));
  }
  if (calibration.all.radius) {
    plot.UprightLine(*calibration.all.radius, RadiusName(*calibration.all.radius));
  }
  plot.Axes({"radius", "半径"}, {"copies found", "找到的副本"});
  return plot.Figure("found", {"What a radius finds", "半径能找到什么"},
                     {"A curve for each share of the characters that was changed; the wide one is "
                      "the share that is wanted.",
                      "每条曲线对应一种改动比例；粗线为要求找到的比例。"},
                     "");
}

std::string RenderFalseJoins(const Calibration& calibration) {
  const uint32_t most = calibration.bits / 2;
  Plot plot({0, kLeastPower}, {static_cast<double>(most), 0});
  for (int power = 0; power >= static_cast<int>(kLeastPower); power -= 3) {
    plot.TickOfY(
        power,
        power == 0 ? "1" : fmt::format("10<tspan dy=\"-4\" font-size=\"9\">−{}</tspan>", -power));
  }
  for (uint32_t x = 0; x <= most; x += most / 8) plot.TickOfX(x, fmt::format("{}", x));
  std::vector<Point> upper, counted, even, band;
  for (uint32_t radius = 0; radius <= most; ++radius) {
    const ShareInterval joined = calibration.all.unrelated.Joined(radius);
    const double x = radius;
    upper.push_back({x, PowerOf(joined.high)});
    if (joined.share > 0) counted.push_back({x, PowerOf(joined.share)});
    even.push_back({x, PowerOf(ChanceOfEvenBits(calibration.bits, radius))});
    band.push_back({x, PowerOf(joined.low)});
  }
  std::ranges::reverse(band);
  band.insert(band.begin(), upper.begin(), upper.end());
  plot.Curve("band", band);
  plot.Curve("even", even);
  plot.Curve("curve false", counted);
  const auto one_in = static_cast<double>(calibration.false_joins_one_in);
  plot.LevelLine(PowerOf(1 / one_in),
                 {"wanted: 1 in " + FormatCount(calibration.false_joins_one_in),
                  "要求：" + FormatCount(calibration.false_joins_one_in) + " 分之一"});
  if (calibration.all.radius) {
    plot.UprightLine(*calibration.all.radius, RadiusName(*calibration.all.radius));
  }
  plot.Axes({"radius", "半径"}, {"unrelated pairs joined", "被误并的无关文本对"});
  return plot.Figure(
      "false-joins", {"What a radius joins wrongly", "半径会误并什么"},
      {"Below the nearest unrelated pair of the sample only the upper end of the interval is "
       "known. The dotted line is what independent, even bits would give.",
       "低于样本中最近的无关文本对时，只知道区间的上端。虚线为各位独立且均匀时的值。"},
      Legend({{"false-key", {"counted", "实测"}},
              {"band", {"interval at 95 %", "95 % 区间"}},
              {"even-key", {"even bits", "均匀的位"}}}));
}

std::string RenderRelatedPairs(const Calibration& calibration) {
  HistogramChart chart;
  chart.id = "related-pairs";
  chart.heading = "related-title";
  chart.title = {"Related pairs by distance", "相关文本对的距离分布"};
  const uint64_t pairs = calibration.CountRelated(calibration.bits);
  if (pairs == 0) {
    return Absent("No two texts of the sample resemble each other.", "样本中没有彼此相似的文本。");
  }
  const std::string count = FormatCount(pairs);
  chart.summary = {count + " pairs", count + " 对"};
  chart.x_axis = {"bits that differ", "不同的位数"};
  chart.y_axis = {"pairs", "对"};
  chart.bin_header = {"bits", "位数"};
  const uint32_t most = calibration.bits / 2;
  for (uint32_t distance = 0; distance <= most; ++distance) {
    chart.bins.push_back(fmt::format("{}", distance));
    if (distance % 4 == 0) chart.x_ticks.emplace_back(distance, fmt::format("{}", distance));
  }
  for (size_t bin = kRelatedFrom.size(); bin-- > 0;) {
    const DistanceCounts& counts = calibration.all.related[bin];
    if (CountWithin(counts, calibration.bits) == 0) continue;
    chart.series.push_back({RelatedName(calibration, bin),
                            fmt::format("related-{}", bin),
                            {counts.begin(), counts.begin() + most + 1}});
  }
  return RenderHistogram(chart);
}

}  // namespace zhiwen
