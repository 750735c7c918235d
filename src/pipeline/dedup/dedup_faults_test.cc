// Whichever file operation fails: a report is there exactly when the run succeeded, the error is
// that of the operation, --resume gives the bytes of an undisturbed run, and of a run that cannot
// be continued nothing is left on scratch.

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "pipeline/dedup/made_corpus_test_support.h"
#include "pipeline/dedup/run.h"
#include "pipeline/dedup/run_test_support.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

struct FaultCase {
  std::string name;
  Contents inputs;
  DedupOptions options;
  std::string standard_input = {};
};

std::string SomeCsv(uint32_t seed) {
  std::string csv = "id,text\n";
  for (const SlowDocument& document : CorpusMaker(seed).Corpus(3)) {
    csv += document.id + ",\"" + document.text + "\"\n";
  }
  return csv;
}

std::vector<FaultCase> MakeFaultCases() {
  const std::string lines = ToJsonLines(CorpusMaker(6).Corpus(3)) + "broken\n";
  std::vector<FaultCase> cases;
  cases.push_back({"contained", {{"/in/a.jsonl", lines}}, {}});
  cases.back().options.mode = DedupMode::kContained;
  cases.push_back(
      {"against",
       {{"/in/a.jsonl", lines}, {"/ref/r.jsonl", ToJsonLines(CorpusMaker(6).Corpus(1))}},
       {}});
  cases.back().options.against = {"/ref/r.jsonl"};
  cases.push_back(cases.back());
  cases.back().name = "against contains";
  cases.back().options.against_rule = ReferenceRule::kContains;
  cases.push_back({"marked", {{"/in/a.csv", SomeCsv(6)}}, {}});
  cases.back().options.mark = "dup";
  cases.back().options.add_cluster_size = true;
  cases.push_back({"standard input", {{"/in/a.jsonl", lines}}, {}, lines});
  cases.back().options.inputs = {"/in", "-"};
  for (FaultCase& one : cases) {
    if (one.options.inputs.empty()) one.options.inputs = {"/in"};
    one.options.output = "/out";
    one.options.scratch = "/scratch";
    one.options.checkpoint_every = 0;
    one.options.max_failed = {10, 1, 1};
  }
  return cases;
}

Result<DedupReport> RunCase(FileSystem& files, const FaultCase& given,
                            const DedupOptions& options) {
  const auto executor = MakeInlineExecutor();
  const Cancellation cancellation;
  StoredInput input(given.standard_input);
  return RunDedup(options, {.memory = MemoryPlan{.scratch = 0, .work = 6000}, .block_bytes = 4000},
                  {files, *executor, SystemClock(), NoProgress(), NoLog(), cancellation, &input});
}

void PutAll(InMemoryFileSystem& files, const Contents& inputs) {
  for (const auto& [path, content] : inputs) files.Put(path, content);
}

bool HasScratch(const InMemoryFileSystem& files) {
  for (const auto& [path, content] : files.Files()) {
    if (path.starts_with("/scratch/")) return true;
  }
  return false;
}

class DedupFaults : public testing::TestWithParam<size_t> {};

TEST_P(DedupFaults, SlowLeaveAReportExactlyWhenTheRunSucceededAndNothingThatCannotBeContinued) {
  const FaultCase given = MakeFaultCases()[GetParam()];
  InMemoryFileSystem undisturbed;
  PutAll(undisturbed, given.inputs);
  const auto right = RunCase(undisturbed, given, given.options);
  ASSERT_TRUE(right.has_value()) << right.error().message;
  EXPECT_GT(right->removed_total(), 0U);
  EXPECT_FALSE(HasScratch(undisturbed));
  const Contents expected = OutputsOf(undisturbed);
  uint64_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    PutAll(memory, given.inputs);
    FaultyFileSystem faulty(memory, {.at = n, .error = {ErrorCode::kExhausted, "disk full"}});
    const auto report = RunCase(faulty, given, given.options);
    ASSERT_EQ(memory.Files().contains("/out/report.json"), report.has_value()) << n;
    if (!faulty.fired()) break;
    if (report) continue;  // tidying, when everything is in place
    ++failures;
    ASSERT_EQ(report.error().code, ErrorCode::kExhausted) << n << ": " << report.error().message;
    const bool continues = memory.Files().contains("/out/.partial/checkpoint");
    DedupOptions again = given.options;
    again.resume = continues;
    const auto next = RunCase(memory, given, again);
    ASSERT_TRUE(next.has_value()) << n << ": " << next.error().message;
    ASSERT_EQ(OutputsOf(memory), expected) << n;
    ASSERT_FALSE(HasScratch(memory)) << n;
  }
  EXPECT_GT(failures, 60U);
}

INSTANTIATE_TEST_SUITE_P(EveryKindOfRun, DedupFaults, testing::Range(size_t{0}, size_t{4}),
                         [](const auto& given) {
                           std::string name = MakeFaultCases()[given.param].name;
                           for (char& c : name) c = c == ' ' ? '_' : c;
                           return name;
                         });

// Does something at the k-th sign of progress.
class ActAt final : public ProgressSink {
 public:
  ActAt(uint64_t k, std::function<void()> act) : left_(k), act_(std::move(act)) {}
  void Advance(Stage, uint64_t, uint64_t) override {
    if (--left_ == 0) act_();
  }
  bool acted() const { return left_ <= 0; }

 private:
  int64_t left_;
  const std::function<void()> act_;
};

// Wherever in a run an input changes: either all of it was read, or the run ends by its name, and
// with advice that works.
TEST(DedupChangedInputs, SlowNeverMakeAResultOfTwoStatesOfAFile) {
  const FaultCase given = MakeFaultCases().front();
  const std::string before = given.inputs.at("/in/a.jsonl");
  const std::map<std::string, std::string> states = {
      {"grown", before + "{\"id\":\"z\",\"text\":\"更上一层楼\"}\n"},
      {"cut", before.substr(0, before.size() / 2)},
      {"replaced by its like", before},
      {"gone", ""}};
  InMemoryFileSystem undisturbed;
  PutAll(undisturbed, given.inputs);
  ASSERT_TRUE(RunCase(undisturbed, given, given.options).has_value());
  const Contents expected = OutputsOf(undisturbed);
  for (const auto& [kind, state] : states) {
    uint64_t refused = 0;
    for (uint64_t k = 1;; ++k) {
      InMemoryFileSystem files;
      PutAll(files, given.inputs);
      ActAt progress(k, [&, &name = kind, &content = state] {
        if (name == "gone") {
          EXPECT_TRUE(files.RemoveFile("/in/a.jsonl").has_value());
        } else {
          files.Put("/in/a.jsonl", content);
        }
      });
      const auto run = [&](const DedupOptions& options, ProgressSink& sink) {
        const auto executor = MakeInlineExecutor();
        const Cancellation cancellation;
        return RunDedup(options, {.memory = MemoryPlan{0, 6000}, .block_bytes = 600},
                        {files, *executor, SystemClock(), sink, NoLog(), cancellation});
      };
      const auto report = run(given.options, progress);
      ASSERT_EQ(files.Files().contains("/out/report.json"), report.has_value());
      if (report) {
        EXPECT_EQ(OutputsOf(files), expected) << kind << ' ' << k;
      } else {
        ++refused;
        EXPECT_TRUE(report.error().code == ErrorCode::kUnreadable ||
                    report.error().code == ErrorCode::kNotFound)
            << kind << ' ' << k << ": " << report.error().message;
        const std::string& message = report.error().message;
        EXPECT_NE(message.find("/in/a.jsonl"), std::string::npos) << kind << ' ' << k << message;
        if (!state.empty()) {
          DedupOptions again = given.options;
          again.overwrite = report.error().advises(Advice::kStartOver);
          again.resume = report.error().advises(Advice::kResume) && !again.overwrite;
          const auto next = run(again, NoProgress());
          EXPECT_TRUE(next.has_value()) << kind << ' ' << k << ": " << message;
        }
      }
      if (!progress.acted()) break;
    }
    EXPECT_GT(refused, 5U) << kind;
  }
}

TEST(DedupFaultsScratch, SlowKeepsNoCopyOfStandardInputWhateverEndsTheRun) {
  const FaultCase given = MakeFaultCases().back();
  const auto run = [&](InMemoryFileSystem& files, const DedupOptions& options) {
    PutAll(files, given.inputs);
    return RunCase(files, given, options);
  };
  InMemoryFileSystem finished;
  ASSERT_TRUE(run(finished, given.options).has_value());
  EXPECT_FALSE(HasScratch(finished));
  DedupOptions strict = given.options;
  strict.max_failed = {0, 0};
  strict.checkpoint_every = 60;
  InMemoryFileSystem failed;
  const auto report = run(failed, strict);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(HasScratch(failed), failed.Files().contains("/out/.partial/checkpoint"));
  strict.id_field = "no such field";
  InMemoryFileSystem mistaken;
  ASSERT_FALSE(run(mistaken, strict).has_value());
  EXPECT_FALSE(HasScratch(mistaken));
}

}  // namespace
}  // namespace zhiwen
