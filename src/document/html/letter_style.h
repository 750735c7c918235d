#ifndef ZHIWEN_DOCUMENT_HTML_LETTER_STYLE_H_
#define ZHIWEN_DOCUMENT_HTML_LETTER_STYLE_H_

// What <font> and the attribute `style` say of the letters inside an element.
//
// In          a start tag, and what holds around it
// Out         BlockStyle: sizes in pixels, where a page that says none has 16; 0 and false where
//             nothing is said around it either
// Cost        linear in the attributes
// Threads     free functions
// Not for     classes: style sheets are not read

#include "document/html/html_scanner.h"
#include "document/html/html_tag.h"
#include "zhiwen/extract.h"

namespace zhiwen {

BlockStyle ReadLetterStyle(HtmlTag tag, const HtmlAttributes& attributes, const BlockStyle& around);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_LETTER_STYLE_H_
