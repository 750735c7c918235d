#include "index/references/reference_index.h"

#include <benchmark/benchmark.h>

#include <random>

#include "feature/shingles.h"
#include "index/references/bit_filter.h"

namespace zhiwen {
namespace {

using Symbols = std::vector<uint32_t>;

std::vector<uint64_t> RandomKeys(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> keys(count);
  for (uint64_t& key : keys) key = random();
  return keys;
}

// Looks keys up in a filter for so many keys, none of which it has.
void SelectFromFilter(benchmark::State& state) {
  const auto size = static_cast<size_t>(state.range(0));
  BitFilter filter(size);
  for (const uint64_t key : RandomKeys(1, size)) filter.Insert(key);
  const auto keys = RandomKeys(2, 1 << 16);
  std::vector<uint32_t> places(2048);
  for (auto _ : state) {
    size_t passed = 0;
    for (size_t begin = 0; begin < keys.size(); begin += places.size()) {
      passed += filter.Select(std::span(keys).subspan(begin, places.size()), places.data());
    }
    benchmark::DoNotOptimize(passed);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(keys.size()));
  state.counters["KiB"] = static_cast<double>(filter.bytes()) / 1024;
}
BENCHMARK(SelectFromFilter)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Arg(10'000'000);

Symbols RandomText(std::mt19937_64& random, size_t length) {
  Symbols text(length);
  for (uint32_t& symbol : text) symbol = static_cast<uint32_t>(random() % 5000);
  return text;
}

// Queries references of 60 symbols with 100 inputs of 1000 symbols, which stay in the cache as they
// do in use; of these `holding` in a thousand hold a
// reference and `quoting` a third of one.
void QueryReferences(benchmark::State& state, ReferenceRule rule, uint64_t holding,
                     uint64_t quoting) {
  std::mt19937_64 random(3);
  const auto count = static_cast<size_t>(state.range(0));
  const ReferenceIndexOptions options = {.rule = rule};
  auto builder = *ReferenceIndex::Builder::Create(options, {count, count * 60});
  std::vector<Symbols> references;
  for (size_t i = 0; i < count; ++i) {
    references.push_back(RandomText(random, 60));
    if (!builder.Add(references.back())) return state.SkipWithError("a reference is too long");
  }
  const auto index = std::move(builder).Finish();
  if (!index) return state.SkipWithError("too many references");
  std::vector<Symbols> inputs;
  std::vector<std::vector<uint64_t>> shingles;
  size_t total = 0;
  for (size_t i = 0; i < 100; ++i) {
    Symbols input = RandomText(random, 940);
    const uint64_t kind = random() % 1000;
    Symbols part = references[random() % count];
    if (kind >= holding) part.resize(20);
    if (kind < holding + quoting) input.insert(input.begin() + 400, part.begin(), part.end());
    shingles.emplace_back();
    ComputeShingles(input, shingles.back());
    total += shingles.back().size();
    inputs.push_back(std::move(input));
  }
  ReferenceIndex::Scratch scratch;
  std::vector<ReferenceHit> hits;
  size_t matched = 0;
  for (auto _ : state) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      index->Query({inputs[i], shingles[i]}, 1, scratch, hits);
      matched += hits.size();
    }
  }
  benchmark::DoNotOptimize(matched);
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(total));
  state.counters["matched"] =
      static_cast<double>(matched) / static_cast<double>(state.iterations());
  state.counters["MiB"] = static_cast<double>(index->bytes()) / (1 << 20);
}
constexpr auto kUnit = benchmark::kMicrosecond;
constexpr auto kNear = ReferenceRule::kNear;
constexpr auto kContainedIn = ReferenceRule::kContainedIn;
constexpr auto kContains = ReferenceRule::kContains;
constexpr auto kOverlap = ReferenceRule::kOverlap;
void Sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(10'000)->Arg(100'000)->Unit(kUnit);
}
BENCHMARK_CAPTURE(QueryReferences, near_nothing, kNear, 0, 0)->Apply(Sizes);
BENCHMARK_CAPTURE(QueryReferences, contains_nothing, kContains, 0, 0)->Apply(Sizes);
BENCHMARK_CAPTURE(QueryReferences, contains_quotes, kContains, 0, 1000)->Apply(Sizes);
BENCHMARK_CAPTURE(QueryReferences, contains_some, kContains, 10, 100)->Apply(Sizes);
BENCHMARK_CAPTURE(QueryReferences, contains_all, kContains, 1000, 0)->Apply(Sizes);
BENCHMARK_CAPTURE(QueryReferences, contained_in_nothing, kContainedIn, 0, 0)->Apply(Sizes);
BENCHMARK_CAPTURE(QueryReferences, contained_in_quotes, kContainedIn, 0, 1000)->Apply(Sizes);
BENCHMARK_CAPTURE(QueryReferences, overlap_nothing, kOverlap, 0, 0)->Apply(Sizes);
BENCHMARK_CAPTURE(QueryReferences, overlap_quotes, kOverlap, 0, 1000)->Apply(Sizes);
BENCHMARK_CAPTURE(QueryReferences, overlap_all, kOverlap, 1000, 0)->Apply(Sizes);

}  // namespace
}  // namespace zhiwen
