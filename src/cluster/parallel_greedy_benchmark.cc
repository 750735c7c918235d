#include "cluster/parallel_greedy.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <random>
#include <utility>

#include "match/similarity.h"

namespace zhiwen {
namespace {

constexpr double kThreshold = 0.8;
constexpr size_t kShingles = 100;
constexpr size_t kBands = 24;
constexpr size_t kRows = 6;

struct Corpus {
  std::vector<ShingleSet> sets;
  SharedBuckets buckets;
};

uint64_t Mix(uint64_t value) {
  value = (value ^ (value >> 31)) * 0xBF58476D1CE4E5B9;
  return value ^ (value >> 29);
}

uint64_t BandKey(const ShingleSet& set, size_t band) {
  uint64_t key = 0;
  for (size_t row = band * kRows; row < (band + 1) * kRows; ++row) {
    uint64_t minimum = UINT64_MAX;
    for (const uint64_t shingle : set) {
      minimum = std::min(minimum, Mix(shingle * (2 * row + 3) * 0x9E3779B97F4A7C15));
    }
    key = Mix(key * 31 + minimum);
  }
  return key | 1;
}

// Makes each document from one of `centres` sets by replacing a run of `edits` shingles. Two
// documents of one centre have a resemblance between (100 − 2e) / (100 + 2e), when their runs are
// disjoint, and (100 − e) / (100 + e), when they replace the same run.
Corpus MakeCorpus(size_t documents, size_t centres, size_t edits) {
  std::mt19937_64 random(1);
  std::vector<ShingleSet> all(centres, ShingleSet(kShingles));
  for (ShingleSet& centre : all) std::generate(centre.begin(), centre.end(), std::ref(random));
  Corpus corpus;
  for (size_t document = 0; document < documents; ++document) {
    ShingleSet set = all[random() % centres];
    const size_t first = random() % (kShingles - edits);
    for (size_t i = 0; i < edits; ++i) set[first + i] = random();
    std::sort(set.begin(), set.end());
    corpus.sets.push_back(std::move(set));
  }
  std::vector<std::vector<uint64_t>> columns(kBands);
  for (size_t band = 0; band < kBands; ++band) {
    for (const ShingleSet& set : corpus.sets) columns[band].push_back(BandKey(set, band));
  }
  const std::vector<std::span<const uint64_t>> views(columns.begin(), columns.end());
  corpus.buckets = FindSharedBuckets(views, *MakeInlineExecutor());
  return corpus;
}

void Decide(benchmark::State& state, size_t centres, size_t edits, bool by_bands) {
  const auto documents = static_cast<size_t>(state.range(0));
  const Corpus corpus = MakeCorpus(documents, centres, edits);
  const std::vector<std::span<const uint64_t>> sets(corpus.sets.begin(), corpus.sets.end());
  const MatchCheck matches = [&](size_t, uint32_t document, uint32_t kept) {
    return SetsReachThreshold(sets[document], sets[kept], kThreshold);
  };
  const HotBucketOptions hot{.max_bucket_kept = 2000,
                             .threshold = kThreshold,
                             .shingles = [&](uint32_t document) { return sets[document]; }};
  const auto executor = MakeInlineExecutor();
  GreedyDecision decision;
  for (auto _ : state) {
    decision = by_bands ? DecideByBands(corpus.buckets, static_cast<uint32_t>(documents), 0, hot,
                                        matches, *executor)
                        : DecideByJoin(*PrefixJoin::Create(kThreshold, sets, *executor), 0, matches,
                                       *executor);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(documents));
  state.counters["candidates"] = static_cast<double>(decision.candidate_pairs);
  state.counters["verified"] = static_cast<double>(decision.verified_pairs);
}

// One document in ten has a near-copy.
void DecideOrdinary(benchmark::State& state, bool by_bands) {
  Decide(state, static_cast<size_t>(state.range(0)) * 5, 4, by_bands);
}
// Everything follows one template: resemblance 0.61 to 0.79, just under the threshold.
void DecideTemplate(benchmark::State& state, bool by_bands) { Decide(state, 1, 12, by_bands); }
// Everything is a near-copy of everything.
void DecideOneCluster(benchmark::State& state, bool by_bands) { Decide(state, 1, 3, by_bands); }

constexpr auto kUnit = benchmark::kMillisecond;
BENCHMARK_CAPTURE(DecideOrdinary, bands, true)->Arg(20000)->Unit(kUnit);
BENCHMARK_CAPTURE(DecideOrdinary, join, false)->Arg(20000)->Unit(kUnit);
BENCHMARK_CAPTURE(DecideTemplate, bands, true)->Arg(2500)->Arg(5000)->Arg(10000)->Unit(kUnit);
BENCHMARK_CAPTURE(DecideTemplate, join, false)->Arg(2500)->Arg(5000)->Arg(10000)->Unit(kUnit);
BENCHMARK_CAPTURE(DecideOneCluster, bands, true)->Arg(20000)->Unit(kUnit);
BENCHMARK_CAPTURE(DecideOneCluster, join, false)->Arg(20000)->Unit(kUnit);

}  // namespace
}  // namespace zhiwen
