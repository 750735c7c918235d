#ifndef ZHIWEN_PIPELINE_WORD_WORD_FILE_H_
#define ZHIWEN_PIPELINE_WORD_WORD_FILE_H_

// Word files (DOCX). They are made of the HTML that pages are made of, so that both have the same
// words, and texts by anyone become XML through run_report/html_text.h alone.
//
// In          content of elements as page_words.h and html_text.h make it: its tags are left out,
//             its lines and tabs are kept, and names of control characters stand in brackets
// Out         WordprocessingML; and a file of it
// Guarantees  valid XML, whatever a text has; the same content gives the same bytes
// Cost        linear; the file is held in memory, uncompressed
// Threads     free functions; a table is used by one thread at a time
// Fails       PackWordFile: kExhausted for more than kMostZipBytes (base/compress/stored_zip.h)

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/output_file.h"
#include "pipeline/run_report/page_words.h"
#include "zhiwen/result.h"

namespace zhiwen {

// How text looks: black; red; red and underlined.
enum class WordInk : uint8_t { kText, kSame, kDisguised };

std::string WordRun(std::string_view html, WordInk ink = WordInk::kText);

// Chinese and English, or one of them where they are the same.
std::string WordRun(const Words& words, std::string_view between = " / ");

// "Title", "Heading1", "Heading2", "Note", or "Normal"; `runs` as WordRun returns them.
std::string WordParagraph(std::string_view style, std::string_view runs);

class WordTable {
 public:
  // `percents` are the widths of the columns, together 100.
  explicit WordTable(std::vector<int> percents);

  // Cells are runs, one for each column. The first row of a table with a head is repeated on every
  // page.
  void AddHead(std::initializer_list<std::string> cells);
  void AddRow(std::initializer_list<std::string> cells);

  // Adds one cell that is as wide as the table, and stays on the page of the next row.
  void AddHeading(std::string_view runs);

  std::string Take();

 private:
  void Add(std::string_view row, std::string_view style, std::initializer_list<std::string> cells);

  std::vector<int> widths_;
  std::string out_;
};

// Returns the bytes of a file with these paragraphs and tables.
Result<std::string> PackWordFile(std::string_view body);

// The files of PackWordFile, and no others.
OutputFileKind WordFileKind();

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_WORD_WORD_FILE_H_
