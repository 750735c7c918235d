// Interrupted runs that are continued give the bytes of undisturbed ones.

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/hash.h"
#include "pipeline/dedup/checkpoint/checkpoint.h"
#include "pipeline/dedup/made_corpus_test_support.h"
#include "pipeline/dedup/run.h"
#include "pipeline/dedup/run_test_support.h"
#include "support/faulty_file_system.h"
#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

constexpr MemoryPlan kSmallMemory{.scratch = 0, .work = 6000};

using Advances = std::map<std::string, uint64_t>;  // by stage

// After so many advances of a stage, or of all together.
struct Stop {
  Stop(uint64_t count = UINT64_MAX, std::string of = "") : advances(count), stage(std::move(of)) {}
  uint64_t advances;
  std::string stage;
};

// Asks the run to stop.
class StopAfter final : public ProgressSink {
 public:
  StopAfter(Cancellation& cancellation, const Stop& stop)
      : cancellation_(cancellation),
        stage_(stop.stage),
        left_(static_cast<int64_t>(std::min<uint64_t>(stop.advances, INT64_MAX))) {}
  void Advance(Stage of, uint64_t done, uint64_t total) override {
    const std::string stage(TraitsOf(of).name);
    if (done == 0 && total == 0) return;  // a stage begins
    {
      const std::lock_guard lock(mutex_);
      ++advances_[stage];
    }
    if (!stage_.empty() && stage != stage_) return;
    if (--left_ <= 0) cancellation_.Request(ErrorCode::kInterrupted);
  }
  const Advances& advances() const { return advances_; }

 private:
  Cancellation& cancellation_;
  const std::string stage_;
  std::atomic<int64_t> left_;
  std::mutex mutex_;
  Advances advances_;
};

// A second passes whenever somebody looks.
class TickingClock final : public Clock {
 public:
  std::chrono::nanoseconds Monotonic() const override { return std::chrono::seconds(++ticks_); }
  std::chrono::nanoseconds ProcessorTime() const override { return {}; }
  std::chrono::sys_seconds Now() const override { return {}; }

 private:
  mutable std::atomic<int64_t> ticks_ = 0;
};

struct Setting {
  DedupOptions options;
  RunTuning tuning = {.memory = kSmallMemory, .block_bytes = 1500, .change_plan = WithoutLargeSets};
  size_t threads = 1;
  const Clock* clock = &SystemClock();
};

DedupOptions EveryBlock() {
  DedupOptions options;
  options.checkpoint_every = 0;
  return options;
}

class DedupResume : public testing::Test {
 protected:
  static Result<DedupReport> Run(FileSystem& files, const Setting& setting, const Stop& stop = {},
                                 LogSink& log = NoLog(), ReadableFile* standard_input = nullptr) {
    DedupOptions options = setting.options;
    if (options.inputs.empty()) options.inputs = {"/in"};
    options.output = "/out";
    const auto executor =
        setting.threads == 1 ? MakeInlineExecutor() : MakeThreadPool(setting.threads);
    Cancellation cancellation;
    StopAfter progress(cancellation, stop);
    auto report =
        RunDedup(options, setting.tuning,
                 {files, *executor, *setting.clock, progress, log, cancellation, standard_input});
    advances_of_last_run = progress.advances();
    return report;
  }

  static inline Advances advances_of_last_run;

  static Setting Resuming(Setting setting) {
    setting.options.resume = true;
    return setting;
  }

  static std::string DatedLines(uint32_t seed, int families) {
    std::vector<SlowDocument> corpus = CorpusMaker(seed).Corpus(families);
    for (size_t i = 0; i < corpus.size(); ++i) corpus[i].date = static_cast<int64_t>(i * 7 % 10);
    return ToJsonLines(corpus);
  }

  // Files of some blocks, of one, of none; with records that fail.
  static void PutInputs(InMemoryFileSystem& files, uint32_t seed, int families) {
    files.Put("/in/a.jsonl", DatedLines(seed, families));
    files.Put("/in/b.jsonl", "");
    files.Put("/in/c.jsonl", "{\"id\":\"broken\n" + ToJsonLines(CorpusMaker(seed + 1).Corpus(1)));
    files.Put("/in/d.jsonl", ToJsonLines(CorpusMaker(seed).Corpus(families)) + "broken\n");
    files.Put("/in/e.jsonl", "");
    files.Put("/ref/r.jsonl", ToJsonLines(CorpusMaker(seed).Corpus(3)));
    std::vector<SlowDocument> inside;  // parts of other texts
    for (const SlowDocument& whole : CorpusMaker(seed).Corpus(families)) {
      const bool has_space = whole.text.find(' ') != std::string::npos;  // of one byte
      if (has_space || whole.text.size() < 150) continue;
      inside.push_back({"of " + whole.id, whole.text.substr(30, 90)});
    }
    files.Put("/ref/inside.jsonl", ToJsonLines(inside));
  }

  static Contents Undisturbed(InMemoryFileSystem files, const Setting& setting) {
    InMemoryFileSystem own;
    for (const auto& [path, content] : files.Files()) own.Put(path, content);
    const auto report = Run(own, setting);
    EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
    return OutputsOf(own);
  }

  static void ExpectResumes(InMemoryFileSystem& files, const Setting& setting,
                            const Contents& expected, const std::string& where) {
    const auto report = Run(files, Resuming(setting));
    ASSERT_TRUE(report.has_value()) << where << ": " << report.error().message;
    const Contents outputs = OutputsOf(files);
    ASSERT_EQ(outputs.size(), expected.size()) << where;
    for (const auto& [path, content] : expected) {
      ASSERT_TRUE(outputs.at(path) == content) << where << ' ' << path;
    }
  }

  // Stops a run after every possible number of advances, and continues it.
  static void ExpectResumesWhereverItStops(const Setting& setting, uint32_t seed, int families) {
    InMemoryFileSystem inputs;
    PutInputs(inputs, seed, families);
    const Contents expected = Undisturbed(inputs, setting);
    ASSERT_GE(expected.size(), 9U);
    if (setting.options.against_action == ReferenceAction::kCut) {
      EXPECT_GT(expected.at("/out/cuts.jsonl.zst").size(), 300U);  // some rows
    }
    uint64_t stops = 0;
    bool continued = false;
    for (uint64_t k = 1;; ++k) {
      InMemoryFileSystem files;
      for (const auto& [path, content] : inputs.Files()) files.Put(path, content);
      const auto report = Run(files, setting, k);
      if (report) break;
      ++stops;
      ASSERT_EQ(report.error().code, ErrorCode::kInterrupted) << report.error().message;
      // While the references are read there is nothing to go on from.
      const bool continues = report.error().advises(Advice::kResume);
      ASSERT_TRUE(continues || (!continued && !setting.options.against.empty())) << k;
      continued = continues;
      ExpectResumes(files, setting, expected, "stopped after " + std::to_string(k));
    }
    EXPECT_GT(stops, 10U);
  }
};

TEST_F(DedupResume, SlowGivesTheSameBytesWhereverARunWithBandsWasStopped) {
  for (const size_t threads : {1, 3}) {
    ExpectResumesWhereverItStops({.options = EveryBlock(), .threads = threads}, 1, 15);
  }
}

TEST_F(DedupResume, SlowGivesTheSameBytesWhereverARunWithExactCandidatesWasStopped) {
  DedupOptions options = EveryBlock();
  options.candidates = CandidateSource::kExact;
  for (const size_t threads : {1, 3}) {
    ExpectResumesWhereverItStops({.options = options, .threads = threads}, 2, 15);
  }
}

TEST_F(DedupResume, SlowGivesTheSameBytesWhereverARunInModeExactWasStopped) {
  DedupOptions options = EveryBlock();
  options.mode = DedupMode::kExact;
  options.mark = "dup";
  ExpectResumesWhereverItStops({.options = options}, 3, 15);
}

TEST_F(DedupResume, SlowGivesTheSameBytesWhereverARunInModeContainedWasStopped) {
  DedupOptions options = EveryBlock();
  options.mode = DedupMode::kContained;
  for (const size_t threads : {1, 3}) {
    ExpectResumesWhereverItStops({.options = options, .threads = threads}, 2, 15);
  }
}

TEST_F(DedupResume, SlowGivesTheSameBytesWhereverARunWithKeysWasStopped) {
  DedupOptions options = EveryBlock();
  options.key = "id";
  options.keep = "shortest, none";
  options.mark = "dup";
  options.mark_keeper = "of";
  ExpectResumesWhereverItStops({.options = options}, 4, 8);
}

TEST_F(DedupResume, SlowGivesTheSameBytesWhereverARunWithDatesWasStopped) {
  DedupOptions options = EveryBlock();
  options.within = {"date", 3 * 86400};
  for (const DedupMode mode : {DedupMode::kNear, DedupMode::kContained}) {
    options.mode = mode;
    ExpectResumesWhereverItStops({.options = options}, 5, 8);
  }
}

TEST_F(DedupResume, SlowGivesTheSameBytesWhereverARunWithReferencesWasStopped) {
  DedupOptions options = EveryBlock();
  options.against = {"/ref/r.jsonl"};
  for (const size_t threads : {1, 3}) {
    ExpectResumesWhereverItStops({.options = options, .threads = threads}, 1, 15);
  }
}

// The matches are decided once all inputs are read.
TEST_F(DedupResume, SlowGivesTheSameBytesWhereverARunWithCommonShinglesWasStopped) {
  DedupOptions options = EveryBlock();
  options.against = {"/ref/r.jsonl"};
  options.against_rule = ReferenceRule::kContains;
  options.min_reference = 1;
  for (const size_t threads : {1, 3}) {
    ExpectResumesWhereverItStops({.options = options, .threads = threads}, 1, 15);
  }
}

TEST_F(DedupResume, SlowGivesTheSameBytesWhereverARunThatCutsWasStopped) {
  DedupOptions options = EveryBlock();
  options.against_rule = ReferenceRule::kContains;
  options.against_action = ReferenceAction::kCut;
  options.against = {"/ref/inside.jsonl"};
  options.min_reference = 1;
  for (const auto share : {std::optional<double>(), std::optional(0.001)}) {
    options.common_share = share;
    ExpectResumesWhereverItStops({.options = options}, 1, 8);
  }
}

// Also behind an empty one, which no offset tells from the beginning of its file.
TEST_F(DedupResume, SlowGivesTheSameBytesWhereverARunOverTextsWasStopped) {
  InMemoryFileSystem inputs;
  inputs.Put("/in/a.txt", "白日依山盡，黃河入海流。欲窮千里目，更上一層樓。");
  inputs.Put("/in/b.txt", "");
  inputs.Put("/in/c.txt", "白日依山尽，黄河入海流。欲穷千里目，更上一层楼。");
  inputs.Put("/in/d.txt", "");
  const Setting setting{.options = EveryBlock()};
  const Contents expected = Undisturbed(inputs, setting);
  for (uint64_t k = 1;; ++k) {
    InMemoryFileSystem files;
    for (const auto& [path, content] : inputs.Files()) files.Put(path, content);
    const auto report = Run(files, setting, k);
    if (report) break;
    ExpectResumes(files, setting, expected, "stopped after " + std::to_string(k));
  }
}

// An interruption, too, makes a checkpoint: no interval has to pass first.
TEST_F(DedupResume, SlowGivesTheSameBytesWhereverARunWithLargeTextsWasStopped) {
  for (const DedupMode mode : {DedupMode::kNear, DedupMode::kContained}) {
    Setting setting{.options = EveryBlock(), .threads = mode == DedupMode::kNear ? 3U : 1U};
    setting.options.mode = mode;
    setting.tuning.change_plan = WithLargeTexts;
    ExpectResumesWhereverItStops(setting, 3, 15);
    InMemoryFileSystem files;
    PutInputs(files, 3, 15);
    ASSERT_FALSE(Run(files, setting, {1, "decide"}).has_value());
    EXPECT_GT(files.Files().at("/out/.partial/scratch/large_sets").size(), 2000U);
  }
}

TEST_F(DedupResume, AStoppedFirstPassIsContinuedAlthoughItWasShort) {
  InMemoryFileSystem files;
  PutInputs(files, 4, 15);
  const Setting setting;
  const Contents expected = Undisturbed(files, setting);
  ASSERT_EQ(Run(files, setting, 3).error().code, ErrorCode::kInterrupted);
  EXPECT_TRUE(files.Files().contains("/out/.partial/checkpoint"));
  ExpectResumes(files, setting, expected, "short");
}

TEST_F(DedupResume, ShortRunsMakeNoCheckpoint) {
  InMemoryFileSystem files;
  PutInputs(files, 4, 15);
  FaultyFileSystem counted(files, {.only = FileOperation::kRename});
  ASSERT_TRUE(Run(counted, {}).has_value());
  EXPECT_EQ(counted.count(), 6U);  // what a folder holds
}

TEST_F(DedupResume, ARunCanBeStoppedAgainAndAgain) {
  InMemoryFileSystem files;
  PutInputs(files, 5, 15);
  Setting setting{.options = EveryBlock()};
  const Contents expected = Undisturbed(files, setting);
  uint64_t stops = 0;
  for (uint64_t advances = 2;; ++advances, ++stops) {
    const auto report = Run(files, setting, advances);
    setting.options.resume = true;
    if (!report) {
      ASSERT_EQ(report.error().code, ErrorCode::kInterrupted) << report.error().message;
      continue;
    }
    EXPECT_EQ(report->resumes, stops);
    break;
  }
  EXPECT_GT(stops, 5U);
  EXPECT_EQ(OutputsOf(files), expected);
}

TEST_F(DedupResume, SlowWhatIsDoneIsNotDoneAgain) {
  InMemoryFileSystem inputs;
  PutInputs(inputs, 9, 15);
  Setting setting{.options = EveryBlock()};
  setting.options.candidates = CandidateSource::kExact;  // one series of many batches
  setting.tuning.memory->work = 30000;
  ASSERT_TRUE(Run(inputs, setting).has_value());
  const Advances whole = advances_of_last_run;
  ASSERT_GT(whole.at("sketch"), 5U);
  ASSERT_GT(whole.at("shingle sets"), 5U);
  for (const std::string stage : {"sketch", "shingle sets"}) {
    for (uint64_t k = 1; k <= whole.at(stage); ++k) {
      InMemoryFileSystem files;
      for (const auto& [path, content] : inputs.Files()) {
        if (path.starts_with("/in/")) files.Put(path, content);
      }
      ASSERT_FALSE(Run(files, setting, {k, stage}).has_value());
      const uint64_t done = advances_of_last_run[stage];
      ASSERT_TRUE(Run(files, Resuming(setting)).has_value());
      EXPECT_EQ(advances_of_last_run[stage], whole.at(stage) - done) << stage << ' ' << k;
      if (stage != "sketch") {
        EXPECT_EQ(advances_of_last_run["sketch"], 0U);
      }
    }
  }
}

TEST_F(DedupResume, DecidedBatchesAreNotDecidedAgain) {
  InMemoryFileSystem inputs;
  PutInputs(inputs, 9, 15);
  Setting setting{.options = EveryBlock()};
  const Contents expected = Undisturbed(inputs, setting);
  const Advances whole = advances_of_last_run;
  ASSERT_GT(whole.at("decide"), 5U);
  for (uint64_t k = 1; k < whole.at("decide"); ++k) {
    InMemoryFileSystem files;
    for (const auto& [path, content] : inputs.Files()) files.Put(path, content);
    ASSERT_FALSE(Run(files, setting, {k, "decide"}));
    const auto checkpoint = ReadCheckpoint(files, "/out/.partial/checkpoint");
    ASSERT_TRUE(checkpoint.has_value() && checkpoint->decided.has_value()) << k;
    EXPECT_GE(checkpoint->decided->batches, k);
    ExpectResumes(files, setting, expected, "decided " + std::to_string(k));
    EXPECT_EQ(advances_of_last_run.count("shingle sets"), 0U);
  }
}

// Batches are others with other memory, and the first ones again afterwards.
TEST_F(DedupResume, SlowOtherMemoryInBetweenChangesNoByte) {
  InMemoryFileSystem inputs;
  PutInputs(inputs, 10, 15);
  const Setting setting{.options = EveryBlock()};
  Setting other = Resuming(setting);
  other.tuning.memory = {.scratch = 0, .work = 17000};
  const Contents expected = Undisturbed(inputs, setting);
  for (uint64_t k = 1 + advances_of_last_run.at("sketch");; k += 3) {
    InMemoryFileSystem files;
    for (const auto& [path, content] : inputs.Files()) files.Put(path, content);
    if (Run(files, setting, k)) break;
    // Once with places of its own, once stopped before it has one.
    for (const double every : {0, 60}) {
      other.options.checkpoint_every = every;
      if (Run(files, other, {2, "shingle sets"})) break;
      ASSERT_FALSE(Run(files, Resuming(setting), {1, "shingle sets"}).has_value());
    }
    if (files.Files().contains("/out/report.json")) continue;
    ExpectResumes(files, setting, expected, "other memory after " + std::to_string(k));
  }
}

// ---- faults

// The parameter: nothing works any more, as after kill -9.
class DedupResumeFaults : public DedupResume, public testing::WithParamInterface<bool> {};

TEST_P(DedupResumeFaults, SlowGivesTheSameBytesWhicheverFileOperationFailed) {
  InMemoryFileSystem inputs;
  inputs.Put("/in/a.jsonl", ToJsonLines(CorpusMaker(6).Corpus(3)));
  inputs.Put("/in/b.jsonl", ToJsonLines(CorpusMaker(7).Corpus(2)) + "broken\n");
  for (const DedupMode mode : {DedupMode::kNear, DedupMode::kExact}) {
    Setting setting{.options = EveryBlock()};
    setting.options.mode = mode;
    const Contents expected = Undisturbed(inputs, setting);
    for (uint64_t n = 1;; ++n) {
      InMemoryFileSystem files;
      for (const auto& [path, content] : inputs.Files()) files.Put(path, content);
      FaultyFileSystem faulty(
          files, {.at = n, .error = {ErrorCode::kExhausted, "disk full"}, .lasting = GetParam()});
      const auto report = Run(faulty, setting);
      if (!faulty.fired()) break;
      if (report) continue;  // tidying, when everything is in place
      if (files.Files().contains("/out/report.json")) continue;
      ExpectResumes(files, setting, expected, "operation " + std::to_string(n));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OnceAndLasting, DedupResumeFaults, testing::Bool());

// ---- what may differ, and what may not

class DedupResumeChanges : public DedupResume {
 protected:
  void SetUp() override {
    PutInputs(files_, 8, 15);
    expected_ = Undisturbed(files_, setting_);
  }

  void StopInFirstPass(uint64_t advances = 5) {
    const auto report = Run(files_, setting_, advances);
    ASSERT_FALSE(report.has_value());
    ASSERT_TRUE(files_.Files().contains("/out/.partial/checkpoint"));
  }

  Error Refusal(const Setting& setting) {
    const auto before = files_.Files();
    const auto report = Run(files_, setting);
    EXPECT_FALSE(report.has_value());
    EXPECT_EQ(files_.Files(), before);  // it can still be continued
    return report ? Error() : report.error();
  }

  InMemoryFileSystem files_;
  Setting setting_{.options = EveryBlock()};
  Contents expected_;
};

TEST_F(DedupResumeChanges, AnInterruptedRunIsNotThrownAwaySilently) {
  StopInFirstPass();
  const Error error = Refusal(setting_);
  EXPECT_EQ(error.code, ErrorCode::kConflict);
  EXPECT_EQ(error.advice, (std::vector{Advice::kResume, Advice::kStartOver}));
  Setting overwriting = setting_;
  overwriting.options.overwrite = true;
  ASSERT_TRUE(Run(files_, overwriting).has_value());
  EXPECT_EQ(OutputsOf(files_), expected_);
}

TEST_F(DedupResumeChanges, WithoutACheckpointARunStartsFromTheBeginningAndSaysSo) {
  WarningList warnings;
  const auto report = Run(files_, Resuming(setting_), {}, warnings);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->resumes, 0U);
  EXPECT_NE(warnings.text().find("from the beginning"), std::string::npos);
  EXPECT_EQ(OutputsOf(files_), expected_);
}

TEST_F(DedupResumeChanges, AFinishedRunHasNothingToContinue) {
  ASSERT_TRUE(Run(files_, setting_).has_value());
  const Error error = Refusal(Resuming(setting_));
  EXPECT_EQ(error.code, ErrorCode::kConflict);
  EXPECT_NE(error.message.find("finished"), std::string::npos);
}

TEST_F(DedupResumeChanges, ResumeAndOverwriteExcludeEachOther) {
  StopInFirstPass();
  Setting both = Resuming(setting_);
  both.options.overwrite = true;
  EXPECT_EQ(Refusal(both).code, ErrorCode::kInvalidArgument);
}

TEST_F(DedupResumeChanges, TheFirstParameterThatDiffersIsNamed) {
  files_.Put("/in/z.csv", "id,text\nz,不见天日\n");  // separators are of CSV
  expected_ = Undisturbed(files_, setting_);
  StopInFirstPass();
  using Change = void (*)(DedupOptions&);
  const std::vector<std::pair<std::string, Change>> changes = {
      {"with mode near, not with mode exact", [](DedupOptions& o) { o.mode = DedupMode::kExact; }},
      {"candidates", [](DedupOptions& o) { o.candidates = CandidateSource::kExact; }},
      {"channel", [](DedupOptions& o) { o.channel = ExactChannel(); }},
      {"with threshold 0.8, not with threshold 0.9", [](DedupOptions& o) { o.threshold = 0.9; }},
      {"keep", [](DedupOptions& o) { o.keep = "shortest"; }},
      {"text_fields",
       [](DedupOptions& o) {
         o.text_fields = {"text", "id"};
       }},
      {"without id_field, not with id_field id", [](DedupOptions& o) { o.id_field = "id"; }},
      {"max_bucket_kept", [](DedupOptions& o) { o.max_bucket_kept = 7; }},
      {"group_by", [](DedupOptions& o) { o.group_by = "id"; }},
      {"key", [](DedupOptions& o) { o.key = "id"; }},
      {"within",
       [](DedupOptions& o) {
         o.within = {"id", 7};
       }},
      {"audit", [](DedupOptions& o) { o.audit = 0; }},
      {"format", [](DedupOptions& o) { o.format = DocumentFormat::kJsonLines; }},
      {"separator", [](DedupOptions& o) { o.syntax.separator = ';'; }},
      {"encoding", [](DedupOptions& o) { o.syntax.encoding = TextEncoding::kUtf8; }},
      {"mark", [](DedupOptions& o) { o.mark = "dup"; }},
      {"mark_keeper",
       [](DedupOptions& o) {
         o.mark = "dup";
         o.mark_keeper = "of";
       }},
      {"add_cluster_size", [](DedupOptions& o) { o.add_cluster_size = true; }},
      {"scratch", [](DedupOptions& o) { o.scratch = "/scratch"; }},
  };
  for (const auto& [part, change] : changes) {
    Setting changed = Resuming(setting_);
    change(changed.options);
    const Error error = Refusal(changed);
    EXPECT_EQ(error.code, ErrorCode::kConflict) << part;
    EXPECT_NE(error.message.find(part), std::string::npos) << error.message;
  }
  ExpectResumes(files_, setting_, expected_, "after the refusals");
}

TEST_F(DedupResumeChanges, MemoryThreadsAndPatienceMayDiffer) {
  StopInFirstPass();
  Setting changed = setting_;
  changed.tuning.memory = {1 << 20, 1 << 20};
  changed.threads = 3;
  changed.options.memory_bytes = kLeastDedupMemory;
  changed.options.skip_bad_files = true;
  changed.options.max_failed = {7, 0.5};
  changed.options.unique_ids = false;
  changed.options.checkpoint_every = 60;
  ExpectResumes(files_, changed, expected_, "changed");
}

TEST_F(DedupResumeChanges, OtherInputsAreRefusedByName) {
  StopInFirstPass();
  Setting one = Resuming(setting_);
  one.options.inputs = {"/in/a.jsonl"};
  EXPECT_EQ(Refusal(one).code, ErrorCode::kConflict);
  files_.Put("/in/bb.jsonl", "{\"text\":\"天地玄黄\"}\n");
  const Error more = Refusal(Resuming(setting_));
  EXPECT_EQ(more.code, ErrorCode::kConflict);
  EXPECT_NE(more.message.find("bb.jsonl"), std::string::npos) << more.message;
}

TEST_F(DedupResumeChanges, AChangedFileThatWasReadIsRefusedByName) {
  StopInFirstPass(12);  // in d.jsonl
  files_.Put("/in/c.jsonl", files_.Files().at("/in/c.jsonl"));
  const Error error = Refusal(Resuming(setting_));
  EXPECT_EQ(error.code, ErrorCode::kConflict);
  EXPECT_NE(error.message.find("c.jsonl"), std::string::npos) << error.message;
}

TEST_F(DedupResumeChanges, AnyChangedFileIsRefusedAfterTheFirstPass) {
  uint64_t advances = 1;
  while (!files_.Files().contains("/out/.partial/scratch/sets")) {
    ASSERT_FALSE(Run(files_, Resuming(setting_), advances++).has_value());
  }
  files_.Put("/in/e.jsonl", "");
  EXPECT_EQ(Refusal(Resuming(setting_)).code, ErrorCode::kConflict);
}

// So that replacing it costs that file alone, however seldom checkpoints are made.
TEST_F(DedupResumeChanges, APlaceAtTheBeginningOfAFileFollowsOneInTheMiddle) {
  const TickingClock clock;
  setting_.clock = &clock;
  setting_.options.checkpoint_every = 5;
  uint64_t found = 0;
  for (uint64_t advances = 1; advances <= 25; ++advances) {
    InMemoryFileSystem files;
    PutInputs(files, 8, 15);
    if (Run(files, setting_, {advances, "sketch"})) break;
    const auto checkpoint = ReadCheckpoint(files, "/out/.partial/checkpoint");
    ASSERT_TRUE(checkpoint.has_value());
    EXPECT_EQ(checkpoint->file_start.progress.offset, 0U);
    if (checkpoint->sketch.progress.file < 3) continue;
    ++found;
    EXPECT_GE(checkpoint->file_start.progress.file, 2U) << advances;
    ExpectResumes(files, setting_, expected_, "ticks " + std::to_string(advances));
  }
  EXPECT_GT(found, 3U);
}

// The file in whose middle the run stopped, and the ones behind it.
TEST_F(DedupResumeChanges, SlowFilesThatWereNotReadToTheEndMayBeReplaced) {
  for (uint64_t advances = 1; advances <= 12; ++advances) {
    InMemoryFileSystem files;
    PutInputs(files, 8, 15);
    const std::string right = files.Files().at("/in/d.jsonl");
    files.Put("/in/d.jsonl", ToJsonLines(CorpusMaker(99).Corpus(20)));
    ASSERT_FALSE(Run(files, setting_, advances).has_value());
    files.Put("/in/d.jsonl", right);
    ExpectResumes(files, setting_, expected_, std::to_string(advances));
  }
}

TEST_F(DedupResumeChanges, ATruncatedFileIsReplacedAndTheRunContinued) {
  const std::string path = "/in/d.jsonl.zst";
  // A frame that lacks its end.
  constexpr std::string_view kBroken(
      "\x28\xb5\x2f\xfd\x04\x58\x01\x00\x00{\"text\":\"\xe5\xa4\xa9\"}\n", 24);
  files_.Put(path, std::string(kBroken));
  WarningList warnings;
  const auto report = Run(files_, setting_, {}, warnings);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kUnreadable);
  EXPECT_TRUE(report.error().advises(Advice::kResume)) << report.error().message;
  files_.Put(path, std::string());  // an empty file has no records
  const auto continued = Run(files_, Resuming(setting_));
  ASSERT_TRUE(continued.has_value()) << continued.error().message;
  Contents outputs = OutputsOf(files_);
  outputs.erase("/out/kept/d.jsonl.zst");
  for (const auto& [name, content] : expected_) EXPECT_TRUE(outputs.at(name) == content) << name;
}

TEST_F(DedupResumeChanges, ABadFileStaysSkippedAfterAnInterruption) {
  files_.Put("/in/c.jsonl.zst", "\x28\xb5\x2f\xfd\x04");
  setting_.options.skip_bad_files = true;
  expected_ = Undisturbed(files_, setting_);
  ASSERT_NE(expected_.at("/out/report.json").find("c.jsonl.zst"), std::string::npos);
  for (uint64_t advances = 1; advances < 25; advances += 2) {
    InMemoryFileSystem files;
    for (const auto& [path, content] : files_.Files()) files.Put(path, content);
    ASSERT_FALSE(Run(files, setting_, advances).has_value());
    ExpectResumes(files, setting_, expected_, std::to_string(advances));
  }
}

TEST_F(DedupResumeChanges, StandardInputIsNotReadAgain) {
  const std::string text = files_.Files().at("/in/a.jsonl");
  setting_.options.inputs = {"/in/d.jsonl", "-"};
  StoredInput input(text);
  InMemoryFileSystem other;
  for (const auto& [path, content] : files_.Files()) other.Put(path, content);
  ASSERT_TRUE(Run(other, setting_, {}, NoLog(), &input).has_value());
  ASSERT_FALSE(Run(files_, setting_, 12, NoLog(), &input).has_value());
  ExpectResumes(files_, setting_, OutputsOf(other), "standard input");
}

TEST_F(DedupResumeChanges, AScratchFolderIsSharedByRunsAndLeftEmpty) {
  setting_.options.scratch = "/scratch";
  files_.Put("/scratch/mine.txt", "mine");
  ASSERT_FALSE(Run(files_, setting_, 9).has_value());
  EXPECT_FALSE(files_.Files().contains("/out/.partial/scratch/documents"));
  setting_.options.scratch = "";  // it is known
  ExpectResumes(files_, setting_, expected_, "scratch");
  for (const auto& [path, content] : files_.Files()) {
    EXPECT_TRUE(!path.starts_with("/scratch/") || path == "/scratch/mine.txt") << path;
  }
}

TEST_F(DedupResumeChanges, ReplacingARunTakesItsScratchAway) {
  setting_.options.scratch = "/scratch";
  ASSERT_FALSE(Run(files_, setting_, 9).has_value());
  setting_.options.scratch = "";
  setting_.options.overwrite = true;
  ASSERT_TRUE(Run(files_, setting_).has_value());
  for (const auto& [path, content] : files_.Files()) EXPECT_FALSE(path.starts_with("/scratch/"));
}

TEST_F(DedupResumeChanges, AMistakeOfTheCommandLeavesNothingToContinue) {
  setting_.options.id_field = "url";
  EXPECT_EQ(Run(files_, setting_).error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(files_.Files().contains("/out/.partial/checkpoint"));
}

// ---- the file itself

TEST_F(DedupResumeChanges, AFlippedBitAnywhereInTheCheckpointIsFound) {
  StopInFirstPass();
  const std::string path = "/out/.partial/checkpoint";
  const std::string right = files_.Files().at(path);
  for (size_t i = 0; i < right.size(); ++i) {
    const auto decoded = DecodeCheckpoint(path, WithBitFlipped(right, 8 * i + i % 8));
    ASSERT_FALSE(decoded.has_value()) << i;
    EXPECT_EQ(decoded.error().code, ErrorCode::kUnreadable);
  }
  for (size_t size = 0; size < right.size(); ++size) {
    EXPECT_FALSE(DecodeCheckpoint(path, right.substr(0, size)).has_value()) << size;
  }
}

TEST_F(DedupResumeChanges, ACheckpointOfAnotherVersionIsAConflict) {
  StopInFirstPass();
  const std::string path = "/out/.partial/checkpoint";
  std::string other = files_.Files().at(path);
  constexpr uint64_t kOtherVersion = 77;
  other[4] = kOtherVersion;
  const uint64_t checksum = HashBytes64(std::string_view(other).substr(24), kOtherVersion);
  for (int i = 0; i < 8; ++i) other[16 + i] = static_cast<char>(checksum >> (8 * i));
  files_.Put(path, other);
  EXPECT_EQ(Refusal(Resuming(setting_)).code, ErrorCode::kConflict);
  Checkpoint older = ReadCheckpoint(files_, path).value_or(Checkpoint());
  older.program = "0.0.1";
  files_.Put(path, EncodeCheckpoint(older));
  const Error error = Refusal(Resuming(setting_));
  EXPECT_EQ(error.code, ErrorCode::kConflict);
  EXPECT_NE(error.message.find("0.0.1"), std::string::npos) << error.message;
}

TEST(CheckpointFormat, GivesBackEveryField) {
  SketchMark sketch;
  sketch.progress.file = 3;
  sketch.progress.offset = 1ULL << 40;
  sketch.progress.records = 5;
  sketch.progress.totals = {.records = 1,
                            .documents = 2,
                            .empty = 3,
                            .text_bytes = 4,
                            .stream_bytes = 5,
                            .blank_bytes = 6,
                            .failed_bytes = 7,
                            .ids = 8,
                            .grouped = 32,
                            .keyed = 35,
                            .dated = 36,
                            .found_texts = {33, 34},
                            .missing_values = {9, 10},
                            .failed_by_reason = {11}};
  sketch.progress.bad_files = {{2, "torn"}};
  sketch.spools = {{12, 13}, {14, 15}};
  const Checkpoint given{.program = "0.1.0",
                         .parameters = {{"mode", "near"}, {"mark", ""}},
                         .inputs = {{"a", "b", {1, -2, 3, 4}}},
                         .scratch = "/s",
                         .standard_input = 32,
                         .max_record_bytes = 16,
                         .resumes = 17,
                         .sketch = sketch,
                         .file_start = {},
                         .sketched = true,
                         .work_memory = 18,
                         .sets = SetMark{19, {20, 21}, {30, 31}, {22, 23}},
                         .decided = DecideMark{24, 25, 26, 27, {28, 29}}};
  const std::string bytes = EncodeCheckpoint(given);
  const auto back = DecodeCheckpoint("checkpoint", bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->parameters, given.parameters);
  EXPECT_EQ(back->inputs.at(0).identity, given.inputs.at(0).identity);
  EXPECT_EQ(back->sketch.progress.bad_files.at(0).message, "torn");
  EXPECT_EQ(back->sketch.spools, sketch.spools);
  EXPECT_EQ(back->sets->large, given.sets->large);
  EXPECT_EQ(back->decided->overlaps, given.decided->overlaps);
  EXPECT_EQ(EncodeCheckpoint(*back), bytes);  // all others
}

}  // namespace
}  // namespace zhiwen
