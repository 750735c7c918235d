#ifndef ZHIWEN_INDEX_POSTINGS_OVERLAP_TEST_SUPPORT_H_
#define ZHIWEN_INDEX_POSTINGS_OVERLAP_TEST_SUPPORT_H_

// For tests: documents whose features are as skewed as those of texts, and queries that meet them.

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

// Numbers below `end`, and both of its ends; the fewer of them, the more often one comes again.
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

// Some features in nearly all documents, many in one; copies of others with changes; small numbers
// as features beside hashes.
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

// Parts of two documents, and a feature that none has.
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
