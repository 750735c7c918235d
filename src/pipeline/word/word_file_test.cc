#include "pipeline/word/word_file.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/utf8/utf8.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/word/read_word_test_support.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

std::string FileOf(std::string_view text) {
  std::string html;
  AppendHtmlText(html, text);
  return PackWordFile(WordParagraph("Normal", WordRun(html))).value();
}

TEST(WordFile, KeepsLinesTabsAndBlanks) {
  EXPECT_EQ(WordReader::Read(FileOf("一 行\n  二\t行")).text, "一 行\n  二\t行\n");
  EXPECT_EQ(WordReader::Read(FileOf("一行\r\n二\r行")).text, "一行\n二[CR]行\n");
  EXPECT_EQ(WordReader::Read(FileOf("a < b && c > d \"]]>\" '{{body}}'")).text,
            "a < b && c > d \"]]>\" '{{body}}'\n");
}

TEST(WordFile, NamesWhatCannotBeSeen) {
  EXPECT_EQ(WordReader::Read(FileOf(std::string("甲\0乙", 7) + "\x1B")).text, "甲[NUL]乙[ESC]\n");
  EXPECT_EQ(WordReader::Read(FileOf("甲\u202E乙\uFFFF")).text, "甲[U+202E]乙\uFFFD\n");
  EXPECT_EQ(WordReader::Read(FileOf("甲\xED\xA0\x80")).text.substr(0, 3), "甲");  // a surrogate
}

TEST(WordFile, IsXmlWhateverATextHas) {
  std::string all;
  for (uint32_t c = 0; c < 0x110000; c += c < 0x3000 ? 1 : 0xFF) AppendUtf8(c, all);
  EXPECT_GT(WordReader::Read(FileOf(all)).text.size(), 0x3000U);
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string bytes(200, ' ');
    for (char& byte : bytes) {
      byte = random() % 2 == 0 ? static_cast<char>(random()) : "<&]>\"'\n\t\r"[random() % 9];
    }
    EXPECT_FALSE(WordReader::Read(FileOf(bytes)).text.empty());
  }
}

TEST(WordFile, IsKnownByItsBeginning) {
  InMemoryFileSystem files;
  files.Put("mine.docx", FileOf("甲"));
  files.Put("other.docx", "PK\x03\x04 of another program");
  const OutputFileKind kind = WordFileKind();
  EXPECT_TRUE(kind.is_of_kind(files.OpenForRead("mine.docx").value()).value());
  EXPECT_FALSE(kind.is_of_kind(files.OpenForRead("other.docx").value()).value());
}

}  // namespace
}  // namespace zhiwen
