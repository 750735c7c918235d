// Runs that are ended by kill -9 at random instants of every stage, and continued, perhaps to be
// killed again: the bytes are those of an undisturbed run. One kill a stage; ZW_KILLS=N: so many.
// ZW_SEED=N chooses other instants; the seed is printed.
//
//   ZW_KILLS=100 build/release/bin/pipeline_test --gtest_filter='*DedupKills*'

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/compress/frame_compressor.h"
#include "base/utf8/transcoder.h"
#include "pipeline/dedup/made_corpus_test_support.h"
#include "pipeline/dedup/run.h"
#include "pipeline/dedup/run_test_support.h"
#include "support/temporary_folder.h"

#if __has_include(<arrow/type.h>)
#include <arrow/type.h>

#include "pipeline/columnar/parquet_test_support.h"
#endif

namespace zhiwen {
namespace {

namespace fs = std::filesystem;

// When a process is to be killed.
struct Instant {
  size_t stage = SIZE_MAX;           // never
  std::chrono::nanoseconds after{};  // it has begun
};

// What a child process says to its parent, in memory that both have.
struct Shared {
  std::atomic<uint32_t> stages = 0;  // that ended
  char message[1024] = {};           // of the error
};

// Ends this process as kill -9 does, when the time has passed, whatever it does then.
void KillAfter(std::chrono::nanoseconds time) {
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  timer_t timer = {};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) _exit(99);
  const int64_t least = std::max<int64_t>(time.count(), 1);  // 0 would disarm it
  const itimerspec at = {
      .it_interval = {},
      .it_value = {.tv_sec = least / 1'000'000'000, .tv_nsec = least % 1'000'000'000}};
  if (timer_settime(timer, 0, &at, nullptr) != 0) _exit(99);
}

// Counts the ends of stages, and starts the killing: StageClock alone asks for the time of the
// processor, when it is made and then once a stage.
class StageCounter final : public Clock {
 public:
  StageCounter(Shared& shared, const Instant& instant) : shared_(shared), instant_(instant) {}
  std::chrono::nanoseconds Monotonic() const override { return SystemClock().Monotonic(); }
  std::chrono::nanoseconds ProcessorTime() const override {
    if (made_.exchange(true)) ++shared_.stages;
    if (shared_.stages == instant_.stage) KillAfter(instant_.after);
    return SystemClock().ProcessorTime();
  }
  std::chrono::sys_seconds Now() const override { return SystemClock().Now(); }

 private:
  Shared& shared_;
  const Instant instant_;
  mutable std::atomic<bool> made_ = false;
};

struct KillCase {
  std::string name;
  DedupOptions options = {};
  void (*change_plan)(Plan&) = [](Plan&) {};
};

std::vector<KillCase> MakeKillCases() {
  std::vector<KillCase> cases = {{"near"}, {"contained"}, {"exact"}, {"against"}, {"join"}};
  cases[0].change_plan = WithLargeTexts;
  cases[1].options.mode = DedupMode::kContained;
  cases[2].options.mode = DedupMode::kExact;
  cases[2].options.mark = "dup";
  cases[3].options.against_rule = ReferenceRule::kContains;
  cases[4].options.candidates = CandidateSource::kExact;
  for (KillCase& one : cases) {
    one.options.checkpoint_every = 0;
    one.options.max_failed = {100, 1, 1};
  }
  return cases;
}

std::string ToCsv(const std::vector<SlowDocument>& documents) {
  std::string csv = "id,text\n";
  for (const SlowDocument& document : documents) {
    csv += document.id + ",\"" + document.text + "\"\n";
  }
  return csv;
}

std::string Compressed(Compression compression, const std::string& bytes) {
  std::string out;
  EXPECT_TRUE(FrameCompressor::Create(compression)->Compress(bytes, out));
  return out;
}

#if __has_include(<arrow/type.h>)
std::string ToParquet(const std::vector<SlowDocument>& documents) {
  std::string ids = "[", texts = "[";
  for (const SlowDocument& document : documents) {
    const std::string comma = ids.size() == 1 ? "" : ",";
    ids += comma + "\"" + document.id + "\"";
    texts += comma + "\"" + document.text + "\"";
  }
  return ParquetBytes(
      *MakeTable({{"id", arrow::utf8(), ids + "]"}, {"text", arrow::utf8(), texts + "]"}}),
      {.rows_per_group = 50});
}
#endif

// Everything below `folder` but what may differ between runs.
Contents OutputsOf(const std::string& folder) {
  Contents outputs;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (entry.is_directory() || name == ".lock" || name == "report.html") continue;
    if (name.starts_with(".partial/")) continue;
    std::ostringstream content;
    content << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    outputs[name] = content.str();
    if (name == "report.json") outputs[name].resize(outputs[name].find("\"run\""));
  }
  return outputs;
}

uint64_t NumberFrom(const char* variable, uint64_t otherwise) {
  const char* const given = std::getenv(variable);
  return given == nullptr || *given == '\0' ? otherwise : std::strtoull(given, nullptr, 10);
}

class DedupKills : public testing::TestWithParam<size_t> {
 protected:
  DedupKills() {
    void* const memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared_ = new (memory) Shared();
  }
  ~DedupKills() override { munmap(shared_, sizeof(Shared)); }

  void SetUp() override {
    fs::create_directory(folder_ / "in");
    const auto put = [&](const std::string& name, const std::string& bytes) {
      std::ofstream(folder_ / name, std::ios::binary) << bytes;
    };
    const std::string lines = ToJsonLines(CorpusMaker(1).Corpus(40));
    put("in/a.jsonl", lines + "broken\n");
    put("in/b.jsonl.gz", Compressed(Compression::kGzip, ToJsonLines(CorpusMaker(2).Corpus(30))));
    put("in/c.jsonl.zst", Compressed(Compression::kZstd, lines));
    put("in/d.csv", ToCsv(CorpusMaker(1).Corpus(30)));
#if __has_include(<arrow/type.h>)
    put("in/e.parquet", ToParquet(CorpusMaker(2).Corpus(30)));
#endif
    std::string array = "[" + ToJsonLines(CorpusMaker(3).Corpus(20));
    array.back() = ']';
    for (size_t at = 0; (at = array.find("\n{", at)) != std::string::npos; ++at) array[at] = ',';
    put("in/f.json", array);
    put("in/g.csv",
        "\xFF\xFE" + EncodeText(ToCsv(CorpusMaker(3).Corpus(20)), TextEncoding::kUtf16Le).value());
    put("references.jsonl", ToJsonLines(CorpusMaker(2).Corpus(3)));
    given_.options.inputs = {folder_ / "in"};
    given_.options.output = folder_ / "out";
    if (given_.name == "against") given_.options.against = {folder_ / "references.jsonl"};
    const auto undisturbed = Run(given_.options, {});
    ASSERT_TRUE(undisturbed.has_value()) << undisturbed.error().message;
    ASSERT_GT(undisturbed->removed_total(), 20U);
    stages_ = undisturbed->stages;
    stages_.push_back({.name = "publish", .wall_seconds = 0.002, .cpu_seconds = 0, .bytes = 0});
    expected_ = OutputsOf(folder_ / "out");
    ASSERT_GE(expected_.size(), 8U);
  }

  Result<DedupReport> Run(const DedupOptions& options, const Instant& instant) {
    shared_->stages = 0;
    const StageCounter clock(*shared_, instant);
    const auto executor = MakeThreadPool(2);
    const Cancellation cancellation;
    return RunDedup(options,
                    {.memory = MemoryPlan{.scratch = 0, .work = 20000},
                     .block_bytes = 3000,
                     .change_plan = given_.change_plan},
                    {PosixFileSystem(), *executor, clock, NoProgress(), NoLog(), cancellation});
  }

  enum class Kind : uint8_t { kNew, kContinued };

  // Runs in a process of its own; its exit status, or −1 when it was killed.
  int RunInChild(Kind kind, const Instant& instant) {
    DedupOptions options = given_.options;
    options.resume = kind == Kind::kContinued;
    shared_->stages = 0;
    shared_->message[0] = '\0';
    const pid_t child = fork();
    if (child == 0) {
      const auto report = Run(options, instant);
      if (!report) {
        std::strncpy(shared_->message, report.error().message.c_str(), sizeof(Shared::message) - 1);
      }
      _exit(report ? 0 : 1 + static_cast<int>(report.error().code));
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // Begins a run, or continues one, and kills it some time after `stage` has begun. The stage in
  // which it died, or the number of stages when it ended before.
  size_t KillIn(size_t stage, Kind kind) {
    double& seconds = stages_[stage].wall_seconds;
    const double after = std::uniform_real_distribution<double>(0, seconds * 1.1)(random_);
    const int status = RunInChild(
        kind, {stage, std::chrono::nanoseconds(static_cast<int64_t>(after * 1'000'000'000))});
    EXPECT_LE(status, 0) << shared_->message;
    const size_t died_in = status == 0 ? stages_.size() : size_t{shared_->stages};
    if (died_in > stage && kind == Kind::kNew) seconds *= 0.8;  // it is shorter now
    return died_in;
  }

  // Continues until the run ends, and is killed on the way now and then.
  void Finish(const std::string& where) {
    for (int again = 0; again < 2 && random_() % 3 == 0 && !IsFinished(); ++again) {
      KillIn(random_() % stages_.size(), Kind::kContinued);
      ++killed_again_;
    }
    if (!IsFinished()) {
      ASSERT_EQ(RunInChild(Kind::kContinued, {}), 0) << where << ": " << shared_->message;
      ASSERT_FALSE(fs::exists(folder_ / "out/.partial")) << where;
    }
    ASSERT_TRUE(OutputsOf(folder_ / "out") == expected_) << where;
  }

  // Nothing is left to do but tidying.
  bool IsFinished() {
    return fs::exists(folder_ / "out/report.json") &&
           !fs::exists(folder_ / "out/.partial/checkpoint");
  }

  TemporaryFolder folder_;
  KillCase given_ = MakeKillCases()[GetParam()];
  std::mt19937_64 random_;
  Shared* shared_ = nullptr;
  std::vector<StageTime> stages_;  // and the publishing behind them
  Contents expected_;
  uint64_t killed_again_ = 0;
};

TEST_P(DedupKills, SlowAtRandomInstantsOfEveryStageChangeNoByte) {
  const uint64_t seed = NumberFrom("ZW_SEED", 1);
  const uint64_t wanted = NumberFrom("ZW_KILLS", 1);
  random_.seed(seed);
  const auto began = std::chrono::steady_clock::now();
  std::vector<uint64_t> killed(stages_.size() + 1);
  for (size_t stage = 0; stage < stages_.size(); ++stage) {
    for (uint64_t tries = 0; killed[stage] < wanted && tries < 4 * wanted + 8; ++tries) {
      fs::remove_all(folder_ / "out");
      const size_t died_in = KillIn(stage, Kind::kNew);
      ++killed[died_in];
      const std::string where = given_.name + ", killed in " +
                                (died_in == stages_.size() ? "none" : stages_[died_in].name);
      Finish(where);
      ASSERT_FALSE(HasFatalFailure()) << where << ", seed " << seed;
    }
  }
  std::string landed;
  uint64_t all = 0;
  for (size_t stage = 0; stage < stages_.size(); ++stage) {
    landed += " " + stages_[stage].name + " " + std::to_string(killed[stage]) + ",";
    all += killed[stage];
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::cout << given_.name << ", seed " << seed << ": killed in" << landed << " again "
            << killed_again_ << ", not at all " << killed.back() << ", " << took.count() << " s\n";
  EXPECT_GE(all, stages_.size() * wanted * 3 / 4);
}

INSTANTIATE_TEST_SUITE_P(EveryKindOfRun, DedupKills, testing::Range(size_t{0}, size_t{5}),
                         [](const auto& given) { return MakeKillCases()[given.param].name; });

}  // namespace
}  // namespace zhiwen
