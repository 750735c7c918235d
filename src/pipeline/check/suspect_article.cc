#include "pipeline/check/suspect_article.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8/utf8.h"
#include "pipeline/check/check_words.h"
#include "pipeline/check/stretches.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/shown_text.h"
#include "zhiwen/channel.h"

namespace zhiwen {
namespace {

constexpr size_t kShownStretches = 30;  // of a match
constexpr size_t kOpenStretches = 6;    // of these, before the fold
constexpr size_t kOpenMatches = 8;      // of a document, before the fold
constexpr size_t kIdCharacters = 80;

struct RelationWords {
  std::string_view en, zh, counted;
  std::string_view sentence_en, sentence_zh;  // {0} is the document, {1} the original
};

constexpr std::array<RelationWords, kRelations> kRelationWords = {{
    {"the same text", "相同文本", "same", "{0} is the same text as {1}", "{0} 与 {1} 是相同的文本"},
    {"a near copy", "近似副本", "near copies", "{0} is a near copy of {1}",
     "{0} 是 {1} 的近似副本"},
    {"contains an original", "包含原文", "containing an original", "{0} contains {1}",
     "{0} 包含 {1}"},
    {"part of an original", "摘自原文", "part of an original", "{0} is part of {1}",
     "{0} 摘自 {1}"},
    {"shares passages", "部分相同", "sharing passages", "{0} shares passages with {1}",
     "{0} 与 {1} 部分相同"},
    {"not known", "未见", "not known", "{0} is not known to the library", "库中未见 {0}"},
}};

const RelationWords& WordsFor(Relation relation) {
  return kRelationWords[static_cast<size_t>(relation)];
}

Words VerdictOf(const CheckedText& checked) {
  if (checked.verdict == Relation::kNone && checked.is_empty()) {
    return {"nothing to compare", checked.is_picture ? "单色图片，未比对" : "空文本"};
  }
  if (checked.verdict == Relation::kNone && !checked.matches.empty()) {
    return {"excluded passages alone", "仅有排除项"};
  }
  if (checked.verdict == Relation::kNone && checked.below_least > 0) {
    return {"nothing of the least share", "低于下限"};
  }
  if (checked.verdict == Relation::kNone && checked.of_set_phrases > 0) {
    return {"set phrases alone", "仅套话"};
  }
  return VerdictWords(checked.verdict);
}

Words PageUnits(uint64_t count) {
  const std::string number = FormatCount(count);
  return {number + (count == 1 ? "&nbsp;character or word" : "&nbsp;characters or words"),
          number + "&nbsp;字"};
}

// --- figures -------------------------------------------------------------------------------------

// "97.2 % of the text".
Words ShareOfSuspect(uint64_t matched, uint64_t units) {
  const std::string share = PageFigure(FormatContainment(ShareOf(matched, units)));
  return {fmt::format("<b>{}</b> of the suspect", share), fmt::format("可疑文 <b>{}</b>", share)};
}

Words ShareOfOriginal(const CheckMatch& match) {
  const std::string share = PageFigure(FormatContainment(match.containment_of_original));
  return {fmt::format("<b>{}</b> of the original", share), fmt::format("原文 <b>{}</b>", share)};
}

// How the passages of a match are written.
Words DescribeWays(const CheckMatch& match) {
  std::vector<Words> ways;
  for (const PassageWay& way : WaysOf(match)) {
    ways.push_back({fmt::format("{} <b>{}</b>", way.en, FormatCount(way.matched)),
                    fmt::format("{} <b>{}</b>", way.zh, FormatCount(way.matched))});
  }
  return JoinWords(ways);
}

// Names both dates, the earlier first. Returns nothing unless both texts have one.
Words DescribePrecedence(const CheckMatch& match, const std::string& date) {
  if (match.date.empty() || date.empty()) return {};
  const bool is_of_work = match.date_origin == DateOrigin::kWork;
  const std::string of_original = HtmlLabel(match.date), of_suspect = HtmlLabel(date);
  Words ours = {fmt::format("original {}{}", of_original, is_of_work ? " (of the work)" : ""),
                fmt::format("原文 {}{}", of_original, is_of_work ? "（作品）" : "")};
  Words theirs = {"suspect " + of_suspect, "可疑文 " + of_suspect};
  if (match.precedence == Precedence::kTheirs) std::swap(ours, theirs);
  Words words = JoinWords({ours, theirs});
  if (match.precedence == Precedence::kUnknown) {
    words = {"the dates do not tell: " + words.en, "日期不能说明：" + words.zh};
  }
  return words;
}

Words LongestRun(uint64_t symbols) {
  const std::string longest = FormatCount(symbols);
  return {fmt::format("longest <b>{}</b>", longest), fmt::format("最长 <b>{}</b>", longest)};
}

// --- texts side by side --------------------------------------------------------------------------

// One of the two texts of a match, and how it is called.
struct PageSide {
  std::string_view css_class;  // "suspect", "original"
  Words title;
  std::string_view text;
  uint64_t code_points;
  char mark;              // of the ids of its passages
  char other;             // of those of the other text
  std::string id_prefix;  // "s1m2": unique in the page
};

std::string RenderPassage(const PageSide& side, size_t passage, const ShownText& text) {
  return fmt::format(
      "<mark class=\"shared\" id=\"{0}{1}{2}\"><a class=\"place\" "
      "href=\"#{0}{3}{2}\">{2}</a>{4}</mark>",
      side.id_prefix, side.mark, passage + 1, side.other, RenderShownParts(text));
}

std::string RenderStretchSide(const PageSide& side, const StretchSide& around,
                              const std::vector<StretchPart>& parts, ShownText StretchPart::*of) {
  const std::string begin = FormatCount(around.place.begin.value + 1);
  const std::string end = FormatCount(around.place.end.value);
  std::string sample(around.before);
  for (const StretchPart& part : parts) {
    for (const TextPart& shown : part.*of) sample += shown.text.substr(0, 100);
  }
  std::string out = fmt::format(
      "<div class=\"side {}\"><p class=\"where\">{}</p><div class=\"text\" lang=\"{}\" "
      "dir=\"auto\">",
      side.css_class,
      Both(fmt::format("{}, characters {}–{}", side.title.en, begin, end),
           fmt::format("{}第 {}–{} 字", side.title.zh, begin, end)),
      LanguageOf(sample));
  if (!around.begins_text) out += "<span class=\"omitted\">…</span>";
  AppendHtmlText(out, around.before);
  for (const StretchPart& part : parts) {
    out += part.passage ? RenderPassage(side, *part.passage, part.*of) : RenderShownParts(part.*of);
  }
  AppendHtmlText(out, around.after);
  if (!around.ends_text) out += "<span class=\"omitted\">…</span>";
  return out + "</div></div>";
}

// A bar that shows where the passages are in a text.
std::string RenderMap(const PageSide& side, const std::vector<CopiedPassage>& passages,
                      Span<CodePointOffset> CopiedPassage::*of) {
  constexpr double kWidth = 1000, kLeast = 1.5, kSeen = 0.5;  // of a bar, a passage, a difference
  const double scale = kWidth / static_cast<double>(std::max<uint64_t>(side.code_points, 1));
  std::vector<Span<CodePointOffset>> places;
  places.reserve(passages.size());
  for (const CopiedPassage& passage : passages) places.push_back(passage.*of);
  std::ranges::sort(places, {}, &Span<CodePointOffset>::begin);
  std::string out =
      "<svg class=\"bar map\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\"><rect class=\"track\" width=\"1000\" height=\"10\"/>";
  double drawn = -1;  // up to here
  for (const Span<CodePointOffset>& place : places) {
    const double x = static_cast<double>(place.begin.value) * scale;
    const double width = std::max(static_cast<double>(place.size()) * scale, kLeast);
    if (x + width < drawn + kSeen) continue;
    drawn = x + width;
    out +=
        fmt::format("<rect class=\"same\" x=\"{:.1f}\" width=\"{:.1f}\" height=\"10\"/>", x, width);
  }
  return out + "</svg>";
}

std::string RenderHead(const PageSide& side, const std::string& who, const std::string& labels,
                       const std::string& map) {
  const Words length = PageCharacters(side.code_points);
  return fmt::format(
      "<div class=\"side {}\"><p class=\"who\"><strong>{}</strong> {}</p><p "
      "class=\"where\">{}{}</p>{}"
      "</div>",
      side.css_class, Both(side.title), who, labels, Both(length), map);
}

// The document's kind in its library, where it is named beside the relation.
std::string RenderKind(DocumentKind kind) {
  switch (kind) {
    case DocumentKind::kOriginal:
      return "";
    case DocumentKind::kDecoy:
      return fmt::format("<span class=\"badge\">{}</span> ", Both("decoy", "诱饵"));
    case DocumentKind::kLicensedCopy:
      return fmt::format("<span class=\"badge kind\">{}</span> ",
                         Both("licensed copy", "授权副本"));
  }
  return "";
}

// Returns the stretches that are shown, by place: those with the most symbols.
std::vector<StretchRange> ChooseStretches(std::vector<StretchRange> ranges) {
  if (ranges.size() <= kShownStretches) return ranges;
  std::ranges::stable_sort(ranges, std::greater(), &StretchRange::matched);
  ranges.resize(kShownStretches);
  std::ranges::sort(ranges, {}, &StretchRange::first);
  return ranges;
}

Result<std::string> RenderStretches(const PageSide& suspect, const PageSide& original,
                                    const std::vector<CopiedPassage>& passages) {
  const std::vector<StretchRange> all = GroupPassages(passages);
  const std::vector<StretchRange> shown = ChooseStretches(all);
  std::string out;
  for (size_t i = 0; i < shown.size(); ++i) {
    if (i == kOpenStretches) {
      out += fmt::format("<div class=\"fold\" data-fold=\"places\" data-count=\"{}\">",
                         shown.size() - i);
    }
    ZHIWEN_ASSIGN_OR_RETURN(const Stretch stretch, ShowStretch(FoldedChannel(), suspect.text,
                                                               original.text, passages, shown[i]));
    out += "<div class=\"sides stretch\">" +
           RenderStretchSide(suspect, stretch.suspect, stretch.parts, &StretchPart::suspect) +
           RenderStretchSide(original, stretch.original, stretch.parts, &StretchPart::original) +
           "</div>";
  }
  if (shown.size() > kOpenStretches) out += "</div>";
  if (const size_t more = all.size() - shown.size(); more > 0) {
    const std::string count = FormatCount(more);
    out += Paragraph("note", {fmt::format("{} shorter {} not shown.", count,
                                          more == 1 ? "place is" : "places are"),
                              "另有 " + count + " 处较短的未显示。"});
  }
  return out;
}

// Returns what does not count of a match, behind a switch for each reason.
Result<std::string> RenderExcluded(const PageSide& suspect, const PageSide& original,
                                   const CheckMatch& match) {
  std::string out;
  for (size_t i = 0; i < kExclusionReasons; ++i) {
    const auto reason = static_cast<ExclusionReason>(i);
    std::vector<CopiedPassage> passages;
    uint64_t symbols = 0;
    for (const ExcludedPassage& one : match.excluded) {
      if (one.reason != reason) continue;
      passages.push_back(one.passage);
      symbols += one.passage.matched;
    }
    if (passages.empty()) continue;
    PageSide of_suspect = suspect, of_original = original;
    of_suspect.id_prefix += "x" + std::to_string(i);
    of_original.id_prefix = of_suspect.id_prefix;
    ZHIWEN_ASSIGN_OR_RETURN(
        const std::string stretches,
        RenderStretches(of_suspect, of_original, PiecesOf(passages, suspect.text, original.text)));
    out += BeginExcluded({reason, symbols}) + stretches + "</details>";
  }
  return out;
}

// --- matches -------------------------------------------------------------------------------------

std::vector<Words> FiguresOfPictures(const CheckMatch& match) {
  std::vector<Words> figures;
  for (const PictureSimilarity& one : match.pictures) {
    const std::string figure =
        fmt::format("{} <b>{}</b>", one.scheme.substr(0, one.scheme.find('.')),
                    FormatSimilarity(one.similarity));
    figures.push_back({figure, figure});
  }
  return figures;
}

std::vector<Words> FiguresOfTexts(const CheckedDocument& checked, const CheckMatch& match) {
  std::vector<Words> figures = {
      {fmt::format("resemblance <b>{}</b>", FormatSimilarity(match.resemblance)),
       fmt::format("相似度 <b>{}</b>", FormatSimilarity(match.resemblance))}};
  if (match.matched > 0) {
    figures.push_back({"<b>" + PageUnits(match.matched).en + "</b> in common",
                       "相同 <b>" + PageUnits(match.matched).zh + "</b>"});
    figures.push_back(ShareOfSuspect(match.matched, checked.checked.units));
  }
  figures.push_back(ShareOfOriginal(match));
  figures.push_back(LongestRun(match.longest_run));
  if (!match.passages.empty()) figures.push_back(DescribeWays(match));
  return figures;
}

std::string RenderMatchHead(const CheckedDocument& checked, const CheckMatch& match) {
  const RelationWords& words = WordsFor(match.relation);
  std::string excluded;
  if (match.excluded_as) {
    const ExclusionWords why = WordsOf(*match.excluded_as);
    excluded =
        fmt::format("<span class=\"badge kind\">{}</span> ",
                    Both("excluded: " + std::string(why.en), "排除：" + std::string(why.zh)));
  }
  return fmt::format("<h4>{}</h4><p class=\"measures\"><span class=\"badge\">{}</span> {}{}{}</p>",
                     RenderName(match.document), Both(words.en, words.zh),
                     RenderKind(match.document.labels.kind), excluded,
                     Both(FiguresOf(checked, match)));
}

Result<std::string> RenderMatch(const CheckedDocument& checked, const CheckMatch& match,
                                const std::string& id_prefix, const Library& library) {
  std::string out = "<article class=\"match\">" + RenderMatchHead(checked, match);
  if (checked.checked.is_picture) return out + "</article>";
  const Result<std::string> text = library.ReadText(match.document);
  if (!text && text.error().code == ErrorCode::kNotFound) {
    return out + Absent("The text of the original was purged meanwhile.", "原文已被清除。") +
           "</article>";
  }
  if (!text) return tl::unexpected(text.error());
  const PageSide suspect{"suspect",
                         {"suspect", "可疑文"},
                         checked.document.text,
                         CountCodePoints(checked.document.text),
                         'a',
                         'b',
                         id_prefix};
  const PageSide original{"original", {"original", "原文"}, *text, CountCodePoints(*text), 'b', 'a',
                          id_prefix};
  const std::vector<CopiedPassage> pieces = PiecesOf(match.passages, suspect.text, original.text);
  out += "<div class=\"sides heads\">" +
         RenderHead(suspect, HtmlLabel(checked.document.id, kIdCharacters), "",
                    RenderMap(suspect, pieces, &CopiedPassage::a_points)) +
         RenderHead(original, HtmlLabel(match.document.id, kIdCharacters),
                    RenderLabels(match.document),
                    RenderMap(original, pieces, &CopiedPassage::b_points)) +
         "</div>";
  if (match.passages.empty() && match.excluded.empty()) {
    out += Absent("The texts are too short for a passage of 16 characters or words.",
                  "文本过短，没有 16 字以上的相同段落。");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::string stretches, RenderStretches(suspect, original, pieces));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string excluded, RenderExcluded(suspect, original, match));
  return out + stretches + excluded + "</article>";
}

// The matches from `first` on as a table.
std::string RenderFurtherMatches(const CheckedText& checked, size_t first) {
  if (first == checked.matches.size()) return "";
  std::string out = "<div class=\"scroll\"><table class=\"figures\"><thead><tr>";
  out += fmt::format("<th scope=\"col\">{}</th>", Both("further originals", "其他原文"));
  for (const auto& [en, zh] : {std::pair("relation", "关系"),
                               {"in common", "相同"},
                               {"of the original", "原文"},
                               {"longest", "最长"}}) {
    out += fmt::format("<th scope=\"col\" class=\"n\">{}</th>", Both(en, zh));
  }
  out += "</tr></thead><tbody>";
  for (size_t i = first; i < checked.matches.size(); ++i) {
    const CheckMatch& match = checked.matches[i];
    const RelationWords& words = WordsFor(match.relation);
    out += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
        RenderName(match.document), Both(words.en, words.zh), FormatCount(match.matched),
        PageFigure(FormatContainment(match.containment_of_original)),
        FormatCount(match.longest_run));
  }
  return out + "</tbody></table></div>";
}

Words SayVerdict(const CheckedDocument& checked) {
  const CheckedText& text = checked.checked;
  const RelationWords& words = WordsFor(text.verdict);
  const std::string document = "<b>" + HtmlLabel(checked.document.id, kIdCharacters) + "</b>";
  if (text.matches.empty() && text.is_empty()) {
    return {document + " has nothing to compare.", document + " 无可比对的内容。"};
  }
  if (text.verdict == Relation::kNone && !text.matches.empty()) {
    return {document + " shares with the library what is excluded, and nothing else.",
            document + " 与库相同的段落均已排除。"};
  }
  if (text.matches.empty() && text.below_least > 0) {
    const std::string count = FormatCount(text.below_least);
    return {
        fmt::format("{} shares passages with the library, none as large as asked for: {} {} "
                    "not listed.",
                    document, count, text.below_least == 1 ? "match is" : "matches are"),
        fmt::format("{}与库有相同段落，但都小于所要求的份额：{} 个匹配未列出。", document, count)};
  }
  if (text.matches.empty()) {
    return {fmt::format(fmt::runtime(words.sentence_en), document) + ".",
            fmt::format(fmt::runtime(words.sentence_zh), document) + "。"};
  }
  // The verdict is that of the strongest match, which need not be the largest.
  const CheckMatch* const strongest = StrongestMatch(text);
  const std::string original = "<b class=\"kept\">" + RenderName(strongest->document) + "</b>";
  Words sentence = {fmt::format(fmt::runtime(words.sentence_en), document, original),
                    fmt::format(fmt::runtime(words.sentence_zh), document, original)};
  if (const size_t more = CountedMatches(text) - 1; more > 0) {
    sentence.en += fmt::format(", and matches {} more {}", FormatCount(more),
                               more == 1 ? "original" : "originals");
    sentence.zh += fmt::format("，另与 {} 篇原文匹配", FormatCount(more));
  }
  return {sentence.en + ".", sentence.zh + "。"};
}

}  // namespace

Words FiguresOf(const CheckedDocument& checked, const CheckMatch& match) {
  return JoinWords(match.pictures.empty() ? FiguresOfTexts(checked, match)
                                          : FiguresOfPictures(match));
}

std::string RenderName(const StoredDocument& document) {
  std::string id = HtmlLabel(document.id, kIdCharacters);
  if (document.labels.title.empty()) return id;
  return HtmlLabel(document.labels.title, kIdCharacters) + " (" + id + ")";
}

std::string RenderLabels(const StoredDocument& document) {
  const DocumentLabels& labels = document.labels;
  const WorkLabels& work = document.work;
  const std::string& author = labels.author.empty() ? work.author : labels.author;
  std::string out;
  for (const std::string* label : {&work.name, &work.title, &labels.part, &author, &work.owner,
                                   &labels.date, &work.first_publication, &labels.url}) {
    if (!label->empty()) out += HtmlLabel(*label, 200) + " · ";
  }
  return out;
}

std::vector<GlanceRow> GlanceRows(const CheckedText& checked) {
  const CheckGlance glance = GlanceAt(checked);
  const size_t counted = CountedMatches(checked);
  std::vector<GlanceRow> rows;
  const Words verdict = VerdictOf(checked);
  rows.push_back({{"verdict", "结论"}, {"<b>" + verdict.en + "</b>", "<b>" + verdict.zh + "</b>"}});
  if (const CheckMatch* const decoy = DecoyMatch(checked)) {
    const std::string name = RenderName(decoy->document);
    Words lead = {"<b>strong lead</b>: the decoy " + name, "<b>强线索</b>：诱饵 " + name};
    const std::string exposed = HtmlLabel(ExposureOf(decoy->document.labels), kIdCharacters);
    if (!exposed.empty()) {
      lead.en += ", published " + exposed;
      lead.zh += "，发布于 " + exposed;
    }
    rows.push_back({{"lead", "线索"}, std::move(lead)});
  }
  if (glance.same > 0) {
    std::vector<Words> same = {PageUnits(glance.same), ShareOfSuspect(glance.same, checked.units)};
    if (counted == 1) same.push_back(ShareOfOriginal(checked.matches.front()));
    same.push_back(LongestRun(glance.longest_run));
    rows.push_back({{"same", "相同"}, JoinWords(same)});
  }
  if (counted == 1 && !checked.matches.front().passages.empty()) {
    rows.push_back({{"how", "方式"}, DescribeWays(checked.matches.front())});
  }
  if (const CheckMatch* const strongest = StrongestMatch(checked)) {
    const Words first = DescribePrecedence(*strongest, checked.date);
    if (!first.en.empty()) rows.push_back({{"first", "先后"}, first});
  }
  if (counted > 1) {
    const std::string count = FormatCount(counted);
    rows.push_back(
        {{"originals", "原文"}, {"<b>" + count + "</b>", "<b>" + count + "</b>&nbsp;篇"}});
  }
  if (!checked.excluded.empty()) {
    rows.push_back({{"excluded", "排除"}, ExcludedInWords(checked.excluded)});
  }
  if (checked.of_set_phrases > 0) {
    const std::string count = FormatCount(checked.of_set_phrases);
    rows.push_back({{"not listed", "未列"},
                    {FormatPlural(checked.of_set_phrases, "original") + " with set phrases alone",
                     count + "&nbsp;篇原文仅有相同的套话"}});
  }
  if (checked.below_least > 0) {
    const std::string count = FormatCount(checked.below_least);
    rows.push_back({{"not listed", "未列"},
                    {count + (checked.below_least == 1 ? " match" : " matches") +
                         " with less than the least share",
                     count + "&nbsp;篇相同部分不足最低比例"}});
  }
  if (checked.common_blocks > 0) {
    const std::string count = FormatCount(checked.common_blocks);
    rows.push_back({{"not looked up", "未查"},
                    {FormatPlural(checked.common_blocks, "place") +
                         " of the suspect that more than 64 originals have",
                     count + "&nbsp;处，各见于 64 篇以上的原文"}});
  }
  if (checked.common_keys > 0) {
    const std::string count = FormatCount(checked.common_keys);
    rows.push_back({{"not looked up", "未查"},
                    {FormatPlural(checked.common_keys, "key") +
                         " of granules that more than 256 originals have",
                     "颗粒的 " + count + "&nbsp;个键，各见于 256 篇以上的原文"}});
  }
  if (!checked.granules_not_searched.empty() || checked.granules_lacking > checked.lacking) {
    rows.push_back({{"granules", "颗粒"},
                    {"passages that sound alike were not looked for in all "
                     "originals",
                     "读音相近的段落没有在全部原文中查找"}});
  }
  if (checked.lacking > 0) {
    const std::string count = FormatCount(checked.lacking);
    rows.push_back({{"not indexed", "未编入"},
                    {"the last " + FormatPlural(checked.lacking, "change") +
                         " of the library, of which only equal texts are found",
                     "库的最后 " + count + "&nbsp;次更改，其中只能找到相同文本"}});
  }
  if (checked.truncated) {
    rows.push_back({{"bound", "界限"},
                    {"a bound was met: there may be more matches", "达到上限，可能还有其他匹配"}});
  }
  if (Words not_seen = NotSeenInWords(checked); !not_seen.en.empty()) {
    rows.push_back({{"not seen", "未看"}, std::move(not_seen)});
  }
  const std::string channels = " · " + HtmlLabel(ShortChannelNames(checked.channels));
  rows.push_back({{"searched", "范围"},
                  {PageDocuments(checked.documents).en + channels,
                   PageDocuments(checked.documents).zh + channels}});
  return rows;
}

Words VerdictWords(Relation relation) {
  const RelationWords& words = WordsFor(relation);
  return {std::string(words.en), std::string(words.zh)};
}

Words CountedWords(Relation relation) {
  const RelationWords& words = WordsFor(relation);
  return {std::string(words.counted), std::string(words.zh)};
}

Words VerdictSentence(const CheckedDocument& checked) {
  Words said = SayVerdict(checked);
  if (!MayHideCopy(checked.checked)) return said;
  return {fmt::format("{} {}", said.en, kLittleComparedEn),
          said.zh + std::string(kLittleComparedZh)};
}

std::string RenderSuspectRow(const CheckedDocument& checked, uint64_t number) {
  const CheckedText& text = checked.checked;
  const CheckGlance glance = GlanceAt(text);
  const size_t counted = CountedMatches(text);
  const std::string more = counted > 1 ? fmt::format(" +{}", FormatCount(counted - 1)) : "";
  const CheckMatch* const strongest = StrongestMatch(text);
  const std::string figures =
      text.is_picture
          ? "<td colspan=\"3\"></td>"
          : fmt::format("<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>",
                        FormatCount(glance.same),
                        PageFigure(FormatContainment(ShareOf(glance.same, text.units))),
                        FormatCount(glance.longest_run));
  return fmt::format(
      "<tr><th scope=\"row\"><a href=\"#document-{}\">{}</a></th><td>{}</td>{}<td>{}{}</td></tr>",
      number, HtmlLabel(checked.document.id, kIdCharacters), Both(VerdictOf(text)), figures,
      strongest == nullptr ? "" : RenderName(strongest->document), more);
}

Result<std::string> RenderSuspect(const CheckedDocument& checked, uint64_t number,
                                  const Library& library) {
  const std::vector<CheckMatch>& matches = checked.checked.matches;
  std::string out = fmt::format("<article class=\"cluster\" id=\"document-{}\"><h3>{}</h3>{}",
                                number, HtmlLabel(checked.document.id, kIdCharacters),
                                RenderGlance(GlanceRows(checked.checked)));
  size_t shown = 0;
  for (; shown < matches.size() && out.size() < kMostArticleBytes; ++shown) {
    if (shown == kOpenMatches) {
      out += fmt::format("<div class=\"fold\" data-fold=\"more\" data-count=\"{}\">",
                         matches.size() - shown);
    }
    ZHIWEN_ASSIGN_OR_RETURN(
        const std::string match,
        RenderMatch(checked, matches[shown], fmt::format("d{}m{}", number, shown + 1), library));
    out += match;
  }
  out += RenderFurtherMatches(checked.checked, shown);
  if (shown > kOpenMatches) out += "</div>";
  return out + "</article>";
}

}  // namespace zhiwen
