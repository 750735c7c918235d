#ifndef ZHIWEN_PIPELINE_LIBRARY_PRECEDENCE_H_
#define ZHIWEN_PIPELINE_LIBRARY_PRECEDENCE_H_

// Says which of a text and a document was there first, as far as their dates prove it.

#include <string_view>

#include "zhiwen/check.h"

namespace zhiwen {

// Compares two dates: the one that ends before the other begins is first. Dates that overlap, such
// as a year and a day in it, say nothing. A date without a zone may be of any zone; two of them are
// of one.
Precedence ComparePrecedence(std::string_view ours, std::string_view theirs);

// The date of a document, or else the first publication of its work; an empty one of kNone where
// neither can be read.
struct OriginalDate {
  std::string_view date = {};  // a view of the document
  DateOrigin origin = DateOrigin::kNone;
};
OriginalDate DateOf(const StoredDocument& document);

// Fills in the dates and the precedence of each match of a text whose record has the date
// `theirs`, and the precedence of the text, that of its strongest match.
void AddPrecedence(std::string_view theirs, CheckedText& checked);

// Returns whether a match is listed before another one, as CheckedText::matches says.
bool ComesBefore(const CheckMatch& a, const CheckMatch& b);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_PRECEDENCE_H_
