#ifndef ZHIWEN_INDEX_MINHASH_SIMILARITY_ANSWER_H_
#define ZHIWEN_INDEX_MINHASH_SIMILARITY_ANSWER_H_

// The answer of a MinHash index, and how its owner verifies candidates.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace zhiwen {

struct SimilarDocument {
  uint32_t query = 0;  // index of the query in the batch
  uint64_t document = 0;
  double similarity = 0;

  friend bool operator==(const SimilarDocument&, const SimilarDocument&) = default;
};

// A query for which the index did not examine all documents: of `bands` buckets it examined as many
// as its limit allows.
struct TruncatedQuery {
  uint32_t query = 0;
  uint32_t bands = 0;

  friend bool operator==(const TruncatedQuery&, const TruncatedQuery&) = default;
};

struct SimilarityAnswer {
  // Documents by query, then by similarity in descending order, then by document; each document
  // once.
  std::vector<SimilarDocument> documents;
  std::vector<TruncatedQuery> truncated;  // by query
  uint64_t asked = 0;                     // candidates whose similarity was asked for
  // Similarities are estimates from signatures, with an error: a listed document may miss the
  // threshold, and a document that reaches it may be absent. Otherwise similarities are those that
  // the caller stated, and every listed document reaches the threshold.
  bool are_estimates = false;
};

// A document that shares a bucket with a query and has enough equal bits.
struct SimilarityCandidate {
  uint32_t query = 0;
  uint32_t equal = 0;  // values whose bits are equal
  uint64_t document = 0;
};

// Computes the similarities of query number `query` of the batch with each of `documents`, in their
// order.
using SimilarityOf = std::function<void(uint32_t query, std::span<const uint64_t> documents,
                                        std::span<double> similarities)>;

// Asks for the similarities of the candidates, all of one query in one call, and appends those that
// reach `threshold`. The candidates of a query must be consecutive.
void AppendVerified(std::span<const SimilarityCandidate> candidates, double threshold,
                    const SimilarityOf& similarity_of, SimilarityAnswer& answer);

// Sorts the documents of an answer.
void SortDocuments(SimilarityAnswer& answer);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_SIMILARITY_ANSWER_H_
