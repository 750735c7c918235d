#include "index/lsh/minhash_index.h"

#include <utility>
#include <vector>

namespace zhiwen {

Result<MinHashIndex> MinHashIndex::Create(const MinHashIndexOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(const MinHashPlan plan, MinHashPlan::Create(options));
  return MinHashIndex(plan);
}

uint64_t MinHashIndex::Insert(std::span<const uint64_t> documents, const SignatureRows& rows) {
  uint64_t added = 0;
  for (size_t i = 0; i < documents.size(); ++i) {
    if (documents_.Insert(documents[i], rows[i])) ++added;
  }
  return added;
}

uint64_t MinHashIndex::Remove(std::span<const uint64_t> documents, const SignatureRows& rows) {
  uint64_t removed = 0;
  for (size_t i = 0; i < documents.size(); ++i) {
    if (documents_.Remove(documents[i], rows[i])) ++removed;
  }
  return removed;
}

BandedAnswer MinHashIndex::Candidates(const SignatureRows& queries, uint32_t least_equal) const {
  std::vector<BandedQuery> banded(queries.size());
  for (uint32_t i = 0; i < banded.size(); ++i) banded[i] = {i, 0, least_equal};
  BandedAnswer answer;
  documents_.Query(queries, banded, answer);
  return answer;
}

SimilarityAnswer MinHashIndex::QueryEstimates(const SignatureRows& queries) const {
  BandedAnswer found = Candidates(queries, plan_.least_estimated());
  SimilarityAnswer answer;
  answer.are_estimates = true;
  answer.truncated = std::move(found.truncated);
  for (const BandedCandidate& candidate : found.candidates) {
    answer.documents.push_back(
        {candidate.row, candidate.document, plan_.bbit().Estimate(candidate.equal)});
  }
  SortDocuments(answer);
  return answer;
}

SimilarityAnswer MinHashIndex::QueryVerified(const SignatureRows& queries,
                                             const SimilarityOf& similarity_of) const {
  BandedAnswer found = Candidates(queries, plan_.least_equal());
  SimilarityAnswer answer;
  answer.truncated = std::move(found.truncated);
  AppendVerified(found.candidates, threshold(), similarity_of, answer);
  SortDocuments(answer);
  return answer;
}

}  // namespace zhiwen
