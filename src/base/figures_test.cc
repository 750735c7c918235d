#include "zhiwen/figures.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

TEST(Figures, CountsHaveGroupsOfThreeDigits) {
  EXPECT_EQ(FormatCount(0), "0");
  EXPECT_EQ(FormatCount(999), "999");
  EXPECT_EQ(FormatCount(1000), "1,000");
  EXPECT_EQ(FormatCount(1234567), "1,234,567");
}

TEST(Figures, BytesNeverShowAThousandOfAUnit) {
  EXPECT_EQ(FormatBytes(999), "999 B");
  EXPECT_EQ(FormatBytes(1000), "1.0 kB");
  EXPECT_EQ(FormatBytes(999'949), "999.9 kB");
  EXPECT_EQ(FormatBytes(999'950), "1.0 MB");
  EXPECT_EQ(FormatBytes(110'200'000), "110.2 MB");
}

TEST(Figures, SecondsCarryIntoMinutesAndHours) {
  EXPECT_EQ(FormatSeconds(0), "0.0 ms");
  EXPECT_EQ(FormatSeconds(0.00001), "< 0.1 ms");
  EXPECT_EQ(FormatSeconds(0.0042), "4.2 ms");
  EXPECT_EQ(FormatSeconds(0.423), "423 ms");
  EXPECT_EQ(FormatSeconds(0.9996), "1.00 s");
  EXPECT_EQ(FormatSeconds(12.34), "12.3 s");
  EXPECT_EQ(FormatSeconds(59.96), "1 min 00 s");
  EXPECT_EQ(FormatSeconds(185), "3 min 05 s");
  EXPECT_EQ(FormatSeconds(7440), "2 h 04 min");
}

TEST(Figures, SharesThatAreNotNothingDoNotReadAsNothing) {
  EXPECT_EQ(FormatShare(0, 100), "0.00 %");
  EXPECT_EQ(FormatShare(1, 100'000), "< 0.01 %");
  EXPECT_EQ(FormatShare(204, 10'000), "2.04 %");
  EXPECT_EQ(FormatShare(0, 0), "–");
  EXPECT_EQ(FormatEstimate(0.0001), "< 0.001");
  EXPECT_EQ(FormatEstimate(0.0214), "0.021");
  EXPECT_EQ(FormatEstimate(7.52), "7.5");
  EXPECT_EQ(FormatEstimate(1234.4), "1,234");
}

TEST(Figures, OnlyAResemblanceOfOneReadsAsOne) {
  EXPECT_EQ(FormatSimilarity(1), "1");
  EXPECT_EQ(FormatSimilarity(0.999999), "0.9999");
  EXPECT_EQ(FormatSimilarity(1 - 1e-9), "0.9999");
  EXPECT_EQ(FormatSimilarity(2.0 / 3), "0.6666");
  EXPECT_EQ(FormatSimilarity(0.12F), "0.1200") << "a float is a little less";
  EXPECT_EQ(FormatSimilarity(0), "0.0000");
  EXPECT_EQ(FormatContainment(1), "100 %");
  EXPECT_EQ(FormatContainment(0.999999), "99.99 %");
  EXPECT_EQ(FormatContainment(0.8421), "84.21 %");
  EXPECT_EQ(FormatExtracted(0.96), "96 %");
  EXPECT_EQ(FormatExtracted(0.407), "40.7 %");
  EXPECT_EQ(FormatExtracted(0.025), "2.5 %");
}

}  // namespace
}  // namespace zhiwen
