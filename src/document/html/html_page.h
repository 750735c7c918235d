#ifndef ZHIWEN_DOCUMENT_HTML_HTML_PAGE_H_
#define ZHIWEN_DOCUMENT_HTML_HTML_PAGE_H_

// An HTML page as blocks of text in a tree of nodes.
//
// In          a page in UTF-8; any bytes are a page
// Out         HtmlPage: every visible text once, in the order of the page, cut at the tags that
//             begin a line; hidden blocks are marked, and hidden parts of lines are counted; which
//             bytes of the page each block is made of; what the head says
// Guarantees  time is linear in the size of the page, whatever its tags are: elements deeper than
//             kMostDepth replace the deepest one, and no byte is searched twice for an end that is
//             not there. A page without an unclosed script or style loses no text. What is not
//             valid UTF-8 is passed on as it is
// Cost        about 700 MB/s; 100 bytes a block and as much a node, beside the text
// Threads     free function
// Not for     rendering: style sheets and scripts are not applied, and misplaced tables stay where
//             they are

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "document/html/html_tag.h"
#include "zhiwen/extract.h"

namespace zhiwen {

inline constexpr size_t kMostHtmlBytes = size_t{1} << 30;
inline constexpr size_t kMostDepth = 512;               // of open elements
inline constexpr size_t kMostBlocks = size_t{1} << 20;  // the last one takes all text behind it

// An element that ends blocks of text, or the page itself (node 0).
struct HtmlNode {
  uint32_t parent = 0;
  uint32_t block_begin = 0, block_end = 0;  // the blocks inside of it
  uint16_t depth = 0;
  HtmlTag tag = HtmlTag::kOther;
  bool is_hidden = false, is_in_form = false;  // it, or a node around it
  bool is_article_body = false;                // likewise: itemprop=articleBody
  uint32_t own_words = 0;  // groups of words in its class, id and role (PlaceWords)
  uint64_t signature = 0;  // equal for elements in the same place of a template
};

// A run of text that no block tag or line break interrupts.
struct HtmlBlock {
  uint32_t text_begin = 0, text_end = 0;      // in HtmlPage::text
  uint32_t source_begin = 0, source_end = 0;  // in the page
  uint32_t node = 0;                          // the innermost one
  uint32_t link_bytes = 0, bold_bytes = 0, emphasis_bytes = 0;
  uint16_t links = 0;        // that begin in it
  uint16_t line_breaks = 0;  // in front of it
  uint16_t images = 0;       // in front of it and in it
  bool is_hidden = false, is_button = false, is_label = false;
  bool is_strong = false;  // all of its text
  BlockStyle style = {};   // what all of its text has; whether it is strong says is_strong
};

// What the head of a page, and marks in its text, say about it; as written, character references
// included. Empty: nothing is said.
struct HtmlFacts {
  std::string_view title;      // <title>
  std::string_view language;   // <html lang>
  std::string_view canonical;  // <link rel=canonical>
  std::string_view base;       // <base href>
  std::string_view og_title, og_url, og_site;
  std::string_view author;        // meta author, or article:author
  std::string_view generator;     // meta generator: the program that wrote the page
  std::string_view published;     // meta with the time of publication
  std::string_view time;          // the first <time datetime>
  std::string_view next;          // where a link leads whose text is 下一页 or "next page"
  std::string_view linked_data;   // the first <script type=application/ld+json>
  std::string_view type;          // og:type
  bool has_article_data = false;  // any linked data say that the page is an article
};

struct HtmlPage {
  std::string text;  // of all blocks, one behind another
  std::vector<HtmlBlock> blocks;
  std::vector<HtmlNode> nodes;  // parents first
  HtmlFacts facts;              // views of the page
  // Text of hidden elements inside of visible lines, which is in no block.
  uint64_t hidden_characters = 0;
  uint64_t steps = 0;  // bytes that were looked at in search of an end; for tests of linearity

  std::string_view TextOf(const HtmlBlock& block) const {
    return std::string_view(text).substr(block.text_begin, block.text_end - block.text_begin);
  }
};

// Parses a page of at most kMostHtmlBytes; what is behind them is not read.
HtmlPage ParseHtml(std::string_view html);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_HTML_PAGE_H_
