// The fast form of the single pass gives what the definition gives, code by code.

#include "cluster/single_pass.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace zhiwen {
namespace {

void ExpectSameSteps(const std::vector<uint64_t>& codes, uint32_t code_bits, uint32_t radius) {
  const auto slow = MakeSlowSinglePass(radius);
  const auto fast = MakeIndexedSinglePass(code_bits, radius);
  for (size_t i = 0; i < codes.size(); ++i) {
    const auto wanted = slow->Take(codes[i]);
    const auto got = fast->Take(codes[i]);
    ASSERT_TRUE(wanted && got);
    ASSERT_EQ(got->centre, wanted->centre) << i;
    ASSERT_EQ(got->is_new, wanted->is_new) << i;
    ASSERT_EQ(got->distance, wanted->distance) << i;
    ASSERT_EQ(fast->centres(), slow->centres()) << i;
  }
}

// Codes that are near earlier ones, far from them, or the same.
std::vector<uint64_t> MakeStream(uint32_t seed, size_t count, uint64_t mask) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> codes;
  while (codes.size() < count) {
    uint64_t code = random();
    if (!codes.empty() && random() % 3 != 0) {
      code = codes[random() % codes.size()];
      for (uint64_t flips = random() % 8; flips > 0; --flips) code ^= uint64_t{1} << random() % 64;
    }
    codes.push_back(code & mask);
  }
  return codes;
}

TEST(SinglePass, EqualsTheDefinitionForEveryRadius) {
  for (const uint32_t radius : {0U, 1U, 3U, 6U, 12U}) {
    ExpectSameSteps(MakeStream(radius + 1, 3000, ~uint64_t{0}), 64, radius);
    ExpectSameSteps(MakeStream(radius + 1, 3000, 0xFFFFFFFF), 32, radius);
  }
}

// Twelve bits in which codes differ: many centres are equally near.
TEST(SinglePass, EqualsTheDefinitionWhereCentresAreEquallyNear) {
  for (uint32_t seed = 1; seed <= 5; ++seed) {
    ExpectSameSteps(MakeStream(seed, 2000, 0x0101010101010F01), 64, 2);
  }
}

// 语义指纹…, step 5: a new centre has its place in ascending order, and ties go to the smallest.
TEST(SinglePass, JoinsTheSmallestOfEquallyNearCentres) {
  const auto pass = MakeIndexedSinglePass(64, 3);
  for (const uint64_t code : {0b1111'0000U, 0b0000'1111U}) EXPECT_TRUE(pass->Take(code)->is_new);
  const auto step = pass->Take(0b0011'0011);  // four bits from both
  EXPECT_TRUE(step->is_new);
  const auto wide = MakeIndexedSinglePass(64, 4);
  for (const uint64_t code : {0b1111'1111'0000U, 0b0000'0000'0000U}) {
    EXPECT_TRUE(wide->Take(code)->is_new);
  }
  const auto tie = wide->Take(0b0000'1111'0000);
  EXPECT_FALSE(tie->is_new);
  EXPECT_EQ(tie->centre, 0U);
  EXPECT_EQ(tie->distance, 4U);
}

TEST(SinglePass, ACodeAtTheRadiusJoinsAndOneBeyondItDoesNot) {
  const auto pass = MakeIndexedSinglePass(64, 3);
  EXPECT_TRUE(pass->Take(0)->is_new);
  EXPECT_FALSE(pass->Take(0b111)->is_new);
  EXPECT_TRUE(pass->Take(0b1111)->is_new);
  EXPECT_EQ(pass->centres(), 2U);
}

}  // namespace
}  // namespace zhiwen
