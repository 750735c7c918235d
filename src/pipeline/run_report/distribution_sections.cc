#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "pipeline/run_report/histogram_chart.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/page_words.h"
#include "pipeline/run_report/sections.h"

namespace zhiwen {
namespace {

// "15–21", "0", "7"
std::string BinName(const SizeBin& bin) {
  if (bin.end == bin.begin + 1) return FormatCount(bin.begin);
  return fmt::format("{}–{}", FormatCount(bin.begin), FormatCount(bin.end - 1));
}

bool IsPowerOfTen(uint64_t value) {
  while (value >= 10 && value % 10 == 0) value /= 10;
  return value == 1;
}

// The bins between the first and the last that hold anything.
std::vector<SizeBin> FilledBins(const std::vector<SizeBin>& bins) {
  const auto is_filled = [](const SizeBin& bin) { return bin.kept + bin.removed > 0; };
  const auto first = std::find_if(bins.begin(), bins.end(), is_filled);
  const auto last = std::find_if(bins.rbegin(), std::make_reverse_iterator(first), is_filled);
  return {first, last.base()};
}

Words SummarizeSizes(const std::vector<SizeBin>& bins) {
  uint64_t documents = 0, seen = 0;
  for (const SizeBin& bin : bins) documents += bin.kept + bin.removed;
  const SizeBin* middle = &bins.front();
  for (const SizeBin& bin : bins) {
    seen += bin.kept + bin.removed;
    middle = &bin;
    if (seen * 2 >= documents) break;
  }
  const std::string name = "<span class=\"whole\">" + BinName(*middle) + "</span>";
  return {fmt::format("The median length is {} characters.", name),
          fmt::format("长度的中位数是 {} 个字符。", name)};
}

std::vector<SimilarityBin> FilledBins(const std::vector<SimilarityBin>& bins) {
  const auto is_filled = [](const SimilarityBin& bin) { return bin.removed > 0; };
  return {std::find_if(bins.begin(), bins.end(), is_filled), bins.end()};
}

// "0.8", "0.85"
std::string Edge(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string StageBar(double seconds, double longest, std::string_view css_class) {
  const double width = longest <= 0 ? 0 : std::clamp(seconds / longest * 100, 0.3, 100.0);
  return fmt::format(
      "<svg class=\"bar thin\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\"><rect class=\"{}\" width=\"{:.2f}\" height=\"10\"/></svg>",
      css_class, width);
}

std::string StageRow(const StageTime& stage, double longest) {
  const Words meaning = StageMeaning(stage.name);
  const std::string explained =
      meaning.en.empty() ? "" : fmt::format("<small>{}</small>", Both(meaning));
  const std::string bytes = stage.bytes == 0 ? "–" : PageBytes(stage.bytes);
  const std::string speed = stage.bytes == 0 || stage.wall_seconds <= 0
                                ? "–"
                                : PageBytes(static_cast<uint64_t>(static_cast<double>(stage.bytes) /
                                                                  stage.wall_seconds)) +
                                      "/s";
  return fmt::format(
      "<tr><th scope=\"row\">{}{}{}{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
      "class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
      HtmlLabel(stage.name, 40), explained, StageBar(stage.wall_seconds, longest, "wall"),
      StageBar(stage.cpu_seconds, longest, "cpu"), Both(PageSeconds(stage.wall_seconds)),
      Both(PageSeconds(stage.cpu_seconds)), bytes, speed);
}

// What the similarities leave out.
Words DescribeLeftOut(const DedupReport& report) {
  Words words;
  const auto add = [&](uint64_t count, std::string_view en, std::string_view zh) {
    if (count == 0) return;
    words.en += fmt::format(" Not counted here: {} {}.", FormatPlural(count, "removal"), en);
    words.zh += fmt::format("{}的 {} 篇不计在内。", zh, FormatCount(count));
  };
  add(report.removed_against, "that match a reference", "因与参照匹配而删除");
  add(report.removed_key.value_or(0), "of documents with the key of another one", "因键相同而删除");
  add(report.removed_representative.value_or(0),
      "of documents that represent a cluster of which nothing is kept", "代表所在的簇而一并删除");
  return words;
}

Words DescribeEqual(const DedupReport& report, const Words& measure) {
  const uint64_t equal = report.findings.similarities.equal;
  const Words rest = DescribeLeftOut(report);
  if (report.removed_total() == 0) {
    return {"Nothing was removed.", "没有删除任何文档。"};
  }
  if (equal == 0) {
    return {"Nothing was removed because it matches another input." + rest.en,
            "没有因与其他输入匹配而删除的文档。" + rest.zh};
  }
  const std::string removals =
      equal == 1 ? std::string("The one removal that matches another input has")
                 : fmt::format("All {} removals that match another input have", FormatCount(equal));
  return {fmt::format("{} {} 1.{}", removals, measure.en, rest.en),
          fmt::format("因与其他输入匹配而删除的 {} 篇，{}都是 1。{}", FormatCount(equal),
                      measure.zh, rest.zh)};
}

}  // namespace

std::string RenderSizes(const DedupReport& report) {
  const std::vector<SizeBin> bins = FilledBins(report.findings.sizes);
  if (bins.empty()) return Absent("No sizes were recorded.", "没有记录文档长度。");
  HistogramChart chart{
      .id = "sizes",
      .title = {"Documents by length", "文档长度分布"},
      .summary = SummarizeSizes(bins),
      .x_axis = {"characters of text, logarithmic", "文本字符数（对数刻度）"},
      .y_axis = {"documents", "文档（篇）"},
      .bin_header = {"characters of text", "文本字符数"},
      .bins = {},
      .x_ticks = {},
      .series = {{{"kept", "保留"}, "kept", {}}, {{"removed", "删除"}, "removed", {}}}};
  for (const SizeBin& bin : bins) {
    if (IsPowerOfTen(bin.begin))
      chart.x_ticks.emplace_back(chart.bins.size(), FormatCount(bin.begin));
    chart.bins.push_back(BinName(bin));
    chart.series[0].counts.push_back(bin.kept);
    chart.series[1].counts.push_back(bin.removed);
  }
  if (chart.x_ticks.size() < 2) {  // documents of much the same length
    chart.x_ticks.clear();
    for (size_t i = 0; i < bins.size(); ++i)
      chart.x_ticks.emplace_back(i, FormatCount(bins[i].begin));
    chart.x_ticks.emplace_back(bins.size(), FormatCount(bins.back().end));
  }
  return RenderHistogram(chart);
}

std::string RenderSimilarities(const DedupReport& report, const DedupOptions& options) {
  const SimilarityHistogram& similarities = report.findings.similarities;
  const std::vector<SimilarityBin> bins = FilledBins(similarities.bins);
  const bool is_containment = similarities.measure == "containment";
  const Words measure =
      is_containment ? Words{"containment", "包含度"} : Words{"resemblance", "相似度"};
  const std::string equal = FormatCount(similarities.equal);
  if (bins.empty()) {
    const Words words = DescribeEqual(report, measure);
    return Absent(words.en, words.zh);
  }
  const Words left_out = DescribeLeftOut(report);
  HistogramChart chart{
      .id = "similarities",
      .title = {"Removals with a " + measure.en + " below 1",
                "被删文档的" + measure.zh + "分布（低于 1）"},
      .summary = {fmt::format("Not drawn: {} with {} 1.{}",
                              FormatPlural(similarities.equal, "removal"), measure.en, left_out.en),
                  fmt::format("{}为 1 的 {} 篇未画出。{}", measure.zh, equal, left_out.zh)},
      .x_axis = {measure.en + " with the kept document", "与保留文档的" + measure.zh},
      .y_axis = {"removed documents", "被删文档（篇）"},
      .bin_header = {measure.en, measure.zh},
      .bins = {},
      .x_ticks = {},
      .series = {{{"removed", "删除"}, "removed", {}}}};
  if (options.mode == DedupMode::kNear && !is_containment) {
    chart.summary.en += fmt::format(" The threshold is {}.", options.threshold);
    chart.summary.zh += fmt::format("阈值为 {}。", options.threshold);
  }
  for (size_t i = 0; i < bins.size(); ++i) {
    const auto hundredth = std::lround(bins[i].begin * 100);
    if (hundredth % 5 == 0) chart.x_ticks.emplace_back(i, Edge(bins[i].begin));
    chart.bins.push_back(fmt::format("{:.2f}–{:.2f}", bins[i].begin, bins[i].end));
    chart.series[0].counts.push_back(bins[i].removed);
  }
  chart.x_ticks.emplace_back(bins.size(), "1");
  return RenderHistogram(chart);
}

std::string RenderStages(const DedupReport& report) {
  if (report.stages.empty()) return Absent("No times were recorded.", "没有记录用时。");
  double longest = 0;
  for (const StageTime& stage : report.stages) {
    longest = std::max({longest, stage.wall_seconds, stage.cpu_seconds});
  }
  std::string out =
      "<p class=\"legend\" aria-hidden=\"true\"><span><svg class=\"key\" viewBox=\"0 0 10 "
      "10\"><rect "
      "class=\"wall\" width=\"10\" height=\"10\"/></svg>" +
      Both("elapsed", "实际用时") +
      "</span><span><svg class=\"key\" viewBox=\"0 0 10 10\"><rect class=\"cpu\" width=\"10\" "
      "height=\"10\"/></svg>" +
      Both("CPU, all threads", "处理器用时（全部线程）") +
      "</span></p><div class=\"scroll\" role=\"region\" tabindex=\"0\" "
      "aria-labelledby=\"time-title\">"
      "<table class=\"figures stages\"><thead><tr><th scope=\"col\">" +
      Both("stage", "阶段") + "</th><th scope=\"col\" class=\"n\">" + Both("elapsed", "实际用时") +
      "</th><th scope=\"col\" class=\"n\">" + Both("CPU", "处理器用时") +
      "</th><th scope=\"col\" class=\"n\">" + Both("bytes", "数据量") +
      "</th><th scope=\"col\" class=\"n\">" + Both("per second", "每秒") +
      "</th></tr></thead><tbody>";
  for (const StageTime& stage : report.stages) out += StageRow(stage, longest);
  out += fmt::format(
      "</tbody><tfoot><tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td "
      "class=\"n\">{}</td><td></td><td></td></tr></tfoot></table></div>",
      Both("together", "合计"), Both(PageSeconds(report.wall_seconds)),
      Both(PageSeconds(report.cpu_seconds)));
  return out;
}

}  // namespace zhiwen
