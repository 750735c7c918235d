#include "base/hash.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

// Stored values rest on these: XXH3 with seed 0, as the reference implementation publishes them.
TEST(Hash, IsXxh3) {
  EXPECT_EQ(HashBytes64(""), 0x2d06800538d394c2u);
  EXPECT_EQ(ToHex(HashBytes128("")), "99aa06d3014798d86001c324468d497f");
}

TEST(Hash, DependsOnEveryByteAndOnTheSeed) {
  EXPECT_NE(HashBytes64(std::string_view("a\0", 2)), HashBytes64("a"));
  EXPECT_NE(HashBytes64("指纹", 1), HashBytes64("指纹", 2));
  EXPECT_NE(HashBytes128("指纹", 1), HashBytes128("指纹", 2));
}

TEST(Hash, HexKeepsLeadingZeros) {
  EXPECT_EQ(ToHex({.high = 1, .low = 0xab}), "000000000000000100000000000000ab");
}

}  // namespace
}  // namespace zhiwen
