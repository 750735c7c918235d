#ifndef ZHIWEN_SENTENCES_H_
#define ZHIWEN_SENTENCES_H_

// A text as sentences. One ends
//   - where a line ends;
//   - behind 。 ！ ？ ； … ｡ in any number;
//   - behind ASCII ! ? ;, unless a Latin letter, a digit or a sign of ASCII stands on both sides,
//     so that a?b=1 stays whole;
//   - behind a full stop, . or ．, where white space follows, or where neither side has such a
//     character: 走了．她来 is two, 3.14 and U.S.政府 are not.
// Quotes and brackets that close behind the end belong to the sentence; of a straight quote that is
// every second one of its line. Commas, colons and 、 end none.
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

#endif  // ZHIWEN_SENTENCES_H_
