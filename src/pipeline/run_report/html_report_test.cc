#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "base/utf8/utf8.h"
#include "pipeline/run_report/page_files.h"
#include "zhiwen/dedup.h"

namespace zhiwen {
namespace {

using Kind = TextPart::Kind;

size_t CountOf(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Every text of the report is `text`.
DedupReport FullReport(const std::string& text) {
  DedupReport report;
  report.documents = 1234567;
  report.kept = 1000000;
  report.removed_exact = 34567;
  report.removed_near = 199998;
  report.failed = {{"invalid_json", 1}, {text, 1}};
  report.empty = 5;
  report.clusters = 77;
  report.duplicate_ids = 3;
  report.duplicate_id_examples = {text};
  report.missing_policy_values = {{text, 9}};
  report.candidate_source = text;
  report.theorem_b_claim = "probable";
  report.stages = {{"sketch", 1.5, 3, 1000000}, {text, 0.25, 0.2, 0}};
  DedupFindings& findings = report.findings;
  findings.sizes = {{0, 1, 5, 0}, {1, 10, 2000, 1}, {10, 15, 3, 70}};
  findings.similarities.bins = {{0.8, 0.81, 5}, {0.81, 0.82, 0}};
  findings.similarities.equal = 40000;
  ShownRemoval removal{
      .id = text, .kept_id = text, .source = text, .kept_source = text, .reason = text};
  removal.text = {{Kind::kShared, text, 1},
                  {Kind::kFolded, text, 1},
                  {Kind::kOmitted, "", 4321},
                  {Kind::kOnlyHere, text, 1},
                  {Kind::kCut, "", 1}};
  removal.kept_text = {{Kind::kShared, text, 1}};
  findings.clusters = {{text, text, 4, {removal, removal}}};
  findings.reasons = {{text, {removal}, {removal, removal}}};
  findings.sources = {.sources = 20,
                      .names = {text, "b"},
                      .has_others = true,
                      .removed = {{1, 0, 2}, {1000, 0, 0}, {0, 0, 3}}};
  findings.failures = {{"invalid_json", text, text, 12345, 10, text}};
  findings.warnings = {text};
  report.audit = DedupAudit{.removals_checked = 1000,
                            .kept_checked = 1000,
                            .kept_in_part = 12,
                            .removals_too_long = 34,
                            .kept_too_long = 5678};
  report.bad_files = {{text, text, 1}};
  report.against = AgainstReport{.references = 4000,
                                 .hit = 30,
                                 .unmatchable = 7,
                                 .too_short = {5, {{text, text, 0, text}}},
                                 .too_common = {2, {{text, text, 0, text}}},
                                 .common_shingles = 1234,
                                 .most_common = {{text, 987}},
                                 .often_hit = 1,
                                 .most_hit = {{text, text, 2345, text}}};
  report.saturated_documents = 91;
  report.resumes = 2;
  return report;
}

DedupOptions FullOptions(const std::string& text) {
  DedupOptions options;
  options.keep = text;
  options.text_fields = {text};
  options.id_field = text;
  options.command = {"zhiwen", "dedup", text};
  return options;
}

std::string Render(const std::string& text) {
  return RenderHtmlReport(FullReport(text), FullOptions(text));
}

TEST(HtmlReport, EveryPlaceOfThePageIsFilled) {
  const std::string page = Render("text");
  EXPECT_FALSE(Has(page, "{{"));
  const std::string html = std::string(kPageHtml) + std::string(kReportHtml);
  const std::regex place("\\{\\{([a-z-]+)\\}\\}");
  size_t places = 0;
  for (std::sregex_iterator at(html.begin(), html.end(), place), end; at != end; ++at) ++places;
  EXPECT_EQ(places, CountOf(html, "{{"));
  EXPECT_GE(places, 18U);
}

TEST(HtmlReport, FiguresHaveSeparatorsAndUnits) {
  const std::string page = Render("text");
  EXPECT_TRUE(Has(page, "<b>1,234,567</b> documents in"));
  EXPECT_TRUE(Has(page, "读入 <b>1,234,567</b> 篇文档"));
  EXPECT_TRUE(Has(page, "34,567 identical, 199,998 near-duplicate at resemblance 0.8 or above"));
  EXPECT_TRUE(Has(page, "… 4,321 identical characters …"));
  EXPECT_TRUE(Has(page, "……相同 4,321 字……"));
  EXPECT_TRUE(Has(page, "1.50&nbsp;s"));
  EXPECT_TRUE(Has(page, "250&nbsp;毫秒"));
}

TEST(HtmlReport, WarnsOfHtmlInBothLanguagesAndNamesHowInputsAreRead) {
  DedupReport report;
  report.html = {1000, 400};
  report.findings.warnings = {
      "400 of the first 1,000 texts look like HTML, and tags are taken for text: say that the "
      "text format is html, or extract the texts first",
      "another warning"};
  report.findings.failures = {{"not_a_string", "a.parquet:7", "a number", 0, 0, "{}"}};
  report.failed = {{"not_a_string", 1}};
  report.separators = {{",", 2}, {"tab", 1}};
  DedupOptions options;
  options.syntax = {.separator = '\t', .encoding = TextEncoding::kGb18030};
  const std::string page = RenderHtmlReport(report, options);
  EXPECT_EQ(CountOf(page, "texts look like HTML"), 1U);
  EXPECT_TRUE(Has(page, "开头的 1,000 篇文本中有 400 篇像是 HTML"));
  EXPECT_TRUE(Has(page, "程序运行时的英文提示："));
  EXPECT_FALSE(Has(page, "byte 0"));
  EXPECT_TRUE(Has(page, "separator of CSV"));
  EXPECT_TRUE(Has(page, ">gb18030<"));
  EXPECT_TRUE(Has(page, "1 个 CSV 文件用"));
}

TEST(HtmlReport, SaysWhatAnAuditDidNotLookAt) {
  const std::string page = Render("text");
  EXPECT_TRUE(Has(page, "12 of the kept documents checked look like so many others"));
  EXPECT_TRUE(Has(page, "34 of the removals drawn, 5,678 of all kept documents"));
  EXPECT_TRUE(Has(page, "kept documents match another one or a reference"));
}

TEST(HtmlReport, NamesDamagedFilesAndTheReferencesThatWereHit) {
  const std::string page = Render("一个名字");
  EXPECT_TRUE(Has(page, "1 file is damaged and read up to the damage"));
  EXPECT_TRUE(Has(page, ": <span lang=\"en\"><bdi>一个名字</bdi></span></li>"));
  EXPECT_TRUE(Has(page, "1 record read"));
  EXPECT_TRUE(Has(page, "读入 1 条记录"));
  EXPECT_TRUE(Has(page, "30 of 4,000 references are matched by"));
  EXPECT_TRUE(Has(page, "<td class=\"n\">2,345</td>"));
  EXPECT_TRUE(Has(page, "7: empty, too short for the rule, or with too few uncommon shingles"));
  EXPECT_TRUE(Has(page, "1 reference is matched by more than 1&nbsp;% of the inputs"));
  EXPECT_TRUE(Has(page, "References too short to match: 5"));
  EXPECT_TRUE(
      Has(page, "除去常见片段后所剩过少的参照：2 条（前 1 条，全部列于 unmatchable.jsonl.zst）"));
  EXPECT_TRUE(Has(page, "count for a reference: 1,234"));
  EXPECT_TRUE(Has(page, "<td class=\"n\">987</td>"));
  EXPECT_TRUE(Has(page, "2 times"));
}

TEST(HtmlReport, EveryReasonOfTheHeadlineHasItsOwnRule) {
  DedupReport report = FullReport("text");
  report.removed_against = 3;
  DedupOptions options = FullOptions("text");
  options.against_threshold = 0.4;
  const auto has = [&](ReferenceRule rule, std::string_view part) {
    options.against_rule = rule;
    return Has(RenderHtmlReport(report, options), part);
  };
  EXPECT_TRUE(has(ReferenceRule::kNear,
                  "near-duplicate at resemblance 0.8 or above, 3 matching a "
                  "reference at resemblance 0.4 or above"));
  EXPECT_TRUE(has(ReferenceRule::kContains,
                  "3 matching a reference (40&nbsp;% or more of one is in the input)"));
  EXPECT_TRUE(has(ReferenceRule::kContainedIn,
                  "3 matching a reference (40&nbsp;% or more of the input is in one)"));
  EXPECT_TRUE(has(ReferenceRule::kOverlap,
                  "3 matching a reference (50 or more consecutive characters or words in common"));
  EXPECT_TRUE(has(ReferenceRule::kContains, "近重复 199,998 篇（相似度不低于 0.8）"));
  EXPECT_TRUE(
      has(ReferenceRule::kContains, "与参照匹配 3 篇（某条参照的 40&nbsp;% 以上在输入中）"));
}

TEST(HtmlReport, RemovalsForReferencesAreNotCountedAsEqualTexts) {
  DedupReport report = FullReport("text");
  report.findings.similarities.bins.clear();
  report.findings.similarities.equal = 1;
  report.removed_against = 3;
  const std::string page = RenderHtmlReport(report, FullOptions("text"));
  EXPECT_FALSE(Has(page, "All 1 removals"));
  EXPECT_TRUE(
      Has(page,
          "The one removal that matches another input has resemblance 1. Not counted here: 3 "
          "removals that match a reference."));
}

TEST(HtmlReport, TheClaimOfARunWithGroupsIsAboutOneGroup) {
  DedupOptions options = FullOptions("text");
  options.group_by = "site";
  const auto page = [&] { return RenderHtmlReport(FullReport("text"), options); };
  EXPECT_TRUE(Has(page(), "No two kept documents of one group resemble each other 0.8 or more"));
  EXPECT_TRUE(Has(page(), "同组的保留文档两两相似度都低于 0.8"));
  options.mode = DedupMode::kExact;
  EXPECT_TRUE(Has(page(), "No two kept documents of one group are equal."));
  options.mode = DedupMode::kContained;
  EXPECT_TRUE(Has(page(), "No kept document is 80 % or more contained in another of its group"));
}

TEST(HtmlReport, TheClaimOfARunWithALimitOfDatesIsAboutNearDates) {
  DedupOptions options = FullOptions("text");
  options.within = {"date", 7 * 86400};
  const std::string page = RenderHtmlReport(FullReport("text"), options);
  EXPECT_TRUE(Has(page, "No two kept documents near in time (date,7d) resemble each other"));
  EXPECT_TRUE(Has(page, "日期相近（date,7d）的保留文档两两相似度都低于 0.8"));
}

TEST(HtmlReport, AReferenceIsNoKeptDocument) {
  DedupReport report = FullReport("text");
  ShownRemoval removal = report.findings.reasons[0].lowest[0];
  removal.reason = "against";
  removal.containment_of_kept = 0.6;
  removal.with_reference.containment_of_counted = 0.9;
  report.findings.clusters.clear();
  report.findings.reasons = {{"against", {removal}, {}}};
  const auto page = [&] { return RenderHtmlReport(report, FullOptions("text")); };
  EXPECT_TRUE(Has(page(), "kept, or a reference, in →"));
  EXPECT_TRUE(Has(page(), "<strong><span class=\"t\" lang=\"en\">reference</span>"));
  EXPECT_TRUE(
      Has(page(), "参照有 <b>60.00&nbsp;%</b> 见于输入（不计常见片段则为 <b>90.00&nbsp;%</b>"));
  ShownRemoval& shown = report.findings.reasons[0].lowest[0];
  shown.resemblance = shown.containment = 0;
  shown.with_reference = {.run = 2};
  EXPECT_TRUE(Has(page(), "<b>2</b> consecutive characters or words in common</span>"));
  EXPECT_FALSE(Has(page(), "Not counted here: 5 removals of documents that represent"));
  report.removed_representative = 5;
  EXPECT_TRUE(Has(page(), "Not counted here: 5 removals of documents that represent a cluster"));
}

TEST(HtmlReport, SpeaksOfNoKeptTextWhereNothingOfAClusterIsKept) {
  DedupReport report = FullReport("text");
  const auto page = [&] { return RenderHtmlReport(report, FullOptions("text")); };
  EXPECT_TRUE(Has(page(), "of the removed text is in the kept one"));
  EXPECT_TRUE(Has(page(), "见于保留文档"));
  report.removed_representative = 5;
  EXPECT_FALSE(Has(page(), "the kept one"));
  EXPECT_FALSE(Has(page(), "见于保留文档"));
  EXPECT_TRUE(Has(page(), "of the second text is in the first, "));
}

TEST(HtmlReport, SaysThatMarkedRecordsStay) {
  DedupReport report;
  report.documents = 3000;
  report.kept = 2990;
  report.removed_against = 4;
  report.removed_exact = 6;
  DedupOptions options = FullOptions("text");
  const auto page = [&] { return RenderHtmlReport(report, options); };
  EXPECT_FALSE(Has(page(), "kept/ has"));
  options.mark = "leak";
  EXPECT_TRUE(Has(page(), "; no record failed. kept/ has 3,000, with the 10 marked."));
  options.against_action = ReferenceAction::kMark;
  EXPECT_TRUE(Has(page(), "; no record failed. kept/ has 2,994, with the 4 marked."));
  EXPECT_TRUE(Has(page(), "；没有失败的记录。 kept/ 中有 2,994 篇，包括带标记的 4 篇。"));
  report.removed_against = 0;
  EXPECT_FALSE(Has(page(), "kept/ has"));
}

TEST(HtmlReport, AnAuditThatFoundNothingDoesNotAlarm) {
  DedupReport report = FullReport("text");
  report.audit = DedupAudit{
      .removals_checked = 1, .kept_checked = 3, .residual = {0, 0, 0.56}, .recall = {1, 0, 1}};
  const auto page = [&] { return RenderHtmlReport(report, FullOptions("text")); };
  EXPECT_TRUE(Has(page(), "too few were checked to say how many of all do"));
  EXPECT_FALSE(Has(page(), "interval 0.00&nbsp;% to 100.00&nbsp;%"));
  EXPECT_TRUE(Has(page(), "among the 3 checked, too few of all to say more than 0.00 % or above"));
  report.audit->kept_in_part = 1;
  EXPECT_TRUE(Has(page(), "3 checked, but 1 was compared with some of the others only: no more"));
  EXPECT_TRUE(Has(page(), "其中 1 篇只与一部分文档比较过，只能断定不低于 0.00&nbsp;%"));
  EXPECT_TRUE(Has(page(), "其中 1 篇只与一部分文档比较过，不足以推断全体"));
  report.audit->kept_in_part = 0;
  DedupReport none;
  none.kept = 3000;
  none.audit = DedupAudit{.kept_checked = 793, .residual = {0, 0, 0.0037}, .recall = {1, 0, 1}};
  const std::string idle = RenderHtmlReport(none, FullOptions("text"));
  EXPECT_TRUE(Has(idle, "nothing was removed, and none of the 793 kept documents checked should"));
  EXPECT_TRUE(Has(idle, "没有删除任何文档；抽查的 793 篇保留文档中也没有应删除的"));
  report.kept = 3;
  EXPECT_TRUE(Has(page(), "no kept document should have been removed: all were checked"));
}

TEST(HtmlReport, OneOfAThingIsSpokenOfAsOne) {
  DedupReport report = FullReport("text");
  report.empty = report.too_short = report.duplicate_ids = report.saturated_documents =
      report.kept = 1;
  report.removed_against = 1;
  report.missing_policy_values = {{"date", 1}};
  report.missing_group_values = report.missing_dates = report.missing_key_values = 1;
  report.failed = {{"invalid_json", 1}};
  report.against->references = report.against->hit = 1;
  DedupOptions options = FullOptions("text");
  options.mode = DedupMode::kContained;
  const std::string page = RenderHtmlReport(report, options);
  EXPECT_FALSE(
      std::regex_search(page, std::regex("[^0-9,.]1 [a-z]+( [a-z]+)?s (are|have|repeat)")));
  EXPECT_TRUE(Has(page, "1 kept document has an empty text"));
  EXPECT_TRUE(
      Has(page, "1 document, kept or removed, is too short for a shingle on the channel and was"));
  EXPECT_TRUE(Has(page, "1 record could not be used and is in failed.jsonl.zst"));
  EXPECT_TRUE(Has(page, "1 record repeats an id"));
  EXPECT_TRUE(Has(page, "1 document has no usable value"));
  EXPECT_TRUE(Has(page, "1 document has no value to group by and forms one group"));
  EXPECT_TRUE(Has(page, "1 document has no date and is never too far from others"));
  EXPECT_TRUE(Has(page, "1 document has no key and was compared by its text alone"));
  EXPECT_TRUE(Has(page, "1 document is mostly shared boilerplate"));
  EXPECT_TRUE(Has(page, "1 of 1 reference is matched by 1 input"));
}

TEST(HtmlReport, SaysWhatWasCutOutOfInputsThatStay) {
  DedupReport report = FullReport("text");
  report.removed_against = 4;
  DedupOptions options = FullOptions("text");
  EXPECT_FALSE(Has(RenderHtmlReport(report, options), "cuts.jsonl.zst"));
  options.against_action = ReferenceAction::kCut;
  report.against->cuts = ReferenceCuts{1200, 1300, 56789};
  std::string page = RenderHtmlReport(report, options);
  EXPECT_TRUE(Has(page, "30 of 4,000 references are matched by 1,204 inputs"));
  EXPECT_TRUE(Has(page, "1,300 passages of 56,789 characters were cut out of 1,200 documents"));
  EXPECT_TRUE(Has(page, "从 1,200 篇文档中剪去 1,300 处文字，共 56,789 个字符"));
  EXPECT_TRUE(Has(page, "stay without the passages that match"));
  EXPECT_TRUE(Has(page,
                  " could not be read. 1,300 passages were cut out of 1,200 documents, which "
                  "stay."));
  EXPECT_TRUE(Has(page, "从 1,200 篇文档中剪去 1,300 处文字，文档保留。"));
  EXPECT_TRUE(Has(page, "1,200 documents were cut and not compared with other inputs"));
  EXPECT_TRUE(Has(page, "1,200 篇剪去文字的文档没有与其他输入比较"));
  report.against->cuts = ReferenceCuts{1, 1, 1};
  page = RenderHtmlReport(report, options);
  EXPECT_TRUE(Has(page, "1 passage of 1 character was cut out of 1 document, which stays"));
}

TEST(HtmlReport, EqualReportsAreEqualPages) { EXPECT_EQ(Render("文"), Render("文")); }

// Each tag of the page, with its attributes.
std::string TagsOf(const std::string& page) {
  std::string tags;
  for (size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    tags += page.substr(at, page.find('>', at) - at + 1) + '\n';
  }
  return tags;
}

TEST(HtmlReport, HostileTextsAddNoMarkup) {
  for (const std::string hostile :
       {"<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "\"'><svg onload=a>",
        "--><!--", "</style></title></template>", "{{script}}", "&lt;b&gt;&#60;", "]]>"}) {
    std::string calm;  // as many characters, none of which mean anything
    for (const char c : hostile) calm += isalnum(static_cast<unsigned char>(c)) ? c : '.';
    // The names of classes follow the reason, which comes from the program alone.
    EXPECT_EQ(TagsOf(Render(hostile)), TagsOf(Render(calm))) << hostile;
  }
}

TEST(HtmlReport, WhateverTheBytesThePageIsUtf8) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  bytes += "\u202e\u2028\u200b";
  const std::string page = Render(bytes);
  EXPECT_EQ(FindInvalidUtf8(page), page.size());
  EXPECT_EQ(page.find('\0'), std::string::npos);
  EXPECT_FALSE(Has(page, "\u202e"));
  EXPECT_FALSE(Has(page, "\u2028"));
  EXPECT_TRUE(Has(page, "U+202E"));
}

TEST(HtmlReport, HugeTextsAreCut) { EXPECT_LT(Render(std::string(1 << 20, 'x')).size(), 2U << 20); }

TEST(HtmlReport, LoadsNothing) {
  const std::string page = Render("text");
  for (const char* part : {"http:", "https:", "src=", "<link", "@import", "url(", "fetch(",
                           "XMLHttpRequest", "localStorage", "document.cookie"}) {
    EXPECT_FALSE(Has(page, part)) << part;
  }
  EXPECT_TRUE(Has(page, "default-src 'none'"));
  EXPECT_EQ(CountOf(page, "<script"), 1U);
  EXPECT_FALSE(std::regex_search(page, std::regex("<[^>]* (style|on[a-z]+)=")));
}

TEST(HtmlReport, SaysWhatIsAbsent) {
  const std::string page = RenderHtmlReport(DedupReport(), DedupOptions());
  for (const char* sentence :
       {"Nothing was removed", "没有删除任何文档", "did not audit itself", "no cluster",
        "No record failed", "There were no warnings", "come from one file", "没有命令行",
        "Every file was read to its end"}) {
    EXPECT_TRUE(Has(page, sentence)) << sentence;
  }
}

TEST(HtmlReport, EverySentenceIsThereInBothLanguages) {
  const std::string page = Render("text");
  EXPECT_EQ(CountOf(page, "<span class=\"t\" lang=\"en\">"),
            CountOf(page, "<span class=\"t\" lang=\"zh-CN\">"));
  EXPECT_FALSE(Has(page, "lang=\"zh-CN\"></span>"));
}

}  // namespace
}  // namespace zhiwen
