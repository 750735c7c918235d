#include "index/lsh/brute_force_containment.h"

#include <algorithm>

#include "index/containment_threshold.h"

namespace zhiwen {
namespace {

constexpr uint64_t kNodeBytes = 104;  // of the map, with what memory management adds

}  // namespace

uint64_t BruteForceContainment::bytes() const {
  return size() * (kNodeBytes + signature_size_ * sizeof(uint32_t));
}

uint64_t BruteForceContainment::Insert(std::span<const uint64_t> documents,
                                       const SizedSignatures& sets) {
  const uint64_t before = size();
  for (size_t i = 0; i < documents.size(); ++i) {
    const auto row = sets.rows[i];
    sets_.try_emplace(documents[i], Set{sets.sizes[i], {row.begin(), row.end()}});
  }
  return size() - before;
}

uint64_t BruteForceContainment::Remove(std::span<const uint64_t> documents,
                                       const SizedSignatures& sets) {
  const uint64_t before = size();
  for (size_t i = 0; i < documents.size(); ++i) {
    const auto at = sets_.find(documents[i]);
    if (at == sets_.end() || at->second.size != sets.sizes[i]) continue;
    if (std::ranges::equal(at->second.signature, sets.rows[i])) sets_.erase(at);
  }
  return before - size();
}

SimilarityAnswer BruteForceContainment::QueryVerified(const SizedSignatures& queries,
                                                      const SimilarityOf& similarity_of) const {
  SimilarityAnswer answer;
  answer.is_exact = true;
  std::vector<uint64_t> documents;
  for (uint32_t query = 0; query < queries.rows.size(); ++query) {
    const uint32_t size = queries.sizes[query];
    documents.clear();
    for (const auto& [document, set] : sets_) {
      if (ContainmentReaches(std::min(size, set.size), size, threshold_)) {
        documents.push_back(document);
      }
    }
    AppendVerified(query, documents, threshold_, similarity_of, answer);
  }
  SortDocuments(answer);
  return answer;
}

}  // namespace zhiwen
