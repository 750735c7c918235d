#include "index/line_table/hot_keys.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace zhiwen {
namespace {

using Expected = std::map<uint32_t, std::multiset<uint32_t>>;

std::multiset<uint32_t> ValuesOf(const HotKeyValues& values) {
  std::multiset<uint32_t> all;
  values.VisitValues(SIZE_MAX, [&](uint32_t value) { all.insert(value); });
  return all;
}

Expected AllFrom(const HotKeys& keys, uint32_t begin, uint64_t end) {
  Expected all;
  uint64_t before = begin;
  keys.VisitFrom(begin, end, [&](uint32_t key, const HotKeyValues& values) {
    EXPECT_GE(key, before) << "ascending, each once";
    before = uint64_t{key} + 1;
    all[key] = ValuesOf(values);
  });
  return all;
}

// Draws keys that share a bucket and others, with values that fill up to several chunks.
TEST(HotKeys, AreTheMapOfTheirValues) {
  std::mt19937_64 random(1);
  HotKeys keys;
  Expected expected;
  const auto key_at = [](uint64_t i) {
    return static_cast<uint32_t>(i % 2 == 0 ? i * 3 : i * 0x9E3779B9);
  };
  for (int i = 0; i < 200000; ++i) {
    const uint32_t key = key_at(random() % (random() % 60 + 1));
    const auto value = static_cast<uint32_t>(random() % 5000);
    HotKeyValues* found = keys.Find(key);
    ASSERT_EQ(found != nullptr, expected.contains(key));
    if (random() % 5 > 0) {
      if (found == nullptr) found = &keys.Insert(key);
      found->Add(value);
      expected[key].insert(value);
    } else if (found != nullptr) {
      auto& values = expected[key];
      const auto at = values.find(value);
      ASSERT_EQ(found->Remove(value), at != values.end());
      if (at != values.end()) values.erase(at);
      if (values.empty()) {
        ASSERT_EQ(found->size(), 0);
        keys.Erase(key);
        expected.erase(key);
      }
    }
    ASSERT_EQ(keys.size(), expected.size());
  }
  EXPECT_GT(expected.begin()->second.size(), 2 * HotKeyValues::kChunkValues);
  EXPECT_EQ(AllFrom(keys, 0, uint64_t{1} << 32), expected);
  const uint32_t begin = key_at(41), end = key_at(17);
  ASSERT_LT(begin, end);
  EXPECT_EQ(AllFrom(keys, begin, end),
            Expected(expected.lower_bound(begin), expected.lower_bound(end)));
}

TEST(HotKeys, AreGoneWhenAllIsRemoved) {
  HotKeys keys;
  EXPECT_EQ(keys.Find(7), nullptr);
  EXPECT_EQ(keys.bytes(), 0);
  HotKeyValues& values = keys.Insert(7);
  const uint32_t count = 3 * HotKeyValues::kChunkValues;
  for (uint32_t i = 0; i < count; ++i) values.Add(i);
  EXPECT_GE(keys.bytes(), count * sizeof(uint32_t));
  for (uint32_t i = 0; i < count; ++i) EXPECT_TRUE(values.Remove(i));
  EXPECT_FALSE(values.Remove(0));
  EXPECT_EQ(values.size(), 0);
  keys.Erase(7);
  EXPECT_EQ(keys.Find(7), nullptr);
  EXPECT_EQ(keys.size(), 0);
}

TEST(HotKeyValues, VisitThoseWithinADistanceUpToALimit) {
  std::mt19937_64 random(2);
  for (const uint64_t count : {0, 1, 255, 256, 300, 5000, 8192, 9000}) {
    HotKeyValues values;
    std::vector<uint32_t> all;
    for (uint64_t i = 0; i < count; ++i) {
      all.push_back(static_cast<uint32_t>(random() & random() & 0xFF));
      values.Add(all.back());
    }
    for (const size_t limit : {size_t{0}, size_t{1}, size_t{4097}, SIZE_MAX}) {
      std::vector<uint32_t> expected, near, some;
      const size_t looked_at = std::min<size_t>(limit, count);
      for (size_t i = 0; i < looked_at; ++i) {
        if (std::popcount(all[i] ^ 5U) <= 2) expected.push_back(all[i]);
      }
      values.VisitNear(5, 2, limit, [&](uint32_t value) { near.push_back(value); });
      values.VisitValues(limit, [&](uint32_t value) { some.push_back(value); });
      EXPECT_EQ(near, expected) << count << ", " << limit;
      EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
      EXPECT_EQ(some.size(), looked_at);
    }
  }
}

}  // namespace
}  // namespace zhiwen
