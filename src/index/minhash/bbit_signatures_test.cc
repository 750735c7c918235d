#include "index/minhash/bbit_signatures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "fingerprint/minhash.h"

namespace zhiwen {
namespace {

struct Shape {
  size_t in_both = 0, in_either = 0;
  uint32_t bits = 0;
};

// Returns the share of values whose bits are equal, for one pair of random sets.
double EqualShare(const BbitSignatures& bbit, const MinHash& minhash, const Shape& shape,
                  std::mt19937_64& random) {
  std::vector<uint64_t> sets[2], bits[2];
  for (size_t i = 0; i < shape.in_either; ++i) {
    const uint64_t shingle = random();
    if (i < shape.in_both || i % 2 == 0) sets[0].push_back(shingle);
    if (i < shape.in_both || i % 2 == 1) sets[1].push_back(shingle);
  }
  std::vector<uint32_t> signature(minhash.permutations());
  for (size_t side = 0; side < 2; ++side) {
    minhash.Compute(sets[side], signature);
    bits[side].resize(bbit.words());
    bbit.Encode(signature, bits[side]);
  }
  const auto* const stored = reinterpret_cast<const uint8_t*>(bits[1].data());
  return bbit.CountEqual(bits[0].data(), stored) / static_cast<double>(bbit.values());
}

// Sets of one shingle are among them: the lowest bits of their values would all be equal or all
// differ.
TEST(BbitSignatures, EstimateResemblanceWithTheErrorThatTheySay) {
  const MinHash minhash = *MinHash::Create({.permutations = 128, .seed = 1});
  std::mt19937_64 random(2);
  for (const Shape& shape : {Shape{0, 2, 2},
                             {0, 2, 1},
                             {0, 10, 2},
                             {4, 8, 2},
                             {80, 100, 2},
                             {80, 100, 1},
                             {50, 100, 4},
                             {30, 100, 8},
                             {100, 100, 2}}) {
    const BbitSignatures bbit = *BbitSignatures::Create({.values = 128, .bits = shape.bits});
    const auto s = static_cast<double>(shape.in_both) / static_cast<double>(shape.in_either);
    const double chance = std::pow(0.5, shape.bits);
    const double p = s + (1 - s) * chance;
    const double variance = p * (1 - p) / 128;
    const int trials = 2000;
    double sum = 0, squares = 0;
    for (int i = 0; i < trials; ++i) {
      const double share = EqualShare(bbit, minhash, shape, random);
      sum += share;
      squares += (share - p) * (share - p);
    }
    EXPECT_NEAR(sum / trials, p, 5 * std::sqrt(variance / trials)) << s << " " << shape.bits;
    // The sample variance of so many trials is within a sixth of the variance, which is five times
    // its standard error.
    EXPECT_LE(squares / trials, variance * 1.17) << s << " " << shape.bits;
  }
}

TEST(BbitSignatures, CorrectTheEstimateForEqualBitsOfDifferentValues) {
  const BbitSignatures bbit = *BbitSignatures::Create({.values = 128, .bits = 2});
  EXPECT_DOUBLE_EQ(bbit.Estimate(128), 1);
  EXPECT_DOUBLE_EQ(bbit.Estimate(80), 0.5);  // 5/8 = 1/2 + 1/2 · 1/4
  EXPECT_DOUBLE_EQ(bbit.Estimate(32), 0);
  EXPECT_DOUBLE_EQ(bbit.Estimate(3), 0);
}

TEST(BbitSignatures, KnowHowManyEqualValuesToExpect) {
  const BbitSignatures bbit = *BbitSignatures::Create({.values = 64, .bits = 1});
  for (const double s : {0.0, 0.2, 0.5, 0.8, 0.99}) {
    const double p = s + (1 - s) / 2;
    double below = 0;
    for (uint32_t n = 0; n <= 64; ++n) {
      EXPECT_NEAR(bbit.ReachProbability(n, s), 1 - below, 1e-9) << s << " " << n;
      const double choices = std::lgamma(65) - std::lgamma(n + 1.0) - std::lgamma(65.0 - n);
      below += std::exp(choices + n * std::log(p) + (64 - n) * std::log(1 - p));
    }
    for (const double miss : {0.0, 1e-4, 0.1}) {
      const uint32_t least = bbit.LeastEqual(s, miss);
      EXPECT_GE(bbit.ReachProbability(least, s), 1 - miss - 1e-12);
      EXPECT_LE(bbit.ReachProbability(least + 1, s), 1 - miss) << s << " " << miss;
    }
  }
  EXPECT_EQ(bbit.LeastEqual(1, 1e-4), 64);
  EXPECT_DOUBLE_EQ(bbit.ReachProbability(64, 1), 1);
}

TEST(BbitSignatures, RefuseWhatTheyCannotPack) {
  for (const BbitSignatures::Options& options :
       {BbitSignatures::Options{128, 3}, {128, 0}, {128, 16}, {96, 2}, {32, 2}, {8192, 1}}) {
    EXPECT_EQ(BbitSignatures::Create(options).error().code, ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace zhiwen
