// Compares mapped spools with the appended string, on a disk and where files cannot be mapped.

#include "base/scratch/mapped_spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/faulty_file_system.h"
#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"
#include "support/temporary_folder.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

class MappedSpoolOn : public testing::TestWithParam<const char*> {
 protected:
  bool on_disk() const { return GetParam() == std::string("disk"); }

  TemporaryFolder folder_;
  InMemoryFileSystem memory_;
  FileSystem& files_ = on_disk() ? PosixFileSystem() : memory_;
  std::unique_ptr<Scratch> scratch_ = Scratch::Create(files_, folder_ / "scratch", 0).value();
  const std::string path_ = folder_ / "scratch/sets";

  std::unique_ptr<MappedSpool> Open(const MappedMark& mark = {}) {
    return MappedSpool::Reopen(*scratch_, "sets", mark).value();
  }
};

TEST_P(MappedSpoolOn, ReadsAsTheStringThatWasAppendedAlignedForNumbers) {
  const auto spool = Open();
  std::string expected;
  for (int i = 0; i < 5000; ++i) {
    const std::string piece(8 * (i % 7), static_cast<char>('a' + i % 26));
    ASSERT_TRUE(spool->Append(piece));
    expected += piece;
  }
  const auto bytes = spool->Map();
  ASSERT_TRUE(bytes.has_value());
  EXPECT_TRUE(*bytes == expected);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes->data()) % 8, 0U);
  EXPECT_EQ(spool->Map()->data(), bytes->data());
  EXPECT_FALSE(spool->Append("more"));
  EXPECT_GT(scratch_->disk_used(), expected.size());
}

TEST_P(MappedSpoolOn, WithoutBytesNeedsNoFile) {
  const auto spool = Open();
  EXPECT_EQ(spool->Map().value(), "");
  EXPECT_EQ(spool->Save(), MappedMark());
  EXPECT_FALSE(files_.Exists(path_).value());
}

TEST_P(MappedSpoolOn, GoesOnWhereItWasSavedAndForgetsWhatCameAfter) {
  MappedMark mark;
  {
    const auto spool = Open();
    ASSERT_TRUE(spool->Append("saved..."));
    mark = spool->Save();
    ASSERT_TRUE(spool->Append("forgotten"));
    spool->Keep();
  }
  const uint64_t kept = scratch_->disk_used();
  {
    const auto spool = Open(mark);
    ASSERT_TRUE(spool->Append("and more"));
    EXPECT_EQ(spool->Map().value(), "saved...and more");
  }
  EXPECT_FALSE(files_.Exists(path_).value());
  EXPECT_EQ(scratch_->disk_used(), kept);
}

TEST_P(MappedSpoolOn, RefusesAFileThatIsAnotherOrShorterThanItsMark) {
  const auto put = [&](std::string_view bytes) {
    const auto file = files_.OpenForWrite(path_);
    EXPECT_TRUE((*file)->Append(bytes));
  };
  const auto refused = [&](const MappedMark& mark) {
    const auto spool = MappedSpool::Reopen(*scratch_, "sets", mark);
    EXPECT_TRUE(spool || spool.error().code == ErrorCode::kUnreadable);
    return spool ? "" : spool.error().message;
  };
  const std::string right("zwm1\0\0\0\0right", 13);
  const MappedMark mark{5, HashBytes128("right").low};
  EXPECT_THAT(refused(mark), HasSubstr("gone"));
  put("something else there");
  EXPECT_THAT(refused(mark), HasSubstr("no mapped scratch of version 1"));
  put(std::string_view(right).substr(0, 12));
  EXPECT_THAT(refused(mark), HasSubstr("ends at byte 12, and 13 were saved"));
  for (size_t bit = 8 * 8; bit < 8 * right.size(); ++bit) {
    put(WithBitFlipped(right, bit));
    EXPECT_THAT(refused(mark), HasSubstr("checksum"));
  }
  put(right + "and what was appended later");
  EXPECT_EQ(refused(mark), "");
}

INSTANTIATE_TEST_SUITE_P(, MappedSpoolOn, testing::Values("disk", "memory"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST(MappedSpool, AFaultAtAnyOperationComesBack) {
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    FaultyFileSystem files(memory, {.at = n, .error = {ErrorCode::kExhausted, "disk full"}});
    const Status status = [&]() -> Status {
      ZHIWEN_ASSIGN_OR_RETURN(const auto scratch, Scratch::Create(files, "/scratch", 0));
      ZHIWEN_ASSIGN_OR_RETURN(const auto spool, MappedSpool::Reopen(*scratch, "sets", {}));
      ZHIWEN_RETURN_IF_ERROR(spool->Append("one"));
      ZHIWEN_RETURN_IF_ERROR(spool->Append("two"));
      ZHIWEN_ASSIGN_OR_RETURN(const std::string_view bytes, spool->Map());
      EXPECT_EQ(bytes, "onetwo");
      return {};
    }();
    if (!files.fired()) {
      EXPECT_TRUE(status);
      EXPECT_GT(n, 5U);
      break;
    }
    if (!status) {
      EXPECT_EQ(status.error().code, ErrorCode::kExhausted);
    }
  }
}

}  // namespace
}  // namespace zhiwen
