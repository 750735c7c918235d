#ifndef ZHIWEN_INDEX_POSTINGS_JOINED_LISTS_H_
#define ZHIWEN_INDEX_POSTINGS_JOINED_LISTS_H_

// Joins the lists of several parts of an index (segments and memory). The documents of a part
// follow those of the part before, so that counting costs as much as in one index of all documents,
// and nothing is looked up for a posting.
//
// Guarantees  deleted documents are in no list; frequencies are sums, in which they count
// Cost        as the parts; a copy of each list, unless it is from the only part and that part has
//             no deleted documents
// Threads     const functions from many threads
// Fails       Join: kExhausted for 2³² documents or more, including deleted ones

#include <cstdint>
#include <span>
#include <vector>

#include "index/durable/row_bitmap.h"
#include "index/postings/top_overlap.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct ListsOfPart {
  FoundLists found;                    // lists of rows
  const RowBitmap* deleted = nullptr;  // the deleted ones of these rows, or null
};

// Joins the lists of the distinct, ascending features of a query. Objects used by the parts must
// outlive the lists.
Result<FoundLists> JoinLists(std::span<const uint64_t> features, std::vector<ListsOfPart> parts);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_JOINED_LISTS_H_
