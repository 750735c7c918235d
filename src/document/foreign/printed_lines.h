#ifndef ZHIWEN_DOCUMENT_FOREIGN_PRINTED_LINES_H_
#define ZHIWEN_DOCUMENT_FOREIGN_PRINTED_LINES_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "document/office/office_text.h"

namespace zhiwen {

// The paragraphs of a text whose lines are those of printed pages. An empty line parts paragraphs,
// and so does the end of a page. A line goes on in the next one when it reaches nearly as far as
// the longest of its group, and the next one does not begin as an item or a chapter does.
std::vector<OfficeBlock> ParagraphsOfPrintedLines(std::string_view text);

// All lines of `text` as one heading.
OfficeBlock HeadingOfPrintedLines(std::string_view text, uint8_t level);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_FOREIGN_PRINTED_LINES_H_
