#include "views/check_view.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "terminal/table.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr size_t kShownMatches = 10;

// Names a verdict, in full and in the counts of several documents.
struct VerdictName {
  std::string_view words, count;
};

constexpr std::array<VerdictName, kRelations> kVerdictNames = {{
    {"相同文本 the same text", "相同 same"},
    {"近似副本 near copy", "近似 near"},
    {"包含原文 contains an original", "包含 contains"},
    {"摘自原文 part of an original", "摘自 contained"},
    {"部分相同 shares passages", "部分 passages"},
    {"未见 not known", "未见 none"},
}};

std::string FormatVerdict(const CheckedText& text, const Palette& palette) {
  const std::string_view words = kVerdictNames[static_cast<size_t>(text.verdict)].words;
  if (text.verdict != Relation::kNone) return palette.Paint(Ink::kBad, words);
  if (text.is_empty()) {
    return text.is_picture ? "单色 one colour: nothing to compare" : "空文本 nothing to compare";
  }
  if (!text.matches.empty()) return palette.Paint(Ink::kGood, "仅有排除项 excluded passages alone");
  if (text.below_least > 0) return "低于下限 nothing of at least --least";
  if (text.of_set_phrases > 0) return palette.Paint(Ink::kGood, "仅套话 set phrases alone");
  return palette.Paint(Ink::kGood, words);
}

// Returns how a document of the library is called, whose it is, and what it is to the library.
std::string NameOriginal(const StoredDocument& document) {
  std::string name = MakePrintable(document.id);
  const std::string& title = document.labels.title;
  for (const std::string* label : {&document.labels.date, &title}) {
    if (!label->empty()) name += " · " + MakePrintable(*label);
  }
  const WorkLabels& work = document.work;
  const std::string work_title = work.title == work.name ? "" : work.title;
  for (const std::string* label : {&work.name, &work_title, &document.labels.part}) {
    if (title.find(*label) == std::string::npos) name += " · " + MakePrintable(*label);
  }
  if (!work.owner.empty()) name += " · 归属 owner " + MakePrintable(work.owner);
  if (document.labels.kind == DocumentKind::kDecoy) name += " · 诱饵 decoy";
  if (document.labels.kind == DocumentKind::kLicensedCopy) name += " · 授权 licensed";
  return name;
}

std::string SayOfOriginal(const CheckMatch& match) {
  return fmt::format("原文 {} of original", FormatContainment(match.containment_of_original));
}

std::string SayLongest(uint64_t run) { return fmt::format("最长 longest {}", FormatCount(run)); }

std::string SayBelowLeast(const CheckedText& text) {
  return fmt::format("{} {} below --least", FormatCount(text.below_least),
                     text.below_least == 1 ? "match" : "matches");
}

std::string SaySame(uint64_t matched, uint64_t units) {
  return fmt::format("{} 字 · 可疑文 {} of suspect", FormatCount(matched),
                     FormatContainment(ShareOf(matched, units)));
}

// Returns "phash64 0.97 · colour_grid 0.99": how alike two pictures are.
std::string SayPictures(const CheckMatch& match) {
  std::string said;
  for (const PictureSimilarity& one : match.pictures) {
    said +=
        fmt::format("{}{} {}", said.empty() ? "" : " · ",
                    one.scheme.substr(0, one.scheme.find('.')), FormatSimilarity(one.similarity));
  }
  return said;
}

void AddSame(const CheckedText& text, const CheckGlance& glance, Rows& rows) {
  if (glance.same == 0) return;
  std::string same = SaySame(glance.same, text.units);
  if (CountedMatches(text) == 1) same += " · " + SayOfOriginal(text.matches.front());
  rows.push_back({"相同 same", same + " · " + SayLongest(glance.longest_run)});
}

void AddWays(const CheckedText& text, Rows& rows) {
  if (CountedMatches(text) != 1) return;  // of several, the ways of one would say nothing
  std::string ways;
  for (const PassageWay& way : WaysOf(text.matches.front())) {
    ways += fmt::format("{}{} {} {}", ways.empty() ? "" : " · ", way.zh, way.en,
                        FormatCount(way.matched));
  }
  if (!ways.empty()) rows.push_back({"方式 how", ways});
}

void AddExcluded(const CheckedText& text, Rows& rows) {
  uint64_t all = 0;
  std::string by_reason;
  for (const auto& [reason, symbols] : text.excluded) {
    all += symbols;
    by_reason += fmt::format("{}{} {} {}", by_reason.empty() ? "" : " · ", WordsOf(reason).zh,
                             WordsOf(reason).en, FormatCount(symbols));
  }
  if (all == 0) return;
  rows.push_back({"排除 excluded", fmt::format("{} 字：{}", FormatCount(all), by_reason)});
}

// Adds what was not looked at, or is not listed.
void AddLimits(const CheckedText& text, Rows& rows) {
  AddExcluded(text, rows);
  if (text.of_set_phrases > 0) {
    rows.push_back(
        {"未列 not listed", fmt::format("{} with set phrases alone (--set-phrases lists them)",
                                        FormatPlural(text.of_set_phrases, "document"))});
  }
  if (text.below_least > 0) {
    rows.push_back({"未列 not listed", SayBelowLeast(text)});
  }
  if (text.common_blocks > 0) {
    rows.push_back(
        {"未查 not looked up", fmt::format("{} of the text in more than 64 documents each",
                                           FormatPlural(text.common_blocks, "place"))});
  }
  if (text.common_keys > 0) {
    rows.push_back(
        {"未查 not looked up", fmt::format("{} of granules that more than 256 documents each have",
                                           FormatPlural(text.common_keys, "key"))});
  }
  if (text.verdict == Relation::kNone && text.units > 0 && text.units < kPassageRun) {
    rows.push_back({"短文 short", fmt::format("a text below {} characters is found only where it "
                                              "equals a document, or nearly does",
                                              kPassageRun)});
  }
  if (text.lacking > 0) {
    rows.push_back({"未编入 not indexed", fmt::format("the last {} of the library",
                                                      FormatPlural(text.lacking, "change"))});
  }
  if (text.truncated) {
    rows.push_back({"界限 bound", "a bound was met: there may be more matches"});
  }
}

std::string SayExtracted(const CheckedText& text) {
  return "提取 extracted " + FormatExtracted(*text.extracted);
}

// Adds what of the document was not compared.
void AddNotSeen(const CheckedText& text, Rows& rows) {
  std::string parts;
  if (text.pictures > 0) {
    parts += fmt::format("{} 图 {}", FormatCount(text.pictures),
                         text.pictures == 1 ? "picture" : "pictures");
  }
  if (text.obfuscated > 0) {
    parts += fmt::format("{}{} 字 of a font of the page", parts.empty() ? "" : " · ",
                         FormatCount(text.obfuscated));
  }
  if (text.extracted.value_or(1) < 1) parts += (parts.empty() ? "" : "；") + SayExtracted(text);
  if (!parts.empty()) rows.push_back({"未看 not seen", parts});
  if (!MayHideCopy(text)) return;
  rows.push_back({"未比对 not compared",
                  "the rest of the page, which is more than half of it: zhiwen extract shows what "
                  "was taken, and --format text compares all of a file, with its tags"});
}

std::string SaySearched(uint64_t documents, std::span<const std::string> channels) {
  return FormatPlural(documents, "document") + " · " + ShortChannelNames(channels);
}

// Returns one of several matches: how it is related, and what it has in common below it.
std::string FormatMatch(const CheckMatch& match, uint64_t units, size_t columns,
                        const Palette& palette) {
  const Rows row = {{std::string(RelationName(match.relation)), FormatSimilarity(match.resemblance),
                     NameOriginal(match.document)}};
  if (match.excluded_as) {
    const ExclusionWords why = WordsOf(*match.excluded_as);
    return FormatTable(row, columns) + "      " +
           palette.Paint(Ink::kDim, fmt::format("排除 excluded: {} {}", why.zh, why.en)) + "\n";
  }
  const std::string figures = match.pictures.empty()
                                  ? fmt::format("{} · {} · {}", SaySame(match.matched, units),
                                                SayOfOriginal(match), SayLongest(match.longest_run))
                                  : SayPictures(match);
  return FormatTable(row, columns) + "      " + palette.Paint(Ink::kDim, figures) + "\n";
}

// Adds both dates, the earlier first. Adds nothing unless both texts have one.
void AddPrecedence(const CheckedText& text, std::string_view indent, Rows& rows) {
  const CheckMatch* const strongest = StrongestMatch(text);
  if (strongest == nullptr || strongest->date.empty() || text.date.empty()) return;
  const CheckMatch& match = *strongest;
  const std::string ours =
      fmt::format("我方 ours {}{}", MakePrintable(match.date),
                  match.date_origin == DateOrigin::kWork ? " (作品 work)" : "");
  const std::string theirs = fmt::format("对方 theirs {}", MakePrintable(text.date));
  const bool is_theirs = match.precedence == Precedence::kTheirs;
  const std::string unknown = match.precedence == Precedence::kUnknown ? "不明 unknown: " : "";
  rows.push_back(
      {std::string(indent) + "先后 first",
       fmt::format("{}{} · {}", unknown, is_theirs ? theirs : ours, is_theirs ? ours : theirs)});
}

}  // namespace

std::string FormatCheck(const CheckedDocument& checked, size_t columns, const Palette& palette) {
  const CheckedText& text = checked.checked;
  const CheckGlance glance = GlanceAt(text);
  Rows rows = {{"结论 verdict", FormatVerdict(text, palette)}};
  if (const CheckMatch* const decoy = DecoyMatch(text)) {
    std::string lead = palette.Paint(Ink::kBad, "强线索 strong lead") + ": 诱饵 decoy " +
                       MakePrintable(decoy->document.id);
    const std::string exposed = ExposureOf(decoy->document.labels);
    if (!exposed.empty()) lead += " · 发布于 published " + MakePrintable(exposed);
    rows.push_back({"线索 lead", std::move(lead)});
  }
  AddSame(text, glance, rows);
  AddWays(text, rows);
  const size_t counted = CountedMatches(text);
  if (counted == 1) {
    const CheckMatch& match = text.matches.front();
    rows.push_back({"原文 original", NameOriginal(match.document)});
    rows.push_back({"相似度 resemblance", match.pictures.empty()
                                              ? FormatSimilarity(match.resemblance)
                                              : SayPictures(match)});
  } else if (counted > 1) {
    rows.push_back({"原文 originals", FormatCount(counted)});
  }
  AddPrecedence(text, "", rows);
  AddLimits(text, rows);
  AddNotSeen(text, rows);
  rows.push_back({"范围 searched", SaySearched(text.documents, text.channels)});
  std::string out = palette.Paint(Ink::kBold, MakePrintable(checked.document.id)) + "\n" +
                    FormatTable(rows, columns);
  if (text.matches.empty() || (counted == 1 && text.matches.size() == 1)) return out;
  const size_t shown = std::min(kShownMatches, text.matches.size());
  for (const CheckMatch& match : std::span(text.matches).first(shown)) {
    out += FormatMatch(match, text.units, columns, palette);
  }
  if (text.matches.size() > shown) {
    out += fmt::format("… {} more (--json lists them)\n", FormatCount(text.matches.size() - shown));
  }
  return out;
}

std::string FormatCheckLine(const CheckedDocument& checked, size_t columns,
                            const Palette& palette) {
  const CheckedText& text = checked.checked;
  const CheckGlance glance = GlanceAt(text);
  std::string out = palette.Paint(Ink::kBold, MakePrintable(checked.document.id)) + ": " +
                    FormatVerdict(text, palette);
  if (text.matches.empty() && text.below_least > 0) {
    out += " · " + SayBelowLeast(text);
  }
  if (MayHideCopy(text)) out += " · " + SayExtracted(text) + ", the rest was not compared";
  const size_t counted = CountedMatches(text);
  if (counted == 0) return out + "\n";
  if (DecoyMatch(text) != nullptr) out += " · 诱饵 decoy: 强线索 strong lead";
  if (glance.same > 0) {
    out += fmt::format(" · 可疑文 {} of suspect · {}",
                       FormatContainment(ShareOf(glance.same, text.units)),
                       SayLongest(glance.longest_run));
  }
  std::string original = NameOriginal(StrongestMatch(text)->document);
  if (counted > 1) {
    original += fmt::format(" (+{})", FormatCount(counted - 1));
  }
  Rows rows = {{"  原文 original", original}};
  AddPrecedence(text, "  ", rows);
  return out + "\n" + FormatTable(rows, columns);
}

std::string FormatVerdicts(const CheckFilesSummary& summary) {
  std::string out = FormatPlural(summary.documents, "document");
  for (size_t i = 0; i < kRelations; ++i) {
    const bool is_none = static_cast<Relation>(i) == Relation::kNone;
    const uint64_t count = summary.by_verdict[i] - (is_none ? summary.empty : 0);
    if (count == 0) continue;
    out += fmt::format("{}{} {}", out.find(':') == std::string::npos ? ": " : " · ",
                       kVerdictNames[i].count, FormatCount(count));
  }
  if (summary.empty > 0) {
    out += fmt::format("{}空 empty {}", out.find(':') == std::string::npos ? ": " : " · ",
                       FormatCount(summary.empty));
  }
  return out;
}

std::string FormatSearched(const CheckFilesSummary& summary) {
  return "范围 searched " + SaySearched(summary.searched, summary.channels) + "\n";
}

std::string SayLacking(uint64_t changes, std::string_view folder) {
  return fmt::format(
      "the indexes of \"{0}\" lack its last {1}: of what these added only equal texts are found; "
      "let the program that adds them end, or run zhiwen library compact {0}",
      folder, FormatPlural(changes, "change"));
}

std::string SayGranulesNotSearched(const CheckFilesSummary& summary, std::string_view folder) {
  if (!summary.granules_not_searched.empty()) {
    return fmt::format("passages that sound alike were not looked for: {}",
                       summary.granules_not_searched);
  }
  if (summary.granules_lacking <= summary.lacking) return "";
  return fmt::format(
      "passages that sound alike were not looked for in all documents: the index of granules lacks "
      "{}; let zhiwen library derive {} end, or run it again",
      FormatPlural(summary.granules_lacking, "change"), folder);
}

}  // namespace zhiwen
