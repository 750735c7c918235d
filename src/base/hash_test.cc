#include "base/hash.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <random>
#include <string>

#include "zhiwen/simd.h"

namespace zhiwen {
namespace {

// Stored values depend on these: XXH3 with seed 0, as the reference implementation publishes them.
TEST(Hash, IsXxh3) {
  EXPECT_EQ(HashBytes64(""), 0x2d06800538d394c2u);
  EXPECT_EQ(HashBytes128(""), Hash128(0x99aa06d3014798d8, 0x6001c324468d497f));
}

TEST(Hash, IsXxh3OfInputsOfAnyLengthOnEveryInstructionSet) {
  std::mt19937_64 random(1);
  std::string bytes(20000, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  const SimdLevel before = SelectedSimdLevel();
  for (const SimdLevel level : SupportedSimdLevels()) {
    ASSERT_TRUE(SelectKernels(level));
    for (size_t size = 0; size <= bytes.size(); size += 1 + random() % 9) {
      const std::string_view part = std::string_view(bytes).substr(bytes.size() - size);
      for (const uint64_t seed : {0, 7}) {
        const XXH128_hash_t expected = XXH3_128bits_withSeed(part.data(), size, seed);
        ASSERT_EQ(HashBytes128(part, seed), Hash128(expected.high64, expected.low64)) << size;
      }
    }
  }
  ASSERT_TRUE(SelectKernels(before));
}

TEST(Hash, DependsOnEveryByteAndOnTheSeed) {
  EXPECT_NE(HashBytes64(std::string_view("a\0", 2)), HashBytes64("a"));
  EXPECT_NE(HashBytes64("指纹", 1), HashBytes64("指纹", 2));
  EXPECT_NE(HashBytes128("指纹", 1), HashBytes128("指纹", 2));
}

}  // namespace
}  // namespace zhiwen
