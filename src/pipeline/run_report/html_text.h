#ifndef ZHIWEN_PIPELINE_RUN_REPORT_HTML_TEXT_H_
#define ZHIWEN_PIPELINE_RUN_REPORT_HTML_TEXT_H_

// Text of a corpus as HTML. Corpora are web pages by anyone: whatever the bytes, they are shown and
// never interpreted, they cannot reorder what stands beside them, and what is invisible is marked.
//
// In          any bytes; what is not valid UTF-8 becomes U+FFFD
// Out         content of an element, never of an attribute or a script: no corpus text goes there
// Guarantees  no '<' '>' '&' '"' '\'' of the text is left; control characters, line separators and
//             bidirectional controls are drawn as their names, other invisible characters as a bar
// Threads     free functions

#include <string>
#include <string_view>

namespace zhiwen {

// Appends all of `text`. Line ends and tabs stay as they are.
void AppendHtmlText(std::string& out, std::string_view text);

// A name from outside (id, file, field, message) as one line, isolated from its surroundings by
// <bdi>, cut after `characters`.
std::string HtmlLabel(std::string_view name, size_t characters = 96);

// A name from outside as above, set as code, cut after 400 characters.
std::string HtmlCode(std::string_view name);

// The language tag to show `text` in, by its script: "ja" with kana, "ko" with hangul, "zh" with
// Han, else "" (unknown). It chooses glyphs and voices.
std::string_view LanguageOf(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_RUN_REPORT_HTML_TEXT_H_
