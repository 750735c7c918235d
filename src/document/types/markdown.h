#ifndef ZHIWEN_DOCUMENT_TYPES_MARKDOWN_H_
#define ZHIWEN_DOCUMENT_TYPES_MARKDOWN_H_

#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The text of a Markdown file (CommonMark with the tables of GitHub) without its marks: headings
// with their levels, items of lists with the number of lists around them, rows of tables with tabs
// between cells, lines of code, quotes, paragraphs. Texts of links stay; pictures and HTML are left
// out, and blocks of HTML are told in a note. Title, author, date and language are those of the
// front matter, lines of "key: value" between two lines of ---. The sources of blocks begin and end
// with their characters.
Result<ExtractedDocument> ExtractMarkdown(std::string_view bytes, const DocumentHints& hints);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_TYPES_MARKDOWN_H_
