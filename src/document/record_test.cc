// Tests records as real corpora hold them, each named by its symptom.

#include "document/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace zhiwen {
namespace {

using testing::HasSubstr;
using Reason = RecordFault::Reason;

class Record : public testing::Test {
 protected:
  void Use(const RecordFields& fields) { parser_ = RecordParser::Create(fields).value(); }

  std::variant<Document, RecordFault> Parse(std::string_view line) {
    padded_.assign(line);
    padded_.append(JsonReader::kPadding, '}');
    return parser_.Parse(std::string_view(padded_).substr(0, line.size()));
  }

  Document Read(std::string_view line) {
    auto parsed = Parse(line);
    if (const auto* fault = std::get_if<RecordFault>(&parsed)) {
      ADD_FAILURE() << fault->message;
      return {};
    }
    return std::get<Document>(std::move(parsed));
  }

  void ExpectFault(std::string_view line, Reason reason, const std::string& words) {
    const auto parsed = Parse(line);
    const auto* fault = std::get_if<RecordFault>(&parsed);
    ASSERT_NE(fault, nullptr) << line.substr(0, 80);
    EXPECT_EQ(fault->reason, reason) << fault->message;
    EXPECT_THAT(fault->message, HasSubstr(words));
  }

  RecordParser parser_ = RecordParser::Create({}).value();
  std::string padded_;
};

TEST_F(Record, TextAndIdAreRead) {
  const Document document = Read(R"({"id":"甲1","text":"相同\n段落","other":[1,{"text":"no"}]})");
  EXPECT_EQ(document.text, "相同\n段落");
  EXPECT_EQ(document.id, "甲1");
  EXPECT_TRUE(document.policy.empty());
}

TEST_F(Record, BrokenJsonLine) {
  ExpectFault(R"({"text":"cut of)", Reason::kInvalidJson, "not closed");
  ExpectFault("plain text", Reason::kInvalidJson, "at byte 0");
  ExpectFault(R"({"text":"a"}{"text":"b"})", Reason::kInvalidJson, "at byte 12");
}

TEST_F(Record, MissingField) {
  ExpectFault(R"({"content":"a"})", Reason::kMissingField, "field \"text\" is missing");
  ExpectFault("{}", Reason::kMissingField, "field \"text\" is missing; the record has no field");
  ExpectFault(R"({"id":1,"正文":"a"})", Reason::kMissingField, R"(the record has "id", "正文")");
}

TEST_F(Record, FieldThatIsNotAString) {
  ExpectFault(R"({"text":12})", Reason::kNotAString, "\"text\" holds a number, not a string");
  ExpectFault(R"({"text":null})", Reason::kNotAString, "holds null");
  ExpectFault(R"({"text":true})", Reason::kNotAString, "holds true or false");
  ExpectFault(R"({"text":["a"]})", Reason::kNotAString, "holds an array");
  ExpectFault(R"({"text":{"a":"b"}})", Reason::kNotAString, "holds an object");
  ExpectFault(R"({"text":1e999})", Reason::kNotAString, "holds a number");
}

TEST_F(Record, RecordThatIsNotAnObject) {
  ExpectFault("[1,2]", Reason::kNotAnObject, "the record is an array, not an object");
  ExpectFault("\"text\"", Reason::kNotAnObject, "a string");
  ExpectFault("7", Reason::kNotAnObject, "a number");
}

TEST_F(Record, EmptyTextIsADocument) {
  EXPECT_EQ(Read(R"({"text":""})").text, "");
  EXPECT_EQ(Read(R"({"text":"  "})").text, "  ");
}

TEST_F(Record, ByteOrderMarkAtTheStart) {
  EXPECT_EQ(Read("\xef\xbb\xbf{\"text\":\"a\"}").text, "a");
  ExpectFault("\xef\xbb\xbf", Reason::kInvalidJson, "white space");
}

TEST_F(Record, CarriageReturnAtTheEnd) {
  EXPECT_EQ(Read("{\"text\":\"a\\r\\n\"}\r").text, "a\r\n");
  EXPECT_EQ(Read("\xef\xbb\xbf{\"text\":\"a\"}\r").text, "a");
}

TEST_F(Record, BlankLineIsAFaultNeverSkipped) {
  for (const char* blank : {"", "\r", "  ", "\t\r"}) {
    ExpectFault(blank, Reason::kInvalidJson, "white space");
  }
}

TEST_F(Record, ADocumentOfAHundredMegabytes) {
  std::string text;
  while (text.size() < 100'000'000) text += "一百兆字节的文章。";
  EXPECT_TRUE(Read(R"({"id":7,"text":")" + text + "\"}").text == text);
  EXPECT_EQ(Read(R"({"text":"small again"})").text, "small again");
}

TEST_F(Record, NulBytes) {
  EXPECT_EQ(Read(R"({"text":"a\u0000b"})").text, std::string_view("a\0b", 3));
  ExpectFault(std::string_view("{\"text\":\"a\0b\"}", 14), Reason::kInvalidJson,
              "control character");
  ExpectFault(std::string(100, '\0'), Reason::kInvalidJson, "at byte 0");
}

TEST_F(Record, LoneSurrogate) {
  ExpectFault(R"({"text":"a\ud83d"})", Reason::kInvalidJson, "surrogate");
  ExpectFault(R"({"text":"\ude00b"})", Reason::kInvalidJson, "surrogate");
  EXPECT_EQ(Read(R"({"text":"\ud83d\ude00"})").text, "😀");
}

TEST_F(Record, InvalidUtf8) {
  ExpectFault("{\"text\":\"\xc4\xe3\xba\xc3\"}", Reason::kInvalidUtf8,
              "byte 9 is not valid UTF-8; it looks like GB18030");  // GBK 你好
  ExpectFault("{\"text\":\"a\",\"x\":\"\xff\"}", Reason::kInvalidUtf8, "byte 17");
  const auto picture = ParseText("\x89PNG\r\n\x1a\n", {}, 0);
  ASSERT_TRUE(std::holds_alternative<RecordFault>(picture));
  EXPECT_EQ(std::get<RecordFault>(picture).reason, Reason::kUnreadableDocument);
  EXPECT_EQ(std::get<RecordFault>(picture).message, "it is a picture, which has no text");
  EXPECT_TRUE(std::holds_alternative<Document>(ParseText("GIF89a is a name", {}, 0)));
}

TEST_F(Record, DeepNesting) {
  ExpectFault(std::string(1'000'000, '['), Reason::kTooDeep, "256");
  std::string line = R"({"text":"a","x":)";
  line += std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}";
  ExpectFault(line, Reason::kTooDeep, "256");
  EXPECT_EQ(Read(R"({"text":"a"})").text, "a");
}

TEST_F(Record, DuplicateKeysTheFirstCounts) {
  const Document document = Read(R"({"id":1,"text":"first","text":"second","id":2})");
  EXPECT_EQ(document.text, "first");
  EXPECT_EQ(document.id, "1");
  ExpectFault(R"({"text":1,"text":"second"})", Reason::kNotAString, "a number");
}

TEST_F(Record, ListsOfStringsAreValuesWhereTheyAreAskedFor) {
  const std::string_view line = R"({"text":"","a":["一","二"],"m":{"b":[]},"c":["一",2],"d":"三"})";
  Use({.policy = {"a", "m.b", "c", "d"}, .joins_lists = true});
  const Document document = Read(line);
  EXPECT_EQ(document.policy[0], "一\n二");
  EXPECT_EQ(document.policy[1], "");
  EXPECT_FALSE(document.policy[2].has_value());
  EXPECT_EQ(document.policy[3], "三");
  Use({.policy = {"a"}});
  EXPECT_FALSE(Read(line).policy[0].has_value());
}

TEST_F(Record, IdsAreStringsNumbersAndBools) {
  EXPECT_EQ(Read(R"({"text":"","id":""})").id, "");
  EXPECT_EQ(Read(R"({"text":"","id":-5})").id, "-5");
  EXPECT_EQ(Read(R"({"text":"","id":1.5})").id, "1.5");
  EXPECT_EQ(Read(R"({"text":"","id":false})").id, "false");
  EXPECT_EQ(Read(R"({"text":"","id":12345678901234567890123})").id, "12345678901234567890123");
  for (const char* line : {R"({"text":""})", R"({"text":"","id":null})", R"({"text":"","id":[1]})",
                           R"({"text":"","id":{"a":1}})"}) {
    EXPECT_FALSE(Read(line).id.has_value()) << line;
  }
}

TEST_F(Record, DottedFields) {
  Use({.text = {"doc.body.正文"}, .id = "meta.url", .policy = {}});
  const Document document = Read(R"({"doc":{"body":{"正文":"a"}},"meta":{"url":"u"}})");
  EXPECT_EQ(document.text, "a");
  EXPECT_EQ(document.id, "u");
  ExpectFault(R"({"doc":{"body":"a"}})", Reason::kMissingField, "\"doc.body.正文\" is missing");
  ExpectFault(R"({"doc":{"body":{"正文":0}}})", Reason::kNotAString, "\"doc.body.正文\" holds");
}

TEST_F(Record, ANameWithDotsIsAFieldOfThatNameWhereNothingIsNested) {
  Use({.text = {"a.b"}, .id = "x.id", .policy = {"x.date"}});
  const Document document = Read(R"({"a":{"c":1},"a.b":"literal","x.id":7,"x.date":"2024"})");
  EXPECT_EQ(document.text, "literal");
  EXPECT_EQ(document.id, "7");
  EXPECT_EQ(document.policy[0], "2024");
  EXPECT_EQ(Read(R"({"a.b":"literal","a":{"b":"nested"}})").text, "nested");
}

TEST_F(Record, SaysWhichOfSeveralTextFieldsItHas) {
  Use({.text = {"a", "b", "c"}, .id = "id", .policy = {}});
  const Document document = Read(R"({"c":null,"a":"x"})");
  EXPECT_THAT(std::vector<int>(document.found_texts.begin(), document.found_texts.end()),
              testing::ElementsAre(1, 0, 1));
  Use({.text = {"a"}, .id = "id", .policy = {}});
  EXPECT_TRUE(Read(R"({"a":"x"})").found_texts.empty());
}

TEST_F(Record, APieceOfALargerJsonValueIsToldHowToBecomeLines) {
  ExpectFault("[", Reason::kInvalidJson, "of the format json");
  ExpectFault(R"([{"text":"a"}])", Reason::kNotAnObject, "of the format json");
  ExpectFault("{ \r", Reason::kInvalidJson, "jq -c .");
  const auto broken = Parse(R"({"text":"a)");
  EXPECT_EQ(std::get<RecordFault>(broken).message.find("jq"), std::string::npos);
}

TEST_F(Record, SeveralTextFieldsAreJoinedByALineEnd) {
  Use({.text = {"title", "content"}, .id = "id", .policy = {}});
  EXPECT_EQ(Read(R"({"content":"b","title":"a"})").text, "a\nb");
  EXPECT_EQ(Read(R"({"content":"b"})").text, "\nb");
  EXPECT_EQ(Read(R"({"content":null,"title":"a"})").text, "a\n");
  EXPECT_EQ(Read(R"({"content":"","title":""})").text, "");
  EXPECT_EQ(Read(R"({"content":""})").text, "");
  ExpectFault(R"({"content":7,"title":"a"})", Reason::kNotAString, "\"content\" holds a number");
  ExpectFault(R"({"content":null})", Reason::kMissingField,
              "fields \"title\", \"content\" are all missing");
}

TEST_F(Record, PolicyFieldsKeepTheirOrderAndMayBeMissing) {
  Use({.text = {"text"}, .id = "id", .policy = {"date", "meta.score", "source", "gone"}});
  const Document document =
      Read(R"({"text":"a","source":null,"meta":{"score":0.25},"date":"2024年1月5日"})");
  ASSERT_EQ(document.policy.size(), 4u);
  EXPECT_EQ(document.policy[0], "2024年1月5日");
  EXPECT_EQ(document.policy[1], "0.25");
  EXPECT_FALSE(document.policy[2].has_value());
  EXPECT_FALSE(document.policy[3].has_value());
}

TEST_F(Record, AFieldOfANameThatOutputsAddIsAClash) {
  Use({.text = {"text"}, .id = "id", .policy = {}, .added = {"dup", "a.b"}});
  EXPECT_FALSE(Read(R"({"text":"dup","meta":{"dup":1},"a":{"b":1}})").clash.has_value());
  EXPECT_EQ(Read(R"({"text":"a","dup":null})").clash, 0u);
  EXPECT_EQ(Read(R"({"text":"a","a.b":[1],"d\u0075p2":0})").clash, 1u);
  EXPECT_EQ(Read(R"({"d\u0075p":0,"text":"a"})").clash, 0u);
}

TEST_F(Record, EmptyFieldNamesAreRefusedAtTheStart) {
  for (const RecordFields& fields : {RecordFields{.text = {}, .id = "id", .policy = {}},
                                     RecordFields{.text = {""}, .id = "id", .policy = {}},
                                     RecordFields{.text = {"a..b"}, .id = "id", .policy = {}},
                                     RecordFields{.text = {"a"}, .id = "", .policy = {}},
                                     RecordFields{.text = {"a"}, .id = "id", .policy = {"x."}}}) {
    const auto parser = RecordParser::Create(fields);
    ASSERT_FALSE(parser.has_value());
    EXPECT_EQ(parser.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST_F(Record, MoreValuesThanAreReadAreAFault) {
  Use({.text = {"text"}, .id = "id", .policy = {}, .max_json_values = 8});
  const std::string text = R"("text":"a,b,c:d[e]{f}","v":)";
  EXPECT_EQ(Read("{" + text + "[1,2,3]}").text, "a,b,c:d[e]{f}");  // 1 + 2 + 2 names, 3 values
  const auto parsed = Parse("{" + text + "[1,2,3,4,5]}");
  ASSERT_TRUE(std::holds_alternative<RecordFault>(parsed));
  EXPECT_EQ(std::get<RecordFault>(parsed).reason, Reason::kTooLarge);
  EXPECT_EQ(std::get<RecordFault>(parsed).message,
            "the record has 9 values, and at most 8 are read within this bound of memory; it needs "
            "2 times as much");
}

TEST_F(Record, FaultNamesAreThoseOfTheContract) {
  const std::vector<std::string_view> names = {
      RecordFaultName(Reason::kInvalidJson), RecordFaultName(Reason::kInvalidUtf8),
      RecordFaultName(Reason::kNotAnObject), RecordFaultName(Reason::kMissingField),
      RecordFaultName(Reason::kNotAString),  RecordFaultName(Reason::kTooDeep),
      RecordFaultName(Reason::kTooLarge)};
  EXPECT_THAT(names,
              testing::ElementsAre("invalid_json", "invalid_utf8", "not_an_object", "missing_field",
                                   "not_a_string", "too_deep", "too_large"));
}

TEST_F(Record, EveryTruncationOfARecordIsAFault) {
  const std::string whole = R"({"id":"1","text":"指纹 \u0041","meta":{"n":[1,2,{"x":null}]}})";
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_TRUE(std::holds_alternative<RecordFault>(Parse(whole.substr(0, size)))) << size;
  }
  EXPECT_EQ(Read(whole).text, "指纹 A");
}

}  // namespace
}  // namespace zhiwen
