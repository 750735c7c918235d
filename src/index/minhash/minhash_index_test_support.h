#ifndef ZHIWEN_INDEX_MINHASH_MINHASH_INDEX_TEST_SUPPORT_H_
#define ZHIWEN_INDEX_MINHASH_MINHASH_INDEX_TEST_SUPPORT_H_

// Test helpers: the definition of a MinHash index, which is a map from documents to signatures, all
// of which are compared with a query; and random changes of both.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "index/minhash/minhash_index.h"
#include "index/minhash/sketch_rows.h"

namespace zhiwen {

using ModelSignature = std::vector<uint32_t>;
using ModelDocuments = std::map<uint64_t, ModelSignature>;

// Options of a small index: four bands of two rows.
inline constexpr MinHashIndexOptions kModelOptions = {.threshold = 0.7,
                                                      .recall = 0.9,
                                                      .signature_size = 64,
                                                      .band_values = 12,
                                                      .estimates = {.values = 64, .bits = 1}};

// A batch of changes to make to the index and to the model.
class ModelBatch {
 public:
  void Add(uint64_t document, ModelSignature signature) {
    steps_.emplace_back(document, std::move(signature));
  }
  void Remove(uint64_t document) { steps_.emplace_back(document, std::nullopt); }

  MinHashChanges Changes(const MinHashPlan& plan) const {
    MinHashChanges changes(plan);
    for (const auto& [document, signature] : steps_) {
      if (signature.has_value()) {
        changes.Add(document, *signature);
      } else {
        changes.Remove(document);
      }
    }
    return changes;
  }
  void MakeTo(ModelDocuments& documents) const {
    for (const auto& [document, signature] : steps_) {
      if (signature.has_value()) {
        documents[document] = *signature;
      } else {
        documents.erase(document);
      }
    }
  }
  // Appends all signatures.
  void AppendTo(std::vector<uint32_t>& values) const {
    for (const auto& [document, signature] : steps_) {
      if (signature) values.insert(values.end(), signature->begin(), signature->end());
    }
  }

 private:
  std::vector<std::pair<uint64_t, std::optional<ModelSignature>>> steps_;
};

// Draws from few families of signatures and few numbers, so that the same ones recur.
class ModelMinHash {
 public:
  explicit ModelMinHash(uint64_t seed, uint64_t numbers = 120) : random_(seed), numbers_(numbers) {}

  uint64_t Below(uint64_t end) { return random_() % end; }
  uint64_t Document() { return Below(numbers_) * 0x9E3779B97F4A7C15; }
  ModelSignature Signature() {
    ModelSignature signature(kModelOptions.signature_size);
    if (Below(20) == 0) return ModelSignature(signature.size(), UINT32_MAX);  // the empty set
    std::mt19937 family(static_cast<uint32_t>(Below(12)));
    const uint64_t changed = Below(50);  // of a hundred values
    for (uint32_t& value : signature) {
      value = static_cast<uint32_t>(family() / 2);
      if (Below(100) < changed) value = static_cast<uint32_t>(Below(UINT32_MAX));
    }
    return signature;
  }
  ModelBatch Batch(uint64_t additions, uint64_t removals) {
    ModelBatch batch;
    for (uint64_t i = 0; i < additions + removals; ++i) {
      if (Below(additions + removals) < additions) {
        const uint64_t document = Document();  // first, with every compiler
        batch.Add(document, Signature());
      } else {
        batch.Remove(Document());
      }
    }
    return batch;
  }

 private:
  std::mt19937_64 random_;
  const uint64_t numbers_;
};

// Takes the share of equal values as the resemblance. Empty sets resemble nothing.
inline double ModelSimilarity(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  if (a[0] == UINT32_MAX || b[0] == UINT32_MAX) return 0;
  size_t equal = 0;
  for (size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i];
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

inline SimilarityOf SimilarityIn(const ModelDocuments& documents, const SignatureRows& queries) {
  return [&documents, queries](uint32_t query, std::span<const uint64_t> asked,
                               std::span<double> similarities) {
    for (size_t i = 0; i < asked.size(); ++i) {
      similarities[i] = ModelSimilarity(documents.at(asked[i]), queries[query]);
    }
  };
}

// Compares every document with every query. A candidate has the key of a band in common with the
// query, and `least_equal` values with equal bits. No bucket is cut.
inline std::vector<SimilarityCandidate> ModelCandidates(const ModelDocuments& documents,
                                                        const SignatureRows& queries,
                                                        const MinHashPlan& plan,
                                                        uint32_t least_equal) {
  std::vector<std::pair<uint64_t, Sketch>> sketches;
  for (const auto& [document, signature] : documents) {
    sketches.emplace_back(document, SketchForm::Of(plan)).second.Compute(plan, signature);
  }
  std::vector<SimilarityCandidate> candidates;
  Sketch asked(SketchForm::Of(plan));
  for (uint32_t query = 0; query < queries.size(); ++query) {
    asked.Compute(plan, queries[query]);
    for (const auto& [document, sketch] : sketches) {
      bool shares_bucket = false;
      for (size_t band = 0; band < asked.keys.size(); ++band) {
        shares_bucket |= asked.keys[band] != kNoSketchKey && asked.keys[band] == sketch.keys[band];
      }
      const uint32_t equal = plan.bbit().CountEqual(
          asked.bits.data(), reinterpret_cast<const uint8_t*>(sketch.bits.data()));
      if (shares_bucket && equal >= least_equal) candidates.push_back({query, equal, document});
    }
  }
  return candidates;
}

// The documents of an index, and its answers to some queries.
struct MinHashContent {
  std::vector<uint64_t> documents;  // ascending
  std::vector<SimilarDocument> estimates;

  friend bool operator==(const MinHashContent&, const MinHashContent&) = default;
};

inline Result<MinHashContent> ContentOf(const MinHashIndex& index, const SignatureRows& queries) {
  MinHashContent content;
  ZHIWEN_RETURN_IF_ERROR(index.VisitDocuments([&](uint64_t document) -> Status {
    content.documents.push_back(document);
    return {};
  }));
  std::ranges::sort(content.documents);
  ZHIWEN_ASSIGN_OR_RETURN(SimilarityAnswer answer, index.QueryEstimates(queries));
  content.estimates = std::move(answer.documents);
  return content;
}

inline MinHashContent ContentOf(const ModelDocuments& documents, const SignatureRows& queries) {
  MinHashContent content;
  for (const auto& [document, signature] : documents) content.documents.push_back(document);
  const MinHashPlan plan = *MinHashPlan::Create(kModelOptions);
  SimilarityAnswer answer;
  for (const auto& [query, equal, document] :
       ModelCandidates(documents, queries, plan, plan.least_estimated())) {
    answer.documents.push_back({query, document, plan.bbit().Estimate(equal)});
  }
  SortDocuments(answer);
  content.estimates = std::move(answer.documents);
  return content;
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_MINHASH_INDEX_TEST_SUPPORT_H_
