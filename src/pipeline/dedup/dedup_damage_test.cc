// Scratch files of an interrupted run that were damaged: --resume makes anew what is lost, says
// which file it was, and gives the bytes of an undisturbed run. Damage that a run meets on its way
// ends it with advice that works. Every file after every stage; with ZW_DAMAGES=all each in every
// way, otherwise in one or two.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "pipeline/dedup/checkpoint/checkpoint.h"
#include "pipeline/dedup/made_corpus_test_support.h"
#include "pipeline/dedup/run.h"
#include "pipeline/dedup/run_test_support.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kPartial = "/out/.partial/";
const std::string kScratch = "/out/.partial/scratch/";
const std::string kCheckpoint = "/out/.partial/checkpoint";

using Advances = std::map<std::string, uint64_t>;  // by stage

// Calls `act` at each sign of progress, with how many of its stage there were.
class Watch final : public ProgressSink {
 public:
  using Act = std::function<void(const std::string& stage, uint64_t count)>;
  explicit Watch(Act act) : act_(std::move(act)) {}
  void Advance(Stage stage, uint64_t, uint64_t) override {
    const std::string name(TraitsOf(stage).name);
    act_(name, ++advances_[name]);
  }
  const Advances& advances() const { return advances_; }

 private:
  const Act act_;
  Advances advances_;
};

struct DamageCase {
  std::string name;
  DedupOptions options = {};
  void (*change_plan)(Plan&) = WithoutLargeSets;
};

std::vector<DamageCase> MakeDamageCases() {
  std::vector<DamageCase> cases = {{"near"}, {"contained"}, {"exact"}, {"against"}, {"piped"}};
  cases[0].change_plan = WithLargeTexts;
  cases[1].options.mode = DedupMode::kContained;
  cases[2].options.mode = DedupMode::kExact;
  cases[3].options.against = {"/ref/r.jsonl"};
  cases[3].options.against_rule = ReferenceRule::kContains;
  cases[4].options.candidates = CandidateSource::kExact;
  for (DamageCase& one : cases) {
    one.options.inputs = {"/in"};
    if (one.name == "piped") one.options.inputs = {"/in/a.jsonl", "-"};
    one.options.output = "/out";
    one.options.checkpoint_every = 0;
    one.options.max_failed = {10, 1, 1};
  }
  return cases;
}

// One way of damaging a file.
struct Damage {
  std::string name;
  std::function<void(InMemoryFileSystem&, const std::string& path, std::string bytes)> make;
};

Damage Flip(const std::string& name, std::function<size_t(size_t size)> place) {
  return {"a bit flipped " + name,
          [place](InMemoryFileSystem& files, const std::string& path, std::string bytes) {
            if (bytes.empty()) return;
            char& byte = bytes[std::min(place(bytes.size()), bytes.size() - 1)];
            byte = static_cast<char>(byte ^ 0x10);
            files.Damage(path, bytes);
          }};
}

Damage Cut(const std::string& name, std::function<size_t(size_t size)> size) {
  return {"cut " + name,
          [size](InMemoryFileSystem& files, const std::string& path, std::string bytes) {
            files.Damage(path, bytes.substr(0, size(bytes.size())));
          }};
}

std::vector<Damage> AllDamages() {
  return {Flip("in the magic", [](size_t) { return 0; }),
          Flip("in the version", [](size_t) { return 3; }),
          Flip("in a header", [](size_t) { return 9; }),
          Flip("behind a header", [](size_t) { return 26; }),
          Flip("in the middle", [](size_t size) { return size / 2; }),
          Flip("at the end", [](size_t size) { return size - 1; }),
          Cut("to nothing", [](size_t) { return 0; }),
          Cut("in the middle", [](size_t size) { return size / 2; }),
          Cut("by a byte", [](size_t size) { return size - std::min<size_t>(size, 1); }),
          {"gone", [](InMemoryFileSystem& files, const std::string& path,
                      const std::string&) { EXPECT_TRUE(files.RemoveFile(path)); }},
          {"something behind it",
           [](InMemoryFileSystem& files, const std::string& path, const std::string& bytes) {
             files.Damage(path, bytes + "zws1 of an append that was stopped");
           }}};
}

class DedupDamage : public testing::TestWithParam<size_t> {
 protected:
  static constexpr char kBroken[] = "{\"id\":\"broken\n";

  void SetUp() override {
    const std::string more = ToJsonLines(CorpusMaker(12).Corpus(4));
    inputs_.Put("/in/a.jsonl", ToJsonLines(CorpusMaker(11).Corpus(5)) + kBroken);
    inputs_.Put("/in/b.jsonl", more);
    inputs_.Put("/ref/r.jsonl", ToJsonLines(CorpusMaker(11).Corpus(1)));
    piped_ = more;
    InMemoryFileSystem files;
    files.CopyFrom(inputs_);
    Watch watch([](const std::string&, uint64_t) {});
    const auto report = Run(files, options(), watch);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_GT(report->removed_total(), 0U);
    expected_ = OutputsOf(files);
    advances_ = watch.advances();
  }

  const DamageCase& given() const { return given_; }
  const DedupOptions& options() const { return given_.options; }
  bool is_piped() const { return given_.name == "piped"; }

  Result<DedupReport> Run(InMemoryFileSystem& files, const DedupOptions& options,
                          ProgressSink& progress, const Cancellation& cancellation = {},
                          LogSink& log = NoLog()) const {
    const auto executor = MakeInlineExecutor();
    StoredInput input(piped_);
    return RunDedup(options,
                    {.memory = MemoryPlan{.scratch = 0, .work = 6000},
                     .block_bytes = 1000,
                     .change_plan = given_.change_plan},
                    {files, *executor, SystemClock(), progress, log, cancellation, &input});
  }

  Result<DedupReport> Resume(InMemoryFileSystem& files, LogSink& log) const {
    DedupOptions again = options();
    again.resume = true;
    return Run(files, again, NoProgress(), Cancellation(), log);
  }

  // A run that was stopped at the n-th sign of progress of a stage.
  void RunUntil(const std::string& stage, uint64_t n, InMemoryFileSystem& files) const {
    files.CopyFrom(inputs_);
    Cancellation cancellation;
    Watch stop([&](const std::string& name, uint64_t count) {
      if (name == stage && count == n) cancellation.Request(ErrorCode::kInterrupted);
    });
    const auto report = Run(files, options(), stop, cancellation);
    if (!report) {
      EXPECT_EQ(report.error().code, ErrorCode::kInterrupted) << report.error().message;
    }
  }

  void ExpectSameBytes(const InMemoryFileSystem& files, const std::string& where) const {
    const Contents outputs = OutputsOf(files);
    ASSERT_EQ(outputs.size(), expected_.size()) << where;
    for (const auto& [path, content] : expected_) {
      ASSERT_TRUE(outputs.contains(path) && outputs.at(path) == content) << where << ' ' << path;
    }
  }

  const DamageCase given_ = MakeDamageCases()[GetParam()];
  InMemoryFileSystem inputs_;
  std::string piped_;
  Contents expected_;
  Advances advances_;
};

// What a checkpoint promises of a scratch file: none of it when it does not name the file.
uint64_t PromisedBytes(const Checkpoint& checkpoint, uint32_t bands, const std::string& name) {
  const std::vector<std::string> names = RunSpools::FileNames(bands);
  const auto at = static_cast<size_t>(std::ranges::find(names, name) - names.begin());
  if (at < checkpoint.sketch.spools.size()) return checkpoint.sketch.spools[at].file_bytes;
  if (const auto& sets = checkpoint.sets) {
    if (name == "sets") return sets->sets.file_bytes;
    if (name == "exact") return sets->exact.file_bytes;
    if (name == "large_sets") return sets->large.bytes == 0 ? 0 : sets->large.bytes + 8;
  }
  if (checkpoint.decided && name == "overlaps") return checkpoint.decided->overlaps.file_bytes;
  return 0;
}

TEST_P(DedupDamage, SlowOfAnyFileAfterAnyStageIsMadeGoodByResume) {
  const uint64_t stride = std::getenv("ZW_DAMAGES") == nullptr ? 7 : 1;
  uint64_t tried = 0, warned = 0, untouched = 0;
  for (const auto& [stage, count] : advances_) {
    for (const uint64_t n : {uint64_t{1}, count / 2 + 1, count}) {
      if (n != count && stage != "sketch" && stage != "shingle sets" && stage != "decide") continue;
      InMemoryFileSystem stopped;
      RunUntil(stage, n, stopped);
      const Contents left = stopped.Files();
      if (!left.contains(kCheckpoint)) continue;  // finished, or nothing to go on from
      const auto checkpoint = ReadCheckpoint(stopped, kCheckpoint);
      ASSERT_TRUE(checkpoint.has_value());
      const auto bands = static_cast<uint32_t>(
          checkpoint->sketch.spools.size() -
          std::min(checkpoint->sketch.spools.size(), RunSpools::FileNames(0).size()));
      for (const auto& [path, bytes] : left) {
        if (!path.starts_with(kPartial)) continue;
        const std::string name = path.substr(path.rfind('/') + 1);
        const bool is_copy = name == "standard_input";
        for (const Damage& damage : AllDamages()) {
          if (tried++ % stride != 0) continue;
          const std::string where =
              stage + " " + std::to_string(n) + ", " + path + ": " + damage.name;
          InMemoryFileSystem files;
          files.CopyFrom(stopped);
          damage.make(files, path, bytes);
          const bool is_changed = !files.Files().contains(path) || files.Files().at(path) != bytes;
          const bool is_longer = damage.name == "something behind it";
          WarningList warnings;
          const auto report = Resume(files, warnings);
          const bool is_checkpoint = path == kCheckpoint && damage.name != "gone";
          if (is_changed && (is_copy || (is_checkpoint && is_piped()))) {
            // Nothing else has it.
            ASSERT_FALSE(report.has_value()) << where;
            ASSERT_EQ(report.error().code, ErrorCode::kConflict) << where;
            ASSERT_THAT(report.error().message, HasSubstr(path)) << where;
            ASSERT_TRUE(report.error().advises(Advice::kStartOver)) << where;
            continue;
          }
          ASSERT_TRUE(report.has_value()) << where << ": " << report.error().message;
          ExpectSameBytes(files, where);
          const uint64_t promised =
              is_checkpoint ? bytes.size() : PromisedBytes(*checkpoint, bands, name);
          const bool is_lost =
              is_changed && (!is_longer || is_checkpoint) && promised == bytes.size();
          if (is_lost && promised > 0) {
            ASSERT_THAT(warnings.text(), HasSubstr(path)) << where;
            ++warned;
          } else if (promised == 0 && path != kCheckpoint) {
            ASSERT_THAT(warnings.text(), Not(HasSubstr(path))) << where;
            ++untouched;
          }
        }
      }
    }
  }
  EXPECT_GT(warned * stride, 200U);
  EXPECT_GT(untouched * stride, 10U);
}

// While the run goes on: what it reads of the file is an error, and what it does not read is
// nothing to it.
TEST_P(DedupDamage, SlowThatARunMeetsOnItsWayEndsItWithAdviceThatWorks) {
  uint64_t all = 0, met = 0;
  for (const auto& [stage, count] : advances_) all += count;
  for (uint64_t k = 1; k <= all; k += 1 + k / 8) {
    InMemoryFileSystem stopped;  // which files there are at that time
    stopped.CopyFrom(inputs_);
    uint64_t seen = 0;
    Contents there;
    Watch look([&](const std::string&, uint64_t) {
      if (++seen == k) there = stopped.Files();
    });
    ASSERT_TRUE(Run(stopped, options(), look).has_value());
    for (const auto& [path, bytes] : there) {
      if (!path.starts_with(kScratch) || bytes.empty() || path.ends_with("standard_input"))
        continue;
      const std::string where = "after " + std::to_string(k) + ", " + path;
      InMemoryFileSystem files;
      files.CopyFrom(inputs_);
      uint64_t advances = 0;
      Watch harm([&](const std::string&, uint64_t) {
        if (++advances != k) return;
        std::string wrong = files.Files().at(path);
        wrong[wrong.size() / 2] ^= 4;
        files.Damage(path, wrong);
      });
      const auto report = Run(files, options(), harm);
      if (report) {
        ExpectSameBytes(files, where);
        continue;
      }
      ++met;
      ASSERT_EQ(report.error().code, ErrorCode::kUnreadable) << where;
      ASSERT_THAT(report.error().message, HasSubstr(path.substr(path.rfind('/') + 1))) << where;
      const bool continues = files.Files().contains(kCheckpoint);
      ASSERT_EQ(report.error().advises(Advice::kResume), continues) << report.error().message;
      const auto again = continues ? Resume(files, NoLog()) : Run(files, options(), NoProgress());
      ASSERT_TRUE(again.has_value()) << where << ": " << again.error().message;
      ExpectSameBytes(files, where);
    }
  }
  EXPECT_GT(met, 5U);
}

INSTANTIATE_TEST_SUITE_P(EveryKindOfRun, DedupDamage, testing::Range(size_t{0}, size_t{5}),
                         [](const auto& given) { return MakeDamageCases()[given.param].name; });

}  // namespace
}  // namespace zhiwen
