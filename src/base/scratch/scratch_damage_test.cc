// Changes a saved file in every way, and checks that the damage is found.

#include "base/scratch/scratch_damage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/scratch/partitioned_spool.h"
#include "base/scratch/spool.h"
#include "support/faulty_file_system.h"
#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

const std::string kPath = "/scratch/rows";
const ReadStep kNoStep = [](uint64_t) { return Status(); };

class ScratchDamageTest : public testing::Test {
 protected:
  // Writes two saved frames, and one that is not saved.
  ScratchDamageTest() {
    const auto spool = Spool::Create(*scratch_, "rows").value();
    EXPECT_TRUE(spool->Append("one, two"));
    EXPECT_TRUE(spool->Save());
    EXPECT_TRUE(spool->Append(", three"));
    mark_ = spool->Save().value();
    EXPECT_TRUE(spool->Append("lost"));
    EXPECT_TRUE(spool->Save());
    spool->Keep();
    bytes_ = files_.Files().at(kPath);
    EXPECT_GT(bytes_.size(), mark_.file_bytes);
  }

  // Returns the damage found in a file of these bytes, or "" when there is none.
  std::string SaidOf(const std::string& bytes) {
    files_.Put(kPath, bytes);
    const auto damage = FindSpoolDamage(files_, kPath, mark_, kNoStep);
    EXPECT_TRUE(damage.has_value());
    EXPECT_EQ(files_.Files().at(kPath), bytes);
    return damage->value_or("");
  }

  InMemoryFileSystem files_;
  std::unique_ptr<Scratch> scratch_ = Scratch::Create(files_, "/scratch", 0).value();
  SpoolMark mark_;
  std::string bytes_;
};

TEST_F(ScratchDamageTest, IsAFlippedBitAnywhereBeforeTheMarkAndNoneBehindIt) {
  EXPECT_EQ(SaidOf(bytes_), "");
  for (size_t bit = 0; bit < 8 * bytes_.size(); ++bit) {
    const std::string wrong = WithBitFlipped(bytes_, bit);
    if (bit / 8 >= mark_.file_bytes) {
      ASSERT_EQ(SaidOf(wrong), "") << bit;
    } else {
      ASSERT_THAT(SaidOf(wrong), HasSubstr(kPath)) << bit;
    }
  }
}

TEST_F(ScratchDamageTest, IsAMissingEndAndAMissingFile) {
  for (size_t size = 0; size < mark_.file_bytes; ++size) {
    ASSERT_THAT(SaidOf(bytes_.substr(0, size)), HasSubstr("ends at byte " + std::to_string(size)));
  }
  EXPECT_EQ(SaidOf(bytes_.substr(0, mark_.file_bytes)), "");
  ASSERT_TRUE(files_.RemoveFile(kPath));
  EXPECT_THAT(FindSpoolDamage(files_, kPath, mark_, kNoStep).value().value_or(""),
              HasSubstr("gone"));
  EXPECT_FALSE(FindSpoolDamage(files_, kPath, {}, kNoStep).value().has_value());
}

TEST_F(ScratchDamageTest, IsAFileOfAnotherLength) {
  for (const SpoolMark& other :
       {SpoolMark{mark_.bytes + 1, mark_.file_bytes}, SpoolMark{mark_.bytes, mark_.file_bytes - 1},
        SpoolMark{mark_.bytes, mark_.file_bytes + 1}}) {
    mark_ = other;
    EXPECT_THAT(SaidOf(bytes_), HasSubstr("does not end where it was saved"));
  }
}

TEST_F(ScratchDamageTest, IsFoundInFramesOfManySizesThatAreLargerThanAPiece) {
  const auto spool = PartitionedSpool::Create(*scratch_, "rows", 3, 5'000'000).value();
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(spool->Append(static_cast<uint32_t>(i % 3), std::string(i * 20'011, 'x')));
    ASSERT_TRUE(i % 10 != 0 || spool->Save());
  }
  mark_ = spool->Save().value();
  spool->Keep();
  const std::string right = files_.Files().at(kPath);
  ASSERT_GT(right.size(), 15'000'000U);
  EXPECT_EQ(SaidOf(right), "");
  for (size_t at = 0; at < right.size(); at += 1'500'007) {
    EXPECT_NE(SaidOf(WithBitFlipped(right, 8 * at)), "") << at;
  }
}

TEST_F(ScratchDamageTest, IsAPartOfTheDiskThatCannotBeReadAndNotAFileThatCannotBeOpened) {
  FaultyFileSystem unreadable(files_, {.at = 1, .only = FileOperation::kRead});
  EXPECT_TRUE(FindSpoolDamage(unreadable, kPath, mark_, kNoStep).value().has_value());
  FaultyFileSystem closed(files_, {.at = 1, .only = FileOperation::kOpenForRead});
  EXPECT_FALSE(FindSpoolDamage(closed, kPath, mark_, kNoStep).has_value());
  const ReadStep stop = [](uint64_t) -> Status { return Fail(ErrorCode::kInterrupted, "stop"); };
  EXPECT_EQ(FindSpoolDamage(files_, kPath, mark_, stop).error().message, "stop");
}

}  // namespace
}  // namespace zhiwen
