#ifndef ZHIWEN_DOCUMENT_OFFICE_OPEN_DOCUMENT_H_
#define ZHIWEN_DOCUMENT_OFFICE_OPEN_DOCUMENT_H_

// The text of OpenDocument files: texts (ODT, OTT), spreadsheets (ODS, OTS) and presentations (ODP,
// OTP): ISO/IEC 26300.
//
// In          the bytes of the file, and which of the three it is
// Out         ExtractedDocument of this type. Its member is "content.xml", and sources are the
//             elements of paragraphs and rows in it
// Guarantees  paragraphs in their order; headings have their outline level, titles of slides are
//             headings of level 1, and notes stand behind their slide. A row of a table is one
//             line, its cells parted by tabs; a row of one cell is what is in it. Notes and text
//             boxes stand behind the paragraph that they belong to. Comments, deleted text, headers
//             and footers are left out, and numbers of headings and lists that the file has no text
//             for. Rows of spreadsheets are as open_document_sheets.h makes them
// Cost        the parts unpacked, one at a time, and their text
// Threads     free function
// Fails       as zip_archive.h and xml_reader.h

#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

// `type` is kOdt, kOds or kOdp.
Result<ExtractedDocument> ExtractOpenDocument(std::string_view bytes, DocumentType type);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_OPEN_DOCUMENT_H_
