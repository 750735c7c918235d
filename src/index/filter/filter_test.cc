// Compares every kind of filter with exact sets and with theory.

#include "zhiwen/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "index/filter/bloom_filter.h"
#include "index/filter/cuckoo_filter.h"
#include "index/filter/fuse_filter.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;

// Draws distinct keys: odd ones for members of a set, even ones for others. They are harder than
// hashes: codes that differ in few bits, and consecutive numbers.
std::vector<uint64_t> DrawKeys(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> keys(count);
  for (size_t i = 0; i < count; ++i) keys[i] = i % 2 == 0 ? i << 1 | 1 : random() | 1;
  return keys;
}

std::vector<uint64_t> OtherKeys(size_t count, uint64_t seed) {
  std::vector<uint64_t> keys = DrawKeys(count, seed);
  for (uint64_t& key : keys) --key;
  return keys;
}

std::vector<uint32_t> Selected(const KeyFilter& filter, const std::vector<uint64_t>& keys) {
  std::vector<uint32_t> places(keys.size());
  places.resize(filter.Select(keys, places.data()));
  return places;
}

class EveryKind : public testing::TestWithParam<FilterKind> {
 protected:
  FilterKind kind() const { return GetParam(); }
  KeyFilter Build(const std::vector<uint64_t>& keys, double rate = 0.01) const {
    return *KeyFilter::Build({.kind = kind(), .false_positives = rate}, keys);
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind,
                         testing::Values(FilterKind::kBloom, FilterKind::kCuckoo,
                                         FilterKind::kFuse8, FilterKind::kFuse16),
                         [](const auto& kind) { return std::string(TraitsOf(kind.param).name); });

TEST_P(EveryKind, HasNoFalseNegativeForAnyNumberOfKeys) {
  std::vector<size_t> sizes = {0, 100, 1000, 1023, 1024, 1025, 30'000};
  for (size_t size = 1; size <= 40; ++size) sizes.push_back(size);
  for (const size_t size : sizes) {
    const std::vector<uint64_t> keys = DrawKeys(size, size);
    const KeyFilter filter = Build(keys);
    EXPECT_EQ(Selected(filter, keys).size(), size);
    EXPECT_TRUE(filter.kind() == FilterKind::kBloom || filter.keys() == size);
    EXPECT_EQ(filter.options().keys, size);
  }
}

TEST_P(EveryKind, WithoutAKeyPassesNothing) {
  EXPECT_TRUE(Selected(Build({}), OtherKeys(5000, 1)).empty());
}

TEST_P(EveryKind, TakesEqualKeysOnce) {
  std::vector<uint64_t> keys = DrawKeys(300, 1);
  const std::vector<uint64_t> once = keys;
  for (int i = 0; i < 7; ++i) keys.insert(keys.end(), once.begin(), once.end());
  keys.insert(keys.end(), 1000, once[0]);
  const KeyFilter filter = Build(keys);
  EXPECT_EQ(filter.options().keys, once.size());
  EXPECT_EQ(Selected(filter, once).size(), once.size());
}

// Selected places are in order, each once, and equal the results of testing one key after another.
TEST_P(EveryKind, SelectsWhatMayBeInTheSet) {
  const std::vector<uint64_t> in = DrawKeys(5000, 1);
  const KeyFilter filter = Build(in, 0.2);
  for (const size_t size : {0, 1, 15, 16, 17, 1024, 1025, 5000}) {
    std::vector<uint64_t> keys = OtherKeys(size, 2);
    for (size_t i = 0; i < size; i += 3) keys[i] = in[i];
    std::vector<uint32_t> expected;
    for (size_t i = 0; i < size; ++i) {
      if (filter.MayContain(keys[i])) expected.push_back(static_cast<uint32_t>(i));
    }
    EXPECT_EQ(Selected(filter, keys), expected) << size;
  }
}

// Given the content of a filter, other keys pass independently of each other, so their number is
// binomial. Five deviations are exceeded once in two million cases; the seed is fixed.
TEST_P(EveryKind, PassesOthersAsOftenAsTheorySays) {
  for (const double rate : {0.2, 0.01, 0.001}) {
    const std::vector<uint64_t> keys = DrawKeys(100'000, 3);
    const KeyFilter filter = Build(keys, rate);
    const double expected = filter.false_positives();
    // The content of 4,000 blocks is random, too; there five deviations are an eighth.
    EXPECT_TRUE(expected <= rate * 1.125 || !TraitsOf(kind()).can_add);
    const size_t asked = 300'000;
    const auto passed = static_cast<double>(Selected(filter, OtherKeys(asked, 4)).size());
    const double mean = expected * asked;
    EXPECT_NEAR(passed, mean, 5 * std::sqrt(mean * (1 - expected))) << rate;
  }
}

TEST_P(EveryKind, SaysWhatItCannot) {
  KeyFilter filter = Build(DrawKeys(10, 1));
  const FilterKindTraits& traits = TraitsOf(kind());
  const std::vector<uint64_t> keys = {1};
  const Status added = filter.Add(keys), removed = filter.Remove(keys);
  EXPECT_EQ(added.has_value(), traits.can_add);
  EXPECT_EQ(removed.has_value(), traits.can_remove);
  if (!added) {
    EXPECT_THAT(added.error().message, HasSubstr("bloom or cuckoo"));
  }
  if (!removed) {
    EXPECT_THAT(removed.error().message, HasSubstr("cuckoo"));
  }
  const auto empty = KeyFilter::Create({.kind = kind()});
  EXPECT_EQ(empty.has_value(), traits.can_add);
}

TEST(KeyFilter, RefusesWhatCannotBe) {
  for (const FilterKind kind : {FilterKind::kBloom, FilterKind::kCuckoo}) {
    for (const double rate : {0.0, -1.0, 0.6, 1e-8, std::nan("")}) {
      const auto filter = KeyFilter::Create({.kind = kind, .false_positives = rate});
      ASSERT_FALSE(filter) << rate;
      EXPECT_EQ(filter.error().code, ErrorCode::kInvalidArgument);
    }
    for (const uint64_t keys : {kMostFilterKeys, std::numeric_limits<uint64_t>::max()}) {
      EXPECT_FALSE(KeyFilter::Create({.kind = kind, .keys = keys, .false_positives = 1e-7}));
    }
  }
}

// --- bloom ---------------------------------------------------------------------------------------

// Draws the sum over the number of keys in a block instead of computing it.
TEST(BloomFilter, IsSizedByTheory) {
  std::mt19937_64 random(1);
  std::poisson_distribution<int> keys_of_block(20);
  double sum = 0;
  const int blocks = 40'000;
  for (int i = 0; i < blocks; ++i) {
    sum += std::pow(1 - std::pow(31.0 / 32, keys_of_block(random)), 8);
  }
  EXPECT_NEAR(BloomFalsePositives(20), sum / blocks, 0.05 * sum / blocks);
  for (const double rate : {0.5, 0.01, 1e-7}) {
    const double blocks_needed = BloomBlocks(1'000'000, rate);
    EXPECT_LE(BloomFalsePositives(1e6 / blocks_needed), rate);
    EXPECT_GT(BloomFalsePositives(1e6 / (blocks_needed * 0.99)), rate);
  }
}

TEST(BloomFilter, PassesMoreBeyondWhatItIsMadeFor) {
  KeyFilter filter = *KeyFilter::Create({.keys = 1000});
  const std::vector<uint64_t> keys = DrawKeys(4000, 1);
  const auto all = std::span(keys);
  ASSERT_TRUE(filter.Add(all.first(1000)));
  EXPECT_NEAR(filter.false_positives(), 0.01, 0.003);
  EXPECT_NEAR(static_cast<double>(filter.keys()), 1000, 20);
  ASSERT_TRUE(filter.Add(all.first(1000)));
  EXPECT_LE(filter.keys(), 1000u) << "keys that were there are no new ones";
  ASSERT_TRUE(filter.Add(all));
  EXPECT_GT(filter.false_positives(), 0.3);
  EXPECT_EQ(Selected(filter, keys).size(), keys.size());
}

// --- cuckoo --------------------------------------------------------------------------------------

constexpr FilterOptions kSmallCuckoo = {.kind = FilterKind::kCuckoo, .keys = 300};

// Adds and removes keys at random, and compares with a multiset.
TEST(CuckooFilter, ForgetsNothingWhateverIsAddedAndRemoved) {
  KeyFilter filter = *KeyFilter::Create(kSmallCuckoo);
  std::mt19937_64 random(1);
  std::multiset<uint64_t> in;
  for (int step = 0; step < 4000; ++step) {
    const uint64_t key = random() % 400;
    if (in.count(key) < 3 && in.size() < 250 && random() % 8 < 5) {
      ASSERT_TRUE(filter.Add({&key, 1}));
      in.insert(key);
    } else if (const auto found = in.find(key); found != in.end()) {
      ASSERT_TRUE(filter.Remove({&key, 1}));
      in.erase(found);
    }
    ASSERT_EQ(filter.keys(), in.size());
    if (step % 50 == 0) {
      for (const uint64_t each : in) ASSERT_TRUE(filter.MayContain(each));
    }
  }
  const std::vector<uint64_t> rest(in.begin(), in.end());
  ASSERT_TRUE(filter.Remove(rest));
  EXPECT_EQ(filter.keys(), 0u);
  EXPECT_TRUE(Selected(filter, DrawKeys(5000, 9)).empty());
}

// Compares the answers for all kinds of keys before and after.
TEST(CuckooFilter, ThatIsFullSaysSoAndStaysAsItWas) {
  KeyFilter filter = *KeyFilter::Create(kSmallCuckoo);
  const std::vector<uint64_t> keys = DrawKeys(2000, 1), others = OtherKeys(5000, 2);
  const auto all = std::span(keys);
  size_t added = 0;
  while (filter.Add(all.subspan(added, 1))) ++added;
  EXPECT_GE(added, 300u);
  const auto before = Selected(filter, others), in = Selected(filter, keys);
  for (const size_t more : {1, 2, 50, 500}) {
    const Status status = filter.Add(all.subspan(added, more));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kExhausted);
    EXPECT_THAT(status.error().message, HasSubstr("build a larger one"));
    EXPECT_EQ(filter.keys(), added);
    EXPECT_EQ(Selected(filter, others), before);
    EXPECT_EQ(Selected(filter, keys), in);
  }
  ASSERT_TRUE(filter.Remove(all.first(added)));
  EXPECT_EQ(filter.keys(), 0u);
}

TEST(CuckooFilter, HasRoomForOneKeyEightTimes) {
  KeyFilter filter = *KeyFilter::Create(kSmallCuckoo);
  const uint64_t key = 7;
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(filter.Add({&key, 1}));
  EXPECT_EQ(filter.Add({&key, 1}).error().code, ErrorCode::kExhausted);
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(filter.Remove({&key, 1}));
  EXPECT_FALSE(filter.MayContain(key));
}

TEST(CuckooFilter, RemovesNothingWhereOneIsNotThere) {
  std::vector<uint64_t> keys = DrawKeys(100, 1);
  KeyFilter filter = *KeyFilter::Build(kSmallCuckoo, keys);
  const std::vector<uint64_t> in = keys;
  uint64_t absent = 0;
  while (filter.MayContain(absent)) absent += 2;
  keys.push_back(absent);
  const Status status = filter.Remove(keys);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(status.error().message, HasSubstr("key 101"));
  EXPECT_EQ(filter.keys(), 100u);
  EXPECT_EQ(Selected(filter, in).size(), 100u);
}

// Tags that are not a byte wide cross byte borders.
TEST(CuckooFilter, KeepsTagsOfEveryWidth) {
  CuckooShape shape = CuckooShape::For(2000, 0.5);
  EXPECT_EQ(shape.tag_bits, 8u);
  EXPECT_EQ(CuckooShape::For(2000, kLeastFalsePositives).tag_bits, 27u);
  for (; shape.IsPossible(); ++shape.tag_bits) {
    CuckooFilter filter(shape);
    const std::vector<uint64_t> keys = DrawKeys(2000, shape.tag_bits);
    ASSERT_TRUE(filter.Add(keys)) << shape.tag_bits;
    std::vector<uint32_t> places(keys.size());
    EXPECT_EQ(filter.Select(keys, places.data()), keys.size());
    EXPECT_EQ(CuckooFilter(shape, filter.bytes()).keys(), keys.size());
  }
  EXPECT_EQ(shape.tag_bits, 28u);
}

// --- fuse ----------------------------------------------------------------------------------------

// Covers equal keys, which make the first seed fail.
TEST(FuseFilter, IsTheSameForTheSameKeys) {
  std::vector<uint64_t> keys = DrawKeys(3000, 1);
  const auto filter = *FuseFilter<uint8_t>::Build(keys);
  std::ranges::reverse(keys);
  EXPECT_EQ((*FuseFilter<uint8_t>::Build(keys))->bytes(), filter->bytes());
  keys.insert(keys.end(), {keys[0], keys[7], keys[7]});
  EXPECT_EQ((*FuseFilter<uint8_t>::Build(keys))->bytes(), filter->bytes());
}

TEST(FuseFilter, TakesAsMuchRoomAsThePaperSays) {
  EXPECT_NEAR(static_cast<double>(FuseShape::For(1'000'000).slots()) / 1e6, 1.13, 0.01);
  EXPECT_NEAR(static_cast<double>(FuseShape::For(100'000'000).slots()) / 1e8, 1.125, 0.005);
  for (uint64_t keys = 0; keys < kMostFuseKeys; keys = keys * 3 / 2 + 1) {
    EXPECT_TRUE(FuseShape::For(keys).IsPossible()) << keys;
    EXPECT_GE(FuseShape::For(keys).slots(), keys);
  }
  EXPECT_TRUE(FuseShape::For(kMostFuseKeys).IsPossible());
}

}  // namespace
}  // namespace zhiwen
