#ifndef ZHIWEN_INDEX_LSH_DURABLE_MINHASH_TEST_SUPPORT_H_
#define ZHIWEN_INDEX_LSH_DURABLE_MINHASH_TEST_SUPPORT_H_

// For tests: what a durable index of signatures is by definition, a map from numbers to signatures;
// and random changes of both.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "index/lsh/brute_force_resemblance.h"
#include "index/lsh/durable_minhash.h"
#include "index/lsh/minhash_index.h"

namespace zhiwen {

using ModelSignature = std::vector<uint32_t>;
using ModelDocuments = std::map<uint64_t, ModelSignature>;

// Small ones: four bands of two rows.
inline constexpr MinHashIndexOptions kModelOptions = {.threshold = 0.7,
                                                      .recall = 0.9,
                                                      .signature_size = 64,
                                                      .band_values = 12,
                                                      .estimates = {.values = 64, .bits = 1}};

// A batch of changes, made to the index and to the model alike.
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

// Few families of signatures and few numbers: the same ones meet again.
class ModelMinHash {
 public:
  explicit ModelMinHash(uint64_t seed, uint64_t numbers = 120) : random_(seed), numbers_(numbers) {}

  uint64_t Below(uint64_t end) { return random_() % end; }
  uint64_t Document() { return Below(numbers_) * 0x9E3779B97F4A7C15; }
  ModelSignature Signature() {
    ModelSignature signature(kModelOptions.signature_size);
    if (Below(20) == 0) return ModelSignature(signature.size(), UINT32_MAX);  // the empty set
    std::mt19937 family(static_cast<uint32_t>(Below(12)));
    const uint64_t changed = Below(50);  // in a hundred values
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

// The share of equal values is taken for the resemblance.
inline SimilarityOf SimilarityIn(const ModelDocuments& documents, const SignatureRows& queries) {
  return [&documents, queries](uint32_t query, std::span<const uint64_t> asked,
                               std::span<double> similarities) {
    for (size_t i = 0; i < asked.size(); ++i) {
      const ModelSignature& signature = documents.at(asked[i]);
      size_t equal = 0;
      for (size_t j = 0; j < signature.size(); ++j) equal += signature[j] == queries[query][j];
      similarities[i] = static_cast<double>(equal) / static_cast<double>(signature.size());
    }
  };
}

// Puts the documents into an index in memory.
template <typename Index>
Index Filled(Index index, const ModelDocuments& documents) {
  for (const auto& [document, signature] : documents) {
    index.Insert({&document, 1}, {signature, signature.size()});
  }
  return index;
}

// All that an index has, and what it says of some queries.
struct MinHashContent {
  std::vector<uint64_t> documents;  // ascending
  std::vector<SimilarDocument> estimates;

  friend bool operator==(const MinHashContent&, const MinHashContent&) = default;
};

inline Result<MinHashContent> ContentOf(const DurableMinHash& index, const SignatureRows& queries) {
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
  const MinHashIndex index = Filled(*MinHashIndex::Create(kModelOptions), documents);
  content.estimates = index.QueryEstimates(queries).documents;
  return content;
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LSH_DURABLE_MINHASH_TEST_SUPPORT_H_
