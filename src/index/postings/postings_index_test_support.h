#ifndef ZHIWEN_INDEX_POSTINGS_POSTINGS_INDEX_TEST_SUPPORT_H_
#define ZHIWEN_INDEX_POSTINGS_POSTINGS_INDEX_TEST_SUPPORT_H_

// Test helpers: the model of an index of documents, which maps numbers to features, and random
// changes of both.

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "index/postings/brute_force_overlap.h"
#include "index/postings/postings_index.h"

namespace zhiwen {

using ModelDocuments = std::map<uint32_t, std::vector<FeatureAt>>;

inline constexpr uint64_t kModelFeatures = 40;

// Returns small features, and hashes.
inline uint64_t ModelFeature(uint64_t i) { return i % 2 == 0 ? i : i * 0x9E3779B97F4A7C15; }

// A batch of changes that is applied both to the index and to the model.
class ModelPostingsChanges {
 public:
  explicit ModelPostingsChanges(const PostingsIndexOptions& options) : changes_(options) {}
  explicit ModelPostingsChanges(PostingsContent content) : changes_(content) {}

  void Add(uint32_t document, const std::vector<FeatureAt>& features) {
    changes_.Add(document, features);
    steps_.emplace_back(
        [=](ModelDocuments& documents) { documents.insert_or_assign(document, features); });
  }
  void Remove(uint32_t document) {
    changes_.Remove(document);
    steps_.emplace_back([=](ModelDocuments& documents) { documents.erase(document); });
  }

  const PostingsChanges& changes() const { return changes_; }
  void MakeTo(ModelDocuments& documents) const {
    for (const auto& step : steps_) step(documents);
  }

 private:
  PostingsChanges changes_;
  std::vector<std::function<void(ModelDocuments&)>> steps_;
};

// Draws from few documents and few features, so that the same ones recur.
class ModelPostingsRandom {
 public:
  ModelPostingsRandom(uint64_t seed, const PostingsIndexOptions& options)
      : random_(seed), options_(options) {}
  ModelPostingsRandom(uint64_t seed, PostingsContent content)
      : ModelPostingsRandom(seed, PostingsIndexOptions{.content = content}) {}

  uint64_t Below(uint64_t end) { return random_() % end; }
  uint32_t Document() {
    const auto number = static_cast<uint32_t>(Below(70));
    return number % 3 == 0 ? number : number * 0x9E3779B9U;
  }
  std::vector<FeatureAt> Features() {
    std::vector<FeatureAt> features(Below(9));
    for (FeatureAt& at : features) {
      at = {ModelFeature(Below(Below(kModelFeatures) + 1)), static_cast<uint32_t>(Below(300))};
    }
    return features;
  }
  ModelPostingsChanges Changes(uint64_t additions, uint64_t removals) {
    ModelPostingsChanges changes(options_);
    for (uint64_t i = 0; i < additions + removals; ++i) {
      if (Below(additions + removals) < additions) {
        changes.Add(Document(), Features());
      } else {
        changes.Remove(Document());
      }
    }
    return changes;
  }
  std::vector<uint64_t> Query() {
    std::vector<uint64_t> query(Below(30));
    for (uint64_t& feature : query) feature = ModelFeature(Below(kModelFeatures + 2));
    return query;
  }

 private:
  std::mt19937_64 random_;
  const PostingsIndexOptions options_;
};

inline BruteForceOverlap BruteForceOf(const ModelDocuments& documents, PostingsContent content) {
  BruteForceOverlap index(content);
  for (const auto& [document, features] : documents) index.Insert(document, features);
  return index;
}

// All answers of an index.
struct ModelAnswers {
  uint64_t documents = 0;
  std::map<std::pair<uint64_t, uint32_t>, std::vector<uint32_t>> positions;
  std::vector<OverlapMatch> matches;  // for a query with all features

  friend bool operator==(const ModelAnswers&, const ModelAnswers&) = default;
};

inline Result<ModelAnswers> AnswersOf(const OverlapIndex& index) {
  ModelAnswers answers;
  std::vector<uint64_t> query;
  for (uint64_t i = 0; i < kModelFeatures; ++i) {
    std::vector<uint32_t> documents;
    query.push_back(ModelFeature(i));
    ZHIWEN_RETURN_IF_ERROR(index.FindDocuments(query.back(), documents));
    for (const uint32_t document : documents) {
      std::vector<uint32_t>& positions = answers.positions[{query.back(), document}];
      ZHIWEN_RETURN_IF_ERROR(index.FindPositions(query.back(), document, positions));
    }
  }
  ZHIWEN_ASSIGN_OR_RETURN(OverlapAnswer answer, index.Query(query, {.count = 1000}));
  answers.matches = std::move(answer.matches);
  answers.documents = index.statistics().documents;
  return answers;
}

inline ModelAnswers AnswersOf(const ModelDocuments& documents, PostingsContent content) {
  return *AnswersOf(BruteForceOf(documents, content));
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTINGS_INDEX_TEST_SUPPORT_H_
