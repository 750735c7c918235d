#ifndef ZHIWEN_INDEX_POSTINGS_OVERLAP_TEST_SUPPORT_H_
#define ZHIWEN_INDEX_POSTINGS_OVERLAP_TEST_SUPPORT_H_

// Test helpers: documents whose features are as skewed as those of texts, and queries for them.

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "index/postings/overlap_index.h"

namespace zhiwen {

struct TestDocument {
  uint32_t number = 0;
  std::vector<FeatureAt> features;
};
using TestDocuments = std::vector<TestDocument>;

inline constexpr uint64_t kAllNumbers = uint64_t{1} << 32;

// Draws numbers below `end`, including both ends. The fewer numbers there are, the more often one
// recurs.
inline TestDocuments NumberedDocuments(std::mt19937_64& random, size_t count, uint64_t end) {
  TestDocuments documents(count);
  for (TestDocument& document : documents) document.number = static_cast<uint32_t>(random() % end);
  if (count > 1) documents[0].number = static_cast<uint32_t>(end - 1);
  if (count > 2) documents[1].number = 0;
  std::ranges::sort(documents, {}, &TestDocument::number);
  const auto repeated = std::ranges::unique(documents, {}, &TestDocument::number);
  documents.erase(repeated.begin(), repeated.end());
  std::shuffle(documents.begin(), documents.end(), random);
  return documents;
}

// Makes documents with some features in nearly all documents and many in one; copies of others with
// changes; and small numbers as features besides hashes.
inline TestDocuments SkewedDocuments(std::mt19937_64& random, size_t count, uint64_t end) {
  TestDocuments documents = NumberedDocuments(random, count, end);
  for (size_t i = 0; i < documents.size(); ++i) {
    std::vector<FeatureAt>& features = documents[i].features;
    if (random() % 4 == 0) features = documents[random() % (i + 1)].features;
    for (uint64_t k = random() % 25; k > 0; --k) {
      const double uniform = static_cast<double>(random() >> 11) * 0x1p-53;
      const auto rank = static_cast<uint64_t>(uniform * uniform * uniform * 400);
      const uint64_t feature = rank % 2 == 0 ? rank : rank * 0x9E3779B97F4A7C15;
      features.push_back(
          {feature, static_cast<uint32_t>(random() >> (random() % 2 == 0 ? 60 : 32))});
    }
    if (random() % 8 > 0) features.push_back({~uint64_t{0}, static_cast<uint32_t>(i)});
  }
  return documents;
}

// Makes a query of parts of two documents, and a feature that no document has.
inline std::vector<uint64_t> QueryFrom(std::mt19937_64& random, const TestDocuments& documents) {
  std::vector<uint64_t> query;
  for (int part = 0; part < 2 && !documents.empty(); ++part) {
    for (const FeatureAt& at : documents[random() % documents.size()].features) {
      if (random() % 4 > 0) query.push_back(at.feature);
    }
  }
  query.push_back(random());
  return query;
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_OVERLAP_TEST_SUPPORT_H_
