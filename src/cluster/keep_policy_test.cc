#include "cluster/keep_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "document/parse_date.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Values = std::vector<std::optional<std::string_view>>;

struct Record {
  uint64_t length = 0, position = 0;
  std::optional<std::string_view> value;  // value of the policy's only field
};

std::string KeyOf(const KeepPolicy& policy, const Record& record) {
  const Values values(policy.fields().size(), record.value);
  std::vector<uint64_t> missing(values.size());
  std::string key;
  policy.AppendKey(record.length, values, missing, key);
  // The caller of a policy that uses positions appends the position.
  if (!policy.uses_position()) return key;
  for (int shift = 56; shift >= 0; shift -= 8) key += static_cast<char>(record.position >> shift);
  return key;
}

TEST(KeepPolicy, ReadsWordsFieldsAndChoices) {
  const auto policy = KeepPolicy::Parse(" longest , earliest( meta.date ),prefer(来源=新华社, b) ");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_THAT(policy->fields(), ElementsAre("meta.date", "来源"));
  EXPECT_EQ(policy->ToString(), "longest,earliest(meta.date),prefer(来源=新华社,b)");
  EXPECT_FALSE(policy->uses_position());
  EXPECT_TRUE(KeepPolicy::Parse("longest,first")->uses_position());
}

TEST(KeepPolicy, NoneIsNoOrderOfItsOwn) {
  const auto alone = KeepPolicy::Parse("none"), longest = KeepPolicy::Parse("longest");
  ASSERT_TRUE(alone && longest);
  EXPECT_TRUE(alone->keeps_none());
  EXPECT_FALSE(longest->keeps_none());
  EXPECT_EQ(alone->ToString(), "longest,none");
  EXPECT_EQ(KeyOf(*alone, {7, 0, {}}), KeyOf(*longest, {7, 0, {}}));
  const auto ordered = KeepPolicy::Parse("none, earliest(date), first");
  ASSERT_TRUE(ordered);
  EXPECT_TRUE(ordered->keeps_none());
  EXPECT_EQ(ordered->ToString(), "earliest(date),first,none");
  EXPECT_FALSE(KeepPolicy::Parse("none(date)"));
}

TEST(KeepPolicy, OneFieldReadTwiceIsOneField) {
  EXPECT_THAT(KeepPolicy::Parse("highest(a),lowest(b),latest(a)")->fields(), ElementsAre("a", "b"));
}

TEST(KeepPolicy, QuotedNamesHoldPunctuation) {
  const auto policy = KeepPolicy::Parse(R"#(prefer("a(b)"="x,y","say \"hi\"",plain))#");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_THAT(policy->fields(), ElementsAre("a(b)"));
  EXPECT_EQ(policy->ToString(), R"#(prefer("a(b)"="x,y","say \"hi\"",plain))#");
  EXPECT_LT(KeyOf(*policy, {0, 0, "x,y"}), KeyOf(*policy, {0, 0, "say \"hi\""}));
}

TEST(KeepPolicy, ErrorsNameTheWordThePositionAndWhatExists) {
  const auto message = [](std::string_view text) {
    const auto policy = KeepPolicy::Parse(text);
    EXPECT_FALSE(policy) << text;
    if (policy) return std::string();
    EXPECT_EQ(policy.error().code, ErrorCode::kInvalidArgument);
    return policy.error().message;
  };
  EXPECT_THAT(message("longest, youngest(date)"),
              AllOf(HasSubstr("\"youngest\""), HasSubstr("character 10"), HasSubstr("earliest(f")));
  EXPECT_THAT(message(""), AllOf(HasSubstr("character 1"), HasSubstr("the end")));
  EXPECT_THAT(message("longest,"), AllOf(HasSubstr("character 9"), HasSubstr("longest, shortest")));
  EXPECT_THAT(message("earliest"), HasSubstr("earliest needs (field)"));
  EXPECT_THAT(message("earliest()"), HasSubstr("expected the field of earliest"));
  EXPECT_THAT(message("earliest(日期"), AllOf(HasSubstr("character 12"), HasSubstr("expected )")));
  EXPECT_THAT(message("prefer(f)"), HasSubstr("=value"));
  EXPECT_THAT(message("prefer(f=)"), HasSubstr("expected a value"));
  EXPECT_THAT(message("prefer(f=a,f=b)"), AllOf(HasSubstr("expected )"), HasSubstr("\"=\"")));
  EXPECT_THAT(message("prefer(f=a,a)"), HasSubstr("\"a\" twice"));
  EXPECT_THAT(message("prefer(f=\"a)"), HasSubstr("expected a value"));
  EXPECT_THAT(message("longest(date)"), AllOf(HasSubstr("comma"), HasSubstr("\"(\"")));
  EXPECT_THAT(message("Longest"), HasSubstr("\"Longest\""));
}

TEST(KeepPolicy, LengthAndPositionOrderAsNamed) {
  const std::array<uint64_t, 6> numbers = {0, 1, 255, 256, uint64_t{1} << 40, UINT64_MAX};
  const auto longest = KeepPolicy::Parse("longest");
  const auto shortest = KeepPolicy::Parse("shortest");
  const auto first = KeepPolicy::Parse("first");
  for (const uint64_t a : numbers) {
    for (const uint64_t b : numbers) {
      EXPECT_EQ(KeyOf(*longest, {a, 9, {}}) < KeyOf(*longest, {b, 1, {}}), a > b);
      EXPECT_EQ(KeyOf(*shortest, {a, 9, {}}) < KeyOf(*shortest, {b, 1, {}}), a < b);
      EXPECT_EQ(KeyOf(*first, {9, a, {}}) < KeyOf(*first, {1, b, {}}), a < b);
    }
  }
}

// Defines the order of a field criterion without keys: true when `a` ranks before `b`.
template <typename T>
bool RanksBefore(std::optional<T> a, std::optional<T> b, bool greatest_first) {
  if (!a || !b) return a.has_value() && !b.has_value();
  return greatest_first ? *a > *b : *a < *b;
}

TEST(KeepPolicy, DatesOrderAsNamedAndMissingOnesLose) {
  const std::vector<std::optional<std::string_view>> values = {
      std::nullopt,        "",           "不详",         "0001-01-01", "1969-12-31",   "1970-01-01",
      "2024-05-01T00:00Z", "2024-05-01", "2024年5月2日", "9999-12-31", "1714521600000"};
  const auto earliest = KeepPolicy::Parse("earliest(f)");
  const auto latest = KeepPolicy::Parse("latest(f)");
  for (const auto& a : values) {
    for (const auto& b : values) {
      const auto date_a = a ? ParseDate(*a) : std::nullopt;
      const auto date_b = b ? ParseDate(*b) : std::nullopt;
      EXPECT_EQ(KeyOf(*earliest, {1, 2, a}) < KeyOf(*earliest, {2, 1, b}),
                RanksBefore(date_a, date_b, false));
      EXPECT_EQ(KeyOf(*latest, {1, 2, a}) < KeyOf(*latest, {2, 1, b}),
                RanksBefore(date_a, date_b, true));
    }
  }
}

TEST(KeepPolicy, NumbersOrderAsNamedAndMissingOnesLose) {
  const std::vector<std::optional<std::string_view>> values = {
      std::nullopt, "",        "many",  "nan",   "inf",   "0x10", "-1e300", "-12.5",
      "-12",        "-1e-300", "-0",    "0",     "+0.0",  "1e-9", ".5",     "1",
      " 1.0 ",      "+10",     "1.5e3", "1e300", "1e999", "1,0"};
  const auto highest = KeepPolicy::Parse("highest(f)");
  const auto lowest = KeepPolicy::Parse("lowest(f)");
  for (const auto& a : values) {
    for (const auto& b : values) {
      const auto number_a = a ? ParseNumber(*a) : std::nullopt;
      const auto number_b = b ? ParseNumber(*b) : std::nullopt;
      EXPECT_EQ(KeyOf(*highest, {1, 2, a}) < KeyOf(*highest, {2, 1, b}),
                RanksBefore(number_a, number_b, true));
      EXPECT_EQ(KeyOf(*lowest, {1, 2, a}) < KeyOf(*lowest, {2, 1, b}),
                RanksBefore(number_a, number_b, false));
    }
  }
}

TEST(KeepPolicy, NumbersAreReadAsWritten) {
  EXPECT_EQ(ParseNumber("-12.5e1"), -125.0);
  EXPECT_EQ(ParseNumber("+3"), 3.0);
  for (const char* text : {"", "+", "-", "+-1", "1 2", "1e", "0x1", "nan", "inf", "1e999", "１"}) {
    EXPECT_EQ(ParseNumber(text), std::nullopt) << text;
  }
}

TEST(KeepPolicy, PreferredValuesComeInTheirOrderThenOthersThenNone) {
  const auto policy = KeepPolicy::Parse("prefer(f=新华社,人民日报)");
  const std::array<std::optional<std::string_view>, 5> in_order = {"新华社", "人民日报", "别的", "",
                                                                   std::nullopt};
  const std::array<int, 5> places = {0, 1, 2, 2, 3};
  for (size_t a = 0; a < in_order.size(); ++a) {
    for (size_t b = 0; b < in_order.size(); ++b) {
      EXPECT_EQ(KeyOf(*policy, {1, 2, in_order[a]}) < KeyOf(*policy, {2, 1, in_order[b]}),
                places[a] < places[b]);
    }
  }
}

TEST(KeepPolicy, LaterCriteriaDecideOnlyTies) {
  const auto policy = KeepPolicy::Parse("prefer(f=a,b),longest,first");
  std::mt19937 random(7);
  const std::array<std::optional<std::string_view>, 4> choices = {"a", "b", "c", std::nullopt};
  std::vector<std::pair<std::array<uint64_t, 3>, std::string>> records;
  for (int i = 0; i < 200; ++i) {
    const size_t choice = random() % 4;
    const uint64_t length = random() % 3, position = random() % 4;
    records.push_back(
        {{choice, ~length, position}, KeyOf(*policy, {length, position, choices[choice]})});
  }
  for (const auto& a : records) {
    for (const auto& b : records) EXPECT_EQ(a.second < b.second, a.first < b.first);
  }
}

TEST(KeepPolicy, MissingAndUnreadableValuesAreCountedOnceAField) {
  const auto policy = KeepPolicy::Parse("earliest(a),latest(a),highest(b),prefer(c=x)");
  std::vector<uint64_t> missing = {10, 10, 10};
  std::string key;
  policy->AppendKey(1, Values{"never", "3", "y"}, missing, key);
  EXPECT_THAT(missing, ElementsAre(11, 10, 10));
  policy->AppendKey(1, Values{"2024", "three", std::nullopt}, missing, key);
  EXPECT_THAT(missing, ElementsAre(11, 11, 11));
}

TEST(KeepPolicy, KeysAreAppendedAndHaveOneLength) {
  const auto policy = KeepPolicy::Parse("longest,earliest(f)");
  std::string key = "before";
  std::vector<uint64_t> missing(1);
  policy->AppendKey(1, Values{std::nullopt}, missing, key);
  EXPECT_EQ(key, "before" + KeyOf(*policy, {1, 1, std::nullopt}));
  EXPECT_EQ(KeyOf(*policy, {9, 9, "2024"}).size(), KeyOf(*policy, {1, 1, {}}).size());
}

}  // namespace
}  // namespace zhiwen
