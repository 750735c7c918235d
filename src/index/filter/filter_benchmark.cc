// Measures look-ups, insertions and building. Items are keys. Half of the keys looked up are in the
// filter.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

#include "zhiwen/filter.h"

namespace zhiwen {
namespace {

constexpr size_t kBatch = 4096;

std::vector<uint64_t> RandomKeys(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> keys(count);
  for (uint64_t& key : keys) key = random();
  return keys;
}

void Select(benchmark::State& state, FilterKind kind, double rate) {
  std::vector<uint64_t> keys = RandomKeys(static_cast<size_t>(state.range(0)), 1);
  std::vector<uint64_t> asked = RandomKeys(1 << 18, 2);
  for (size_t i = 0; i < asked.size(); i += 2) asked[i] = keys[asked[i] % keys.size()];
  const uint64_t count = keys.size();
  const KeyFilter filter =
      *KeyFilter::Build({.kind = kind, .false_positives = rate}, std::move(keys));
  std::vector<uint32_t> places(kBatch);
  size_t begin = 0, found = 0;
  for (auto _ : state) {
    found += filter.Select({asked.data() + begin, kBatch}, places.data());
    begin = (begin + kBatch) % asked.size();
  }
  benchmark::DoNotOptimize(found);
  state.SetItemsProcessed(static_cast<int64_t>(kBatch) * state.iterations());
  state.counters["bits/key"] = 8 * static_cast<double>(filter.bytes()) / static_cast<double>(count);
}

void Build(benchmark::State& state, FilterKind kind, double rate) {
  const std::vector<uint64_t> keys = RandomKeys(static_cast<size_t>(state.range(0)), 1);
  for (auto _ : state) {
    if (TraitsOf(kind).can_add) {
      auto filter =
          *KeyFilter::Create({.kind = kind, .keys = keys.size(), .false_positives = rate});
      benchmark::DoNotOptimize(filter.Add(keys).has_value());
    } else {
      benchmark::DoNotOptimize(KeyFilter::Build({.kind = kind}, keys)->bytes());
    }
  }
  state.SetItemsProcessed(state.range(0) * state.iterations());
}

constexpr int64_t kMany = 50'000'000;
BENCHMARK_CAPTURE(Select, bloom, FilterKind::kBloom, 0.01)->Arg(1 << 16)->Arg(kMany);
BENCHMARK_CAPTURE(Select, cuckoo, FilterKind::kCuckoo, 0.01)->Arg(1 << 16)->Arg(kMany);
BENCHMARK_CAPTURE(Select, fuse8, FilterKind::kFuse8, 0.01)->Arg(1 << 16)->Arg(kMany);
BENCHMARK_CAPTURE(Select, fuse16, FilterKind::kFuse16, 0.01)->Arg(1 << 16)->Arg(kMany);
BENCHMARK_CAPTURE(Build, bloom, FilterKind::kBloom, 0.01)->Arg(1 << 20)->Arg(kMany);
BENCHMARK_CAPTURE(Build, cuckoo, FilterKind::kCuckoo, 0.01)->Arg(1 << 20)->Arg(kMany);
BENCHMARK_CAPTURE(Build, fuse8, FilterKind::kFuse8, 0.01)->Arg(1 << 20)->Arg(kMany);
BENCHMARK_CAPTURE(Build, fuse16, FilterKind::kFuse16, 0.01)->Arg(1 << 20)->Arg(kMany);

}  // namespace
}  // namespace zhiwen
