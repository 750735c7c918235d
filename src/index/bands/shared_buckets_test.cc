#include "index/bands/shared_buckets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>

#include "index/bands/band_plan.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;

using Columns = std::vector<std::vector<uint64_t>>;

SharedBuckets Find(const Columns& columns, size_t threads = 1) {
  const std::vector<std::span<const uint64_t>> views(columns.begin(), columns.end());
  const auto executor = MakeThreadPool(threads);
  return FindSharedBuckets(views, *executor);
}

// Applies the definition, with maps.
SharedBuckets FindSlowly(const Columns& columns) {
  SharedBuckets shared;
  std::vector<std::map<uint64_t, uint32_t>> counts(columns.size()), bucket_of(columns.size());
  for (size_t band = 0; band < columns.size(); ++band) {
    for (const uint64_t key : columns[band]) ++counts[band][key];
  }
  const size_t documents = columns.empty() ? 0 : columns.front().size();
  for (uint32_t document = 0; document < documents; ++document) {
    std::vector<uint32_t> buckets;
    for (size_t band = 0; band < columns.size(); ++band) {
      const uint64_t key = columns[band][document];
      if (key == kNoBandKey || counts[band][key] < 2) continue;
      const auto number = static_cast<uint32_t>(shared.bucket_sizes.size());
      const auto [at, is_new] = bucket_of[band].try_emplace(key, number);
      if (is_new) shared.bucket_sizes.push_back(counts[band][key]);
      buckets.push_back(at->second);
    }
    if (buckets.empty()) continue;
    std::sort(buckets.begin(), buckets.end());
    shared.documents.push_back(document);
    shared.buckets.insert(shared.buckets.end(), buckets.begin(), buckets.end());
    shared.starts.push_back(shared.buckets.size());
  }
  return shared;
}

Columns RandomColumns(uint64_t seed, size_t bands, size_t documents, uint64_t universe) {
  std::mt19937_64 random(seed);
  Columns columns(bands, std::vector<uint64_t>(documents));
  for (auto& column : columns) {
    for (uint64_t& key : column) key = random() % universe;
  }
  return columns;
}

TEST(SharedBuckets, DocumentsThatAgreeInABandLieInOneBucket) {
  const SharedBuckets shared = Find({{5, 6, 7, 5, 8}, {1, 2, 2, 3, 2}});
  EXPECT_THAT(shared.documents, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(shared.buckets, ElementsAre(0, 1, 1, 0, 1));
  EXPECT_THAT(shared.bucket_sizes, ElementsAre(2, 3));
}

TEST(SharedBuckets, LoneKeysAndMissingKeysAreLeftOut) {
  const SharedBuckets shared = Find({{5, 6, 7, 6, 0}, {0, 0, 0, 0, 0}, {1, 2, 3, 4, 0}});
  EXPECT_THAT(shared.documents, ElementsAre(1, 3));
  EXPECT_THAT(shared.BucketsOf(1), ElementsAre(0));
  EXPECT_THAT(shared.bucket_sizes, ElementsAre(2));
}

TEST(SharedBuckets, KeysOfDifferentBandsAreNotCompared) {
  EXPECT_TRUE(Find({{1, 2}, {2, 1}}).documents.empty());
}

TEST(SharedBuckets, NothingGivesNothing) {
  EXPECT_EQ(Find({}), SharedBuckets());
  EXPECT_EQ(Find({{}, {}}), SharedBuckets());
}

TEST(SharedBuckets, EqualsTheDefinitionFromAllDistinctToAllEqual) {
  uint64_t seed = 0;
  for (const size_t documents : {1u, 2u, 100u, 3000u}) {
    for (const uint64_t universe :
         {uint64_t{1}, uint64_t{2}, uint64_t{50}, uint64_t{3000}, uint64_t{1000000}, UINT64_MAX}) {
      const Columns columns = RandomColumns(++seed, 6, documents, universe);
      ASSERT_EQ(Find(columns), FindSlowly(columns)) << documents << ' ' << universe;
    }
  }
}

TEST(SharedBuckets, ResultIsTheSameForAnyNumberOfThreads) {
  const Columns columns = RandomColumns(42, 25, 5000, 20000);
  const SharedBuckets expected = Find(columns, 1);
  EXPECT_EQ(Find(columns, 2), expected);
  EXPECT_EQ(Find(columns, 4), expected);
}

}  // namespace
}  // namespace zhiwen
