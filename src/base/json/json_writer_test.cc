#include "base/json/json_writer.h"

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace zhiwen {
namespace {

std::string JsonString(std::string_view value) {
  std::string out;
  AppendJsonString(out, value);
  return out;
}

template <typename Write>
std::string Written(Write write, JsonWriter::Layout layout = JsonWriter::Layout::kCompact) {
  std::string out;
  JsonWriter writer(out, layout);
  write(writer);
  return out;
}

void WriteSample(JsonWriter& json) {
  json.BeginObject();
  json.Key("id").String("a").Key("list").BeginArray().Unsigned(1).Bool(false).Null().EndArray();
  json.Key("empty").BeginObject().EndObject().Key("none").BeginArray().EndArray();
  json.Key("nested").BeginArray().BeginObject().Key("x").Raw("[1, 2]").EndObject().EndArray();
  json.EndObject();
}

TEST(JsonWriter, CompactHasNoSpaces) {
  EXPECT_EQ(Written(WriteSample),
            R"({"id":"a","list":[1,false,null],"empty":{},"none":[],"nested":[{"x":[1, 2]}]})");
}

TEST(JsonWriter, IndentedHasTwoSpacesALevelAndEmptyContainersOnOneLine) {
  EXPECT_EQ(Written(WriteSample, JsonWriter::Layout::kIndented), R"({
  "id": "a",
  "list": [
    1,
    false,
    null
  ],
  "empty": {},
  "none": [],
  "nested": [
    {
      "x": [1, 2]
    }
  ]
})");
}

TEST(JsonWriter, ControlCharactersQuotesAndBackslashesAreEscaped) {
  EXPECT_EQ(JsonString(std::string("a\0b\x01\x1f\n\r\t\"\\/\x7f", 12)),
            "\"a\\u0000b\\u0001\\u001f\\n\\r\\t\\\"\\\\/\x7f\"");
}

TEST(JsonWriter, CharactersBeyondAsciiStayThemselves) {
  EXPECT_EQ(JsonString("指纹 é 😀 \u2028"), "\"指纹 é 😀 \u2028\"");
}

// The examples come from Unicode 15, tables 3-8 to 3-11.
TEST(JsonWriter, EachBrokenUtf8SequenceBecomesOneReplacementCharacter) {
  const std::string r = "\xef\xbf\xbd";
  EXPECT_EQ(JsonString("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41"),
            "\"" + r + r + r + r + r + r + r + r + "A\"");
  EXPECT_EQ(JsonString("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41"),
            "\"" + r + r + r + r + r + r + r + r + "A\"");
  EXPECT_EQ(JsonString("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42"),
            "\"" + r + r + r + r + r + "A" + r + r + "B\"");
  EXPECT_EQ(JsonString("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"), "\"" + r + r + r + r + "A\"");
}

TEST(JsonWriter, AnyBytesGiveValidJson) {
  std::mt19937 random(2);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes(random() % 12, '\0');
    for (char& byte : bytes) {
      byte = static_cast<char>(random() % 2 == 0 ? random() % 256 : 0xe0 + random() % 24);
    }
    ASSERT_TRUE(nlohmann::json::accept(JsonString(bytes))) << JsonString(bytes);
  }
}

TEST(JsonWriter, DoublesAreTheShortestThatReadBack) {
  const auto text = [](double value) {
    return Written([&](JsonWriter& json) { json.Double(value); });
  };
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(1), "1");
  EXPECT_EQ(text(1e300), "1e+300");
  std::mt19937_64 random(3);
  for (int round = 0; round < 10'000; ++round) {
    const auto value = std::bit_cast<double>(random());
    ASSERT_TRUE(!std::isfinite(value) || std::strtod(text(value).c_str(), nullptr) == value);
  }
}

TEST(JsonWriter, NotFiniteNumbersAreNull) {
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    EXPECT_EQ(Written([&](JsonWriter& json) {
                json.BeginArray().Double(value).Fixed(value, 2).EndArray();
              }),
              "[null,null]");
  }
}

TEST(JsonWriter, FixedRoundsAndDropsTrailingZeros) {
  const auto text = [](double value, int decimals) {
    return Written([&](JsonWriter& json) { json.Fixed(value, decimals); });
  };
  EXPECT_EQ(text(0.8, 4), "0.8");
  EXPECT_EQ(text(0.9375, 4), "0.9375");
  EXPECT_EQ(text(0.99996, 4), "1");
  EXPECT_EQ(text(1, 4), "1");
  EXPECT_EQ(text(100, 0), "100");
  EXPECT_EQ(text(-0.00001, 2), "0");
  EXPECT_EQ(text(1e20, 2), "100000000000000000000");
}

TEST(JsonWriter, UnsignedIsWrittenInFull) {
  EXPECT_EQ(Written([](JsonWriter& json) { json.Unsigned(~uint64_t{0}); }), "18446744073709551615");
}

TEST(JsonWriter, WritesTimesInUtc) {
  const auto at = [](int64_t seconds) {
    return FormatUtc(std::chrono::sys_seconds(std::chrono::seconds(seconds)));
  };
  EXPECT_EQ(at(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(at(1'800'000'000), "2027-01-15T08:00:00Z");
  EXPECT_EQ(at(951'782'399), "2000-02-28T23:59:59Z");
  EXPECT_EQ(at(-1), "1969-12-31T23:59:59Z");
}

}  // namespace
}  // namespace zhiwen
