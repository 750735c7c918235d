#include "pipeline/dedup/audit/audit_estimates.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace zhiwen {
namespace {

constexpr uint64_t kEndless = uint64_t{1} << 60;

// R. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3.
TEST(AuditEstimates, WilsonIntervalIsThePublishedOne) {
  struct Row {
    Sample sample;
    double low, high;
  };
  const Row rows[] = {{{81, 263, kEndless}, 0.2553, 0.3662},
                      {{15, 148, kEndless}, 0.0624, 0.1605},
                      {{0, 20, kEndless}, 0, 0.1611},
                      {{1, 29, kEndless}, 0.0061, 0.1718}};
  for (const Row& row : rows) {
    const ShareInterval interval = WilsonInterval(row.sample);
    EXPECT_NEAR(interval.low, row.low, 0.00005) << row.sample.hits;
    EXPECT_NEAR(interval.high, row.high, 0.00005) << row.sample.hits;
    EXPECT_DOUBLE_EQ(interval.share,
                     static_cast<double>(row.sample.hits) / static_cast<double>(row.sample.size));
  }
}

TEST(AuditEstimates, WilsonIntervalOfNothingIsEverything) {
  const ShareInterval interval = WilsonInterval({0, 0, 10});
  EXPECT_EQ(interval.low, 0);
  EXPECT_EQ(interval.high, 1);
}

TEST(AuditEstimates, WilsonIntervalEndsAtTheEndsOfTheScale) {
  EXPECT_EQ(WilsonInterval({0, 1000, kEndless}).low, 0);
  EXPECT_EQ(WilsonInterval({1000, 1000, kEndless}).high, 1);
  EXPECT_NEAR(WilsonInterval({0, 1000, kEndless}).high,
              1 - WilsonInterval({1000, 1000, kEndless}).low, 1e-15);
}

// What a sample of a small population leaves unsaid is of those that were not drawn.
TEST(AuditEstimates, ASampleOfAFewSaysAsMuchAsMoreOfMany) {
  EXPECT_EQ(SampleSize(1000, 1000), 501U);
  EXPECT_EQ(SampleSize(1000, 10000), 910U);
  EXPECT_EQ(SampleSize(1000, kEndless), 1000U);
  EXPECT_EQ(SampleSize(1000, 5), 5U);
  EXPECT_EQ(SampleSize(kEndless, 1000), 1000U);
  EXPECT_EQ(SampleSize(0, 1000), 0U);
  EXPECT_EQ(SampleSize(1000, 0), 0U);
  const double high = WilsonInterval({0, 1000, kEndless}).high;
  for (const uint64_t population : {100U, 1000U, 2253U, 100000U}) {
    const uint64_t size = SampleSize(1000, population);
    EXPECT_LE(WilsonInterval({0, size, population}).high, high) << population;
    EXPECT_GT(WilsonInterval({0, size - 1, population}).high, high) << population;
  }
}

TEST(AuditEstimates, ASampleOfAllSaysExactlyWhatItIs) {
  const ShareInterval interval = WilsonInterval({3, 60, 60});
  EXPECT_EQ(interval.low, 0.05);
  EXPECT_EQ(interval.high, 0.05);
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
      EstimateRecall({.removed = 0, .kept = 100}, WilsonInterval({0, 100, kEndless}));
  EXPECT_EQ(recall.share, 1);
  EXPECT_EQ(recall.low, 0);
  EXPECT_EQ(recall.high, 1);
}

}  // namespace
}  // namespace zhiwen
