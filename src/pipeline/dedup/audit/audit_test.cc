// An audit sees what a run did wrong, and as often as it is there.

#include "pipeline/dedup/audit/audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/dedup/audit/audit_estimates.h"
#include "pipeline/dedup/audit/audit_sample.h"
#include "pipeline/dedup/made_corpus_test_support.h"
#include "pipeline/dedup/run.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

constexpr double kThreshold = 0.8;

// Checks every removal and every kept document.
DedupOptions AuditOfAll() {
  DedupOptions options;
  options.audit = uint64_t{1} << 40;
  return options;
}

class AuditTest : public testing::Test {
 protected:
  Result<DedupReport> Run(const std::vector<SlowDocument>& corpus,
                          DedupOptions options = AuditOfAll(), const RunTuning& tuning = {},
                          size_t threads = 1) {
    files_.Put("/in/corpus.jsonl", ToJsonLines(corpus));
    options.inputs = {"/in/corpus.jsonl"};
    options.output = "/out";
    options.overwrite = true;
    const auto executor = threads == 1 ? MakeInlineExecutor() : MakeThreadPool(threads);
    const Cancellation cancellation;
    return RunDedup(options, tuning,
                    {files_, *executor, SystemClock(), NoProgress(), NoLog(), cancellation});
  }

  bool HasReport() { return files_.Files().contains("/out/report.json"); }

  InMemoryFileSystem files_;
};

// Bands that propose hardly any pair.
RunTuning MissingPairs(std::vector<DocumentIndex>& kept) {
  return {.change_plan =
              [](Plan& plan) {
                plan.sketch.bands = BandPlan{1, 24};
              },
          .change_removals = [&kept](Removals& removals, Scratch&) -> Status {
            for (DocumentIndex d = 0; d < removals.keepers.size(); ++d) {
              if (!removals.IsRemoved(d)) kept.push_back(d);
            }
            return {};
          }};
}

std::vector<SlowDocument> NearCorpus(uint32_t seed, size_t families) {
  CorpusMaker maker(seed);
  std::vector<SlowDocument> corpus;
  for (size_t f = 0; f < families; ++f) {
    const Characters original = maker.Fresh(60 + maker.Below(200));
    corpus.push_back({std::to_string(corpus.size()), Join(original)});
    if (f % 2 == 0) {
      const Characters copy = maker.Edited(original, 1 + maker.Below(3));
      corpus.push_back({std::to_string(corpus.size()), Join(copy)});
    }
  }
  return corpus;
}

// Which documents of `kept` match another one, every pair compared.
std::vector<DocumentIndex> ResidualsOf(const std::vector<SlowDocument>& corpus,
                                       const std::vector<DocumentIndex>& kept) {
  std::vector<SlowSet> sets;
  for (const DocumentIndex d : kept) {
    sets.push_back(SlowShingles(FoldedChannel(), corpus[d].text).value());
  }
  std::vector<DocumentIndex> residuals;
  for (size_t a = 0; a < kept.size(); ++a) {
    for (size_t b = 0; b < kept.size(); ++b) {
      if (a == b || SlowResemblance(sets[a], sets[b]) < kThreshold) continue;
      residuals.push_back(kept[a]);
      break;
    }
  }
  return residuals;
}

TEST_F(AuditTest, FindsEveryResidualWhenAllKeptAreDrawn) {
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    const std::vector<SlowDocument> corpus = NearCorpus(seed, 100);
    std::vector<DocumentIndex> kept;
    const auto report = Run(corpus, AuditOfAll(), MissingPairs(kept));
    ASSERT_TRUE(report.has_value()) << report.error().message;
    const size_t residuals = ResidualsOf(corpus, kept).size();
    ASSERT_GT(residuals, 20U);
    ASSERT_TRUE(report->audit.has_value());
    EXPECT_EQ(report->audit->kept_checked, kept.size());
    EXPECT_EQ(report->audit->kept_with_a_match, residuals);
    EXPECT_EQ(report->audit->kept_in_part, 0U);
    EXPECT_LT(report->audit->recall.high, 0.9);
  }
}

// An interval of 95 % misses the truth once in twenty samples.
TEST_F(AuditTest, SlowFindsResidualsOfASampleAtTheRateOfAll) {
  size_t inside = 0;
  constexpr uint32_t kSamples = 12;
  for (uint32_t seed = 9; seed < 9 + kSamples; ++seed) {
    const std::vector<SlowDocument> corpus = NearCorpus(seed, 120);
    std::vector<DocumentIndex> kept;
    DedupOptions options;
    options.audit = 100;
    const auto report = Run(corpus, options, MissingPairs(kept));
    ASSERT_TRUE(report.has_value()) << report.error().message;
    const double share =
        static_cast<double>(ResidualsOf(corpus, kept).size()) / static_cast<double>(kept.size());
    EXPECT_EQ(report->audit->kept_checked, SampleSize(100, kept.size()));
    EXPECT_LT(report->audit->kept_checked, 100U);
    const ShareInterval& residual = report->audit->residual;
    inside += residual.low <= share && share <= residual.high ? 1 : 0;
  }
  EXPECT_GE(inside, kSamples - 2);
}

// Gives back every removal: all of their texts are there twice.
RunTuning ForgettingRemovals() {
  return {.change_removals = [](Removals& removals, Scratch& scratch) -> Status {
    removals.keepers.assign(removals.keepers.size(), kNoDocument);
    ZHIWEN_ASSIGN_OR_RETURN(removals.rows, Spool::Create(scratch, "forgotten"));
    return {};
  }};
}

// A sample that took all or none of the equal texts would say 0 or nearly 1 of a half.
TEST_F(AuditTest, DrawsEqualTextsOneByOne) {
  CorpusMaker maker(31);
  std::vector<SlowDocument> corpus;
  for (int i = 0; i < 600; ++i) {
    const std::string text =
        i % 2 == 0 ? "每个站点都有这样一篇完全相同的文章" : Join(maker.Fresh(40));
    corpus.push_back({std::to_string(i), text});
  }
  DedupOptions options;
  options.audit = 200;
  const auto report = Run(corpus, options, ForgettingRemovals());
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_NEAR(report->audit->residual.share, 0.5, 0.15);
}

// Pairs of texts of 500 characters, one of them with a letter more: 30 of 100 at least are checked,
// and more of them where the corpus has much text beside them.
TEST_F(AuditTest, RemovalsOfAHundredthOfAllTextAreCheckedAndThirtyAtLeast) {
  CorpusMaker maker(32);
  std::vector<SlowDocument> corpus;
  for (int i = 0; i < 100; ++i) {
    const std::string text = Join(maker.Fresh(500));
    corpus.push_back({std::to_string(2 * i), text});
    corpus.push_back({std::to_string(2 * i + 1), text + "又"});
  }
  const auto checked = [&](uint64_t size) -> uint64_t {
    DedupOptions options;
    options.audit = size;
    const auto report = Run(corpus, options);
    return report ? report->audit->removals_checked : 0;
  };
  EXPECT_EQ(checked(1000), kLeastRemovals);
  EXPECT_EQ(checked(20), SampleSize(20, 100));
  EXPECT_EQ(checked(50'000), 50U);
  EXPECT_EQ(checked(100'000), 100U);
}

TEST_F(AuditTest, FindsNothingInARunThatMissesNothing) {
  for (const CandidateSource source : {CandidateSource::kBands, CandidateSource::kExact}) {
    DedupOptions options = AuditOfAll();
    options.candidates = source;
    const auto report = Run(CorpusMaker(4).Corpus(150), options);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    ASSERT_TRUE(report->audit.has_value());
    EXPECT_EQ(report->audit->removals_checked, report->removed_near + report->removed_exact);
    EXPECT_EQ(report->audit->removals_wrong, 0U);
    EXPECT_EQ(report->audit->kept_checked, report->kept - report->empty);
    EXPECT_EQ(report->audit->kept_with_a_match, 0U);
    EXPECT_EQ(report->audit->recall.share, 1);
  }
}

TEST_F(AuditTest, SharesAPassWithWhatTheReportShows) {
  const auto reads = [&](uint64_t audit) {
    InMemoryFileSystem memory;
    memory.Put("/in/corpus.jsonl", ToJsonLines(CorpusMaker(4).Corpus(150)));
    FaultyFileSystem files(memory, {.only = FileOperation::kOpenForRead});
    DedupOptions options;
    options.audit = audit;
    options.inputs = {"/in/corpus.jsonl"};
    options.output = "/out";
    const auto executor = MakeInlineExecutor();
    const Cancellation cancellation;
    const auto report = RunDedup(
        options, {}, {files, *executor, SystemClock(), NoProgress(), NoLog(), cancellation});
    EXPECT_TRUE(report.has_value());
    EXPECT_EQ(report->audit.has_value(), audit > 0);
    EXPECT_FALSE(report->examples.empty());
    return files.count();
  };
  EXPECT_EQ(reads(1000), reads(0));
}

TEST_F(AuditTest, ChecksEqualTextsInModeExact) {
  DedupOptions options = AuditOfAll();
  options.mode = DedupMode::kExact;
  const auto report = Run(CorpusMaker(5).Corpus(150), options);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  ASSERT_TRUE(report->audit.has_value());
  EXPECT_GT(report->audit->removals_checked, 5U);
  EXPECT_EQ(report->audit->kept_checked, report->kept - report->empty);
  EXPECT_EQ(report->audit->kept_with_a_match, 0U);
}

TEST_F(AuditTest, FindsEqualTextsThatWereKept) {
  std::vector<SlowDocument> corpus;
  for (int i = 0; i < 20; ++i) {
    const std::string text = i < 10 ? "短" + std::to_string(i % 5)
                                    : "一篇足够长的文章，第" + std::to_string(i % 5) + "号，如此。";
    corpus.push_back({std::to_string(i), text});
  }
  corpus.push_back({"alone", "独一无二的一篇文章在此"});
  corpus.push_back({"empty", ""});
  corpus.push_back({"empty too", ""});
  for (const DedupMode mode : {DedupMode::kNear, DedupMode::kExact}) {
    DedupOptions options = AuditOfAll();
    options.mode = mode;
    const auto report = Run(corpus, options, ForgettingRemovals());
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->audit->kept_checked, 21U);
    EXPECT_EQ(report->audit->kept_with_a_match, 20U);
  }
}

TEST_F(AuditTest, NeverSetsGroupsAgainstEachOther) {
  std::string lines;
  for (int i = 0; i < 10; ++i) {
    const std::string text = i < 6 ? "每个站点都有这样一篇完全相同的文章" : "短";
    lines += "{\"site\":\"" + std::to_string(i) + "\",\"text\":\"" + text + "\"}\n";
  }
  for (const DedupMode mode : {DedupMode::kNear, DedupMode::kExact}) {
    files_.Put("/in/grouped.jsonl", lines);
    DedupOptions options = AuditOfAll();
    options.mode = mode;
    options.inputs = {"/in/grouped.jsonl"};
    options.output = "/grouped";
    options.overwrite = true;
    options.group_by = "site";
    const auto executor = MakeInlineExecutor();
    const Cancellation cancellation;
    const auto report = RunDedup(
        options, {}, {files_, *executor, SystemClock(), NoProgress(), NoLog(), cancellation});
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->kept, 10U);
    EXPECT_EQ(report->audit->kept_checked, 10U);
    EXPECT_EQ(report->audit->kept_with_a_match, 0U);
  }
}

// Names another kept document as the keeper of the first removal that `chosen` chooses.
template <typename Chosen>
RunTuning WithAWrongKeeper(Chosen chosen) {
  return {.change_removals = [chosen](Removals& removals, Scratch& scratch) -> Status {
    std::vector<RemovalRow> rows;
    for (Spool::Reader reader(*removals.rows); !reader.AtEnd();) {
      rows.emplace_back();
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(rows.back()));
    }
    const auto row = std::ranges::find_if(rows, chosen);
    EXPECT_NE(row, rows.end());
    DocumentIndex other = 0;
    while (removals.IsRemoved(other) || other == row->keeper) ++other;
    row->keeper = other;
    removals.keepers[row->document] = other;
    ZHIWEN_ASSIGN_OR_RETURN(removals.rows, Spool::Create(scratch, "wrong"));
    for (const RemovalRow& each : rows) ZHIWEN_RETURN_IF_ERROR(removals.rows->AppendRow(each));
    return {};
  }};
}

TEST_F(AuditTest, EndsTheRunWhenARemovalIsWrong) {
  const auto near = [](const RemovalRow& row) { return !row.equal_channel; };
  const auto folded = [](const RemovalRow& row) { return row.equal_channel && !row.equal_exact; };
  const auto exact = [](const RemovalRow& row) { return row.equal_exact; };
  const auto expect_failure = [&](const RunTuning& tuning) {
    const auto report = Run(CorpusMaker(3).Corpus(150), AuditOfAll(), tuning);
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, ErrorCode::kInternal);
    EXPECT_NE(report.error().message.find("the audit found that \"d"), std::string::npos)
        << report.error().message;
    EXPECT_FALSE(HasReport());
  };
  expect_failure(WithAWrongKeeper(near));
  expect_failure(WithAWrongKeeper(folded));
  expect_failure(WithAWrongKeeper(exact));
}

TEST_F(AuditTest, EndsTheRunWhenASimilarityIsWrong) {
  const RunTuning tuning{.change_removals = [](Removals& removals, Scratch& scratch) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(auto rows, Spool::Create(scratch, "wrong"));
    for (Spool::Reader reader(*removals.rows); !reader.AtEnd();) {
      RemovalRow row;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
      if (!row.equal_channel) row.shared = std::min(row.size, row.keeper_size);
      ZHIWEN_RETURN_IF_ERROR(rows->AppendRow(row));
    }
    removals.rows = std::move(rows);
    return {};
  }};
  const auto report = Run(CorpusMaker(3).Corpus(150), AuditOfAll(), tuning);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kInternal);
}

TEST_F(AuditTest, EndsTheRunWhenARemovalReachesAcrossGroups) {
  std::string lines;
  for (const std::string site : {"1", "1", "2", "2"}) {
    lines += "{\"site\":\"" + site + "\",\"text\":\"两个站点都有这样一篇完全相同的文章\"}\n";
  }
  files_.Put("/in/grouped.jsonl", lines);
  DedupOptions options = AuditOfAll();
  options.inputs = {"/in/grouped.jsonl"};
  options.output = "/grouped";
  options.overwrite = true;
  options.group_by = "site";
  const auto executor = MakeInlineExecutor();
  const Cancellation cancellation;
  const DedupEnvironment environment{files_,       *executor, SystemClock(),
                                     NoProgress(), NoLog(),   cancellation};
  const auto right = RunDedup(options, {}, environment);
  ASSERT_TRUE(right.has_value()) << right.error().message;
  EXPECT_EQ(right->audit->removals_checked, 2U);
  const auto wrong =
      RunDedup(options, WithAWrongKeeper([](const RemovalRow&) { return true; }), environment);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().code, ErrorCode::kInternal);
  EXPECT_NE(wrong.error().message.find("the audit found"), std::string::npos)
      << wrong.error().message;
}

TEST_F(AuditTest, CountsWhatIsTooLongForIt) {
  CorpusMaker maker(5);
  const std::string book = Join(maker.Fresh(300000));
  std::vector<SlowDocument> corpus = {{"book", book}, {"copy", book}};
  const std::string text = "一篇足够长的文章，如此而已。";
  corpus.push_back({"a", text});
  corpus.push_back({"b", text});
  const auto report = Run(corpus);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->audit->removals_checked, 1U);
  EXPECT_EQ(report->audit->removals_too_long, 1U);
  EXPECT_EQ(report->audit->kept_checked, 1U);
  EXPECT_EQ(report->audit->kept_too_long, 1U);
  EXPECT_NE(DedupReportToJson(*report, DedupOptions()).find("\"too_long\": 1"), std::string::npos);
}

TEST_F(AuditTest, IsTheSameForAnyThreadsAndMemory) {
  const std::vector<SlowDocument> corpus = NearCorpus(6, 120);
  std::vector<std::string> results;
  for (const size_t threads : {1U, 3U}) {
    for (const MemoryPlan plan :
         {MemoryPlan{0, 1}, MemoryPlan{0, 60000}, MemoryPlan{1 << 20, 1 << 20}}) {
      DedupOptions options;
      options.audit = 60;
      std::vector<DocumentIndex> kept;
      RunTuning tuning = MissingPairs(kept);
      tuning.memory = plan;
      const auto report = Run(corpus, options, tuning, threads);
      ASSERT_TRUE(report.has_value()) << report.error().message;
      EXPECT_GT(report->audit->kept_with_a_match, 5U);
      const std::string json = DedupReportToJson(*report, options);
      results.push_back(json.substr(0, json.find("\"run\"")));
    }
  }
  for (const std::string& result : results) EXPECT_EQ(result, results.front());
}

TEST_F(AuditTest, SaysOfHowManyKeptDocumentsNotAllThatLookAlikeWereCompared) {
  CorpusMaker maker(12);
  const Characters form = maker.Fresh(200);
  std::vector<SlowDocument> corpus;
  for (int i = 0; i < 60; ++i) {
    Characters text = form;  // the same form, filled in differently: resemblance about 0.5
    for (size_t at = 0; at < 70; ++at) text[at] = maker.Fresh(1).front();
    corpus.push_back({std::to_string(i), Join(text)});
  }
  const auto report = Run(corpus);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->kept, 60U);
  EXPECT_EQ(report->audit->kept_with_a_match, 0U);
  EXPECT_GT(report->audit->kept_in_part, 40U);
}

TEST_F(AuditTest, IsLeftOutWhereNobodyAsksForIt) {
  DedupOptions options;
  options.audit = 0;
  const auto report = Run(CorpusMaker(4).Corpus(20), options);
  ASSERT_TRUE(report.has_value());
  EXPECT_FALSE(report->audit.has_value());
  EXPECT_NE(DedupReportToJson(*report, options).find("\"audit\": null"), std::string::npos);
}

}  // namespace
}  // namespace zhiwen
