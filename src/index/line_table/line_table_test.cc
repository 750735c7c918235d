#include "index/line_table/line_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "index/line_table/mix_key.h"

namespace zhiwen {
namespace {

using Entries = std::set<std::pair<uint32_t, uint32_t>>;

Entries EntriesOf(const LineTable& table) {
  Entries entries;
  table.VisitAll(
      [&](uint32_t mixed, uint32_t value) { EXPECT_TRUE(entries.emplace(mixed, value).second); });
  return entries;
}

std::vector<uint32_t> ValuesOf(const LineTable& table, uint32_t mixed) {
  std::vector<uint32_t> values;
  EXPECT_TRUE(table.VisitValues(mixed, SIZE_MAX, [&](uint32_t v) { values.push_back(v); }));
  std::sort(values.begin(), values.end());
  return values;
}

TEST(MixKey, IsABijectionThatUnmixKeyUndoes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const uint64_t key = random();
    EXPECT_EQ(UnmixKey64(MixKey64(key)), key);
    const auto half = static_cast<uint32_t>(key);
    EXPECT_EQ(UnmixKey(MixKey(half)), half);
    const uint32_t kept = i % (kMostKeptBits + 1);
    EXPECT_EQ(UnmixKey(MixKey(half, kept), kept), half);
    const uint32_t low = (1U << kept) - 1;
    EXPECT_EQ(MixKey(half ^ (half >> 9 & low), kept), MixKey(half, kept) ^ (half >> 9 & low));
  }
  EXPECT_EQ(MixKey(1), 0x514E28B7);  // published value of MurmurHash3's fmix32
  EXPECT_EQ(MixKey64(1), 0xB456BCFC34C2CB2C);
}

// The test goes through every line format and every number of parts, at every size.
TEST(LineTable, KeepsEveryEntryThroughAllGrowth) {
  std::mt19937_64 random(2);
  LineTable table;
  Entries expected;
  size_t next_check = 1;
  for (uint32_t i = 0; i < 700000; ++i) {
    const auto mixed = static_cast<uint32_t>(random());
    table.Insert(mixed, i);
    if (i < 40000) expected.emplace(mixed, i);
    if (i + 1 == next_check && i < 40000) {
      ASSERT_EQ(EntriesOf(table), expected);
      next_check += 1 + next_check / 3;
    }
  }
  EXPECT_EQ(table.size(), 700000);
  for (const auto& [mixed, value] : expected) ASSERT_TRUE(table.Contains(mixed, value));
}

TEST(LineTable, MadeForItsEntriesIsLikeOneThatGrew) {
  std::mt19937_64 random(3);
  LineTable made = LineTable::For(30000);
  LineTable grown, many;
  std::vector<uint64_t> entries;
  for (uint32_t i = 0; i < 30000; ++i) {
    const auto mixed = static_cast<uint32_t>(random());
    made.Insert(mixed, i);
    grown.Insert(mixed, i);
    entries.push_back(uint64_t{mixed} << 32 | i);
  }
  EXPECT_EQ(EntriesOf(made), EntriesOf(grown));
  // The table is built anew twice, then grows.
  for (const auto& [begin, end] : {std::pair{0, 9000}, {9000, 25000}, {25000, 30000}}) {
    std::sort(entries.begin() + begin, entries.begin() + end);
    many.InsertMany({entries.data() + begin, entries.data() + end});
  }
  EXPECT_EQ(many.size(), 30000);
  EXPECT_EQ(EntriesOf(many), EntriesOf(grown));
}

// Draws keys with hundreds of values among others, from the first growth to the last.
TEST(LineTable, GivesHotKeysArraysOfTheirOwn) {
  std::mt19937_64 random(4);
  LineTable table;
  Entries expected;
  for (uint32_t i = 0; i < 20000; ++i) {
    const auto mixed = random() % 3 == 0 ? static_cast<uint32_t>(random())
                                         : static_cast<uint32_t>(random() % 7) * 0x20000001;
    table.Insert(mixed, i);
    expected.emplace(mixed, i);
  }
  EXPECT_EQ(table.hot_keys(), 7);
  EXPECT_EQ(EntriesOf(table), expected);
  const auto hot = std::count_if(expected.begin(), expected.end(),
                                 [](const auto& entry) { return entry.first == 0x20000001; });
  EXPECT_EQ(ValuesOf(table, 0x20000001).size(), hot);
  size_t visited = 0;
  EXPECT_FALSE(table.VisitValues(0x20000001, 100, [&](uint32_t) { ++visited; }));
  EXPECT_EQ(visited, 100);
  for (const auto& [mixed, value] : expected) ASSERT_TRUE(table.Remove(mixed, value));
  EXPECT_EQ(table.size(), 0);
  EXPECT_EQ(table.hot_keys(), 0);
  EXPECT_EQ(table.overflow_lines(), 0);
  EXPECT_TRUE(EntriesOf(table).empty());
}

// Lines with many different keys get no chain longer than the longest one allowed.
TEST(LineTable, HasNoLongChainOfDifferentKeys) {
  LineTable table;
  for (uint32_t i = 0; i < 5000; ++i) table.Insert(i, i);
  for (uint32_t i = 0; i < 5000; ++i) EXPECT_EQ(ValuesOf(table, i), std::vector<uint32_t>{i});
  EXPECT_LE(table.overflow_lines(), LineTable::kLongestChain);
}

// Keys are so close together that lines have chains, which grow and shrink; some keys are hot.
TEST(LineTable, FindsWhatIsBehindItsLinesWhileTheyChange) {
  std::mt19937_64 random(7);
  for (const uint32_t keys : {40U, 900U, 5000U}) {
    LineTable table;
    Entries expected;
    std::vector<uint32_t> places;
    for (uint32_t i = 0; i < 30000; ++i) {
      const auto mixed = static_cast<uint32_t>(random() % keys * 77);
      const bool grows = i / 5000 % 2 == 0;
      if (random() % 4 == 0 ? !grows : grows) {
        table.Insert(mixed, i);
        expected.emplace(mixed, i);
      } else if (const auto at = expected.lower_bound({mixed, 0}); at != expected.end()) {
        ASSERT_TRUE(table.Remove(at->first, at->second));
        expected.erase(at);
      }
      const uint32_t asked = static_cast<uint32_t>(random() % keys * 77);
      std::vector<uint32_t> values;
      for (auto at = expected.lower_bound({asked, 0}); at != expected.end() && at->first == asked;
           ++at) {
        values.push_back(at->second);
      }
      ASSERT_EQ(ValuesOf(table, asked), values) << i;
      table.Select({&asked, 1}, {}, places);
      ASSERT_TRUE(values.empty() || places.size() == 1) << i;
    }
    EXPECT_EQ(EntriesOf(table), expected);
  }
}

// Returns what VisitNear finds for keys that differ in their lowest bits, with all their values.
Entries LooseEntriesOf(const LineTable& table, uint32_t mixed, size_t limit, size_t* cuts) {
  const std::vector<uint32_t> keys = {mixed}, others = {0}, bounds = {32};
  const std::vector<uint32_t> loose = {(1U << table.kept_bits()) - 1};
  Entries entries;
  std::vector<uint32_t> scratch;
  const auto visit = [&](size_t place, uint32_t bits, uint32_t value) {
    EXPECT_EQ(place, 0);
    EXPECT_TRUE(entries.emplace(mixed ^ bits, value).second);
  };
  const auto cut = [&](size_t) { ++*cuts; };
  EXPECT_TRUE(table.VisitNear(keys, {others, bounds, loose}, limit, scratch, visit, cut));
  return entries;
}

// Uses as many lines as a table of ten million entries, so that fewer bits are kept; and chains.
TEST(LineTable, KeepsKeysThatDifferInTheirLowestBitsInOneLine) {
  std::mt19937_64 random(8);
  for (const double fill : {0.004, 1.0}) {
    LineTable table = LineTable::For(fill == 1.0 ? 0 : 100000, fill, kMostKeptBits);
    Entries expected;
    for (uint32_t i = 0; i < 150000; ++i) {
      const uint32_t group = static_cast<uint32_t>(random() % 20000) * 0x34567 & ~0xFFU;
      const uint32_t mixed = group | (random() % 16 == 0 ? 7 : random() & 0xFF);
      const uint32_t value = i % 16 == 0 ? i : i / 64;
      if (!expected.emplace(mixed, value).second) continue;
      table.Insert(mixed, value);
      if (i % 5 == 0) {
        ASSERT_TRUE(table.Remove(mixed, value));
        expected.erase({mixed, value});
      }
      if (i % 50 != 0) continue;
      const uint32_t low = (1U << table.kept_bits()) - 1;
      const Entries near(expected.lower_bound({mixed & ~low, 0}),
                         expected.upper_bound({mixed | low, UINT32_MAX}));
      size_t cuts = 0;
      ASSERT_EQ(LooseEntriesOf(table, mixed, SIZE_MAX, &cuts), near) << i;
      ASSERT_EQ(cuts, 0);
    }
    EXPECT_EQ(EntriesOf(table), expected);
    EXPECT_EQ(table.kept_bits(), fill == 1.0 ? kMostKeptBits : 7);
  }
}

TEST(LineTable, CutsTheKeysThatHaveMoreValuesThanAreAskedFor) {
  LineTable table(1, kMostKeptBits);
  for (uint32_t i = 0; i < 3; ++i) table.Insert(256, i);
  for (uint32_t i = 0; i < 500; ++i) table.Insert(259, i);  // hot
  table.Insert(511, 9);
  size_t cuts = 0;
  EXPECT_EQ(LooseEntriesOf(table, 300, 600, &cuts).size(), 504);
  EXPECT_EQ(cuts, 0);
  EXPECT_EQ(LooseEntriesOf(table, 300, 2, &cuts).size(), 5);
  EXPECT_EQ(cuts, 2);
}

TEST(LineTable, SelectsEveryKeyThatHasValues) {
  std::mt19937_64 random(5);
  LineTable table;
  std::set<uint32_t> keys;
  for (uint32_t i = 0; i < 30000; ++i) {
    const auto mixed = static_cast<uint32_t>(random());
    table.Insert(mixed, i);
    keys.insert(mixed);
  }
  std::vector<uint32_t> asked(keys.begin(), keys.end());
  for (int i = 0; i < 30000; ++i) asked.push_back(static_cast<uint32_t>(random()));
  std::shuffle(asked.begin(), asked.end(), random);
  std::vector<uint32_t> selected;
  table.Select(asked, {}, selected);
  EXPECT_TRUE(std::is_sorted(selected.begin(), selected.end()));
  const std::set<uint32_t> places(selected.begin(), selected.end());
  for (uint32_t i = 0; i < asked.size(); ++i) {
    EXPECT_TRUE(places.contains(i) || !keys.contains(asked[i]));
  }
  EXPECT_LT(selected.size(), asked.size() * 7 / 10);  // half have values
}

TEST(LineTable, TakesNoMoreMemoryThanItSays) {
  std::mt19937_64 random(6);
  LineTable table;
  uint64_t most = 0;
  for (uint32_t i = 1; i <= 1000000; ++i) {
    table.Insert(static_cast<uint32_t>(random()), i);
    if (i >= 500000 && i % 20000 == 0) most = std::max(most, table.bytes() * 1000 / i);
  }
  EXPECT_LE(most, 14300);  // in thousandths of a byte an entry
}

}  // namespace
}  // namespace zhiwen
