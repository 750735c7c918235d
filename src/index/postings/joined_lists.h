#ifndef ZHIWEN_INDEX_POSTINGS_JOINED_LISTS_H_
#define ZHIWEN_INDEX_POSTINGS_JOINED_LISTS_H_

// The lists of several parts of an index, segments and memory, as those of one: the documents of a
// part follow those of the part before, so that the cost of counting is that of one index of all,
// and nothing is looked up for a posting.
//
// Guarantees  deleted documents are in no list; frequencies are sums, in which they count
// Cost        as the parts; a copy of each list that is not of the only part, or of one with
//             deleted documents
// Threads     const functions from many threads
// Fails       Join: kExhausted for 2³² documents or more, with those that are deleted

#include <cstdint>
#include <span>
#include <vector>

#include "index/durable/row_bitmap.h"
#include "index/postings/top_overlap.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct ListsOfPart {
  FoundLists found;                    // of rows
  const RowBitmap* deleted = nullptr;  // where it is not null, of these rows
};

// Of the distinct features of a query, ascending. What the parts use outlives the lists.
Result<FoundLists> JoinLists(std::span<const uint64_t> features, std::vector<ListsOfPart> parts);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_JOINED_LISTS_H_
