#include "pipeline/dedup/forecast/forecast.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "base/compress/frame_compressor.h"
#include "pipeline/dedup/made_corpus_test_support.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

// Counts the bytes that are read, and fails whatever would change a file.
class CountingFiles final : public FileSystem {
 public:
  explicit CountingFiles(FileSystem& below) : below_(below) {}
  uint64_t bytes_read() const { return *bytes_; }
  std::optional<uint64_t> free_bytes;

  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, below_.OpenForRead(path));
    return std::make_unique<Reader>(std::move(file), bytes_);
  }
  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path) override {
    return Refuse(path);
  }
  Result<std::unique_ptr<WritableFile>> OpenForAppend(const std::string& path, uint64_t) override {
    return Refuse(path);
  }
  Status CreateDirectories(const std::string& path) override { return Refuse(path); }
  Result<bool> IsDirectory(const std::string& path) override { return below_.IsDirectory(path); }
  Result<bool> Exists(const std::string& path) override { return below_.Exists(path); }
  Result<std::vector<DirectoryEntry>> List(const std::string& path) override {
    return below_.List(path);
  }
  Status Rename(const std::string& from, const std::string&) override { return Refuse(from); }
  Result<bool> Link(const std::string&, const std::string& to) override { return Refuse(to); }
  Status RemoveFile(const std::string& path) override { return Refuse(path); }
  Status RemoveAll(const std::string& path) override { return Refuse(path); }
  Status SyncDirectory(const std::string& path) override { return Refuse(path); }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override { return Refuse(path); }
  Result<uint64_t> FreeBytes(const std::string& path) override {
    if (free_bytes) return *free_bytes;
    return below_.FreeBytes(path);
  }
  Status CheckUnlocked(const std::string& path) override { return below_.CheckUnlocked(path); }
  // By first character: "/in" and "/out" are on one disk, "s" on another one.
  Result<uint64_t> DeviceOf(const std::string& path) override {
    return static_cast<unsigned char>(path.front());
  }

 private:
  class Reader final : public ReadableFile {
   public:
    Reader(std::unique_ptr<ReadableFile> file, std::shared_ptr<std::atomic<uint64_t>> bytes)
        : file_(std::move(file)), bytes_(std::move(bytes)) {}
    Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
      auto read = file_->ReadAt(offset, out);
      if (read) *bytes_ += *read;
      return read;
    }
    Result<FileIdentity> Identity() const override { return file_->Identity(); }
    const std::string& path() const override { return file_->path(); }

   private:
    std::unique_ptr<ReadableFile> file_;
    std::shared_ptr<std::atomic<uint64_t>> bytes_;
  };

  static tl::unexpected<Error> Refuse(const std::string& path) {
    ADD_FAILURE() << "would have changed " << path;
    return Fail(ErrorCode::kInternal, "would have changed " + path);
  }

  FileSystem& below_;
  std::shared_ptr<std::atomic<uint64_t>> bytes_ = std::make_shared<std::atomic<uint64_t>>(0);
};

// Texts of one length, of which every fourth is an edited copy of one before it, anywhere.
std::vector<SlowDocument> ManyTexts(size_t count) {
  CorpusMaker maker(9);
  std::vector<Characters> originals;
  std::vector<SlowDocument> documents;
  for (size_t i = 0; i < count; ++i) {
    const bool is_copy = i % 4 == 3;
    if (!is_copy) originals.push_back(maker.Fresh(60));
    const Characters& original =
        is_copy ? originals[maker.Below(originals.size())] : originals.back();
    documents.push_back({"d" + std::to_string(i), Join(maker.Edited(original, is_copy ? 1 : 0))});
  }
  return documents;
}

class NotingLog final : public LogSink {
 public:
  void Warn(std::string_view message) override { warnings.emplace_back(message); }
  std::vector<std::string> warnings;
};

class ForecastTest : public testing::Test {
 protected:
  ForecastTest() {
    options_.inputs = {"/in"};
    options_.memory_bytes = kLeastDedupMemory;
  }

  Result<DedupForecast> Plan(const ForecastTuning& tuning = {}) {
    return RunForecast(options_, tuning,
                       {counted_, *executor_, SystemClock(), NoProgress(), log_, cancellation_});
  }

  // What is planned from a part of the inputs holds what the run does.
  void ExpectInRange() {
    const auto plan = Plan(
        {.sample = SampleOptions{.bytes = 300000, .stretch_bytes = 6000}, .block_bytes = 3000});
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    const auto report = Run();
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_FALSE(plan->is_whole);
    const auto removed = static_cast<double>(report->removed_total());
    EXPECT_NEAR(plan->removed.value, removed, removed / 4);
    EXPECT_LE(plan->removed.low, removed);
    EXPECT_GE(plan->removed.high, removed);
    EXPECT_NEAR(static_cast<double>(plan->kept_bytes), static_cast<double>(report->kept_bytes),
                static_cast<double>(report->input_bytes) / 10);
  }

  Result<DedupReport> Run() {
    DedupOptions options = options_;
    options.output = "/out";
    options.overwrite = true;
    return Dedup(options, {files_, *executor_, SystemClock(), NoProgress(), log_, cancellation_});
  }

  // What is planned of everything is what the run does.
  void ExpectExact() {
    const auto plan = Plan();
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    const auto report = Run();
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_TRUE(plan->is_whole);
    EXPECT_EQ(plan->sample_share, 1);
    for (const ForecastRange* range : {&plan->documents, &plan->removed, &plan->candidate_pairs}) {
      EXPECT_EQ(range->low, range->value);
      EXPECT_EQ(range->high, range->value);
    }
    EXPECT_EQ(plan->documents.value, static_cast<double>(report->documents));
    EXPECT_EQ(plan->removed.value, static_cast<double>(report->removed_total()));
    EXPECT_EQ(plan->candidate_pairs.value, static_cast<double>(report->candidate_pairs));
    EXPECT_TRUE(plan->notes.empty());
    EXPECT_EQ(plan->text_bytes, report->text_bytes);
    EXPECT_EQ(plan->input_bytes, report->input_bytes);
    EXPECT_EQ(plan->scratch_bytes, report->scratch_bytes);
    EXPECT_EQ(plan->kept_bytes, report->kept_bytes);
    EXPECT_TRUE(plan->succeeds());
    EXPECT_TRUE(files_.RemoveAll("/out").has_value());
  }

  // Of references that do not fit in the memory a plan says so, and what the run would do without.
  void ExpectTooLarge(int references) {
    files_.Put("/in/a.jsonl", ToJsonLines(ManyTexts(100)));
    const auto without = Plan();
    ASSERT_TRUE(without.has_value());
    const std::string text = Join(CorpusMaker(3).Fresh(50000));
    std::string lines;
    for (int i = 0; i < references; ++i) lines += "{\"text\":\"" + text + "\"}\n";
    files_.Put("/ref/r.jsonl", lines);
    options_.against = {"/ref/r.jsonl"};
    options_.against_rule = ReferenceRule::kContainedIn;
    const auto plan = Plan();
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    EXPECT_EQ(plan->documents.value, 100);
    EXPECT_EQ(plan->removed.value, without->removed.value);
    EXPECT_FALSE(plan->against.has_value());
    ASSERT_EQ(plan->problems.size(), 1U);
    EXPECT_EQ(plan->problems.front().code, ErrorCode::kExhausted);
    EXPECT_EQ(plan->problems.front().advice, std::vector{Advice::kGiveMemory});
    ASSERT_EQ(plan->notes.size(), 1U);
    EXPECT_NE(plan->notes.front().find("without them"), std::string::npos);
    EXPECT_EQ(Run().error().code, ErrorCode::kExhausted);
    options_.memory_bytes = plan->least_memory_bytes;
    const auto enough = Plan();
    ASSERT_TRUE(enough.has_value());
    EXPECT_TRUE(enough->succeeds());
    EXPECT_TRUE(enough->against.has_value());
  }

  InMemoryFileSystem files_;
  CountingFiles counted_{files_};
  NotingLog log_;
  const std::unique_ptr<Executor> executor_ = MakeInlineExecutor();
  Cancellation cancellation_;
  DedupOptions options_;
};

TEST_F(ForecastTest, OfASmallInputIsWhatTheRunDoes) {
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    files_.Put("/in/a.jsonl", ToJsonLines(CorpusMaker(seed).Corpus(120)));
    files_.Put("/in/b.jsonl", ToJsonLines(CorpusMaker(seed + 1).Corpus(40)));
    ExpectExact();
  }
}

TEST_F(ForecastTest, IsExactInEveryMode) {
  files_.Put("/in/a.jsonl", ToJsonLines(CorpusMaker(4).Corpus(120)));
  options_.mode = DedupMode::kExact;
  ExpectExact();
  options_.mode = DedupMode::kContained;
  ExpectExact();
  options_.mode = DedupMode::kNear;
  options_.candidates = CandidateSource::kExact;
  ExpectExact();
}

TEST_F(ForecastTest, SlowOfAPartIsRightWithinAQuarter) {
  const auto documents = ManyTexts(12000);
  files_.Put("/in/a.jsonl", ToJsonLines({documents.begin(), documents.begin() + 7000}));
  files_.Put("/in/b.jsonl", ToJsonLines({documents.begin() + 7000, documents.end()}));
  const auto plan =
      Plan({.sample = SampleOptions{.bytes = 600000, .stretch_bytes = 6000}, .block_bytes = 3000});
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  const auto report = Run();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_FALSE(plan->is_whole);
  EXPECT_LT(plan->sample_share, 0.4);
  const auto near = [](const ForecastRange& range, uint64_t actual) {
    EXPECT_LT(range.low, range.value);
    EXPECT_GT(range.high, range.value);
    return std::abs(range.value / static_cast<double>(actual) - 1);
  };
  EXPECT_LT(near(plan->documents, report->documents), 0.02);
  EXPECT_LT(near(plan->removed, report->removed_total()), 0.25);
  EXPECT_LT(near(plan->candidate_pairs, report->candidate_pairs), 0.25);
  EXPECT_NEAR(static_cast<double>(plan->kept_bytes) / static_cast<double>(report->kept_bytes), 1,
              0.25);
}

TEST_F(ForecastTest, OfAPartCountsWhatReferencesRemove) {
  CorpusMaker maker(5);
  std::vector<Characters> texts;
  std::vector<SlowDocument> references, documents;
  for (int i = 0; i < 40; ++i) {
    texts.push_back(maker.Fresh(60));
    references.push_back({"r" + std::to_string(i), Join(texts.back())});
  }
  // They crowd in one half of the inputs.
  for (uint32_t i = 0; i < 6000; ++i) {
    const bool is_hit = i < 3000 && i % 3 == 0;
    documents.push_back(
        {"d" + std::to_string(i), Join(is_hit ? maker.Edited(texts[i % 40], 1) : maker.Fresh(60))});
  }
  files_.Put("/in/a.jsonl", ToJsonLines(documents));
  files_.Put("/ref/r.jsonl", ToJsonLines(references));
  options_.against = {"/ref/r.jsonl"};
  ExpectInRange();
  options_.mark = "leak";
  options_.against_action = ReferenceAction::kMark;
  ExpectInRange();
}

TEST_F(ForecastTest, OfAPartCountsRepresentativesWhereNoneAreKept) {
  files_.Put("/in/a.jsonl", ToJsonLines(ManyTexts(6000)));
  options_.keep = "none";
  ExpectInRange();
}

TEST_F(ForecastTest, CountsTheBytesThatAreWrittenToKept) {
  options_.mark = "duplicate";
  options_.mark_keeper = "duplicate_of";
  options_.add_cluster_size = true;
  files_.Put("/in/a.jsonl", ToJsonLines(CorpusMaker(4).Corpus(120)));
  ExpectExact();
  files_.Put("/in/a.jsonl", ToJsonLines(ManyTexts(6000)));
  ExpectInRange();
}

TEST_F(ForecastTest, SaysBeforehandThatIdsRepeat) {
  options_.unique_ids = true;
  auto documents = ManyTexts(6000);
  files_.Put("/in/a.jsonl", ToJsonLines(documents));
  const ForecastTuning part{.sample = SampleOptions{.bytes = 300000, .stretch_bytes = 6000},
                            .block_bytes = 3000};
  const auto unknown = Plan(part);
  ASSERT_TRUE(unknown.has_value());
  EXPECT_TRUE(unknown->succeeds());
  ASSERT_FALSE(unknown->notes.empty());
  EXPECT_NE(unknown->notes.front().find("no id is repeated"), std::string::npos);

  for (size_t i = 0; i < documents.size(); i += 2) documents[i].id = "x";
  files_.Put("/in/a.jsonl", ToJsonLines(documents));
  const Error error = Run().error();
  for (const ForecastTuning& tuning : {ForecastTuning(), part}) {
    const auto plan = Plan(tuning);
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    ASSERT_EQ(plan->problems.size(), 1U);
    EXPECT_EQ(plan->problems.front().code, error.code);
    EXPECT_EQ(plan->problems.front().advice, error.advice);
    EXPECT_EQ(plan->problems.front().message == error.message, plan->is_whole);
  }
}

TEST_F(ForecastTest, WarnsOfWhatTheRunWarnsOfWhereItReadEverything) {
  auto documents = ManyTexts(6000);
  files_.Put("/in/a.jsonl", ToJsonLines(documents));
  files_.Put("/ref/r.jsonl", ToJsonLines({{"r", documents[1].text}, {"short", "短"}}));
  options_.against = {"/ref/r.jsonl"};
  options_.against_rule = ReferenceRule::kContains;
  const auto plan = Plan();
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  const std::vector<std::string> planned = std::exchange(log_.warnings, {});
  EXPECT_FALSE(planned.empty());
  const auto report = Run();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(planned, log_.warnings);
  ASSERT_TRUE(plan->against.has_value());
  EXPECT_EQ(plan->against->references, 2U);
  EXPECT_EQ(plan->against->hit, report->against->hit);
  EXPECT_EQ(plan->against->unmatchable, 1U);

  log_.warnings.clear();
  ASSERT_TRUE(
      Plan({.sample = SampleOptions{.bytes = 300000, .stretch_bytes = 6000}, .block_bytes = 3000})
          .has_value());
  EXPECT_TRUE(log_.warnings.empty());
}

TEST_F(ForecastTest, ReadsNoMoreThanItsSampleNeeds) {
  const std::string lines = ToJsonLines(ManyTexts(40000));
  files_.Put("/in/a.jsonl", lines);
  ASSERT_TRUE(
      Plan({.sample = SampleOptions{.bytes = 200000, .stretch_bytes = 10000}, .block_bytes = 5000})
          .has_value());
  // Two runs over parts of it, each with up to three passes, an audit and texts to show.
  EXPECT_LT(counted_.bytes_read(), uint64_t{200000} * 12);
  EXPECT_LT(counted_.bytes_read(), lines.size() / 2);
}

TEST_F(ForecastTest, IsTheSameTwiceButForItsTimes) {
  files_.Put("/in/a.jsonl", ToJsonLines(ManyTexts(6000)));
  const ForecastTuning tuning{.sample = SampleOptions{.bytes = 200000, .stretch_bytes = 6000},
                              .block_bytes = 3000};
  const auto untimed = [&] {
    auto plan = Plan(tuning);
    EXPECT_TRUE(plan.has_value());
    plan->stages.clear();
    plan->wall_seconds = plan->cpu_seconds = 0;
    return DedupForecastToJson(*plan);
  };
  EXPECT_EQ(untimed(), untimed());
}

TEST_F(ForecastTest, SaysBeforehandThatMemoryIsTooSmall) {
  // Documents of twenty bytes: what matters is how many there are.
  std::string lines;
  for (int i = 0; i < 40000; ++i) lines += "{\"text\":\"" + std::to_string(i) + "\"}\n";
  files_.Put("/in/a.jsonl", lines);
  const auto fits = Plan();
  ASSERT_TRUE(fits.has_value());
  EXPECT_TRUE(fits->succeeds());
  EXPECT_EQ(fits->least_memory_bytes, kLeastDedupMemory);
  EXPECT_EQ(LeastMemory(10000000), (uint64_t{72} << 20) + 240000000);
}

TEST_F(ForecastTest, SlowSaysHowMuchMemoryReferencesNeed) {
  files_.Put("/in/a.jsonl", ToJsonLines(ManyTexts(100)));
  CorpusMaker maker(3);
  std::vector<SlowDocument> references;
  for (int i = 0; i < 20000; ++i) {
    references.push_back({"r" + std::to_string(i), Join(maker.Fresh(60))});
  }
  files_.Put("/ref/r.jsonl", ToJsonLines(references));
  options_.against = {"/ref/r.jsonl"};
  options_.against_rule = ReferenceRule::kContains;
  options_.memory_bytes = uint64_t{1} << 30;
  const auto plan = Plan();
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  ASSERT_GT(plan->least_memory_bytes, kLeastDedupMemory);
  options_.memory_bytes = plan->least_memory_bytes;
  const auto enough = Run();
  EXPECT_TRUE(enough.has_value()) << enough.error().message;
  options_.memory_bytes = plan->least_memory_bytes - 2;
  const auto short_of_it = Run();
  ASSERT_FALSE(short_of_it.has_value());
  EXPECT_EQ(short_of_it.error().code, ErrorCode::kExhausted);
}

TEST_F(ForecastTest, SaysBeforehandThatReferencesDoNotFitInMemory) { ExpectTooLarge(40); }

// Nor do they fit in what stands for scratch.
TEST_F(ForecastTest, SlowSaysBeforehandThatReferencesAreFarTooLarge) { ExpectTooLarge(300); }

TEST_F(ForecastTest, SaysBeforehandThatTooManyRecordsFail) {
  std::string lines = ToJsonLines(ManyTexts(1000));
  for (int i = 0; i < 200; ++i) lines += "{\"text\":}\n";
  files_.Put("/in/a.jsonl", lines);
  const auto plan = Plan();
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_NEAR(plan->failed_share, 200.0 / 1200, 1e-9);
  ASSERT_EQ(plan->problems.size(), 1U);
  EXPECT_EQ(plan->problems.front().code, ErrorCode::kUnreadable);
  const auto report = Run();
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kUnreadable);
}

// Rows of short texts are larger than the texts: a sample as large as others would leave more of
// them than its memory holds.
TEST_F(ForecastTest, SlowReadsLessWhereRowsDoNotFitInItsMemory) {
  constexpr int kDocuments = 150000;
  std::string lines;
  for (int i = 0; i < kDocuments; ++i) {
    lines += "{\"text\":\"" + std::to_string(1000000 + i * 7) + "\"}\n";
  }
  ASSERT_LT(lines.size(), options_.memory_bytes / 8);
  files_.Put("/in/a.jsonl", lines);
  const auto plan = Plan();
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_FALSE(plan->is_whole);
  EXPECT_GT(plan->sample_share, 0.1);
  EXPECT_NEAR(plan->documents.value / kDocuments, 1, 0.02);
}

// What the run would say of its output folder.
TEST_F(ForecastTest, SaysBeforehandThatTheOutputFolderIsRefused) {
  files_.Put("/in/a.jsonl", ToJsonLines(ManyTexts(40)));
  options_.output = "/out";
  const auto refused = [&] {
    const auto plan = Plan();
    EXPECT_TRUE(plan.has_value());
    std::vector<std::pair<ErrorCode, std::string>> problems;
    for (const ForecastProblem& problem : plan->problems) {
      problems.emplace_back(problem.code, problem.message);
    }
    return problems;
  };
  const auto run = [&] {
    const auto report =
        Dedup(options_, {files_, *executor_, SystemClock(), NoProgress(), NoLog(), cancellation_});
    EXPECT_FALSE(report.has_value());
    return std::vector<std::pair<ErrorCode, std::string>>{
        {report.error().code, report.error().message}};
  };
  EXPECT_TRUE(refused().empty());
  ASSERT_TRUE(files_.CreateDirectories("/out"));
  EXPECT_TRUE(refused().empty());

  files_.Put("/out/mine", "something");
  EXPECT_EQ(refused(), run());
  options_.overwrite = true;
  EXPECT_EQ(refused(), run());
  ASSERT_TRUE(files_.RemoveFile("/out/mine"));

  options_.overwrite = false;
  files_.Put("/out/report.json", "{}");
  EXPECT_EQ(refused(), run());
  options_.overwrite = true;
  EXPECT_TRUE(refused().empty());

  files_.Put("/out/.partial/checkpoint", "of another run");
  EXPECT_TRUE(refused().empty());
  options_.overwrite = false;
  ASSERT_TRUE(files_.RemoveFile("/out/report.json"));
  EXPECT_EQ(refused(), run());
  EXPECT_NE(refused().front().second.find("continue it"), std::string::npos);
  ASSERT_TRUE(files_.RemoveAll("/out"));

  ASSERT_TRUE(files_.CreateDirectories("/out"));
  const auto lock = files_.Lock("/out/.lock");
  EXPECT_EQ(refused(), run());
  ASSERT_TRUE(files_.RemoveAll("/out"));
  files_.Put("/out", "a file");
  EXPECT_EQ(refused().front().first, run().front().first);
}

TEST_F(ForecastTest, SlowAddsScratchAndOutputWhereTheyShareADisk) {
  files_.Put("/in/a.jsonl", ToJsonLines(ManyTexts(6000)));
  const ForecastTuning tuning{.sample = SampleOptions{.bytes = 400000, .stretch_bytes = 6000},
                              .block_bytes = 3000};
  options_.checkpoint_every = 0;      // so that rows go to the disk
  options_.mode = DedupMode::kExact;  // where they stay to the end
  options_.output = "/out";
  const auto whole = Plan(tuning);
  ASSERT_TRUE(whole.has_value()) << whole.error().message;
  const uint64_t output = whole->output_room_bytes, scratch = whole->scratch_bytes;
  ASSERT_TRUE(whole->needs_scratch);
  ASSERT_LT(output + scratch, uint64_t{1} << 24) << DedupForecastToJson(*whole);

  // Enough for each of them, not for both.
  counted_.free_bytes = std::max(output, scratch) + 1000;
  for (const char* folder : {"", "/elsewhere"}) {
    options_.scratch = folder;
    const auto plan = Plan(tuning);
    ASSERT_TRUE(plan.has_value());
    EXPECT_TRUE(plan->is_one_disk);
    ASSERT_EQ(plan->problems.size(), 1U) << folder;
    EXPECT_EQ(plan->problems.front().code, ErrorCode::kExhausted);
    EXPECT_NE(plan->problems.front().message.find("outputs and scratch"), std::string::npos);
  }
  options_.scratch = "s/another";
  const auto apart = Plan(tuning);
  ASSERT_TRUE(apart.has_value());
  EXPECT_FALSE(apart->is_one_disk);
  EXPECT_TRUE(apart->succeeds());
  options_.scratch.clear();
  counted_.free_bytes = 2 * (output + scratch);
  const auto roomy = Plan(tuning);
  ASSERT_TRUE(roomy.has_value());
  EXPECT_TRUE(roomy->succeeds()) << roomy->problems.front().message;
}

std::string Compressed(std::string_view bytes) {
  std::string out;
  EXPECT_TRUE(FrameCompressor::Create(Compression::kZstd).value().Compress(bytes, out));
  return out;
}

TEST_F(ForecastTest, NamesADamagedFileAndGoesOnWithoutTheRestOfIt) {
  const auto documents = ManyTexts(400);
  const std::string half = ToJsonLines({documents.begin(), documents.begin() + 200});
  const std::string rest = ToJsonLines({documents.begin() + 200, documents.end()});
  files_.Put("/in/a.jsonl", half);
  const std::string packed = Compressed(half) + Compressed(rest);
  files_.Put("/in/b.jsonl.zst", packed.substr(0, packed.size() - 100));
  const auto plan = Plan();
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  ASSERT_EQ(plan->damaged_files.size(), 1U);
  EXPECT_EQ(plan->damaged_files.front().first, "/in/b.jsonl.zst");
  ASSERT_EQ(plan->problems.size(), 1U);
  const ForecastProblem& problem = plan->problems.front();
  EXPECT_EQ(problem.code, ErrorCode::kUnreadable);
  EXPECT_NE(problem.message.find("/in/b.jsonl.zst"), std::string::npos);
  EXPECT_EQ(problem.advice, std::vector{Advice::kSkipBadFiles});
  ASSERT_EQ(plan->notes.size(), 1U);
  EXPECT_NE(plan->notes.front().find("sound files"), std::string::npos);
  EXPECT_FALSE(plan->is_whole);
  EXPECT_EQ(Run().error().code, ErrorCode::kUnreadable);

  options_.skip_bad_files = true;
  const auto skipping = Plan();
  const auto report = Run();
  ASSERT_TRUE(skipping.has_value() && report.has_value());
  EXPECT_TRUE(skipping->succeeds());
  EXPECT_EQ(skipping->damaged_files, plan->damaged_files);
  EXPECT_TRUE(skipping->is_whole);
  EXPECT_EQ(skipping->documents.value, static_cast<double>(report->documents));
  EXPECT_EQ(skipping->removed.value, static_cast<double>(report->removed_total()));
}

TEST_F(ForecastTest, OfFilesThatCannotBeReadAtAllSaysSo) {
  files_.Put("/in/b.jsonl.zst", Compressed("{\"text\":\"一\"}\n").substr(0, 8));
  const auto plan = Plan();
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_EQ(plan->damaged_files.size(), 1U);
  EXPECT_EQ(plan->documents.value, 0);
  EXPECT_FALSE(plan->succeeds());
}

// Their sets are mapped, and so on disk however much memory there is.
TEST_F(ForecastTest, SlowCountsTheSetsOfLargeTexts) {
  CorpusMaker maker(3);
  const Characters text = maker.Fresh(400000);
  std::vector<SlowDocument> documents;
  for (int i = 0; i < 8; ++i) documents.push_back({"", Join(maker.Edited(text, 2000))});
  files_.Put("/in/a.jsonl", ToJsonLines(documents));
  const auto plan = Plan({.sample = SampleOptions{.bytes = 5 << 20, .stretch_bytes = 100000}});
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_FALSE(plan->is_whole);
  const auto report = Run();
  ASSERT_TRUE(report.has_value());
  ASSERT_GT(report->scratch_bytes, 8U * 8 * 350000);
  EXPECT_TRUE(plan->needs_scratch);
  const double ratio =
      static_cast<double>(plan->scratch_bytes) / static_cast<double>(report->scratch_bytes);
  EXPECT_GT(ratio, 0.75);
  EXPECT_LT(ratio, 1.5);
}

// Rows that do not fit in memory: what the run writes is no more than what was said of it.
TEST_F(ForecastTest, SlowSaysHowMuchScratchARunMayNeed) {
  constexpr int kDocuments = 150000;
  std::string lines;
  for (int i = 0; i < kDocuments; ++i) {
    lines += "{\"text\":\"" + std::to_string(1000000 + i * 7) + "\"}\n";
  }
  files_.Put("/in/a.jsonl", lines);
  const auto plan = Plan();
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_FALSE(plan->is_whole);
  EXPECT_TRUE(plan->needs_scratch);
  const auto report = Run();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  ASSERT_GT(report->scratch_bytes, 0U);
  EXPECT_GT(static_cast<double>(plan->scratch_bytes),
            static_cast<double>(report->scratch_bytes) * 0.75);
}

TEST_F(ForecastTest, SlowSaysWhichFiguresASmallSampleLeavesOpen) {
  files_.Put("/in/a.jsonl", ToJsonLines(ManyTexts(20000)));
  const ForecastTuning tuning{.sample = SampleOptions{.bytes = 100000, .stretch_bytes = 6000},
                              .block_bytes = 3000};
  const auto plan = Plan(tuning);
  ASSERT_TRUE(plan.has_value());
  EXPECT_FALSE(plan->removed.IsClose());
  EXPECT_TRUE(plan->documents.IsClose());
  ASSERT_EQ(plan->notes.size(), 1U);
  const std::string json = DedupForecastToJson(*plan);
  EXPECT_NE(json.find("\"is_close\": false"), std::string::npos);
  EXPECT_NE(json.find("copies that are far apart"), std::string::npos);
  const auto report = Run();
  ASSERT_TRUE(report.has_value());
  EXPECT_LT(plan->removed.low, static_cast<double>(report->removed_total()));
  EXPECT_GT(plan->removed.high, static_cast<double>(report->removed_total()));
}

// Nearly nothing is known from some of some dozens of texts, and the ranges say as much.
TEST_F(ForecastTest, SlowOfAFewLargeTextsHasWideRanges) {
  CorpusMaker maker(8);
  std::vector<SlowDocument> documents;
  for (int i = 0; i < 24; ++i) {
    const Characters text = maker.Fresh(20000);
    documents.push_back({"", Join(text)});
    documents.push_back({"", Join(maker.Edited(text, 100))});
  }
  files_.Put("/in/a.jsonl", ToJsonLines(documents));
  const SampleOptions sample{.bytes = 400000, .stretch_bytes = 32768, .end = PlaceEnd::kRecord};
  const auto plan = Plan({.sample = sample});
  const auto report = Run();
  ASSERT_TRUE(plan.has_value() && report.has_value());
  EXPECT_EQ(report->removed_total(), 24U);
  EXPECT_FALSE(plan->removed.IsClose());
  EXPECT_LE(plan->removed.low, 24);
  EXPECT_GE(plan->removed.high, 24);
}

TEST_F(ForecastTest, SaysBeforehandThatTheDiskIsTooSmall) {
  files_.Put("/in/a.jsonl", ToJsonLines(ManyTexts(1000)));
  options_.output = "/out";
  counted_.free_bytes = 1000;
  const auto plan = Plan();
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->output_free_bytes, 1000U);
  ASSERT_EQ(plan->problems.size(), 1U);
  EXPECT_EQ(plan->problems.front().code, ErrorCode::kExhausted);
}

TEST_F(ForecastTest, RefusesWhatIsThereOnlyOnce) {
  options_.inputs = {"-"};
  const auto plan = Plan();
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(plan.error().message.find("standard input"), std::string::npos);
}

TEST_F(ForecastTest, FailsAsTheRunDoes) {
  options_.inputs = {"/nowhere"};
  EXPECT_EQ(Plan().error().code, ErrorCode::kNotFound);
  options_.inputs = {"/in"};
  files_.Put("/in/a.jsonl", "{\"body\":\"文\"}\n");
  EXPECT_EQ(Plan().error().code, ErrorCode::kNotFound);
  options_.threshold = 0.3;
  EXPECT_EQ(Plan().error().code, ErrorCode::kInvalidArgument);
}

TEST_F(ForecastTest, OfEmptyInputsIsNothing) {
  files_.Put("/in/a.jsonl", "");
  const auto plan = Plan();
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_EQ(plan->documents.value, 0);
  EXPECT_EQ(plan->candidate_pairs.value, 0);
}

}  // namespace
}  // namespace zhiwen
