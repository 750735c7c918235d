#ifndef ZHIWEN_DOCUMENT_OFFICE_DOCX_H_
#define ZHIWEN_DOCUMENT_OFFICE_DOCX_H_

// The text of a Word document (DOCX, DOCM): ECMA-376, in both its namespaces.
//
// In          the bytes of the file
// Out         ExtractedDocument of the type kDocx. Its member is the part with the body,
//             "word/document.xml", and sources are the elements of paragraphs and rows in it
// Guarantees  paragraphs in their order, with the numbers that Word makes (docx_numbering.h). A row
//             of a table is one line, its cells parted by tabs; a row of one cell is what is in it.
//             Text boxes and notes stand behind the paragraph that they belong to, headers and
//             footers at the end of their section, each once; the source of what is in another part
//             is the reference to it. What tracked changes deleted, codes of fields, hidden text
//             and comments are left out
// Cost        the parts unpacked, one at a time, and their text: about 100 MB/s
// Threads     free function
// Fails       as zip_archive.h and xml_reader.h

#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

Result<ExtractedDocument> ExtractDocx(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_DOCX_H_
