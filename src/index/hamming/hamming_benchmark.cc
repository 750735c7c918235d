// Look-ups, insertions and joins; items/s are queries, codes and codes.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

#include "index/hamming/brute_force_hamming.h"
#include "index/hamming/half_key_index.h"
#include "index/hamming/hamming_join.h"

namespace zhiwen {
namespace {

std::vector<uint64_t> RandomCodes(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> codes(count);
  for (uint64_t& code : codes) code = random();
  return codes;
}

// Half of them near a code, half of them anywhere.
std::vector<uint64_t> MixedQueries(const std::vector<uint64_t>& codes, size_t count) {
  std::mt19937_64 random(2);
  std::vector<uint64_t> queries(count);
  for (uint64_t& query : queries) {
    query = codes[random() % codes.size()];
    for (uint64_t flips = random() % 5; flips > 0; --flips) query ^= uint64_t{1} << random() % 64;
    if (random() % 2 == 0) query = random();
  }
  return queries;
}

template <typename Index>
void Query(benchmark::State& state) {
  const auto codes = RandomCodes(static_cast<size_t>(state.range(0)), 1);
  const auto radius = static_cast<uint32_t>(state.range(1));
  Index index;
  index.Insert(codes);
  const auto queries = MixedQueries(codes, 1 << 14);
  const size_t batch = radius < 4 ? 1024 : 8;
  HammingAnswer answer;
  uint64_t found = 0;
  size_t begin = 0;
  for (auto _ : state) {
    answer.matches.clear();
    if (!index.Query({queries.data() + begin, batch}, radius, answer)) state.SkipWithError("query");
    for (const HammingMatch& match : answer.matches) found += match.code & 1;
    begin = (begin + batch) % queries.size();
  }
  benchmark::DoNotOptimize(found);
  state.SetItemsProcessed(static_cast<int64_t>(batch) * state.iterations());
  state.counters["bytes/code"] =
      static_cast<double>(index.bytes()) / static_cast<double>(index.size());
}

void Insert(benchmark::State& state) {
  const auto codes = RandomCodes(static_cast<size_t>(state.range(0)), 1);
  for (auto _ : state) {
    HalfKeyIndex index;
    for (size_t i = 0; i < codes.size(); i += 4096) {
      index.Insert({codes.data() + i, std::min<size_t>(4096, codes.size() - i)});
    }
    benchmark::DoNotOptimize(index.size());
  }
  state.SetItemsProcessed(state.range(0) * state.iterations());
}

void Join(benchmark::State& state) {
  const auto codes = RandomCodes(static_cast<size_t>(state.range(0)), 1);
  uint64_t pairs = 0;
  for (auto _ : state) {
    JoinWithin(codes, static_cast<uint32_t>(state.range(1)),
               [&](std::span<const CodePair> found) { pairs += found.size(); });
  }
  benchmark::DoNotOptimize(pairs);
  state.SetItemsProcessed(state.range(0) * state.iterations());
}

BENCHMARK(Query<HalfKeyIndex>)
    ->Name("hamming/query")
    ->Args({1 << 20, 3})
    ->Args({10'000'000, 0})
    ->Args({10'000'000, 3})
    ->Args({10'000'000, 5})
    ->Args({10'000'000, 8});
BENCHMARK(Query<BruteForceHamming>)->Name("hamming/brute_force")->Args({1 << 20, 3});
BENCHMARK(Insert)->Name("hamming/insert")->Arg(1 << 20)->Arg(10'000'000);
BENCHMARK(Join)->Name("hamming/join")->Args({1 << 20, 3})->Args({10'000'000, 3});

}  // namespace
}  // namespace zhiwen
