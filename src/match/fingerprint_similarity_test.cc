#include "zhiwen/fingerprint_similarity.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "fingerprint/scheme_test_support.h"
#include "support/language.h"
#include "support/picture_builder.h"
#include "zhiwen/metadata.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;

double SimilarityOf(const Fingerprint& a, const Fingerprint& b, std::string_view measure) {
  const Result<double> similarity = CompareFingerprints(a, b, measure, {});
  EXPECT_TRUE(similarity) << similarity.error().message;
  return similarity.value_or(-1);
}

std::string ErrorOf(const Fingerprint& a, const Fingerprint& b, std::string_view measure) {
  const Result<double> similarity = CompareFingerprints(a, b, measure, {});
  return similarity ? "none" : similarity.error().message;
}

SelectedShingle Selected(uint64_t hash) {
  SelectedShingle shingle;
  shingle.hash = hash;
  return shingle;
}

const Fingerprint kBytes = FingerprintBytes{0xFF, 0, 0, 0, 1, 2, 3, 4};
const Fingerprint kSet = HashSet{{1, 2, 3}};
const Fingerprint kCodes = CodeSequence{1, {1, 2, 3}};
const Fingerprint kSelected = SelectedShingles{Selected(3), Selected(1), Selected(3)};
const Fingerprint kTerms = WeightedTerms{{"甲", 3}, {"乙", 4}};

TEST(FingerprintSimilarity, IsWhatTheMeasureSays) {
  EXPECT_EQ(SimilarityOf(kBytes, kBytes, "equal"), 1);
  EXPECT_EQ(SimilarityOf(kBytes, FingerprintBytes{0, 0, 0, 0, 1, 2, 3, 4}, "equal"), 0);
  EXPECT_EQ(SimilarityOf(kBytes, FingerprintBytes{0, 0, 0, 0, 1, 2, 3, 4}, "equal_bits"), 0.875);
  EXPECT_EQ(SimilarityOf(kBytes, FingerprintBytes{0, 0, 0, 0, 1, 2, 3, 4}, "equal_values"), 0.5);
  EXPECT_EQ(SimilarityOf(kSet, HashSet{{2, 3, 4}}, "resemblance"), 0.5);
  EXPECT_EQ(SimilarityOf(kSet, HashSet{{3}}, "containment"), 1);
  EXPECT_EQ(SimilarityOf(kSelected, SelectedShingles{Selected(1), Selected(9)}, "resemblance"),
            1.0 / 3);
  EXPECT_EQ(SimilarityOf(kCodes, CodeSequence{1, {1, 9, 3}}, "equal_places"), 2.0 / 3);
  EXPECT_EQ(SimilarityOf(SelectedShingles{Selected(5), Selected(3), Selected(8)},
                         SelectedShingles{Selected(8), Selected(5), Selected(3)}, "subsequence"),
            2.0 / 3);
  EXPECT_EQ(SimilarityOf(kTerms, WeightedTerms{{"乙", 1}}, "cosine"), 0.8);
}

// The article "simhash与重复信息识别(一)" prints three codes of 32 bits and their distances: 4, 16
// and 12.
TEST(FingerprintSimilarity, OfThePrintedCodesIsThatOfTheirDistances) {
  const auto code = [](uint32_t decimal) {
    FingerprintBytes bytes;
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<uint8_t>(decimal >> shift));
    }
    return Fingerprint(bytes);
  };
  const Fingerprint p1 = code(851459198), p2 = code(847263864), p3 = code(984968088);
  EXPECT_EQ(SimilarityOf(p1, p2, "equal_bits"), 1 - 4.0 / 32);
  EXPECT_EQ(SimilarityOf(p1, p3, "equal_bits"), 1 - 16.0 / 32);
  EXPECT_EQ(SimilarityOf(p2, p3, "equal_bits"), 1 - 12.0 / 32);
}

TEST(FingerprintSimilarity, OfPhonemesIsThatOfModel2) {
  FingerprintBytes a(63), b(63), counts(8 * 63);
  a[0] = b[0] = 255;    // one initial
  a[24] = b[25] = 200;  // different finals
  a[58] = b[58] = 10;   // one tone
  counts[7] = 85;
  counts[8 * 24 + 6] = 1;
  counts[8 * 58 + 7] = 40;
  EXPECT_DOUBLE_EQ(SimilarityOf(a, b, "phonemes"), 0.3967 + 0.1916);
  EXPECT_DOUBLE_EQ(SimilarityOf(counts, counts, "phonemes"), 1);
  EXPECT_DOUBLE_EQ(SimilarityOf(a, b, "initials"), 1);
  EXPECT_DOUBLE_EQ(SimilarityOf(a, b, "finals"), 0);
  EXPECT_DOUBLE_EQ(SimilarityOf(a, b, "tones"), 1);
}

// The mean over many seeds is the resemblance, whatever the number of bits. Texts without common
// characters have resemblance 0.
TEST(FingerprintSimilarity, OfBbitMinhashEstimatesTheResemblance) {
  std::string a, b;
  for (int i = 0; i < 150; ++i) a += fmt::format("w{} ", i);
  for (int i = 50; i < 200; ++i) b += fmt::format("w{} ", i);
  const double resemblance = 96.0 / (2 * 146 - 96);  // shingles of five words
  for (const int bits : {1, 2, 4, 8}) {
    const std::string measure = fmt::format("bbit{}", bits);
    double sum = 0;
    constexpr int kSeeds = 40;
    for (int seed = 0; seed < kSeeds; ++seed) {
      const auto scheme =
          *Scheme::Create(fmt::format("bbit_minhash({},permutations=512,seed={})", bits, seed));
      const Fingerprint of_a = *scheme->Compute(a);
      ASSERT_EQ(UsualMeasure(scheme->canonical_name(), of_a), measure);
      EXPECT_EQ(SimilarityOf(of_a, of_a, measure), 1);
      sum += SimilarityOf(of_a, *scheme->Compute(b), measure);
    }
    // Six standard deviations of 40 · 512 values of one bit.
    EXPECT_NEAR(sum / kSeeds, resemblance, 6 * 2 * 0.5 / std::sqrt(kSeeds * 512.0)) << bits;
  }
  EXPECT_EQ(SimilarityOf(FingerprintBytes{0x0F}, FingerprintBytes{0xF0}, "bbit1"), 0);
  EXPECT_DOUBLE_EQ(SimilarityOf(FingerprintBytes{0x1B}, FingerprintBytes{0x1A}, "bbit2"), 2.0 / 3);
}

TEST(FingerprintSimilarity, OfMetadataIsTheShareOfEqualPartsThatBothHave) {
  FingerprintBytes a(kMetadataBytes), b(kMetadataBytes);
  EXPECT_EQ(SimilarityOf(a, a, "equal_parts"), 0);
  a[31] = b[31] = 1;    // equal
  a[32] = 1;            // only in one
  a[224] = b[225] = 1;  // different
  EXPECT_EQ(SimilarityOf(a, b, "equal_parts"), 0.5);
  EXPECT_EQ(SimilarityOf(a, a, "equal_parts"), 1);
  EXPECT_EQ(UsualMeasure("metadata.v1(edge=opening)", a), "equal_parts");
}

TEST(FingerprintSimilarity, OfNoValueIsZero) {
  for (const SimilarityMeasure& measure : SimilarityMeasures()) {
    EXPECT_EQ(SimilarityOf(NoFingerprint(), NoFingerprint(), measure.name), 0);
    EXPECT_EQ(SimilarityOf(kSet, NoFingerprint(), measure.name), 0);
  }
}

TEST(FingerprintSimilarity, RefusesWhatDoesNotGoTogether) {
  EXPECT_THAT(ErrorOf(kSet, kSet, "cosines"), HasSubstr("there is equal, equal_bits,"));
  EXPECT_THAT(ErrorOf(kSet, kSet, "cosine"), HasSubstr("it is for terms with weights"));
  EXPECT_THAT(ErrorOf(kSet, kBytes, "equal"), HasSubstr("cannot measure"));
  EXPECT_THAT(ErrorOf(kBytes, FingerprintBytes{1}, "equal_bits"), HasSubstr("cannot measure"));
  EXPECT_THAT(ErrorOf(kBytes, kBytes, "phonemes"), HasSubstr("it is for phonemes"));
  // Only "equal" can compare empty fingerprints.
  for (const SimilarityMeasure& measure : SimilarityMeasures()) {
    if (measure.name == "equal") continue;
    EXPECT_FALSE(CompareFingerprints(FingerprintBytes(), FingerprintBytes(), measure.name, {}))
        << measure.name;
  }
}

TEST(FingerprintSimilarity, EverySchemeHasAMeasureThatItsValuesHave) {
  // Holds tagged words, lines and clauses, so that every scheme finds features.
  std::string text;
  for (int i = 0; i < 30; ++i) {
    text += fmt::format("指纹/n 检测/v 文本/n,重复/v 第{}行/n 知之为知之。/x\n", i);
  }
  const std::string picture = DrawnPixels(40, 30);
  SchemeResources resources = FakeResources();
  resources.language = TestLanguage();
  for (const SchemeDescription& description : DescribeSchemes(resources)) {
    const auto scheme = *Scheme::Create(description.family, resources);
    const Fingerprint value = *scheme->ComputeDocument({.text = text, .picture = picture});
    ASSERT_TRUE(HasValue(value)) << description.family;
    EXPECT_EQ(UsualMeasure(scheme->canonical_name(), value), description.measure);
    EXPECT_EQ(SimilarityOf(value, value, description.measure), 1) << description.family;
  }
  EXPECT_EQ(UsualMeasure("simhash64", kBytes), "equal_bits");
  EXPECT_EQ(UsualMeasure("simhash64.v1(channel=exact.v1)", kBytes), "equal_bits");
  EXPECT_EQ(UsualMeasure("keywords", kBytes), "equal");
  EXPECT_EQ(UsualMeasure("keywords(form=list)", kTerms), "cosine");
  EXPECT_EQ(UsualMeasure("winnowing", kSelected), "containment");
  EXPECT_EQ(UsualMeasure("of another program", kSet), "resemblance");
}

}  // namespace
}  // namespace zhiwen
