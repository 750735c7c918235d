#ifndef ZHIWEN_TEXT_CITATION_REFERENCE_LISTS_H_
#define ZHIWEN_TEXT_CITATION_REFERENCE_LISTS_H_

// The lists of sources of a text: what follows 参考文献, References or Bibliography, and lines that
// begin with [1], [2] and so on and name a source, such as notes.
//
// In          a text in UTF-8
// Out         bytes of whole lines, with the heading
// Guarantees  ascending, without overlaps. A list has entries alone, and a line between two of
//             them that belongs to the first: other text below a heading is no list. An entry has
//             one sentence, and at most kMostOfEntry code points
// Cost        linear; some 12 bytes a code point
// Threads     free function

#include <cstddef>
#include <string_view>
#include <vector>

#include "zhiwen/offsets.h"

namespace zhiwen {

inline constexpr size_t kMostOfEntry = 400;

std::vector<ByteSpan> FindReferenceLists(std::string_view utf8);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_CITATION_REFERENCE_LISTS_H_
