#include "feature/shingles_xxh3.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <random>
#include <string>

namespace zhiwen {
namespace {

uint64_t SlowShingle(const std::vector<uint32_t>& symbols, size_t begin, size_t length) {
  std::string bytes;
  for (size_t i = begin; i < begin + length; ++i) {
    for (int shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<char>(symbols[i] >> shift & 0xFF));
    }
  }
  return XXH3_64bits(bytes.data(), bytes.size());
}

TEST(ShinglesXxh3, HashLittleEndianSymbolsForEveryLength) {
  std::mt19937 random(1);
  std::vector<uint32_t> symbols(80);
  for (uint32_t& symbol : symbols) symbol = static_cast<uint32_t>(random());
  for (size_t length = 1; length <= 64; ++length) {
    std::vector<uint64_t> hashes = {7};
    ComputeShinglesXxh3(symbols, length, hashes);
    ASSERT_EQ(hashes.size(), symbols.size() - length + 1);
    for (size_t i = 0; i < hashes.size(); ++i) {
      ASSERT_EQ(hashes[i], SlowShingle(symbols, i, length)) << length << " from " << i;
    }
  }
}

TEST(ShinglesXxh3, OfAShortTextAreNone) {
  std::vector<uint64_t> hashes = {7};
  ComputeShinglesXxh3(std::vector<uint32_t>{1, 2}, 3, hashes);
  EXPECT_TRUE(hashes.empty());
}

}  // namespace
}  // namespace zhiwen
