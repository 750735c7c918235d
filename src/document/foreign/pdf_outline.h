#ifndef ZHIWEN_DOCUMENT_FOREIGN_PDF_OUTLINE_H_
#define ZHIWEN_DOCUMENT_FOREIGN_PDF_OUTLINE_H_

// The outline of a PDF file, which viewers show as bookmarks beside its pages, and the lines of the
// pages on which its titles stand.
//
// In          the bytes of a file; the text of one of its pages
// Out         titles with their pages and levels; stretches of the text that are headings
// Guarantees  of an outline the first kMostOutlineTitles are read; levels below the ninth count as
//             the ninth
// Cost        MayHavePdfOutline: a search in the bytes. ReadPdfOutline: a process, about 10 ms.
//             FindHeadings: a search in the page for each of its titles, in at most
//             kMostHeadingPageBytes
// Threads     free functions
// Fails       ReadPdfOutline: as foreign_program.h; kUnreadable also for titles that nest more than
//             256 deep

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr size_t kMostOutlineTitles = 10'000;
inline constexpr size_t kMostHeadingPageBytes = 65'536;  // pages of print have a tenth of that

struct OutlineTitle {
  std::string text = {};
  uint64_t page = 0;  // from 1
  uint8_t level = 1;  // from 1, the highest, to 9
};

// Returns false where the catalog of the file has no outline. Where the catalog is compressed, its
// entries are unknown, and the answer is true.
bool MayHavePdfOutline(std::string_view bytes);

// The titles that lead to a page, in the order of the outline.
Result<std::vector<OutlineTitle>> ReadPdfOutline(std::string_view bytes);

// Whole lines of a text.
struct HeadingLines {
  size_t begin = 0, end = 0;  // bytes; the end is in front of the line end
  uint8_t level = 1;
};

// Finds the lines of `page` that say a title: the same letters and digits, whatever the blanks,
// marks, widths and cases of letters. A title may go on over several lines, and a number may stand
// in front of one of both only. Each title is looked for behind the one before it. Returns them in
// the order of the page; none for a page of more than kMostHeadingPageBytes.
std::vector<HeadingLines> FindHeadings(std::string_view page, std::span<const OutlineTitle> titles);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_FOREIGN_PDF_OUTLINE_H_
