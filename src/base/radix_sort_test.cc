#include "base/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace zhiwen {
namespace {

TEST(RadixSort, SortsLikeTheStandardLibrary) {
  std::mt19937_64 random(1);
  for (const size_t count : {0, 1, 2, 3, 255, 256, 257, 5000}) {
    for (const uint64_t mask : {~uint64_t{0}, uint64_t{0}, uint64_t{0xFF00FF}, uint64_t{3} << 62}) {
      LargeVector<uint64_t> values(count), scratch;
      for (uint64_t& value : values) value = random() & mask;
      std::vector<uint64_t> expected(values.begin(), values.end());
      std::sort(expected.begin(), expected.end());
      RadixSort(values, scratch);
      EXPECT_TRUE(std::equal(values.begin(), values.end(), expected.begin(), expected.end()))
          << count << " " << mask;
    }
  }
}

}  // namespace
}  // namespace zhiwen
