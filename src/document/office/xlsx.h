#ifndef ZHIWEN_DOCUMENT_OFFICE_XLSX_H_
#define ZHIWEN_DOCUMENT_OFFICE_XLSX_H_

// The text of a workbook (XLSX, XLSM): ECMA-376, in both its namespaces.
//
// In          the bytes of the file
// Out         ExtractedDocument of the type kXlsx. Its members are the sheets in their order; each
//             row with a value is a line, its values parted by tabs
// Guarantees  values are those that the file stores: of formulas their last result, numbers with up
//             to 15 digits. Numbers that a sheet shows as dates are dates of ISO 8601. Comments,
//             charts, text boxes, headers and readings of characters are left out
// Cost        the sheets unpacked, one at a time, their text and the shared strings
// Threads     free function
// Fails       as zip_archive.h and xml_reader.h; kExhausted: a text of more than kMostUnpackedBytes

#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

Result<ExtractedDocument> ExtractXlsx(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_XLSX_H_
