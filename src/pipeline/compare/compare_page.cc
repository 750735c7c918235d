#include "zhiwen/compare_page.h"

#include <algorithm>
#include <array>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/files/output_file.h"
#include "pipeline/check/suspect_article.h"
#include "pipeline/compare/marked_text.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/page_files.h"
#include "pipeline/run_report/page_frame.h"
#include "pipeline/run_report/page_words.h"
#include "zhiwen/check.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

// Bytes of a text that a browser lays out only where it is seen.
constexpr size_t kLongText = size_t{200} << 10;
// Shares from which on a text is said to be the other one, or a part of it.
constexpr double kNearText = 0.8;

struct KindWords {
  std::string_view en, zh;
};

// By PassageKind.
constexpr std::array<KindWords, 4> kPassageWords = {
    {{"verbatim", "逐字"}, {"disguised", "伪装"}, {"renamed", "改名"}, {"edited", "改写"}}};

PageKind KindOfComparePage() {
  return {.title_en = "Comparison",
          .title_zh = "比对",
          .figures_en = "the same command asked for JSON",
          .figures_zh = "同一命令的 JSON 输出",
          .sections = kCompareHtml};
}

class ComparePage {
 public:
  ComparePage(const ComparedDocument& a, const ComparedDocument& b, const Comparison& comparison,
              const PassageComparison& passages, const ComparePageOptions& options)
      : a_(a), b_(b), comparison_(comparison), found_(passages), options_(options) {}

  std::string Render() const {
    return FillPage(KindOfComparePage(),
                    {{"headline", [&] { return RenderHeadline(); }},
                     {"glance", [&] { return RenderGlance(); }},
                     {"channels", [&] { return RenderChannels(); }},
                     {"kinds", [&] { return RenderKinds(); }},
                     {"edit-words", [&] { return RenderEditWords(); }},
                     {"passages", [&] { return RenderPassages(); }},
                     {"texts", [&] { return RenderTexts(); }},
                     {"command", [&] { return RenderCommand(options_.command); }},
                     {"compare-script", [] { return std::string(kCompareJs); }}});
  }

 private:
  std::string RenderHeadline() const;
  std::string RenderGlance() const;
  Words DescribeVerdict() const;
  std::string RenderChannels() const;
  std::string RenderKinds() const;
  std::string RenderEditWords() const;
  std::string RenderPassages() const;
  std::string RenderRow(size_t number) const;
  std::string RenderTexts() const;
  Words DescribeHow() const;

  const ComparedDocument& a_;
  const ComparedDocument& b_;
  const Comparison& comparison_;
  const PassageComparison& found_;
  const ComparePageOptions& options_;
};

std::string ComparePage::RenderHeadline() const {
  const std::string a = HtmlLabel(a_.name, 80), b = HtmlLabel(b_.name, 80);
  Words lead;
  if (found_.passages.empty()) {
    lead = {fmt::format("No passage of 30 characters or more is in both <b>{}</b> and <b>{}</b>.",
                        a, b),
            fmt::format("<b>{}</b> 与 <b>{}</b>：未发现 30 字以上相同段落。", a, b)};
  } else {
    const std::string share = PageShare(found_.a_matched, found_.a_symbols);
    lead = {fmt::format("<b class=\"kept\">{}</b> of <b>{}</b> is also in <b>{}</b>.", share, a, b),
            fmt::format("<b>{}</b> 有 <b class=\"kept\">{}</b> 也见于 <b>{}</b>。", a, share, b)};
  }
  return Paragraph("lead", lead) + Paragraph("second", TechnicalComparison());
}

Words ComparePage::DescribeHow() const {
  const std::string verbatim = FormatCount(CountVerbatim(found_.a_matched, found_.edits));
  std::vector<Words> parts = {
      {fmt::format("verbatim <b>{}</b>", verbatim), fmt::format("逐字 <b>{}</b>", verbatim)}};
  for (const auto& [kind, symbols] : CountedEdits(found_.edits)) {
    const std::string count = FormatCount(symbols);
    parts.push_back({fmt::format("{} <b>{}</b>", WordsOf(kind).en, count),
                     fmt::format("{} <b>{}</b>", WordsOf(kind).zh, count)});
  }
  return JoinWords(parts);
}

std::string GlanceLine(const Words& name, const Words& value) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>", Both(name), Both(value));
}

// "a near copy, renamed".
Words ComparePage::DescribeVerdict() const {
  const double of_a = ShareOf(found_.a_matched, found_.a_symbols);
  const double of_b = ShareOf(found_.b_matched, found_.b_symbols);
  Relation relation = Relation::kNone;
  if (!found_.passages.empty()) relation = Relation::kPassages;
  if (of_a >= kNearText) relation = Relation::kContained;
  if (of_b >= kNearText) relation = Relation::kContains;
  if (of_a >= kNearText && of_b >= kNearText) relation = Relation::kNear;
  if (comparison_.equal_channel || comparison_.equal_exact) relation = Relation::kSame;
  Words words = VerdictWords(relation);
  PassageKind kind = PassageKind::kVerbatim;
  for (const CopiedPassage& passage : found_.passages) kind = std::max(kind, passage.kind);
  if (kind == PassageKind::kVerbatim) return words;
  const KindWords& how = kPassageWords[static_cast<size_t>(kind)];
  return {fmt::format("{}, {}", words.en, how.en), fmt::format("{}，有{}", words.zh, how.zh)};
}

std::string ComparePage::RenderGlance() const {
  std::string out = "<table class=\"figures parameters glance\"><tbody>";
  const Words verdict = DescribeVerdict();
  out +=
      GlanceLine({"verdict", "结论"}, {"<b>" + verdict.en + "</b>", "<b>" + verdict.zh + "</b>"});
  const std::string same = FormatCount(found_.a_matched);
  const std::string of_a = PageShare(found_.a_matched, found_.a_symbols);
  const std::string of_b = PageShare(found_.b_matched, found_.b_symbols);
  const std::string longest = FormatCount(comparison_.longest_run);
  out += GlanceLine(
      {"same", "相同"},
      {fmt::format(
           "<b>{}</b> characters or words · <b>{}</b> of a · <b>{}</b> of b · longest <b>{}</b>",
           same, of_a, of_b, longest),
       fmt::format("<b>{}</b> 字 · 甲文 <b>{}</b> · 乙文 <b>{}</b> · 最长 <b>{}</b>", same, of_a,
                   of_b, longest)});
  if (!found_.passages.empty()) out += GlanceLine({"how", "方式"}, DescribeHow());
  if (!found_.renamed.empty()) {
    std::string names;
    for (const Renaming& one : found_.renamed) {
      names += fmt::format("{}{} → {} ×{}", names.empty() ? "" : " · ", HtmlLabel(one.in_b),
                           HtmlLabel(one.in_a), FormatCount(one.count));
    }
    out += GlanceLine({"renamed", "改名"}, {names, names});
  }
  const std::string resemblance = PageFigure(FormatSimilarity(comparison_.resemblance));
  out += GlanceLine({"resemblance", "相似度"}, {resemblance, resemblance});
  std::string channels;
  for (const std::string& channel : options_.channels) {
    channels += (channels.empty() ? "" : " · ") + HtmlLabel(ShortChannelName(channel));
  }
  out += GlanceLine({"searched", "范围"}, {channels, channels});
  return out + "</tbody></table>";
}

std::string ComparePage::RenderChannels() const {
  std::string out;
  for (const std::string& channel : options_.channels) {
    const std::string_view name = ShortChannelName(channel);
    const bool is_used = std::ranges::any_of(
        found_.passages, [&](const CopiedPassage& passage) { return passage.channel == channel; });
    if (!is_used) continue;
    out += fmt::format("<option value=\"{0}\">{0}</option>", name);
  }
  return out;
}

std::string ComparePage::RenderKinds() const {
  std::string out;
  for (size_t i = 0; i < kPassageWords.size(); ++i) {
    const auto kind = static_cast<PassageKind>(i);
    const bool is_there = std::ranges::any_of(
        found_.passages, [&](const CopiedPassage& passage) { return passage.kind == kind; });
    if (!is_there) continue;
    out += fmt::format(
        "<label><input type=\"checkbox\" name=\"kind\" value=\"{}\" checked> {}</label> ",
        PassageKindName(kind), Both(kPassageWords[i].en, kPassageWords[i].zh));
  }
  return out;
}

std::string ComparePage::RenderEditWords() const {
  std::string out;
  for (size_t i = 0; i < kEditKinds; ++i) {
    const auto kind = static_cast<EditKind>(i);
    out += fmt::format("<span data-kind=\"{}\">{}</span>", EditKindName(kind),
                       Both(WordsOf(kind).en, WordsOf(kind).zh));
  }
  return out;
}

std::string ComparePage::RenderRow(size_t number) const {
  const CopiedPassage& passage = found_.passages[number - 1];
  const auto place = [](const Span<CodePointOffset>& points) {
    return fmt::format("{}–{}", FormatCount(points.begin.value + 1), FormatCount(points.end.value));
  };
  EditCounts counts = {};
  std::string edits;  // the kind of each, for the script
  for (const PassageEdit& edit : passage.edits) {
    counts[static_cast<size_t>(edit.kind)] += edit.symbols;
    edits += (edits.empty() ? "" : " ") + std::string(EditKindName(edit.kind));
  }
  std::vector<Words> how = {{std::string(kPassageWords[static_cast<size_t>(passage.kind)].en),
                             std::string(kPassageWords[static_cast<size_t>(passage.kind)].zh)}};
  for (const auto& [kind, symbols] : CountedEdits(counts)) {
    const std::string count = FormatCount(symbols);
    how.push_back({fmt::format("{}&nbsp;{}", WordsOf(kind).en, count),
                   fmt::format("{}&nbsp;{}", WordsOf(kind).zh, count)});
  }
  return fmt::format(
      "<tr data-passage=\"{0}\" data-kind=\"{1}\" data-channel=\"{2}\" data-matched=\"{3}\" "
      "data-edits=\"{4}\"><th scope=\"row\"><a href=\"#a{0}\" data-p=\"{0}\">{0}</a></th><td "
      "class=\"n\">{5}</td><td class=\"n\">{6}</td><td class=\"n\">{7}</td><td>{8}</td><td>{2}</td>"
      "</tr>",
      number, PassageKindName(passage.kind), ShortChannelName(passage.channel), passage.matched,
      edits, FormatCount(passage.matched), place(passage.a_points), place(passage.b_points),
      Both(JoinWords(how)));
}

std::string ComparePage::RenderPassages() const {
  if (found_.passages.empty()) {
    return Absent("The texts share no passage.", "两篇没有相同段落。");
  }
  std::string out =
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"passages-title\">"
      "<table class=\"figures\" id=\"passage-table\"><thead><tr>";
  for (const auto& [en, zh, css_class] : {std::tuple("passage", "段落", ""),
                                          {"same", "相同", "n"},
                                          {"in a", "甲文", "n"},
                                          {"in b", "乙文", "n"},
                                          {"how", "方式", ""},
                                          {"channel", "通道", ""}}) {
    out += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", css_class, Both(en, zh));
  }
  out += "</tr></thead><tbody>";
  for (size_t i = 1; i <= found_.passages.size(); ++i) out += RenderRow(i);
  return out + "</tbody></table></div>";
}

std::string ComparePage::RenderTexts() const {
  const auto side = [&](const ComparedDocument& document, PassageSide which) {
    const bool is_a = which == PassageSide::kA;
    const Words who = is_a ? Words{"a", "甲文"} : Words{"b", "乙文"};
    return fmt::format(
        "<div class=\"side {0}\"><p class=\"who\"><strong>{1}</strong> {2}</p>{3}<div "
        "class=\"text pane{7}\" id=\"text-{4}\" tabindex=\"0\" role=\"region\" aria-label=\"text "
        "{4}\" "
        "lang=\"{5}\" dir=\"auto\">{6}</div></div>",
        is_a ? "suspect" : "original", Both(who), HtmlLabel(document.name, 80),
        RenderPassageMap(document.text, which, found_), is_a ? 'a' : 'b',
        LanguageOf(document.text.substr(0, 4096)), RenderMarkedText(document.text, which, found_),
        document.text.size() > kLongText ? " long" : "");
  };
  return "<div class=\"sides panes\">" + side(a_, PassageSide::kA) + side(b_, PassageSide::kB) +
         "</div>";
}

}  // namespace

std::string RenderComparePage(const ComparedDocument& a, const ComparedDocument& b,
                              const Comparison& comparison, const PassageComparison& passages,
                              const ComparePageOptions& options) {
  return ComparePage(a, b, comparison, passages, options).Render();
}

Status WriteComparePage(FileSystem& files, const ComparedDocument& a, const ComparedDocument& b,
                        const Comparison& comparison, const PassageComparison& passages,
                        const ComparePageOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(
      const std::unique_ptr<OutputFile> output,
      OutputFile::Create(files,
                         KindThatBeginsWith("comparison page", BeginningOf(KindOfComparePage())),
                         {.path = options.path, .overwrite = options.overwrite}));
  return output->PublishBytes(RenderComparePage(a, b, comparison, passages, options));
}

}  // namespace zhiwen
