#include "index/references/bit_filter.h"

#include <gtest/gtest.h>

#include <random>

namespace zhiwen {
namespace {

std::vector<uint64_t> RandomKeys(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> keys(count);
  for (uint64_t& key : keys) key = random();
  return keys;
}

TEST(BitFilter, EveryInsertedKeyPasses) {
  for (const size_t count : {1, 2, 10, 1000, 50'000}) {
    const auto keys = RandomKeys(count, count);
    BitFilter filter(count);
    for (const uint64_t key : keys) filter.Insert(key);
    for (const uint64_t key : keys) EXPECT_TRUE(filter.MayContain(key));
    EXPECT_LE(filter.bytes(), BitFilter::BytesFor(count));
  }
}

// No filter is ever fuller than one with 43,690 or 87,380 keys.
TEST(BitFilter, FewOfTheOtherKeysPass) {
  for (const size_t count : {3000, 10'000, 43'690, 87'380, 100'000}) {
    BitFilter filter(count);
    for (const uint64_t key : RandomKeys(1, count)) filter.Insert(key);
    size_t passed = 0;
    for (const uint64_t key : RandomKeys(2, 100'000)) passed += filter.MayContain(key) ? 1 : 0;
    EXPECT_LT(passed, 2000u) << count;
  }
}

TEST(BitFilter, SelectGivesThePlacesOfTheKeysThatPass) {
  BitFilter filter(500);
  const auto keys = RandomKeys(3, 2000);
  for (size_t i = 0; i < keys.size(); i += 4) filter.Insert(keys[i]);
  std::vector<uint32_t> expected, places(keys.size());
  for (uint32_t i = 0; i < keys.size(); ++i) {
    if (filter.MayContain(keys[i])) expected.push_back(i);
  }
  places.resize(filter.Select(keys, places.data()));
  EXPECT_EQ(places, expected);
  EXPECT_LT(places.size(), 700u);
}

TEST(BitFilter, AnEmptyOneLetsNothingPass) {
  std::vector<uint32_t> places(100);
  EXPECT_EQ(BitFilter().Select(RandomKeys(4, 100), places.data()), 0u);
  EXPECT_EQ(BitFilter(1000).Select(RandomKeys(4, 100), places.data()), 0u);
}

}  // namespace
}  // namespace zhiwen
