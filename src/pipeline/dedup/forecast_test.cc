#include "pipeline/dedup/forecast.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

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

class ForecastTest : public testing::Test {
 protected:
  ForecastTest() {
    options_.inputs = {"/in"};
    options_.memory_bytes = kLeastDedupMemory;
  }

  Result<DedupForecast> Plan(const ForecastTuning& tuning = {}) {
    return RunForecast(options_, tuning,
                       {counted_, *executor_, SystemClock(), NoProgress(), NoLog(), cancellation_});
  }

  Result<DedupReport> Run() {
    DedupOptions options = options_;
    options.output = "/out";
    options.overwrite = true;
    return Dedup(options,
                 {files_, *executor_, SystemClock(), NoProgress(), NoLog(), cancellation_});
  }

  // What is planned of everything is what the run does.
  void ExpectExact() {
    const auto plan = Plan();
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    const auto report = Run();
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_TRUE(plan->is_whole);
    EXPECT_EQ(plan->sample_share, 1);
    for (const ForecastRange* range :
         {&plan->documents, &plan->removed, &plan->compared, &plan->candidate_pairs}) {
      EXPECT_EQ(range->low, range->value);
      EXPECT_EQ(range->high, range->value);
    }
    EXPECT_EQ(plan->documents.value, static_cast<double>(report->documents));
    EXPECT_EQ(plan->removed.value, static_cast<double>(report->removed_total()));
    EXPECT_EQ(plan->candidate_pairs.value, static_cast<double>(report->candidate_pairs));
    EXPECT_EQ(plan->text_bytes, report->text_bytes);
    EXPECT_EQ(plan->input_bytes, report->input_bytes);
    EXPECT_EQ(plan->scratch_bytes, report->scratch_bytes);
    EXPECT_TRUE(plan->succeeds());
    EXPECT_TRUE(files_.RemoveAll("/out").has_value());
  }

  InMemoryFileSystem files_;
  CountingFiles counted_{files_};
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

TEST_F(ForecastTest, OfAPartIsRightWithinAQuarter) {
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
