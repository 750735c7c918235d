#include "zhiwen/comparison_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/utf8/utf8.h"
#include "pipeline/word/read_word_test_support.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"
#include "support/language.h"

namespace zhiwen {
namespace {

using Runs = std::vector<ReadWordRun>;

constexpr std::string_view kOriginal =
    "少年负手而立，目光越过千重峰峦，落在极远处那座孤零零的石塔上面。";

ReadWordFile TableOf(std::string_view a, std::string_view b, std::string_view a_name = "a.txt") {
  const Channel folded = FoldedChannel();
  const Channel pinyin = OpenChannel("pinyin", TestLanguage()).value();
  const auto found = FindPassages(a, b, {.channels = {folded, pinyin}}, {});
  EXPECT_TRUE(found);
  const auto bytes = RenderComparisonTable({a_name, a}, {"b.txt", b}, Compare(a, b, {}).value(),
                                           *found, {.searched = {{folded.name(), pinyin.name()}}});
  EXPECT_TRUE(bytes);
  return WordReader::Read(*bytes);
}

TEST(ComparisonTable, MarksWhatIsTheSameInBothTexts) {
  std::string a(kOriginal);
  a.replace(a.find("负手"), std::string("负手").size(), "付首");  // sounds alike
  a.replace(a.find("千重"), std::string("千重").size(), "万座");  // says something else
  const ReadWordFile table = TableOf("前面的话。" + a, kOriginal);
  const auto& row = table.rows.back();
  ASSERT_EQ(row.size(), 2U);
  EXPECT_EQ(row[0], (Runs{{"少年", "red"},
                          {"付首", "underlined"},
                          {"而立，目光越过", "red"},
                          {"万座", "black"},
                          {"峰峦，落在极远处那座孤零零的石塔上面", "red"}}));
  EXPECT_EQ(row[1], (Runs{{"少年", "red"},
                          {"负手", "underlined"},
                          {"而立，目光越过", "red"},
                          {"千重", "black"},
                          {"峰峦，落在极远处那座孤零零的石塔上面", "red"}}));
  const auto& heading = table.rows[table.rows.size() - 2];
  ASSERT_EQ(heading.size(), 1U);
  EXPECT_EQ(heading[0][0].text.substr(0, heading[0][0].text.find('\n')),
            "1 · 甲文 6–36 · 乙文 1–31 · 相同 27 字 · 改写 · 同音\u00A02 · 替换\u00A02");
}

TEST(ComparisonTable, BeginsWithTheFiguresOfBothTexts) {
  const ReadWordFile table = TableOf(std::string(kOriginal) + "另一句话", kOriginal);
  EXPECT_NE(table.text.find("技术比对，不是侵权认定。 / A technical comparison, not a finding of "
                            "infringement."),
            std::string::npos);
  EXPECT_EQ(table.rows[0][1][0].text, "a.txt\n33 字 characters or words");
  EXPECT_EQ(table.rows[1][1][0].text, "b.txt\n29 字 characters or words");
  EXPECT_NE(table.text.find("29 字 · 甲文 87.88\u00A0% · 乙文 100.00\u00A0% · 最长连续 29"),
            std::string::npos)
      << table.text;
}

TEST(ComparisonTable, SaysThatNoPassageWasFound) {
  const ReadWordFile table = TableOf("今天的新闻播送完了，谢谢收看。", kOriginal);
  EXPECT_NE(table.text.find("a.txt 与 b.txt：未发现 16 字以上相同段落。"), std::string::npos);
  EXPECT_EQ(table.text.find("原创"), std::string::npos);
  EXPECT_EQ(table.text.find("红"), std::string::npos);
}

TEST(ComparisonTable, ShowsHostileTextWhole) {
  const std::string hostile = "]]>&<b>\u202E\x01\"'{{body}}\uFFFE\u05D0\u05D1";
  const std::string a = std::string(kOriginal) + hostile + std::string(kOriginal.substr(0, 60));
  const ReadWordFile table = TableOf(a, a, hostile);
  EXPECT_NE(table.text.find("]]>&<b>[U+202E][SOH]\"'{{body}}\uFFFD\u05D0\u05D1"),
            std::string::npos);
}

TEST(ComparisonTable, HasALongPassageWholeInRowsThatBeginAlike) {
  std::string b;
  for (uint32_t i = 0; i < 20000; ++i) AppendUtf8(0x4E00 + i * 977 % 19997, b);
  std::string a = b;
  a.replace(3 * 5000, 3 * 4, "改动了的话在这里");
  a.erase(3 * 12000, 3 * 300);
  const ReadWordFile table = TableOf(a, b);
  std::string text_a, text_b;
  size_t rows = 0;
  for (const auto& row : table.rows) {
    if (row.size() == 1) rows = 1;  // the heading of the passage
    if (row.size() != 2 || rows == 0) continue;
    ++rows;
    ASSERT_FALSE(row[0].empty());
    EXPECT_EQ(row[0][0].text.substr(0, 30), row[1][0].text.substr(0, 30));
    for (const ReadWordRun& run : row[0]) text_a += run.text;
    for (const ReadWordRun& run : row[1]) text_b += run.text;
  }
  EXPECT_GT(rows, 20U);
  EXPECT_TRUE(text_a == a);
  EXPECT_TRUE(text_b == b);
}

TEST(ComparisonTable, ReplacesAWordFileOfItsOwnAlone) {
  InMemoryFileSystem files;
  const auto write = [&](const std::string& path) {
    return WriteComparisonFiles(files, {"a", "甲"}, {"b", "乙"}, {}, {}, {.overwrite = true}, path);
  };
  EXPECT_TRUE(write("table.docx"));
  EXPECT_TRUE(write("table.docx"));
  files.Put("letter.docx", "PK\x03\x04 of another program");
  EXPECT_EQ(write("letter.docx").error().code, ErrorCode::kConflict);
}

// Whichever operation fails, a file that is there is whole, and one alone is there only where the
// last step of the other failed: both were whole before.
TEST(ComparisonFiles, AreBothThereOrNeither) {
  uint64_t alone = 0, failures = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    FaultyFileSystem files(memory, {.at = n, .error = {ErrorCode::kExhausted, "disk full"}});
    const Status written = WriteComparisonFiles(files, {"a", "甲"}, {"b", "乙"}, {}, {},
                                                {.path = "page.html"}, "table.docx");
    if (!files.fired()) {
      EXPECT_TRUE(written);
      break;
    }
    ++failures;
    const bool has_page = memory.Exists("page.html").value_or(true);
    const bool has_table = memory.Exists("table.docx").value_or(true);
    alone += has_page != has_table ? 1 : 0;
    EXPECT_FALSE(has_page && !has_table) << n;
  }
  EXPECT_GT(failures, 10U);
  EXPECT_LE(alone, 8U);

  InMemoryFileSystem memory;
  memory.Put("page.html", "another page");
  EXPECT_FALSE(WriteComparisonFiles(memory, {"a", "甲"}, {"b", "乙"}, {}, {},
                                    {.path = "page.html", .overwrite = true}, "table.docx"));
  EXPECT_FALSE(memory.Exists("table.docx").value_or(true));
}

}  // namespace
}  // namespace zhiwen
