#ifndef ZHIWEN_DOCUMENT_FOREIGN_RTF_H_
#define ZHIWEN_DOCUMENT_FOREIGN_RTF_H_

// The text of an RTF file, read here: the programs that there are lose Chinese.
//
// In          the bytes of a file
// Out         ExtractedDocument of the type kRtf: a block for each paragraph, heading (of an
//             outline level) and row of a table; title, author and date of its information
// Guarantees  characters are those of the code page of their font, or of the document; those that
//             are given twice, in Unicode and for old readers, count once. Hidden and deleted text,
//             pictures, instructions of fields and groups that only other programs know are left
//             out, and so is what an object shows. A cut file has the text before the cut
// Cost        about 100 MB/s
// Threads     free functions
// Fails       as SetBlocks
// Not for     numbers of lists that are not written into the file

#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns whether a file begins as RTF files do.
bool BeginsAsRtf(std::string_view head);

Result<ExtractedDocument> ExtractRtf(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_FOREIGN_RTF_H_
