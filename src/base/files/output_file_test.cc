#include "base/files/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "support/temporary_folder.h"

namespace zhiwen {
namespace {

namespace fs = std::filesystem;

class OutputFiles : public testing::Test {
 protected:
  std::unique_ptr<OutputFile> Create(const std::string& path) {
    const auto is_of_kind = [](std::unique_ptr<ReadableFile>) { return Result<bool>(true); };
    auto output =
        OutputFile::Create(PosixFileSystem(), {"test", is_of_kind}, {.path = folder_ / path});
    EXPECT_TRUE(output) << output.error().message;
    return output ? *std::move(output) : nullptr;
  }

  static void Publish(OutputFile& output) {
    auto file = *output.Open();
    ASSERT_TRUE(file->Append("whole") && file->Close());
    ASSERT_TRUE(output.Publish());
  }

  bool HasAny(const std::string& path) const { return fs::exists(folder_ / path); }

  TemporaryFolder folder_;
};

TEST_F(OutputFiles, LeaveNoFolderThatWasMadeForAFileThatIsNotPublished) {
  fs::create_directory(folder_ / "there");
  {
    const auto output = Create("new/and/./deeper//out.txt");
    const auto beside = Create("new/and/page.html");
    const auto below = Create("there/out.txt");
    EXPECT_TRUE(*output->Open());
    EXPECT_TRUE(HasAny("new/and/deeper"));
  }
  EXPECT_FALSE(HasAny("new"));
  EXPECT_TRUE(HasAny("there"));  // also when empty
  EXPECT_TRUE(fs::is_empty(folder_ / "there"));
}

TEST_F(OutputFiles, KeepTheFoldersOfAFileThatIsPublishedAndThoseThatHoldSomethingElse) {
  Publish(*Create("new/deeper/out.txt"));
  EXPECT_TRUE(HasAny("new/deeper/out.txt"));
  EXPECT_FALSE(HasAny("new/deeper/out.txt.partial"));
  {
    const auto output = Create("other/deeper/out.txt");
    fs::create_directory(folder_ / "other/of_others");
  }
  EXPECT_TRUE(HasAny("other/of_others"));
  EXPECT_FALSE(HasAny("other/deeper"));
}

}  // namespace
}  // namespace zhiwen
