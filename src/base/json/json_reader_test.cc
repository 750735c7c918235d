#include "base/json/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/json/json_writer.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

// A reader that keeps a padded copy of the text it parses.
class Reading {
 public:
  std::optional<JsonFault> Parse(std::string_view json) {
    padded_.assign(json);
    // Padding that would change the meaning if it were read.
    padded_.append(JsonReader::kPadding, '"');
    return reader_.Parse(std::string_view(padded_).substr(0, json.size()));
  }
  std::optional<JsonField> Find(const std::string& dotted) const {
    return reader_.Find(ParseFieldPath(dotted).value());
  }
  const JsonReader& reader() const { return reader_; }

 private:
  JsonReader reader_;
  std::string padded_;
};

void ExpectFault(std::string_view json, JsonFault::Kind kind, const std::string& words) {
  Reading reading;
  const auto fault = reading.Parse(json);
  ASSERT_TRUE(fault.has_value()) << json.substr(0, 60);
  EXPECT_EQ(fault->kind, kind) << fault->message;
  EXPECT_THAT(fault->message, HasSubstr(words)) << json.substr(0, 60);
  EXPECT_FALSE(reading.reader().root_is_object());
  EXPECT_FALSE(reading.Find("a").has_value());
}

std::string Nested(size_t depth, std::string_view open, std::string_view inside,
                   std::string_view close) {
  std::string json;
  for (size_t i = 0; i < depth; ++i) json += open;
  json += inside;
  for (size_t i = 0; i < depth; ++i) json += close;
  return json;
}

TEST(JsonReader, FindsFieldsOfEveryType) {
  Reading reading;
  ASSERT_FALSE(reading.Parse(R"({"s":"文\u0041\n","n":1.50,"i":-7,"u":18446744073709551615,)"
                             R"("t":true,"f":false,"z":null,"o":{"x":{"y":"deep"}},"l":[1]})"));
  EXPECT_TRUE(reading.reader().root_is_object());
  EXPECT_EQ(reading.Find("s")->string, "文A\n");
  EXPECT_EQ(reading.Find("n")->number, 1.5);
  EXPECT_EQ(reading.Find("n")->raw, "1.5");
  EXPECT_EQ(reading.Find("i")->raw, "-7");
  EXPECT_EQ(reading.Find("i")->number, -7);
  EXPECT_EQ(reading.Find("u")->raw, "18446744073709551615");
  EXPECT_EQ(reading.Find("t")->raw, "true");
  EXPECT_EQ(reading.Find("f")->raw, "false");
  EXPECT_EQ(reading.Find("z")->type, JsonType::kNull);
  EXPECT_EQ(reading.Find("o")->type, JsonType::kObject);
  EXPECT_EQ(reading.Find("l")->type, JsonType::kArray);
  EXPECT_EQ(reading.Find("o.x.y")->string, "deep");
  for (const char* absent : {"x", "s.x", "l.0", "o.x.z", "o.x.y.z"}) {
    EXPECT_FALSE(reading.Find(absent).has_value()) << absent;
  }
}

TEST(JsonReader, TheFirstOfEqualKeysCountsHoweverItIsSpelt) {
  Reading reading;
  ASSERT_FALSE(reading.Parse(R"({"\u0061":"first","a":"second"})"));
  EXPECT_EQ(reading.Find("a")->string, "first");
}

TEST(JsonReader, OnlyObjectsAreObjects) {
  Reading reading;
  for (const char* json : {"[1]", "\"a\"", "1", "true", "null", " [ ] "}) {
    ASSERT_FALSE(reading.Parse(json)) << json;
    EXPECT_FALSE(reading.reader().root_is_object()) << json;
  }
}

TEST(JsonReader, BrokenSyntaxIsNamedWithItsPlace) {
  using enum JsonFault::Kind;
  ExpectFault("", kSyntax, "nothing but white space");
  ExpectFault(" \t ", kSyntax, "nothing but white space");
  ExpectFault("{", kSyntax, "missing or superfluous");
  ExpectFault(R"({"a":1,})", kSyntax, "at byte 7");
  ExpectFault(R"({"a":1 "b":2})", kSyntax, "missing or superfluous");
  ExpectFault(R"({"a":tru})", kSyntax, "true, false nor null");
  ExpectFault(R"({"a":"\q"})", kSyntax, "invalid escape");
  ExpectFault(R"({"a":"b)", kSyntax, "a string is not closed");
  ExpectFault("{\"a\":\"\t\"}", kSyntax, "control character");
  ExpectFault(R"({"a":01})", kSyntax, "a number is malformed");
  ExpectFault("{'a':1}", kSyntax, "at byte 1");
  ExpectFault("{} {}", kSyntax, "at byte 3");
  ExpectFault("NaN", kSyntax, "at byte 0");
  ExpectFault(std::string("{\"a\":\"\0\"}", 9), kSyntax, "control character");
  ExpectFault(std::string("{\"a\":1}\0", 8), kSyntax, "at byte 7");
}

TEST(JsonReader, AnEscapedNulIsAByteOfTheString) {
  Reading reading;
  ASSERT_FALSE(reading.Parse(R"({"a":"x\u0000y"})"));
  EXPECT_EQ(reading.Find("a")->string, std::string_view("x\0y", 3));
}

TEST(JsonReader, InvalidUtf8NamesTheByte) {
  using enum JsonFault::Kind;
  for (const char* broken :
       {"\xff", "\x80", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe4"}) {
    ExpectFault(std::string("{\"a\":\"好") + broken + "\"}", kInvalidUtf8,
                "byte 9 is not valid UTF-8");
  }
}

TEST(JsonReader, LoneSurrogatesAreFaultsAndPairsAreNot) {
  using enum JsonFault::Kind;
  for (const char* lone : {"\\ud800", "\\udfff", "\\ud800\\u0041", "\\ud800\\ud800", "\\ud83dx"}) {
    ExpectFault(std::string("{\"a\":\"") + lone + "\"}", kSyntax, "surrogate");
  }
  Reading reading;
  ASSERT_FALSE(reading.Parse(R"({"a":"\ud83d\ude00"})"));
  EXPECT_EQ(reading.Find("a")->string, "😀");
}

TEST(JsonReader, NestingUpToTheLimitIsReadAndBeyondItIsTooDeep) {
  Reading reading;
  const size_t limit = JsonReader::kMaxDepth;
  EXPECT_FALSE(reading.Parse(Nested(limit, "[", "1", "]")));
  EXPECT_FALSE(reading.Parse(Nested(limit, "{\"a\":", "1", "}")));
  ExpectFault(Nested(limit + 1, "[", "1", "]"), JsonFault::Kind::kTooDeep, "256");
  ExpectFault(Nested(limit + 1, "{\"a\":", "1", "}"), JsonFault::Kind::kTooDeep, "256");
}

TEST(JsonReader, AMillionOpenBracketsAreTooDeepNotACrash) {
  ExpectFault(std::string(1'000'000, '['), JsonFault::Kind::kTooDeep, "nested");
  ExpectFault(Nested(1'000'000, "[", "", "]"), JsonFault::Kind::kTooDeep, "nested");
  ExpectFault(Nested(1'000'000, "{\"a\":[", "", "]}"), JsonFault::Kind::kTooDeep, "nested");
}

TEST(JsonReader, HugeNumbersAreNumbersAsWritten) {
  Reading reading;
  const std::string digits(400, '7');
  ASSERT_FALSE(reading.Parse(R"({"i":12345678901234567890123,"j":-9223372036854775809,"e":-1e400,)"
                             R"("s":"1e400 \"1e400","d":)" +
                             digits + R"(,"small":1e-400,"l":[1e999],"n":5})"));
  EXPECT_EQ(reading.Find("i")->type, JsonType::kNumber);
  EXPECT_EQ(reading.Find("i")->raw, "12345678901234567890123");
  EXPECT_EQ(reading.Find("i")->number, 12345678901234567890123.0);
  EXPECT_EQ(reading.Find("j")->raw, "-9223372036854775809");
  EXPECT_EQ(reading.Find("e")->number, -HUGE_VAL);
  EXPECT_EQ(reading.Find("d")->number, HUGE_VAL);
  EXPECT_EQ(reading.Find("d")->raw, digits);
  EXPECT_EQ(reading.Find("s")->string, "1e400 \"1e400");
  EXPECT_EQ(reading.Find("small")->number, 0);
  EXPECT_EQ(reading.Find("n")->raw, "5");
  ASSERT_FALSE(reading.Parse(R"({"i":"plain again"})"));
  EXPECT_EQ(reading.Find("i")->string, "plain again");
}

TEST(JsonReader, BrokenJsonStaysBrokenBesideHugeNumbers) {
  using enum JsonFault::Kind;
  for (const char* json : {"{1e400:1}", "{1e400 :1}", "[1e400 1e400]", "[1e400x]", "[\"a\"1e400]",
                           "[01e400]", "[1e400,01]", "[1e400", "[1e4000.5]", "[+1e400]"}) {
    ExpectFault(json, kSyntax, "not valid JSON");
  }
}

uint64_t ResidentBytes() {
  uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return pages * 4096;
}

TEST(JsonReader, AHundredMegabyteStringIsReadAndItsMemoryGivenBack) {
  constexpr size_t kSize = 100'000'000;
  std::string json = R"({"text":")" + std::string(kSize, 'x') + R"(","id":1})";
  const size_t size = json.size();
  json.append(JsonReader::kPadding, '\0');
  JsonReader reader;
  ASSERT_FALSE(reader.Parse(std::string_view(json).substr(0, size)));
  const std::vector<std::string> text = {"text"}, id = {"id"};
  EXPECT_EQ(reader.Find(text)->string.size(), kSize);
  EXPECT_EQ(reader.Find(id)->raw, "1");
  [[maybe_unused]] const uint64_t large = ResidentBytes();
  const std::string small = std::string(R"({"text":"y"})") + std::string(JsonReader::kPadding, ' ');
  ASSERT_FALSE(reader.Parse(std::string_view(small).substr(0, 12)));
  EXPECT_EQ(reader.Find(text)->string, "y");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(ResidentBytes() + kSize * 9 / 10, large);  // sanitizers keep freed memory
#endif
}

TEST(JsonReader, WhatIsBeyondFourGigabytesIsRefusedUnread) {
  const char* nothing = "";
  JsonReader reader;
  const auto fault = reader.Parse(std::string_view(nothing, size_t{5} << 30));
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, JsonFault::Kind::kTooLarge);
}

TEST(JsonReader, GrowsAndShrinksOverManySizes) {
  Reading reading;
  for (const size_t size : {10, 70'000, 10, 5'000'000, 6'000'000, 200'000, 5'000'001, 1}) {
    ASSERT_FALSE(reading.Parse(R"({"a":")" + std::string(size, 'x') + "\"}")) << size;
    EXPECT_EQ(reading.Find("a")->string.size(), size);
  }
}

// Writes an object of random strings and numbers, and reads it back.
TEST(JsonReader, RandomValuesRoundTripThroughTheWriter) {
  std::mt19937_64 random(4);
  const std::vector<std::string> pieces = {
      "a", "指", "😀", "\"", "\\", "\n", std::string(1, '\0'), "é", "\x7f", "\u2028", "/", "\x1f"};
  Reading reading;
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t n = random() % 40; n > 0; --n) text += pieces[random() % pieces.size()];
    const uint64_t whole = random() >> random() % 64;
    const auto real = std::bit_cast<double>(random());
    std::string json;
    JsonWriter writer(
        json, round % 2 == 0 ? JsonWriter::Layout::kCompact : JsonWriter::Layout::kIndented);
    writer.BeginObject().Key("o").BeginObject().Key(text + "k").String(text).EndObject();
    writer.Key("w").Unsigned(whole).Key("r").Double(real).EndObject();
    ASSERT_FALSE(reading.Parse(json)) << json;
    const std::vector<std::string> path = {"o", text + "k"};
    ASSERT_EQ(reading.reader().Find(path)->string, text) << json;
    ASSERT_EQ(reading.Find("w")->raw, std::to_string(whole));
    ASSERT_TRUE(!std::isfinite(real) || reading.Find("r")->number == real) << json;
  }
}

// Compares simdjson, with its detour for big numbers, with another parser on mutations of valid
// JSON.
TEST(JsonReader, AcceptsWhatAnotherParserAccepts) {
  std::mt19937 random(5);
  const std::string seed = R"({"a":[1,2.5e3,"x\n\u00e9\ud83d\ude00",null,true],"b":{"c":"指"}})";
  const std::string bytes = "{}[]\",:0123456789eE+-.\\utrfn \n\x80\xe6";
  Reading reading;
  size_t valid = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string json = seed;
    for (size_t n = 1 + random() % 2; n > 0; --n) {
      const size_t at = random() % json.size();
      const char byte = bytes[random() % bytes.size()];
      if (random() % 2 == 0) {
        json[at] = byte;
      } else {
        json.insert(at, 1, byte);
      }
    }
    const bool accepted = !reading.Parse(json).has_value();
    valid += accepted;
    // The other parser refuses doubles out of range.
    if (accepted != nlohmann::json::accept(json)) {
      ASSERT_TRUE(accepted && json.find_first_of("eE") != std::string::npos) << json;
    }
  }
  EXPECT_GT(valid, 1000u);
}

TEST(ParseFieldPath, SplitsAtDotsAndRefusesEmptyParts) {
  EXPECT_EQ(ParseFieldPath("text").value(), std::vector<std::string>{"text"});
  EXPECT_EQ(ParseFieldPath("a.b.内容").value(), (std::vector<std::string>{"a", "b", "内容"}));
  for (const char* bad : {"", ".", "a.", ".a", "a..b"}) {
    EXPECT_EQ(ParseFieldPath(bad).error().code, ErrorCode::kInvalidArgument) << bad;
  }
}

}  // namespace
}  // namespace zhiwen
