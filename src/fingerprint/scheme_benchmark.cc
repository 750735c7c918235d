// Measures how fast every scheme computes its values, in bytes of UTF-8 per second of CPU time.
// Benchmarks are named SCHEME/TEXT. bench/run.py schemes makes a table of the results.

#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

#include "text/benchmark_texts.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

void MeasureScheme(benchmark::State& state, const std::string& name, const BenchmarkText& text) {
  const auto scheme = Scheme::Create(name, {.language = BenchmarkLanguage()});
  if (!scheme) return state.SkipWithError(scheme.error().message.c_str());
  MeasureDocuments(state, text.make(), [&](std::string_view document) {
    benchmark::DoNotOptimize((*scheme)->Compute(document));
  });
}

// Registers every family with its defaults, and the variants that have code of their own.
bool RegisterAll() {
  std::vector<std::string> names = SchemeNames();
  for (const std::string variant :
       {"minhash(method=k_permutation)", "simhash64(feature=shingle(2))", "simhash64(feature=term)",
        "simhash64(channel=pinyin)", "simhash64(phoneme,channel=phonemes)",
        "shingles(feature=shingle(3,unit=word))", "vector(feature=character)"}) {
    names.push_back(variant);
  }
  for (const BenchmarkText& text : BenchmarkTexts()) {
    for (const std::string& name : names) {
      benchmark::RegisterBenchmark((name + "/" + text.name).c_str(), [=](benchmark::State& state) {
        MeasureScheme(state, name, text);
      });
    }
  }
  return true;
}

[[maybe_unused]] const bool kRegistered = RegisterAll();

}  // namespace
}  // namespace zhiwen
