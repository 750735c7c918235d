#ifndef ZHIWEN_DOCUMENT_OFFICE_ODT_H_
#define ZHIWEN_DOCUMENT_OFFICE_ODT_H_

// The text of an OpenDocument text (ODT, OTT): ISO/IEC 26300.
//
// In          the bytes of the file
// Out         ExtractedDocument of the type kOdt. Its member is "content.xml", and sources are the
//             elements of paragraphs and rows in it
// Guarantees  paragraphs in their order; headings have their outline level. A row of a table is one
//             line, its cells parted by tabs; a row of one cell is what is in it. Notes and text
//             boxes stand behind the paragraph that they belong to. Comments, deleted text, headers
//             and footers are left out, and numbers of headings and lists that the file has no text
//             for
// Cost        the parts unpacked, one at a time, and their text
// Threads     free function
// Fails       as zip_archive.h and xml_reader.h

#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

Result<ExtractedDocument> ExtractOdt(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_ODT_H_
