#include "base/string_hash.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

__extension__ using Uint128 = unsigned __int128;

// The values are those that A. Partow's collection of hash functions publishes.
TEST(StringHash, GivesThePublishedValues) {
  constexpr std::string_view kText = "abcdefghijklmnopqrstuvwxyz1234567890";
  EXPECT_EQ(RsHash<uint32_t>(kText), 4097835502u);
  EXPECT_EQ(JsHash<uint32_t>(kText), 1651003062u);
  EXPECT_EQ(PjwHash<uint32_t>(kText), 126631744u);
  EXPECT_EQ(ElfHash<uint32_t>(kText), 126631744u);
  EXPECT_EQ(SdbmHash<uint32_t>(kText), 3449571336u);
}

TEST(StringHash, OfMoreBitsHasThoseOfLessWhereCarriesGoUpOnly) {
  constexpr std::string_view kText = "北京华联";
  const auto sdbm = SdbmHash<Uint128>(kText);
  EXPECT_EQ(static_cast<uint64_t>(sdbm), SdbmHash<uint64_t>(kText));
  EXPECT_EQ(static_cast<uint32_t>(sdbm), SdbmHash<uint32_t>(kText));
  EXPECT_NE(static_cast<uint64_t>(sdbm >> 64), 0u);
  EXPECT_EQ(static_cast<uint64_t>(RsHash<Uint128>(kText)), RsHash<uint64_t>(kText));
}

TEST(StringHash, IsOfUnsignedBytes) {
  EXPECT_EQ(SdbmHash<uint64_t>("\xFF"), 255u);
  EXPECT_EQ(RsHash<uint64_t>("\xFF"), 255u);
  EXPECT_EQ(PjwHash<uint64_t>("\xFF"), 255u);
  EXPECT_EQ(ElfHash<uint64_t>("\xFF"), 255u);
}

TEST(StringHash, PjwAndElfKeepTheirHighBitsFree) {
  const std::string text(1000, '\xFF');
  EXPECT_EQ(PjwHash<uint64_t>(text) >> 56, 0u);
  EXPECT_EQ(ElfHash<uint64_t>(text) >> 60, 0u);
  EXPECT_EQ(PjwHash<uint32_t>(text) >> 28, 0u);
  EXPECT_EQ(ElfHash<uint32_t>(text) >> 28, 0u);
}

// Computes the verification value of SMHasher: the hashes of 0, 0 1, 0 1 2 … with seeds 256, 255 …,
// hashed.
TEST(StringHash, Murmur64AIsThatOfSmhasher) {
  std::string key, hashes;
  for (uint64_t i = 0; i < 256; ++i) {
    const uint64_t hash = Murmur64A(key, 256 - i);
    for (int byte = 0; byte < 8; ++byte) hashes += static_cast<char>(hash >> (8 * byte));
    key += static_cast<char>(i);
  }
  EXPECT_EQ(static_cast<uint32_t>(Murmur64A(hashes, 0)), 0x1F0D3804u);
}

// Implements hashword2 of B. Jenkins' lookup3.c, with an initial value instead of the length.
std::pair<uint32_t, uint32_t> HashWords(std::span<const uint32_t> words, uint32_t initial,
                                        uint32_t more) {
  const auto rot = [](uint32_t x, int k) { return x << k | x >> (32 - k); };
  std::array<uint32_t, 3> s = {initial, initial, initial + more};
  auto& [a, b, c] = s;
  while (words.size() > 3) {
    for (size_t i = 0; i < 3; ++i) s[i] += words[i];
    constexpr std::array<int, 6> kShifts = {4, 6, 8, 16, 19, 4};
    for (size_t i = 0; i < 6; ++i) {
      uint32_t& x = s[i % 3];
      uint32_t& previous = s[(i + 2) % 3];
      x -= previous;
      x ^= rot(previous, kShifts[i]);
      previous += s[(i + 1) % 3];
    }
    words = words.subspan(3);
  }
  for (size_t i = 0; i < words.size(); ++i) s[i] += words[i];
  if (!words.empty()) {
    constexpr std::array<int, 7> kShifts = {14, 11, 25, 16, 4, 14, 24};
    for (size_t i = 0; i < 7; ++i) {
      uint32_t& x = s[(i + 2) % 3];
      const uint32_t previous = s[(i + 1) % 3];
      x = (x ^ previous) - rot(previous, kShifts[i]);
    }
  }
  return {c, b};
}

TEST(StringHash, Lookup3IsThatOfJenkinsOverCodePoints) {
  // driver5 of lookup3.c hashes 30 bytes as words of four.
  std::string text = "Four score and seven years ago";
  text.resize(32);
  std::array<uint32_t, 8> words = {};
  std::memcpy(words.data(), text.data(), text.size());
  EXPECT_EQ(HashWords(words, 0xDEADBEEF + 30, 0), std::pair(0x17770551u, 0xCE7226E6u));

  EXPECT_EQ(Lookup3Ycs64("", 0), 0xDEADBEEEDEADBEEFu);
  std::mt19937 random(1);
  constexpr std::array<std::string_view, 5> kCharacters = {"a", "é", "指", "😀", "\x1F"};
  constexpr std::array<uint32_t, 5> kCodePoints = {'a', 0xE9, 0x6307, 0x1F600, 0x1F};
  for (int round = 0; round < 500; ++round) {
    std::string utf8;
    std::vector<uint32_t> code_points;
    for (size_t length = random() % 12; length > 0; --length) {
      const size_t i = random() % kCharacters.size();
      utf8 += kCharacters[i];
      code_points.push_back(kCodePoints[i]);
    }
    const uint64_t seed = (uint64_t{random()} << 32) + random();
    const auto [c, b] = HashWords(code_points, 0xDEADBEEF + static_cast<uint32_t>(seed),
                                  static_cast<uint32_t>(seed >> 32));
    const auto added = static_cast<int64_t>(static_cast<int32_t>(c));
    EXPECT_EQ(Lookup3Ycs64(utf8, seed), (uint64_t{b} << 32) + static_cast<uint64_t>(added));
  }
}

}  // namespace
}  // namespace zhiwen
