// Passages of several channels become one list, in which none overlap in the text.

#include "pipeline/library/merged_passages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace zhiwen {
namespace {

// Texts of these tests have three bytes a symbol on every channel.
std::vector<ByteSpan> SpansOf(size_t symbols) {
  std::vector<ByteSpan> spans;
  for (size_t i = 0; i < symbols; ++i) spans.push_back({{3 * i}, {3 * i + 3}});
  return spans;
}

// A run of `length` symbols from `a` on in the text, and from `b` on in the document.
SharedRun RunAt(uint64_t a, uint64_t b, uint64_t length) {
  SharedRun run;
  run.a_symbols = {{a}, {a + length}};
  run.b_symbols = {{b}, {b + length}};
  run.a_bytes = {{3 * a}, {3 * (a + length)}};
  run.b_bytes = {{3 * b}, {3 * (b + length)}};
  return run;
}

// Returns "begin-end@begin:channel" of each passage, in symbols.
std::string Merge(const std::vector<std::vector<SharedRun>>& runs, size_t symbols = 500) {
  const std::vector<ByteSpan> spans = SpansOf(symbols);
  std::vector<ChannelRuns> channels;
  for (const auto& of_channel : runs)
    channels.push_back({.runs = of_channel, .spans = spans, .document_spans = spans});
  std::string merged;
  for (const MergedPassage& passage : MergePassages(channels, 8)) {
    merged += (merged.empty() ? "" : " ") + std::to_string(passage.text.begin.value / 3) + "-" +
              std::to_string(passage.text.end.value / 3) + "@" +
              std::to_string(passage.document.begin.value / 3) + ":" +
              std::to_string(passage.channel);
  }
  return merged;
}

TEST(MergedPassages, OfOneChannelAreItsRuns) {
  EXPECT_EQ(Merge({}), "");
  EXPECT_EQ(Merge({{}}), "");
  EXPECT_EQ(Merge({{RunAt(0, 40, 10), RunAt(10, 0, 20)}}), "0-10@40:0 10-30@0:0");
}

TEST(MergedPassages, KeepTheFirstChannelWhereALaterOneAddsLittle) {
  EXPECT_EQ(Merge({{RunAt(0, 40, 30)}, {RunAt(0, 40, 30)}}), "0-30@40:0");
  EXPECT_EQ(Merge({{RunAt(0, 40, 30)}, {RunAt(0, 40, 37)}}), "0-30@40:0");
  EXPECT_EQ(Merge({{RunAt(0, 40, 30)}, {RunAt(0, 40, 38)}}), "0-30@40:0 30-38@70:1");
  EXPECT_EQ(Merge({{RunAt(0, 40, 30)}, {RunAt(0, 40, 30)}, {RunAt(100, 0, 9)}}),
            "0-30@40:0 100-109@0:2");
}

TEST(MergedPassages, JoinWhatARunHasBetweenThem) {
  EXPECT_EQ(Merge({{RunAt(0, 40, 10), RunAt(30, 70, 10)}, {RunAt(0, 40, 40)}}), "0-40@40:1");
  EXPECT_EQ(Merge({{RunAt(0, 40, 30)}, {RunAt(20, 60, 25)}}), "0-30@40:0 30-45@70:1");
}

// One symbol in 31 is disguised: the run between verbatim passages, all of it, is what it is.
TEST(MergedPassages, KeepEverySymbolOfARunThatAddsEnough) {
  std::vector<SharedRun> verbatim;
  for (uint64_t i = 0; i < 10; ++i) verbatim.push_back(RunAt(31 * i, 40 + 31 * i, 30));
  EXPECT_EQ(Merge({verbatim, {RunAt(0, 40, 309)}}), "0-309@40:1");
}

// The channel of the run has no symbols for figures. They belong to the run, or are at another
// place.
TEST(MergedPassages, KnowThePlaceOfWhatARunDoesNotSee) {
  const std::vector<ByteSpan> all = SpansOf(500);
  std::vector<ByteSpan> seen = all;
  seen.erase(seen.begin() + 40, seen.begin() + 55);
  SharedRun run = RunAt(0, 0, 100);
  run.a_symbols = run.b_symbols = {{0}, {85}};
  const auto merge = [&](const SharedRun& figures) {
    std::string merged;
    const std::vector<SharedRun> first = {figures}, second = {run};
    for (const MergedPassage& one : MergePassages(
             std::vector<ChannelRuns>{{.runs = first, .spans = all, .document_spans = {}},
                                      {.runs = second, .spans = seen, .document_spans = seen}},
             8)) {
      merged += std::to_string(one.text.begin.value / 3) + "-" +
                std::to_string(one.text.end.value / 3) + "@" +
                std::to_string(one.document.begin.value / 3) + "-" +
                std::to_string(one.document.end.value / 3) + " ";
    }
    return merged;
  };
  EXPECT_EQ(merge(RunAt(40, 40, 15)), "0-100@0-100 ");
  EXPECT_EQ(merge(RunAt(40, 400, 15)), "0-40@0-40 40-55@400-415 55-100@55-100 ");
}

// What an earlier channel finds stays, if it is long, or if the run is at another place of the
// document.
TEST(MergedPassages, AreCutAroundThoseThatStay) {
  EXPECT_EQ(Merge({{RunAt(0, 40, 10)}, {RunAt(0, 200, 30)}}), "0-10@40:0 10-30@210:1");
  EXPECT_EQ(Merge({{RunAt(0, 40, 30)}, {RunAt(20, 200, 25)}}), "0-30@40:0 30-45@210:1");
  EXPECT_EQ(Merge({{RunAt(50, 150, 40)}, {RunAt(0, 100, 200)}}),
            "0-50@100:1 50-90@150:0 90-200@190:1");
  EXPECT_EQ(Merge({{RunAt(10, 300, 10), RunAt(25, 125, 15)}, {RunAt(0, 100, 60)}}),
            "0-10@100:1 10-20@300:0 20-60@120:1");
  EXPECT_EQ(Merge({{RunAt(7, 300, 30)}, {RunAt(0, 100, 44)}}), "7-37@300:0");
}

TEST(MergedPassages, AscendAndNeverOverlapInTheText) {
  std::mt19937 random(3);
  const std::vector<ByteSpan> spans = SpansOf(400);
  for (int drawn = 0; drawn < 300; ++drawn) {
    std::vector<std::vector<SharedRun>> runs(3);
    std::vector<ChannelRuns> channels;
    for (auto& of_channel : runs) {
      for (uint64_t at = random() % 20; at + 40 < 400; at += random() % 60) {
        const uint64_t length = 8 + random() % 30;
        of_channel.push_back(RunAt(at, random() % 2 == 0 ? at : random() % 300, length));
        at += length;
      }
      channels.push_back({.runs = of_channel, .spans = spans, .document_spans = spans});
    }
    const std::vector<MergedPassage> merged = MergePassages(channels, 8);
    for (size_t i = 1; i < merged.size(); ++i) {
      ASSERT_LE(merged[i - 1].text.end, merged[i].text.begin);
    }
    uint64_t covered = 0, covered_by_first = 0;
    for (const MergedPassage& passage : merged) covered += passage.text.size();
    for (const SharedRun& run : runs[0]) covered_by_first += run.a_bytes.size();
    ASSERT_GE(covered, covered_by_first);
    for (const SharedRun& run : runs[0]) {
      ASSERT_TRUE(std::ranges::any_of(merged, [&](const MergedPassage& passage) {
        return passage.text.begin <= run.a_bytes.begin && run.a_bytes.end <= passage.text.end &&
               passage.document.begin <= run.b_bytes.begin &&
               run.b_bytes.end <= passage.document.end;
      }));
    }
  }
}

}  // namespace
}  // namespace zhiwen
