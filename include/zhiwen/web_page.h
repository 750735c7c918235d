#ifndef ZHIWEN_WEB_PAGE_H_
#define ZHIWEN_WEB_PAGE_H_

// The body of a web page: its text without navigation, advertisements, comments and lists of other
// pages; and what the page says about it.
//
// In          the bytes of an HTML page in any encoding of zhiwen/text_encoding.h, or Windows-1252
// Out         WebPage
// Guarantees  every page has a result. The text is empty only where no block of the page has a
//             word, and the kind says so. Each block of the text leads back to the bytes of the
//             page that it was read from. Equal bytes give equal results on every machine
// Cost        one pass: hundreds of megabytes a second of UTF-8, half as many of other encodings;
//             linear for any tags. Memory: the page in UTF-8 and 200 bytes for each of its blocks
// Threads     free function; share nothing
// Fails       kUnavailable: the C library cannot convert the encoding · kExhausted: the page has
//             more than 1 GiB
// Not for     pages whose text a script makes: they are kEmpty, or what stands in their HTML

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/offsets.h"
#include "zhiwen/result.h"

namespace zhiwen {

enum class PageKind : uint8_t {
  kArticle,     // the page has a text
  kEmpty,       // it has none
  kObfuscated,  // more than one character in a hundred has a meaning in a font of the page only
};

// "article", "empty" or "obfuscated".
std::string_view PageKindName(PageKind kind);

// A line of the text.
struct PageBlock {
  ByteSpan text;             // in WebPage::text
  ByteSpan source;           // in the bytes of the page; tags between its characters are inside
  std::string_view element;  // around it: "p", "h2"; "" where there is none
};

struct WebPage {
  PageKind kind = PageKind::kEmpty;
  std::string text;  // in UTF-8; a line for each block, the last one without a line end
  std::vector<PageBlock> blocks;
  double share = 0;  // of the page's words that are in the text
  // As the page says; empty where it does not.
  std::string title, author, date, site, url, language;
  std::string encoding;           // "gb18030"
  std::string declared_encoding;  // as the page writes it
  uint64_t encoding_errors = 0;   // places that could not be decoded; U+FFFD stands there
};

Result<WebPage> ExtractWebPage(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_WEB_PAGE_H_
