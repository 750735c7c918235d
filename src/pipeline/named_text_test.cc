#include "zhiwen/named_text.h"

#include <gtest/gtest.h>

#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

class NamedTextTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* path : {"a.jsonl", "b:3.jsonl", "c.txt", "c.txt:5", "data"}) {
      files_.Put(path, "{\"id\":\"x:1\",\"text\":\"一\"}\n\n{\"id\":2,\"text\":\"二\"}\n");
    }
  }

  Result<NamedText> Parse(const std::string& typed) { return ParseNamedText(files_, typed); }

  InMemoryFileSystem files_;
};

TEST_F(NamedTextTest, TheLongestNameOfAFileCounts) {
  EXPECT_EQ(Parse("a.jsonl:17")->record, 17U);
  EXPECT_EQ(Parse("b:3.jsonl:4")->path, "b:3.jsonl");
  EXPECT_EQ(Parse("b:3.jsonl:4")->record, 4U);
  EXPECT_EQ(Parse("a.jsonl:id=http://x:80/:7")->id, "http://x:80/:7");
  EXPECT_FALSE(Parse("c.txt:5")->is_record()) << "a file of that name exists";
  EXPECT_EQ(Parse("absent.jsonl:3")->path, "absent.jsonl");
  EXPECT_EQ(Parse("absent:txt")->path, "absent:txt");
}

TEST_F(NamedTextTest, OtherWordsBehindAFileNameNoRecord) {
  for (const char* typed : {"a.jsonl:0", "a.jsonl:", "a.jsonl:-1", "a.jsonl:1x", "a.jsonl:x",
                            "a.jsonl:99999999999999999999", "a.jsonl"}) {
    const Result<NamedText> name = Parse(typed);
    ASSERT_FALSE(name) << typed;
    EXPECT_EQ(name.error().code, ErrorCode::kInvalidArgument) << typed;
    EXPECT_NE(name.error().message.find("\"a.jsonl:id=ID\""), std::string::npos)
        << name.error().message;
  }
  EXPECT_TRUE(ParseNamedText(files_, "a.jsonl", DocumentFormat::kText));
}

TEST_F(NamedTextTest, AJsonArrayIsAFileOfRecords) {
  files_.Put("a.json", " [{\"text\":\"一\"}]");
  files_.Put("one.json", "{\"text\":\"[\"}");
  EXPECT_EQ(Parse("a.json").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(Parse("a.json:1")->record, 1U);
  EXPECT_TRUE(ParseNamedText(files_, "a.json", DocumentFormat::kText));
  EXPECT_TRUE(Parse("one.json"));
}

TEST_F(NamedTextTest, BlankLinesAreNotCounted) {
  const auto read = [&](NamedText name) {
    return ReadRecord(files_, name, {}, std::nullopt, Cancellation());
  };
  EXPECT_EQ(read({.path = "a.jsonl", .record = 2})->text, "二");
  EXPECT_EQ(read({.path = "a.jsonl", .id = "x:1"})->text, "一");
  EXPECT_EQ(read({.path = "data", .id = "2"})->record, 2U);
  EXPECT_EQ(read({.path = "a.jsonl", .record = 3}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(read({.path = "c.txt", .record = 1}).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace zhiwen
