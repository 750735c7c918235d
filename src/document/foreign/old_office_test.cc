#include "document/foreign/old_office.h"

#include <cstdlib>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/process/child_process.h"
#include "document/foreign/foreign_program.h"
#include "document/foreign/ole_directory.h"
#include "support/ole_builder.h"
#include "zhiwen/extract.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

void ExpectText(const std::string& file, DocumentType type, const std::string& text) {
  const auto document = ExtractDocument(file, {.type = DocumentType::kDocx});
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(document->type, type);
  EXPECT_EQ(document->text, text);
  EXPECT_EQ(document->blocks.front().source.end.value, file.size());
}

TEST(OldOffice, IsReadByItsPrograms) {
  ExpectText(MakeOldWord("指纹引擎\r第二段 second\r"), DocumentType::kDoc,
             "指纹引擎\n第二段 second");
  ExpectText(MakeOldWorkbook({{"姓名", "年龄"}, {"李", "三十"}}), DocumentType::kXls,
             "姓名\t年龄\n李\t三十");
  ExpectText(MakeOldSlides({"第一张", "第二张"}), DocumentType::kPpt, "第一张\n第二张");
  const auto rows = ExtractDocument(MakeOldWorkbook({{"甲"}}));
  EXPECT_EQ(rows->blocks.front().kind, BlockKind::kTableRow);
  EXPECT_EQ(DetectDocumentType(MakeOldSlides({"甲"})), DocumentType::kDoc);
}

TEST(OldOffice, ATextThatChangesIsNone) {
  const ForeignProgram draws = {
      .name = "sh",
      .package = "dash",
      .files = "files",
      .arguments = {"-c", "head -c 30 /dev/urandom | od", "sh", kChildInput}};
  const auto text = ReadTwiceByProgram(draws, "x");
  EXPECT_EQ(text.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(text.error().message, HasSubstr("sh reads the file differently each time"));
}

TEST(OldOffice, TheRootTellsTheType) {
  const std::string word = MakeOldWord("文\r");
  EXPECT_THAT(NamesInOleRoot(word), UnorderedElementsAre("WordDocument", "0Table"));
  const auto encrypted = ExtractDocument(MakeOle({{"EncryptedPackage", "x"}}));
  EXPECT_EQ(encrypted.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(encrypted.error().message, HasSubstr("encrypted"));
  const auto other = ExtractDocument(MakeOle({{"Other", "x"}}));
  EXPECT_EQ(other.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(ExtractDocument(word.substr(0, 600)).error().code, ErrorCode::kUnreadable);
}

// The table of sectors: its own sector and where each one leads.
TEST(OldOffice, ChainsThatGoInCirclesAreDamage) {
  constexpr size_t kTable = 76;
  for (const std::string& sound : {MakeOldWord(std::string(9000, 'x') + "\r"),
                                   MakeOldWorkbook({{std::string(6000, 'x'), "b"}}),
                                   MakeOldSlides({std::string(5000, 'x')})}) {
    EXPECT_FALSE(HasCircleOfSectors(sound));
    const size_t shift = static_cast<uint8_t>(sound[30]);
    size_t table = 0;
    for (int i = 3; i >= 0; --i) table = table << 8 | static_cast<uint8_t>(sound[kTable + i]);
    const size_t begin = (table + 1) << shift;
    size_t circles = 0;
    for (size_t at = begin; at < begin + 64; at += 4) {
      uint32_t next = 0;
      for (int i = 3; i >= 0; --i) next = next << 8 | static_cast<uint8_t>(sound[at + i]);
      if (next >= 0xFFFFFFF0U || next < 2) continue;
      std::string damaged = sound;
      PutNumber(damaged, at, next - 2, 4);  // back to a sector that another one leads to, or begins
      if (!HasCircleOfSectors(damaged)) continue;
      ++circles;
      const auto failed = ExtractDocument(damaged);
      EXPECT_EQ(failed.error().code, ErrorCode::kUnreadable);
      EXPECT_THAT(failed.error().message, HasSubstr("leads back to itself"));
    }
    EXPECT_GT(circles, 3U);
  }
}

TEST(OldOffice, DamagedDirectoriesEnd) {
  const std::string sound = MakeOldWord("文\r");
  for (size_t at = 8; at < 2048; at += 4) {
    for (const uint32_t value : {0U, 1U, 2U, 0xFFFFFFFFU, 0x7FFFFFFFU}) {
      std::string damaged = sound;
      PutNumber(damaged, at, value, 4);
      EXPECT_LE(NamesInOleRoot(damaged).size(), 65536U);  // no crash, no hang
    }
  }
}

TEST(OldOffice, BrokenFilesFail) {
  for (const char* const name : {"WordDocument", "Workbook", "PowerPoint Document"}) {
    const auto broken = ExtractDocument(MakeOle({{name, std::string(5000, '\xAA')}}));
    if (broken) {
      EXPECT_EQ(broken->kind, ExtractedKind::kEmpty) << name << ": " << broken->text;
    } else {
      EXPECT_EQ(broken.error().code, ErrorCode::kUnreadable) << broken.error().message;
    }
  }
}

TEST(OldOffice, SaysWhichProgramIsNotInstalled) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "", 1);
  const auto word = ExtractDocument(MakeOldWord("文\r"));
  const auto sheets = ExtractDocument(MakeOldWorkbook({{"文"}}));
  const auto slides = ExtractDocument(MakeOldSlides({"文"}));
  setenv("PATH", path.c_str(), 1);
  for (const auto& [result, program] :
       {std::pair(&word, "DOC files: the program antiword"),
        std::pair(&sheets, "XLS files: the program xls2csv is not installed (Debian: catdoc)"),
        std::pair(&slides, "PPT files: the program catppt")}) {
    EXPECT_EQ(result->error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(result->error().message, HasSubstr(program));
  }
}

}  // namespace
}  // namespace zhiwen
