#ifndef ZHIWEN_DOCUMENT_OFFICE_OFFICE_TYPE_H_
#define ZHIWEN_DOCUMENT_OFFICE_OFFICE_TYPE_H_

#include <optional>
#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The type of a zip archive of which `head` is the beginning, by the names of the members there;
// nothing where none of them tells.
std::optional<DocumentType> DetectOfficeType(std::string_view head);

// Whether a zip archive of which `head` is the beginning may be an office file or a book: its type
// is known, or its first members are such as these have beside their text.
bool BeginsAsPackage(std::string_view head);

// The text of a document that is packed in a zip archive, of the type that its directory shows.
// Fails: kInvalidArgument for other archives; as zip_archive.h and xml_reader.h.
Result<ExtractedDocument> ExtractPackedDocument(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_OFFICE_TYPE_H_
