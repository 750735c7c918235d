#include "pipeline/dedup/forecast/forecast_growth.h"

#include <gtest/gtest.h>

#include <random>

namespace zhiwen {
namespace {

constexpr uint32_t kPlaces = 64;  // of a sample, far from each other

struct Scattered {
  std::vector<uint32_t> clusters, units;
  double all = 0;           // documents
  double beyond_first = 0;  // of all
};

// Clusters of `size` and single documents, as many documents in each as in the others, of which the
// sample holds each with chance `share`.
Scattered Scatter(uint32_t size, double share) {
  std::mt19937 random(size);
  std::bernoulli_distribution is_taken(share), is_cluster(1.0 / (size + 1));
  Scattered out;
  for (uint32_t cluster = 0; out.all < 400000; ++cluster) {
    const uint32_t documents = is_cluster(random) ? size : 1;
    for (uint32_t i = 0; i < documents; ++i) {
      if (!is_taken(random)) continue;
      out.clusters.push_back(cluster);
      out.units.push_back(2 * static_cast<uint32_t>(random() % kPlaces));
    }
    out.all += documents;
    out.beyond_first += documents - 1;
  }
  return out;
}

TEST(ForecastGrowth, OfEverythingIsWhatIsThere) {
  const std::vector<uint32_t> clusters = {1, 2, 1, 3, 1, 2, 4};
  const std::vector<uint32_t> units = {0, 0, 1, 4, 8, 9, 9};
  const ClusterSample sample = CountClusters(clusters, units);
  EXPECT_EQ(sample.documents, 7);
  EXPECT_EQ(sample.local, 1);  // 0 and 1 are near each other
  EXPECT_EQ(sample.by_groups, (std::vector<double>{0, 2, 2}));
  EXPECT_EQ(sample.meetings, 3);  // of 1 near itself, of 1 with 8, of 2 with 9
  EXPECT_EQ(GrowClusters(sample, 1, UnseenClusters::kUsual).copies, 3);
  const ForecastRange range = EstimateRemoved(sample, 1, 7, ClusterRemoval::kAllButFirst);
  EXPECT_EQ(range.low, 3);
  EXPECT_EQ(range.high, 3);
  EXPECT_EQ(EstimateRemoved(sample, 1, 7, ClusterRemoval::kAll).value, 5);
  EXPECT_EQ(sample.local_clusters, 0);
  EXPECT_EQ(
      CountClusters(std::vector<uint32_t>{1, 1, 2}, std::vector<uint32_t>{0, 1, 1}).local_clusters,
      1);
}

TEST(ForecastGrowth, OfNothingIsNothing) {
  EXPECT_EQ(GrowClusters(CountClusters({}, {}), 0.5, UnseenClusters::kUsual).copies, 0);
}

TEST(ForecastGrowth, SlowFindsHowManyCopiesAreAnywhereFromTheFewThatMeet) {
  for (const uint32_t size : {2, 5, 50, 400}) {
    for (const double share : {0.1, 0.5}) {
      const Scattered made = Scatter(size, share);
      const ClusterSample sample = CountClusters(made.clusters, made.units);
      const double usual = GrowClusters(sample, share, UnseenClusters::kUsual).copies;
      EXPECT_NEAR(usual / made.beyond_first, 1, 0.25) << size << ' ' << share;
      const ForecastRange range =
          EstimateRemoved(sample, share, made.all, ClusterRemoval::kAllButFirst);
      EXPECT_NEAR(range.value / made.beyond_first, 1, 0.25) << size << ' ' << share;
      EXPECT_LT(range.low, made.beyond_first);
      EXPECT_GT(range.high, made.beyond_first);
      const double of_two = made.beyond_first * size / (size - 1);
      const ForecastRange all = EstimateRemoved(sample, share, made.all, ClusterRemoval::kAll);
      EXPECT_NEAR(all.value / of_two, 1, 0.25) << size << ' ' << share;
      EXPECT_LT(all.low, of_two);
      EXPECT_GT(all.high, of_two);
    }
  }
}

TEST(ForecastGrowth, OfASmallSampleLiesBetweenFewAndManyUnseenClusters) {
  const Scattered made = Scatter(10, 0.02);
  const ClusterSample sample = CountClusters(made.clusters, made.units);
  const double few = GrowClusters(sample, 0.02, UnseenClusters::kFew).copies;
  const double usual = GrowClusters(sample, 0.02, UnseenClusters::kUsual).copies;
  const double many = GrowClusters(sample, 0.02, UnseenClusters::kMany).copies;
  EXPECT_LT(few, usual);
  EXPECT_LT(usual, many);
  EXPECT_LT(few * 0.7, made.beyond_first);
  EXPECT_GT(many * 1.3, made.beyond_first);
}

TEST(ForecastGrowth, OfClustersThatAreAlikeFindsTheirSize) {
  const double share = 0.05;
  for (const uint32_t size : {3, 14, 60}) {
    const Scattered made = Scatter(size, share);
    const ClusterSample sample = CountClusters(made.clusters, made.units);
    const double alike = GrowClusters(sample, share, UnseenClusters::kAlike).copies;
    EXPECT_NEAR(alike / made.beyond_first, 1, 0.2) << size;
  }
  // Two sizes at once: a lower bound.
  Scattered made = Scatter(3, share);
  const Scattered other = Scatter(60, share);
  for (size_t i = 0; i < other.clusters.size(); ++i) {
    made.clusters.push_back(other.clusters[i] + 10000000);
    made.units.push_back(other.units[i]);
  }
  const ClusterSample sample = CountClusters(made.clusters, made.units);
  EXPECT_LT(GrowClusters(sample, share, UnseenClusters::kAlike).copies,
            made.beyond_first + other.beyond_first);
}

TEST(ForecastGrowth, TakesCopiesNearEachOtherToGrowAsTheCorpusDoes) {
  std::vector<uint32_t> clusters, units;
  for (uint32_t d = 0; d < 10000; ++d) {
    clusters.push_back(d / 4);  // four in a row
    units.push_back(2 * (d / 100));
  }
  const ClusterSample sample = CountClusters(clusters, units);
  const GrownClusters grown = GrowClusters(sample, 0.01, UnseenClusters::kUsual);
  EXPECT_NEAR(grown.copies, 7500 / 0.01, 1000);
  EXPECT_NEAR(grown.clusters, 2500 / 0.01, 1000);
}

TEST(ForecastGrowth, TakesNeighboursAcrossTheEndOfAUnitToBeNear) {
  const std::vector<uint32_t> clusters = {7, 7, 7};
  EXPECT_EQ(CountClusters(clusters, std::vector<uint32_t>{0, 1, 2}).local, 2);
  EXPECT_EQ(CountClusters(clusters, std::vector<uint32_t>{0, 2, 4}).local, 0);
}

TEST(ForecastGrowth, SaysHowCountsGrowFromTwoSamples) {
  EXPECT_DOUBLE_EQ(GrowthExponent({100, 400}, {10, 40}), 1);
  EXPECT_DOUBLE_EQ(GrowthExponent({100, 400}, {10, 160}), 2);
  EXPECT_NEAR(GrowthExponent({100, 400}, {10, 80}), 1.5, 1e-12);
  EXPECT_DOUBLE_EQ(GrowthExponent({100, 400}, {10, 10}), 1);     // no slower than documents
  EXPECT_DOUBLE_EQ(GrowthExponent({100, 400}, {10, 10000}), 2);  // nor faster than their pairs
  EXPECT_DOUBLE_EQ(GrowthExponent({100, 400}, {0, 5}), 2);
}

}  // namespace
}  // namespace zhiwen
