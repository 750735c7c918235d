#ifndef ZHIWEN_DOCUMENT_HTML_NOTICE_H_
#define ZHIWEN_DOCUMENT_HTML_NOTICE_H_

// Detects HTML: files of it, and fields that hold it, whose tags would count as words of the text.

#include <cstdint>
#include <string>
#include <string_view>

namespace zhiwen {

// Returns whether the first bytes of a file are those of an HTML document: its first tag, behind
// white space, comments and instructions of XML.
bool BeginsAsHtml(std::string_view head);

// Returns whether `text` begins as an HTML document, or its first 4096 bytes have the tags of a
// fragment: one opening and one closing tag, or three tags. Only names of HTML tags count, so that
// "a < b" and <TAG> of another language do not.
bool LooksLikeHtml(std::string_view text);

// The number of texts examined, and how many of them look like HTML.
struct HtmlCount {
  uint64_t looked_at = 0;
  uint64_t html = 0;

  void Look(std::string_view text) {
    ++looked_at;
    html += LooksLikeHtml(text) ? 1 : 0;
  }
  // Returns whether a fifth or more of the texts look like HTML.
  bool is_notable() const { return html > 0 && html * 5 >= looked_at; }
};

// Returns the warning about texts that look like HTML, with what to do about them. `noun` says what
// the texts are, in the singular.
std::string HtmlWarning(const HtmlCount& count, std::string_view noun = "text");

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_NOTICE_H_
