#include "pipeline/dedup/rows/bounded_partitions.h"

#include <gtest/gtest.h>

#include <random>

#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

struct Coding {
  static constexpr size_t kBytes = sizeof(uint64_t);
  static void Encode(uint64_t row, char* out) {
    row = __builtin_bswap64(row);
    std::copy_n(reinterpret_cast<const char*>(&row), sizeof row, out);
  }
  static uint64_t Decode(const char* bytes) {
    uint64_t row;
    std::copy_n(bytes, sizeof row, reinterpret_cast<char*>(&row));
    return __builtin_bswap64(row);
  }
};
using Partitions = BoundedPartitions<uint64_t, Coding>;

TEST(BoundedPartitions, GiveEveryRowInOrderHoweverManyOnePartitionHas) {
  InMemoryFileSystem files;
  const auto scratch = Scratch::Create(files, "/scratch", 0).value();
  for (const uint64_t most : {8U, 800U, 8000U, 800000U}) {
    const auto rows = Partitions::Create(*scratch, "rows",
                                         {.partitions = 5,
                                          .buffer_bytes = 4096,
                                          .partition_bytes = most,
                                          .sorter_bytes = 64 << 10})
                          .value();
    std::vector<std::vector<uint64_t>> expected(5);
    std::mt19937_64 random(most);
    for (size_t i = 0; i < 50000; ++i) {
      const auto partition = static_cast<uint32_t>(random() % 20 == 0 ? random() % 5 : 3);
      const uint64_t row = random() % 30000 << 30;  // some are there twice
      expected[partition].push_back(row);
      ASSERT_TRUE(rows->Append(partition, row).has_value());
    }
    std::vector<std::vector<uint64_t>> got(5);
    uint32_t at = 0;
    const auto visit = [&](std::span<const uint64_t> some) -> Status {
      EXPECT_LE(some.size(), std::max<uint64_t>(most / 8, 4096));
      got[at].insert(got[at].end(), some.begin(), some.end());
      return {};
    };
    std::vector<char> bytes;
    for (at = 0; at < 5; ++at) {
      if (rows->IsLarge(at)) continue;
      ASSERT_TRUE(rows->Read(at, bytes, visit).has_value());
    }
    std::vector<uint32_t> large;
    const auto begin = [&](uint32_t partition) -> Status {
      large.push_back(partition);
      at = partition;
      return {};
    };
    ASSERT_TRUE(rows->ReadLarge(begin, visit, [] { return Status(); }).has_value());
    for (uint32_t p = 0; p < 5; ++p) {
      std::ranges::sort(expected[p]);
      EXPECT_EQ(got[p], expected[p]) << most << ' ' << p;
      EXPECT_EQ(rows->IsLarge(p), expected[p].size() * 8 > most);
      EXPECT_EQ(std::ranges::count(large, p), rows->IsLarge(p) ? 1 : 0);
    }
  }
}

TEST(BoundedPartitions, StopWithTheErrorOfTheirVisitor) {
  InMemoryFileSystem files;
  const auto scratch = Scratch::Create(files, "/scratch", 0).value();
  const auto rows = Partitions::Create(*scratch, "rows", {1, 4096, 80, 64 << 10}).value();
  for (uint64_t i = 0; i < 100; ++i) ASSERT_TRUE(rows->Append(0, i).has_value());
  const auto fail = [](std::span<const uint64_t>) -> Status {
    return Fail(ErrorCode::kInterrupted, "stop");
  };
  const auto status =
      rows->ReadLarge([](uint32_t) { return Status(); }, fail, [] { return Status(); });
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace zhiwen
