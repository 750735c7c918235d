#include "document/office/numerals.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "document/office/cell_values.h"

namespace zhiwen {
namespace {

TEST(Numerals, EveryFormatCountsAsItsLanguageDoes) {
  struct Case {
    std::string format;
    std::vector<std::pair<int64_t, std::string>> numerals;
  };
  const std::vector<Case> cases = {
      {"decimal", {{0, "0"}, {12, "12"}, {-3, "-3"}}},
      {"decimalZero", {{7, "07"}, {12, "12"}}},
      {"upperRoman", {{4, "IV"}, {1999, "MCMXCIX"}, {0, "0"}, {4000, "4000"}}},
      {"lowerRoman", {{9, "ix"}}},
      {"upperLetter", {{1, "A"}, {26, "Z"}, {27, "AA"}, {53, "AAA"}, {781, "781"}}},
      {"lowerLetter", {{2, "b"}, {28, "bb"}}},
      {"ordinal", {{1, "1st"}, {2, "2nd"}, {3, "3rd"}, {11, "11th"}, {112, "112th"}, {21, "21st"}}},
      {"chineseCounting",
       {{1, "一"}, {10, "十"}, {12, "十二"}, {20, "二十"}, {99, "九十九"}, {105, "一〇五"}}},
      {"chineseCountingThousand",
       {{10, "十"},
        {11, "十一"},
        {100, "一百"},
        {105, "一百零五"},
        {110, "一百一十"},
        {1001, "一千零一"},
        {1010, "一千零一十"},
        {10000, "10000"}}},
      {"japaneseCounting",
       {{10, "十"}, {21, "二十一"}, {100, "百"}, {105, "百五"}, {111, "百十一"}}},
      {"chineseLegalSimplified", {{3, "叁"}, {10, "壹拾"}, {205, "贰佰零伍"}}},
      {"ideographLegalTraditional", {{12, "壹拾貳"}}},
      {"ideographDigital", {{10, "一〇"}, {205, "二〇五"}}},
      {"ideographTraditional", {{1, "甲"}, {10, "癸"}, {11, "11"}}},
      {"ideographZodiac", {{12, "亥"}, {13, "13"}}},
      {"ideographZodiacTraditional", {{1, "甲子"}, {11, "甲戌"}, {60, "癸亥"}, {61, "61"}}},
      {"decimalEnclosedCircleChinese", {{1, "①"}, {20, "⑳"}, {21, "21"}}},
      {"decimalEnclosedParen", {{2, "⑵"}}},
      {"decimalEnclosedFullstop", {{3, "⒊"}}},
      {"ideographEnclosedCircle", {{1, "㈠"}}},
      {"decimalFullWidth", {{12, "１２"}}},
      {"bullet", {{1, ""}}},
      {"none", {{1, ""}}},
      {"koreanCounting", {{5, "5"}}}};
  for (const Case& one : cases) {
    for (const auto& [number, text] : one.numerals) {
      EXPECT_EQ(FormatNumeral(number, one.format), text) << one.format << " " << number;
    }
  }
}

TEST(CellValues, FormatsOfDatesAreKnownByTheirCodes) {
  for (const char* code :
       {"yyyy\\-mm\\-dd;@", "[$-409]d\\-mmm\\-yy", "[h]:mm", "yyyy\"年\"m\"月\""}) {
    EXPECT_EQ(NumberFormOfCode(code), NumberForm::kDate) << code;
  }
  for (const char* code :
       {"0.00", "General", "#,##0\"days\"", "[Red]0", "_-* #,##0_-", "0\\m", "[", "0;[h]"}) {
    EXPECT_EQ(NumberFormOfCode(code), NumberForm::kNumber) << code;
  }
  EXPECT_EQ(NumberFormOfId(14), NumberForm::kDate);
  EXPECT_EQ(NumberFormOfId(10), NumberForm::kNumber);
}

TEST(CellValues, DatesCountFromTheirSystem) {
  EXPECT_EQ(ShowDate("45413", DateSystem::k1900), "2024-05-01");
  EXPECT_EQ(ShowDate("45413.354166666664", DateSystem::k1900), "2024-05-01 08:30:00");
  EXPECT_EQ(ShowDate("45412.999999", DateSystem::k1900), "2024-05-01");
  EXPECT_EQ(ShowDate("0.5", DateSystem::k1900), "12:00:00");
  EXPECT_EQ(ShowDate("1", DateSystem::k1900), "1900-01-01");
  EXPECT_EQ(ShowDate("61", DateSystem::k1900), "1900-03-01");
  EXPECT_EQ(ShowDate("43951", DateSystem::k1904), "2024-05-01");
  EXPECT_EQ(ShowDate("2958465", DateSystem::k1900), "9999-12-31");
  for (const char* none : {"-1", "1e300", "nan", "x", ""}) {
    EXPECT_EQ(ShowDate(none, DateSystem::k1900), none);
  }
}

TEST(CellValues, NumbersAreWithoutDigitsOfBinary) {
  EXPECT_EQ(ShowNumber("0.1"), "0.1");
  EXPECT_EQ(ShowNumber("0.10000000000000001"), "0.1");
  EXPECT_EQ(ShowNumber("2.2999999999999998"), "2.3");
  EXPECT_EQ(ShowNumber("13800138000"), "13800138000");
}

}  // namespace
}  // namespace zhiwen
