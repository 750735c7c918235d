// Compares RowSorter with std::sort.

#include "base/scratch/row_sorter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/scratch/row_arena.h"
#include "base/scratch/spool.h"
#include "support/faulty_file_system.h"
#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

constexpr uint64_t kLeast = 64 << 10;  // RowSorter takes at least this much

using RowMaker = std::string (*)(std::mt19937_64&);

// The following functions make rows for every branch: fixed sizes, equal prefixes, zeros and the
// end of a row, long rows.
std::string Fixed(std::mt19937_64& random) {
  std::string row(24, '\0');
  for (char& byte : row) byte = static_cast<char>(random());
  return row;
}
std::string Short(std::mt19937_64& random) {
  std::string row(random() % 11, '\0');
  for (char& byte : row) byte = "\0\1\x7f\xff"[random() % 4];
  return row;
}
std::string SharedPrefix(std::mt19937_64& random) {
  return "one prefix of all " + std::to_string(random() % 1000);
}
// Shared prefixes are longer than the sorted prefix, as long or shorter; rows end between zeros.
std::string LongSharedPrefix(std::mt19937_64& random) {
  std::string row(random() % 3 == 0 ? 40 : random() % 36, 'k');
  for (size_t i = random() % 5; i > 0; --i) row += "\0\1k\xff"[random() % 4];
  return row;
}
std::string FewValues(std::mt19937_64& random) { return std::string(random() % 3, 'x'); }
std::string Long(std::mt19937_64& random) {
  const size_t size = random() % 100 == 0 ? random() % 200'000 : random() % 2000;
  return std::string(size, static_cast<char>(random() % 3)) + std::to_string(random() % 10);
}
std::string LargestFirstBytes(std::mt19937_64& random) {
  return std::string(8, '\xff') + std::string(random() % 3, '\xff');
}

std::vector<std::string> MakeRows(RowMaker make, size_t count) {
  std::mt19937_64 random(count);
  std::vector<std::string> rows(count);
  for (std::string& row : rows) row = make(random);
  return rows;
}

Status SortRows(Scratch& scratch, uint64_t memory, const std::vector<std::string>& rows,
                std::vector<std::string>& sorted) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto sorter, RowSorter::Create(scratch, "sort", memory));
  for (const std::string& row : rows) ZHIWEN_RETURN_IF_ERROR(sorter->Add(row));
  ZHIWEN_RETURN_IF_ERROR(sorter->Sort());
  sorted.clear();
  std::string_view row;
  while (true) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, sorter->Next(row));
    if (!more) break;
    sorted.emplace_back(row);
  }
  // After the end, Next stays at the end.
  ZHIWEN_ASSIGN_OR_RETURN(const bool more, sorter->Next(row));
  EXPECT_FALSE(more);
  return {};
}

class EveryKindOfRow : public testing::TestWithParam<RowMaker> {};

INSTANTIATE_TEST_SUITE_P(Rows, EveryKindOfRow,
                         testing::Values(Fixed, Short, SharedPrefix, LongSharedPrefix, FewValues,
                                         Long, LargestFirstBytes));

TEST_P(EveryKindOfRow, ComesBackAsByStdSortWhateverTheMemory) {
  for (const size_t count : {0, 1, 2, 50, 3000, 40'000}) {
    if (GetParam() == Long && count > 3000) continue;
    const std::vector<std::string> rows = MakeRows(GetParam(), count);
    std::vector<std::string> expected = rows, sorted;
    std::sort(expected.begin(), expected.end());
    for (const uint64_t memory : {uint64_t{0}, uint64_t{300'000}, uint64_t{64} << 20}) {
      InMemoryFileSystem files;
      const auto scratch = Scratch::Create(files, "/scratch", 0).value();
      ASSERT_TRUE(SortRows(*scratch, memory, rows, sorted));
      ASSERT_EQ(sorted.size(), expected.size());
      ASSERT_TRUE(sorted == expected) << count << " rows in " << memory;
      EXPECT_TRUE(files.Files().empty());
      EXPECT_EQ(scratch->memory_used(), 0u);
      EXPECT_TRUE(memory < 64'000'000 || scratch->disk_written() == 0);
    }
  }
}

TEST(RowSorter, MergesInLevelsWhereTheMemoryHasNoRoomForAllRuns) {
  const std::vector<std::string> rows = MakeRows(Fixed, 200'000);  // some 130 runs of 50 at once
  std::vector<std::string> expected = rows, sorted;
  std::sort(expected.begin(), expected.end());
  InMemoryFileSystem files;
  const auto scratch = Scratch::Create(files, "/scratch", 0).value();
  ASSERT_TRUE(SortRows(*scratch, kLeast, rows, sorted));
  EXPECT_TRUE(sorted == expected);
  EXPECT_GT(scratch->disk_written(), 200'000u * 25 * 3 / 2);
  EXPECT_LT(scratch->disk_written(), 200'000u * 25 * 5 / 2);
}

TEST(RowSorter, KeepsToItsMemory) {
  InMemoryFileSystem files;
  const auto scratch = Scratch::Create(files, "/scratch", 0).value();
  const uint64_t memory = 1 << 20;
  const auto sorter = RowSorter::Create(*scratch, "sort", memory).value();
  uint64_t most = 0;
  for (const std::string& row : MakeRows(Fixed, 300'000)) {
    ASSERT_TRUE(sorter->Add(row));
    most = std::max(most, scratch->memory_used());
  }
  EXPECT_GT(scratch->disk_used(), 4u << 20);
  ASSERT_TRUE(sorter->Sort());
  std::string_view row;
  while (sorter->Next(row).value()) most = std::max(most, scratch->memory_used());
  EXPECT_LE(most, memory + memory / 50);  // lists of frames come on top
  EXPECT_GT(most, memory / 2);
}

TEST(RowSorter, CountsOnlyMemoryThatRowsReached) {
  InMemoryFileSystem files;
  const auto scratch = Scratch::Create(files, "/scratch", 0).value();
  const auto sorter = RowSorter::Create(*scratch, "sort", 1 << 30).value();
  ASSERT_TRUE(sorter->Add("row"));
  EXPECT_GT(scratch->memory_used(), 0u);
  EXPECT_LT(scratch->memory_used(), 3u << 20);
}

TEST(RowSorter, SpoolsLeaveRoomForIt) {
  InMemoryFileSystem files;
  const auto scratch = Scratch::Create(files, "/scratch", 8 << 20).value();
  const auto spool = Spool::Create(*scratch, "spool").value();
  ASSERT_TRUE(spool->Append(std::string(7 << 20, 'x')));
  const auto sorter = RowSorter::Create(*scratch, "sort", 4 << 20).value();
  for (const std::string& row : MakeRows(Fixed, 60'000)) ASSERT_TRUE(sorter->Add(row));
  EXPECT_LE(scratch->memory_used(), 8u << 20);
  EXPECT_TRUE(files.Files().contains("/scratch/spool"));
  EXPECT_FALSE(files.Files().contains("/scratch/sort.0"));
}

TEST(RowSorter, ARowLargerThanTheMemoryIsSortedToo) {
  std::vector<std::string> rows = {std::string(500'000, 'b'),       "b",
                                   std::string(400'000, 'a'),       "",
                                   std::string(500'000, 'b') + "a", "c"};
  std::vector<std::string> expected = rows, sorted;
  std::sort(expected.begin(), expected.end());
  InMemoryFileSystem files;
  const auto scratch = Scratch::Create(files, "/scratch", 0).value();
  ASSERT_TRUE(SortRows(*scratch, kLeast, rows, sorted));
  EXPECT_TRUE(sorted == expected);
}

TEST(RowSorter, CallsOutOfOrderAreRefused) {
  InMemoryFileSystem files;
  const auto scratch = Scratch::Create(files, "/scratch", 0).value();
  const auto sorter = RowSorter::Create(*scratch, "sort", 0).value();
  std::string_view row;
  EXPECT_EQ(sorter->Next(row).error().code, ErrorCode::kInternal);
  ASSERT_TRUE(sorter->Sort());
  EXPECT_EQ(sorter->Add("late").error().code, ErrorCode::kInternal);
}

TEST(RowSorter, AFaultAtAnyOperationComesBack) {
  const std::vector<std::string> rows = MakeRows(Fixed, 7000);
  std::vector<std::string> expected = rows, sorted;
  std::sort(expected.begin(), expected.end());
  const auto run = [&](FileSystem& files) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(const auto scratch, Scratch::Create(files, "/scratch", 0));
    return SortRows(*scratch, kLeast, rows, sorted);
  };
  uint64_t faults = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    FaultyFileSystem files(memory, {.at = n, .error = {ErrorCode::kExhausted, "injected"}});
    const Status status = run(files);
    if (!files.fired()) break;
    if (status) {  // a file could not be removed
      EXPECT_TRUE(sorted == expected);
      EXPECT_FALSE(memory.Files().empty()) << n;
      continue;
    }
    EXPECT_EQ(status.error().message, "injected") << n;
    ++faults;
  }
  EXPECT_GT(faults, 300u);
}

TEST(RowSorter, ADamagedRunIsAnErrorAndNeverWrongOrder) {
  const std::vector<std::string> rows = MakeRows(Fixed, 7000);
  for (const size_t at : {0, 5, 25, 5000, 100'000}) {
    InMemoryFileSystem files;
    const auto scratch = Scratch::Create(files, "/scratch", 0).value();
    const auto sorter = RowSorter::Create(*scratch, "sort", kLeast).value();
    for (const std::string& row : rows) ASSERT_TRUE(sorter->Add(row));
    const std::string path = "/scratch/sort.0";
    const std::string content = WithBitFlipped(files.Files().at(path), 8 * at);
    ASSERT_TRUE(files.OpenForWrite(path).value()->Append(content));
    Status status = sorter->Sort();
    std::string_view row;
    while (status) {
      const Result<bool> more = sorter->Next(row);
      if (!more) status = Fail(Result<bool>(more));
      if (!more || !*more) break;
    }
    ASSERT_FALSE(status.has_value()) << at;
    EXPECT_EQ(status.error().code, ErrorCode::kUnreadable);
    EXPECT_THAT(status.error().message, HasSubstr("\"/scratch/sort.0\": the scratch frame"));
  }
}

TEST(RowArena, LengthsOfAllSizesReadBack) {
  for (const uint32_t length : {0u, 1u, 127u, 128u, 16'383u, 16'384u, 1u << 21, 1u << 28,
                                std::numeric_limits<uint32_t>::max()}) {
    char bytes[kMaxRowLengthBytes];
    const char* const end = PutRowLength(length, bytes);
    const char* at = bytes;
    EXPECT_EQ(TakeRowLength(at), length);
    EXPECT_EQ(at, end);
  }
}

TEST(RowArena, IsMadeOfFarMoreThanTheMachineHas) {
  const auto arena = RowArena::Create(uint64_t{1} << 44);
  ASSERT_TRUE(arena.has_value()) << arena.error().message;
  ASSERT_TRUE((*arena)->Add("b"));
  ASSERT_TRUE((*arena)->Add("a"));
  (*arena)->Sort();
  EXPECT_EQ((*arena)->Row(0), "a");
  EXPECT_LT((*arena)->touched_bytes(), 100U);
}

TEST(RowArena, IsFullBeforeRowsAndEntriesMeet) {
  const auto arena = RowArena::Create(1000).value();
  std::vector<std::string> rows;
  std::mt19937_64 random(1);
  while (true) {
    const std::string row = Short(random);
    if (!arena->Add(row)) break;
    rows.push_back(row);
  }
  EXPECT_GT(rows.size(), 30u);
  EXPECT_LE(arena->touched_bytes(), 1000u);
  std::sort(rows.begin(), rows.end());
  arena->Sort();
  ASSERT_EQ(arena->size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(arena->Row(i), rows[i]);
}

}  // namespace
}  // namespace zhiwen
