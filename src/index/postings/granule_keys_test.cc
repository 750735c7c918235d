// Texts that differ in one character share keys of granules.

#include "index/postings/granule_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "fingerprint/dna_code.h"
#include "fingerprint/granule_scheme.h"
#include "support/language.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

using Begin = GranuleScheme::Begin;
using Characters = std::vector<std::string>;

std::string Joined(const Characters& characters) {
  std::string text;
  for (const std::string& one : characters) text += one;
  return text;
}

// Draws half of the characters from a few, so that counts differ from the expected ones.
Characters RandomCharacters(std::mt19937& random, size_t count) {
  Characters made;
  for (size_t i = 0; i < count; ++i) {
    const auto code = 0x4E00 + random() % (random() % 2 == 0 ? 40 : 0x2000);
    made.push_back({static_cast<char>(0xE0 | code >> 12),
                    static_cast<char>(0x80 | (code >> 6 & 63)),
                    static_cast<char>(0x80 | (code & 63))});
  }
  return made;
}

std::unique_ptr<Scheme> MakeScheme(const std::string& name) {
  auto made = Scheme::Create(name, {.language = TestLanguage()});
  EXPECT_TRUE(made) << made.error().message;
  return *std::move(made);
}

Granules GranulesOf(const Scheme& scheme, const std::string& text, Begin begin) {
  return *dynamic_cast<const GranuleScheme&>(scheme).ComputeGranules(text, begin);
}

std::vector<uint64_t> KeysOfOne(const Granules& granules, size_t i) {
  const auto code = granules.codes[i];
  return GranuleKeys(
      CodeSequence{granules.codes.width, FingerprintBytes(code.begin(), code.end())});
}

size_t CountShared(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  std::vector<uint64_t> shared;
  std::ranges::set_intersection(a, b, std::back_inserter(shared));
  return shared.size();
}

// One character is replaced, left out or put in at any place: each granule of the text still shares
// a key with some granule of the other text, which begin at every character.
TEST(GranuleKeys, AreSharedWhereOneCharacterDiffers) {
  std::mt19937 random(7);
  for (const std::string name :
       {"initials_dna", "initials_dna(digits=8,granule=20)", "initials_dna(10,overlap=0)",
        "initials_dna(digits=4,granule=30,overlap=0.75)"}) {
    const auto scheme = MakeScheme(name);
    for (int round = 0; round < 60; ++round) {
      const Characters text = RandomCharacters(random, 90 + random() % 80);
      const Granules stored = GranulesOf(*scheme, Joined(text), Begin::kAtSteps);
      Characters other = text;
      const auto at = other.begin() + static_cast<int64_t>(random() % other.size());
      const std::string character = RandomCharacters(random, 1).front();
      if (round % 3 == 0) *at = character;
      if (round % 3 == 1) other.erase(at);
      if (round % 3 == 2) other.insert(at, character);
      const auto query =
          GranuleKeys(GranulesOf(*scheme, Joined(other), Begin::kAtEveryCharacter).codes);
      for (size_t i = 0; i < stored.codes.size(); ++i) {
        EXPECT_GE(CountShared(KeysOfOne(stored, i), query), 1U)
            << name << " round " << round << " granule " << i;
      }
    }
  }
}

TEST(GranuleKeys, AreRarelySharedByOtherGranules) {
  std::mt19937 random(3);
  const auto scheme = MakeScheme("initials_dna");
  size_t shared = 0;
  for (int round = 0; round < 50; ++round) {
    const auto a = GranuleKeys(*scheme->Compute(Joined(RandomCharacters(random, 500))));
    const auto b = GranuleKeys(*scheme->Compute(Joined(RandomCharacters(random, 500))));
    EXPECT_EQ(CountShared(a, a), a.size());
    shared += CountShared(a, b);
  }
  EXPECT_LT(shared, 50U);  // of 5,700
}

// Keys are in the files of libraries.
TEST(GranuleKeys, StayAsTheyAre) {
  DnaDigits digits;
  for (size_t i = 0; i < digits.size(); ++i) digits[i] = static_cast<uint8_t>(i % 10);
  CodeSequence codes = {.width = DnaWidth(10), .bytes = {}};
  AppendDnaCode(digits, 10, codes.bytes);
  const std::vector<std::string> quarters = {
      {0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}, {0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}};
  const auto hashes = [&](char pair) {
    std::set<uint64_t> keys;
    for (size_t first = 0; first < 4; ++first) {
      for (size_t second = first + 1; second < 4; ++second) {
        keys.insert(HashBytes64(std::string(1, pair++) + quarters[first] + quarters[second]));
      }
    }
    return std::vector<uint64_t>(keys.begin(), keys.end());
  };
  EXPECT_EQ(GranuleKeys(codes), hashes(0));
  EXPECT_EQ(GranuleKeys(codes.bytes), hashes(6));  // of a short text
  EXPECT_TRUE(GranuleKeys(NoFingerprint()).empty());
}

}  // namespace
}  // namespace zhiwen
