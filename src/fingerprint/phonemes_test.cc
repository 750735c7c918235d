// Tests phoneme vectors and models.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "fingerprint/phoneme_model.h"
#include "fingerprint/phoneme_vector.h"
#include "fingerprint/scheme_test_support.h"
#include "support/language.h"
#include "text/reading/syllable.h"

namespace zhiwen {
namespace {

// Draws the counts of a text of `characters` characters from few or many phonemes.
PhonemeCounts DrawCounts(std::mt19937_64& random, uint64_t characters) {
  PhonemeCounts counts;
  const size_t initials = 1 + random() % kInitialCount;
  const size_t finals = 1 + random() % kFinalCount;
  for (uint64_t i = 0; i < characters; ++i) {
    ++counts.initials[random() % initials * (random() % 2)];
    ++counts.finals[random() % finals * (random() % 2)];
    ++counts.tones[random() % kToneCount];
  }
  return counts;
}

double AngleOf(std::span<const uint64_t> counts, const uint8_t* bytes) {
  long double product = 0, a = 0, b = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    const auto x = static_cast<long double>(counts[i]);
    product += x * bytes[i];
    a += x * x;
    b += static_cast<long double>(bytes[i]) * bytes[i];
  }
  return static_cast<double>(std::acos(std::min(1.0L, product / std::sqrt(a * b))));
}

// Reads 重庆而中 character by character: zhòng qìng ér zhōng.
TEST(PhonemeCounts, AreThoseOfEachCharacter) {
  PhonemeCounts counts;
  const std::vector<uint32_t> phonemes = {
      *ParseSyllable("zhong") << 3 | 4, *ParseSyllable("qing") << 3 | 4,
      *ParseSyllable("er") << 3 | 2, *ParseSyllable("zhong") << 3 | 1};
  counts.Add(phonemes);
  EXPECT_EQ(counts.characters(), 4u);
  EXPECT_EQ(counts.initials[InitialOf(*ParseSyllable("zhong")) - 1], 2u);
  EXPECT_EQ(counts.initials[kInitialCount - 1], 1u);  // er has no initial
  EXPECT_EQ(counts.finals[FinalOf(*ParseSyllable("qing")) - 1], 1u);
  EXPECT_EQ(counts.tones, (std::array<uint64_t, 5>{1, 1, 0, 2, 0}));
  PhonemeCounts twice = counts;
  twice.Add(counts);
  PhonemeCounts again;
  again.Add(phonemes);
  again.Add(phonemes);
  EXPECT_EQ(twice, again);
}

// Tables 1 to 3 of the source: entropies of 4.3644, 4.5300 and 2.1081 bits give the weights of
// model 2.
TEST(PhonemeModel, WeightsAreSharesOfTheEntropies) {
  const PhonemeTriple weights = WeightsOf({4.3644, 4.5300, 2.1081});
  const PhonemeModel model;
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(weights[i], model.weights[i], 0.00005);
  EXPECT_EQ(WeightsOf({}), PhonemeTriple());
}

TEST(PhonemeModel, EntropiesAreInBits) {
  PhonemeCounts counts;
  EXPECT_EQ(ComputeEntropies(counts), PhonemeTriple());
  counts.initials = {5, 5, 5, 5};
  counts.finals = {7};
  counts.tones = {4, 2, 1, 1};
  EXPECT_EQ(ComputeEntropies(counts), (PhonemeTriple{2, 0, 1.75}));
}

TEST(PhonemeModel, TakesWhatIsStrictlyAboveItsThresholds) {
  const PhonemeModel model;
  EXPECT_TRUE(model.Model1({0.954, 0.933, 0.965}));
  EXPECT_FALSE(model.Model1({0.953, 0.933, 0.965}));
  EXPECT_FALSE(model.Model1({1, 0.932, 1}));
  EXPECT_FALSE(model.Model1({1, 1, 0.964}));
  EXPECT_TRUE(model.Model2({1, 0.93, 0.96}));
  EXPECT_FALSE(model.Model2({0.9, 0.96, 1}));
  PhonemeModel exact;
  exact.weights = {0.5, 0.25, 0.25};
  exact.similarity = 0.5;
  EXPECT_FALSE(exact.Model2({0.5, 0.5, 0.5}));
}

TEST(PhonemeModel, CosinesAreThoseOfTheCounts) {
  PhonemeCounts a, b;
  a.initials = {3, 4};
  b.initials = {6, 8};
  a.finals = {1};
  b.finals = {0, 1};
  a.tones = {1, 1};
  b.tones = {1};
  const PhonemeTriple cosines = ComputeCosines(a, b);
  EXPECT_DOUBLE_EQ(cosines[0], 1);
  EXPECT_DOUBLE_EQ(cosines[1], 0);
  EXPECT_DOUBLE_EQ(cosines[2], std::sqrt(0.5));
  EXPECT_EQ(ComputeCosines(a, PhonemeCounts()), PhonemeTriple());
}

TEST(PhonemeVector, IsTurnedByNoMoreThanItSays) {
  std::mt19937_64 random(1);
  double most = 0;
  for (int round = 0; round < 2000; ++round) {
    const PhonemeCounts counts = DrawCounts(random, 1 + random() % 400);
    const PhonemeVector vector = QuantisePhonemes(counts);
    const std::array<double, 3> angles = {
        AngleOf(counts.initials, vector.bytes.data()),
        AngleOf(counts.finals, vector.bytes.data() + kInitialCount),
        AngleOf(counts.tones, vector.bytes.data() + kInitialCount + kFinalCount)};
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_LE(angles[i], vector.angles[i]);
      most = std::max(most, angles[i]);
    }
  }
  EXPECT_GT(most, 0.001);
  EXPECT_LT(most, 0.01);
  EXPECT_EQ(QuantisePhonemes({}).bytes, (std::array<uint8_t, kPhonemeCount>{}));
}

TEST(PhonemesScheme, HasTheCountsOfTheText) {
  const SchemeResources resources = {.language = TestLanguage()};
  const auto counts = std::get<FingerprintBytes>(
      ComputeFingerprint("phonemes(counts)", "山上，shan上山！", resources));
  ASSERT_EQ(counts.size(), 63u * 8);
  std::map<size_t, int> seen;
  for (size_t i = 0; i < 63; ++i) {
    if (counts[8 * i + 7] != 0) seen[i] = counts[8 * i + 7];
  }
  const uint32_t shan = *ParseSyllable("shan");
  const uint32_t shang = *ParseSyllable("shang");
  const std::map<size_t, int> expected = {{InitialOf(shan) - 1, 4},
                                          {24 + FinalOf(shan) - 1, 2},
                                          {24 + FinalOf(shang) - 1, 2},
                                          {58, 2},   // shān
                                          {61, 2}};  // shàng
  EXPECT_EQ(seen, expected);
  const auto bytes =
      std::get<FingerprintBytes>(ComputeFingerprint("phonemes", "山上，shan上山！", resources));
  ASSERT_EQ(bytes.size(), 63u);
  EXPECT_EQ(bytes[InitialOf(shan) - 1], 255);
  EXPECT_FALSE(HasValue(ComputeFingerprint("phonemes", "no Chinese", resources)));
  EXPECT_FALSE(Scheme::Create("phonemes(channel=pinyin)", resources));
}

}  // namespace
}  // namespace zhiwen
