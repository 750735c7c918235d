// How many texts of a library a second PhonemeFilter compares with one; items/s are comparisons.

#include "index/phoneme_filter.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

namespace zhiwen {
namespace {

// Phonemes as frequent as in Chinese, in rank: a few are most.
PhonemeCounts DrawText(std::mt19937_64& random, uint64_t characters) {
  PhonemeCounts counts;
  const auto draw = [&](auto& of) {
    ++of[std::min({random() % of.size(), random() % of.size(), random() % of.size()})];
  };
  for (uint64_t i = 0; i < characters; ++i) {
    draw(counts.initials);
    draw(counts.finals);
    draw(counts.tones);
  }
  return counts;
}

// Of texts of 500 characters, 1,024 of which are different.
void Query(benchmark::State& state, PhonemeFilter::Model which) {
  std::mt19937_64 random(1);
  std::vector<PhonemeVector> texts;
  for (int i = 0; i < 1024; ++i) texts.push_back(QuantisePhonemes(DrawText(random, 500)));
  PhonemeFilter filter;
  const auto size = static_cast<size_t>(state.range(0));
  for (size_t i = 0; i < size; ++i) filter.Add(texts[i % texts.size()]);
  std::vector<uint32_t> candidates;
  size_t query = 0;
  size_t found = 0;
  for (auto _ : state) {
    filter.Query(texts[query++ % texts.size()], {}, which, candidates);
    found += candidates.size();
  }
  const auto compared = static_cast<int64_t>(size) * state.iterations();
  state.SetItemsProcessed(compared);
  state.counters["candidates"] = static_cast<double>(found) / static_cast<double>(compared);
}

void QueryModel1(benchmark::State& state) { Query(state, PhonemeFilter::Model::kThresholds); }
void QueryModel2(benchmark::State& state) { Query(state, PhonemeFilter::Model::kSimilarity); }

BENCHMARK(QueryModel1)->Name("phoneme_filter/model1")->Arg(1 << 10)->Arg(1 << 14)->Arg(1 << 20);
BENCHMARK(QueryModel2)->Name("phoneme_filter/model2")->Arg(1 << 10)->Arg(1 << 14)->Arg(1 << 20);

}  // namespace
}  // namespace zhiwen
