#include "feature/shingles.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <sstream>
#include <string>

#include "kernels/kernels.h"
#include "support/published_vectors.h"
#include "zhiwen/simd.h"

namespace zhiwen {
namespace {

using Tuple = std::array<uint32_t, kShingleLength>;

uint64_t ShingleOf(const Tuple& tuple) {
  std::vector<uint64_t> hashes;
  ComputeShingles(tuple, hashes);
  return hashes.at(0);
}

uint32_t RandomSymbol(std::mt19937_64& random) {
  const uint64_t bits = random();
  if (bits % 4 == 0) return static_cast<uint32_t>(bits >> 32) | 0x80000000;  // a hashed word
  return 0x4E00 + static_cast<uint32_t>(bits >> 32) % 20992;                 // Han
}

Tuple RandomTuple(std::mt19937_64& random) {
  Tuple tuple;
  for (uint32_t& symbol : tuple) symbol = RandomSymbol(random);
  return tuple;
}

TEST(Shingles, OfTheSameFiveSymbolsAreEqualWhereverTheyStand) {
  std::mt19937_64 random(1);
  const Tuple tuple = RandomTuple(random);
  std::vector<uint32_t> symbols(1200);
  for (uint32_t& symbol : symbols) symbol = RandomSymbol(random);
  std::vector<uint64_t> hashes;
  for (size_t at = 0; at + tuple.size() <= symbols.size(); at += 37) {
    std::copy(tuple.begin(), tuple.end(), symbols.begin() + static_cast<ptrdiff_t>(at));
    ComputeShingles(symbols, hashes);
    ASSERT_EQ(hashes.size(), symbols.size() - 4);
    ASSERT_EQ(hashes[at], ShingleOf(tuple)) << at;
  }
}

TEST(Shingles, OfAShortTextAreNone) {
  std::vector<uint64_t> hashes = {1, 2, 3};
  ComputeShingles(std::vector<uint32_t>{1, 2, 3, 4}, hashes);
  EXPECT_TRUE(hashes.empty());
}

TEST(Shingles, AreThePublishedOnesOnEveryInstructionSet) {
  const auto vectors = PublishedVectors("shingles.md");
  ASSERT_EQ(vectors.size(), 7u);
  const SimdLevel before = SelectedSimdLevel();
  for (const SimdLevel level : SupportedSimdLevels()) {
    ASSERT_TRUE(SelectKernels(level));
    for (const auto& [input, output] : vectors) {
      std::istringstream words(input);
      Tuple tuple = {};
      for (uint32_t& symbol : tuple) words >> std::hex >> symbol;
      EXPECT_EQ(ShingleOf(tuple), std::stoull(output, nullptr, 16)) << input;
    }
  }
  ASSERT_TRUE(SelectKernels(before));
}

// Inputs with little entropy, the ones on which a weak hash collides: a small alphabet, tuples one
// low bit apart, all orders of five symbols, runs of one symbol, neighbours in the code charts.
std::vector<uint32_t> LowEntropySymbols(std::mt19937_64& random) {
  std::vector<uint32_t> tuples;
  const auto add = [&](const Tuple& tuple) {
    tuples.insert(tuples.end(), tuple.begin(), tuple.end());
  };
  for (uint32_t i = 0; i < 1 << 20; ++i) {  // sixteen neighbouring code points in five places
    add({0x4E00 + (i & 15), 0x4E00 + (i >> 4 & 15), 0x4E00 + (i >> 8 & 15), 0x4E00 + (i >> 12 & 15),
         0x4E00 + (i >> 16)});
  }
  for (int i = 0; i < 20000; ++i) {
    Tuple tuple = RandomTuple(random);
    std::sort(tuple.begin(), tuple.end());
    do {
      add(tuple);
    } while (std::next_permutation(tuple.begin(), tuple.end()));
  }
  for (int i = 0; i < 20000; ++i) {
    Tuple tuple = RandomTuple(random);
    for (int bit = 0; bit < 160; ++bit) {
      tuple[static_cast<size_t>(bit / 32)] ^= 1u << (bit % 32);
      add(tuple);
      tuple[static_cast<size_t>(bit / 32)] ^= 1u << (bit % 32);
    }
  }
  for (uint32_t i = 1; i < 1 << 18; ++i) {  // code points and words alone, and as pairs
    const uint32_t word = i | 0x80000000;
    add({i, i, i, i, i});
    add({word, word, word, word, word});
    add({i, i + 1, i, i + 1, i});
    add({i, word, i, word, i});
    add({0, 0, 0, 0, i});
    add({i, 0, 0, 0, 0});
  }
  return tuples;
}

// The shingles of tuples, five symbols each, that do not overlap.
std::vector<uint64_t> ShinglesOfTuples(const std::vector<uint32_t>& symbols) {
  std::vector<uint64_t> hashes(symbols.size() / 5);
  for (size_t i = 0; i < hashes.size(); ++i) {
    ActiveKernels().shingle_hashes(symbols.data() + 5 * i, 1, &hashes[i]);
  }
  return hashes;
}

size_t CountDistinct(std::vector<uint64_t>& hashes) {
  std::vector<uint64_t> scratch;
  MakeShingleSet(hashes, scratch);
  return hashes.size();
}

// 10⁷ distinct tuples collide by chance with probability 3·10⁻⁶. XXH3 counts how many of them are
// distinct.
TEST(Shingles, SlowOfTenMillionVariedTuplesDoNotCollide) {
  std::mt19937_64 random(2);
  std::vector<uint32_t> symbols = LowEntropySymbols(random);
  while (symbols.size() < 52'000'000) symbols.push_back(RandomSymbol(random));
  std::vector<uint64_t> hashes = ShinglesOfTuples(symbols);
  std::vector<uint64_t> reference(hashes.size());
  for (size_t i = 0; i < reference.size(); ++i) {
    reference[i] = XXH3_64bits(symbols.data() + 5 * i, 5 * sizeof(uint32_t));
  }
  const size_t distinct = CountDistinct(reference);
  ASSERT_GE(distinct, 10'000'000u);
  EXPECT_EQ(CountDistinct(hashes), distinct);
}

// Over many tuples, flipping one of the 160 input bits must flip each of the 64 output bits half
// of the time: 10,240 shares of 4096 trials, none further from 1/2 than six standard deviations.
TEST(Shingles, AvalancheEveryInputBitIntoEveryOutputBit) {
  constexpr int kTrials = 4096;
  std::mt19937_64 random(3);
  std::vector<std::array<int, 64>> flips(160);
  for (int trial = 0; trial < kTrials; ++trial) {
    Tuple tuple = RandomTuple(random);
    const uint64_t before = ShingleOf(tuple);
    for (size_t bit = 0; bit < 160; ++bit) {
      tuple[bit / 32] ^= 1u << (bit % 32);
      const uint64_t changed = before ^ ShingleOf(tuple);
      tuple[bit / 32] ^= 1u << (bit % 32);
      for (size_t out = 0; out < 64; ++out) flips[bit][out] += static_cast<int>(changed >> out & 1);
    }
  }
  const double bound = 6 * std::sqrt(kTrials) / 2;
  for (size_t bit = 0; bit < 160; ++bit) {
    for (size_t out = 0; out < 64; ++out) {
      EXPECT_LE(std::abs(flips[bit][out] - kTrials / 2), bound) << "bit " << bit << " → " << out;
    }
  }
}

// χ² of 1024 buckets: 1023 degrees of freedom, six standard deviations of √(2·1023) above.
TEST(Shingles, SlowSpreadEvenlyByTheirTopAndLowBitsOnLittleEntropy) {
  std::mt19937_64 random(4);
  std::vector<uint32_t> symbols = LowEntropySymbols(random);
  symbols.resize(10'000'000);
  std::vector<uint64_t> hashes = ShinglesOfTuples(symbols);
  const double expected = static_cast<double>(CountDistinct(hashes)) / 1024;
  for (const int shift : {54, 32, 22, 0}) {
    std::vector<double> counts(1024);
    for (const uint64_t hash : hashes) ++counts[hash >> shift & 1023];
    double chi_squared = 0;
    for (const double count : counts) {
      chi_squared += (count - expected) * (count - expected) / expected;
    }
    EXPECT_LT(chi_squared, 1023 + 6 * std::sqrt(2 * 1023)) << "bits from " << shift;
  }
}

void ExpectSetOf(std::vector<uint64_t> hashes, const char* what) {
  std::vector<uint64_t> expected = hashes, scratch;
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  const size_t count = hashes.size();
  MakeShingleSet(hashes, scratch);
  EXPECT_EQ(hashes, expected) << what << ", " << count;
}

TEST(ShingleSet, IsAscendingAndDistinctForUniformHashesOfAnySize) {
  std::mt19937_64 random(5);
  for (const size_t count : {0, 1, 2, 15, 16, 17, 18, 100, 1000, 4095, 4096, 8192, 10000, 300000}) {
    std::vector<uint64_t> hashes(count);
    for (uint64_t& hash : hashes) hash = random();
    ExpectSetOf(hashes, "uniform");
    for (size_t i = 0; i + 1 < count; i += 2) hashes[i + 1] = hashes[random() % count];
    ExpectSetOf(hashes, "with repeats");
  }
}

TEST(ShingleSet, IsRightForHashesThatAreNotUniform) {
  std::mt19937_64 random(6);
  for (const size_t count : {17, 500, 20000, 100000}) {
    std::vector<uint64_t> hashes(count);
    for (uint64_t& hash : hashes) hash = random() % 1000;
    ExpectSetOf(hashes, "small values");
    for (uint64_t& hash : hashes) hash = random() | uint64_t{0xFFFF} << 48;
    ExpectSetOf(hashes, "equal top bits");
    for (size_t i = 0; i < count; ++i) hashes[i] = count - i;
    ExpectSetOf(hashes, "descending");
    for (size_t i = 0; i < count; ++i) hashes[i] = i % 2 == 0 ? 0 : ~uint64_t{0};
    ExpectSetOf(hashes, "both ends");
    for (uint64_t& hash : hashes) hash = 42;
    ExpectSetOf(hashes, "all equal");
  }
}

TEST(ShingleSet, IsTheSameWhateverTheScratchHeldBefore) {
  std::mt19937_64 random(7);
  std::vector<uint64_t> scratch(5000, 99), hashes(1000);
  for (uint64_t& hash : hashes) hash = random();
  std::vector<uint64_t> again = hashes, fresh;
  MakeShingleSet(hashes, scratch);
  MakeShingleSet(again, fresh);
  EXPECT_EQ(hashes, again);
}

}  // namespace
}  // namespace zhiwen
