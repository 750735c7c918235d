#include "match/similarity.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

namespace zhiwen {
namespace {

struct Pair {
  std::vector<uint64_t> a, b;
};

// Makes sets of these sizes; `percent` per cent of `a` are in `b`.
Pair MakePair(size_t a_size, size_t b_size, size_t percent) {
  std::mt19937_64 random(1);
  Pair pair;
  for (size_t i = 0; i < a_size; ++i) pair.a.push_back(random());
  for (size_t i = 0; i < a_size * percent / 100; ++i) pair.b.push_back(pair.a[i]);
  while (pair.b.size() < b_size) pair.b.push_back(random());
  std::sort(pair.a.begin(), pair.a.end());
  std::sort(pair.b.begin(), pair.b.end());
  return pair;
}

// Items are elements of `a`.
template <typename Check>
void Compare(benchmark::State& state, const Check& check) {
  const auto a_size = static_cast<size_t>(state.range(0));
  const Pair pair =
      MakePair(a_size, static_cast<size_t>(state.range(1)), static_cast<size_t>(state.range(2)));
  for (auto _ : state) benchmark::DoNotOptimize(check(pair));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(a_size));
}

void SetContainsOf(benchmark::State& state) {
  Compare(state, [](const Pair& pair) { return SetContains(pair.a, pair.b, 0.8); });
}
void ComputeOverlapOf(benchmark::State& state) {
  Compare(state, [](const Pair& pair) {
    const SetOverlap overlap = ComputeOverlap(pair.a, pair.b);
    return ContainmentReaches(overlap.shared, overlap.a, 0.8);
  });
}

void Shapes(benchmark::internal::Benchmark* benchmark) {
  for (const int64_t percent : {5, 50, 90}) {
    benchmark->Args({50, 100, percent})->Args({1000, 1500, percent})->Args({1000, 20'000, percent});
    benchmark->Args({50, 1'000'000, percent});
  }
}
BENCHMARK(SetContainsOf)->Apply(Shapes);
BENCHMARK(ComputeOverlapOf)->Apply(Shapes);

}  // namespace
}  // namespace zhiwen
