// Passages of granules are those that their definition gives, by comparing all granules.

#include "match/granule_passages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "fingerprint/dna_code.h"
#include "support/language.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

using Begin = GranuleScheme::Begin;

std::string RandomHanText(std::mt19937& random, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    const auto code = 0x4E00 + random() % (random() % 2 == 0 ? 40 : 0x2000);
    text += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 63)),
             static_cast<char>(0x80 | (code & 63))};
  }
  return text;
}

// Bytes of so many characters of RandomHanText.
constexpr size_t Bytes(size_t characters) { return 3 * characters; }

class GranulePassages : public testing::Test {
 protected:
  void Use(const std::string& name) {
    auto made = Scheme::Create(name, {.language = TestLanguage()});
    ASSERT_TRUE(made) << made.error().message;
    scheme_ = *std::move(made);
  }
  const GranuleScheme& scheme() { return dynamic_cast<const GranuleScheme&>(*scheme_); }

  std::vector<GranulePassage> Find(const std::string& stored, const std::string& query,
                                   const GranuleMatchOptions& options) {
    const Granules of_query = *scheme().ComputeGranules(query, Begin::kAtEveryCharacter);
    const auto found =
        FindGranulePassages(scheme(), *scheme().ComputeGranules(stored, Begin::kAtSteps), of_query,
                            *SearchedCodes::Create(of_query.codes, {}), options, {});
    EXPECT_TRUE(found);
    return *found;
  }

  std::mt19937 random_{5};

 private:
  std::unique_ptr<Scheme> scheme_;
};

TEST_F(GranulePassages, AreGranulesThatFollowOneAnother) {
  Use("initials_dna");
  const std::string before = RandomHanText(random_, 83), text = RandomHanText(random_, 300);
  const auto whole = Find(text, before + text, {.radius = 0, .least_granules = 3});
  ASSERT_EQ(whole.size(), 1U);
  ASSERT_EQ(whole[0].size(), 11U);  // (300 - 50) / 25 + 1
  for (size_t i = 0; i < whole[0].size(); ++i) {
    EXPECT_EQ(whole[0][i], (AlignedGranule{.stored = i, .query = 83 + 25 * i, .distance = 0}));
  }
}

// A character that is missing changes two granules by what one character is, and moves the rest.
TEST_F(GranulePassages, GoOnWhereACharacterIsMissing) {
  Use("initials_dna");
  const std::string text = RandomHanText(random_, 300);
  std::string query = RandomHanText(random_, 40) + text;
  query.erase(Bytes(40 + 160), Bytes(1));
  const auto found = Find(text, query, {.radius = 6, .least_granules = 3});
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].size(), 11U);
  size_t changed = 0;
  for (const AlignedGranule& one : found[0]) changed += one.distance > 0 ? 1 : 0;
  EXPECT_LE(changed, 2U);
  EXPECT_EQ(found[0].front().query, 40U);
  EXPECT_EQ(found[0].back().query, 40U + 250 - 1);
}

TEST_F(GranulePassages, ArePartedByOtherText) {
  Use("initials_dna(overlap=0)");
  const std::string text = RandomHanText(random_, 400);
  const std::string query =
      text.substr(0, Bytes(200)) + RandomHanText(random_, 60) + text.substr(Bytes(200));
  const auto found = Find(text, query, {.radius = 0, .least_granules = 2});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].size(), 4U);
  EXPECT_EQ(found[1].size(), 4U);
  EXPECT_EQ(found[1].front().query, 260U);
  EXPECT_TRUE(Find(text, query, {.radius = 0, .least_granules = 5}).empty());
  // In another order they do not follow one another.
  const std::string turned = text.substr(Bytes(200)) + text.substr(0, Bytes(200));
  EXPECT_EQ(Find(text, turned, {.radius = 0, .least_granules = 2}).size(), 2U);
}

// A query that repeats parts of the stored text has them in another order and twice: each place is
// part of the passage that goes on there.
TEST_F(GranulePassages, GoOnWhereTheQueryRepeatsItself) {
  Use("initials_dna");
  const std::string one = RandomHanText(random_, 100), two = RandomHanText(random_, 100);
  const std::string other = RandomHanText(random_, 130);
  const auto found = Find(one + two, one + other + one + two, {.radius = 8, .least_granules = 5});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].size(), 7U);
  EXPECT_EQ(found[0].front().query, 230U);
  // Of a passage that the query has twice, both places are found.
  const auto twice = Find(one + two, one + two + other + one + two, {.least_granules = 7});
  ASSERT_EQ(twice.size(), 2U);
  EXPECT_EQ(twice[0].front().query, 0U);
  EXPECT_EQ(twice[1].front().query, 330U);
  // Edited copies are no less found where one of them is closer.
  std::string edited = one + two;
  edited.replace(Bytes(60), Bytes(1), "的");
  edited.replace(Bytes(150), Bytes(1), "的");
  const auto both = Find(one + two, edited + other + two, {.radius = 8, .least_granules = 7});
  ASSERT_EQ(both.size(), 1U);
  EXPECT_EQ(both[0].front().query, 0U);
}

// Where everything repeats, there are few passages, and they end at the end.
TEST_F(GranulePassages, OfTextsThatRepeatOneCharacterAreFew) {
  Use("initials_dna");
  std::string text;
  for (size_t i = 0; i < 3000; ++i) text += "马";
  const auto found = Find(text, text, {.least_granules = 3});
  ASSERT_FALSE(found.empty());
  EXPECT_LE(found.size(), kMostOpenPassages);
  EXPECT_EQ(found[0].size(), 119U);
  EXPECT_EQ(found[0].back().query, 2950U);
}

// Texts that are too short for so many granules need as many as they have room for, and these are
// within the radius of short texts.
TEST_F(GranulePassages, HaveFewerGranulesInShorterTexts) {
  Use("initials_dna");
  const GranuleMatchOptions options = {.radius = 20, .least_granules = 3, .short_radius = 0};
  const std::string text = RandomHanText(random_, 300);
  EXPECT_EQ(Find(text, text.substr(Bytes(25), Bytes(74)), options).size(), 1U);
  EXPECT_EQ(Find(text.substr(0, Bytes(50)), text, options).size(), 1U);
  std::string changed = text.substr(Bytes(25), Bytes(74));
  for (size_t i = 10; i < 70; i += 10) changed.replace(Bytes(i), Bytes(1), "的");
  EXPECT_TRUE(Find(text, changed, options).empty());
  // A copy of 124 characters has three, wherever it begins.
  for (size_t begin = 0; begin < 150; begin += 7) {
    const auto found = Find(text, text.substr(Bytes(begin), Bytes(124)), options);
    ASSERT_FALSE(found.empty()) << begin;
    EXPECT_GE(found[0].size(), 3U) << begin;
  }
}

TEST_F(GranulePassages, OfShortTextsAreEqualOnly) {
  Use("initials_dna");
  const GranuleMatchOptions options = {.radius = 180, .least_granules = 3, .short_radius = 180};
  const std::string text = RandomHanText(random_, 30);
  EXPECT_EQ(Find(text, text, options).size(), 1U);
  EXPECT_TRUE(Find(text, RandomHanText(random_, 30), options).empty());
  EXPECT_TRUE(Find(text, text + RandomHanText(random_, 60), options).empty());
  EXPECT_TRUE(Find("", text, options).empty());
  EXPECT_TRUE(Find(text, "", options).empty());
}

// The definition of which granules are in a passage: those whose closest granule is within the
// radius, by comparing all.
TEST_F(GranulePassages, HaveTheGranulesWithinTheRadius) {
  Use("initials_dna(20,digits=8)");
  const std::string text = RandomHanText(random_, 400);
  std::string query = text;
  for (size_t i = 5; i < 400; i += 11) query.replace(Bytes(i), Bytes(1), RandomHanText(random_, 1));
  const Granules stored = *scheme().ComputeGranules(text, Begin::kAtSteps);
  const Granules moved = *scheme().ComputeGranules(query, Begin::kAtEveryCharacter);
  for (const uint32_t radius : {0U, 5U, 12U, 30U}) {
    std::vector<size_t> near, found;
    for (size_t i = 0; i < stored.codes.size(); ++i) {
      int least = 1000;
      for (size_t j = 0; j < moved.codes.size(); ++j) {
        const DnaDigits a = DigitsOfDna(stored.codes[i], 8), b = DigitsOfDna(moved.codes[j], 8);
        int distance = 0;
        for (size_t k = 0; k < a.size(); ++k) distance += std::abs(a[k] - b[k]);
        least = std::min(least, distance);
      }
      if (static_cast<uint32_t>(least) <= radius) near.push_back(i);
    }
    for (const GranulePassage& passage : Find(text, query, {.radius = radius})) {
      for (const AlignedGranule& one : passage) found.push_back(one.stored);
    }
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    EXPECT_EQ(found, near) << radius;
  }
}

}  // namespace
}  // namespace zhiwen
