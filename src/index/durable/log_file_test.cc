// A log returns the records that were put into it, up to the one that a crash cut off.

#include "index/durable/log_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using Records = std::vector<std::string>;

constexpr uint64_t kHead = 24;  // size of the head of the file
constexpr uint64_t kRecordHead = 16;

struct Read {
  Records records;
  Result<LogEnd> end;
};

Read ReadAll(InMemoryFileSystem& files, uint64_t acknowledged = 0) {
  Records records;
  auto end = ReadLogFile(files, "log", 7, acknowledged, [&](std::string_view record) -> Status {
    records.emplace_back(record);
    return {};
  });
  return {records, std::move(end)};
}

class LogFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto log = LogFile::Create(files_, "log", 7);
    ASSERT_TRUE(log);
    for (const std::string& record : records_) ASSERT_TRUE((*log)->Append(record));
    end_ = (*log)->end();
    bytes_ = files_.Files().at("log");
  }

  // Returns what is read from a file with these `bytes`.
  Read Given(const std::string& bytes, uint64_t acknowledged = 0) {
    files_.Put("log", bytes);
    return ReadAll(files_, acknowledged);
  }

  const Records records_ = {"first", "", std::string(300, 'x'), "last"};
  InMemoryFileSystem files_;
  LogEnd end_;
  std::string bytes_;
};

TEST_F(LogFiles, GiveBackWhatWasPutIntoThem) {
  const Read read = ReadAll(files_, end_.bytes);
  ASSERT_TRUE(read.end) << read.end.error().message;
  EXPECT_EQ(read.records, records_);
  EXPECT_EQ(read.end->bytes, bytes_.size());
  EXPECT_EQ(read.end->records, records_.size());
}

TEST_F(LogFiles, EndBeforeTheRecordThatWasCutOff) {
  const uint64_t before_last = bytes_.size() - kRecordHead - records_.back().size();
  const Records whole(records_.begin(), records_.end() - 1);
  for (uint64_t size = before_last; size < bytes_.size(); ++size) {
    const Read read = Given(bytes_.substr(0, size));
    ASSERT_TRUE(read.end) << size;
    EXPECT_EQ(read.records, whole) << size;
    EXPECT_EQ(read.end->bytes, before_last);
  }
  // Tests pages that were never written, and a record whose end was not written.
  EXPECT_EQ(Given(bytes_.substr(0, before_last) + std::string(5000, '\0')).records, whole);
  std::string unwritten = bytes_;
  unwritten.back() = '\0';
  EXPECT_EQ(Given(unwritten).records, whole);
  // The next record replaces the incomplete one.
  const auto log = LogFile::Continue(files_, "log", {.bytes = before_last, .records = 3});
  ASSERT_TRUE(log && (*log)->Append("another"));
  EXPECT_EQ(ReadAll(files_).records.back(), "another");
}

TEST_F(LogFiles, RefuseEveryOtherDamage) {
  const uint64_t before_last = bytes_.size() - kRecordHead - records_.back().size();
  for (uint64_t bit = 0; bit < bytes_.size() * 8; ++bit) {
    const bool is_in_last = bit / 8 >= before_last;
    const Read read = Given(WithBitFlipped(bytes_, bit), is_in_last ? bytes_.size() : 0);
    ASSERT_FALSE(read.end) << bit;
    EXPECT_NE(read.end.error().message.find("\"log\""), std::string::npos);
  }
  // Tests a page that reads as zeros before whole records.
  std::string zeroed = bytes_;
  std::fill_n(zeroed.begin() + kHead, 300, '\0');
  EXPECT_FALSE(Given(zeroed).end);
  EXPECT_FALSE(Given(bytes_.substr(0, bytes_.size() - 1), bytes_.size()).end);
  EXPECT_FALSE(Given(bytes_.substr(0, kHead - 1)).end);
  // Tests a record at the place of another.
  const std::string first = bytes_.substr(kHead, kRecordHead + records_[0].size());
  EXPECT_FALSE(Given(bytes_.substr(0, kHead) + first + first).end);
}

TEST_F(LogFiles, RefuseAnotherVersionAndTheLogOfAnotherNumber) {
  std::string newer = bytes_;
  newer[8] = 2;
  EXPECT_EQ(Given(newer).end.error().code, ErrorCode::kConflict);
  files_.Put("log", bytes_);
  EXPECT_FALSE(ReadLogFile(files_, "log", 8, 0, [](std::string_view) { return Status(); }));
}

}  // namespace
}  // namespace zhiwen
