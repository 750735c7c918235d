#ifndef ZHIWEN_DOCUMENT_OFFICE_EPUB_H_
#define ZHIWEN_DOCUMENT_OFFICE_EPUB_H_

// The text of a book (EPUB 2 and 3).
//
// In          the bytes of the file
// Out         ExtractedDocument of the type kEpub. Its members are the pages of the book in the
//             order of reading (the spine)
// Guarantees  all text of every page, and what hides it from readers left out; the page that is a
//             table of contents only (nav) is left out. What the book says of itself is that of its
//             package
// Cost        the pages unpacked, one at a time, and their text
// Threads     free function
// Fails       as zip_archive.h and xml_reader.h; kUnreadable: encrypted

#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

Result<ExtractedDocument> ExtractEpub(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_EPUB_H_
