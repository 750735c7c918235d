// How many codes a second a single pass takes, by the number of centres that are there.

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "cluster/single_pass.h"

namespace zhiwen {
namespace {

constexpr size_t kTaken = size_t{1} << 16;

// A third of the codes is a centre with up to five bits flipped, the others are random: what is
// near joins, and what is far makes the stream longer.
std::vector<uint64_t> MakeCodes(const std::vector<uint64_t>& centres, std::mt19937_64& random) {
  std::vector<uint64_t> codes(kTaken);
  for (uint64_t& code : codes) {
    code = random();
    if (random() % 3 != 0) continue;
    code = centres[random() % centres.size()];
    for (uint64_t flips = random() % 6; flips > 0; --flips) code ^= uint64_t{1} << random() % 64;
  }
  return codes;
}

void BM_SinglePass(benchmark::State& state) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> centres(static_cast<size_t>(state.range(0)));
  for (uint64_t& centre : centres) centre = random();
  const auto pass = MakeIndexedSinglePass({.radius = static_cast<uint32_t>(state.range(1))});
  uint64_t number = 0;
  for (const uint64_t centre : centres) pass->Restore({.number = ++number, .code = centre});
  const std::vector<uint64_t> codes = MakeCodes(centres, random);
  uint64_t joined = 0;
  size_t next = 0;
  for (auto _ : state) {
    const auto step = pass->Take({.number = ++number, .code = codes[next++ % kTaken]});
    joined += step->is_new ? 0 : 1;
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["joined"] = static_cast<double>(joined) / static_cast<double>(state.iterations());
}
BENCHMARK(BM_SinglePass)
    ->ArgsProduct({{10000, 1000000}, {3, 6}})
    ->Iterations(kTaken)
    ->Unit(benchmark::kMicrosecond);

// A day of codes, an hour each, with a window of so many codes: forgetting has its price.
void BM_SinglePassWithWindow(benchmark::State& state) {
  std::mt19937_64 random(1);
  const auto window = static_cast<uint64_t>(state.range(0));
  const auto pass = MakeIndexedSinglePass({.radius = 3, .window = window});
  uint64_t number = 0;
  const auto take = [&] {
    ++number;
    return pass->Take({.number = number, .code = random(), .date = static_cast<int64_t>(number)});
  };
  while (number < 2 * window) benchmark::DoNotOptimize(take());
  for (auto _ : state) benchmark::DoNotOptimize(take());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_SinglePassWithWindow)->Arg(1000000)->Iterations(kTaken)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace zhiwen
