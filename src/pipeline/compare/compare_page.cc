#include "zhiwen/compare_page.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "pipeline/compare/compare_words.h"
#include "pipeline/compare/marked_text.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/page_files.h"
#include "pipeline/run_report/page_frame.h"
#include "pipeline/run_report/page_words.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

// Bytes of a text that a browser lays out only where it is seen.
constexpr size_t kLongText = size_t{200} << 10;

PageKind KindOfComparePage() {
  return {.title_en = "Comparison",
          .title_zh = "比对",
          .figures_en = "the same command asked for JSON",
          .figures_zh = "同一命令的 JSON 输出",
          .sections = kCompareHtml};
}

// What the page calls both of its texts, which may be one and the same.
struct PageSides {
  Words a, b, in_a, in_b;
  Words title, intro, in_both;
};

PageSides SidesOfTwoTexts() {
  return {.a = {"a", "甲文"},
          .b = {"b", "乙文"},
          .in_a = {"in a", "甲文"},
          .in_b = {"in b", "乙文"},
          .title = {"Both texts", "两篇全文"},
          .intro = {"Passages have the same number in both texts; the number leads to the other "
                    "text. The bars show where they are.",
                    "相同段落在两篇中编号相同，点击编号可跳到另一篇。横条表示段落在全文中的位置。"},
          .in_both = {"in both texts", "两篇都有"}};
}

PageSides SidesOfRepeats() {
  return {
      .a = {"again", "重复"},
      .b = {"before", "前文"},
      .in_a = {"again at", "重复处"},
      .in_b = {"before at", "前文处"},
      .title = {"The text, twice", "全文对照"},
      .intro = {"One side shows where a passage comes again, the other where it stood before. "
                "The number of a passage leads to its other place. The bars show where they "
                "are.",
                "一边标出重复之处，另一边标出前文出处，点击编号可跳到另一处。横条表示段落在全文中"
                "的位置。"},
      .in_both = {"in both places", "两处都有"}};
}

class ComparePage {
 public:
  // The texts are one where there is no comparison.
  ComparePage(const ComparedDocument& a, const ComparedDocument& b, const Comparison* comparison,
              const PassageComparison& passages, const ComparePageOptions& options)
      : a_(a),
        b_(b),
        comparison_(comparison),
        found_(passages),
        options_(options),
        sides_(comparison == nullptr ? SidesOfRepeats() : SidesOfTwoTexts()) {}

  std::string Render() const {
    return FillPage(KindOfComparePage(),
                    {{"headline", [&] { return RenderHeadline(); }},
                     {"glance", [&] { return RenderGlance(Rows()); }},
                     {"texts-title", [&] { return Both(sides_.title); }},
                     {"texts-intro", [&] { return Both(sides_.intro); }},
                     {"in-both", [&] { return Both(sides_.in_both); }},
                     {"channels", [&] { return RenderChannels(); }},
                     {"kinds", [&] { return RenderKinds(); }},
                     {"edit-words", [&] { return RenderEditWords(); }},
                     {"passages", [&] { return RenderPassages() + RenderExcluded(); }},
                     {"texts", [&] { return RenderTexts(); }},
                     {"command", [&] { return RenderCommand(options_.command); }},
                     {"compare-script", [] { return std::string(kCompareJs); }}});
  }

 private:
  bool is_of_repeats() const { return comparison_ == nullptr; }
  std::vector<GlanceRow> Rows() const {
    return is_of_repeats() ? RepeatsRows(found_, options_)
                           : ComparisonRows(*comparison_, found_, options_);
  }
  std::string RenderHeadline() const;
  std::string RenderChannels() const;
  std::string RenderKinds() const;
  std::string RenderEditWords() const;
  std::string RenderPassages() const;
  std::string RenderRow(size_t number) const;
  std::string RenderExcluded() const;
  std::string RenderTexts() const;

  const ComparedDocument& a_;
  const ComparedDocument& b_;
  const Comparison* comparison_;
  const PassageComparison& found_;
  const ComparePageOptions& options_;
  const PageSides sides_;
};

std::string ComparePage::RenderHeadline() const {
  const Words lead = is_of_repeats() ? SentenceOnRepeats(a_, found_) : SentenceOn(a_, b_, found_);
  return Paragraph("lead", lead) + Paragraph("second", TechnicalComparison());
}

std::string ComparePage::RenderChannels() const {
  std::string out;
  for (const std::string& channel : options_.searched.channels) {
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
  for (size_t i = 0; i < kPassageKinds; ++i) {
    const auto kind = static_cast<PassageKind>(i);
    const bool is_there = std::ranges::any_of(
        found_.passages, [&](const CopiedPassage& passage) { return passage.kind == kind; });
    if (!is_there) continue;
    out += fmt::format(
        "<label><input type=\"checkbox\" name=\"kind\" value=\"{}\" checked> {}</label> ",
        PassageKindName(kind), Both(WordsOf(kind).en, WordsOf(kind).zh));
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
  std::string edits;  // the kind of each, for the script
  for (const PassageEdit& edit : passage.edits) {
    edits += (edits.empty() ? "" : " ") + std::string(EditKindName(edit.kind));
  }
  std::vector<Words> how = PassageInWords(passage);
  if (is_of_repeats()) {
    if (const auto period = PeriodOf(passage)) {
      const std::string count = FormatCount(*period);
      how.push_back({fmt::format("again every {} characters", count),
                     fmt::format("每 {} 字重复一次", count)});
    }
  }
  return fmt::format(
      "<tr data-passage=\"{0}\" data-kind=\"{1}\" data-channel=\"{2}\" data-matched=\"{3}\" "
      "data-edits=\"{4}\"><th scope=\"row\"><a href=\"#a{0}\" data-p=\"{0}\">{0}</a></th><td "
      "class=\"n\">{5}</td><td class=\"n\">{6}</td><td class=\"n\">{7}</td><td>{8}</td><td>{2}</td>"
      "</tr>",
      number, PassageKindName(passage.kind), ShortChannelName(passage.channel), passage.matched,
      edits, FormatCount(passage.matched), PlaceInWords(passage.a_points),
      PlaceInWords(passage.b_points), Both(JoinWords(how)));
}

std::string ComparePage::RenderPassages() const {
  if (found_.passages.empty()) {
    return is_of_repeats() ? Absent("The text repeats no passage.", "没有重复段落。")
                           : Absent("The texts share no passage.", "两篇没有相同段落。");
  }
  std::string out =
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"passages-title\">"
      "<table class=\"figures\" id=\"passage-table\"><thead><tr>";
  for (const auto& [words, css_class] : {std::pair(Words{"passage", "段落"}, ""),
                                         {{"same", "相同"}, "n"},
                                         {sides_.in_a, "n"},
                                         {sides_.in_b, "n"},
                                         {{"how", "方式"}, ""},
                                         {{"channel", "通道"}, ""}}) {
    out += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", css_class, Both(words));
  }
  out += "</tr></thead><tbody>";
  for (size_t i = 1; i <= found_.passages.size(); ++i) out += RenderRow(i);
  return out + "</tbody></table></div>";
}

// Returns the passages that do not count, behind a switch for each reason.
std::string ComparePage::RenderExcluded() const {
  std::string out;
  for (const auto& [reason, symbols] : CountByReason(found_.excluded)) {
    out += BeginExcluded({reason, symbols});
    out += "<div class=\"scroll\"><table class=\"figures\"><tbody>";
    for (const ExcludedPassage& one : found_.excluded) {
      if (one.reason != reason) continue;
      const CopiedPassage& passage = one.passage;
      out += fmt::format(
          "<tr><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
          "dir=\"auto\">",
          FormatCount(passage.matched), PlaceInWords(passage.a_points),
          PlaceInWords(passage.b_points));
      AppendHtmlText(out, a_.text.substr(passage.a_bytes.begin.value, passage.a_bytes.size()));
      out += "</td></tr>";
    }
    out += "</tbody></table></div></details>";
  }
  return out;
}

std::string ComparePage::RenderTexts() const {
  const auto side = [&](const ComparedDocument& document, PassageSide which) {
    const bool is_a = which == PassageSide::kA;
    const Words& who = is_a ? sides_.a : sides_.b;
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
  return ComparePage(a, b, &comparison, passages, options).Render();
}

OutputFileKind ComparePageFile() {
  return KindThatBeginsWith("comparison page", BeginningOf(KindOfComparePage()));
}

Status WriteComparePage(FileSystem& files, const ComparedDocument& a, const ComparedDocument& b,
                        const Comparison& comparison, const PassageComparison& passages,
                        const ComparePageOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(
      const std::unique_ptr<OutputFile> output,
      OutputFile::Create(files, ComparePageFile(),
                         {.path = options.path, .overwrite = options.overwrite}));
  return output->PublishBytes(RenderComparePage(a, b, comparison, passages, options));
}

Status WriteRepeatsPage(FileSystem& files, const ComparedDocument& text,
                        const PassageComparison& repeats, const ComparePageOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(
      const std::unique_ptr<OutputFile> output,
      OutputFile::Create(files, ComparePageFile(),
                         {.path = options.path, .overwrite = options.overwrite}));
  return output->PublishBytes(ComparePage(text, text, nullptr, repeats, options).Render());
}

}  // namespace zhiwen
