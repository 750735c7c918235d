#include "base/large_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>

namespace zhiwen {
namespace {

TEST(LargeMemory, IsZeroAndAlignedAndWritableToItsEnd) {
  for (const size_t bytes :
       {size_t{1}, kHugePageBytes - 1, kHugePageBytes, 3 * kHugePageBytes + 5}) {
    for (const PageKind kind : {PageKind::kUsual, PageKind::kHuge}) {
      auto* const memory = static_cast<char*>(MapLarge(bytes, kind));
      EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % kHugePageBytes, 0u);
      EXPECT_EQ(memory[0], 0);
      EXPECT_EQ(memory[bytes - 1], 0);
      std::memset(memory, 7, bytes);
      EXPECT_EQ(memory[bytes - 1], 7);
      UnmapLarge(memory, bytes);
    }
  }
}

TEST(LargeMemory, PagesThatWereDroppedReadAsZerosAndTheOthersStay) {
  constexpr size_t kPart = size_t{256} << 10;
  auto* const memory = static_cast<char*>(MapLarge(kHugePageBytes, PageKind::kHuge));
  std::memset(memory, 7, kHugePageBytes);
  DropPages(memory + kPart, kPart);
  EXPECT_EQ(memory[kPart - 1], 7);
  EXPECT_EQ(memory[kPart], 0);
  EXPECT_EQ(memory[2 * kPart - 1], 0);
  EXPECT_EQ(memory[2 * kPart], 7);
  UnmapLarge(memory, kHugePageBytes);
}

TEST(LargeMemory, MoreThanThereIsCannotBeHad) {
  EXPECT_THROW(MapLarge(std::numeric_limits<size_t>::max() - 5, PageKind::kUsual), std::bad_alloc);
  EXPECT_THROW(MapLarge(size_t{1} << 60, PageKind::kHuge), std::bad_alloc);
}

TEST(LargeMemory, AVectorKeepsItsValuesWhenItBecomesLarge) {
  LargeVector<uint64_t> values;
  for (uint64_t i = 0; i < 1'500'000; ++i) values.push_back(i * i);
  ASSERT_GT(values.size() * sizeof(uint64_t), LargeAllocator<uint64_t>::kLeastBytes);
  for (uint64_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], i * i);
  values.assign(2'000'000, 3);
  EXPECT_EQ(values.back(), 3u);
  values.resize(10);
  values.resize(2'000'000);  // leaves the added values uninitialized
  EXPECT_EQ(values.back(), 3u);
}

}  // namespace
}  // namespace zhiwen
