#include "pipeline/dedup/audit/audit_estimates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace zhiwen {
namespace {

constexpr uint64_t kEndless = UINT32_MAX;

// R. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 5:
// Clopper-Pearson.
TEST(AuditEstimates, TheIntervalOfAnEndlessPopulationIsThePublishedOne) {
  struct Row {
    Sample sample;
    double low, high;
  };
  const Row rows[] = {{{81, 263, kEndless}, 0.2527, 0.3676},
                      {{15, 148, kEndless}, 0.0578, 0.1617},
                      {{0, 20, kEndless}, 0, 0.1684},
                      {{1, 29, kEndless}, 0.0009, 0.1776}};
  for (const Row& row : rows) {
    const ShareInterval interval = ExactInterval(row.sample);
    EXPECT_NEAR(interval.low, row.low, 0.00005) << row.sample.hits;
    EXPECT_NEAR(interval.high, row.high, 0.00005) << row.sample.hits;
    EXPECT_DOUBLE_EQ(interval.share,
                     static_cast<double>(row.sample.hits) / static_cast<double>(row.sample.size));
  }
}

TEST(AuditEstimates, TheIntervalOfNothingIsEverything) {
  const ShareInterval interval = ExactInterval({0, 0, 10});
  EXPECT_EQ(interval.low, 0);
  EXPECT_EQ(interval.high, 1);
}

TEST(AuditEstimates, TheIntervalEndsAtTheEndsOfTheScale) {
  EXPECT_EQ(ExactInterval({0, 1000, kEndless}).low, 0);
  EXPECT_EQ(ExactInterval({1000, 1000, kEndless}).high, 1);
  EXPECT_NEAR(ExactInterval({0, 1000, kEndless}).high,
              1 - ExactInterval({1000, 1000, kEndless}).low, 1e-9);
}

// C(marked, hits) C(population - marked, size - hits) / C(population, size)
double Hypergeometric(const Sample& sample, uint64_t marked) {
  const auto log_choose = [](uint64_t n, uint64_t k) {
    return std::lgamma(static_cast<double>(n + 1)) - std::lgamma(static_cast<double>(k + 1)) -
           std::lgamma(static_cast<double>(n - k + 1));
  };
  return std::exp(log_choose(marked, sample.hits) +
                  log_choose(sample.population - marked, sample.size - sample.hits) -
                  log_choose(sample.population, sample.size));
}

TEST(AuditEstimates, TheIntervalHoldsTheTruthInNineteenOfTwentySamplesWhateverItIs) {
  for (const uint64_t population : {50U, 100U, 260U, 520U, 1000U, 5000U}) {
    const uint64_t size = SampleSize(100, population);
    for (const uint64_t marked : {0U, 1U, 2U, 3U, 4U, 7U, 12U, 25U, 49U}) {
      const double truth = static_cast<double>(marked) / static_cast<double>(population);
      double inside = 0;
      for (uint64_t hits = 0; hits <= std::min(size, marked); ++hits) {
        if (size - hits > population - marked) continue;
        const Sample sample{hits, size, population};
        const ShareInterval interval = ExactInterval(sample);
        const bool holds = interval.low <= truth + 1e-12 && truth <= interval.high + 1e-12;
        inside += holds ? Hypergeometric(sample, marked) : 0;
      }
      EXPECT_GE(inside, 0.95 - 1e-9) << marked << " of " << population;
    }
  }
}

// What a sample of a small population leaves unsaid is of those that were not drawn.
TEST(AuditEstimates, ASampleOfAFewSaysAsMuchAsMoreOfMany) {
  EXPECT_EQ(SampleSize(1000, 1000), 602U);
  EXPECT_EQ(SampleSize(1000, 10000), 948U);
  EXPECT_NEAR(static_cast<double>(SampleSize(1000, kEndless)), 1000, 1);
  EXPECT_EQ(SampleSize(1000, 5), 5U);
  EXPECT_EQ(SampleSize(1000, 100), 100U);
  EXPECT_EQ(SampleSize(kEndless, 1000), 1000U);
  EXPECT_EQ(SampleSize(0, 1000), 0U);
  EXPECT_EQ(SampleSize(1000, 0), 0U);
  const double high = ExactInterval({0, 1000, kEndless}).high + 1e-9;
  for (const uint64_t population : {300U, 1000U, 2253U, 100000U}) {
    const uint64_t size = SampleSize(1000, population);
    EXPECT_LE(ExactInterval({0, size, population}).high, high) << population;
    EXPECT_GT(ExactInterval({0, size - 1, population}).high, high) << population;
  }
}

TEST(AuditEstimates, ASampleOfAllSaysExactlyWhatItIs) {
  const ShareInterval interval = ExactInterval({3, 60, 60});
  EXPECT_EQ(interval.low, 0.05);
  EXPECT_EQ(interval.high, 0.05);
}

TEST(AuditEstimates, WhatIsNotKnownOfDocumentsRaisesTheHighEndOnly) {
  const ShareInterval unsure =
      ExactInterval({.hits = 3, .size = 60, .population = 60, .unsure = 6});
  EXPECT_EQ(unsure.low, 0.05);
  EXPECT_EQ(unsure.share, 0.05);
  EXPECT_DOUBLE_EQ(unsure.high, 0.15);
  const ShareInterval beyond = ExactInterval({.size = 60, .population = 60, .beyond = 20});
  EXPECT_EQ(beyond.low, 0);
  EXPECT_DOUBLE_EQ(beyond.high, 0.25);
  const ShareInterval miss = ExactInterval({.hits = 3, .size = 60, .population = 60, .miss = 0.5});
  EXPECT_DOUBLE_EQ(miss.high, 0.1);
}

TEST(AuditEstimates, RecallCountsEveryResidualAsMissed) {
  const ShareInterval recall =
      EstimateRecall({.removed = 900, .kept = 10000}, {.share = 0.01, .low = 0.001, .high = 0.02});
  EXPECT_DOUBLE_EQ(recall.share, 0.9);
  EXPECT_DOUBLE_EQ(recall.low, 900.0 / 1100);
  EXPECT_DOUBLE_EQ(recall.high, 900.0 / 910);
}

TEST(AuditEstimates, RecallOfNothingToFindIsOne) {
  const ShareInterval recall =
      EstimateRecall({.removed = 0, .kept = 100}, ExactInterval({0, 100, kEndless}));
  EXPECT_EQ(recall.share, 1);
  EXPECT_EQ(recall.low, 0);
  EXPECT_EQ(recall.high, 1);
}

}  // namespace
}  // namespace zhiwen
