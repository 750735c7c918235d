#include "pipeline/dedup/forecast/forecast_files.h"

#include <gtest/gtest.h>

#include <string>

#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

constexpr uint64_t kLimit = 10000;

class ForecastFilesTest : public testing::Test {
 protected:
  Status Write(const std::string& path, size_t bytes) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto file, files_.OpenForWrite(path));
    return file->Append(std::string(bytes, 'x'));
  }

  InMemoryFileSystem below_;
  ForecastFiles files_{below_, "/none", kLimit};
};

TEST_F(ForecastFilesTest, HoldScratchUpToTheirLimit) {
  ASSERT_TRUE(Write("/none/.partial/scratch/a", 6000));
  EXPECT_FALSE(files_.is_full());
  const Status refused = Write("/none/.partial/scratch/b", 6000);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kExhausted);
  EXPECT_TRUE(files_.is_full());
  EXPECT_EQ((*files_.OpenForRead("/none/.partial/scratch/a"))->Identity()->size, 6000U);
}

TEST_F(ForecastFilesTest, TakeWhatIsRemovedFromWhatTheyHold) {
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(Write("/none/.partial/scratch/a", 6000));
    ASSERT_TRUE(files_.RemoveFile("/none/.partial/scratch/a"));
  }
  ASSERT_TRUE(Write("/none/.partial/scratch/a", 6000));
  ASSERT_TRUE(Write("/none/.partial/scratch/a", 6000));  // instead of the other one
  EXPECT_FALSE(files_.is_full());
}

TEST_F(ForecastFilesTest, DropWhatARunWritesForItsUser) {
  for (const char* name : {"kept/a.jsonl", "removed.jsonl.zst", "report.html", "checkpoint"}) {
    ASSERT_TRUE(Write(std::string("/none/.partial/") + name, 2 * kLimit)) << name;
  }
  EXPECT_FALSE(files_.is_full());
  EXPECT_TRUE(below_.Files().empty());
}

TEST_F(ForecastFilesTest, MapAFileInThePlaceOfItsPieces) {
  const std::string path = "/none/.partial/scratch/a";
  const auto file = files_.OpenForWrite(path);
  ASSERT_TRUE(file.has_value());
  std::string expected;
  for (char c = 'a'; c < 'g'; ++c) {
    ASSERT_TRUE((*file)->Append(std::string(1000, c)));
    expected += std::string(1000, c);
  }
  const auto reader = files_.OpenForRead(path);
  const auto mapped = (*reader)->Map();
  ASSERT_TRUE(mapped.has_value());
  EXPECT_EQ((*mapped)->bytes(), expected);
  EXPECT_EQ(reinterpret_cast<uintptr_t>((*mapped)->bytes().data()) % 8, 0U);
  std::string read(2000, ' ');
  EXPECT_EQ(*(*reader)->ReadAt(2500, read), 2000U);
  EXPECT_EQ(read, expected.substr(2500, 2000));
}

}  // namespace
}  // namespace zhiwen
