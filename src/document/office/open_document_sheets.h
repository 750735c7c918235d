#ifndef ZHIWEN_DOCUMENT_OFFICE_OPEN_DOCUMENT_SHEETS_H_
#define ZHIWEN_DOCUMENT_OFFICE_OPEN_DOCUMENT_SHEETS_H_

// The rows of the sheets of an OpenDocument spreadsheet.
//
// In          its content.xml
// Out         a block for each row with a value, its values parted by tabs
// Guarantees  values are those that the file stores, as xlsx.h shows them: the same sheets are the
//             same text in both formats, but for parts of seconds. A cell or a row that repeats is
//             there as often as the file says, up to kMostRepeats times, beyond which it is
//             counted as cut; an empty one never.
//             Comments, charts, drawings and cells that others cover are left out
// Cost        linear in the XML and in the text
// Threads     free function
// Fails       as xml_reader.h; kExhausted: more than kMostOfficeBlocks rows, or a text of more than
//             kMostUnpackedBytes

#include <cstdint>
#include <string_view>
#include <vector>

#include "document/office/office_text.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr int64_t kMostRepeats = 1000;

struct SheetRows {
  std::vector<OfficeBlock> rows;
  uint64_t cut = 0;  // cells and rows with a value that repeat more often than they are there
};

// Reads `xml`; messages call it `what`.
Result<SheetRows> ReadSheetRows(std::string_view xml, std::string_view what);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_OPEN_DOCUMENT_SHEETS_H_
