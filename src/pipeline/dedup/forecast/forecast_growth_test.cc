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
  EXPECT_EQ(GrowCopies(sample, 1, UnseenClusters::kUsual), 3);
  const ForecastRange range = EstimateCopies(sample, 1, 7);
  EXPECT_EQ(range.low, 3);
  EXPECT_EQ(range.high, 3);
}

TEST(ForecastGrowth, OfNothingIsNothing) {
  EXPECT_EQ(GrowCopies(CountClusters({}, {}), 0.5, UnseenClusters::kUsual), 0);
}

TEST(ForecastGrowth, SlowFindsHowManyCopiesAreAnywhereFromTheFewThatMeet) {
  for (const uint32_t size : {2, 5, 50, 400}) {
    for (const double share : {0.1, 0.5}) {
      const Scattered made = Scatter(size, share);
      const ClusterSample sample = CountClusters(made.clusters, made.units);
      const double usual = GrowCopies(sample, share, UnseenClusters::kUsual);
      EXPECT_NEAR(usual / made.beyond_first, 1, 0.25) << size << ' ' << share;
      const ForecastRange range = EstimateCopies(sample, share, made.all);
      EXPECT_NEAR(range.value / made.beyond_first, 1, 0.25) << size << ' ' << share;
      EXPECT_LT(range.low, made.beyond_first);
      EXPECT_GT(range.high, made.beyond_first);
    }
  }
}

TEST(ForecastGrowth, OfASmallSampleLiesBetweenFewAndManyUnseenClusters) {
  const Scattered made = Scatter(10, 0.02);
  const ClusterSample sample = CountClusters(made.clusters, made.units);
  const double few = GrowCopies(sample, 0.02, UnseenClusters::kFew);
  const double usual = GrowCopies(sample, 0.02, UnseenClusters::kUsual);
  const double many = GrowCopies(sample, 0.02, UnseenClusters::kMany);
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
    const double alike = GrowCopies(sample, share, UnseenClusters::kAlike);
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
  EXPECT_LT(GrowCopies(sample, share, UnseenClusters::kAlike),
            made.beyond_first + other.beyond_first);
}

TEST(ForecastGrowth, TakesCopiesNearEachOtherToGrowAsTheCorpusDoes) {
  std::vector<uint32_t> clusters, units;
  for (uint32_t d = 0; d < 10000; ++d) {
    clusters.push_back(d / 4);  // four in a row
    units.push_back(2 * (d / 100));
  }
  const ClusterSample sample = CountClusters(clusters, units);
  EXPECT_NEAR(GrowCopies(sample, 0.01, UnseenClusters::kUsual), 7500 / 0.01, 1000);
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
