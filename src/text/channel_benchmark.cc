// Measures how fast every channel computes its symbols, in bytes of UTF-8 per second of CPU time,
// beside a copy of the same bytes. Benchmarks are named CHANNEL/LEVEL/TEXT. bench/run.py channels
// makes a table of the results.

#include <benchmark/benchmark.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "text/benchmark_texts.h"
#include "text/channel_view.h"
#include "text/fold.h"
#include "zhiwen/simd.h"

namespace zhiwen {
namespace {

void MeasureChannel(benchmark::State& state, std::string_view name, SimdLevel level,
                    const BenchmarkText& text) {
  if (!SelectKernels(level)) return state.SkipWithError("the processor lacks the level");
  const Result<Channel> channel = OpenChannel(name, BenchmarkLanguage());
  if (!channel) return state.SkipWithError(channel.error().message.c_str());
  const SymbolVisitor visit = [](std::span<const uint32_t> symbols) {
    benchmark::DoNotOptimize(symbols.data());
  };
  MeasureDocuments(state, text.make(),
                   [&](std::string_view document) { channel->view().Visit(document, visit); });
}

void MeasureCopy(benchmark::State& state, const BenchmarkText& text) {
  const std::string source = text.make();
  std::string copy(source.size(), ' ');
  MeasureDocuments(state, source, [&](std::string_view document) {
    const auto at = static_cast<size_t>(document.data() - source.data());
    std::memcpy(copy.data() + at, document.data(), document.size());
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
  });
}

void MeasureHash(benchmark::State& state, const BenchmarkText& text) {
  MeasureDocuments(state, text.make(), [](std::string_view document) {
    benchmark::DoNotOptimize(HashExactChannel(document));
  });
}

// Lists every channel with its defaults, and the variants that have code of their own.
std::vector<std::string_view> Names() {
  std::vector<std::string_view> names;
  for (const ChannelDescription& channel : DescribeChannels()) names.push_back(channel.short_name);
  names.push_back("pinyin(reading=phrase)");
  return names;
}

bool RegisterAll() {
  for (const BenchmarkText& text : BenchmarkTexts()) {
    const auto add = [&](const std::string& name, auto measure) {
      benchmark::RegisterBenchmark((name + "/" + text.name).c_str(), measure);
    };
    add("copy/-", [text](benchmark::State& state) { MeasureCopy(state, text); });
    add("hash_exact/-", [text](benchmark::State& state) { MeasureHash(state, text); });
    for (const std::string_view name : Names()) {
      for (const SimdLevel level : {SimdLevel::kScalar, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
        add(std::string(name) + "/" + std::string(SimdLevelName(level)),
            [=](benchmark::State& state) { MeasureChannel(state, name, level, text); });
      }
    }
  }
  return true;
}

[[maybe_unused]] const bool kRegistered = RegisterAll();

}  // namespace
}  // namespace zhiwen
