#include "command_line/option_values.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

TEST(OptionValues, AFailureLimitIsANumberOfRecordsOrAShare) {
  const Result<FailureLimit> count = ParseFailureLimit("50");
  ASSERT_TRUE(count.has_value());
  EXPECT_EQ(count->count, 50u);
  EXPECT_EQ(count->share, 0);
  const Result<FailureLimit> share = ParseFailureLimit("2.5%");
  ASSERT_TRUE(share.has_value());
  EXPECT_EQ(share->count, 0u);
  EXPECT_DOUBLE_EQ(share->share, 0.025);
  EXPECT_EQ(ParseFailureLimit("0")->count, 0u);
  EXPECT_EQ(ParseFailureLimit("100%")->share, 1);
  EXPECT_EQ(ParseFailureLimit("100%")->Allowed(10), 10u);
  EXPECT_EQ(ParseFailureLimit("9")->Allowed(10), 9u);
  EXPECT_EQ(FailureLimit().Allowed(9), 4u) << "without a choice, no more than half";
  EXPECT_EQ(FailureLimit().Allowed(300), 100u);
  EXPECT_EQ(FailureLimit().Allowed(20000), 200u);
}

TEST(OptionValues, OtherFormsOfAFailureLimitAreRefusedAndQuoted) {
  for (const char* text : {"", "%", "-1", "-1%", "101%", "1e2", "0x10", "5 %", "1.5", "nan%"}) {
    const Result<FailureLimit> limit = ParseFailureLimit(text);
    ASSERT_FALSE(limit.has_value()) << text;
    EXPECT_EQ(limit.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(limit.error().message.find('"' + std::string(text) + '"'), std::string::npos);
  }
}

TEST(OptionValues, AnAuditIsANumberOrNone) {
  EXPECT_EQ(*ParseAudit("none"), 0u);
  EXPECT_EQ(*ParseAudit("1"), 1u);
  EXPECT_EQ(*ParseAudit("100000"), 100000u);
  for (const char* text : {"", "0", "-1", "100001", "all", "None", "1k"}) {
    const Result<uint64_t> audit = ParseAudit(text);
    ASSERT_FALSE(audit.has_value()) << text;
    EXPECT_NE(audit.error().message.find('"' + std::string(text) + '"'), std::string::npos);
  }
}

TEST(OptionValues, AShareIsAPercentageOrNone) {
  EXPECT_EQ(*ParseShare("none"), std::nullopt);
  EXPECT_EQ(*ParseShare("0.1%"), 0.001);
  EXPECT_EQ(*ParseShare("0%"), 0.0);
  EXPECT_EQ(*ParseShare("100%"), 1.0);
  for (const char* text : {"", "0.1", "-1%", "101%", "None", "%"}) {
    const auto share = ParseShare(text);
    ASSERT_FALSE(share.has_value()) << text;
    EXPECT_NE(share.error().message.find('"' + std::string(text) + '"'), std::string::npos);
  }
  EXPECT_NE(ParseShare("0.1").error().message.find("write 0.1%"), std::string::npos);
}

TEST(OptionValues, ACountIsWholeAndInItsRange) {
  EXPECT_EQ(*ParseCount("7", {}), 7u);
  EXPECT_EQ(*ParseCount("9223372036854775807", {}), uint64_t{INT64_MAX});
  for (const char* text : {"", "-1", "+1", " 1", "1.0", "9223372036854775808", "1k"}) {
    EXPECT_FALSE(ParseCount(text, {}).has_value()) << text;
  }
  EXPECT_FALSE(ParseCount("0", {.least = 1}).has_value());
  EXPECT_FALSE(ParseCount("9", {.least = 1, .most = 8}).has_value());
}

TEST(OptionValues, ADecimalHasNoExponentAndNoName) {
  EXPECT_EQ(*ParseDecimal("0.8"), 0.8);
  EXPECT_EQ(*ParseDecimal("1"), 1);
  EXPECT_EQ(*ParseDecimal("-.5"), -0.5);
  for (const char* text : {"", ".", "1e-1", "inf", "nan", "0.8x", "0,8", "1.2.3"}) {
    EXPECT_FALSE(ParseDecimal(text).has_value()) << text;
  }
}

TEST(OptionValues, AWordThatIsNoChoiceIsQuotedWithTheChoices) {
  const std::vector<Choice<int>> choices = {{"near", 1}, {"exact", 2}};
  EXPECT_EQ(*ParseChoice("exact", choices), 2);
  const Result<int> slip = ParseChoice("exat", choices);
  ASSERT_FALSE(slip.has_value());
  EXPECT_EQ(slip.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(slip.error().message, "\"exat\" is none of near, exact; did you mean exact?");
  EXPECT_EQ(ParseChoice("", choices).error().message, "\"\" is none of near, exact");
  EXPECT_EQ(ListChoices(NamesOf(choices), "exact"), "near, exact (default)");
}

TEST(OptionValues, NamesAreSeparatedByCommas) {
  EXPECT_EQ(*ParseNames("title,content"), (std::vector<std::string>{"title", "content"}));
  EXPECT_EQ(*ParseNames(" title,\tdoc.body , 正 文 "),
            (std::vector<std::string>{"title", "doc.body", "正 文"}));
  EXPECT_EQ(*ParseNames("a.b"), (std::vector<std::string>{"a.b"}));
  for (const char* text : {"", ",", "a,", ",a", "a,,b", " ", "a, "}) {
    EXPECT_FALSE(ParseNames(text).has_value()) << text;
  }
}

TEST(OptionValues, SizesHaveUnitsOf1024) {
  EXPECT_EQ(ParseBytes("128M").value(), uint64_t{128} << 20);
  EXPECT_EQ(ParseBytes("8g").value(), uint64_t{8} << 30);
  EXPECT_EQ(ParseBytes("2GiB").value(), uint64_t{2} << 30);
  EXPECT_EQ(ParseBytes("64K").value(), uint64_t{64} << 10);
  EXPECT_EQ(ParseBytes("1000").value(), 1000U);
  for (const char* wrong : {"", "M", "1.5G", "-1G", "8GB", "99999999T"}) {
    EXPECT_FALSE(ParseBytes(wrong).has_value()) << wrong;
  }
}

TEST(OptionValues, ADateLimitIsAFieldAndAnAge) {
  const auto days = ParseDateLimit("date,7d");
  ASSERT_TRUE(days.has_value());
  EXPECT_EQ((*days)->field, "date");
  EXPECT_EQ((*days)->seconds, 7U * 86400);
  EXPECT_EQ((*ParseDateLimit("a,b,90m"))->field, "a,b");
  EXPECT_EQ((*ParseDateLimit("t,90m"))->seconds, 5400U);
  EXPECT_EQ((*ParseDateLimit("t,0s"))->seconds, 0U);
  EXPECT_EQ((*ParseDateLimit("t,3h"))->seconds, 10800U);
  EXPECT_EQ((*ParseDateLimit(" a b , 7d "))->field, "a b");
  EXPECT_EQ((*ParseDateLimit("date, 7d"))->seconds, 7U * 86400);
  for (const char* text : {"", "date", "7d", ",7d", "date,", "date,7", "date,d", "date,7w",
                           "date,-1d", "date,1.5d", "7d,date", "date,99999999999d"}) {
    const auto parsed = ParseDateLimit(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(parsed.error().message.find("date,7d"), std::string::npos);
  }
}

}  // namespace
}  // namespace zhiwen
