#ifndef ZHIWEN_TEXT_SEGMENTER_SENTENCES_H_
#define ZHIWEN_TEXT_SEGMENTER_SENTENCES_H_

// A text as sentences. One ends behind a run of 。！？；… and ! ? ; with the closing quotes and
// brackets that follow it, behind a full stop with a space, a line end or the end behind it (so
// that 3.14 and a.b stay whole), and where a paragraph ends. Commas and colons end none.
//
// In          UTF-8; a broken byte ends none
// Out         spans in order; together all but the white space between sentences; none is empty
// Cost        linear; nothing is kept
// Threads     free function

#include <functional>
#include <string_view>

#include "zhiwen/offsets.h"

namespace zhiwen {

void VisitSentences(std::string_view utf8, const std::function<void(ByteSpan sentence)>& visit);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_SENTENCES_H_
