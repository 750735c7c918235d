#ifndef ZHIWEN_TEXT_CITATION_QUOTATIONS_H_
#define ZHIWEN_TEXT_CITATION_QUOTATIONS_H_

// Quotations of a text that name their source. Dialogue and emphasis stand between the same marks
// and name none: they are no quotations here.
//
// In          a text in UTF-8
// Out         bytes of what stands between marks, with the marks: 「」 『』 “” "" «» and, where a
//             number follows, 《》; and of lines that begin with >, which quote in Markdown and
//             mail
// Guarantees  ascending, without overlaps. A source is named directly behind a quotation, or before
//             it in the same sentence (text/citation/citation_marks.h). A quotation has at most
//             kMostQuoted code points: what is longer is more than a quotation
// Cost        linear; some 12 bytes a code point
// Threads     free function

#include <cstddef>
#include <string_view>
#include <vector>

#include "zhiwen/offsets.h"

namespace zhiwen {

inline constexpr size_t kMostQuoted = 1000;

std::vector<ByteSpan> FindQuotations(std::string_view utf8);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_CITATION_QUOTATIONS_H_
