#ifndef ZHIWEN_TESTS_SUPPORT_ZIP_BUILDER_H_
#define ZHIWEN_TESTS_SUPPORT_ZIP_BUILDER_H_

// Zip archives for tests, and the office documents that are made of them.

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <zip.h>

namespace zhiwen {

using ZipMembers = std::vector<std::pair<std::string, std::string>>;  // paths and bytes

inline std::string MakeZip(const ZipMembers& members) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_t* const archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  zip_source_keep(target);
  for (const auto& [path, bytes] : members) {
    zip_source_t* const source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    const zip_int64_t index = zip_file_add(archive, path.c_str(), source, ZIP_FL_ENC_UTF_8);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index),
                             path == "mimetype" ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 0);
  }
  EXPECT_EQ(zip_close(archive), 0);
  zip_stat_t stat;
  EXPECT_EQ(zip_source_stat(target, &stat), 0);
  std::string bytes(stat.size, '\0');
  EXPECT_EQ(zip_source_open(target), 0);
  EXPECT_EQ(zip_source_read(target, bytes.data(), stat.size), static_cast<zip_int64_t>(stat.size));
  zip_source_close(target);
  zip_source_free(target);
  return bytes;
}

inline constexpr const char* kWordSpaces =
    "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" "
    "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" "
    "xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\"";

inline std::string MakeRelationships(
    const std::vector<std::pair<std::string, std::string>>& kinds) {
  std::string xml =
      "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">";
  int number = 0;
  for (const auto& [kind, target] : kinds) {
    xml += "<Relationship Id=\"rId" + std::to_string(++number) +
           "\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/" + kind +
           "\" Target=\"" + target + "\"/>";
  }
  return xml + "</Relationships>";
}

// A Word document with this in its body; `parts` are elements of word/NAME.xml by NAME: "styles",
// "numbering", "footnotes", "header1". Their ids are rId1, rId2, … in this order.
inline ZipMembers WordMembers(const std::string& body, const ZipMembers& parts = {}) {
  ZipMembers members = {
      {"[Content_Types].xml", "<Types/>"},
      {"_rels/.rels", MakeRelationships({{"officeDocument", "word/document.xml"}})},
      {"word/document.xml",
       std::string("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<w:document ") + kWordSpaces +
           "><w:body>" + body + "</w:body></w:document>"}};
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const auto& [name, inside] : parts) {
    const std::string kind = name.substr(0, name.find_first_of("0123456789"));
    const std::string root = kind == "header" ? "w:hdr" : kind == "footer" ? "w:ftr" : "w:" + kind;
    kinds.emplace_back(kind, name + ".xml");
    members.emplace_back("word/" + name + ".xml",
                         "<" + root + " " + kWordSpaces + ">" + inside + "</" + root + ">");
  }
  members.emplace_back("word/_rels/document.xml.rels", MakeRelationships(kinds));
  return members;
}

inline std::string MakeWord(const std::string& body, const ZipMembers& parts = {}) {
  return MakeZip(WordMembers(body, parts));
}

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_ZIP_BUILDER_H_
