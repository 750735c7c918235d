#include "pipeline/dedup/audit/audit_estimates.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

// R. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3.
TEST(AuditEstimates, WilsonIntervalIsThePublishedOne) {
  struct Row {
    Sample sample;
    double low, high;
  };
  const Row rows[] = {{{81, 263}, 0.2553, 0.3662},
                      {{15, 148}, 0.0624, 0.1605},
                      {{0, 20}, 0, 0.1611},
                      {{1, 29}, 0.0061, 0.1718}};
  for (const Row& row : rows) {
    const ShareInterval interval = WilsonInterval(row.sample);
    EXPECT_NEAR(interval.low, row.low, 0.00005) << row.sample.hits;
    EXPECT_NEAR(interval.high, row.high, 0.00005) << row.sample.hits;
    EXPECT_DOUBLE_EQ(interval.share,
                     static_cast<double>(row.sample.hits) / static_cast<double>(row.sample.size));
  }
}

TEST(AuditEstimates, WilsonIntervalOfNothingIsEverything) {
  const ShareInterval interval = WilsonInterval({0, 0});
  EXPECT_EQ(interval.low, 0);
  EXPECT_EQ(interval.high, 1);
}

TEST(AuditEstimates, WilsonIntervalEndsAtTheEndsOfTheScale) {
  EXPECT_EQ(WilsonInterval({0, 1000}).low, 0);
  EXPECT_EQ(WilsonInterval({1000, 1000}).high, 1);
  EXPECT_NEAR(WilsonInterval({0, 1000}).high, 1 - WilsonInterval({1000, 1000}).low, 1e-15);
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
      EstimateRecall({.removed = 0, .kept = 100}, WilsonInterval({0, 100}));
  EXPECT_EQ(recall.share, 1);
  EXPECT_EQ(recall.low, 0);
  EXPECT_EQ(recall.high, 1);
}

}  // namespace
}  // namespace zhiwen
