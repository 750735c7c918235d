#ifndef ZHIWEN_DOCUMENT_HTML_PAGE_FACTS_H_
#define ZHIWEN_DOCUMENT_HTML_PAGE_FACTS_H_

// What a page says about its body: title, author, date, site, address, language, and where it goes
// on.
//
// In          a page and the blocks of its body
// Out         texts in UTF-8; empty where the page says nothing
// Guarantees  the title is the headline of linked data; or og:title or the first h1, where <title>
//             contains it, or then the first line of the body; or the longest part of <title>
//             between _ | - and dashes with blanks. The date is
//             that of linked data or of a meta element as written, or the nearest one to the
//             beginning of the body, as 2024-05-01. The author is named by linked data, by a meta
//             element, or by 作者： near the beginning of the body
// Cost        linear in the facts, and in a few blocks
// Threads     free function

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "document/html/html_page.h"

namespace zhiwen {

struct PageFacts {
  std::string title, author, date, site, url, language, next;
};

// Returns the first date in a text, 2012-01-11, 2012/1/11, 2012.1.11 or 2012年1月11日, as
// 2012-01-11.
std::string FindDate(std::string_view text);

PageFacts ReadPageFacts(const HtmlPage& page, std::span<const uint32_t> body);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_PAGE_FACTS_H_
