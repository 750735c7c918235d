#ifndef ZHIWEN_DOCUMENT_HTML_NOTICE_H_
#define ZHIWEN_DOCUMENT_HTML_NOTICE_H_

// Whether the text of a field is HTML, whose tags would count as words of the text. Nothing is
// changed: this is for a warning.

#include <cstdint>
#include <string>
#include <string_view>

namespace zhiwen {

// Returns whether `text` begins as an HTML document, or its first 4096 bytes have the tags of a
// fragment: one that opens and one that closes, or three. Only names of HTML count, so that "a < b"
// and <TAG> of another language do not.
bool LooksLikeHtml(std::string_view text);

// Texts that were looked at, and how many of them look like HTML.
struct HtmlCount {
  uint64_t looked_at = 0;
  uint64_t html = 0;

  void Look(std::string_view text) {
    ++looked_at;
    html += LooksLikeHtml(text) ? 1 : 0;
  }
  // Whether they are a fifth or more.
  bool is_notable() const { return html > 0 && html * 5 >= looked_at; }
};

// Returns the warning about texts that look like HTML, and what to do.
std::string HtmlWarning(const HtmlCount& count);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_NOTICE_H_
