#include "index/joins/sampled_shingles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

#include "index/thresholds/containment_threshold.h"

namespace zhiwen {
namespace {

using Set = std::vector<uint64_t>;

ShingleSampling MakeSampling(double threshold) { return *ShingleSampling::Create({threshold}); }

Set RandomSet(std::mt19937_64& random, size_t size) {
  Set set(size);
  for (uint64_t& shingle : set) shingle = random();
  std::sort(set.begin(), set.end());
  return set;
}

double RecallAtThreshold(const ShingleSampling& sampling, uint64_t size) {
  return 1 - sampling.MissProbability(size, RequiredShared(size, sampling.threshold()));
}

TEST(SampledShingles, RecallIsAsStatedForEverySizeAndThreshold) {
  for (const double threshold : {0.1, 0.3, 0.5, 2.0 / 3.0, 0.8, 0.9, 0.95, 1.0}) {
    const ShingleSampling sampling = MakeSampling(threshold);
    for (uint64_t size = kLeastContainedSize; size <= 50; ++size) {
      EXPECT_GE(RecallAtThreshold(sampling, size), 0.99) << size << ' ' << threshold;
    }
    for (const uint64_t size :
         {100, 101, 119, 120, 121, 150, 200, 255, 500, 1000, 100'000, 10'000'000}) {
      EXPECT_GE(RecallAtThreshold(sampling, size), 0.999) << size << ' ' << threshold;
    }
  }
}

TEST(SampledShingles, TheTableInTheHeaderIsTrue) {
  const ShingleSampling sampling = MakeSampling(0.8);
  EXPECT_EQ(sampling.answer_rate(), 17.0 / 64);
  const std::pair<uint64_t, double> rows[] = {{20, 0.9928},       {25, 0.9978},  {30, 0.9993},
                                              {50, 0.9998},       {100, 0.9998}, {1000, 0.9997},
                                              {1'000'000, 0.9997}};
  for (const auto& [size, recall] : rows) {
    EXPECT_NEAR(RecallAtThreshold(sampling, size), recall, 0.00005) << size;
  }
}

// Compares MissProbability with the outcome of drawing, sampling and looking up pairs.
TEST(SampledShingles, SlowPairsAtTheThresholdAreMissedAsOftenAsComputed) {
  std::mt19937_64 random(1);
  for (const double threshold : {0.3, 0.8, 1.0}) {
    const ShingleSampling sampling = MakeSampling(threshold);
    for (const uint64_t size : {20, 24, 30, 50, 100, 400}) {
      const uint64_t shared = RequiredShared(size, threshold);
      const size_t trials = 8'000;
      size_t misses = 0;
      for (size_t trial = 0; trial < trials; ++trial) {
        Set contained = RandomSet(random, shared);
        Set container = contained;
        while (contained.size() < size) contained.push_back(random());
        while (container.size() < size + 50) container.push_back(random());
        std::sort(contained.begin(), contained.end());
        std::sort(container.begin(), container.end());
        const auto asks = sampling.Sample(contained).asks;
        const auto answers = sampling.Sample(container).answers;
        Set answered;
        std::set_intersection(asks.begin(), asks.end(), answers.begin(), answers.end(),
                              std::back_inserter(answered));
        misses += answered.size() < sampling.RequiredAnswers(size, asks.size()) ? 1 : 0;
      }
      const double miss = sampling.MissProbability(size, shared);
      const double expected = miss * static_cast<double>(trials);
      EXPECT_NEAR(static_cast<double>(misses), expected, 5 * std::sqrt(expected) + 3)
          << size << ' ' << threshold;
    }
  }
}

TEST(SampledShingles, MoreSharedShinglesAreNeverFoundLessOften) {
  const ShingleSampling sampling = MakeSampling(0.5);
  for (const uint64_t size : {20, 60, 300}) {
    for (uint64_t shared = 1; shared <= size; ++shared) {
      EXPECT_LE(sampling.MissProbability(size, shared),
                sampling.MissProbability(size, shared - 1) + 1e-12)
          << size << ' ' << shared;
    }
  }
}

// Counts the shared shingles in every choice of `asks` out of `size` shingles, of which `shared`
// are shared.
double HypergeometricBelow(uint64_t size, uint64_t shared, uint64_t asks, uint64_t bound) {
  uint64_t below = 0, all = 0;
  for (uint64_t choice = 0; choice < uint64_t{1} << size; ++choice) {
    if (static_cast<uint64_t>(std::popcount(choice)) != asks) continue;
    const uint64_t low = (uint64_t{1} << shared) - 1;
    ++all;
    below += static_cast<uint64_t>(std::popcount(choice & low)) < bound ? 1 : 0;
  }
  return static_cast<double>(below) / static_cast<double>(all);
}

TEST(SampledShingles, RequiredAnswersIsTheGreatestBoundThatFewPairsMiss) {
  for (const double threshold : {0.1, 0.5, 0.8, 0.95}) {
    const ShingleSampling sampling = MakeSampling(threshold);
    for (uint64_t size = 1; size <= 16; ++size) {
      const uint64_t shared = RequiredShared(size, threshold);
      for (uint64_t asks = 1; asks <= size; ++asks) {
        const uint64_t bound = sampling.RequiredAnswers(size, asks);
        if (bound > 1) {
          EXPECT_LE(HypergeometricBelow(size, shared, asks, bound), 0.000501);
        }
        EXPECT_GT(HypergeometricBelow(size, shared, asks, bound + 1), 0.000499)
            << size << ' ' << asks << ' ' << threshold;
      }
    }
  }
}

TEST(SampledShingles, TheExactFormAsksWithEverything) {
  const ShingleSampling sampling = *ShingleSampling::CreateExact(0.8);
  Set set = {0, 1, UINT64_MAX};
  for (uint64_t i = 2; set.size() < 40; ++i) set.push_back(i << 32);
  std::sort(set.begin(), set.end());
  const ShingleSample sample = sampling.Sample(set);
  EXPECT_EQ(sample.answers.size(), 40u);
  EXPECT_EQ(sample.asks.size(), 40u);
  EXPECT_EQ(sampling.RequiredAnswers(40, 40), 32u);
  EXPECT_EQ(sampling.MissProbability(40, 32), 0);
  EXPECT_EQ(sampling.MissProbability(40, 31), 1);
}

TEST(SampledShingles, AsksAreAnsweredWithAndStayFewHoweverLargeTheSet) {
  std::mt19937_64 random(2);
  const ShingleSampling sampling = MakeSampling(0.8);
  for (const size_t size : {20, 121, 1000, 100'000, 1'000'000}) {
    const Set set = RandomSet(random, size);
    const ShingleSample sample = sampling.Sample(set);
    EXPECT_EQ(sample.asks.data(), sample.answers.data());
    EXPECT_LE(sample.asks.size(), sample.answers.size());
    EXPECT_LE(sample.asks.size(), 32 + 6 * std::sqrt(32.0));
    EXPECT_NEAR(static_cast<double>(sample.answers.size()), static_cast<double>(size) * 17 / 64,
                5 * std::sqrt(static_cast<double>(size)));
    for (const uint64_t shingle : sample.answers) EXPECT_LE(shingle, sampling.answer_bound());
  }
}

TEST(SampledShingles, SetsUnderTheLeastSizeTakeNoPart) {
  std::mt19937_64 random(3);
  const ShingleSampling sampling = *ShingleSampling::CreateExact(0.8);
  EXPECT_TRUE(sampling.Sample(RandomSet(random, 19)).answers.empty());
  EXPECT_EQ(sampling.Sample(RandomSet(random, 20)).answers.size(), 20u);
  EXPECT_EQ(sampling.MissProbability(19, 19), 1);
}

TEST(SampledShingles, OptionsOutsideTheirRangeAreRefused) {
  for (const double threshold : {0.0, -0.5, 1.01, std::nan("")}) {
    const auto sampling = ShingleSampling::Create({threshold});
    ASSERT_FALSE(sampling);
    EXPECT_EQ(sampling.error().code, ErrorCode::kInvalidArgument);
    EXPECT_FALSE(ShingleSampling::CreateExact(threshold));
  }
  EXPECT_FALSE(ShingleSampling::Create({.least_recall = 1}));
  EXPECT_FALSE(ShingleSampling::Create({.least_recall = 0}));
}

}  // namespace
}  // namespace zhiwen
