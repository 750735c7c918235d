#include "index/lsh/brute_force_resemblance.h"

#include <algorithm>

namespace zhiwen {
namespace {

constexpr uint64_t kNodeBytes = 96;  // of the map, with what memory management adds

size_t CountEqualValues(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  size_t equal = 0;
  for (size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1 : 0;
  return equal;
}

}  // namespace

uint64_t BruteForceResemblance::bytes() const {
  return size() * (kNodeBytes + signature_size_ * sizeof(uint32_t));
}

double BruteForceResemblance::ExpectedRecall(double resemblance, uint32_t /*cut_bands*/) const {
  return resemblance > 0 ? 1 : 0;
}

uint64_t BruteForceResemblance::Insert(std::span<const uint64_t> documents,
                                       const SignatureRows& rows) {
  const uint64_t before = size();
  for (size_t i = 0; i < documents.size(); ++i) {
    signatures_.try_emplace(documents[i], rows[i].begin(), rows[i].end());
  }
  return size() - before;
}

uint64_t BruteForceResemblance::Remove(std::span<const uint64_t> documents,
                                       const SignatureRows& rows) {
  const uint64_t before = size();
  for (size_t i = 0; i < documents.size(); ++i) {
    const auto at = signatures_.find(documents[i]);
    if (at != signatures_.end() && std::ranges::equal(at->second, rows[i])) signatures_.erase(at);
  }
  return before - size();
}

SimilarityAnswer BruteForceResemblance::QueryEstimates(const SignatureRows& queries) const {
  SimilarityAnswer answer;
  answer.are_estimates = true;
  for (uint32_t query = 0; query < queries.size(); ++query) {
    if (IsOfEmptySet(queries[query])) continue;
    for (const auto& [document, signature] : signatures_) {
      const double share = static_cast<double>(CountEqualValues(queries[query], signature)) /
                           static_cast<double>(signature_size_);
      if (share >= threshold_) answer.documents.push_back({query, document, share});
    }
  }
  SortDocuments(answer);
  return answer;
}

SimilarityAnswer BruteForceResemblance::QueryVerified(const SignatureRows& queries,
                                                      const SimilarityOf& similarity_of) const {
  SimilarityAnswer answer;
  answer.is_exact = true;
  std::vector<uint64_t> documents;
  for (const auto& [document, signature] : signatures_) {
    if (!IsOfEmptySet(signature)) documents.push_back(document);
  }
  for (uint32_t query = 0; query < queries.size(); ++query) {
    if (IsOfEmptySet(queries[query])) continue;
    AppendVerified(query, documents, threshold_, similarity_of, answer);
  }
  SortDocuments(answer);
  return answer;
}

}  // namespace zhiwen
