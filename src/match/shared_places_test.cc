#include "zhiwen/shared_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "support/language.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;

SelectedShingle Selected(uint64_t hash, uint64_t position, uint64_t begin, uint64_t size) {
  return {.hash = hash, .position = position, .source = {{begin}, {begin + size}}};
}

SelectedShingles RandomShingles(std::mt19937& random) {
  SelectedShingles shingles;
  uint64_t position = 0;
  for (size_t count = random() % 12; shingles.size() < count; position += random() % 3) {
    shingles.push_back(Selected(random() % 6, position, 3 * position, 3 + random() % 12));
  }
  return shingles;
}

using Place = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>;

Place PlaceOf(const SelectedShingle& shingle) {
  return {shingle.hash, shingle.position, shingle.source.begin.value, shingle.source.end.value};
}

size_t CoverageByHand(const SelectedShingles& shingles) {
  std::set<uint64_t> bytes;
  for (const SelectedShingle& shingle : shingles) {
    for (uint64_t i = shingle.source.begin.value; i < shingle.source.end.value; ++i) {
      bytes.insert(i);
    }
  }
  return bytes.size();
}

// The oracle compares every shingle of a with every one of b.
TEST(SharedShingles, AreAllPairsOfEqualHashesWithTheirPlaces) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    const SelectedShingles a = RandomShingles(random), b = RandomShingles(random);
    std::multiset<std::pair<Place, Place>> pairs, found;
    SelectedShingles in_a, in_b;  // places whose hash the other text has
    for (const SelectedShingle& x : a) {
      for (const SelectedShingle& y : b) {
        if (x.hash == y.hash) pairs.emplace(PlaceOf(x), PlaceOf(y));
        if (x.hash == y.hash) in_a.push_back(x), in_b.push_back(y);
      }
    }
    uint64_t before = 0;
    std::set<uint64_t> hashes;
    const auto shared_of_both = FindSharedShingles(a, b);
    for (const SharedShingle& shared : shared_of_both) {
      ASSERT_FALSE(shared.a.empty() || shared.b.empty());
      EXPECT_TRUE(hashes.insert(shared.a.front().hash).second);
      EXPECT_LE(before, shared.a.front().position);
      before = shared.a.front().position;
      for (const SelectedShingle& x : shared.a) {
        for (const SelectedShingle& y : shared.b) found.emplace(PlaceOf(x), PlaceOf(y));
      }
    }
    EXPECT_EQ(found, pairs);
    const size_t all = CoverageByHand(a) + CoverageByHand(b);
    const double share = all == 0
                             ? 0
                             : static_cast<double>(CoverageByHand(in_a) + CoverageByHand(in_b)) /
                                   static_cast<double>(all);
    EXPECT_EQ(ShingleCoverage(a, b), share);
    EXPECT_EQ(ShingleCoverage(b, a), share);
  }
}

TEST(SharedShingles, OfAPassageAreItsBytesInBothTexts) {
  const auto scheme = *Scheme::Create("winnowing(g=6,k=3)");
  const std::string passage = "缘溪行，忘路之远近。忽逢桃花林";
  const std::string a = "武陵人捕鱼为业。" + passage + "，夹岸数百步";
  const std::string b = "他说：" + passage;
  const auto shared = FindSharedShingles(std::get<SelectedShingles>(*scheme->Compute(a)),
                                         std::get<SelectedShingles>(*scheme->Compute(b)));
  ASSERT_GE(shared.size(), 3U);
  for (const SharedShingle& shingle : shared) {
    const ByteSpan in_a = shingle.a.front().source, in_b = shingle.b.front().source;
    const std::string part = a.substr(in_a.begin.value, in_a.size());
    EXPECT_EQ(part, b.substr(in_b.begin.value, in_b.size()));
    EXPECT_THAT(passage, HasSubstr(part));
  }
}

// --- granules ------------------------------------------------------------------------------------

constexpr size_t kHanBytes = 3;  // bytes

TEST(ClosestGranules, SlideOverTheOtherTextAndSayWhere) {
  const auto scheme = *Scheme::Create("initials_dna(granule=10)", {.language = TestLanguage()});
  const std::string text =
      "武陵人捕鱼为业缘溪行忘路之远近忽逢桃花林夹岸数百步中无杂树芳草鲜美落英缤纷";
  // Seven characters, which is no multiple of the step of five.
  const std::string before = "他告诉我们说，";
  const auto found = *FindClosestGranules(*scheme, text, before + text, {});
  ASSERT_EQ(found.size(), 7U);
  for (size_t i = 0; i < found.size(); ++i) {
    const uint64_t begin = i < 6 ? 5 * i * kHanBytes : text.size() - 10 * kHanBytes;
    EXPECT_EQ(found[i].a, (ByteSpan{{begin}, {begin + 10 * kHanBytes}})) << i;
    EXPECT_EQ(found[i].b.begin - found[i].a.begin, before.size()) << i;
    EXPECT_EQ(found[i].b.size(), found[i].a.size()) << i;
    EXPECT_EQ(found[i].distance, 0U) << i;
  }
  // Without its 20th character, only the granules that contained it change, and only a little.
  std::string lacking = text;
  lacking.erase(19 * kHanBytes, kHanBytes);
  const auto around = *FindClosestGranules(*scheme, text, lacking, {});
  for (const ClosestGranule& granule : around) {
    const bool is_hit =
        granule.a.begin.value <= 19 * kHanBytes && 19 * kHanBytes < granule.a.end.value;
    EXPECT_EQ(granule.distance > 0, is_hit) << granule.a.begin.value;
  }
}

TEST(ClosestGranules, OfShortTextsAreThoseOfAllTheyHave) {
  const auto scheme = *Scheme::Create("initials_dna", {.language = TestLanguage()});
  EXPECT_THAT(*FindClosestGranules(*scheme, "a：武陵人。", "武陵人", {}),
              testing::ElementsAre(ClosestGranule{{{4}, {13}}, {{0}, {9}}, 0}));
  EXPECT_THAT(*FindClosestGranules(*scheme, "武陵人", "？", {}), testing::IsEmpty());
  EXPECT_THAT(*FindClosestGranules(*scheme, "", "武陵人", {}), testing::IsEmpty());
  EXPECT_FALSE(FindClosestGranules(*scheme, "武陵人", "\xFF", {}));
  EXPECT_THAT(FindClosestGranules(**Scheme::Create("winnowing"), "", "", {}).error().message,
              HasSubstr("only initials_dna has any"));
}

}  // namespace
}  // namespace zhiwen
