#ifndef ZHIWEN_DOCUMENT_OFFICE_PPTX_H_
#define ZHIWEN_DOCUMENT_OFFICE_PPTX_H_

// The text of a presentation (PPTX): ECMA-376, in both its namespaces.
//
// In          the bytes of the file
// Out         ExtractedDocument of the type kPptx. Its members are the slides in their order, each
//             with its notes behind it
// Guarantees  titles of slides are headings of level 1, a row of a table is one line. Masters,
//             layouts, comments, charts and diagrams are left out
// Cost        the slides unpacked, one at a time, and their text
// Threads     free function
// Fails       as zip_archive.h and xml_reader.h

#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

Result<ExtractedDocument> ExtractPptx(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_PPTX_H_
