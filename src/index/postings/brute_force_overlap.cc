#include "index/postings/brute_force_overlap.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace zhiwen {
namespace {

std::set<uint64_t> FeaturesOf(const std::vector<FeatureAt>& document) {
  std::set<uint64_t> features;
  for (const FeatureAt& at : document) features.insert(at.feature);
  return features;
}

}  // namespace

bool BruteForceOverlap::Insert(uint32_t document, std::span<const FeatureAt> features) {
  std::vector<FeatureAt> sorted(features.begin(), features.end());
  if (content_ == PostingsContent::kDocuments) {
    for (FeatureAt& at : sorted) at.position = 0;
  }
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return documents_.emplace(document, std::move(sorted)).second;
}

std::map<uint64_t, uint64_t> BruteForceOverlap::Frequencies() const {
  std::map<uint64_t, uint64_t> frequencies;
  for (const auto& [number, document] : documents_) {
    for (const uint64_t feature : FeaturesOf(document)) ++frequencies[feature];
  }
  return frequencies;
}

PostingsStatistics BruteForceOverlap::statistics() const {
  PostingsStatistics statistics;
  statistics.documents = documents_.size();
  for (const auto& [number, document] : documents_) {
    if (content_ == PostingsContent::kPositions) statistics.positions += document.size();
  }
  for (const auto& [feature, frequency] : Frequencies()) {
    ++statistics.features;
    statistics.postings += frequency;
    ++statistics.features_by_frequency[static_cast<size_t>(std::bit_width(frequency))];
  }
  return statistics;
}

uint64_t BruteForceOverlap::bytes() const {
  uint64_t bytes = 0;
  for (const auto& [number, document] : documents_) {
    bytes += sizeof(std::vector<FeatureAt>) + document.capacity() * sizeof(FeatureAt);
  }
  return bytes;
}

Status BruteForceOverlap::FindDocuments(uint64_t feature, std::vector<uint32_t>& documents) const {
  for (const auto& [number, document] : documents_) {
    if (FeaturesOf(document).contains(feature)) documents.push_back(number);
  }
  return {};
}

Status BruteForceOverlap::FindPositions(uint64_t feature, uint32_t document,
                                        std::vector<uint32_t>& positions) const {
  const auto found = documents_.find(document);
  if (found == documents_.end() || content_ == PostingsContent::kDocuments) return {};
  for (const FeatureAt& at : found->second) {
    if (at.feature == feature) positions.push_back(at.position);
  }
  return {};
}

Result<OverlapAnswer> BruteForceOverlap::Query(std::span<const uint64_t> features,
                                               const OverlapOptions& options) const {
  const std::map<uint64_t, uint64_t> frequencies = Frequencies();
  const std::set<uint64_t> distinct(features.begin(), features.end());
  std::set<std::pair<uint64_t, uint64_t>> rarest_first;
  for (const uint64_t feature : distinct) {
    const auto found = frequencies.find(feature);
    if (found != frequencies.end()) rarest_first.emplace(found->second, feature);
  }
  OverlapAnswer answer;
  answer.features = distinct.size();
  std::set<uint64_t> counted;
  uint64_t postings = 0;
  for (const auto& [frequency, feature] : rarest_first) {
    if (frequency > options.max_frequency) {
      ++answer.cut;
    } else if (answer.left_out > 0 || postings + frequency > options.max_postings) {
      ++answer.left_out;
    } else {
      postings += frequency;
      counted.insert(feature);
    }
  }
  for (const auto& [number, document] : documents_) {
    uint32_t overlap = 0;
    for (const uint64_t feature : FeaturesOf(document)) overlap += counted.contains(feature);
    if (overlap > 0) answer.matches.push_back({number, overlap});
  }
  std::stable_sort(
      answer.matches.begin(), answer.matches.end(),
      [](const OverlapMatch& a, const OverlapMatch& b) { return a.overlap > b.overlap; });
  if (answer.matches.size() > options.count) answer.matches.resize(options.count);
  return answer;
}

}  // namespace zhiwen
