#ifndef ZHIWEN_INDEX_LSH_CONTAINMENT_INDEX_H_
#define ZHIWEN_INDEX_LSH_CONTAINMENT_INDEX_H_

// In which documents of a changing set a query is contained, at least to a share of its shingles,
// by their signatures and the sizes of their sets. As resemblance_index.h, but for the question.
//
// There are no answers by estimates: the error of a resemblance is multiplied by (q + x) / q, for a
// query of q shingles in a document of x, and a short query has none that could be told from zero.

#include <cstddef>
#include <cstdint>
#include <span>

#include "index/lsh/signature_rows.h"
#include "index/lsh/similarity_answer.h"

namespace zhiwen {

struct SizedSignatures {
  SignatureRows rows;
  std::span<const uint32_t> sizes;  // distinct shingles of each row's set
};

// Threads: any number at once while nothing is inserted or removed; whoever changes is alone.
class ContainmentIndex {
 public:
  virtual ~ContainmentIndex() = default;

  virtual double threshold() const = 0;
  virtual size_t signature_size() const = 0;
  // Documents, and all memory of the index.
  virtual uint64_t size() const = 0;
  virtual uint64_t bytes() const = 0;

  // The least probability with which a document of `document_size` shingles is found that has
  // `shared` shingles in common with a query of `query_size`, where the query is not truncated.
  struct Pair {
    uint32_t query_size = 0, document_size = 0, shared = 0;
  };
  virtual double ExpectedRecall(const Pair& pair) const = 0;

  // As those of ResemblanceIndex; to remove a document takes its size, too.
  virtual uint64_t Insert(std::span<const uint64_t> documents, const SizedSignatures& sets) = 0;
  virtual uint64_t Remove(std::span<const uint64_t> documents, const SizedSignatures& sets) = 0;

  // The documents that contain the query to at least the threshold: of candidates the caller says
  // the containment of the query, maybe several times for a query, each time for others.
  virtual SimilarityAnswer QueryVerified(const SizedSignatures& queries,
                                         const SimilarityOf& similarity_of) const = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LSH_CONTAINMENT_INDEX_H_
