#include "match/digit_similarity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>

#include "fingerprint/dna_code.h"
#include "support/language.h"
#include "zhiwen/fingerprint_similarity.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

using Digits = std::vector<DnaDigits>;

Digits RandomDigits(std::mt19937& random, size_t codes, uint32_t radix) {
  Digits all(codes);
  for (DnaDigits& digits : all) {
    for (uint8_t& digit : digits) digit = static_cast<uint8_t>(random() % radix);
  }
  return all;
}

CodeSequence CodesOf(const Digits& all, uint32_t radix) {
  CodeSequence codes = {.width = DnaWidth(radix), .bytes = {}};
  for (const DnaDigits& digits : all) AppendDnaCode(digits, radix, codes.bytes);
  return codes;
}

// Makes codes that each differ from the one before in a few digits, as codes of overlapping
// granules do.
Digits WanderingDigits(std::mt19937& random, size_t codes, uint32_t radix, uint32_t steps) {
  Digits all = RandomDigits(random, 1, radix);
  while (all.size() < codes) {
    DnaDigits digits = all.back();
    for (uint32_t i = 0; i < steps; ++i) {
      digits[random() % digits.size()] = static_cast<uint8_t>(random() % radix);
    }
    all.push_back(digits);
  }
  return all;
}

// Returns the first closest code of `b` for each code of `a`, by comparing all.
std::vector<ClosestCode> FindClosestSlowly(const Digits& a, const Digits& b) {
  std::vector<ClosestCode> closest;
  for (const DnaDigits& x : a) {
    ClosestCode best = {0, 1000};
    for (size_t j = 0; j < b.size(); ++j) {
      int distance = 0;
      for (size_t i = 0; i < 20; ++i) distance += std::abs(int{x[i]} - int{b[j][i]});
      if (static_cast<uint32_t>(distance) < best.distance) {
        best = {j, static_cast<uint32_t>(distance)};
      }
    }
    closest.push_back(best);
  }
  return closest;
}

int DistanceBySlowly(const Digits& a, const Digits& b) {
  int total = 0;
  for (const ClosestCode& code : FindClosestSlowly(a, b)) total += static_cast<int>(code.distance);
  return total;
}

TEST(SearchedCodes, AreFoundInAStretchAndByWhereTheyAreAgain) {
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    const Digits few = RandomDigits(random, 5, 10);
    Digits all;
    for (size_t i = 0; i < 60; ++i) all.push_back(few[random() % few.size()]);
    const auto searched = *SearchedCodes::Create(CodesOf(all, 10), {});
    for (size_t i = 0; i < all.size(); ++i) {
      const auto next = std::find(all.begin() + static_cast<int64_t>(i) + 1, all.end(), all[i]);
      EXPECT_EQ(searched.NextPlaceOf(i), static_cast<size_t>(next - all.begin()));
    }
    const size_t first = random() % 60, last = first + random() % (60 - first);
    const size_t expected = first + random() % (last - first + 1);
    const DnaDigits wanted = RandomDigits(random, 1, 10)[0];
    const ClosestCode found = searched.FindClosestBetween(wanted, first, last, expected);
    const auto rank = [&](size_t place) {
      const auto apart = static_cast<int64_t>(place) - static_cast<int64_t>(expected);
      return std::pair(FindClosestSlowly({wanted}, {all[place]})[0].distance, std::abs(apart));
    };
    for (size_t place = first; place <= last; ++place) EXPECT_LE(rank(found.index), rank(place));
    EXPECT_EQ(found.distance, rank(found.index).first);
    EXPECT_TRUE(first <= found.index && found.index <= last);
  }
}

TEST(DigitSimilarity, IsTheMeanDistanceToTheClosest) {
  std::mt19937 random(1);
  for (const uint32_t radix : {10U, 8U, 4U, 2U}) {
    for (int round = 0; round < 40; ++round) {
      const Digits a = RandomDigits(random, 1 + random() % 6, radix);
      Digits b = RandomDigits(random, 1 + random() % 6, radix);
      b.push_back(a[random() % a.size()]);
      const double distance = DistanceBySlowly(a, b) + DistanceBySlowly(b, a);
      const double most = 20.0 * (radix - 1) * static_cast<double>(a.size() + b.size());
      const double similarity = *DigitSimilarity(CodesOf(a, radix), CodesOf(b, radix), {});
      EXPECT_DOUBLE_EQ(similarity, 1 - distance / most);
      EXPECT_EQ(similarity, *DigitSimilarity(CodesOf(b, radix), CodesOf(a, radix), {}));
      EXPECT_EQ(*DigitSimilarity(CodesOf(b, radix), CodesOf(b, radix), {}), 1);
      EXPECT_EQ(*DigitSimilarity(CodesOf(a, radix), CodesOf({}, radix), {}), 0);
    }
  }
  const CodeSequence zeros = CodesOf({DnaDigits()}, 2);
  DnaDigits ones;
  ones.fill(1);
  EXPECT_EQ(*DigitSimilarity(zeros, CodesOf({ones}, 2), {}), 0);
}

TEST(FindClosestCodes, NamesTheFirstOfTheClosest) {
  DnaDigits zero = {}, one = {}, three = {};
  one[19] = 1;
  three[0] = 2;
  three[7] = 1;
  const auto closest = *FindClosestCodes(CodesOf({one, three, zero}, 10),
                                         CodesOf({three, zero, zero, three}, 10), {});
  EXPECT_THAT(closest,
              testing::ElementsAre(ClosestCode{1, 1}, ClosestCode{0, 0}, ClosestCode{1, 0}));
}

// Covers both more and fewer codes than one search step takes, some of them repeated.
TEST(FindClosestCodes, IsWhatHoldingEachAgainstEachSays) {
  std::mt19937 random(4);
  for (const uint32_t radix : {10U, 8U, 4U, 2U}) {
    for (const size_t size : {7U, 300U, 5000U}) {
      const Digits query = WanderingDigits(random, size, radix, 1 + radix / 4);
      Digits stored = WanderingDigits(random, 40, radix, 3);
      for (int i = 0; i < 10; ++i) {
        stored.push_back(query[random() % size]);
        stored.push_back(stored[random() % 40]);
        stored.push_back(stored[40]);
        uint8_t& digit = stored.back()[random() % 20];
        digit = static_cast<uint8_t>((digit + 1U) % radix);
      }
      EXPECT_EQ(*FindClosestCodes(CodesOf(stored, radix), CodesOf(query, radix), {}),
                FindClosestSlowly(stored, query))
          << radix << " " << size;
    }
  }
}

TEST(FindClosestCodes, AndWhatNeedsThemEndWhenTheyAreToldTo) {
  Cancellation cancellation;
  cancellation.Request(ErrorCode::kInterrupted);
  const CodeSequence codes = CodesOf({DnaDigits()}, 10);
  EXPECT_EQ(FindClosestCodes(codes, codes, cancellation).error().code, ErrorCode::kInterrupted);
  EXPECT_EQ(CompareFingerprints(codes, codes, "digit_l1", cancellation).error().code,
            ErrorCode::kInterrupted);
}

// --- a copy with a character missing -------------------------------------------------------------

constexpr size_t kCharacter = 3;  // bytes

std::string RandomHan(std::mt19937& random, size_t characters) {
  static const std::string kSome =
      "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过"
      "子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两"
      "体";
  std::string text;
  while (text.size() < characters * kCharacter) {
    text += kSome.substr(random() % (kSome.size() / kCharacter) * kCharacter, kCharacter);
  }
  return text;
}

CodeSequence Dna(const std::string& name, std::string_view text) {
  const auto scheme = Scheme::Create(name, {.language = TestLanguage()});
  return std::get<CodeSequence>(*(*scheme)->Compute(text));
}

TEST(FindClosestCodes, OfASlidingQueryFindACopyThatLacksACharacter) {
  std::mt19937 random(2);
  const std::string text = RandomHan(random, 400);
  for (const size_t missing : {size_t{0}, size_t{130}, size_t{399}}) {
    std::string copy = text;
    copy.erase(missing * kCharacter, kCharacter);
    const CodeSequence stored = Dna("initials_dna", text);
    EXPECT_NE(stored, Dna("initials_dna", copy));
    const auto closest = *FindClosestCodes(stored, Dna("initials_dna(overlap=1)", copy), {});
    ASSERT_EQ(closest.size(), 15U);
    for (size_t i = 0; i < closest.size(); ++i) {
      const bool is_hit = missing >= 25 * i && missing < 25 * i + 50;
      // The query lacks a character and has one more at an end, so two counts differ by one.
      EXPECT_LE(closest[i].distance, is_hit ? 8U : 0U) << missing << " " << i;
    }
    const auto others =
        *FindClosestCodes(stored, Dna("initials_dna(overlap=1)", RandomHan(random, 400)), {});
    for (const ClosestCode& code : others) EXPECT_GT(code.distance, 8U);
  }
}

TEST(FingerprintSimilarity, OfDigitsTakesTextsThatAreShorterThanAGranule) {
  std::mt19937 random(3);
  const std::string text = RandomHan(random, 50);
  const auto scheme = *Scheme::Create("initials_dna", {.language = TestLanguage()});
  const Fingerprint whole = *scheme->Compute(text);
  const Fingerprint shorter = *scheme->Compute(text.substr(kCharacter));
  ASSERT_NE(whole.index(), shorter.index());
  EXPECT_EQ(UsualMeasure("initials_dna", whole), "digit_l1");
  EXPECT_EQ(UsualMeasure("initials_dna", shorter), "digit_l1");
  EXPECT_EQ(*CompareFingerprints(shorter, shorter, "digit_l1", {}), 1);
  const double similarity = *CompareFingerprints(whole, shorter, "digit_l1", {});
  EXPECT_EQ(similarity, *CompareFingerprints(shorter, whole, "digit_l1", {}));
  EXPECT_GT(similarity, 0.9);
  EXPECT_LT(similarity, 1);
  EXPECT_FALSE(CompareFingerprints(whole, shorter, "equal", {}));
  EXPECT_FALSE(CompareFingerprints(FingerprintBytes(7), FingerprintBytes(7), "digit_l1", {}));
}

}  // namespace
}  // namespace zhiwen
