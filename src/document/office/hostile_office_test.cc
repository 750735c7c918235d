// Files that are made to cost time or memory, or to reach for other files.

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "document/office/docx.h"
#include "document/office/office_type.h"
#include "document/office/xlsx.h"
#include "document/office/xml_text.h"
#include "document/office/zip_archive.h"
#include "support/zip_builder.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Writes a number of 4 bytes, the lowest first.
void Put32(std::string& bytes, size_t at, uint32_t value) {
  for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(value >> 8 * i);
}

std::string WordWithBody(std::string body) {
  ZipMembers members = WordMembers("");
  members[2].second = std::move(body);
  return MakeZip(members);
}

// Makes the directory of `archive` say that word/document.xml has `size` bytes.
std::string WithSizeInDirectory(std::string archive, uint32_t size) {
  const size_t entry = archive.rfind("word/document.xml") - 46;
  EXPECT_EQ(archive.substr(entry, 4), "PK\x01\x02");
  Put32(archive, entry + 24, size);
  return archive;
}

TEST(HostileOffice, NoMoreIsUnpackedThanTheDirectorySays) {
  const std::string word = WordWithBody(std::string(size_t{4} << 20, '0'));
  // 1 GiB: it is not even begun.
  EXPECT_EQ(ExtractDocx(WithSizeInDirectory(word, 1 << 30)).error().code, ErrorCode::kExhausted);
  const auto fewer = ExtractDocx(WithSizeInDirectory(word, 1000));
  EXPECT_THAT(fewer.error().message, HasSubstr("larger than the directory says"));
  const auto more = ExtractDocx(WithSizeInDirectory(word, 5 << 20));
  EXPECT_EQ(more.error().code, ErrorCode::kUnreadable);
}

TEST(HostileOffice, AllMembersTogetherAreLimited) {
  const std::string bytes = MakeZip({{"a", std::string(size_t{4} << 20, '0')}});
  ZipArchive archive = ZipArchive::Open(bytes).value();
  for (int i = 0; i < 64; ++i) EXPECT_TRUE(archive.Read("a"));
  EXPECT_EQ(archive.Read("a").error().code, ErrorCode::kExhausted);
}

TEST(HostileOffice, ArchivesInArchivesStayPacked) {
  ZipMembers members = {{"word/document.xml", "x"}};
  for (int i = 0; i < 50; ++i) members = {{"a.zip", MakeZip(members)}, {"b.zip", MakeZip(members)}};
  EXPECT_THAT(ExtractPackedDocument(MakeZip(members)).error().message, HasSubstr("a zip archive"));
}

TEST(HostileOffice, DirectoriesMayLie) {
  const std::string word = MakeWord("<w:p><w:r><w:t>文</w:t></w:r></w:p>");
  const size_t end = word.rfind("PK\x05\x06");
  for (size_t at = word.find("PK\x01\x02"); at < word.size(); ++at) {
    for (const uint32_t value : {0U, 1U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
      if (at + 4 > word.size()) continue;
      std::string changed = word;
      Put32(changed, at, value);
      const auto document = ExtractPackedDocument(changed);  // no crash, no hang
      if (!document) continue;
      EXPECT_THAT(document->text, ::testing::AnyOf("文", ""));
    }
  }
  std::string large = word;
  Put32(large, end + 12, 0x10000000);
  EXPECT_EQ(ExtractPackedDocument(large).error().code, ErrorCode::kExhausted);
}

TEST(HostileOffice, CutFilesAreRefused) {
  const std::string word = MakeWord("<w:p><w:r><w:t>文</w:t></w:r></w:p>");
  for (size_t size = 0; size < word.size(); ++size) {
    EXPECT_FALSE(ExtractPackedDocument(std::string_view(word).substr(0, size)));
  }
}

TEST(HostileOffice, ChangedBytesOfAMemberAreSeen) {
  const std::string word = MakeWord("<w:p><w:r><w:t>文</w:t></w:r></w:p>");
  const size_t member = word.find("word/document.xml") + 17;
  for (size_t at = member; at < member + 60; ++at) {
    std::string changed = word;
    changed[at] = static_cast<char>(changed[at] ^ 2);
    const auto document = ExtractPackedDocument(changed);
    ASSERT_FALSE(document) << at;
    EXPECT_EQ(document.error().code, ErrorCode::kUnreadable);
  }
}

TEST(HostileOffice, EntitiesAreNotPutIn) {
  std::string bomb = "<?xml version=\"1.0\"?><!DOCTYPE d [<!ENTITY a0 \"aaaaaaaaaa\">";
  for (int i = 1; i < 30; ++i) {
    bomb += "<!ENTITY a" + std::to_string(i) + " \"";
    for (int j = 0; j < 10; ++j) bomb += "&a" + std::to_string(i - 1) + ";";
    bomb += "\">";
  }
  bomb += "]><d><p x='&a29;'>前&a29;后&amp;</p></d>";
  EXPECT_EQ(ExtractXml(bomb).value().text, "前后&");
}

TEST(HostileOffice, OtherFilesAreNotRead) {
  const std::string path = ::testing::TempDir() + "secret.txt";
  std::ofstream(path) << "秘密";
  for (const std::string kind : {"", "% "}) {
    const std::string use = kind.empty() ? "" : "%x;";
    const std::string xml = "<?xml version=\"1.0\"?><!DOCTYPE d SYSTEM \"file://" + path +
                            "\" [<!ENTITY " + kind + "x SYSTEM \"file://" + path + "\">" + use +
                            "]><d xmlns:xi=\"http://www.w3.org/2001/XInclude\">前&x;后"
                            "<xi:include href=\"file://" +
                            path + "\" parse=\"text\"/></d>";
    const auto document = ExtractXml(xml);
    ASSERT_TRUE(document) << document.error().message;
    EXPECT_THAT(document->text, Not(HasSubstr("秘密")));
    EXPECT_THAT(document->text, HasSubstr("前后"));
  }
}

TEST(HostileOffice, DeepElementsAreRefused) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<w:tbl>";
  const auto document = ExtractDocx(MakeWord(deep));
  EXPECT_EQ(document.error().code, ErrorCode::kUnreadable);
  std::string rows;
  for (int i = 0; i < 60; ++i) rows += "<w:tbl><w:tr><w:tc>";
  rows += "<w:p><w:r><w:t>底</w:t></w:r></w:p>";
  for (int i = 0; i < 60; ++i) rows += "</w:tc></w:tr></w:tbl>";
  EXPECT_EQ(ExtractDocx(MakeWord(rows)).value().text, "底");
}

TEST(HostileOffice, AttributesAndNamespacesAreLimited) {
  std::string many, spaces, open;
  for (int i = 0; i < 300; ++i) many += " a" + std::to_string(i) + "='='";
  EXPECT_EQ(ExtractXml("<d" + many + ">x</d>").error().code, ErrorCode::kExhausted);
  EXPECT_EQ(ExtractXml("<d x='<' y=''>").error().code, ErrorCode::kUnreadable);
  EXPECT_TRUE(ExtractXml("<d a='" + std::string(1000, '=') + "'>" + many + "</d>"));
  for (int i = 0; i < 200; ++i) spaces += " xmlns:a" + std::to_string(i) + "='u'";
  for (int i = 0; i < 3; ++i) open += "<e" + spaces + ">";
  EXPECT_EQ(ExtractXml(open + "x</e></e></e>").error().code, ErrorCode::kExhausted);
  EXPECT_TRUE(
      ExtractXml("<d><e" + spaces + ">x</e><e" + spaces + ">y</e><e" + spaces + ">z</e></d>"));
  // Attributes that a document defines for every element are not given to them.
  EXPECT_EQ(ExtractXml("<?xml version='1.0'?><!DOCTYPE d [<!ATTLIST d a CDATA 'v'>]><d>x</d>")
                .value()
                .text,
            "x");
}

TEST(HostileOffice, LongStringsInManyCellsAreLimited) {
  const std::string space =
      "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" "
      "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
  std::string rows;
  for (int i = 0; i < 2000; ++i) rows += "<row><c t=\"s\"><v>0</v></c></row>";
  const std::string workbook = MakeZip(
      {{"[Content_Types].xml", "<Types/>"},
       {"_rels/.rels", MakeRelationships({{"officeDocument", "xl/workbook.xml"}})},
       {"xl/_rels/workbook.xml.rels",
        MakeRelationships({{"worksheet", "s.xml"}, {"sharedStrings", "t.xml"}})},
       {"xl/workbook.xml",
        "<workbook " + space + "><sheets><sheet r:id=\"rId1\"/></sheets></workbook>"},
       {"xl/s.xml", "<worksheet " + space + "><sheetData>" + rows + "</sheetData></worksheet>"},
       {"xl/t.xml", "<sst " + space + "><si><t>" + std::string(1 << 20, 'x') + "</t></si></sst>"}});
  EXPECT_EQ(ExtractXlsx(workbook).error().code, ErrorCode::kExhausted);
}

TEST(HostileOffice, ANoteIsReadOnce) {
  std::string body;
  for (int i = 0; i < 1000; ++i) {
    body += "<w:p><w:r><w:footnoteReference w:id=\"1\"/></w:r></w:p>";
  }
  const std::string note = std::string(1 << 20, 'x');
  const auto document =
      ExtractDocx(MakeWord(body, {{"footnotes", "<w:footnote w:id=\"1\"><w:p><w:r><w:t>" + note +
                                                    "</w:t></w:r></w:p></w:footnote>"}}));
  EXPECT_EQ(document.value().text, note);
}

}  // namespace
}  // namespace zhiwen
