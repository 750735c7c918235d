#include "pipeline/compare/compare_all_page.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "pipeline/compare/compare_words.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/page_files.h"
#include "pipeline/run_report/page_frame.h"
#include "pipeline/run_report/page_words.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

constexpr size_t kShownFamilies = 50, kShownMembers = 20;
constexpr size_t kNameCharacters = 60;

PageKind KindOfPairsPage() {
  return {.title_en = "Comparison of all texts",
          .title_zh = "多篇互比",
          .figures_en = "pairs.jsonl and matrix.csv beside this page",
          .figures_zh = "与本页同在的 pairs.jsonl 和 matrix.csv",
          .sections = kPairsHtml};
}

struct PairsColumn {
  std::string_view en, zh;
  bool is_number = false;
};

// The head of a table; its section has an element `title`.
std::string BeginTable(std::string_view title, std::span<const PairsColumn> columns) {
  std::string out = fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"{}\"><table "
      "class=\"figures\"><thead><tr>",
      title);
  for (const PairsColumn& column : columns) {
    out += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", column.is_number ? "n" : "",
                       Both(column.en, column.zh));
  }
  return out + "</tr></thead><tbody>";
}

class PairsPage {
 public:
  PairsPage(const CompareAllOptions& options, const CompareAllSummary& summary)
      : options_(options), summary_(summary) {}

  std::string Render() const {
    return FillPage(KindOfPairsPage(),
                    {{"headline", [&] { return RenderHeadline(); }},
                     {"families", [&] { return RenderFamilies(); }},
                     {"pairs", [&] { return RenderPairs(); }},
                     {"compared", [&] { return RenderCompared(); }},
                     {"command", [&] { return RenderCommand(options_.command); }}});
  }

 private:
  std::string RenderHeadline() const;
  std::string RenderFamilies() const;
  std::string RenderPairs() const;
  std::string RenderRow(const ComparedPair& pair, size_t number) const;
  std::string RenderCompared() const;
  std::string NameOf(uint32_t text) const;

  const CompareAllOptions& options_;
  const CompareAllSummary& summary_;
};

// The id of a text, and its date.
std::string PairsPage::NameOf(uint32_t text) const {
  const ComparedText& one = summary_.texts[text];
  const std::string id = HtmlLabel(one.id, kNameCharacters);
  return one.date.empty() ? id : id + " <small>" + HtmlLabel(one.date) + "</small>";
}

std::string PairsPage::RenderHeadline() const {
  std::set<uint32_t> texts;
  const std::span<const ComparedPair> counted = summary_.counted_pairs();
  for (const ComparedPair& pair : counted) texts.insert({pair.a, pair.b});
  const std::string some = FormatCount(texts.size()), all = FormatCount(summary_.texts.size());
  const std::string pairs = FormatCount(counted.size());
  std::string out = Paragraph(
      "lead", {fmt::format("<b class=\"kept\">{}</b> of <b>{}</b> texts share passages with "
                           "another one: <b>{}</b>&nbsp;{}.",
                           some, all, pairs, counted.size() == 1 ? "pair" : "pairs"),
               fmt::format("<b>{}</b> 篇中有 <b class=\"kept\">{}</b> 篇与别篇有相同段落，共 "
                           "<b>{}</b> 对。",
                           all, some, pairs)});
  return out + Paragraph("second", TechnicalComparison());
}

std::string PairsPage::RenderFamilies() const {
  if (summary_.families.empty()) {
    return Absent("No text has a fifth or more of another one.",
                  "没有一篇有五分之一以上见于别篇。");
  }
  constexpr std::array<PairsColumn, 2> kColumns = {{{"texts", "篇数", true}, {"which", "哪些"}}};
  std::string out = BeginTable("families-title", kColumns);
  const size_t shown = std::min(summary_.families.size(), kShownFamilies);
  for (const std::vector<uint32_t>& family : std::span(summary_.families).first(shown)) {
    std::string members;
    for (const uint32_t text : std::span(family).first(std::min(family.size(), kShownMembers))) {
      members += (members.empty() ? "" : " · ") + NameOf(text);
    }
    if (family.size() > kShownMembers) {
      const std::string more = FormatCount(family.size() - kShownMembers);
      members += " · " + Both(more + "&nbsp;more", "另有&nbsp;" + more + "&nbsp;篇");
    }
    out += fmt::format("<tr><th scope=\"row\" class=\"n\">{}</th><td>{}</td></tr>",
                       FormatCount(family.size()), members);
  }
  out += "</tbody></table></div>";
  if (shown == summary_.families.size()) return out;
  const std::string more = FormatCount(summary_.families.size() - shown);
  return out +
         Paragraph("note", {fmt::format("The {} largest families are shown; there are {} "
                                        "more.",
                                        shown, more),
                            fmt::format("仅显示最大的 {} 个家族，另有 {} 个。", shown, more)});
}

std::string PairsPage::RenderRow(const ComparedPair& pair, size_t number) const {
  std::vector<Words> parts = EditsInWords(pair.edits);
  if (parts.empty()) {
    const EditWords kind = WordsOf(pair.kind);
    parts = {pair.is_excluded ? Words{"excluded", "已排除"}
                              : Words{std::string(kind.en), std::string(kind.zh)}};
  }
  const Words how = JoinWords(parts, {", ", "、"});
  return fmt::format(
      "<tr><th scope=\"row\"><a href=\"{}\">{}</a></th><td>{}</td><td class=\"n\">{}</td><td>{}"
      "{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td>"
      "</tr>",
      NameOfPairPage(pair), number, NameOf(pair.a),
      PageShare(pair.a_matched, summary_.texts[pair.a].symbols), NameOf(pair.b),
      pair.is_directed ? " <small>" + Both("first", "在先") + "</small>" : "",
      PageShare(pair.b_matched, summary_.texts[pair.b].symbols), FormatCount(pair.a_matched),
      FormatCount(pair.longest_passage), Both(how));
}

std::string PairsPage::RenderPairs() const {
  if (summary_.pairs.empty()) {
    return Absent("No two texts share a passage.", "没有两篇有相同段落。");
  }
  constexpr std::array<PairsColumn, 8> kColumns = {{{"pair", "文本对"},
                                                    {"a", "甲文"},
                                                    {"of a", "占甲文", true},
                                                    {"b", "乙文"},
                                                    {"of b", "占乙文", true},
                                                    {"same", "相同", true},
                                                    {"longest passage", "最长段落", true},
                                                    {"how", "方式"}}};
  std::string out = BeginTable("pairs-title", kColumns);
  const size_t shown = std::min(summary_.pairs.size(), kMostPairPages);
  for (size_t i = 0; i < shown; ++i) out += RenderRow(summary_.pairs[i], i + 1);
  out += "</tbody></table></div>";
  if (shown == summary_.pairs.size()) return out;
  const std::string more = FormatCount(summary_.pairs.size() - shown);
  return out +
         Paragraph(
             "note",
             {fmt::format("The {} pairs with most in common are shown; {} more {} "
                          "in pairs.jsonl.",
                          shown, more, summary_.pairs.size() - shown == 1 ? "is" : "are"),
              fmt::format("仅显示相同最多的 {} 对，另有 {} 对见 pairs.jsonl。", shown, more)});
}

std::string PairsPage::RenderCompared() const {
  std::string out = "<table class=\"figures parameters\"><tbody>";
  const auto row = [&](const Words& name, const std::string& value) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>", Both(name), value);
  };
  row({"texts", "文本"}, FormatCount(summary_.texts.size()));
  row({"pairs of them", "文本对"}, FormatCount(summary_.all_pairs()));
  row({"with a run in common, worth comparing", "有相同片段，值得比对"},
      FormatCount(summary_.nominated));
  row({"compared", "已比对"}, FormatCount(summary_.compared));
  if (const size_t excluded = summary_.pairs.size() - summary_.counted_pairs().size();
      excluded > 0) {
    row({"pairs of which nothing counts", "全部排除的文本对"}, FormatCount(excluded));
  }
  if (const uint64_t left = summary_.nominated - summary_.compared; left > 0) {
    row({"not compared: their common runs are those of many texts, or few",
         "未比对：相同片段少，或为许多文本所共有"},
        FormatCount(left));
  }
  if (summary_.short_texts > 0) {
    row({"texts too short for a passage", "过短而没有段落的文本"},
        FormatCount(summary_.short_texts));
  }
  if (summary_.repeated_ids > 0) {
    row({"texts with the id of an earlier one", "标识与前面重复的文本"},
        FormatCount(summary_.repeated_ids));
  }
  std::string channels;
  for (const std::string& channel : summary_.channels) {
    channels += (channels.empty() ? "" : ", ") + HtmlCode(channel);
  }
  row({"channels", "通道"}, channels);
  if (!summary_.not_searched.empty()) {
    row({"channels not searched", "未查通道"}, Both(NotSearchedInWords(summary_.not_searched)));
  }
  return out + "</tbody></table>";
}

}  // namespace

std::string NameOfPairPage(const ComparedPair& pair) {
  return fmt::format("pairs/{}-{}.html", pair.a + 1, pair.b + 1);
}

std::string RenderCompareAllPage(const CompareAllOptions& options,
                                 const CompareAllSummary& summary) {
  return PairsPage(options, summary).Render();
}

}  // namespace zhiwen
