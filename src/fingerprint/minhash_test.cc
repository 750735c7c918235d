#include "fingerprint/minhash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <random>

#include "fingerprint/scheme_test_support.h"
#include "fingerprint/sketch_test_support.h"

namespace zhiwen {
namespace {

std::vector<uint32_t> Sketch(const MinHash& minhash, const std::vector<uint64_t>& shingles) {
  std::vector<uint32_t> values(minhash.permutations());
  minhash.Compute(shingles, values);
  return values;
}

Sketcher SketcherOf(const MinHash& minhash) {
  return [&](std::span<const uint64_t> shingles, std::span<uint32_t> out) {
    minhash.Compute(shingles, out);
  };
}

TEST(MinHash, GivesThePublishedValues) {
  const std::vector<SketchVector> vectors = PublishedSketches("k_permutation");
  ASSERT_EQ(vectors.size(), 4u);
  for (const SketchVector& vector : vectors) {
    const MinHash minhash = *MinHash::Create({.permutations = 16, .seed = vector.seed});
    EXPECT_EQ(Sketch(minhash, vector.shingles), vector.values);
  }
}

TEST(MinHash, TakesMultiplesOfSixteenOnly) {
  for (const uint32_t permutations : {0u, 1u, 15u, 17u, 125u, 4112u}) {
    const Result<MinHash> minhash = MinHash::Create({.permutations = permutations});
    ASSERT_FALSE(minhash) << permutations;
    EXPECT_EQ(minhash.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(MinHash::Create({.permutations = 4096})->permutations(), 4096u);
}

TEST(MinHash, DependsOnTheSetAloneNotOnOrderOrRepeats) {
  std::mt19937_64 random(1);
  const MinHash minhash = *MinHash::Create({});
  std::vector<uint64_t> shingles(300);
  for (uint64_t& shingle : shingles) shingle = random();
  const std::vector<uint32_t> values = Sketch(minhash, shingles);
  shingles.insert(shingles.end(), shingles.begin(), shingles.begin() + 100);
  std::shuffle(shingles.begin(), shingles.end(), random);
  EXPECT_EQ(Sketch(minhash, shingles), values);
}

TEST(MinHash, OfAUnionIsTheLesserValueEverywhere) {
  std::mt19937_64 random(2);
  const MinHash minhash = *MinHash::Create({});
  std::vector<uint64_t> a(100), b(50);
  for (uint64_t& shingle : a) shingle = random();
  for (uint64_t& shingle : b) shingle = random();
  const std::vector<uint32_t> a_values = Sketch(minhash, a), b_values = Sketch(minhash, b);
  a.insert(a.end(), b.begin(), b.end());
  const std::vector<uint32_t> values = Sketch(minhash, a);
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(values[i], std::min(a_values[i], b_values[i]));
  }
}

// The mean may differ by five standard deviations of the mean of all trials. The squared error over
// all trials must be that of 128 independent draws within 15 %.
TEST(MinHash, SlowEstimatesResemblanceWithoutBiasAndWithTheErrorOfIndependentDraws) {
  const MinHash minhash = *MinHash::Create({});
  for (const PairShape shape : {PairShape{4, 8}, {10, 20}, {18, 20}, {160, 200}, {50, 200}}) {
    const double j = shape.resemblance();
    const SketchStatistics result = Measure(SketcherOf(minhash), 128, shape, 3000);
    const double variance = j * (1 - j) / 128;
    EXPECT_NEAR(result.mean, j, 5 * std::sqrt(variance / 3000)) << shape.in_either;
    EXPECT_NEAR(result.mean_square / variance, 1, 0.15) << shape.in_either;
  }
}

// With 8128 pairs of positions over 4000 trials, chance correlation stays below six standard
// deviations.
TEST(MinHash, HasNoTwoPositionsThatAreEqualTogether) {
  const MinHash minhash = *MinHash::Create({});
  for (const PairShape shape : {PairShape{6, 12}, {100, 200}}) {
    const SketchStatistics result = Measure(SketcherOf(minhash), 128, shape, 4000);
    EXPECT_LT(result.correlation, 6 / std::sqrt(4000)) << shape.in_either;
  }
}

TEST(MinHash, SlowBandsFindPairsAsOftenAsTheFormulaSays) {
  const MinHash minhash = *MinHash::Create({});
  const Sketcher sketch = [&](std::span<const uint64_t> shingles, std::span<uint32_t> out) {
    std::array<uint32_t, 128> values;
    minhash.Compute(shingles, values);
    std::copy_n(values.begin(), out.size(), out.begin());
  };
  for (const PairShape shape : {PairShape{4, 8}, {6, 12}, {10, 20}, {25, 50}, {100, 200}}) {
    const double probability = 1 - std::pow(1 - std::pow(shape.resemblance(), 5), 24);
    const SketchStatistics result = Measure(sketch, 120, shape, 4000);
    EXPECT_NEAR(static_cast<double>(result.candidates) / 4000, probability,
                5 * std::sqrt(probability * (1 - probability) / 4000))
        << shape.in_either;
  }
}

// Prints the bits of all values.
std::string BitsOf(const Fingerprint& fingerprint) {
  std::string bits;
  for (const uint8_t byte : std::get<FingerprintBytes>(fingerprint)) {
    bits += std::bitset<8>(byte).to_string();
  }
  return bits;
}

TEST(BbitMinhashScheme, KeepsTheLowestBitsOfEachValue) {
  const std::string text = "它们的最低几位连在一起,一个接着一个";
  for (const std::string method : {"one_permutation", "k_permutation"}) {
    const std::string common = fmt::format("method={},permutations=32,seed=7)", method);
    const std::string whole = BitsOf(ComputeFingerprint("minhash(" + common, text));
    for (const size_t bits : {1, 2, 4, 8}) {
      std::string lowest;
      for (size_t end = 32; end <= whole.size(); end += 32)
        lowest += whole.substr(end - bits, bits);
      const std::string name = fmt::format("bbit_minhash(bits={},{}", bits, common);
      EXPECT_EQ(BitsOf(ComputeFingerprint(name, text)), lowest) << name;
    }
  }
  EXPECT_FALSE(HasValue(ComputeFingerprint("bbit_minhash", "短")));
  EXPECT_EQ(Scheme::Create("bbit_minhash(bits=2,permutations=126)").error().message,
            "cannot use the scheme \"bbit_minhash.v1(bits=2,channel=folded.v3,"
            "feature=shingle.v1(k=5,unit=symbol),method=one_permutation,permutations=126,seed=0)\":"
            " bits times permutations is no multiple of 8");
}

}  // namespace
}  // namespace zhiwen
