#ifndef ZHIWEN_SENTENCES_H_
#define ZHIWEN_SENTENCES_H_

// A text as sentences, or as clauses (docs/decisions/012-sentences.md). A sentence ends
//   - where a line ends: LF, CR, U+0085, U+2028, U+2029;
//   - behind 。 ！ ？ ； … ｡ in any number;
//   - behind ASCII ! ? ;, unless a Latin letter, a digit or a sign of ASCII stands on both sides,
//     so that a?b=1 stays whole;
//   - behind a full stop, . or ．, where white space follows, or where neither side has such a
//     character: 走了．她来 is two, 3.14 and U.S.政府 are not; nor does the number of an item end
//     one, digits or a letter where a line begins: "1. 安装".
// Quotes and brackets that close behind the end belong to the sentence; of a straight quote that is
// every second one of its line. Commas, colons and 、 end none, and where one follows, the marks
// before it do not either: 他说“好！”，走了。 is one. A clause ends also behind ， ： and, as
// behind ASCII !, behind ASCII , and : (1,000 and 10:30 stay whole).
//
// In          UTF-8; a broken byte ends none
// Out         spans in order; together all but the white space between sentences; none is empty
// Guarantees  each sentence is one or more whole clauses
// Cost        linear; nothing is kept
// Threads     free function

#include <cstdint>
#include <functional>
#include <string_view>

#include "zhiwen/environment.h"
#include "zhiwen/offsets.h"

namespace zhiwen {

enum class SentenceClass : uint8_t { kSentence, kClause };

struct SentenceOptions {
  SentenceClass sentence_class = SentenceClass::kSentence;
  // Once it is requested, VisitSentences returns without what is left.
  const Cancellation* cancellation = nullptr;
};

void VisitSentences(std::string_view utf8, const SentenceOptions& options,
                    const std::function<void(ByteSpan sentence)>& visit);

}  // namespace zhiwen

#endif  // ZHIWEN_SENTENCES_H_
