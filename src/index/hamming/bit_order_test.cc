#include "index/hamming/bit_order.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

#include "index/line_table/mix_key.h"

namespace zhiwen {
namespace {

constexpr size_t kSample = 16384;

std::vector<uint64_t> RandomCodes(uint32_t bits, uint64_t mask) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> codes(kSample);
  for (uint64_t& code : codes) code = random() >> (64 - bits) & mask;
  return codes;
}

// Checks that every bit goes to one place and comes back.
void ExpectAPermutation(const BitOrder& order, uint32_t bits) {
  uint64_t all = 0;
  for (uint32_t bit = 0; bit < bits; ++bit) {
    const uint64_t code = uint64_t{1} << bit, ordered = order.OrderedOf(code);
    EXPECT_EQ(std::popcount(ordered), 1);
    EXPECT_EQ(order.CodeOf(ordered), code);
    // Even bits go to the low half, odd ones to the high half.
    EXPECT_EQ(static_cast<uint32_t>(std::countr_zero(ordered)) >= bits / 2, bit % 2 == 1);
    all |= ordered;
  }
  EXPECT_EQ(all, ~uint64_t{0} >> (64 - bits));
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const uint64_t a = random() >> (64 - bits), b = random() >> (64 - bits);
    EXPECT_EQ(order.CodeOf(order.OrderedOf(a)), a);
    EXPECT_EQ(std::popcount(order.OrderedOf(a) ^ order.OrderedOf(b)), std::popcount(a ^ b));
  }
}

TEST(BitOrder, KeepsTheOrderOfBitsOfCodesThatItDoesNotKnow) {
  for (const uint32_t bits : {32U, 64U}) {
    ExpectAPermutation(BitOrder(bits), bits);
    EXPECT_EQ(BitOrder(bits).kept_bits(), 0);
  }
  EXPECT_EQ(BitOrder(64).OrderedOf(0xFFFF0000000000A6), 0xFF00000DFF000002);
}

TEST(BitOrder, OfRandomCodesKeepsAllThatTablesCan) {
  const BitOrder order(RandomCodes(64, ~uint64_t{0}), 64);
  ExpectAPermutation(order, 64);
  EXPECT_EQ(order.kept_bits(), kMostKeptBits);
}

TEST(BitOrder, PutsTheBitsThatAreMostOftenEqualLowest) {
  std::vector<uint64_t> codes = RandomCodes(64, 0x00FFFFFFFFFFFFFF);  // the upper eight
  for (size_t i = 0; i < codes.size(); i += 10) codes[i] |= 0xF0000;  // and a bit of four others
  const BitOrder order(codes, 64);
  ExpectAPermutation(order, 64);
  EXPECT_EQ(order.OrderedOf(0xFF00000000000000), 0x0000000F0000000F);
  EXPECT_EQ(order.OrderedOf(0x00000000000F0000), 0x0000003000000030);
  EXPECT_EQ(order.kept_bits(), kMostKeptBits);
}

// Bits that are always equal to each other, and are 1 half the time, are equal no more often than
// others.
TEST(BitOrder, KeepsFewerBitsWhereTheOthersSayTooLittle) {
  std::vector<uint64_t> codes = RandomCodes(64, 0x00FFFFFFFFFFFFFF);
  for (uint64_t& code : codes) code |= (code & 0xFF) << 56;
  EXPECT_LT(BitOrder(codes, 64).kept_bits(), kMostKeptBits);
  const BitOrder of_32_bits(RandomCodes(32, ~uint64_t{0}), 32);
  ExpectAPermutation(of_32_bits, 32);
  EXPECT_EQ(of_32_bits.kept_bits(), 0);  // 65,536 keys, which are all there are
}

TEST(BitOrder, OfNoCodeIsOneToo) { ExpectAPermutation(BitOrder({}, 64), 64); }

}  // namespace
}  // namespace zhiwen
