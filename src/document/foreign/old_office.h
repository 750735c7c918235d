#ifndef ZHIWEN_DOCUMENT_FOREIGN_OLD_OFFICE_H_
#define ZHIWEN_DOCUMENT_FOREIGN_OLD_OFFICE_H_

// The text of documents of Word, Excel and PowerPoint in the files of versions before 2007, as
// programs of others find it.
//
// In          the bytes of an OLE file
// Out         ExtractedDocument of the type kDoc (antiword; catdoc where antiword is not installed
//             or gives up), kXls (xls2csv) or kPpt (catppt): a block for each paragraph, for each
//             row of a sheet, for each line of a slide; title, author and date as the file says
//             (ole_properties.h)
// Guarantees  the type is that of the document in the root of the file; what a program makes
//             another text of each time has none
// Cost        two processes for each file, about 10 ms
// Threads     free functions
// Fails       as foreign_program.h · kUnreadable: encrypted · kInvalidArgument: none of the three

#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

Result<ExtractedDocument> ExtractOldOffice(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_FOREIGN_OLD_OFFICE_H_
