#ifndef ZHIWEN_PIPELINE_WORD_READ_WORD_TEST_SUPPORT_H_
#define ZHIWEN_PIPELINE_WORD_READ_WORD_TEST_SUPPORT_H_

// Reads a Word file with libxml2, for tests: fails the test unless each part is XML and each row of
// a table is as wide as the table.

#include <libxml/parser.h>
#include <libxml/tree.h>

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/compress/stored_zip.h"

namespace zhiwen {

struct ReadWordRun {
  std::string text;
  std::string ink = "black";  // "red", "underlined"

  friend bool operator==(const ReadWordRun&, const ReadWordRun&) = default;
  friend void PrintTo(const ReadWordRun& run, std::ostream* out) {
    *out << run.ink << " " << run.text;
  }
};

struct ReadWordFile {
  std::string text;  // paragraphs are lines
  // A row of a table: its cells, each of which is runs.
  std::vector<std::vector<std::vector<ReadWordRun>>> rows;
};

class WordReader {
 public:
  static ReadWordFile Read(std::string_view docx) {
    ReadWordFile read;
    const auto members = ReadStoredZip(docx);
    EXPECT_TRUE(members) << members.error().message;
    if (!members) return read;
    for (const StoredMember& member : *members) {
      EXPECT_TRUE(member.has_checksum);
      const std::unique_ptr<xmlDoc, decltype(&xmlFreeDoc)> xml(
          xmlReadMemory(member.bytes.data(), static_cast<int>(member.bytes.size()), nullptr,
                        nullptr, XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOBLANKS),
          &xmlFreeDoc);
      EXPECT_TRUE(xml) << member.path;
      if (xml && member.path == "word/document.xml") Walk(xmlDocGetRootElement(xml.get()), read);
    }
    return read;
  }

 private:
  static std::string NameOf(const xmlNode* node) {
    return reinterpret_cast<const char*>(node->name);
  }

  static size_t CountOf(xmlNode* node, const std::string& name) {
    size_t count = 0;
    for (xmlNode* at = node->children; at != nullptr; at = at->next) count += NameOf(at) == name;
    return count;
  }

  static void Walk(xmlNode* node, ReadWordFile& read) {
    const std::string name = NameOf(node);
    if (name == "tblGrid") columns_ = CountOf(node, "gridCol");
    if (name == "tr") read.rows.emplace_back();
    if (name == "tc") {
      read.rows.back().emplace_back();
      EXPECT_EQ(NameOf(node->last), "p");
    }
    if (name == "r") WalkRun(node, read);
    for (xmlNode* at = node->children; at != nullptr; at = at->next) {
      if (at->type == XML_ELEMENT_NODE && name != "r") Walk(at, read);
    }
    if (name == "p") read.text += '\n';
    const size_t cells = name == "tr" ? read.rows.back().size() : columns_;
    EXPECT_TRUE(cells == columns_ || cells == 1);  // one cell: as wide as the table
  }

  static void WalkRun(xmlNode* run, ReadWordFile& read) {
    ReadWordRun out;
    for (xmlNode* at = run->children; at != nullptr; at = at->next) {
      if (NameOf(at) == "br") out.text += '\n';
      if (NameOf(at) == "tab") out.text += '\t';
      if (NameOf(at) == "rPr") out.ink = CountOf(at, "u") > 0 ? "underlined" : "red";
      if (NameOf(at) != "t") continue;
      const std::unique_ptr<xmlChar, void (*)(void*)> content(xmlNodeGetContent(at), xmlFree);
      out.text += reinterpret_cast<const char*>(content.get());
    }
    read.text += out.text;
    xmlNode* const cell = run->parent->parent;
    if (NameOf(cell) == "tc") read.rows.back().back().push_back(out);
  }

  static inline size_t columns_ = 0;  // of the table that is read
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_WORD_READ_WORD_TEST_SUPPORT_H_
