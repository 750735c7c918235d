#include "pipeline/dedup/report/findings_collector.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace zhiwen {
namespace {

constexpr size_t kClusters = 5;
constexpr size_t kRemovalsPerCluster = 3;
constexpr size_t kExamples = 6;
constexpr size_t kExamplesPerGroup = 3;
// Examples are taken from this many, so that they can have different keepers.
constexpr size_t kPool = 64;
constexpr size_t kNamedSources = 12;
constexpr int kSimilarityBins = 100;
constexpr uint64_t kLargestSize = 1'000'000'000'000;

// 0, 1, 2, 3, 5, 7, 10, 15, 22, 33, 47, 68, 100, 150 …: equal steps of a logarithmic axis.
std::vector<SizeBin> MakeSizeBins() {
  std::vector<uint64_t> edges = {0, 1, 2, 3, 5, 7};
  for (uint64_t power = 1; power <= kLargestSize; power *= 10) {
    for (const uint64_t tenths : {100U, 150U, 220U, 330U, 470U, 680U}) {
      edges.push_back(power * tenths / 10);
    }
  }
  std::vector<SizeBin> bins;
  for (size_t i = 0; i + 1 < edges.size(); ++i) bins.push_back({edges[i], edges[i + 1], 0, 0});
  bins.back().end = UINT64_MAX;
  return bins;
}

SimilarityHistogram MakeSimilarityBins() {
  SimilarityHistogram histogram;
  for (int i = 0; i < kSimilarityBins; ++i) {
    histogram.bins.push_back({i / 100.0, (i + 1) / 100.0, 0});
  }
  return histogram;
}

using Ordered = std::map<std::tuple<double, uint64_t, uint64_t>, RemovalFact>;

// The first `limit` of `pool` that are not in `taken`, those with a keeper of their own before
// others.
std::vector<RemovalFact> TakeVaried(const Ordered& pool, size_t limit,
                                    const std::vector<RemovalFact>& taken) {
  std::set<uint64_t> used, keepers;
  for (const RemovalFact& removal : taken) used.insert(removal.document);
  std::vector<RemovalFact> chosen;
  for (const bool any_keeper : {false, true}) {
    for (const auto& [key, removal] : pool) {
      if (chosen.size() == limit) return chosen;
      if (used.contains(removal.document)) continue;
      if (!keepers.insert(removal.keeper).second && !any_keeper) continue;
      used.insert(removal.document);
      chosen.push_back(removal);
    }
  }
  return chosen;
}

}  // namespace

std::vector<uint64_t> ChosenExamples::Documents() const {
  std::set<uint64_t> documents;
  const auto add = [&](const std::vector<RemovalFact>& removals) {
    for (const RemovalFact& removal : removals) {
      documents.insert(removal.document);
      documents.insert(removal.keeper);
    }
  };
  for (const ChosenCluster& cluster : clusters) add(cluster.removals);
  for (const auto& [reason, chosen] : reasons) {
    add(chosen.lowest);
    add(chosen.drawn);
  }
  add(examples);
  return {documents.begin(), documents.end()};
}

void FindingsCollector::Smallest::Add(const Key& key, const RemovalFact& removal) {
  if (removals_.size() == limit_ && !(key < removals_.rbegin()->first)) return;
  removals_.emplace(key, removal);
  if (removals_.size() > limit_) removals_.erase(std::prev(removals_.end()));
}

FindingsCollector::FindingsCollector(size_t sources)
    : sizes_(MakeSizeBins()), similarities_(MakeSimilarityBins()), weights_(sources) {}

SizeBin& FindingsCollector::BinOf(uint64_t code_points) {
  const auto above =
      std::upper_bound(sizes_.begin(), sizes_.end(), code_points,
                       [](uint64_t size, const SizeBin& bin) { return size < bin.begin; });
  return *std::prev(above);
}

void FindingsCollector::AddKept(uint64_t code_points) { ++BinOf(code_points).kept; }

void FindingsCollector::AddRepresentative(uint64_t code_points) { ++BinOf(code_points).removed; }

void FindingsCollector::AddRemoved(const RemovalFact& removal) {
  ++removals_;
  ++BinOf(removal.code_points).removed;
  if (removal.cluster_size == 0 || !removal.is_compared) {
    // No text of the corpus with another one: no part of its similarities.
  } else if (removal.similarity >= 1) {
    ++similarities_.equal;
  } else {
    const auto bin = static_cast<int>(std::floor(std::max(removal.similarity, 0.0) * 100 + 1e-9));
    ++similarities_.bins[static_cast<size_t>(std::min(bin, kSimilarityBins - 1))].removed;
  }
  auto [pool, is_new] =
      reasons_.try_emplace(removal.reason, ReasonPool{Smallest(kPool), Smallest(kPool)});
  if (removal.similarity < 1) {
    pool->second.lowest.Add({removal.similarity, removal.draw, removal.document}, removal);
  }
  pool->second.drawn.Add({0, removal.draw, removal.document}, removal);
  if (removal.cluster_size > 0) AddToCluster(removal);
  AddExample(removal);

  ++weights_[removal.source];
  ++weights_[removal.kept_source];
  const uint64_t pair = uint64_t{removal.source} << 32 | removal.kept_source;
  const auto known = pairs_.find(pair);
  if (known != pairs_.end()) {
    ++known->second;
  } else if (pairs_.size() < kMaxSourcePairs) {
    pairs_.emplace(pair, 1);
  }
}

void FindingsCollector::AddToCluster(const RemovalFact& removal) {
  const ClusterKey key = {~removal.cluster_size, removal.keeper};
  if (clusters_.size() == kClusters && clusters_.rbegin()->first < key) return;
  auto [cluster, is_new] = clusters_.try_emplace(key, Smallest(kRemovalsPerCluster));
  cluster->second.Add({removal.similarity, removal.draw, removal.document}, removal);
  if (clusters_.size() > kClusters) clusters_.erase(std::prev(clusters_.end()));
}

void FindingsCollector::AddExample(const RemovalFact& removal) {
  const Smallest::Key key = {removal.sameness, removal.draw, removal.document};
  const auto same = std::ranges::find_if(
      examples_, [&](const auto& example) { return example.second.draw == removal.draw; });
  if (same != examples_.end()) {
    if (same->first < key) return;
    examples_.erase(same);
  }
  examples_.emplace(key, removal);
  if (examples_.size() > kExamples) examples_.erase(std::prev(examples_.end()));
}

ChosenExamples FindingsCollector::Choose() const {
  ChosenExamples chosen;
  for (const auto& [key, members] : clusters_) {
    ChosenCluster cluster{key.second, ~key.first, {}};
    for (const auto& [order, removal] : members.removals()) cluster.removals.push_back(removal);
    chosen.clusters.push_back(std::move(cluster));
  }
  for (const auto& [reason, pool] : reasons_) {
    ChosenReason& examples = chosen.reasons[std::string(reason)];
    examples.lowest = TakeVaried(pool.lowest.removals(), kExamplesPerGroup, {});
    examples.drawn = TakeVaried(pool.drawn.removals(), kExamplesPerGroup, examples.lowest);
  }
  for (const auto& [key, removal] : examples_) chosen.examples.push_back(removal);
  return chosen;
}

// The sources with rows of their own, in the order of input.
std::vector<uint32_t> FindingsCollector::LargestSources() const {
  std::vector<uint32_t> sources(weights_.size());
  std::iota(sources.begin(), sources.end(), 0U);
  std::erase_if(sources, [&](uint32_t source) { return weights_[source] == 0; });
  std::ranges::stable_sort(sources,
                           [&](uint32_t a, uint32_t b) { return weights_[a] > weights_[b]; });
  if (sources.size() > kNamedSources) sources.resize(kNamedSources);
  std::ranges::sort(sources);
  return sources;
}

SourceMatrix FindingsCollector::Matrix(const std::vector<std::string>& names) const {
  SourceMatrix matrix;
  matrix.sources = weights_.size();
  if (removals_ == 0) return matrix;
  const std::vector<uint32_t> named = LargestSources();
  for (const uint32_t source : named) matrix.names.push_back(names[source]);
  const auto place = [&](uint64_t source) {
    const auto at = std::ranges::lower_bound(named, source);
    return at != named.end() && *at == source ? static_cast<size_t>(at - named.begin())
                                              : named.size();
  };
  matrix.removed.assign(named.size() + 1, std::vector<uint64_t>(named.size() + 1));
  uint64_t counted = 0;
  for (const auto& [pair, count] : pairs_) {
    matrix.removed[place(pair >> 32)][place(pair & UINT32_MAX)] += count;
    counted += count;
  }
  matrix.removed.back().back() += removals_ - counted;
  const auto has_any = [&](const std::vector<uint64_t>& row) { return row.back() > 0; };
  const auto& last = matrix.removed.back();
  matrix.has_others = std::ranges::any_of(matrix.removed, has_any) ||
                      std::ranges::any_of(last, [](uint64_t count) { return count > 0; });
  if (matrix.has_others) return matrix;
  matrix.removed.pop_back();
  for (auto& row : matrix.removed) row.pop_back();
  return matrix;
}

}  // namespace zhiwen
