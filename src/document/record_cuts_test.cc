#include "document/record_cuts.h"

#include <gtest/gtest.h>

#include <random>
#include <variant>
#include <vector>

#include "base/json/json_reader.h"
#include "base/json/json_writer.h"
#include "base/utf8/utf8.h"
#include "document/csv_record.h"
#include "document/record.h"

namespace zhiwen {
namespace {

std::string Json(std::string_view record, const std::string& field,
                 const std::vector<TextCut>& cuts) {
  return CutJsonRecord(record, field, cuts).value_or("nothing");
}

TEST(RecordCuts, OfJsonLeaveEverythingElseAsItIsSpelled) {
  const std::vector<TextCut> cut = {{3, 9, "乙丙"}};
  EXPECT_EQ(Json("{\"text\":\"甲乙丙丁\"}\n", "text", cut), "{\"text\":\"甲丁\"}\n");
  EXPECT_EQ(Json(R"( { "a" : [1,{"text":"x"}], "text" : "\u7532\u4e59丙\u4E01\n" , "b":1e5 } )",
                 "text", cut),
            R"( { "a" : [1,{"text":"x"}], "text" : "\u7532\u4E01\n" , "b":1e5 } )");
  // The first of equal keys counts, and a key may be spelled with escapes.
  EXPECT_EQ(Json(R"({"te\u0078t":"甲乙丙","text":"甲乙丙"})", "text", cut),
            R"({"te\u0078t":"甲","text":"甲乙丙"})");
  EXPECT_EQ(Json(R"({"s":"\"}{","meta":{"x":"]","text":"甲乙丙"}})", "meta.text", cut),
            R"({"s":"\"}{","meta":{"x":"]","text":"甲"}})");
  EXPECT_EQ(Json(R"({"meta":1,"meta.text":"甲乙丙"})", "meta.text", cut),
            R"({"meta":1,"meta.text":"甲"})");
  EXPECT_EQ(Json(R"({"text":"a\ud83d\ude00b\"c\\\/"})", "text", {{1, 5, "😀"}, {6, 8, "\"c"}}),
            R"({"text":"ab\\\/"})");
}

TEST(RecordCuts, OfAnotherTextAreRefused) {
  EXPECT_EQ(Json(R"({"text":"甲乙丙"})", "text", {{3, 9, "乙丁"}}), "nothing");
  EXPECT_EQ(Json(R"({"text":"甲乙"})", "text", {{3, 9, "乙丙"}}), "nothing");
  EXPECT_EQ(Json(R"({"text":"甲乙"})", "text", {{1, 6, "乙"}}), "nothing");
  EXPECT_EQ(Json(R"({"text":1})", "text", {{0, 1, "1"}}), "nothing");
  EXPECT_EQ(Json(R"({"other":"甲"})", "text", {{0, 3, "甲"}}), "nothing");
  EXPECT_EQ(Json("", "text", {{0, 3, "甲"}}), "nothing");
  EXPECT_EQ(CutText("甲乙", std::vector<TextCut>{{0, 9, "甲乙"}}), std::nullopt);
  EXPECT_EQ(CutCsvRecord("甲,乙\n", ',', 2, std::vector<TextCut>{{0, 3, "甲"}}), std::nullopt);
}

TEST(RecordCuts, OfCsvKeepQuotesAndLineEnds) {
  const std::vector<TextCut> cuts = {{1, 3, "\"b"}};
  EXPECT_EQ(CutCsvRecord("x,\"a\"\"b,c\"\r\n", ',', 1, cuts), "x,\"a,c\"\r\n");
  EXPECT_EQ(CutCsvRecord("甲乙丙\t2", '\t', 0, std::vector<TextCut>{{3, 6, "乙"}}), "甲丙\t2");
}

// Made records, cut at random, and parsed again.
TEST(RecordCuts, LeaveTheRestOfAnyText) {
  std::mt19937 random(3);
  const std::vector<std::string> characters = {"a", "\"", "\\",   "\n", "中", "é", "😀",
                                               ",", "\t", "\x01", "}",  "{",  "/"};
  for (int round = 0; round < 500; ++round) {
    std::string text, rest;
    std::vector<TextCut> cuts;
    bool is_cut = false;
    for (size_t i = random() % 40; i > 0; --i) {
      const std::string& c = characters[random() % characters.size()];
      if (random() % 5 == 0) is_cut = !is_cut;
      if (is_cut && (cuts.empty() || cuts.back().end != text.size() || random() % 9 == 0)) {
        cuts.push_back({text.size(), text.size(), ""});
      }
      text += c;
      if (is_cut) {
        cuts.back().end = text.size();
        cuts.back().text += c;
      } else {
        rest += c;
      }
    }
    EXPECT_EQ(CutText(text, cuts), rest);
    std::string record;
    JsonWriter(record).BeginObject().Key("id").String(text).Key("text").String(text).EndObject();
    std::string cut = Json(record, "text", cuts);
    const size_t size = cut.size();
    cut.resize(size + JsonReader::kPadding);
    auto parser = RecordParser::Create({});
    const auto parsed = parser->Parse(std::string_view(cut).substr(0, size));
    ASSERT_TRUE(std::holds_alternative<Document>(parsed)) << cut;
    EXPECT_EQ(std::get<Document>(parsed).text, rest);
    EXPECT_EQ(std::get<Document>(parsed).id, text);

    std::string row = "1,\"";
    for (const char c : text) row += c == '"' ? std::string("\"\"") : std::string(1, c);
    row += "\"\n";
    auto csv = CsvParser::Create({});
    const std::vector<std::string> names = {"id", "text"};
    csv->UseHeader(names, ',');
    const auto of_row = CutCsvRecord(row, ',', 1, cuts);
    ASSERT_TRUE(of_row);
    const auto read = csv->Parse(*of_row);
    ASSERT_TRUE(std::holds_alternative<Document>(read)) << *of_row;
    EXPECT_EQ(std::get<Document>(read).text, rest);
  }
}

}  // namespace
}  // namespace zhiwen
