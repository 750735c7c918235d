#ifndef ZHIWEN_DOCUMENT_OFFICE_XML_TEXT_H_
#define ZHIWEN_DOCUMENT_OFFICE_XML_TEXT_H_

// The text of an XML document of any kind.
//
// In          the bytes of a document
// Out         ExtractedDocument of the type kXml: a block for each element that has text of its
//             own, with that of the elements inside of it. What elements named title, head, heading
//             say are headings, of the level of the sections around them (DocBook, TEI, JATS)
// Guarantees  every text once, in its order. Attributes, comments, instructions and what the
//             document defines (entities) are left out
// Cost        about 100 MB/s; the document and its text in memory
// Threads     free function
// Fails       as xml_reader.h

#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns whether a file begins with the declaration of XML, and is no web page.
bool BeginsAsXml(std::string_view head);

Result<ExtractedDocument> ExtractXml(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_XML_TEXT_H_
