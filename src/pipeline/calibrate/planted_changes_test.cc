#include "pipeline/calibrate/planted_changes.h"

#include <algorithm>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/draws.h"

namespace zhiwen {
namespace {

using ::testing::ElementsAre;

// Returns the least number of units to replace, delete or insert to make one of the other.
size_t EditDistance(const std::vector<TextUnit>& a, const std::vector<TextUnit>& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t corner = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t same = corner + (a[i - 1].symbol == b[j - 1].symbol ? 0 : 1);
      corner = std::exchange(row[j], std::min({same, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

// Returns Han characters that hardly repeat, with words of Latin and marks between.
std::string MixedText(size_t units, uint64_t seed) {
  Draws draws(seed);
  std::string text;
  for (size_t i = 0; i < units; ++i) {
    const auto character = static_cast<uint32_t>(0x4E00 + draws.Next(8000));
    text += static_cast<char>(0xE0 | character >> 12);
    text += static_cast<char>(0x80 | (character >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (character & 0x3F));
    if (draws.Next(10) == 0) text += "，";
    if (draws.Next(20) == 0) text += "word" + std::to_string(i) + " and ";
  }
  return text;
}

std::vector<SpareUnit> SpareOf(const std::string& text) {
  std::vector<SpareUnit> spare;
  DrawUnits(text, *UnitsOf(text), 500, 7, spare);
  return spare;
}

TEST(PlantedChanges, AsManyUnitsChangeAsWasSaid) {
  const std::vector<SpareUnit> spare = SpareOf(MixedText(2000, 99));
  size_t wanted = 0, measured = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const std::string text = MixedText(200, seed);
    const std::vector<TextUnit> units = *UnitsOf(text);
    const uint64_t changes = CountChanges(units.size(), seed % 2 == 0 ? 0.02 : 0.2);
    const std::string copy = PlantChanges(text, units, changes, spare, seed);
    const size_t distance = EditDistance(units, *UnitsOf(copy));
    EXPECT_LE(distance, changes) << text << "\n" << copy;
    wanted += changes;
    measured += distance;
  }
  // A deletion beside an insertion is one replacement: a few less than were made.
  EXPECT_GE(static_cast<double>(measured), 0.97 * static_cast<double>(wanted));
}

TEST(PlantedChanges, AllThreeKindsAreMade) {
  const std::string text = MixedText(500, 3);
  const std::vector<TextUnit> units = *UnitsOf(text);
  const std::vector<SpareUnit> spare = SpareOf(text);
  size_t longer = 0, shorter = 0, equal = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const size_t size = UnitsOf(PlantChanges(text, units, 1, spare, seed))->size();
    ++(size > units.size() ? longer : size < units.size() ? shorter : equal);
  }
  for (const size_t count : {longer, shorter, equal}) {
    EXPECT_NEAR(static_cast<double>(count), 100, 35);
  }
}

TEST(PlantedChanges, NothingElseChanges) {
  const std::string text = "第一句，有 some words。第二句。";
  const std::vector<TextUnit> units = *UnitsOf(text);
  const std::vector<SpareUnit> spare = {{0x5929, "天"}};
  EXPECT_EQ(PlantChanges(text, units, 0, spare, 1), text);
  EXPECT_EQ(PlantChanges(text, units, 3, spare, 1), PlantChanges(text, units, 3, spare, 1));
  EXPECT_NE(PlantChanges(text, units, 3, spare, 1), PlantChanges(text, units, 3, spare, 2));
}

TEST(PlantedChanges, AWordThatIsPutInStaysAWordOfItsOwn) {
  const std::string text = "alpha beta gamma";
  const std::vector<TextUnit> units = *UnitsOf(text);
  const std::vector<SpareUnit> spare = {{1, "delta"}};
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const std::string copy = PlantChanges(text, units, 2, spare, seed);
    EXPECT_LE(EditDistance(units, *UnitsOf(copy)), 2u) << copy;
  }
}

TEST(PlantedChanges, TheNearestWholeNumberOfChanges) {
  EXPECT_EQ(CountChanges(99, 0.005), 0u);
  EXPECT_EQ(CountChanges(100, 0.005), 1u);
  EXPECT_EQ(CountChanges(1000, 0.02), 20u);
  EXPECT_EQ(CountChanges(0, 0.2), 0u);
}

TEST(PlantedChanges, UnitsFromTheSameBytesAreOne) {
  const std::vector<TextUnit> units = *UnitsOf("㍿一");  // a square of four characters
  EXPECT_EQ(units.size(), 2u);
  EXPECT_FALSE(UnitsOf("\xFF"));
}

}  // namespace
}  // namespace zhiwen
