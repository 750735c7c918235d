// Every level equals the scalar definition, on every size around the widths of its registers.

#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "zhiwen/simd.h"

namespace zhiwen {
namespace {

const Kernels& TableOf(SimdLevel level) {
  switch (level) {
    case SimdLevel::kAvx2:
      return kAvx2Kernels;
    case SimdLevel::kAvx512:
      return kAvx512Kernels;
    case SimdLevel::kScalar:
      break;
  }
  return kScalarKernels;
}

class EveryLevel : public testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override {
    const std::vector<SimdLevel> supported = SupportedSimdLevels();
    if (std::find(supported.begin(), supported.end(), GetParam()) == supported.end()) {
      GTEST_SKIP() << "this processor lacks " << SimdLevelName(GetParam());
    }
  }
  const Kernels& kernels() const { return TableOf(GetParam()); }

  std::mt19937_64 random_{20261120};
};

// Compared with scalar, which is the definition.
class VectorLevel : public EveryLevel {};

std::string LevelName(const testing::TestParamInfo<SimdLevel>& level) {
  return std::string(SimdLevelName(level.param));
}

INSTANTIATE_TEST_SUITE_P(Levels, EveryLevel,
                         testing::Values(SimdLevel::kScalar, SimdLevel::kAvx2, SimdLevel::kAvx512),
                         LevelName);
INSTANTIATE_TEST_SUITE_P(Levels, VectorLevel, testing::Values(SimdLevel::kAvx2, SimdLevel::kAvx512),
                         LevelName);

// All sizes up to a few registers, then some around the blocks of the kernels.
std::vector<size_t> Sizes() {
  std::vector<size_t> sizes;
  for (size_t size = 0; size <= 140; ++size) sizes.push_back(size);
  for (const size_t base : {256, 512, 1024, 4096}) {
    for (size_t size = base - 9; size <= base + 9; ++size) sizes.push_back(size);
  }
  return sizes;
}

std::vector<uint64_t> RandomHashes(std::mt19937_64& random, size_t count) {
  std::vector<uint64_t> hashes(count);
  for (uint64_t& hash : hashes) hash = random();
  return hashes;
}

TEST_P(EveryLevel, CountsTheHashesWithEachBit) {
  for (const size_t count : Sizes()) {
    std::vector<uint64_t> hashes = RandomHashes(random_, count);
    if (count % 3 == 0) std::fill(hashes.begin(), hashes.end(), ~uint64_t{0});
    std::vector<uint64_t> counts(64), expected(64);
    for (size_t bit = 0; bit < 64; ++bit) {
      expected[bit] = counts[bit] = random_() >> 8;
      for (const uint64_t hash : hashes) expected[bit] += hash >> bit & 1;
    }
    kernels().count_bits(hashes.data(), count, counts.data());
    ASSERT_EQ(counts, expected) << count;
  }
}

TEST_P(EveryLevel, MultipliesRowsOfPhonemesByKind) {
  constexpr size_t kEnds[] = {0, kInitialsEnd, kFinalsEnd, kPhonemeRow};
  for (const size_t count : {size_t{1}, size_t{2}, size_t{7}, size_t{100}, kPhonemeBlock}) {
    std::vector<uint8_t> query(kPhonemeRow + 1), rows(count * kPhonemeRow + 1);
    for (uint8_t& byte : query) byte = random_() % 4 == 0 ? 255 : static_cast<uint8_t>(random_());
    for (uint8_t& byte : rows) byte = random_() % 4 == 0 ? 255 : static_cast<uint8_t>(random_());
    std::fill_n(rows.begin(), kInitialsEnd, uint8_t{0});
    std::vector<uint32_t> products(3 * kPhonemeBlock);
    std::vector<float> scales(3 * kPhonemeBlock);
    kernels().phoneme_products(query.data(), rows.data(), count, products.data());
    kernels().phoneme_scales(rows.data(), count, scales.data());
    for (size_t i = 0; i < count; ++i) {
      for (size_t kind = 0; kind < 3; ++kind) {
        uint32_t product = 0, square = 0;
        for (size_t at = kEnds[kind]; at < kEnds[kind + 1]; ++at) {
          const uint32_t byte = rows[i * kPhonemeRow + at];
          product += query[at] * byte;
          square += byte * byte;
        }
        const float scale = square == 0 ? 0 : 1 / std::sqrt(static_cast<float>(square));
        ASSERT_EQ(products[kind * kPhonemeBlock + i], product) << i << " of " << count;
        ASSERT_EQ(scales[kind * kPhonemeBlock + i], scale) << i << " of " << count;
      }
    }
  }
}

TEST_P(EveryLevel, FindsCodesOfDigitsThatAreNear) {
  for (const size_t count : {0, 1, 31, 32, 33, 200}) {
    const size_t columns = (count + kDigitColumns - 1) / kDigitColumns * kDigitColumns;
    std::vector<uint8_t> digits(kDigitRows), tables(columns * kDigitRows), radii(count);
    for (uint8_t& digit : digits) digit = static_cast<uint8_t>(random_() % 10);
    for (uint8_t& digit : tables) digit = static_cast<uint8_t>(random_() % 10);
    for (uint8_t& radius : radii) radius = static_cast<uint8_t>(random_() % 90);
    for (const uint32_t bound : {1U, 2U, 30U, 60U, 181U, 255U}) {
      std::vector<uint32_t> expected;
      for (size_t i = 0; i < count; ++i) {
        const uint8_t* const table = &tables[i / kDigitColumns * kDigitColumns * kDigitRows];
        uint32_t distance = 0;
        for (size_t row = 0; row < kDigitRows; ++row) {
          const int digit = table[row * kDigitColumns + i % kDigitColumns];
          distance += static_cast<uint32_t>(std::abs(digit - digits[row]));
        }
        if (distance < bound + radii[i]) expected.push_back(static_cast<uint32_t>(i));
      }
      std::vector<uint32_t> actual(count + 1, 7);
      const size_t found = kernels().digits_near(digits.data(), tables.data(), radii.data(), count,
                                                 bound, actual.data());
      EXPECT_EQ(actual.back(), 7U) << "nothing is written beyond its room";
      actual.resize(found);
      ASSERT_EQ(actual, expected) << count << " below " << bound;
    }
  }
}

TEST_P(VectorLevel, HashesShinglesLikeScalarAndWritesNothingBeyond) {
  for (const size_t count : Sizes()) {
    std::vector<uint32_t> symbols(count + 4);
    for (uint32_t& symbol : symbols) {
      symbol = static_cast<uint32_t>(random_() >> (random_() % 2 == 0 ? 46 : 32));
    }
    std::vector<uint64_t> expected(count + 16, 7), actual(count + 16, 7);
    ShingleHashesScalar(symbols.data(), count, expected.data());
    kernels().shingle_hashes(symbols.data(), count, actual.data());
    ASSERT_EQ(actual, expected) << count;
  }
}

TEST_P(VectorLevel, MinhashesLikeScalar) {
  for (const size_t permutations : {16, 32, 48, 64, 128, 144, 256}) {
    std::vector<uint32_t> multipliers(permutations), keys(permutations);
    for (uint32_t& multiplier : multipliers) multiplier = static_cast<uint32_t>(random_()) | 1;
    for (uint32_t& key : keys) key = static_cast<uint32_t>(random_());
    for (const size_t count : {0, 1, 2, 3, 4, 5, 31, 400}) {
      const std::vector<uint64_t> hashes = RandomHashes(random_, count);
      std::vector<uint32_t> expected(permutations, ~uint32_t{0});
      expected[permutations / 2] = 5;  // the minima go on from what is there
      std::vector<uint32_t> actual = expected;
      MinhashScalar(hashes.data(), count, multipliers.data(), keys.data(), permutations,
                    expected.data());
      kernels().minhash(hashes.data(), count, multipliers.data(), keys.data(), permutations,
                        actual.data());
      ASSERT_EQ(actual, expected) << permutations << " permutations of " << count;
    }
  }
}

TEST_P(VectorLevel, SketchesByOnePermutationLikeScalar) {
  for (const uint32_t bins : {1u, 2u, 125u, 128u, 1000u, 65536u}) {
    for (const size_t count : {0, 1, 7, 8, 9, 15, 16, 17, 100, 1000, 3000, 20001}) {
      std::vector<uint64_t> hashes = RandomHashes(random_, count);
      for (size_t i = 0; i < count; i += 5) hashes[i] |= 0xFFFFFFFE;  // near the sentinel
      for (size_t i = 1; i < count; i += 7) hashes[i] |= ~uint64_t{0} << 32;
      std::vector<uint32_t> expected(bins, ~uint32_t{0});
      expected[bins / 2] = 5;
      std::vector<uint32_t> actual = expected;
      OnePermutationScalar(hashes.data(), count, bins, expected.data());
      kernels().one_permutation(hashes.data(), count, bins, actual.data());
      ASSERT_EQ(actual, expected) << bins << " bins of " << count;
    }
  }
}

TEST_P(EveryLevel, FindsTheHashesBelowABoundInTheirOrder) {
  EXPECT_EQ(BottomOrder(0x0102030405060708), 0x0403020105060708u);
  for (const size_t count : Sizes()) {
    const std::vector<uint64_t> hashes = RandomHashes(random_, count);
    const uint64_t one_of_them = count == 0 ? 9 : BottomOrder(hashes[count / 2]);
    for (const uint64_t bound : {uint64_t{0}, uint64_t{1} << 59, uint64_t{1} << 63,
                                 (uint64_t{1} << 63) + 1, one_of_them, ~uint64_t{0}}) {
      std::vector<uint64_t> expected;
      for (const uint64_t hash : hashes) {
        if (BottomOrder(hash) < bound) expected.push_back(BottomOrder(hash));
      }
      std::vector<uint64_t> actual(count + 9, 7);
      const size_t kept = kernels().orders_below(hashes.data(), count, bound, actual.data());
      EXPECT_EQ(actual.back(), 7u) << "nothing is written beyond its room";
      actual.resize(kept);
      ASSERT_EQ(actual, expected) << count << " below " << bound;
    }
  }
}

// Of hashes with the same byte on top of their orders, every one may be below the bound.
TEST_P(EveryLevel, FindsTheHashesBelowABoundAmongThoseWithItsHighestByte) {
  for (const size_t count : {63, 64, 65, 200, 1024, 1500}) {
    std::vector<uint64_t> hashes = RandomHashes(random_, count);
    for (uint64_t& hash : hashes) hash = (hash & ~(uint64_t{0xFF} << 32)) | uint64_t{0x80} << 32;
    for (const uint64_t bound : {uint64_t{0x80} << 56, uint64_t{0x8040} << 48}) {
      std::vector<uint64_t> expected;
      for (const uint64_t hash : hashes) {
        if (BottomOrder(hash) < bound) expected.push_back(BottomOrder(hash));
      }
      std::vector<uint64_t> actual(count + 8);
      actual.resize(kernels().orders_below(hashes.data(), count, bound, actual.data()));
      ASSERT_EQ(actual, expected) << count << " below " << bound;
    }
  }
}

TEST_P(EveryLevel, SortsFewValuesEachOnce) {
  constexpr uint64_t kLargest = ~uint64_t{0} - 1;
  for (size_t count = 0; count <= kMostFew; ++count) {
    for (const uint64_t bound : {uint64_t{1}, uint64_t{5}, uint64_t{63}, uint64_t{64},
                                 uint64_t{1} << 40, (uint64_t{1} << 63) + 1, kLargest}) {
      std::vector<uint64_t> values(count);
      for (uint64_t& value : values) value = random_() % bound;
      if (count > 2) values[1] = values[count - 1] = bound;
      const std::set<uint64_t> distinct(values.begin(), values.end());
      values.resize(count + 8, 7);
      const size_t left = kernels().sort_few(values.data(), count, bound);
      EXPECT_EQ(values.back(), 7u) << "nothing is written beyond its room";
      values.resize(left);
      ASSERT_EQ(values, std::vector<uint64_t>(distinct.begin(), distinct.end())) << count;
    }
  }
}

TEST_P(VectorLevel, CountsCodePointsLikeScalar) {
  std::vector<uint8_t> bytes(20000);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random_());
  for (size_t size = 0; size <= bytes.size(); size += 1 + (size < 300 ? 0 : random_() % 900)) {
    const uint8_t* const begin = bytes.data() + bytes.size() - size;
    ASSERT_EQ(kernels().count_code_points(begin, size), CountCodePointsScalar(begin, size));
  }
  std::ranges::fill(bytes, uint8_t{'a'});
  EXPECT_EQ(kernels().count_code_points(bytes.data(), bytes.size()), bytes.size());
}

// That scalar is XXH3 is what base/hash_test.cc sees.
TEST_P(VectorLevel, AddsTheStripesOfXxh3LikeScalar) {
  std::vector<uint8_t> secret(kXxh3Secret);
  for (uint8_t& byte : secret) byte = static_cast<uint8_t>(random_());
  for (size_t size = kXxh3Stripe + 1; size < 3500; size += 1 + random_() % 7) {
    std::vector<uint8_t> bytes(size);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random_());
    std::vector<uint64_t> expected = RandomHashes(random_, kXxh3Sums), actual = expected;
    Xxh3StripesScalar(bytes.data(), size, secret.data(), expected.data());
    kernels().xxh3_stripes(bytes.data(), size, secret.data(), actual.data());
    ASSERT_EQ(actual, expected) << size;
  }
}

// Two ascending arrays of distinct values that share about `shared` of theirs.
std::pair<std::vector<uint64_t>, std::vector<uint64_t>> OverlappingSets(std::mt19937_64& random,
                                                                        size_t a_size,
                                                                        size_t b_size,
                                                                        double shared) {
  const size_t both = static_cast<size_t>(static_cast<double>(std::min(a_size, b_size)) * shared);
  std::vector<uint64_t> a = RandomHashes(random, a_size), b = RandomHashes(random, b_size);
  if (random() % 2 == 0) {  // small values: the runs of the two arrays mix more
    for (uint64_t& value : a) value %= 3 * a_size;
    for (uint64_t& value : b) value %= 3 * a_size + 1;
  }
  std::copy_n(a.begin(), both, b.begin());
  for (std::vector<uint64_t>* set : {&a, &b}) {
    std::sort(set->begin(), set->end());
    set->erase(std::unique(set->begin(), set->end()), set->end());
  }
  return {a, b};
}

TEST_P(EveryLevel, CountsSharedValuesLikeTheStandardLibrary) {
  for (const size_t a_size : {0, 1, 2, 7, 8, 9, 16, 31, 64, 200, 1000, 5000}) {
    for (const size_t b_size : {0, 1, 3, 8, 15, 16, 33, 64, 210, 1000, 40000}) {
      for (const double shared : {0.0, 0.3, 0.8, 1.0}) {
        const auto [a, b] = OverlappingSets(random_, a_size, b_size, shared);
        std::vector<uint64_t> both;
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
        ASSERT_EQ(kernels().intersection_size(a.data(), a.size(), b.data(), b.size()), both.size())
            << a_size << " and " << b_size << " sharing " << shared;
      }
    }
  }
}

TEST_P(EveryLevel, CountsSharedValuesAtTheEndsOfTheRange) {
  const std::vector<uint64_t> ends = {0, 1, uint64_t{1} << 63, ~uint64_t{0} - 1, ~uint64_t{0}};
  EXPECT_EQ(kernels().intersection_size(ends.data(), 5, ends.data(), 5), 5u);
  std::vector<uint64_t> top(40), other(40);
  for (size_t i = 0; i < top.size(); ++i) top[i] = ~uint64_t{0} - 39 + i;
  for (size_t i = 0; i < other.size(); ++i) other[i] = ~uint64_t{0} - 78 + 2 * i;
  EXPECT_EQ(kernels().intersection_size(top.data(), 40, other.data(), 40), 20u);
}

TEST_P(VectorLevel, ContinuesCrc32cLikeScalar) {
  for (const size_t count : Sizes()) {
    const std::vector<uint64_t> words = RandomHashes(random_, count / 8 + 1);
    const auto* const bytes = reinterpret_cast<const uint8_t*>(words.data());
    const auto crc = static_cast<uint32_t>(random_());
    ASSERT_EQ(kernels().crc32c(crc, bytes, count), kScalarKernels.crc32c(crc, bytes, count));
  }
}

TEST_P(EveryLevel, MixesKeysAsMurmurHash3Does) {
  uint32_t mixed = 0;
  const uint32_t flip = 0;
  kernels().mix_keys(1, &flip, 1, 0, &mixed);
  EXPECT_EQ(mixed, 0x514E28B7u);
  for (const size_t count : Sizes()) {
    std::vector<uint32_t> flips(count), expected(count), actual(count + 1, 7);
    for (uint32_t& value : flips) value = static_cast<uint32_t>(random_());
    const auto kept = static_cast<uint32_t>(count % 9);
    kScalarKernels.mix_keys(99, flips.data(), count, kept, expected.data());
    kernels().mix_keys(99, flips.data(), count, kept, actual.data());
    EXPECT_EQ(actual.back(), 7u) << "nothing is written beyond its room";
    actual.pop_back();
    ASSERT_EQ(actual, expected) << count;
  }
}

// Lines of any bytes, of every number of slots.
TEST_P(VectorLevel, SelectsLinesLikeScalar) {
  constexpr size_t kLines = 7 * 64;
  std::vector<uint8_t> bytes(kLines * kLineBytes);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random_());
  for (size_t line = 0; line < kLines; ++line) {
    uint8_t* const tail = bytes.data() + line * kLineBytes + kLineTail;
    tail[0] = static_cast<uint8_t>(random_() % 13 << 4);
    if (line % 3 != 0) tail[1] = tail[2] = tail[3] = 0;
    if (line % 6 == 0) tail[2] &= 1, tail[3] = 0;  // a line that follows, mostly
  }
  const void* const chunk = bytes.data();
  for (const auto& [slots, frontier] : {std::pair{7U, uint64_t{1} << 31},
                                        {8U, uint64_t{1} << 31},
                                        {10U, uint64_t{0}},
                                        {10U, uint64_t{1} << 31},
                                        {11U, uint64_t{1} << 32},
                                        {11U, uint64_t{1} << 31},
                                        {12U, uint64_t{1} << 31}}) {
    const LineSearch search = {.chunks = &chunk,
                               .frontier = frontier,
                               .parts = 6,
                               .shift = 26,
                               .slots = slots,
                               .moved_slots = std::min(slots + 1, 12U),
                               .overflow_chunks = &chunk,
                               .overflow_lines = kLines};
    LineSearch near = search;
    const std::array<uint32_t, 3> bounds = {32, 16, 11}, loose = {0, 31, 5};
    near.bounds = bounds.data();
    near.together = bounds.size();
    near.kept_bits = 5;
    near.loose = slots % 2 == 0 ? loose.data() : nullptr;
    for (const size_t count : Sizes()) {
      std::vector<uint32_t> keys(count), others(count / 3 + 1), expected(count), actual(count);
      for (uint32_t& key : keys) key = static_cast<uint32_t>(random_());
      for (uint32_t& other : others) other = static_cast<uint32_t>(random_());
      near.others = others.data();
      expected.resize(kScalarKernels.select_lines(near, keys.data(), count, expected.data()));
      actual.resize(kernels().select_lines(near, keys.data(), count, actual.data()));
      ASSERT_EQ(actual, expected) << slots << " slots, near, " << count;
      expected.resize(count);
      actual.resize(count);
      expected.resize(kScalarKernels.select_lines(search, keys.data(), count, expected.data()));
      actual.resize(kernels().select_lines(search, keys.data(), count, actual.data()));
      ASSERT_EQ(actual, expected) << slots << " slots, " << count;
    }
  }
}

TEST_P(EveryLevel, FindsTheCodesWithinADistance) {
  for (const size_t count : Sizes()) {
    std::vector<uint64_t> codes = RandomHashes(random_, count);
    const uint64_t query = random_();
    for (size_t i = 0; i < count; i += 3) codes[i] = query ^ (codes[i] & codes[i] >> 7 & 0x1111111);
    for (const uint32_t radius : {0U, 1U, 3U, 30U, 64U}) {
      std::vector<uint32_t> expected, actual(count + 9, 7);
      for (size_t i = 0; i < count; ++i) {
        const auto distance = static_cast<uint32_t>(std::popcount(codes[i] ^ query));
        if (distance <= radius) expected.push_back(static_cast<uint32_t>(i));
      }
      const size_t found =
          kernels().codes_within(codes.data(), count, query, radius, actual.data());
      EXPECT_EQ(actual.back(), 7u) << "nothing is written beyond its room";
      actual.resize(found);
      ASSERT_EQ(actual, expected) << count << " within " << radius;
    }
  }
}

TEST_P(EveryLevel, FindsTheValuesWithinADistance) {
  for (const size_t count : Sizes()) {
    std::vector<uint32_t> values(count);
    const auto query = static_cast<uint32_t>(random_());
    for (uint32_t& value : values) value = static_cast<uint32_t>(random_());
    for (size_t i = 0; i < count; i += 3) values[i] = query ^ (values[i] & values[i] >> 7 & 0x111);
    for (const uint32_t radius : {0U, 1U, 3U, 15U, 32U}) {
      std::vector<uint32_t> expected, actual(count + 9, 7);
      for (size_t i = 0; i < count; ++i) {
        const auto distance = static_cast<uint32_t>(std::popcount(values[i] ^ query));
        if (distance <= radius) expected.push_back(static_cast<uint32_t>(i));
      }
      const size_t found =
          kernels().values_within(values.data(), count, query, radius, actual.data());
      EXPECT_EQ(actual.back(), 7u) << "nothing is written beyond its room";
      actual.resize(found);
      ASSERT_EQ(actual, expected) << count << " within " << radius;
    }
  }
}

// Hashes that are in, and others, in blocks that hold more and more.
TEST_P(EveryLevel, FillsAndSelectsBlocksOfBloomFilters) {
  constexpr uint32_t kSalts[] = {0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D,
                                 0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31};
  for (const uint64_t blocks : {1, 7, 64}) {
    std::vector<uint32_t> expected(blocks * kBlockWords), actual(blocks * kBlockWords);
    const auto missing = [&](uint64_t hash, auto visit) {
      const uint64_t block = (hash >> 32) * blocks >> 32;
      size_t count = 0;
      for (size_t word = 0; word < kBlockWords; ++word) {
        const uint32_t bit = 1U << ((static_cast<uint32_t>(hash) * kSalts[word]) >> 27);
        uint32_t& at = expected[block * kBlockWords + word];
        count += (at & bit) == 0 ? 1 : 0;
        visit(at, bit);
      }
      return count;
    };
    for (const size_t count : {0, 1, 2, 15, 16, 17, 100}) {
      const std::vector<uint64_t> hashes = RandomHashes(random_, count);
      size_t added = 0;
      for (const uint64_t hash : hashes) {
        added += missing(hash, [](uint32_t& at, uint32_t bit) { at |= bit; }) > 0 ? 1 : 0;
      }
      ASSERT_EQ(kernels().fill_blocks(actual.data(), blocks, hashes.data(), count), added);
      ASSERT_EQ(actual, expected) << count;
      std::vector<uint64_t> asked = RandomHashes(random_, count * 3);
      for (size_t i = 0; i < count; ++i) asked[i * 3] = hashes[i];
      std::vector<uint32_t> in, selected(asked.size() + 1, 7);
      for (size_t i = 0; i < asked.size(); ++i) {
        if (missing(asked[i], [](uint32_t&, uint32_t) {}) == 0) {
          in.push_back(static_cast<uint32_t>(i));
        }
      }
      const size_t found = kernels().select_blocks(actual.data(), blocks, asked.data(),
                                                   asked.size(), selected.data());
      EXPECT_EQ(selected.back(), 7u) << "nothing is written beyond its room";
      selected.resize(found);
      ASSERT_EQ(selected, in) << count << " in " << blocks;
    }
  }
}

TEST_P(EveryLevel, UnpacksWhatWasPackedBitByBit) {
  for (uint32_t width = 0; width <= 32; ++width) {
    for (const size_t count : {1, 2, 8, 9, 10, 17, 18, 33, 100, 127, 128}) {
      std::vector<uint8_t> packed(count * 4 + kUnpackSlack);
      for (uint8_t& byte : packed) byte = static_cast<uint8_t>(random_());  // what is behind, too
      const auto first = static_cast<uint32_t>(random_());
      std::vector<uint32_t> expected = {first}, actual(count + 17, 7);
      for (size_t i = 1; i < count; ++i) {
        const uint64_t number = random_() & ((uint64_t{1} << width) - 1);
        expected.push_back(expected.back() + 1 + static_cast<uint32_t>(number));
        for (uint32_t bit = 0; bit < width; ++bit) {
          const size_t at = (i - 1) * width + bit;
          packed[at / 8] = static_cast<uint8_t>((packed[at / 8] & ~(1U << at % 8)) |
                                                (number >> bit & 1) << at % 8);
        }
      }
      kernels().unpack_ascending(packed.data(), width, first, count, actual.data());
      EXPECT_EQ(actual.back(), 7u) << "nothing is written beyond its room";
      actual.resize(count);
      ASSERT_EQ(actual, expected) << count << " of " << width << " bits";
    }
  }
}

TEST_P(EveryLevel, CountsEqualBytesLikeTheStandardLibrary) {
  for (const size_t count : Sizes()) {
    std::vector<uint8_t> a(count), b(count);
    for (uint8_t& byte : a) byte = static_cast<uint8_t>(random_() % 4);
    for (uint8_t& byte : b) byte = static_cast<uint8_t>(random_() % 4);
    const size_t expected =
        std::inner_product(a.begin(), a.end(), b.begin(), size_t{0}, std::plus<>(),
                           [](uint8_t x, uint8_t y) { return size_t{x == y}; });
    ASSERT_EQ(kernels().count_equal(a.data(), b.data(), count), expected) << count;
    ASSERT_EQ(kernels().count_equal(a.data(), a.data(), count), count);
  }
}

TEST(KernelSelection, UsesTheForcedLevel) {
  const char* forced = std::getenv("ZHIWEN_SIMD");
  const SimdLevel expected =
      forced == nullptr || *forced == '\0' ? SupportedSimdLevels().back() : *ParseSimdLevel(forced);
  EXPECT_EQ(SelectedSimdLevel(), expected);
  EXPECT_EQ(&ActiveKernels(), &TableOf(expected));
}

TEST(KernelSelection, SwitchesToEverySupportedLevelAndBack) {
  const SimdLevel before = SelectedSimdLevel();
  for (const SimdLevel level : SupportedSimdLevels()) {
    ASSERT_TRUE(SelectKernels(level));
    EXPECT_EQ(SelectedSimdLevel(), level);
    EXPECT_EQ(&ActiveKernels(), &TableOf(level));
  }
  ASSERT_TRUE(SelectKernels(before));
}

TEST(KernelSelection, NamesParseBackAndUnknownOnesListWhatExists) {
  for (const SimdLevel level : {SimdLevel::kScalar, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    EXPECT_EQ(*ParseSimdLevel(SimdLevelName(level)), level);
  }
  const Result<SimdLevel> unknown = ParseSimdLevel("sse9");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(unknown.error().message,
            "unknown instruction set \"sse9\": it is one of scalar, avx2, avx512");
}

TEST(KernelSelection, ScalarIsAlwaysSupportedAndFirst) {
  ASSERT_FALSE(SupportedSimdLevels().empty());
  EXPECT_EQ(SupportedSimdLevels().front(), SimdLevel::kScalar);
}

}  // namespace
}  // namespace zhiwen
