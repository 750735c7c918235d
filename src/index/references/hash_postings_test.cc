#include "index/references/hash_postings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>

namespace zhiwen {
namespace {

using Entries = std::vector<std::pair<uint64_t, uint32_t>>;

HashPostings MakePostings(const Entries& entries) {
  auto postings = HashPostings::Create(entries.size(), [&](const HashPostings::Visit& visit) {
    for (const auto& [key, value] : entries) visit(key, value);
  });
  EXPECT_TRUE(postings);
  return *std::move(postings);
}

void ExpectEqualsMap(const Entries& entries, const std::vector<uint64_t>& others) {
  const HashPostings postings = MakePostings(entries);
  std::map<uint64_t, std::vector<uint32_t>> expected;
  for (const auto& [key, value] : entries) expected[key].push_back(value);
  for (const auto& [key, values] : expected) {
    const auto found = postings.Find(key);
    EXPECT_EQ(std::vector<uint32_t>(found.begin(), found.end()), values);
  }
  for (const uint64_t key : others) EXPECT_EQ(postings.Find(key).empty(), !expected.contains(key));
  EXPECT_EQ(postings.size(), entries.size());
  EXPECT_TRUE(std::is_sorted(postings.keys().begin(), postings.keys().end()));
  EXPECT_LE(postings.bytes(), HashPostings::BytesFor(entries.size()));
}

TEST(HashPostings, EqualAMapForKeysOfEveryKind) {
  std::mt19937_64 random(1);
  for (const uint64_t range : {uint64_t{1}, uint64_t{10}, uint64_t{1000}, UINT64_MAX}) {
    for (const size_t size : {0, 1, 2, 3, 5, 17, 100, 5000}) {
      Entries entries;
      std::vector<uint64_t> others = {0, 1, UINT64_MAX};
      for (uint32_t i = 0; i < size; ++i) entries.emplace_back(random() % range, i / 2);
      for (int i = 0; i < 200; ++i) others.push_back(random() % range);
      ExpectEqualsMap(entries, others);
    }
  }
}

TEST(HashPostings, HoldTheGreatestAndTheLeastKey) {
  ExpectEqualsMap({{UINT64_MAX, 7}, {0, 1}, {UINT64_MAX, 8}, {0, 2}, {1, 3}}, {2, UINT64_MAX - 1});
}

TEST(HashPostings, TooManyEntriesAreRefusedBeforeTheyAreVisited) {
  const auto postings = HashPostings::Create(
      uint64_t{1} << 32, [](const HashPostings::Visit&) { FAIL() << "visited"; });
  ASSERT_FALSE(postings);
  EXPECT_EQ(postings.error().code, ErrorCode::kExhausted);
}

TEST(HashPostings, WithoutEntriesFindNothing) {
  EXPECT_TRUE(HashPostings().Find(0).empty());
  EXPECT_TRUE(HashPostings().Find(UINT64_MAX).empty());
}

}  // namespace
}  // namespace zhiwen
