#ifndef ZHIWEN_DOCUMENT_OFFICE_DOCX_NUMBERING_H_
#define ZHIWEN_DOCUMENT_OFFICE_DOCX_NUMBERING_H_

// The numbers that Word writes before paragraphs: 第一章, 一、, （一）, 1.1. They are in no text of
// the file; lists define them, and paragraphs are counted.
//
// In          word/numbering.xml, word/styles.xml; then the paragraphs of a document in their order
// Out         what stands before each paragraph
// Guarantees  counts as ECMA-376, 17.9, says: levels restart below a higher one, several lists may
//             share their counts, and a list may begin anew
// Cost        the definitions; a paragraph: the length of its number
// Threads     one at a time
// Fails       as xml_reader.h

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr size_t kListLevels = 9;

// The list and level of a paragraph, as it or its style says; list 0 is none.
struct ListPlace {
  std::optional<int64_t> list;
  std::optional<int64_t> level;  // 0 to 8
};

struct ListLevel {
  std::string format = "decimal";  // "chineseCounting"
  std::string pattern;             // "第%1章"
  std::string style;               // of the paragraphs that are of this level without saying so
  int64_t start = 1;
  std::optional<int64_t> restart;  // below this level, from 1; 0: never
  bool is_decimal = false;         // all numbers in its pattern are
  bool has_space = true;           // between number and text
};

// A definition that lists share, with their counts.
struct ListDefinition {
  std::array<ListLevel, kListLevels> levels;
  std::array<std::optional<int64_t>, kListLevels> counts;
  std::string style_link;  // the style whose list has the levels
};

struct NumberedList {
  int64_t definition = 0;
  std::array<std::optional<int64_t>, kListLevels> starts;  // that the first paragraph begins with
  std::map<size_t, ListLevel> levels;                      // in place of the definition's
};

class DocxNumbering {
 public:
  // Reads the bytes of word/numbering.xml.
  Status Read(std::string_view xml);

  // The list that a style of lists stands for: definitions may name the style only.
  void LinkStyle(const std::string& style, int64_t list) { style_lists_[style] = list; }

  // Which level of `list` paragraphs of `style` have; 0 where none says so.
  int64_t LevelOfStyle(int64_t list, std::string_view style) const;

  // Counts a paragraph, and returns what stands before it, the space behind that included; empty
  // where the list has bullets, or is not there.
  std::string NextNumber(int64_t list, int64_t level);

 private:
  friend class NumberingVisitor;

  ListDefinition* FindDefinition(int64_t list);
  const ListDefinition* FindDefinition(int64_t list) const;
  std::string Label(const NumberedList& list, const ListDefinition& definition, size_t level) const;

  std::map<int64_t, ListDefinition> definitions_;
  std::map<int64_t, NumberedList> lists_;
  std::map<std::string, int64_t> style_lists_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_DOCX_NUMBERING_H_
