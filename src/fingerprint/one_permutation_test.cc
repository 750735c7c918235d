#include "fingerprint/one_permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "fingerprint/sketch_test_support.h"

namespace zhiwen {
namespace {

constexpr size_t kValues = 120;

std::vector<uint32_t> Sketch(const OnePermutationMinHash& minhash,
                             const std::vector<uint64_t>& shingles) {
  std::vector<uint32_t> values(minhash.bins());
  minhash.Compute(shingles, values);
  return values;
}

SketchStatistics MeasureShape(const PairShape& shape, size_t trials) {
  const OnePermutationMinHash minhash = *OnePermutationMinHash::Create(kValues);
  const auto sketch = [&](std::span<const uint64_t> shingles, std::span<uint32_t> out) {
    minhash.Compute(shingles, out);
  };
  return Measure(sketch, kValues, shape, trials);
}

TEST(OnePermutation, GivesThePublishedValues) {
  const std::vector<SketchVector> vectors = PublishedSketches("one_permutation");
  ASSERT_EQ(vectors.size(), 4u);
  for (const SketchVector& vector : vectors) {
    const OnePermutationMinHash minhash = *OnePermutationMinHash::Create(16, vector.seed);
    EXPECT_EQ(Sketch(minhash, vector.shingles), vector.values);
  }
}

TEST(OnePermutation, TakesOneTo65536Bins) {
  for (const uint32_t bins : {0u, 65537u}) {
    const Result<OnePermutationMinHash> minhash = OnePermutationMinHash::Create(bins);
    ASSERT_FALSE(minhash) << bins;
    EXPECT_EQ(minhash.error().code, ErrorCode::kInvalidArgument);
  }
  for (const uint32_t bins : {1u, 17u, 65536u}) {
    const std::vector<uint32_t> values = Sketch(*OnePermutationMinHash::Create(bins), {42, 4242});
    EXPECT_EQ(std::count(values.begin(), values.end(), ~uint32_t{0}), 0) << bins;
  }
}

TEST(OnePermutation, DependsOnTheSetAloneNotOnOrderOrRepeats) {
  std::mt19937_64 random(1);
  const OnePermutationMinHash minhash = *OnePermutationMinHash::Create(kValues);
  for (const size_t size : {3, 100, 5000}) {
    std::vector<uint64_t> shingles(size);
    for (uint64_t& shingle : shingles) shingle = random();
    const std::vector<uint32_t> values = Sketch(minhash, shingles);
    shingles.insert(shingles.end(), shingles.begin(), shingles.begin() + 2);
    std::shuffle(shingles.begin(), shingles.end(), random);
    EXPECT_EQ(Sketch(minhash, shingles), values) << size;
  }
}

TEST(OnePermutation, OfDisjointSetsSharesNothing) {
  std::mt19937_64 random(3);
  const OnePermutationMinHash minhash = *OnePermutationMinHash::Create(kValues);
  for (const size_t size : {1, 5, 50, 1000}) {
    std::vector<uint64_t> a(size), b(size);
    for (uint64_t& shingle : a) shingle = random();
    for (uint64_t& shingle : b) shingle = random();
    const std::vector<uint32_t> a_values = Sketch(minhash, a), b_values = Sketch(minhash, b);
    for (size_t i = 0; i < kValues; ++i) EXPECT_NE(a_values[i], b_values[i]) << size;
  }
}

// Bins draw without replacement, so the error is at most that of independent draws.
TEST(OnePermutation, SlowEstimatesResemblanceWithoutBiasAndWithNoMoreThanTheErrorOfDraws) {
  for (const PairShape shape : {PairShape{1, 2},
                                {4, 8},
                                {10, 20},
                                {18, 20},
                                {40, 50},
                                {160, 200},
                                PairShape{50, 200},
                                {1600, 2000}}) {
    const size_t trials = shape.in_either > 1000 ? 1000 : 4000;
    const double j = shape.resemblance();
    const SketchStatistics result = MeasureShape(shape, trials);
    const double variance = j * (1 - j) / kValues;
    EXPECT_NEAR(result.mean, j, 5 * std::sqrt(variance / static_cast<double>(trials)))
        << shape.in_either;
    EXPECT_LT(result.mean_square / variance, 1.2) << shape.in_either;
  }
}

TEST(OnePermutation, HasNoTwoPositionsThatAreEqualTogether) {
  for (const PairShape shape : {PairShape{6, 12}, {100, 200}}) {
    EXPECT_LT(MeasureShape(shape, 4000).correlation, 6 / std::sqrt(4000)) << shape.in_either;
  }
}

}  // namespace
}  // namespace zhiwen
