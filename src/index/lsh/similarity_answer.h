#ifndef ZHIWEN_INDEX_LSH_SIMILARITY_ANSWER_H_
#define ZHIWEN_INDEX_LSH_SIMILARITY_ANSWER_H_

// What the indexes of this folder answer, and how candidates are verified.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace zhiwen {

struct SimilarDocument {
  uint32_t query = 0;  // its place in the batch
  uint64_t document = 0;
  double similarity = 0;  // the resemblance, or how much of the query is contained in the document

  friend bool operator==(const SimilarDocument&, const SimilarDocument&) = default;
};

// A query for which not everything was looked at: of `bands` buckets, as many documents as the
// bound of the index allows.
struct TruncatedQuery {
  uint32_t query = 0;
  uint32_t bands = 0;

  friend bool operator==(const TruncatedQuery&, const TruncatedQuery&) = default;
};

struct SimilarityAnswer {
  // By query, then by similarity, the greatest first, then by document; each document once.
  std::vector<SimilarDocument> documents;
  std::vector<TruncatedQuery> truncated;  // by query
  uint64_t asked = 0;                     // candidates whose similarity was asked for
  // Similarities are estimates from signatures, with an error: a document may be listed that does
  // not reach the threshold, and one may be missing that does. Otherwise they are what the caller
  // said of the documents, and all of them reach the threshold.
  bool are_estimates = false;
  // Everything that reaches the threshold is there. Otherwise the index says with which probability
  // (ExpectedRecall).
  bool is_exact = false;
};

// Gives the similarity of query number `query` of the batch with each of `documents`, as many
// numbers, in their order.
using SimilarityOf = std::function<void(uint32_t query, std::span<const uint64_t> documents,
                                        std::span<double> similarities)>;

// Asks for the similarities of `documents` and appends those that reach `threshold`.
void AppendVerified(uint32_t query, std::span<const uint64_t> documents, double threshold,
                    const SimilarityOf& similarity_of, SimilarityAnswer& answer);

// Puts the documents of an answer in their order.
void SortDocuments(SimilarityAnswer& answer);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LSH_SIMILARITY_ANSWER_H_
