// Decisions and bytes do not depend on how much of a run fits in memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>

#include "pipeline/dedup/made_corpus_test_support.h"
#include "pipeline/dedup/run.h"
#include "pipeline/dedup/run_test_support.h"
#include "support/decompress_zstd.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

// Everything a run wrote but what may differ between runs.
Contents RunWith(InMemoryFileSystem& files, DedupOptions options, std::optional<MemoryPlan> memory,
                 size_t threads, const std::function<void(Plan&)>& change_plan = {}) {
  options.inputs = {"/in"};
  options.output = "/out";
  options.overwrite = true;
  const auto executor = threads == 1 ? MakeInlineExecutor() : MakeThreadPool(threads);
  const Cancellation cancellation;
  const auto report =
      RunDedup(options, {.memory = memory, .change_plan = change_plan},
               {files, *executor, SystemClock(), NoProgress(), NoLog(), cancellation});
  EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
  EXPECT_LE(report->matched_pairs, report->candidate_pairs);
  EXPECT_LE(report->candidate_pairs, report->comparisons);
  return OutputsOf(files);
}

// Some are mapped and some are not.
void WithLargeSets(Plan& plan) { plan.sets_in_batch = 20; }

struct Way {
  size_t threads;
  void (*change)(Plan&);
};
constexpr Way kWays[] = {
    {1, WithoutLargeSets}, {3, WithoutLargeSets}, {1, WithLargeSets}, {3, WithLargeTexts}};

void ExpectSameBytes(InMemoryFileSystem& files, const DedupOptions& options) {
  const Contents expected = RunWith(files, options, std::nullopt, 1);
  ASSERT_GT(expected.size(), 3U);
  for (const MemoryPlan& plan : kMemoryPlans) {
    for (const auto& [threads, change] : kWays) {
      if (kNeedsThreads && threads == 1) continue;
      const Contents outputs = RunWith(files, options, plan, threads, change);
      ASSERT_EQ(outputs.size(), expected.size());
      for (const auto& [path, content] : expected) {
        ASSERT_TRUE(outputs.at(path) == content)
            << path << ' ' << plan.scratch << ' ' << plan.work << ' ' << threads;
      }
    }
  }
}

TEST(DedupMemory, RacedChangesNoByteWithBands) {
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    InMemoryFileSystem files;
    files.Put("/in/a.jsonl", ToJsonLines(CorpusMaker(seed).Corpus(80)));
    files.Put("/in/b.jsonl", ToJsonLines(CorpusMaker(seed).Corpus(50)));
    ExpectSameBytes(files, {});
  }
}

TEST(DedupMemory, RacedChangesNoByteWithExactCandidates) {
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    InMemoryFileSystem files;
    files.Put("/in/a.jsonl", ToJsonLines(CorpusMaker(seed).Corpus(80)));
    DedupOptions options;
    options.candidates = CandidateSource::kExact;
    options.threshold = 0.6;
    ExpectSameBytes(files, options);
  }
}

TEST(DedupMemory, RacedChangesNoByteInModeExact) {
  InMemoryFileSystem files;
  files.Put("/in/a.jsonl", ToJsonLines(CorpusMaker(7).Corpus(80)));
  DedupOptions options;
  options.mode = DedupMode::kExact;
  ExpectSameBytes(files, options);
}

TEST(DedupMemory, RacedChangesNoByteInModeContained) {
  for (const CandidateSource candidates : {CandidateSource::kBands, CandidateSource::kExact}) {
    InMemoryFileSystem files;
    files.Put("/in/a.jsonl", ToJsonLines(CorpusMaker(8).Corpus(60)));
    DedupOptions options;
    options.mode = DedupMode::kContained;
    options.candidates = candidates;
    ExpectSameBytes(files, options);
    options.group_by = "id";
    ExpectSameBytes(files, options);
  }
}

// Pages that hold items, items, and parts of them; some of both are large texts to some of the
// ways.
void ExpectSameBytesAgainstReferences(std::initializer_list<ReferenceRule> rules,
                                      std::initializer_list<DedupMode> modes) {
  CorpusMaker maker(9);
  std::vector<SlowDocument> inputs = maker.Corpus(50), references;
  const std::vector<std::string> few = {"短", "四个字了", "。。", ""};
  for (size_t i = 0; i < 30; ++i) {
    const Characters item = maker.Fresh(5 + maker.Below(150));
    references.push_back({"r" + std::to_string(i), i < 4 ? few[i] : Join(item)});
    Characters page = maker.Fresh(maker.Below(200));
    const Characters dirty = maker.Edited(item, maker.Below(3));
    page.insert(page.begin() + static_cast<std::ptrdiff_t>(maker.Below(page.size() + 1)),
                dirty.begin(), dirty.end());
    inputs.push_back({"page" + std::to_string(i), maker.Disguised(page)});
    inputs.push_back({"item" + std::to_string(i), maker.Disguised(maker.Edited(item, 1))});
  }
  for (size_t i = 0; i < 6; ++i) {  // signs alone, of any length
    const std::string signs(20 + 100 * i, '.');
    inputs.push_back({"signs" + std::to_string(i), signs});
    if (i % 2 == 0) references.push_back({"rs" + std::to_string(i), signs});
  }
  InMemoryFileSystem files;
  files.Put("/in/a.jsonl", ToJsonLines(inputs));
  files.Put("/ref/a.jsonl", ToJsonLines(references));
  for (const ReferenceRule rule : rules) {
    for (const DedupMode mode : modes) {
      DedupOptions options;
      options.against = {"/ref/a.jsonl"};
      options.against_rule = rule;
      options.against_run = 20;
      options.min_reference = 1;
      options.mode = mode;
      ExpectSameBytes(files, options);
    }
  }
}

TEST(DedupMemory, RacedChangesNoByteAgainstReferences) {
  ExpectSameBytesAgainstReferences({ReferenceRule::kContains}, {DedupMode::kNear});
}

TEST(DedupMemory, SlowChangesNoByteAgainstReferencesByAnyRuleInAnyMode) {
  ExpectSameBytesAgainstReferences({ReferenceRule::kNear, ReferenceRule::kContainedIn,
                                    ReferenceRule::kContains, ReferenceRule::kOverlap},
                                   {DedupMode::kNear, DedupMode::kContained, DedupMode::kExact});
}

// Of records of up to 4,000 bytes: an id of a quarter of it, and values of twice as much memory.
TEST(DedupMemory, IdsAndValuesThatDoNotFitMakeFailedRecords) {
  std::string lines;
  for (const size_t size : {1000, 1001}) {
    lines +=
        R"({"id":")" + std::string(size, 'x') + R"(","text":"of )" + std::to_string(size) + "\"}\n";
  }
  for (const size_t values : {300, 400}) {
    lines += R"({"text":"of )" + std::to_string(values) + R"(","v":[0)";
    for (size_t i = 1; i < values; ++i) lines += ",0";
    lines += "]}\n";
  }
  InMemoryFileSystem files;
  files.Put("/in/a.jsonl", lines);
  const Contents outputs = RunWith(files, {}, std::nullopt, 2,
                                   [](Plan& plan) { plan.reading.blocks.max_record_bytes = 4000; });
  const std::string failed = DecompressZstd(outputs.at("/out/failed.jsonl.zst")).value();
  EXPECT_NE(failed.find("the id has 1001 bytes; it needs 1 MiB of memory or more"),
            std::string::npos)
      << failed;
  EXPECT_NE(failed.find("at most 333 are read"), std::string::npos);
  EXPECT_EQ(std::ranges::count(failed, '\n'), 2);
  EXPECT_EQ(std::ranges::count(outputs.at("/out/kept/a.jsonl"), '\n'), 2);
}

// One component of texts of a template: it is cut into batches in rank order.
void ExpectSameBytesOfOneComponent(size_t count) {
  CorpusMaker maker(5);
  const Characters pattern = maker.Fresh(90);
  std::vector<SlowDocument> documents;
  for (size_t i = 0; i < count; ++i) {
    documents.push_back({std::to_string(i), Join(maker.Edited(pattern, 1 + i % 7))});
  }
  InMemoryFileSystem files;
  files.Put("/in/a.jsonl", ToJsonLines(documents));
  DedupOptions options;
  ExpectSameBytes(files, options);
  options.max_bucket_kept = 3;
  ExpectSameBytes(files, options);
}

TEST(DedupMemory, RacedChangesNoByteWhereOneComponentDoesNotFit) {
  ExpectSameBytesOfOneComponent(60);
}

TEST(DedupMemory, SlowChangesNoByteWhereALargeComponentDoesNotFit) {
  ExpectSameBytesOfOneComponent(400);
}

}  // namespace
}  // namespace zhiwen
