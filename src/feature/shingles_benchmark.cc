// Making sets of shingles, beside std::sort and std::unique.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

#include "feature/shingles.h"

namespace zhiwen {
namespace {

// Runs `make_set` on a new random vector each time; only it is timed.
template <typename MakeSet>
void Run(benchmark::State& state, MakeSet make_set) {
  const size_t count = static_cast<size_t>(state.range(0));
  const size_t batch = std::max<size_t>(1, 20000 / count);
  std::mt19937_64 random(1);
  std::vector<std::vector<uint64_t>> sets(batch);
  for (auto _ : state) {
    state.PauseTiming();
    for (std::vector<uint64_t>& set : sets) {
      set.resize(count);
      for (uint64_t& hash : set) hash = random();
    }
    state.ResumeTiming();
    for (std::vector<uint64_t>& set : sets) make_set(set);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count * batch));
}

void ShingleSet(benchmark::State& state) {
  std::vector<uint64_t> scratch;
  Run(state, [&](std::vector<uint64_t>& hashes) { MakeShingleSet(hashes, scratch); });
}
BENCHMARK(ShingleSet)->Arg(40)->Arg(1000)->Arg(20000)->Arg(100000)->Arg(1000000);

void StandardSort(benchmark::State& state) {
  Run(state, [](std::vector<uint64_t>& hashes) {
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  });
}
BENCHMARK(StandardSort)->Arg(40)->Arg(1000)->Arg(20000)->Arg(100000)->Arg(1000000);

}  // namespace
}  // namespace zhiwen
