#ifndef ZHIWEN_DOCUMENT_HTML_HTML_ENTITY_TABLE_H_
#define ZHIWEN_DOCUMENT_HTML_HTML_ENTITY_TABLE_H_

// The named character references of the HTML standard.

#include <span>
#include <string_view>

namespace zhiwen {

struct HtmlEntity {
  std::string_view name;   // "amp;"; some old ones are also there without the semicolon
  std::string_view value;  // in UTF-8
};

// Returns all of them, sorted by the bytes of the name.
std::span<const HtmlEntity> HtmlEntityTable();

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_HTML_ENTITY_TABLE_H_
