#ifndef ZHIWEN_INDEX_POSTINGS_TOP_OVERLAP_H_
#define ZHIWEN_INDEX_POSTINGS_TOP_OVERLAP_H_

// The documents that are in the most of some lists, without reading all of them. Lists are counted
// from the shortest on. Once `count` documents are in more lists than are left, no other document
// can get among them: from there on, and as soon as this is less work than reading, the long lists
// are only asked for the documents that still can. The upper bounds of H. Turtle, J. Flood, "Query
// Evaluation: Strategies and Optimizations", 1995, §3, where every list has the weight 1.
//
// Guarantees  exact: a document is dropped only when those before it are out of its reach
// Cost        2 bytes for each number below documents_end(), where that is 2²⁸ at most and 64 times
//             the documents of all lists; else 16 to 32 bytes for each document that is met
// Threads     any
// Fails       with the first error of a list

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "index/postings/overlap_index.h"

namespace zhiwen {

// The lists of the features of a query, by numbers that the implementation gives. Lists may number
// documents in another way than the index does, by rows or slots: then NumberDocuments says how.
class QueryLists {
 public:
  using Take = std::function<Status(std::span<const uint32_t> documents)>;

  virtual ~QueryLists() = default;

  // Greater than every document of a list.
  virtual uint64_t documents_end() const = 0;

  // Gives all documents of a list to `take`, in pieces, each document once.
  virtual Status Visit(size_t list, const Take& take) const = 0;

  // Appends the places of those documents of `among`, ascending, that are in a list, each once.
  virtual Status FindAmong(size_t list, std::span<const uint32_t> among,
                           std::vector<uint32_t>& places) const = 0;

  // Puts what the index calls documents in the place of what the lists call them.
  virtual Status NumberDocuments(std::span<OverlapMatch> /*matches*/) const { return {}; }
};

struct ListOfFeature {
  uint64_t frequency = 0;
  uint64_t feature = 0;
  size_t list = 0;
};

// The lists of those features of a query that are in any document, by feature.
struct FoundLists {
  std::vector<ListOfFeature> lists;
  std::unique_ptr<QueryLists> source;
};

// Answers from the lists of those features of a query that are in any document; `features` is the
// number of its distinct ones.
Result<OverlapAnswer> FindTopOverlap(size_t features, std::vector<ListOfFeature> lists,
                                     const QueryLists& source, const OverlapOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_TOP_OVERLAP_H_
