#ifndef ZHIWEN_DOCUMENT_OFFICE_XML_READER_H_
#define ZHIWEN_DOCUMENT_OFFICE_XML_READER_H_

// Elements and texts of an XML document, in their order.
//
// In          the bytes of a document, in any encoding that document/decoded_text.h knows; an
// XmlVisitor Out         calls of the visitor: begins and ends of elements with where they stand in
// the bytes Guarantees  nothing is read but these bytes: no network, no file, no external
// definition. What
//             a document defines as an entity is not put in, and a reference to it says nothing.
//             Texts are UTF-8. Elements nest at most 256 deep, and have at most 256 attributes
// Cost        linear: about 200 MB/s; memory for the deepest element
// Threads     free function
// Fails       kUnreadable: not well-formed, with the line; nested deeper · kExhausted: is_full,
//             attributes or namespaces without end

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

struct XmlAttribute {
  std::string_view space, local, value;  // "w", "val", "Heading1"
};

// Names have the prefix that is usual for their namespace, whichever the document chose: "w:p".
// Names of unknown namespaces, and of none, have none: "p".
struct XmlElement {
  std::string_view name;
  std::span<const XmlAttribute> attributes;
  uint64_t begin = 0;  // of its "<" in the bytes

  // The value of an attribute, "w:val" or "val"; nothing where it has none.
  std::optional<std::string_view> Find(std::string_view attribute) const;
  // The same, empty where it has none.
  std::string_view Value(std::string_view attribute) const {
    return Find(attribute).value_or(std::string_view());
  }
};

// Views are valid during the call.
class XmlVisitor {
 public:
  virtual ~XmlVisitor() = default;
  virtual void Begin(const XmlElement& element) = 0;
  virtual void Text(std::string_view text) = 0;
  // `end` is behind the ">" of the element.
  virtual void End(std::string_view name, uint64_t end) = 0;
  // Whether it has more blocks than a document may have: the rest is not read then.
  virtual bool is_full() const { return false; }
};

// Reads `bytes`; messages call them `what`: "word/document.xml".
Status ReadXml(std::string_view bytes, std::string_view what, XmlVisitor& visitor);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_XML_READER_H_
