#ifndef ZHIWEN_DOCUMENT_HTML_WEB_PAGE_H_
#define ZHIWEN_DOCUMENT_HTML_WEB_PAGE_H_

// The body of a web page: its text without navigation, advertisements, comments and lists of other
// pages; and what the page says about it.
//
// In          the bytes of an HTML page in any encoding of document/decoded_text.h; the encoding
// that
//             its server says, if any
// Out         ExtractedDocument of the type kHtml
// Guarantees  every page has a result. The text is empty only where no block of the page has a
//             word, and the kind says so. Each block of the text leads back to the bytes of the
//             page that it was read from
// Cost        one pass: hundreds of megabytes a second of UTF-8, half as many of other encodings;
//             linear for any tags
// Threads     free function
// Fails       as zhiwen/extract.h

#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

Result<ExtractedDocument> ExtractWebPage(std::string_view bytes, const DocumentHints& hints = {});

// The same of all text of a page that is not hidden: of a page of a book, which has nothing around
// its body.
Result<ExtractedDocument> ExtractWholePage(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_WEB_PAGE_H_
