#include "pipeline/dedup/input/input_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "support/in_memory_file_system.h"
#include "zhiwen/environment.h"

namespace zhiwen {
namespace {

InputFile FileOf(uint64_t size, RecordFormat format = RecordFormat::kJsonLines,
                 Compression compression = Compression::kNone) {
  return {.path = "/f", .identity = {.size = size}, .format = format, .compression = compression};
}

TEST(ChooseSample, TakesEverythingThatIsSmall) {
  const SampleChoice choice = ChooseSample({FileOf(100), FileOf(0), FileOf(50)}, {.bytes = 150});
  EXPECT_EQ(choice.files, (std::vector<uint32_t>{0, 1, 2}));
  for (const auto& stretches : choice.stretches) {
    ASSERT_EQ(stretches.size(), 1U);
    EXPECT_EQ(stretches.front().begin, 0U);
    EXPECT_EQ(stretches.front().bytes, UINT64_MAX);
  }
}

TEST(ChooseSample, SpreadsPlacesEvenlyOverAPlainFile) {
  const SampleChoice choice =
      ChooseSample({FileOf(1000000)}, {.bytes = 10000, .stretch_bytes = 1000});
  ASSERT_EQ(choice.stretches.size(), 1U);
  const auto& stretches = choice.stretches.front();
  ASSERT_EQ(stretches.size(), 10U);
  for (size_t i = 0; i < stretches.size(); ++i) {
    EXPECT_GE(stretches[i].begin + 1000, i * 100000);
    EXPECT_LT(stretches[i].begin, (i + 1) * 100000);
    EXPECT_EQ(stretches[i].bytes, 1000U);
  }
}

TEST(ChooseSample, ReadsCompressedFilesFromTheirStartMoreWhereMorePlacesFall) {
  const SampleChoice choice =
      ChooseSample({FileOf(500000, RecordFormat::kJsonLines, Compression::kGzip),
                    FileOf(500000, RecordFormat::kJsonLines, Compression::kGzip)},
                   {.bytes = 20000, .stretch_bytes = 1000});
  ASSERT_EQ(choice.files, (std::vector<uint32_t>{0, 1}));
  ASSERT_EQ(choice.stretches[0].size(), 1U);
  EXPECT_EQ(choice.stretches[0].front().begin, 0U);
  EXPECT_EQ(choice.stretches[0].front().bytes, 16000U);
  EXPECT_EQ(choice.stretches[1].front().bytes, 8000U);
}

TEST(ChooseSample, OpensMoreFilesWhereTheyAreSmall) {
  const std::vector<InputFile> files(10000, FileOf(100, RecordFormat::kText));
  const SampleChoice choice = ChooseSample(files, {.bytes = 50000, .stretch_bytes = 10000});
  EXPECT_GT(choice.files.size(), 400U);
  EXPECT_LE(choice.files.size(), 500U);
}

class InputSampleTest : public testing::Test {
 protected:
  // Lines of one length, each with its number.
  void PutLines(uint32_t lines) {
    std::string text;
    for (uint32_t line = 0; line < lines; ++line) {
      std::string number = std::to_string(line);
      text += std::string(9 - number.size(), '0') + number + '\n';
    }
    files_.Put("/f", text);
    input_ = FileOf(text.size());
    input_.identity = *(*files_.OpenForRead("/f"))->Identity();
  }

  std::unique_ptr<FileBlocks> Open(InputSample& sample) {
    auto all = OpenFileBlocks(files_, input_, 0, options_);
    EXPECT_TRUE(all.has_value());
    return sample.Narrow({files_, input_, 0, options_}, *std::move(all));
  }

  InMemoryFileSystem files_;
  InputFile input_;
  const BlockOptions options_{.block_bytes = 64};
};

TEST_F(InputSampleTest, ReadsWholeRecordsFromEachPlace) {
  PutLines(1000);
  InputSample sample({{{0, 100}, {5003, 1}, {9990, 100}}}, SystemClock());
  const auto blocks = Open(sample);
  std::string text;
  for (RecordBlock block;;) {
    const auto more = blocks->Next(block);
    ASSERT_TRUE(more.has_value());
    if (!*more) break;
    text += block.bytes;
  }
  std::string expected;
  // Blocks of six lines: two of the first place; one after byte 5003; none is left at the end.
  for (uint32_t line = 0; line < 12; ++line) {
    expected += (line < 10 ? "00000000" : "0000000") + std::to_string(line) + '\n';
  }
  for (uint32_t line = 501; line < 507; ++line) expected += "000000" + std::to_string(line) + '\n';
  EXPECT_EQ(text, expected);
  EXPECT_EQ(sample.taken().front().stream_bytes, text.size());
  EXPECT_FALSE(sample.taken().front().is_whole);
}

TEST_F(InputSampleTest, GivesABlockAgainToWhoSkipsToIt) {
  PutLines(1000);
  InputSample sample({{{4321, 200}}}, SystemClock());
  const auto blocks = Open(sample);
  RecordBlock first, again;
  ASSERT_TRUE(*blocks->Next(first));
  ASSERT_TRUE(*blocks->Next(first));
  const auto later = Open(sample);
  ASSERT_TRUE(later->SkipTo(first.offset).has_value());
  ASSERT_TRUE(*later->Next(again));
  EXPECT_EQ(again.bytes, first.bytes);
  EXPECT_EQ(sample.taken().front().blocks, 2U);
}

// Lines of 10 and of 70 bytes, as many of each: where a block ends with what fits, the long ones
// are left out more often.
TEST_F(InputSampleTest, TakesLongRecordsAsOftenAsShortOnes) {
  std::string text;
  std::mt19937 random(5);
  for (int line = 0; line < 40000; ++line) {
    text += std::string(random() % 2 == 0 ? 9 : 69, 'x') + '\n';
  }
  files_.Put("/f", text);
  input_ = FileOf(text.size());
  input_.identity = *(*files_.OpenForRead("/f"))->Identity();
  const auto mean_of = [&](const BlockOptions& options, PlaceEnd end) {
    std::vector<InputStretch> stretches;
    for (uint64_t begin = 500; begin + 2000 < text.size(); begin += 1000) {
      stretches.push_back({begin, 100});
    }
    InputSample sample({stretches}, SystemClock(), end);
    auto all = OpenFileBlocks(files_, input_, 0, options);
    const auto blocks = sample.Narrow({files_, input_, 0, options}, *std::move(all));
    double bytes = 0, lines = 0;
    std::vector<std::pair<uint64_t, std::string>> taken;
    for (RecordBlock block; *blocks->Next(block);) {
      bytes += static_cast<double>(block.bytes.size());
      lines += static_cast<double>(std::ranges::count(block.bytes, '\n'));
      taken.emplace_back(block.offset, block.bytes);
    }
    auto again =
        sample.Narrow({files_, input_, 0, options}, *OpenFileBlocks(files_, input_, 0, options));
    for (const auto& [offset, expected] : taken) {
      RecordBlock block;
      EXPECT_TRUE(again->SkipTo(offset).has_value());
      EXPECT_TRUE(*again->Next(block));
      EXPECT_EQ(block.bytes, expected);
      EXPECT_EQ(block.length, expected.size());
    }
    return bytes / lines;
  };
  EXPECT_LT(mean_of({.block_bytes = 100}, PlaceEnd::kBlock), 35);
  EXPECT_NEAR(mean_of({.block_bytes = 200}, PlaceEnd::kRecord), 40, 1.5);
}

TEST_F(InputSampleTest, SaysWhatIsWhole) {
  PutLines(100);
  InputSample sample({{{0, UINT64_MAX}}}, SystemClock());
  const auto blocks = Open(sample);
  for (RecordBlock block; *blocks->Next(block);) {
  }
  EXPECT_TRUE(sample.taken().front().is_whole);
  EXPECT_EQ(sample.taken().front().stream_bytes, 1000U);
}

}  // namespace
}  // namespace zhiwen
