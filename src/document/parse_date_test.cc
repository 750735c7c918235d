#include <gtest/gtest.h>

#include <fmt/core.h>

#include "document/parse_date.h"

namespace zhiwen {
namespace {

constexpr int64_t kMayFirst2024 = 1714521600;  // date -u -d 2024-05-01 +%s

TEST(ParseDate, FormsOfOneDayGiveOneValue) {
  for (const char* text : {"2024-05-01",
                           "20240501",
                           "2024/5/1",
                           "2024/05/01",
                           "2024年5月1日",
                           "2024年05月01日",
                           "2024-05",
                           "2024年5月",
                           "2024-05-01T00:00:00Z",
                           "2024-05-01T08:00:00+08:00",
                           "2024-04-30T24:00:00",
                           "2024-04-30 19:30-04:30",
                           "20240501T000000Z",
                           "20240501T080000+0800",
                           "2024-05-01 08:00:00 +0800",
                           "2024-05-01T08+08",
                           "  2024-05-01\n",
                           "1714521600",
                           "1714521600000",
                           "1714521600.25",
                           "2024-05-01T00:00:00.999",
                           "2024-05-01t00:00:00,5z",
                           "2024年5月1日 00:00",
                           "2024年5月1日0时0分"}) {
    EXPECT_EQ(ParseDate(text), kMayFirst2024) << text;
  }
}

TEST(ParseDate, TimesAreReadToTheSecond) {
  constexpr int64_t kTime = kMayFirst2024 + 8 * 3600 + 30 * 60 + 15;
  for (const char* text : {"2024-05-01T08:30:15", "2024/5/1 08:30:15", "2024年5月1日8时30分15秒",
                           "2024年5月1日08:30:15", "2024-05-01T16:30:15.123456+08:00"}) {
    EXPECT_EQ(ParseDate(text), kTime) << text;
  }
  EXPECT_EQ(ParseDate("2024年5月1日8時30分"), kTime - 15);
  EXPECT_EQ(ParseDate("2024年5月1日8点"), kTime - 30 * 60 - 15);
}

TEST(ParseDate, BeforeTheEpochRoundsDown) {
  EXPECT_EQ(ParseDate("1970-01-01"), 0);
  EXPECT_EQ(ParseDate("1969-12-31T23:59:59"), -1);
  EXPECT_EQ(ParseDate("-1.5"), -2);
  EXPECT_EQ(ParseDate("-100000000001"), -100000001);
  EXPECT_EQ(ParseDate("0001-01-01"), -62135596800);
  EXPECT_EQ(ParseDate("9999-12-31T23:59:59Z"), 253402300799);
}

TEST(ParseDate, YearsAndDaysWithoutSeparatorsAreNotEpochs) {
  EXPECT_EQ(ParseDate("1970"), 0);
  EXPECT_EQ(ParseDate("19700102"), 86400);
  EXPECT_EQ(ParseDate("197001020"), 197001020);
}

TEST(ParseDate, SixDigitsAreAMonthWhereThereIsSuchAMonth) {
  EXPECT_EQ(ParseDate("202405"), ParseDate("2024-05-01"));
  EXPECT_EQ(ParseDate("197002"), 31 * 86400);
  EXPECT_EQ(ParseDate("197000"), 197000);
  EXPECT_EQ(ParseDate("202413"), 202413);
  EXPECT_EQ(ParseDate("202405.5"), 202405);
  EXPECT_EQ(ParseDate("-202405"), -202405);
}

TEST(ParseDate, DotsSeparateADayAsSlashesDo) {
  EXPECT_EQ(ParseDate("2017.5.6"), ParseDate("2017-05-06"));
  EXPECT_EQ(ParseDate("2017.05.06 08:30"), ParseDate("2017-05-06T08:30"));
  EXPECT_EQ(ParseDate("2017.5"), std::nullopt);
  EXPECT_EQ(ParseDate("2017.5.6.7"), std::nullopt);
  EXPECT_EQ(ParseDate("2017..6"), std::nullopt);
}

TEST(ParseDate, EveryDayOfTheCalendarIsReadAndNoOther) {
  int64_t expected = -62135596800;
  for (int year = 1; year <= 9999; ++year) {
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    const int days[] = {31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    for (int month = 1; month <= 12; ++month) {
      // Tests the first and last day of each month in every year, and all days of some years.
      for (int day = 1; day <= days[month - 1]; ++day, expected += 86400) {
        if (day != 1 && day != days[month - 1] && year != 2000 && year != 1900) continue;
        ASSERT_EQ(ParseDate(fmt::format("{:04}-{:02}-{:02}", year, month, day)), expected);
      }
      const int beyond = days[month - 1] + 1;
      ASSERT_EQ(ParseDate(fmt::format("{:04}/{}/{}", year, month, beyond)), std::nullopt);
    }
  }
}

TEST(ParseDate, WhatIsNoDateIsNothing) {
  for (const char* text : {"",
                           " ",
                           "昨天",
                           "2024-13-01",
                           "2024-00-10",
                           "2024-02-30",
                           "2023-02-29",
                           "2023年2月29日",
                           "20230229",
                           "0000-01-01",
                           "24年5月1日",
                           "2024-05-01T",
                           "2024-05-01T25:00",
                           "2024-05-01T24:01",
                           "2024-05-01T08:60",
                           "2024-05-01T08:30:61",
                           "2024-05-01T08:30+24:00",
                           "2024-05-01T08:30+8",
                           "2024-05-01T08:30+08:",
                           "2024-05-01T08:30:",
                           "2024-05-01T8:30",
                           "2024-05-01x",
                           "2024/5/1/2",
                           "2024年5月1",
                           "2024年5月1日8时30",
                           "20240501083000",
                           "99999999999999",
                           "1e9",
                           "--5",
                           "-",
                           "1.",
                           ".5",
                           "2024.05",
                           "2024-W18-3",
                           "0001-01-01T00:00+01:00",
                           "9999-12-31T23:59:59-01:00"}) {
    EXPECT_EQ(ParseDate(text), std::nullopt) << text;
  }
}

TEST(ParseDate, SaysWhatADateLeavesOpen) {
  constexpr int64_t kHour = 3600, kDay = 24 * kHour;
  const auto open = [](std::string_view text) {
    const auto range = ParseDateRange(text);
    EXPECT_TRUE(range) << text;
    EXPECT_EQ(range->begin, ParseDate(text)) << text;
    return range->end - range->begin;
  };
  EXPECT_EQ(open("2024"), 366 * kDay);
  EXPECT_EQ(open("2023年"), 365 * kDay);
  EXPECT_EQ(open("9999"), 365 * kDay);
  for (const char* month : {"2024-02", "2024/2", "202402", "2024年2月"}) {
    EXPECT_EQ(open(month), 29 * kDay) << month;
  }
  EXPECT_EQ(open("2024-12"), 31 * kDay);
  for (const char* day : {"2024-05-01", "20240501", "2024.5.1", "2024年5月1日"}) {
    EXPECT_EQ(open(day), kDay) << day;
  }
  EXPECT_EQ(open("2024-05-01T08"), kHour);
  EXPECT_EQ(open("2024年5月1日8时"), kHour);
  EXPECT_EQ(open("2024-05-01 08:30"), 60);
  EXPECT_EQ(open("2024年5月1日8时30分"), 60);
  EXPECT_EQ(open("2024-05-01T08:30:15.5+08:00"), 1);
  EXPECT_EQ(open("1714521600"), 1);
  EXPECT_TRUE(ParseDateRange("2024-05-01T08:30Z")->has_zone);
  EXPECT_TRUE(ParseDateRange("2024-05-01 08+08")->has_zone);
  EXPECT_TRUE(ParseDateRange("1714521600")->has_zone);
  for (const char* local : {"2024", "2024-05-01", "2024-05-01 08:30", "2024年5月1日8时"}) {
    EXPECT_FALSE(ParseDateRange(local)->has_zone) << local;
  }
  EXPECT_FALSE(ParseDateRange("2024-00"));
  EXPECT_FALSE(ParseDateRange("昨天"));
}

}  // namespace
}  // namespace zhiwen
