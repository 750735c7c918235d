#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/page_words.h"
#include "pipeline/run_report/sections.h"

namespace zhiwen {
namespace {

using NamedCounts = std::vector<std::pair<std::string, uint64_t>>;

NamedCounts RemovedByReason(const DedupReport& report) {
  NamedCounts counts = {{"exact", report.removed_exact}};
  if (report.removed_contained == 0) counts.emplace_back("near", report.removed_near);
  if (report.removed_contained > 0) counts.emplace_back("contained", report.removed_contained);
  if (report.against) counts.emplace_back("against", report.removed_against);
  if (report.removed_key) counts.emplace_back("key", *report.removed_key);
  if (report.removed_representative) {
    counts.emplace_back("representative", *report.removed_representative);
  }
  return counts;
}

// By which similarity inputs are removed that a reference matches.
Words ReferenceBound(const DedupOptions& options) {
  const double threshold = options.against_threshold.value_or(options.threshold);
  switch (options.against_rule) {
    case ReferenceRule::kNear:
      return {fmt::format(" at resemblance {} or above", threshold),
              fmt::format("（相似度不低于 {}）", threshold)};
    case ReferenceRule::kContainedIn:
      return {fmt::format(" ({:g}&nbsp;% or more of the input is in one)", threshold * 100),
              fmt::format("（输入的 {:g}&nbsp;% 以上在某条参照中）", threshold * 100)};
    case ReferenceRule::kContains:
      return {fmt::format(" ({:g}&nbsp;% or more of one is in the input)", threshold * 100),
              fmt::format("（某条参照的 {:g}&nbsp;% 以上在输入中）", threshold * 100)};
    case ReferenceRule::kOverlap:
      return {fmt::format(" ({} or more consecutive characters or words in common)",
                          options.against_run),
              fmt::format("（有连续 {} 个以上相同的字或词）", options.against_run)};
  }
  return {};
}

// The rule by which documents are removed for `reason`.
Words BoundOf(std::string_view reason, const DedupOptions& options) {
  if (reason == "near") {
    return {fmt::format(" at resemblance {} or above", options.threshold),
            fmt::format("（相似度不低于 {}）", options.threshold)};
  }
  if (reason == "contained") {
    return {fmt::format(" at containment {} or above", options.threshold),
            fmt::format("（包含度不低于 {}）", options.threshold)};
  }
  return reason == "against" ? ReferenceBound(options) : Words();
}

// "2,001 identical, 2,334 near-duplicate at resemblance 0.8 or above"
Words DescribeReasons(const DedupReport& report, const DedupOptions& options) {
  Words words;
  for (const auto& [reason, count] : RemovedByReason(report)) {
    if (count == 0) continue;
    const Words name = ReasonName(reason), bound = BoundOf(reason, options);
    words.en += fmt::format("{}{} {}{}", words.en.empty() ? "" : ", ", FormatCount(count), name.en,
                            bound.en);
    words.zh += fmt::format("{}{} {} 篇{}", words.zh.empty() ? "" : "，", name.zh,
                            FormatCount(count), bound.zh);
  }
  return words;
}

// One row of the funnel: a bar that starts where the one above it ended.
struct FunnelRow {
  Words name;
  std::string css_class;
  uint64_t before = 0, count = 0;
};

std::string RenderBar(const FunnelRow& row, uint64_t all) {
  const double scale = all == 0 ? 0 : 100.0 / static_cast<double>(all);
  const double width = row.count == 0 ? 0 : std::max(static_cast<double>(row.count) * scale, 0.3);
  const double x = std::min(static_cast<double>(row.before) * scale, 100 - width);
  return fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\"><rect class=\"track\" width=\"100\" height=\"10\"/><rect "
      "class=\"{}\" x=\"{:.2f}\" width=\"{:.2f}\" height=\"10\"/></svg>",
      row.css_class, x, width);
}

std::vector<FunnelRow> FunnelRows(const DedupReport& report) {
  std::vector<FunnelRow> rows = {{{"documents in", "读入文档"}, "all", 0, report.documents},
                                 {{"kept", "保留"}, "kept", 0, report.kept}};
  uint64_t before = report.kept;
  for (const auto& [reason, count] : RemovedByReason(report)) {
    const Words name = ReasonName(reason);
    rows.push_back(
        {{"removed: " + name.en, "删除：" + name.zh}, "removed-" + reason, before, count});
    before += count;
  }
  for (const auto& [reason, count] : report.failed) {
    Words name = FaultMeaning(reason);
    if (name.en.empty()) name = {HtmlLabel(reason), HtmlLabel(reason)};
    rows.push_back({{"failed: " + name.en, "失败：" + name.zh}, "failed", before, count});
    before += count;
  }
  if (report.failed.empty()) rows.push_back({{"failed", "失败"}, "failed", before, 0});
  return rows;
}

// What all names have in front, up to a slash.
size_t SharedFolder(const std::vector<std::string>& names) {
  if (names.size() < 2) return 0;
  size_t shared = names.front().size();
  for (const std::string& name : names) {
    const auto differ =
        std::mismatch(names.front().begin(), names.front().end(), name.begin(), name.end());
    shared = std::min(shared, static_cast<size_t>(differ.first - names.front().begin()));
  }
  const size_t slash = shared == 0 ? std::string::npos : names.front().rfind('/', shared - 1);
  return slash == std::string::npos ? 0 : slash + 1;
}

// From 0 (none) to 5, a step each time the count is some times larger.
int Tint(uint64_t count, uint64_t highest) {
  if (count == 0) return 0;
  return std::max(1,
                  6 - static_cast<int>((std::bit_width(highest) - std::bit_width(count)) / 2 + 1));
}

class MatrixTable {
 public:
  // `corner` names rows and columns.
  MatrixTable(const SourceMatrix& matrix, Words corner)
      : matrix_(matrix), corner_(std::move(corner)), folder_(SharedFolder(matrix.names)) {}

  std::string Render() const {
    std::string out =
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"sources-title\">"
        "<table class=\"matrix\"><thead><tr><th scope=\"col\">" +
        Both(corner_) + "</th>";
    for (size_t column = 0; column < size(); ++column) {
      out += fmt::format(
          "<th scope=\"col\" class=\"n\"><span class=\"number\" "
          "aria-hidden=\"true\">{}</span><span class=\"heard\">{}</span></th>",
          Number(column), Name(column));
    }
    out += "<th scope=\"col\" class=\"n\">" + Both("removed", "删除合计") +
           "</th></tr></thead><tbody>";
    for (size_t row = 0; row < size(); ++row) out += Row(row);
    return out + "</tbody></table></div>";
  }

 private:
  size_t size() const { return matrix_.removed.size(); }
  bool IsOthers(size_t i) const { return i >= matrix_.names.size(); }
  std::string Number(size_t i) const {
    return IsOthers(i) ? std::string("…") : std::to_string(i + 1);
  }
  std::string Name(size_t i) const {
    if (!IsOthers(i)) return HtmlLabel(std::string_view(matrix_.names[i]).substr(folder_), 60);
    const std::string others = FormatCount(matrix_.sources - matrix_.names.size());
    return Both(FormatPlural(matrix_.sources - matrix_.names.size(), "other file"),
                "其余 " + others + " 个文件");
  }
  uint64_t Highest() const {
    uint64_t highest = 1;
    for (const auto& row : matrix_.removed) {
      for (const uint64_t count : row) highest = std::max(highest, count);
    }
    return highest;
  }

  std::string Row(size_t row) const {
    const uint64_t highest = Highest();
    uint64_t total = 0;
    std::string out = fmt::format(
        "<tr><th scope=\"row\"><span class=\"number\" aria-hidden=\"true\">{}</span>{}</th>",
        Number(row), Name(row));
    for (size_t column = 0; column < size(); ++column) {
      const uint64_t count = matrix_.removed[row][column];
      total += count;
      out += fmt::format("<td class=\"n tint-{}{}\">{}</td>", Tint(count, highest),
                         row == column ? " own" : "", count == 0 ? "·" : FormatCount(count));
    }
    return out + fmt::format("<td class=\"n total\">{}</td></tr>", FormatCount(total));
  }

  const SourceMatrix& matrix_;
  Words corner_;
  size_t folder_;
};

std::string KeyFigure(const Words& name, const Words& value, const Words& detail) {
  const std::string small = detail.en.empty() ? "" : fmt::format("<small>{}</small>", Both(detail));
  return fmt::format("<div><dt>{}</dt><dd>{}{}</dd></div>", Both(name), Both(value), small);
}

Words Same(const std::string& text) { return {text, text}; }

constexpr std::string_view kReferenceRegion =
    "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
    "aria-labelledby=\"references-title\"><table class=\"figures\"><thead><tr>";

std::string Column(const Words& name, std::string_view css_class = "") {
  const std::string kind =
      css_class.empty() ? std::string() : fmt::format(" class=\"{}\"", css_class);
  return fmt::format("<th scope=\"col\"{}>{}</th>", kind, Both(name));
}

enum class Hits { kShown, kNone };

std::string ReferenceTable(const std::vector<ReferenceHits>& references, Hits hits) {
  const bool has_hits = hits == Hits::kShown;
  std::string out(kReferenceRegion);
  out += Column({"reference", "参照"}) + Column({"where", "位置"}) + Column({"text", "文本"});
  if (has_hits) out += Column({"inputs", "输入（篇）"}, "n");
  out += "</tr></thead><tbody>";
  for (const ReferenceHits& one : references) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td>", HtmlLabel(one.id, 60),
                       HtmlLabel(one.source, 120), HtmlLabel(one.text, 120));
    if (has_hits) out += fmt::format("<td class=\"n\">{}</td>", FormatCount(one.hits));
    out += "</tr>";
  }
  return out + "</tbody></table></div>";
}

// References that nothing can match; the first ones of them.
std::string ReferenceSection(const ReferenceList& list, const Words& title) {
  if (list.count == 0) return "";
  const std::string count = FormatCount(list.count);
  Words words = {fmt::format("{}: {}", title.en, count), fmt::format("{}：{} 条", title.zh, count)};
  if (list.count > list.first.size()) {
    words.en += fmt::format(" (the first {}; unmatchable.jsonl.zst lists all)", list.first.size());
    words.zh += fmt::format("（前 {} 条，全部列于 unmatchable.jsonl.zst）", list.first.size());
  }
  return fmt::format("<h4>{}</h4>", Both(words)) + ReferenceTable(list.first, Hits::kNone);
}

std::string CommonShingleTable(const AgainstReport& against) {
  if (against.common_shingles == 0) return "";
  const std::string count = FormatCount(against.common_shingles);
  Words title = {"Common shingles, which too many inputs have to count for a reference: " + count,
                 "常见片段（太多输入都有，不计入参照）：" + count + " 个"};
  if (against.common_shingles > against.most_common.size()) {
    title.en += fmt::format(" (the {} most common)", against.most_common.size());
    title.zh += fmt::format("（最常见的 {} 个）", against.most_common.size());
  }
  std::string out = fmt::format("<h4>{}</h4>", Both(title));
  out += kReferenceRegion;
  out += Column({"shingle", "片段"}) + Column({"inputs", "输入（篇）"}, "n");
  out += "</tr></thead><tbody>";
  for (const CommonShingle& one : against.most_common) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td></tr>",
                       HtmlLabel(one.text, 60), FormatCount(one.inputs));
  }
  return out + "</tbody></table></div>";
}

// Says which records are in kept/ though they are not as they were: marked ones, and those of which
// something was cut out. Empty where there are none.
Words DescribeWhatStays(const DedupReport& report, const DedupOptions& options) {
  Words words;
  const uint64_t marked = options.against_action == ReferenceAction::kMark ? report.removed_against
                                                                           : report.removed_total();
  if (options.mark && marked > 0) {
    const std::string all = FormatCount(report.kept + marked), count = FormatCount(marked);
    words = {fmt::format(" kept/ has {}, with the {} marked.", all, count),
             fmt::format(" kept/ 中有 {} 篇，包括带标记的 {} 篇。", all, count)};
  }
  if (report.cut_documents() > 0) {
    const ReferenceCuts& cuts = *report.against->cuts;
    words.en +=
        fmt::format(" {} {} cut out of {}, which {}.", FormatPlural(cuts.passages, "passage"),
                    cuts.passages == 1 ? "was" : "were", FormatPlural(cuts.documents, "document"),
                    cuts.documents == 1 ? "stays" : "stay");
    words.zh += fmt::format(" 从 {} 篇文档中剪去 {} 处文字，文档保留。",
                            FormatCount(cuts.documents), FormatCount(cuts.passages));
  }
  return words;
}

}  // namespace

std::string RenderHeadline(const DedupReport& report, const DedupOptions& options) {
  const uint64_t removed = report.removed_total();
  const uint64_t failed = report.failed_total();
  const std::string in = FormatCount(report.documents), kept = FormatCount(report.kept);
  std::string out = fmt::format(
      "<p class=\"lead\">{}</p>",
      Both(fmt::format("<b>{}</b> document{} in, <b class=\"kept\">{}</b> kept.", in,
                       report.documents == 1 ? "" : "s", kept),
           fmt::format("读入 <b>{}</b> 篇文档，保留 <b class=\"kept\">{}</b> 篇。", in, kept)));
  Words rest = {"Nothing was removed", "没有删除任何文档"};
  if (removed > 0) {
    const Words reasons = DescribeReasons(report, options);
    const std::string share = PageShare(removed, report.documents);
    rest = {fmt::format("{} removed ({}): {}", FormatCount(removed), share, reasons.en),
            fmt::format("删除 {} 篇（{}）：{}", FormatCount(removed), share, reasons.zh)};
  }
  rest.en += failed == 0 ? "; no record failed."
                         : fmt::format("; {} record{} could not be read.", FormatCount(failed),
                                       failed == 1 ? "" : "s");
  rest.zh += failed == 0 ? "；没有失败的记录。"
                         : fmt::format("；{} 条记录无法读取。", FormatCount(failed));
  const Words stays = DescribeWhatStays(report, options);
  return out +
         fmt::format("<p class=\"second\">{}</p>", Both(rest.en + stays.en, rest.zh + stays.zh));
}

std::string RenderKeyFigures(const DedupReport& report) {
  std::string out = "<dl class=\"keys\">";
  out += KeyFigure(
      {"input", "输入"}, Same(PageBytes(report.input_bytes)),
      {PageBytes(report.text_bytes) + " of text", "其中文本 " + PageBytes(report.text_bytes)});
  out += KeyFigure({"kept", "保留"}, Same(PageBytes(report.kept_bytes)),
                   {PageShare(report.kept_bytes, report.input_bytes) + " of the input",
                    "占输入 " + PageShare(report.kept_bytes, report.input_bytes)});
  out += KeyFigure({"clusters", "簇"}, Same(FormatCount(report.clusters)),
                   {"largest: " + PageDocuments(report.largest_cluster).en,
                    "最大 " + PageDocuments(report.largest_cluster).zh});
  out += KeyFigure({"pairs matched", "匹配的对"}, Same(FormatCount(report.matched_pairs)),
                   {"of " + FormatPlural(report.candidate_pairs, "candidate pair"),
                    "候选对 " + FormatCount(report.candidate_pairs) + " 个"});
  const Words cpu = PageSeconds(report.cpu_seconds);
  out += KeyFigure({"time", "用时"}, PageSeconds(report.wall_seconds),
                   {cpu.en + " of CPU", "处理器 " + cpu.zh});
  const std::string threads = FormatCount(report.threads);
  out += KeyFigure({"peak memory", "内存峰值"}, Same(PageBytes(report.peak_memory_bytes)),
                   {threads + (report.threads == 1 ? " thread" : " threads"), threads + " 个线程"});
  return out + "</dl>";
}

std::string RenderFunnel(const DedupReport& report) {
  std::string out =
      "<table class=\"figures funnel\"><thead><tr><th scope=\"col\"><span class=\"heard\">" +
      Both("what", "去向") + "</span></th><th scope=\"col\" class=\"n\">" +
      Both("documents", "文档（篇）") + "</th><th scope=\"col\" class=\"n\">" +
      Both("share", "占比") + "</th></tr></thead><tbody>";
  for (const FunnelRow& row : FunnelRows(report)) {
    out += fmt::format(
        "<tr class=\"{}\"><th scope=\"row\">{}{}</th><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td></tr>",
        row.css_class, Both(row.name), RenderBar(row, report.documents), FormatCount(row.count),
        PageShare(row.count, report.documents));
  }
  out += "</tbody></table>";
  if (!report.encodings.empty()) {
    std::string english, chinese;
    for (const auto& [name, files] : report.encodings) {
      english +=
          fmt::format("{}{} in {}", english.empty() ? "" : ", ", FormatPlural(files, "file"), name);
      chinese +=
          fmt::format("{}{} 个文件为 {}", chinese.empty() ? "" : "，", FormatCount(files), name);
    }
    out += fmt::format("<p class=\"note\">{}</p>",
                       Both("The input has " + english + ".", "输入中" + chinese + "。"));
  }
  if (!report.separators.empty()) {
    std::string english, chinese;
    for (const auto& [name, files] : report.separators) {
      const std::string shown = HtmlCode(name);
      english += fmt::format("{}{} with {}", english.empty() ? "" : ", ",
                             FormatPlural(files, "CSV file"), shown);
      chinese += fmt::format("{}{} 个 CSV 文件用 {}", chinese.empty() ? "" : "，",
                             FormatCount(files), shown);
    }
    out += fmt::format("<p class=\"note\">{}</p>",
                       Both("The input has " + english + " between the fields.",
                            "输入中" + chinese + " 分隔字段。"));
  }
  if (report.empty > 0) {
    const std::string empty = FormatCount(report.empty);
    out += fmt::format(
        "<p class=\"note\">{}</p>",
        Both(FormatPlural(report.empty, "kept document") + (report.empty == 1 ? " has" : " have") +
                 " an empty text; an empty text never matches.",
             empty + " 篇保留文档的文本为空；空文本不与任何文档匹配。"));
  }
  if (report.too_short > 0) {
    const std::string too_short = FormatCount(report.too_short);
    out += fmt::format(
        "<p class=\"note\">{}</p>",
        Both(FormatPlural(report.too_short, "document") + ", kept or removed, " +
                 (report.too_short == 1 ? "is" : "are") +
                 " too short for a shingle on the channel and " +
                 (report.too_short == 1 ? "was" : "were") + " compared as whole texts.",
             too_short + " 篇文档（保留或删除的）在该通道上不足一个片段，按全文比较。"));
  }
  return out;
}

std::string RenderSourceMatrix(const DedupReport& report) {
  const SourceMatrix& matrix = report.findings.sources;
  if (matrix.sources < 2) {
    return fmt::format("<p class=\"absent\">{}</p>",
                       Both("All documents come from one file.", "所有文档来自同一个文件。"));
  }
  if (matrix.removed.empty()) {
    return fmt::format("<p class=\"absent\">{}</p>",
                       Both("No document was removed.", "没有删除任何文档。"));
  }
  Words corner = {"removed from ↓ · kept in →", "被删文档所在 ↓ · 保留文档所在 →"};
  if (report.against) {
    corner = {"removed from ↓ · kept, or a reference, in →",
              "被删文档所在 ↓ · 保留文档或参照所在 →"};
  }
  std::string table = MatrixTable(matrix, std::move(corner)).Render();
  const uint64_t representatives = report.removed_representative.value_or(0);
  if (representatives == 0) return table;
  return table + Paragraph("note", {fmt::format("Not counted here: {} of documents that represent "
                                                "a cluster of which nothing is kept.",
                                                FormatPlural(representatives, "removal")),
                                    fmt::format("代表所在的簇而一并删除的 {} 篇不计在内。",
                                                FormatCount(representatives))});
}

// Returns the sentence that says how much was cut out of inputs that match a reference.
std::string CutNote(const ReferenceCuts& cuts) {
  const std::string passages = FormatCount(cuts.passages), documents = FormatCount(cuts.documents),
                    characters = FormatCount(cuts.code_points);
  return fmt::format(
      "<p class=\"note\">{}</p>",
      Both(fmt::format(
               "{} of {} {} cut out of {}, which {} without {}. cuts.jsonl.zst lists {}.",
               FormatPlural(cuts.passages, "passage"), FormatPlural(cuts.code_points, "character"),
               cuts.passages == 1 ? "was" : "were", FormatPlural(cuts.documents, "document"),
               cuts.documents == 1 ? "stays" : "stay", cuts.passages == 1 ? "it" : "them",
               cuts.passages == 1 ? "it" : "them all"),
           fmt::format("从 {} 篇文档中剪去 {} 处文字，共 {} 个字符，其余保留。剪去的文字全部列于 "
                       "cuts.jsonl.zst。",
                       documents, passages, characters)));
}

std::string RenderReferences(const DedupReport& report) {
  if (!report.against) return "";
  const AgainstReport& against = *report.against;
  const std::string hit = FormatCount(against.hit), all = FormatCount(against.references);
  const uint64_t inputs = report.removed_against + (against.cuts ? against.cuts->documents : 0);
  std::string out = fmt::format(
      "<h3 id=\"references-title\">{}</h3><p class=\"note\">{}</p>",
      Both("References that inputs match", "与输入匹配的参照"),
      Both(fmt::format("{} of {} {} matched by {}. references.jsonl.zst lists them all.", hit,
                       FormatPlural(against.references, "reference"),
                       against.references == 1 ? "is" : "are", FormatPlural(inputs, "input")),
           fmt::format(
               "{} 条参照中有 {} 条与输入匹配，涉及 {} 篇输入，全部列于 references.jsonl.zst。",
               all, hit, FormatCount(inputs))));
  if (against.cuts) out += CutNote(*against.cuts);
  if (against.often_hit > 0) {
    const std::string often = FormatCount(against.often_hit);
    out += fmt::format(
        "<p class=\"note\">{}</p>",
        Both(FormatPlural(against.often_hit, "reference") +
                 (against.often_hit == 1 ? " is" : " are") +
                 " matched by more than 1&nbsp;% of the inputs: rather a phrase than a leak.",
             often + (against.often_hit == 1 ? " 条参照" : " 条参照各") +
                 "与超过 1&nbsp;% 的输入匹配：更像常用语，而不是泄漏。"));
  }
  if (!against.most_hit.empty()) out += ReferenceTable(against.most_hit, Hits::kShown);
  out += ReferenceSection(against.empty, {"References without text", "没有文本的参照"});
  out += ReferenceSection(against.too_short,
                          {"References too short to match", "过短而无法匹配的参照"});
  out += ReferenceSection(against.too_common, {"References with too few uncommon shingles",
                                               "除去常见片段后所剩过少的参照"});
  return out + CommonShingleTable(against);
}

}  // namespace zhiwen
