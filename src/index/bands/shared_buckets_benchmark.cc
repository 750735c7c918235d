#include "index/bands/shared_buckets.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <random>

namespace zhiwen {
namespace {

// Uses 25 bands; `shared` of 1000 documents are copies of an earlier one in every band.
void FindSharedBucketsOfCorpus(benchmark::State& state) {
  const auto documents = static_cast<size_t>(state.range(0));
  const auto shared = static_cast<uint64_t>(state.range(1));
  std::mt19937_64 random(1);
  std::vector<std::vector<uint64_t>> columns(25, std::vector<uint64_t>(documents));
  for (size_t document = 0; document < documents; ++document) {
    const bool copy = document > 0 && random() % 1000 < shared;
    const size_t source = copy ? random() % document : 0;
    for (auto& column : columns) column[document] = copy ? column[source] : random();
  }
  const std::vector<std::span<const uint64_t>> views(columns.begin(), columns.end());
  const auto executor = MakeInlineExecutor();
  for (auto _ : state) benchmark::DoNotOptimize(FindSharedBuckets(views, *executor));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(documents * 25));
}
BENCHMARK(FindSharedBucketsOfCorpus)
    ->Args({67000, 0})
    ->Args({67000, 100})
    ->Args({67000, 1000})
    ->Args({1000000, 100})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace zhiwen
