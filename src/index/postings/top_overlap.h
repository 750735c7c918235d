#ifndef ZHIWEN_INDEX_POSTINGS_TOP_OVERLAP_H_
#define ZHIWEN_INDEX_POSTINGS_TOP_OVERLAP_H_

// Finds the documents that are in the most of some lists, without reading all lists. Lists are
// counted from the shortest on. Once `count` documents are in more lists than are left, no other
// document can be among the best. From there on, and as soon as this is less work than reading, the
// long lists are only asked for the documents that still can be. These are the upper bounds of H.
// Turtle, J. Flood, "Query Evaluation: Strategies and Optimizations", 1995, §3, where every list
// has the weight 1.
//
// Guarantees  exact: a document is dropped only when it cannot reach those before it
// Cost        2 bytes for each number below documents_end(), if that is at most 2²⁸ and at most 64
//             times the documents of all lists; otherwise 16 to 32 bytes for each document met
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

// The lists of the features of a query, numbered by the implementation. Lists may number documents
// differently from the index, by rows or slots; NumberDocuments then converts the numbers.
class QueryLists {
 public:
  using Take = std::function<Status(std::span<const uint32_t> documents)>;

  virtual ~QueryLists() = default;

  // Returns a number greater than every document of a list.
  virtual uint64_t documents_end() const = 0;

  // Passes all documents of a list to `take`, in pieces, each document once.
  virtual Status Visit(size_t list, const Take& take) const = 0;

  // Appends the indexes of those documents of `among`, which ascend, that are in a list, each once.
  virtual Status FindAmong(size_t list, std::span<const uint32_t> among,
                           std::vector<uint32_t>& places) const = 0;

  // Replaces the numbers that lists use for documents by those of the index.
  virtual Status NumberDocuments(std::span<OverlapMatch> /*matches*/) const { return {}; }
};

struct ListOfFeature {
  uint64_t frequency = 0;
  uint64_t feature = 0;
  size_t list = 0;
};

// The lists of those features of a query that some document has, by feature.
struct FoundLists {
  std::vector<ListOfFeature> lists;
  std::unique_ptr<QueryLists> source;
};

// Answers from the lists of those features of a query that some document has. `features` is the
// number of distinct features of the query.
Result<OverlapAnswer> FindTopOverlap(size_t features, std::vector<ListOfFeature> lists,
                                     const QueryLists& source, const OverlapOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_TOP_OVERLAP_H_
