#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/page_words.h"
#include "pipeline/run_report/sections.h"
#include "pipeline/run_report/shown_text.h"

namespace zhiwen {
namespace {

// What stays of a cluster.
enum class Kept : uint8_t { kOneOfEach, kNone };

Kept KeptOf(const DedupReport& report) {
  return report.removed_representative ? Kept::kNone : Kept::kOneOfEach;
}

struct ShownDocument {
  Words title;
  std::string_view css_class, id, source;
  uint64_t code_points;
  const ShownText& text;
};

std::string RenderDocument(const ShownDocument& document) {
  return fmt::format(
      "<div class=\"side {}\"><p class=\"who\"><strong>{}</strong> {}</p><p class=\"where\">{} · "
      "{}</p>{}</div>",
      document.css_class, Both(document.title), HtmlLabel(document.id, 60),
      HtmlLabel(document.source, 120), Both(PageCharacters(document.code_points)),
      RenderShownText(document.text));
}

// Of what is known alone: nothing else becomes a part of the page as it is.
std::string_view ReasonClass(std::string_view reason) {
  for (const std::string_view known : {"exact", "contained", "against", "key"}) {
    if (reason == known) return known;
  }
  return "near";
}

// What an input and a reference have in common.
Words DescribeMatch(const ShownRemoval& removal) {
  const auto& [run, counted] = removal.with_reference;
  Words words;
  if (run > 0) {
    const std::string length = FormatCount(run);
    words = {fmt::format("<b>{}</b> consecutive characters or words in common", length),
             fmt::format("有连续 <b>{}</b> 个相同的字或词", length)};
    if (removal.resemblance == 0) return words;
    words = {words.en + " · ", words.zh + " · "};
  }
  const std::string resemblance = FormatSimilarity(removal.resemblance);
  const std::string of_input = PageFigure(FormatContainment(removal.containment));
  const std::string of_reference = PageFigure(FormatContainment(removal.containment_of_kept));
  words.en += fmt::format(
      "resemblance <b>{}</b> · <b>{}</b> of the input is in the reference, <b>{}</b> of the "
      "reference in the input",
      resemblance, of_input, of_reference);
  words.zh += fmt::format("相似度 <b>{}</b> · 输入有 <b>{}</b> 见于参照，参照有 <b>{}</b> 见于输入",
                          resemblance, of_input, of_reference);
  if (!counted || *counted == removal.containment_of_kept) return words;
  const std::string of_counted = PageFigure(FormatContainment(*counted));
  words.en += fmt::format(" (<b>{}</b> without common shingles)", of_counted);
  words.zh += fmt::format("（不计常见片段则为 <b>{}</b>）", of_counted);
  return words;
}

// What two inputs have in common. Where neither is kept, the first is the one shown first.
Words DescribeResemblance(const ShownRemoval& removal, Kept what_is_kept) {
  const std::string resemblance = FormatSimilarity(removal.resemblance);
  const std::string in_kept = PageFigure(FormatContainment(removal.containment));
  const std::string of_kept = PageFigure(FormatContainment(removal.containment_of_kept));
  if (what_is_kept == Kept::kNone) {
    return {fmt::format("resemblance <b>{}</b> · <b>{}</b> of the second text is in the first, "
                        "<b>{}</b> of the first in the second",
                        resemblance, in_kept, of_kept),
            fmt::format("相似度 <b>{}</b> · 第二篇有 <b>{}</b> 见于第一篇，第一篇有 <b>{}</b> "
                        "见于第二篇",
                        resemblance, in_kept, of_kept)};
  }
  return {fmt::format("resemblance <b>{}</b> · <b>{}</b> of the removed text is in the kept one, "
                      "<b>{}</b> of the kept text in the removed one",
                      resemblance, in_kept, of_kept),
          fmt::format("相似度 <b>{}</b> · 被删文档有 <b>{}</b> 见于保留文档，保留文档有 <b>{}</b> "
                      "见于被删文档",
                      resemblance, in_kept, of_kept)};
}

std::string RenderMeasures(const ShownRemoval& removal, Kept what_is_kept) {
  if (removal.reason == "key") {
    return fmt::format("<p class=\"measures\"><span class=\"badge removed-key\">{}</span> {}</p>",
                       Both(ReasonName(removal.reason)),
                       Both("texts were not compared", "未比较文本"));
  }
  if (removal.reason == "against") {
    return fmt::format(
        "<p class=\"measures\"><span class=\"badge removed-against\">{}</span> "
        "{}</p>",
        Both(ReasonName(removal.reason)), Both(DescribeMatch(removal)));
  }
  return fmt::format("<p class=\"measures\"><span class=\"badge removed-{}\">{}</span> {}</p>",
                     ReasonClass(removal.reason), Both(ReasonName(removal.reason)),
                     Both(DescribeResemblance(removal, what_is_kept)));
}

std::string RenderRemoval(const ShownRemoval& removal, Kept what_is_kept) {
  const bool is_reference = removal.reason == "against";
  const bool is_kept = what_is_kept == Kept::kOneOfEach || is_reference;
  const Words title = is_kept ? Words{"kept", "保留"} : Words{"removed, too", "一并删除"};
  const ShownDocument kept{is_reference ? Words{"reference", "参照"} : title,
                           is_kept ? "kept" : "removed",
                           removal.kept_id,
                           removal.kept_source,
                           removal.kept_code_points,
                           removal.kept_text};
  const ShownDocument removed{{"removed", "删除"}, "removed",           removal.id,
                              removal.source,      removal.code_points, removal.text};
  return fmt::format("<div class=\"pair\">{}<div class=\"sides\">{}{}</div></div>",
                     RenderMeasures(removal, what_is_kept), RenderDocument(kept),
                     RenderDocument(removed));
}

// The first is always seen; the page may fold the others away.
std::string RenderRemovals(const std::vector<ShownRemoval>& removals, Kept what_is_kept,
                           size_t always_shown) {
  std::string out;
  for (size_t i = 0; i < removals.size(); ++i) {
    if (i == always_shown) {
      out += fmt::format("<div class=\"fold\" data-fold=\"more\" data-count=\"{}\">",
                         removals.size() - i);
    }
    out += RenderRemoval(removals[i], what_is_kept);
  }
  if (removals.size() > always_shown) out += "</div>";
  return out;
}

std::string RenderGroup(const Words& title, const std::vector<ShownRemoval>& removals,
                        Kept what_is_kept) {
  if (removals.empty()) return "";
  return fmt::format("<h4>{}</h4>{}", Both(title), RenderRemovals(removals, what_is_kept, 1));
}

}  // namespace

std::string RenderClusters(const DedupReport& report) {
  const std::vector<ShownCluster>& clusters = report.findings.clusters;
  if (clusters.empty()) {
    return Absent("No two documents matched, so there is no cluster.",
                  "没有匹配的文档，因此没有簇。");
  }
  const Kept what_is_kept = KeptOf(report);
  std::string out;
  for (size_t i = 0; i < clusters.size(); ++i) {
    const ShownCluster& cluster = clusters[i];
    const Words size = PageDocuments(cluster.documents);
    out += fmt::format(
        "<article class=\"cluster\"><h3>{} <span class=\"aside\">{} {}</span></h3>{}</article>",
        Both(size),
        what_is_kept == Kept::kOneOfEach ? Both("kept:", "保留：")
                                         : Both("all removed, with", "全部删除，包括"),
        HtmlLabel(cluster.kept_id, 60), RenderRemovals(cluster.removals, what_is_kept, 1));
  }
  return out;
}

std::string RenderReasons(const DedupReport& report) {
  std::string out;
  for (const ShownReason& reason : report.findings.reasons) {
    if (reason.lowest.empty() && reason.drawn.empty()) continue;
    const Words meaning = ReasonMeaning(reason.reason);
    const std::string note =
        meaning.en.empty() ? "" : fmt::format("<p class=\"note\">{}</p>", Both(meaning));
    out += fmt::format(
        "<article class=\"reason\"><h3>{} <span class=\"aside\">{}</span></h3>{}{}{}</article>",
        Both(ReasonName(reason.reason)), HtmlCode(reason.reason), note,
        RenderGroup({"nearest to the threshold", "最接近阈值"}, reason.lowest, KeptOf(report)),
        RenderGroup({"drawn at random", "随机抽取"}, reason.drawn, KeptOf(report)));
  }
  return out.empty() ? Absent("Nothing was removed.", "没有删除任何文档。") : out;
}

}  // namespace zhiwen
