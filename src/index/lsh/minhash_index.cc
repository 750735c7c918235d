#include "index/lsh/minhash_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace zhiwen {

Result<MinHashIndex> MinHashIndex::Create(const MinHashIndexOptions& options) {
  const auto refuse = [](std::string message) {
    return Fail(ErrorCode::kInvalidArgument, std::move(message));
  };
  const uint32_t needed = std::max(options.band_values, options.estimates.values);
  if (needed > options.signature_size) {
    return refuse(fmt::format("cannot index signatures of {} values: bands and estimates need {}",
                              options.signature_size, needed));
  }
  ZHIWEN_RETURN_IF_ERROR(CheckLimits(options.filter_miss, options.bucket_limit));
  if (options.recall >= 1 - options.filter_miss) {
    return refuse(
        fmt::format("cannot find a share of {} of the documents at the threshold: the "
                    "filter alone may miss {}",
                    options.recall, options.filter_miss));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const BbitSignatures bbit, BbitSignatures::Create(options.estimates));
  // What the filter misses is made up for by the bands.
  const double recall = options.recall / (1 - options.filter_miss);
  ZHIWEN_ASSIGN_OR_RETURN(const BandPlan plan,
                          PlanBands(options.threshold, recall, options.band_values));
  return MinHashIndex(options, plan, bbit);
}

MinHashIndex::MinHashIndex(const MinHashIndexOptions& options, const BandPlan& plan,
                           const BbitSignatures& bbit)
    : options_(options),
      plan_(plan),
      bbit_(bbit),
      least_equal_(bbit.LeastEqual(options.threshold, options.filter_miss)),
      documents_({plan}, bbit, options.bucket_limit) {}

// Both events only get likelier with every value that is equal, hence are they together at least as
// likely as if they were independent (T. E. Harris, 1960).
double MinHashIndex::ExpectedRecall(double resemblance, uint32_t cut_bands) const {
  if (cut_bands >= plan_.bands) return 0;
  const BandPlan read = {plan_.bands - cut_bands, plan_.rows};
  return CandidateProbability(read, resemblance) *
         bbit_.ReachProbability(least_equal_, resemblance);
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
  uint32_t least = 0;
  while (bbit_.Estimate(least) < options_.threshold) ++least;
  BandedAnswer found = Candidates(queries, least);
  SimilarityAnswer answer;
  answer.are_estimates = true;
  answer.truncated = std::move(found.truncated);
  for (const BandedCandidate& candidate : found.candidates) {
    answer.documents.push_back(
        {candidate.row, candidate.document, bbit_.Estimate(candidate.equal)});
  }
  SortDocuments(answer);
  return answer;
}

SimilarityAnswer MinHashIndex::QueryVerified(const SignatureRows& queries,
                                             const SimilarityOf& similarity_of) const {
  BandedAnswer found = Candidates(queries, least_equal_);
  SimilarityAnswer answer;
  answer.truncated = std::move(found.truncated);
  AppendVerified(found.candidates, threshold(), similarity_of, answer);
  SortDocuments(answer);
  return answer;
}

}  // namespace zhiwen
