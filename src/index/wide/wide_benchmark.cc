// Look-ups and insertions of codes of 128 bits; items/s are queries and codes. `bytes` is the
// memory of a code, `lines` the look-ups of a query: 0 where all codes are compared.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "index/wide/four_part_index.h"

namespace zhiwen {
namespace {

constexpr size_t kQueries = 4096;

Code128 RandomCode(uint64_t number) {
  std::mt19937_64 random(number);
  const uint64_t high = random();
  return {high, random()};
}

// One index for all benchmarks of a size.
const FourPartIndex& IndexOf(uint64_t count) {
  static uint64_t held = 0;
  static FourPartIndex index;
  if (held == count) return index;
  index = FourPartIndex();
  std::mt19937_64 random(1);
  std::vector<Code128> codes(std::min<uint64_t>(count, 1 << 20));
  for (uint64_t begin = 0; begin < count; begin += codes.size()) {
    codes.resize(std::min<uint64_t>(codes.size(), count - begin));
    for (uint64_t i = 0; i < codes.size(); ++i) {
      codes[i] = (begin + i) % 1000 == 0 ? RandomCode(begin + i) : Code128{random(), random()};
    }
    index.Insert(codes);
  }
  held = count;
  return index;
}

// Half of them near a code, half of them like none.
std::vector<Code128> MixedQueries(uint64_t count) {
  std::vector<Code128> queries(kQueries);
  std::mt19937_64 random(3);
  for (size_t i = 0; i < kQueries; ++i) {
    queries[i] = RandomCode(i % 2 == 0 ? random() % count / 1000 * 1000 : ~i);
    queries[i].low ^= uint64_t{1} << i % 64;
  }
  return queries;
}

void BM_WideQuery(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  const auto radius = static_cast<uint32_t>(state.range(1));
  const FourPartIndex& index = IndexOf(count);
  std::vector<Code128> queries = MixedQueries(count);
  if (radius > 12) queries.resize(8);
  uint64_t found = 0;
  for (auto _ : state) {
    WideAnswer answer;
    index.Query(queries, radius, answer);
    for (const WideMatch& match : answer.matches) found += 1 + match.code.low % 2;
  }
  benchmark::DoNotOptimize(found);
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * queries.size()));
  state.counters["bytes"] = static_cast<double>(index.bytes()) / static_cast<double>(count);
  state.counters["lines"] = static_cast<double>(index.LinesFor(radius, queries.size()));
}

// Every code compared with one query.
void BM_WideScan(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  const FourPartIndex& index = IndexOf(count);
  const std::vector<Code128> queries = MixedQueries(count);
  size_t i = 0, found = 0;
  for (auto _ : state) {
    WideAnswer answer;
    index.Query({&queries[i++ % kQueries], 1}, 24, answer);  // beyond what is looked up
    found += answer.matches.size();
  }
  benchmark::DoNotOptimize(found);
  state.SetItemsProcessed(state.iterations());
}

void BM_WideInsert(benchmark::State& state) {
  const auto together = static_cast<size_t>(state.range(0));
  constexpr size_t kCodes = size_t{1} << 22;
  std::mt19937_64 random(5);
  std::vector<Code128> codes(kCodes);
  for (Code128& code : codes) code = {random(), random()};
  for (auto _ : state) {
    FourPartIndex index;
    for (size_t i = 0; i < kCodes; i += together) index.Insert({codes.data() + i, together});
    benchmark::DoNotOptimize(index.size());
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kCodes));
}

constexpr int64_t kMillion = 1'000'000;
BENCHMARK(BM_WideQuery)
    ->ArgsProduct({{kMillion, 10 * kMillion}, {0, 3, 4, 7, 8, 11, 16}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_WideScan)->Arg(kMillion)->Arg(10 * kMillion)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_WideInsert)->Arg(1)->Arg(1024)->Arg(1 << 22)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace zhiwen
