// Every index of exact keys returns what brute force returns, brute force returns what the
// definition says, and no filter denies what brute force finds.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "index/exact/brute_force_exact.h"
#include "index/exact/key_rows.h"
#include "index/line_table/mix_key.h"
#include "zhiwen/filter.h"

namespace zhiwen {
namespace {

using Keys = std::vector<uint64_t>;
using Rows = std::vector<KeyRow>;

// Draws one to three kinds of keys: random ones, consecutive numbers, and keys that agree in the
// half that KeyRows looks up. Each has one row, a few, or many.
Rows MakeRows(std::mt19937_64& random, size_t count) {
  Rows rows;
  const uint64_t half = random() << 32;
  for (uint32_t row = 0; row < count; ++row) {
    const uint64_t number = random() % (count / 2);
    switch (random() % 4) {
      case 0:
        rows.push_back({random(), row});
        break;
      case 1:
        rows.push_back({number, row});
        break;
      case 2:
        rows.push_back({UnmixKey64(half | number % 50), row});
        break;
      default:
        rows.push_back({number % 3 * 0x9E3779B97F4A7C15, row});
    }
  }
  return rows;
}

Keys QueriesFor(std::mt19937_64& random, const Rows& rows) {
  Keys keys;
  for (int i = 0; i < 60 && !rows.empty(); ++i) keys.push_back(rows[random() % rows.size()].key);
  for (int i = 0; i < 60; ++i) keys.push_back(i % 2 == 0 ? random() : random() % 5000);
  return keys;
}

std::vector<ExactMatch> Definition(const std::set<KeyRow>& rows, const Keys& keys) {
  std::vector<ExactMatch> matches;
  for (uint32_t q = 0; q < keys.size(); ++q) {
    for (auto at = rows.lower_bound({keys[q], 0}); at != rows.end() && at->key == keys[q]; ++at) {
      matches.push_back({q, at->row});
    }
  }
  return matches;
}

class EveryExactIndex : public testing::TestWithParam<bool> {
 protected:
  static std::unique_ptr<ExactIndex> Make() {
    if (GetParam()) return std::make_unique<BruteForceExact>();
    return std::make_unique<KeyRows>();
  }
};

INSTANTIATE_TEST_SUITE_P(All, EveryExactIndex, testing::Values(true, false),
                         [](const testing::TestParamInfo<bool>& is_brute_force) {
                           return is_brute_force.param ? "BruteForce" : "KeyRows";
                         });

TEST_P(EveryExactIndex, FindsTheRowsOfAKeyWhateverIsInsertedAndRemoved) {
  std::mt19937_64 random(7);
  const Rows pool = MakeRows(random, 6000);
  const auto index = Make();
  std::set<KeyRow> expected;
  for (int round = 0; round < 60; ++round) {
    Rows some;
    for (uint64_t i = random() % 400; i > 0; --i) some.push_back(pool[random() % pool.size()]);
    const size_t before = expected.size();
    if (random() % 3 > 0) {
      std::erase_if(some, [&](const KeyRow& row) { return !expected.insert(row).second; });
      index->Insert(some);
    } else {
      for (const KeyRow& row : some) expected.erase(row);
      EXPECT_EQ(index->Remove(some), before - expected.size());
    }
    ASSERT_EQ(index->size(), expected.size());
    const Keys keys = QueriesFor(random, pool);
    ExactAnswer answer;
    index->Query(keys, {}, answer);
    ASSERT_EQ(answer.matches, Definition(expected, keys)) << round;
    EXPECT_TRUE(answer.truncated.empty());
  }
}

TEST_P(EveryExactIndex, SaysOfWhichKeysItDoesNotListAllRows) {
  const auto index = Make();
  Rows rows;
  for (uint32_t row = 0; row < 5000; ++row) rows.push_back({row < 3000 ? 17 : uint64_t{row}, row});
  index->Insert(rows);
  const std::set<KeyRow> expected(rows.begin(), rows.end());
  ExactAnswer answer;
  index->Query(Keys{3500, 17, 99, 17}, {.most_rows = 10}, answer);
  EXPECT_EQ(answer.truncated, (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(answer.matches.size(), 21);
  for (const ExactMatch& match : answer.matches) {
    EXPECT_TRUE(match.query == 0 ? match.row == 3500 : match.row < 3000);
  }
  EXPECT_TRUE(std::is_sorted(answer.matches.begin(), answer.matches.end()));
  answer = {};
  index->Query(Keys{17}, {.most_rows = 3000}, answer);
  EXPECT_EQ(answer.matches.size(), 3000);
  EXPECT_TRUE(answer.truncated.empty());
}

// Draws keys that a table of halves does not distinguish.
TEST_P(EveryExactIndex, ListsAsManyRowsOfAKeyWhateverKeysAreBesideIt) {
  constexpr uint64_t kHalf = uint64_t{12345} << 32;
  const Keys keys = {UnmixKey64(kHalf | 1), UnmixKey64(kHalf | 2), UnmixKey64(kHalf | 3)};
  for (const uint32_t many : {5U, 3000U}) {
    const auto index = Make();
    Rows rows;
    for (uint32_t row = 0; row < many; ++row) rows.push_back({keys[1], row});
    rows.push_back({keys[0], 7});
    rows.push_back({keys[0], 9});
    index->Insert(rows);
    for (const size_t most_rows : {size_t{2}, size_t{3}}) {
      ExactAnswer answer;
      index->Query(keys, {.most_rows = most_rows}, answer);
      EXPECT_EQ(answer.truncated, std::vector<uint32_t>{1});
      const std::vector<ExactMatch> first(answer.matches.begin(), answer.matches.begin() + 2);
      EXPECT_EQ(first, (std::vector<ExactMatch>{{0, 7}, {0, 9}}));
      EXPECT_EQ(answer.matches.size(), 2 + most_rows);
    }
    ExactAnswer none;
    index->Query(Keys{keys[0]}, {.most_rows = 0}, none);
    EXPECT_EQ(none.truncated, std::vector<uint32_t>{0});
    EXPECT_TRUE(none.matches.empty());
  }
}

TEST(KeyRowIndexes, EqualBruteForceWithManyEntries) {
  std::mt19937_64 random(9);
  const Rows rows = MakeRows(random, 60'000);
  BruteForceExact brute_force;
  KeyRows index;
  brute_force.Insert(rows);
  index.Insert(rows);
  const Keys keys = QueriesFor(random, rows);
  ExactAnswer answer, expected;
  index.Query(keys, {}, answer);
  brute_force.Query(keys, {}, expected);
  EXPECT_EQ(answer.matches, expected.matches);
}

TEST(Filters, DenyNoKeyThatHasARowAndFewOthersPass) {
  std::mt19937_64 random(11);
  const Rows rows = MakeRows(random, 20'000);
  BruteForceExact brute_force;
  brute_force.Insert(rows);
  const Keys queries = QueriesFor(random, rows);
  ExactAnswer answer;
  brute_force.Query(queries, {}, answer);
  std::set<uint32_t> found;
  for (const ExactMatch& match : answer.matches) found.insert(match.query);
  Keys keys;
  for (const KeyRow& row : rows) keys.push_back(row.key);
  for (const FilterKindTraits& kind : AllFilterKinds()) {
    const auto filter = KeyFilter::Build({.kind = kind.kind}, keys);
    ASSERT_TRUE(filter) << filter.error().message;
    std::vector<uint32_t> places(queries.size());
    places.resize(filter->Select(queries, places.data()));
    EXPECT_TRUE(std::ranges::includes(places, found)) << kind.name;
    EXPECT_LE(places.size(), found.size() + 8) << kind.name;  // 1 % of sixty
  }
}

}  // namespace
}  // namespace zhiwen
