#ifndef ZHIWEN_DOCUMENT_OFFICE_DOCX_STYLES_H_
#define ZHIWEN_DOCUMENT_OFFICE_DOCX_STYLES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "document/office/docx_numbering.h"
#include "zhiwen/result.h"

namespace zhiwen {

// What a style says of its paragraphs, what it inherits included.
struct DocxStyle {
  std::optional<uint8_t> heading;  // level, 1 to 9; 0: no heading
  ListPlace place;
};

// The paragraph styles of word/styles.xml.
class DocxStyles {
 public:
  // Reads the bytes of word/styles.xml. Fails as xml_reader.h.
  Status Read(std::string_view xml);

  // The style of an id, or what holds for paragraphs that name none (an empty id).
  DocxStyle Find(std::string_view id) const;

  // Calls visit(id, list) for each style that has a list.
  void VisitLists(const std::function<void(const std::string&, int64_t)>& visit) const;

 private:
  friend class StylesVisitor;

  struct Style {
    std::string name, base;
    std::optional<int64_t> outline;  // 0 to 8; 9: body text
    ListPlace place;
  };

  std::map<std::string, Style, std::less<>> styles_;
  std::string default_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_DOCX_STYLES_H_
