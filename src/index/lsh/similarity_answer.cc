#include "index/lsh/similarity_answer.h"

#include <algorithm>
#include <tuple>

namespace zhiwen {

void AppendVerified(uint32_t query, std::span<const uint64_t> documents, double threshold,
                    const SimilarityOf& similarity_of, SimilarityAnswer& answer) {
  if (documents.empty()) return;
  std::vector<double> similarities(documents.size());
  similarity_of(query, documents, similarities);
  answer.asked += documents.size();
  for (size_t i = 0; i < documents.size(); ++i) {
    if (similarities[i] >= threshold) {
      answer.documents.push_back({query, documents[i], similarities[i]});
    }
  }
}

void SortDocuments(SimilarityAnswer& answer) {
  const auto order = [](const SimilarDocument& found) {
    return std::make_tuple(found.query, -found.similarity, found.document);
  };
  std::sort(answer.documents.begin(), answer.documents.end(),
            [&](const auto& a, const auto& b) { return order(a) < order(b); });
}

}  // namespace zhiwen
