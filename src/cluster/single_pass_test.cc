// The fast form of the single pass gives what the definition gives, code by code.

#include "cluster/single_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

void ExpectSameStep(const Result<SinglePassStep>& got, const Result<SinglePassStep>& wanted,
                    uint64_t number) {
  ASSERT_TRUE(wanted && got);
  ASSERT_EQ(got->centre, wanted->centre) << number;
  ASSERT_EQ(got->is_new, wanted->is_new) << number;
  ASSERT_EQ(got->distance, wanted->distance) << number;
  ASSERT_EQ(got->refused, wanted->refused) << number;
  ASSERT_EQ(got->date, wanted->date) << number;
}

void ExpectSameSteps(const std::vector<StreamCode>& codes, const SinglePassOptions& options,
                     const SinglePass::Judge& judge = {}) {
  std::vector<uint64_t> forgotten[2];
  SinglePassOptions slow_options = options, fast_options = options;
  slow_options.forget = [&](uint64_t number) { forgotten[0].push_back(number); };
  fast_options.forget = [&](uint64_t number) { forgotten[1].push_back(number); };
  const auto slow = MakeSlowSinglePass(slow_options);
  const auto fast = MakeIndexedSinglePass(fast_options);
  for (const StreamCode& code : codes) {
    const auto wanted = slow->Take(code, judge);
    const auto got = fast->Take(code, judge);
    ASSERT_NO_FATAL_FAILURE(ExpectSameStep(got, wanted, code.number));
    if (options.window) {
      ASSERT_EQ(got->latest, wanted->latest) << code.number;
    }
    ASSERT_EQ(fast->centres(), slow->centres()) << code.number;
    for (auto& numbers : forgotten) std::ranges::sort(numbers);
    ASSERT_EQ(forgotten[1], forgotten[0]) << code.number;
  }
  EXPECT_EQ(forgotten[0].empty(), !options.window) << "the stream does not use the window";
}

// Codes that are near earlier ones, far from them, or the same.
std::vector<StreamCode> MakeStream(uint32_t seed, size_t count, uint64_t mask) {
  std::mt19937_64 random(seed);
  std::vector<StreamCode> codes;
  while (codes.size() < count) {
    uint64_t code = random();
    if (!codes.empty() && random() % 3 != 0) {
      code = codes[random() % codes.size()].code;
      for (uint64_t flips = random() % 8; flips > 0; --flips) code ^= uint64_t{1} << random() % 64;
    }
    codes.push_back({.number = codes.size() + 1, .code = code & mask});
  }
  return codes;
}

// Gives dates to codes: an hour further each, some late, some in the future, some without one, the
// first ones too.
std::vector<StreamCode> WithDates(std::vector<StreamCode> codes, uint32_t seed) {
  std::mt19937_64 random(seed);
  int64_t hour = 480000;
  for (StreamCode& code : codes) {
    ++hour;
    const auto late = static_cast<int64_t>(random() % 20 == 0 ? random() % 300 : 0);
    const auto early = static_cast<int64_t>(random() % 200 == 0 ? random() % 90 : 0);
    if (code.number > 10 && random() % 9 != 0) code.date = (hour - late + early) * 3600;
  }
  return codes;
}

TEST(SinglePass, EqualsTheDefinitionForEveryRadius) {
  for (const uint32_t radius : {0U, 1U, 3U, 6U, 12U}) {
    ExpectSameSteps(MakeStream(radius + 1, 3000, ~uint64_t{0}), {.radius = radius});
    ExpectSameSteps(MakeStream(radius + 1, 3000, 0xFFFFFFFF), {.code_bits = 32, .radius = radius});
  }
}

// Twelve bits in which codes differ: many centres are equally near.
TEST(SinglePass, EqualsTheDefinitionWhereCentresAreEquallyNear) {
  for (uint32_t seed = 1; seed <= 5; ++seed) {
    ExpectSameSteps(MakeStream(seed, 2000, 0x0101010101010F01), {.radius = 2});
  }
}

TEST(SinglePass, EqualsTheDefinitionWithAWindow) {
  for (const uint64_t hours : {0U, 1U, 24U, 200U}) {
    for (const uint64_t mask : {~uint64_t{0}, uint64_t{0x0101010101010F01}}) {
      const auto codes = WithDates(MakeStream(7, 1200, mask), 11);
      ExpectSameSteps(codes, {.radius = 3, .window = hours * 3600});
    }
  }
}

// A judge makes centres of equal codes, and more of them near a code than it is asked about.
TEST(SinglePass, EqualsTheDefinitionWithAJudge) {
  for (const uint64_t accepted : {2U, 5U, 50U}) {
    const auto codes = WithDates(MakeStream(3, 2000, 0x0F01010101010F01), 5);
    const SinglePass::Judge judge = [&](uint64_t centre) -> Result<bool> {
      return centre % accepted == 0;
    };
    ExpectSameSteps(codes, {.radius = 3}, judge);
    ExpectSameSteps(codes, {.radius = 3, .window = 200 * 3600}, judge);
  }
}

// A stream that stops at any place goes on as if it had not.
TEST(SinglePass, GoesOnFromItsCentres) {
  const auto codes = WithDates(MakeStream(9, 600, 0x0F01010101010F01), 2);
  const SinglePassOptions options = {.radius = 3, .window = 48 * 3600};
  for (const size_t stop : {size_t{5}, size_t{12}, size_t{100}, size_t{500}}) {
    std::vector<StreamCode> centres;
    SinglePassOptions first_options = options;
    first_options.forget = [&](uint64_t number) {
      std::erase_if(centres, [&](const StreamCode& centre) { return centre.number == number; });
    };
    const auto first = MakeIndexedSinglePass(first_options);
    std::optional<int64_t> date, first_date;
    for (size_t i = 0; i < stop; ++i) {
      const auto step = first->Take(codes[i]);
      ASSERT_TRUE(step);
      date = step->date;
      first_date = first_date ? first_date : date;
      if (step->is_new) {
        centres.push_back({codes[i].number, codes[i].code, date});
      } else {
        std::ranges::find(centres, step->centre, &StreamCode::number)->date = step->latest;
      }
    }
    const auto second = MakeIndexedSinglePass(options);
    for (StreamCode centre : centres) {
      if (!centre.date) centre.date = first_date;
      second->Restore(centre);
    }
    if (date) second->RestoreDate(*date);
    for (size_t i = stop; i < codes.size(); ++i) {
      const auto wanted = first->Take(codes[i]);
      ASSERT_NO_FATAL_FAILURE(ExpectSameStep(second->Take(codes[i]), wanted, codes[i].number));
    }
  }
}

// 语义指纹…, step 5: a new centre has its place in ascending order, and ties go to the smallest.
TEST(SinglePass, JoinsTheSmallestOfEquallyNearCentres) {
  const auto pass = MakeIndexedSinglePass({.radius = 4});
  EXPECT_TRUE(pass->Take({.number = 1, .code = 0b1111'1111'0000})->is_new);
  EXPECT_TRUE(pass->Take({.number = 2, .code = 0})->is_new);
  const auto tie = pass->Take({.number = 3, .code = 0b0000'1111'0000});
  EXPECT_FALSE(tie->is_new);
  EXPECT_EQ(tie->centre, 2U);
  EXPECT_EQ(tie->distance, 4U);
}

TEST(SinglePass, ACodeAtTheRadiusJoinsAndOneBeyondItDoesNot) {
  const auto pass = MakeIndexedSinglePass({.radius = 3});
  EXPECT_TRUE(pass->Take({.number = 1, .code = 0})->is_new);
  EXPECT_FALSE(pass->Take({.number = 2, .code = 0b111})->is_new);
  EXPECT_TRUE(pass->Take({.number = 3, .code = 0b1111})->is_new);
  EXPECT_EQ(pass->centres(), 2U);
}

TEST(SinglePass, ACentreLivesAsLongAsCodesJoinIt) {
  const auto pass = MakeIndexedSinglePass({.radius = 3, .window = 10});
  EXPECT_TRUE(pass->Take({.number = 1, .code = 0})->is_new);  // before the first date
  EXPECT_TRUE(pass->Take({.number = 2, .code = 0xFF, .date = 100})->is_new);
  EXPECT_FALSE(pass->Take({.number = 3, .code = 1, .date = 110})->is_new);  // in the window
  EXPECT_FALSE(pass->Take({.number = 4, .code = 2, .date = 120})->is_new);  // ten after that
  EXPECT_TRUE(pass->Take({.number = 5, .code = 0xFF})->is_new);             // counts as of 120
  EXPECT_EQ(pass->centres(), 2U);
  EXPECT_FALSE(pass->Take({.number = 6, .code = 0, .date = 1})->is_new);  // late, not later
  EXPECT_TRUE(pass->Take({.number = 7, .code = 0, .date = 131})->is_new);
}

TEST(SinglePass, ACodeThatIsRefusedEverywhereBecomesACentre) {
  const auto pass = MakeIndexedSinglePass({.radius = 3});
  const SinglePass::Judge only_third = [](uint64_t centre) -> Result<bool> { return centre == 3; };
  EXPECT_FALSE(pass->Take({.number = 1, .code = 0}, only_third)->refused);
  for (const uint64_t number : {2U, 3U}) {
    const auto step = pass->Take({.number = number, .code = 0}, only_third);
    EXPECT_TRUE(step->is_new && step->refused);
  }
  const auto joined = pass->Take({.number = 4, .code = 1}, only_third);
  EXPECT_TRUE(joined->refused);  // the nearest was not accepted
  EXPECT_EQ(joined->centre, 3U);
  EXPECT_EQ(pass->centres(), 3U);
  const auto failed = pass->Take({.number = 5, .code = 1}, [](uint64_t) -> Result<bool> {
    return Fail(ErrorCode::kUnreadable, "no text");
  });
  EXPECT_EQ(failed.error().message, "no text");
}

}  // namespace
}  // namespace zhiwen
