// Tests the views that people read: columns of text, and tables.
#include <gtest/gtest.h>

#include <cctype>

#include "views/check_view.h"
#include "views/compare_view.h"
#include "views/dedup_view.h"
#include "views/inspect_view.h"
#include "views/text_column.h"
#include "zhiwen/display.h"

namespace zhiwen {
namespace {

const Palette kPlain(Palette::Mode::kOff);
const Palette kColour(Palette::Mode::kOn);

std::vector<std::string> SplitLines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

TEST(TextColumn, EveryLineHasExactlyTheWidthOfTheColumn) {
  const std::string text =
      "前文 before, 忽逢桃花林，夹岸数百步，中无杂树👍🏽芳草e\u0301鲜美。后文\n末";
  for (size_t columns = 10; columns < 60; ++columns) {
    for (const std::string& line :
         WrapPassage(text, {{text.find("忽")}, {text.find("后")}}, columns, kPlain)) {
      EXPECT_EQ(DisplayWidth(line), columns) << columns << line;
    }
  }
}

TEST(TextColumn, ThePassageBeginsInTheSameColumnWhateverStandsBefore) {
  for (const std::string_view before : {"", "短", "a long way before the passage, 很长的前文"}) {
    const std::string text = std::string(before) + "忽逢桃花林";
    const std::vector<std::string> lines =
        WrapPassage(text, {{before.size()}, {text.size()}}, 40, kPlain);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(DisplayWidth(lines[0].substr(0, lines[0].find("⟦"))), 13u);
  }
}

TEST(TextColumn, ALongPassageLosesItsMiddle) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "桃";
  const std::vector<std::string> lines = WrapPassage(text, {{0}, {text.size()}}, 40, kPlain);
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_TRUE(lines[5].starts_with("⋮"));
  EXPECT_NE(lines.back().find("⟧"), std::string::npos);
}

TEST(TextColumn, ColourReplacesTheBrackets) {
  const std::vector<std::string> lines = WrapPassage("桃花林", {{3}, {6}}, 20, kColour);
  EXPECT_EQ(lines[0].find("⟦"), std::string::npos);
  EXPECT_NE(lines[0].find("\x1b[30;43m花\x1b[0m"), std::string::npos) << lines[0];
}

Comparison OneRun(const std::string& text) {
  Comparison comparison;
  comparison.a_symbols = comparison.b_symbols = text.size() / 3;
  SharedRun run;
  run.a_bytes = run.b_bytes = {{0}, {text.size()}};
  run.a_symbols = run.b_symbols = {{0}, {text.size() / 3}};
  comparison.runs.assign(kMaxRunsShown + 2, run);
  return comparison;
}

TEST(CompareView, NoRunIsWiderThanTheTerminal) {
  const std::string text = "忽逢桃花林夹岸数百步中无杂树芳草鲜美落英缤纷";
  CompareOptions options;
  options.a_name = "a";
  for (const size_t columns : {60u, 80u, 81u, 200u}) {
    const std::string shown =
        RenderComparison(OneRun(text), {}, {text, text}, options, columns, kPlain);
    for (const std::string& line : SplitLines(shown.substr(shown.find("run 1 of")))) {
      EXPECT_LE(DisplayWidth(line), columns);
    }
    EXPECT_NE(shown.find("│"), std::string::npos);
    EXPECT_NE(shown.find("2 shorter runs not shown"), std::string::npos);
  }
}

TEST(CompareView, ANarrowTerminalStacksTheTexts) {
  const std::string text = "忽逢桃花林夹岸数百步中无杂树芳草鲜美落英缤纷";
  const std::string shown = RenderComparison(OneRun(text), {}, {text, text}, {}, 30, kPlain);
  EXPECT_NE(shown.find("\na bytes 0–"), std::string::npos);
  EXPECT_NE(shown.find("\nb bytes 0–"), std::string::npos);
}

DedupReport SmallReport() {
  DedupReport report;
  report.documents = 1000;
  report.kept = 900;
  report.removed_exact = 60;
  report.removed_near = 37;
  report.failed = {{"invalid_json", 2}, {"missing_field", 1}};
  report.theorem_b_claim = "probable";
  report.examples.push_back(
      {"一", "二", "near", 0.93, 0.97, 0.95, "甲\x1b[31m乙", std::string(500, 'x'), "a:1", "a:2"});
  return report;
}

TEST(DedupView, ShowsWhereEveryDocumentWent) {
  DedupOptions options;
  options.output = "out";
  const std::string shown = RenderDedupReport(SmallReport(), options, 100, kPlain);
  EXPECT_NE(shown.find("documents         1,000"), std::string::npos) << shown;
  EXPECT_NE(shown.find("exact 60 · near 37"), std::string::npos);
  EXPECT_NE(shown.find("invalid_json 2 · missing_field 1"), std::string::npos);
  EXPECT_NE(shown.find("out/report.json"), std::string::npos);
  EXPECT_NE(shown.find("resemblance 0.9300"), std::string::npos);
  EXPECT_EQ(shown.find('\x1b'), std::string::npos);
  for (const std::string& line : SplitLines(shown)) EXPECT_LE(DisplayWidth(line), 100u) << line;
}

TEST(DedupView, SpeaksOfNoKeptTextWhereNothingOfAClusterIsKept) {
  DedupReport report = SmallReport();
  const auto shown = [&] { return RenderDedupReport(report, DedupOptions(), 200, kPlain); };
  EXPECT_NE(shown().find("97.00 % of the removed text is in the kept one, 95.00 % of the kept "
                         "text in the removed one"),
            std::string::npos)
      << shown();
  EXPECT_NE(shown().find("each with its keeper"), std::string::npos);
  report.removed_representative = 2;
  EXPECT_NE(shown().find("97.00 % of the first text is in the second, 95.00 % of the second one "
                         "in the first"),
            std::string::npos)
      << shown();
  EXPECT_EQ(shown().find("the kept"), shown().find("the kept records")) << shown();
  EXPECT_EQ(shown().find("its keeper"), std::string::npos) << shown();
}

TEST(DedupView, DuplicateIdsAreMentionedWithAnExample) {
  DedupReport report = SmallReport();
  EXPECT_EQ(RenderDedupReport(report, {}, 100, kPlain).find("an id, such as"), std::string::npos);
  report.duplicate_ids = 1200;
  report.duplicate_id_examples = {"新闻-7", "b"};
  EXPECT_NE(RenderDedupReport(report, {}, 100, kPlain)
                .find("1,200 records repeat an id, such as \"新闻-7\""),
            std::string::npos);
}

TEST(DedupView, MemoryScratchAndDamagedFilesAreNamed) {
  DedupOptions options;
  options.output = "out";
  options.memory_bytes = 2'000'000'000;
  DedupReport report = SmallReport();
  report.peak_memory_bytes = 1'500'000'000;
  const auto shown = [&] { return RenderDedupReport(report, options, 80, kPlain); };
  EXPECT_NE(shown().find("1.5 GB at peak, 2.0 GB allowed\n"), std::string::npos) << shown();
  EXPECT_EQ(shown().find("damaged"), std::string::npos);
  EXPECT_NE(shown().find("the kept records, unchanged"), std::string::npos);
  report.scratch_bytes = 3'000'000;
  report.bad_files = {{"a.jsonl.gz", "cut", 1}, {"b.jsonl.gz", "cut", 5}};
  EXPECT_NE(shown().find("; 3.0 MB written to scratch"), std::string::npos) << shown();
  EXPECT_NE(shown().find("2 files, read up to the damage, such as \"a.jsonl.gz\" with"),
            std::string::npos)
      << shown();
  options.mark = "dup";
  EXPECT_NE(shown().find("all records, with the removed ones marked"), std::string::npos);
}

TEST(DedupView, AnAuditHasTheFiguresOfThePage) {
  DedupReport report = SmallReport();
  const auto shown = [&] { return RenderDedupReport(report, DedupOptions(), 100, kPlain); };
  EXPECT_EQ(shown().find("audit"), std::string::npos);
  report.audit = DedupAudit{.removals_checked = 438,
                            .kept_checked = 1000,
                            .kept_with_a_match = 2,
                            .residual = {0.002, 0.00055, 0.00726},
                            .recall = {0.9, 0.75, 1}};
  EXPECT_NE(
      shown().find("duplicates left: 20.00 per 10,000 kept; 95 % interval 5.50 to 72.60; 2 of "),
      std::string::npos)
      << shown();
  EXPECT_NE(shown().find("wrong removals: 0 of 438 checked again from the source\n"),
            std::string::npos)
      << shown();
  EXPECT_NE(shown().find("recall: 90.00 % of what should be removed; 95 % interval 75.00 % to "),
            std::string::npos)
      << shown();
  EXPECT_EQ(shown().find("look like so many"), std::string::npos);
  report.audit->kept_in_part = 83;
  EXPECT_NE(shown().find("83 of the kept documents checked look like so many others"),
            std::string::npos);
  EXPECT_EQ(shown().find("too long"), std::string::npos);
  report.audit->kept_too_long = 3;
  EXPECT_NE(
      shown().find("too long to be checked: 0 of the removals drawn, 3 of all kept documents\n"),
      std::string::npos);
  report.against = AgainstReport();
  EXPECT_NE(shown().find("another one or a reference\n"), std::string::npos) << shown();
}

TEST(DedupView, AnAuditThatFoundNothingDoesNotAlarm) {
  DedupReport report = SmallReport();
  const auto shown = [&] { return RenderDedupReport(report, DedupOptions(), 100, kPlain); };
  report.audit = DedupAudit{
      .removals_checked = 1, .kept_checked = 3, .residual = {0, 0, 0.56}, .recall = {1, 0, 1}};
  const auto has = [&](std::string_view part) {
    std::string words;  // on any line
    for (const char byte : shown()) {
      if (!std::isspace(byte) || !words.ends_with(' ')) words += std::isspace(byte) ? ' ' : byte;
    }
    return words.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has("wrong removals: 0 of 1 checked again")) << shown();
  EXPECT_TRUE(has("0 of 3 kept documents match another one; too few were checked to say"))
      << shown();
  EXPECT_TRUE(has("among the 3 checked, too few of all to say more than 0.00 % or above"));
  report.audit->kept_in_part = 3;
  EXPECT_TRUE(
      has("0 of 3 kept documents match another one; 3 were compared with some of the "
          "others only, too few to say how many of all do"))
      << shown();
  EXPECT_TRUE(
      has("found among the 3 checked, but 3 were compared with some of the others only: no "
          "more can be said than 0.00 % or above"))
      << shown();
  report.audit->kept_in_part = 0;
  report.audit->kept_checked = 899;
  report.audit->residual.high = 0.00426;
  EXPECT_TRUE(has("95 % interval 0.00 to 42.60; 0 of 899 kept documents match another")) << shown();
  report.audit->kept_checked = report.kept;
  EXPECT_TRUE(has("0 of 900 kept documents match another one: all were checked")) << shown();
  report.audit->kept_with_a_match = 1;
  EXPECT_TRUE(has("95 % interval 0.00 % to 100.00 %")) << shown();
  EXPECT_TRUE(has("1 of 900 kept documents matches another")) << shown();
}

TEST(DedupView, WhatIsNoPartOfTheSumSaysSo) {
  DedupReport report = SmallReport();
  report.too_short = 3;
  report.candidate_pairs = 70;
  report.compared_documents = 80;
  report.matched_pairs = 37;
  const std::string shown = RenderDedupReport(report, DedupOptions(), 120, kPlain);
  EXPECT_GT(shown.find("too short"), shown.find("clusters")) << shown;
  EXPECT_NE(shown.find("of the documents, kept or removed:"), std::string::npos) << shown;
  EXPECT_NE(shown.find("70 candidate pairs among 80 documents, 37 matched\n"), std::string::npos)
      << shown;
}

TEST(DedupView, DocumentsOfOneIdAreToldApartByTheirPlaces) {
  DedupReport report = SmallReport();
  RemovalExample& example = report.examples[0];
  example.source = "a/b.jsonl:12";
  example.kept_source = "一个很长很长的文件夹的名字/一个很长很长的文件夹的名字/c.jsonl:3";
  const auto shown = [&](size_t columns) {
    return RenderDedupReport(report, DedupOptions(), columns, kPlain);
  };
  EXPECT_EQ(shown(100).find("b.jsonl:12"), std::string::npos);
  example.kept_id = example.id;
  EXPECT_NE(shown(100).find("removed 一 (a/b.jsonl:12) "), std::string::npos) << shown(100);
  EXPECT_NE(shown(100).find("/c.jsonl:3)"), std::string::npos) << shown(100);
  for (const size_t columns : {50U, 80U, 100U}) {
    for (const std::string& line : SplitLines(shown(columns))) {
      EXPECT_LE(DisplayWidth(line), columns) << line;
    }
  }
}

AgainstReport FullReferences() {
  const std::string id = "一个很长很长的标识，长得一行放不下", place = "文件夹/c.jsonl:3";
  const std::string text = "白日依山尽，黄河入海流。欲穷千里目，更上一层楼。\n第二行";
  AgainstReport against;
  against.references = 12;
  against.hit = 3;
  against.unmatchable = 1;
  against.most_hit = {{id, place, 1898, text}, {"b", "c.jsonl:4", 2, "短"}};
  against.too_short = {3, {{"q3", "c.jsonl:2", 0, "我们"}}};
  against.too_common = {1, {{"q4", "c.jsonl:9", 0, text}}};
  against.common_shingles = 1234;
  against.most_common = {{"下列说法正", 987654}};
  return against;
}

TEST(DedupView, ShowsTheReferencesToLookAt) {
  DedupReport report = SmallReport();
  report.against = FullReferences();
  DedupOptions options;
  const auto shown = [&] { return RenderDedupReport(report, options, 100, kPlain); };
  for (const char* line :
       {"12 references, 3 hit, 1 that nothing can match\n", "\nReferences with the most hits\n",
        "     1,898  一个很长很长的标识", "\nReferences too short to match: 3\n",
        "\n  q3 (c.jsonl:2)  我们\n  the first 1; unmatchable.jsonl.zst has all\n",
        "\nReferences with too few uncommon shingles: 1\n", "\n  q4 (c.jsonl:9)  白日依山尽",
        "\nShingles that too many inputs have: 1,234\n",
        "\n   987,654  下列说法正\n  the 1 that the most inputs have\n"}) {
    EXPECT_NE(shown().find(line), std::string::npos) << line << shown();
  }
  report.removed_against = 2;
  options.against_action = ReferenceAction::kMark;
  EXPECT_NE(shown().find("; 2 inputs marked, not left out\n"), std::string::npos) << shown();
  EXPECT_EQ(shown().find("cuts.jsonl.zst"), std::string::npos) << shown();
  options.against = {"test.jsonl"};
  options.against_action = ReferenceAction::kCut;
  report.against->cuts = ReferenceCuts{2, 1, 1234};
  for (const char* part : {"; 1 passage cut out of 2 documents, 1,234 characters",
                           "the kept records, without what was cut", "/cuts.jsonl.zst  ",
                           "2 documents were cut and not compared with other inputs: deduplicate "
                           "the output to find duplicates among them"}) {
    const std::string wide = RenderDedupReport(report, options, 160, kPlain);
    EXPECT_NE(wide.find(part), std::string::npos) << part << wide;
  }
  report.against = AgainstReport();
  EXPECT_EQ(shown().find("References"), std::string::npos) << shown();
}

TEST(DedupView, LinesAreNoWiderThanANarrowTerminal) {
  DedupReport report = SmallReport();
  report.audit = DedupAudit{.removals_checked = 438, .kept_checked = 900};
  report.against = FullReferences();
  report.bad_files = {{"a.jsonl.gz", "cut", 5}};
  report.kept_links = 2;
  DedupOptions options;
  options.output = "out";
  options.group_by = "site";
  for (const size_t columns : {50U, 60U, 80U, 100U}) {
    for (const std::string& line :
         SplitLines(RenderDedupReport(report, options, columns, kPlain))) {
      EXPECT_LE(DisplayWidth(line), columns) << line;
    }
  }
}

TEST(DedupView, TheClaimOfARunWithGroupsIsAboutOneGroup) {
  DedupOptions options;
  options.group_by = "site";
  DedupReport report = SmallReport();
  const auto shown = [&] { return RenderDedupReport(report, options, 120, kPlain); };
  for (const char* claim : {"probable", "certain"}) {
    report.theorem_b_claim = claim;
    for (const DedupMode mode : {DedupMode::kNear, DedupMode::kExact}) {
      options.mode = mode;
      EXPECT_NE(shown().find("no two kept documents of one group "), std::string::npos) << shown();
    }
    options.mode = DedupMode::kContained;
    EXPECT_NE(shown().find("contained in another of its group"), std::string::npos) << shown();
  }
}

TEST(DedupView, TheClaimOfARunWithALimitOfDatesIsAboutNearDates) {
  DedupOptions options;
  options.within = {"date", 7 * 86400};
  DedupReport report = SmallReport();
  const auto shown = [&] { return RenderDedupReport(report, options, 120, kPlain); };
  EXPECT_NE(shown().find("no two kept documents near in time (date,7d) resemble each other"),
            std::string::npos)
      << shown();
  EXPECT_NE(DedupReportToJson(report, options).find("\"no_two_kept_match_of\": \"near dates\""),
            std::string::npos);
  options.group_by = "site";
  EXPECT_NE(DedupReportToJson(report, options)
                .find("\"no_two_kept_match_of\": \"one group, near dates\""),
            std::string::npos);
}

TEST(DedupView, AReferenceIsNoKeptDocument) {
  DedupReport report = SmallReport();
  RemovalExample& example = report.examples[0];
  example.reason = "against";
  const auto shown = [&] { return RenderDedupReport(report, DedupOptions(), 140, kPlain); };
  EXPECT_NE(shown().find("97.00 % of the input is in the reference, 95.00 % of the reference in "
                         "the input\n"),
            std::string::npos)
      << shown();
  EXPECT_NE(shown().find("    against 二  xxx"), std::string::npos) << shown();
  example.with_reference.containment_of_counted = 0.8;
  EXPECT_NE(shown().find("in the input (80.00 % without common"), std::string::npos) << shown();
  example.resemblance = example.containment = 0;
  example.with_reference = {.run = 2};
  EXPECT_NE(shown().find("against  2 consecutive characters or words in common\n"),
            std::string::npos)
      << shown();
}

TEST(DedupView, SaysThatMarkedRecordsAreInTheOutputToo) {
  DedupReport report = SmallReport();
  report.removed_against = 2;
  DedupOptions options;
  const auto shown = [&] { return RenderDedupReport(report, options, 120, kPlain); };
  EXPECT_EQ(shown().find("kept/ has"), std::string::npos);
  options.mark = "m";
  EXPECT_NE(shown().find("kept/ has 999, with the 99 marked\n"), std::string::npos) << shown();
  options.against_action = ReferenceAction::kMark;
  EXPECT_NE(shown().find("kept/ has 902, with the 2 marked\n"), std::string::npos) << shown();
  report.removed_against = 0;
  EXPECT_EQ(shown().find("kept/ has"), std::string::npos) << shown();
}

TEST(DedupView, TheoremBIsClaimedOnlyAsFarAsItHolds) {
  DedupOptions options;
  DedupReport report = SmallReport();
  const auto shown = [&] { return RenderDedupReport(report, options, 100, kPlain); };
  EXPECT_NE(shown().find("the chance to miss a pair was at most 0.01 %"), std::string::npos);
  report.theorem_b_claim = "certain";
  EXPECT_NE(shown().find("0.8 or more: certain"), std::string::npos);
  options.mode = DedupMode::kExact;
  EXPECT_NE(shown().find("no two kept documents are equal"), std::string::npos);
}

std::string Inspected(std::string_view text, size_t columns, const Palette& palette) {
  InspectOptions options;
  options.channels = {FoldedChannel(), ExactChannel()};
  const auto inspection = InspectText(text, options);
  EXPECT_TRUE(inspection);
  return RenderInspection(*inspection, {"a.txt", {"folded", "exact"}}, columns, palette);
}

TEST(InspectView, CellsOfTheSameBytesStandBelowEachOther) {
  const std::string shown = Inspected("國\u200bＡ Ab。\n", 100, kPlain);
  EXPECT_NE(shown.find("bytes   0  3      6  9    12\n"
                       "text    國 U+200B Ａ ␣ Ab 。 ↵\n"
                       "folded  国 ·      a  · ab ·  ·\n"
                       "exact   國 U+200B Ａ ␣ Ab 。 ↵\n"),
            std::string::npos)
      << shown;
}

TEST(InspectView, MarksWhatAChannelChanged) {
  const std::string shown = Inspected("國Ａ字。", 100, kColour);
  for (const std::string_view cell : {"国", "a"}) {
    EXPECT_NE(shown.find(kColour.Paint(Ink::kMark, cell)), std::string::npos) << shown;
  }
  EXPECT_NE(shown.find(kColour.Paint(Ink::kDim, "·")), std::string::npos) << shown;
  EXPECT_EQ(shown.find(kColour.Paint(Ink::kMark, "字")), std::string::npos) << shown;

  // A number shown for a numeral is a change, not a reading.
  InspectOptions options;
  options.channels = {*OpenChannel("loose")};
  const auto loose =
      RenderInspection(*InspectText("三字", options), {"a", {"loose"}}, 100, kColour);
  EXPECT_NE(loose.find(kColour.Paint(Ink::kMark, "3")), std::string::npos) << loose;
}

TEST(InspectView, APartOfALineSaysSo) {
  const TextWindow window{.text = "甲乙\n丙",
                          .begin = {3'000'000'000},
                          .part = {{3'000'000'003}, {3'000'000'010}},
                          .lines_before = 41,
                          .bytes = {},
                          .lines = {}};
  InspectOptions options;
  options.channels = {FoldedChannel()};
  const auto shown =
      RenderInspection(*InspectText(window, options), {"a", {"folded"}}, 100, kPlain);
  EXPECT_NE(shown.find("size unknown; here bytes 3000000003–3000000010, from line 42"),
            std::string::npos)
      << shown;
  EXPECT_NE(shown.find("line 42, continued\nbytes   3000000003"), std::string::npos) << shown;
  EXPECT_NE(shown.find("line 43\n"), std::string::npos) << shown;
}

TEST(InspectView, FitsTheTerminal) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += i % 7 == 0 ? "extraordinarily-long " : "字，";
  for (const size_t columns : {30, 41, 80}) {
    for (const std::string& line : SplitLines(Inspected(text, columns, kPlain))) {
      EXPECT_LE(DisplayWidth(line), columns) << line;
    }
  }
}

TEST(InspectView, SaysWhyAChannelIsEmpty) {
  EXPECT_NE(Inspected("，。", 100, kPlain).find("folded  no symbol: it drops all that is there"),
            std::string::npos);
  EXPECT_NE(Inspected("", 100, kPlain).find("exact   no symbol: there is no text"),
            std::string::npos);
}

// --- check ---------------------------------------------------------------------------------------

CheckMatch MatchWith(const std::string& id, uint64_t matched) {
  CheckMatch match;
  match.document.id = id;
  match.document.labels.title = "桃花源记";
  match.relation = Relation::kContained;
  match.resemblance = 0.5;
  match.containment_of_original = 0.25;
  match.matched = match.longest_run = matched;
  match.edits[static_cast<size_t>(EditKind::kHomophone)] = 10;
  return match;
}

CheckedText TextOfUnits(uint64_t units) {
  CheckedText checked;
  checked.units = units;
  checked.channels = {"exact.v1", "folded.v3"};
  checked.documents = 7;
  return checked;
}

TEST(CheckView, OneTextHasARowForEachFigureAndNoneForWhatIsUnknown) {
  const SourceDocument document = {.text = "", .id = "页.txt", .fault = "", .fault_detail = ""};
  CheckedText checked = TextOfUnits(200);
  const CheckedDocument one{document, checked, true};
  EXPECT_EQ(FormatCheck(one, 80, kPlain),
            "页.txt\n结论 verdict   未见 not known\n"
            "范围 searched  7 documents · exact, folded\n");
  checked.verdict = Relation::kContained;
  checked.union_matched = 150;
  checked.matches = {MatchWith("甲", 150)};
  EXPECT_EQ(FormatCheck(one, 120, kPlain),
            "页.txt\n结论 verdict        摘自原文 part of an original\n"
            "相同 same           150 字 · 可疑文 75.00 % of suspect · 原文 25.00 % of original · "
            "最长 longest 150\n"
            "方式 how            逐字 verbatim 140 · 同音 homophone 10\n"
            "原文 original       甲 · 桃花源记\n"
            "相似度 resemblance  0.5000\n"
            "范围 searched       7 documents · exact, folded\n");
  checked.matches.push_back(MatchWith("乙", 40));
  checked.truncated = true;
  const std::string two = FormatCheck(one, 120, kPlain);
  EXPECT_EQ(two.find("方式 how"), std::string::npos);
  EXPECT_NE(two.find("原文 originals  2"), std::string::npos);
  EXPECT_NE(two.find("界限 bound"), std::string::npos);
  EXPECT_NE(two.find("40 字 · 可疑文 20.00 % of suspect"), std::string::npos);
}

TEST(CheckView, WhatWasNotComparedIsSaidWithAWayToCompareIt) {
  const SourceDocument document = {.text = "", .id = "p", .fault = "", .fault_detail = ""};
  CheckedText checked = TextOfUnits(200);
  const CheckedDocument one{document, checked, true};
  checked.extracted = 1;
  EXPECT_EQ(FormatCheck(one, 120, kPlain).find("not seen"), std::string::npos);
  checked.pictures = 1;
  checked.extracted = 0.96;
  const std::string most = FormatCheck(one, 120, kPlain);
  EXPECT_NE(most.find("未看 not seen  1 图 picture；提取 extracted 96 %\n"), std::string::npos)
      << most;
  EXPECT_EQ(most.find("--format text"), std::string::npos);
  EXPECT_EQ(FormatCheckLine(one, 120, kPlain), "p: 未见 not known\n");
  checked.extracted = 0.025;
  EXPECT_NE(FormatCheck(one, 120, kPlain).find("--format text"), std::string::npos);
  EXPECT_EQ(FormatCheckLine(one, 120, kPlain),
            "p: 未见 not known · 提取 extracted 2.5 %, the rest was not compared\n");
  checked.verdict = Relation::kContained;
  checked.matches = {MatchWith("甲", 150)};
  const std::string known = FormatCheck(one, 120, kPlain);
  EXPECT_NE(known.find("提取 extracted 2.5 %"), std::string::npos);
  EXPECT_EQ(known.find("--format text"), std::string::npos);
}

TEST(CheckView, LinesAreNoWiderThanTheTerminal) {
  const SourceDocument document = {.text = "", .id = "p", .fault = "", .fault_detail = ""};
  CheckedText checked = TextOfUnits(200);
  checked.verdict = Relation::kContained;
  checked.union_matched = 150;
  checked.matches = {MatchWith("甲", 150)};
  for (const size_t columns : {60, 80, 100}) {
    for (const std::string& line :
         SplitLines(FormatCheck({document, checked, true}, columns, kPlain))) {
      EXPECT_LE(DisplayWidth(line), columns) << line;
    }
  }
}

TEST(CheckView, ManyHaveALineOrTwoEachAndCountsAtTheEnd) {
  const SourceDocument document = {.text = "", .id = "p\x1b", .fault = "", .fault_detail = ""};
  CheckedText checked = TextOfUnits(200);
  EXPECT_EQ(FormatCheckLine({document, checked}, 80, kPlain), "p␛: 未见 not known\n");
  checked.verdict = Relation::kContained;
  checked.union_matched = 150;
  checked.matches = {MatchWith("甲", 150), MatchWith("乙", 40)};
  EXPECT_EQ(FormatCheckLine({document, checked}, 80, kPlain),
            "p␛: 摘自原文 part of an original · 可疑文 75.00 % of suspect · 最长 longest 150\n"
            "  原文 original  甲 · 桃花源记 (+1)\n");
  CheckFilesSummary summary;
  summary.documents = 12;
  summary.by_verdict[static_cast<size_t>(Relation::kSame)] = 3;
  summary.by_verdict[static_cast<size_t>(Relation::kNone)] = 9;
  EXPECT_EQ(FormatVerdicts(summary), "12 documents: 相同 same 3 · 未见 none 9");
}

}  // namespace
}  // namespace zhiwen
