#include "index/minhash/similarity_answer.h"

#include <algorithm>
#include <tuple>

namespace zhiwen {

void AppendVerified(std::span<const SimilarityCandidate> candidates, double threshold,
                    const SimilarityOf& similarity_of, SimilarityAnswer& answer) {
  std::vector<uint64_t> documents;
  std::vector<double> similarities;
  for (size_t begin = 0; begin < candidates.size();) {
    const uint32_t query = candidates[begin].query;
    documents.clear();
    for (size_t i = begin; i < candidates.size() && candidates[i].query == query; ++i) {
      documents.push_back(candidates[i].document);
    }
    similarities.assign(documents.size(), 0);
    similarity_of(query, documents, similarities);
    for (size_t i = 0; i < documents.size(); ++i) {
      if (similarities[i] >= threshold) {
        answer.documents.push_back({query, documents[i], similarities[i]});
      }
    }
    begin += documents.size();
  }
  answer.asked += candidates.size();
}

void SortDocuments(SimilarityAnswer& answer) {
  const auto order = [](const SimilarDocument& found) {
    return std::make_tuple(found.query, -found.similarity, found.document);
  };
  std::sort(answer.documents.begin(), answer.documents.end(),
            [&](const auto& a, const auto& b) { return order(a) < order(b); });
}

}  // namespace zhiwen
