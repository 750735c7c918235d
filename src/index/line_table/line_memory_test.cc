#include "index/line_table/line_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace zhiwen {
namespace {

constexpr uint64_t kOfPage = uint64_t{1} << kChunkShift;
constexpr uint64_t kPageBytes = kOfPage * kLineBytes;

void Mark(LineMemory& memory, uint64_t line) {
  for (uint8_t& byte : memory.at(line)->bytes) byte = static_cast<uint8_t>(line * 7 + 1);
}

bool IsMarked(const LineMemory& memory, uint64_t line) {
  for (const uint8_t byte : memory.at(line)->bytes) {
    if (byte != static_cast<uint8_t>(line * 7 + 1)) return false;
  }
  return true;
}

bool IsZero(const LineMemory& memory, uint64_t line) {
  for (const uint8_t byte : memory.at(line)->bytes) {
    if (byte != 0) return false;
  }
  return true;
}

TEST(LineMemory, KeepsWhatIsUsedUpwardsAFewLinesAtATime) {
  LineMemory memory;
  for (uint64_t line = 0; line < 9 * kOfPage + 5; line += 5) {
    memory.Use(line, line + 5);
    for (uint64_t i = line; i < line + 5; ++i) {
      ASSERT_TRUE(IsZero(memory, i)) << i;
      Mark(memory, i);
    }
  }
  for (uint64_t line = 0; line < 9 * kOfPage + 5; ++line) ASSERT_TRUE(IsMarked(memory, line));
  EXPECT_GE(memory.bytes(), 10 * kPageBytes);
  EXPECT_LT(memory.bytes(), 11 * kPageBytes);
}

// Uses lines as a growing table does: from its end to its front, while lines after those still to
// be moved are dropped.
TEST(LineMemory, KeepsWhatIsUsedDownwardsWhilePagesGoAndCome) {
  LineMemory memory;
  constexpr uint64_t kEnd = 14 * kOfPage, kGap = kOfPage + 3000;
  memory.Use(0, kEnd - kGap);
  for (uint64_t line = 0; line < kEnd - kGap; ++line) Mark(memory, line);
  uint64_t most = 0;
  for (uint64_t line = kEnd; line >= kGap + 3; line -= 3) {
    memory.Use(line - 3, line);
    for (uint64_t i = line - 3; i < line; ++i) Mark(memory, i);
    memory.Drop(line - kGap - 3, line - 3);
    most = std::max(most, memory.bytes());
  }
  for (uint64_t line = kGap + 3; line < kEnd; ++line) ASSERT_TRUE(IsMarked(memory, line)) << line;
  EXPECT_LT(most, 16 * kPageBytes);
}

TEST(LineMemory, IsMovedWithThePageThatIsFetched) {
  constexpr uint64_t kEnd = 8 * kOfPage;
  LineMemory memory;
  memory.Use(0, kEnd - 8);
  EXPECT_EQ(memory.bytes() / kPageBytes, 8);
  memory.Use(kEnd - 8, kEnd);  // the next page is being fetched
  Mark(memory, kEnd - 1);
  const uint64_t bytes = memory.bytes();
  EXPECT_EQ(bytes / kPageBytes, 9);
  LineMemory moved = std::move(memory);
  EXPECT_EQ(moved.bytes(), bytes);
  moved.Use(kEnd, kEnd + 1);
  EXPECT_TRUE(IsZero(moved, kEnd));
  EXPECT_TRUE(IsMarked(moved, kEnd - 1));
  EXPECT_EQ(moved.bytes() / kPageBytes, 9);
  LineMemory other;
  other.Use(0, kEnd);
  other.Fetch(0);  // this page exists
  EXPECT_EQ(other.bytes() / kPageBytes, 8);
  other.Fetch(11 * kOfPage);  // this page is given back unused
  EXPECT_EQ(other.bytes() / kPageBytes, 9);
  moved = std::move(other);
  EXPECT_TRUE(IsZero(moved, 2));
}

}  // namespace
}  // namespace zhiwen
