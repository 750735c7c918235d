#include "zhiwen/extract_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "pipeline/batches/batch_test_support.h"
#include "support/faulty_file_system.h"
#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string Page(int number) {
  return fmt::format(
      "<html><title>第{0}页</title><nav><a "
      "href=/>首页</a></nav><p>这是第{0}页，它有一个完整的句子。"
      "</p></html>",
      number);
}

struct Extraction {
  Result<ExtractedFiles> done = ExtractedFiles();
  std::vector<std::string> printed;
};

Extraction Extract(const ExtractFilesOptions& options, BatchSurroundings& around,
                   FileSystem* files = nullptr) {
  Extraction out;
  const TextSink sink = [&](std::string_view text) {
    out.printed.emplace_back(text);
    return Status();
  };
  out.done = ExtractFiles(options, sink,
                          files == nullptr ? around.environment() : around.environment(*files));
  return out;
}

TEST(ExtractFiles, EveryDocumentIsALineInTheOrderOfTheInputs) {
  BatchSurroundings around(3);
  around.files.Put("in/a.html", Page(1));
  around.files.Put("in/b.txt", "一篇文本。\n\n第二行。\n");
  around.files.Put("in/c.jsonl", "{\"id\":\"x\",\"text\":\"<p>记录里的网页。</p>\"}\n{bad\n");
  around.files.Put("in/d.html", "\x89PNG\r\n");
  const Extraction out =
      Extract({.paths = {"in"}, .form = ExtractForm::kJson, .names = {}}, around);
  ASSERT_TRUE(out.done) << out.done.error().message;
  EXPECT_EQ(out.done->documents, 5u);
  EXPECT_EQ(out.done->failed, 2u);
  EXPECT_THAT(
      out.printed,
      ElementsAre(HasSubstr("{\"id\":\"in/a.html\",\"source\":{\"file\":\"in/a.html\"},"),
                  HasSubstr("\"type\":\"text\""),
                  HasSubstr("{\"id\":\"x\",\"source\":{\"file\":\"in/c.jsonl\",\"record\":1},"),
                  HasSubstr("\"failed\":{\"reason\":\"invalid_json\","),
                  HasSubstr("\"failed\":{\"reason\":\"invalid_argument\",")));
  EXPECT_THAT(out.printed[0], HasSubstr("\"text\":\"这是第1页，它有一个完整的句子。\""));
  EXPECT_THAT(out.printed[1], HasSubstr("\"text\":\"一篇文本。\\n第二行。\""));
  EXPECT_THAT(out.printed[2], HasSubstr("\"text\":\"记录里的网页。\""));
}

TEST(ExtractFiles, MoreFailuresThanAllowedFailAtTheEnd) {
  BatchSurroundings around;
  around.files.Put("a.html", Page(1));
  around.files.Put("b.html", "\x89PNG\r\n");
  ExtractFilesOptions options{.paths = {"b.html", "a.html"},
                              .max_failed = {.count = 0, .share = 0}};
  const Extraction out = Extract(options, around);
  ASSERT_FALSE(out.done);
  EXPECT_THAT(out.done.error().message, HasSubstr("\"b.html\""));
  EXPECT_THAT(out.printed, ElementsAre("这是第1页，它有一个完整的句子。\n"));
}

// Files whose lines are more than a frame, so that a run has places to go on from.
class ExtractToFile : public testing::Test {
 protected:
  static constexpr int kFiles = 12;

  static void PutInputs(InMemoryFileSystem& files) {
    for (int i = 0; i < kFiles; ++i) {
      std::string text;
      for (int line = 0; line < 4000; ++line) {
        text += fmt::format(
            "第{}篇的第{}行：秋天的叶子落在小路上，走过去沙沙地响，像有人在说话。\n", i, line);
      }
      files.Put(fmt::format("in/{:02}.txt", i), text);
    }
  }

  static ExtractFilesOptions Options(bool resume) {
    return {.paths = {"in"},
            .form = ExtractForm::kJson,
            .output = "out.jsonl",
            .overwrite = false,
            .resume = resume};
  }

  // Leaves a run that stopped behind some inputs.
  static void StopEarly(BatchSurroundings& around) {
    PutInputs(around.files);
    FaultyFileSystem faulty(
        around.files,
        {.at = 4, .only = FileOperation::kWrite, .error = {ErrorCode::kExhausted, "disk full"}});
    ASSERT_FALSE(Extract(Options(false), around, &faulty).done);
    ASSERT_TRUE(around.files.Exists("out.jsonl.partial/progress").value());
  }

  static std::string ReadOutput(FileSystem& files) {
    return ReadWholeFile(files, "out.jsonl", uint64_t{1} << 30).value_or("none");
  }
};

TEST_F(ExtractToFile, ARunThatFailsAnywhereIsGoneOnWithAndGivesTheSameFile) {
  BatchSurroundings whole;
  PutInputs(whole.files);
  ASSERT_TRUE(Extract(Options(false), whole).done);
  const std::string expected = ReadOutput(whole.files);
  ASSERT_GT(expected.size(), size_t{4} << 20);
  EXPECT_FALSE(whole.files.Exists("out.jsonl.partial").value());

  std::set<uint64_t> read_again;  // bytes of inputs that the second run read
  for (const FileOperation only : {FileOperation::kWrite, FileOperation::kSync,
                                   FileOperation::kRename, FileOperation::kLink}) {
    for (uint64_t n = 1;; ++n) {
      BatchSurroundings around;
      PutInputs(around.files);
      FaultyFileSystem faulty(around.files,
                              {.at = n, .only = only, .error = {ErrorCode::kExhausted, "full"}});
      const Extraction first = Extract(Options(false), around, &faulty);
      if (!faulty.fired()) break;
      ASSERT_FALSE(first.done) << n;
      FaultyFileSystem counting(around.files, {.at = 0, .only = FileOperation::kRead, .error = {}});
      const Extraction second = Extract(Options(true), around, &counting);
      ASSERT_TRUE(second.done) << second.done.error().message;
      EXPECT_EQ(second.done->documents, uint64_t{kFiles});
      ASSERT_TRUE(ReadOutput(around.files) == expected) << n;
      read_again.insert(counting.count());
    }
  }
  EXPECT_GE(read_again.size(), 3u);  // it went on from several places
}

TEST_F(ExtractToFile, ARunIsGoneOnWithOnlyWhereInputsAndOptionsAreTheSame) {
  BatchSurroundings around;
  StopEarly(around);
  ExtractFilesOptions other = Options(true);
  other.form = ExtractForm::kBlocks;
  const Extraction refused = Extract(other, around);
  ASSERT_FALSE(refused.done);
  EXPECT_EQ(refused.done.error().code, ErrorCode::kConflict);
  EXPECT_THAT(refused.done.error().message, HasSubstr("other inputs or options"));
  // What was refused is still there.
  const Extraction done = Extract(Options(true), around);
  ASSERT_TRUE(done.done) << done.done.error().message;
  EXPECT_EQ(done.done->documents, uint64_t{kFiles});
}

TEST_F(ExtractToFile, DamagedProgressIsRefusedAndARunMayStartOver) {
  BatchSurroundings around;
  StopEarly(around);
  around.files.Put("out.jsonl.partial/progress", "zhiwen extract progress 1 2 3\n");
  const Extraction damaged = Extract(Options(true), around);
  ASSERT_FALSE(damaged.done);
  EXPECT_THAT(damaged.done.error().message, HasSubstr("damaged"));
  EXPECT_TRUE(Extract(Options(false), around).done);
  EXPECT_FALSE(around.files.Exists("out.jsonl.partial/progress").value());
}

TEST_F(ExtractToFile, ItsOwnOutputIsNoInput) {
  BatchSurroundings around;
  PutInputs(around.files);
  ExtractFilesOptions options = Options(false);
  options.output = "in/out.jsonl";
  options.overwrite = true;
  ASSERT_TRUE(Extract(options, around).done);
  const Extraction again = Extract(options, around);
  ASSERT_TRUE(again.done);
  EXPECT_EQ(again.done->documents, uint64_t{kFiles});
}

}  // namespace
}  // namespace zhiwen
