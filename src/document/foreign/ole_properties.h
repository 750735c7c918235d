#ifndef ZHIWEN_DOCUMENT_FOREIGN_OLE_PROPERTIES_H_
#define ZHIWEN_DOCUMENT_FOREIGN_OLE_PROPERTIES_H_

// What an OLE file says of its document: the stream "SummaryInformation" of [MS-OLEPS].
//
// In          the bytes of the stream
// Out         title, author, and the date when the document was made, or else last saved, in UTC as
//             ISO 8601: "2004-05-01T08:30:00Z"; empty where it says nothing
// Guarantees  ends on every input; of a text the first 4096 bytes are read; it is one line
// Cost        linear in the stream
// Threads     free function

#include <string>
#include <string_view>

namespace zhiwen {

struct OleProperties {
  std::string title, author, date;
};

OleProperties ReadOleProperties(std::string_view stream);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_FOREIGN_OLE_PROPERTIES_H_
