// Measures the cost of deciding whether two texts sound alike, compared with keywords, from the
// texts in memory to the similarity. ZHIWEN_BENCHMARK_PAIRS names a file in which each pair of
// lines is a pair of texts; without it, pairs are generated. Items are pairs. ZHIWEN_LANGUAGE names
// language data, ZHIWEN_DF a snapshot of terms. bench/run.py phonemes makes a table of the results.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "text/benchmark_texts.h"
#include "zhiwen/file_system.h"
#include "zhiwen/fingerprint_similarity.h"
#include "zhiwen/phoneme_snapshot.h"
#include "zhiwen/scheme.h"
#include "zhiwen/term_snapshot.h"

namespace zhiwen {
namespace {

using Pair = std::pair<std::string, std::string>;

std::string DrawText(std::mt19937& random, size_t characters) {
  std::string text;
  for (size_t i = 0; i < characters; ++i) {
    const auto code_point = static_cast<uint32_t>(0x4E00 + random() % 1500);
    text += static_cast<char>(0xE0 | code_point >> 12);
    text += static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (code_point & 0x3F));
  }
  return text;
}

const std::vector<Pair>& Pairs() {
  static const std::vector<Pair> pairs = [] {
    std::vector<Pair> made;
    if (const char* path = std::getenv("ZHIWEN_BENCHMARK_PAIRS"); path != nullptr) {
      std::ifstream lines(path);
      for (Pair pair; std::getline(lines, pair.first) && std::getline(lines, pair.second);) {
        made.push_back(pair);
      }
      return made;
    }
    std::mt19937 random(1);
    for (int i = 0; i < 100; ++i) made.emplace_back(DrawText(random, 450), DrawText(random, 450));
    return made;
  }();
  return pairs;
}

// Uses the resources named by ZHIWEN_LANGUAGE and ZHIWEN_DF. Creating the scheme fails when one is
// missing.
std::unique_ptr<Scheme> MakeScheme(benchmark::State& state, std::string_view name) {
  SchemeResources resources = {.language = BenchmarkLanguage()};
  const char* const df = std::getenv("ZHIWEN_DF");
  if (auto snapshot = TermSnapshot::Open(PosixFileSystem(), df == nullptr ? "" : df); snapshot) {
    resources.snapshot = *snapshot;
  }
  auto scheme = Scheme::Create(name, std::move(resources));
  if (!scheme) state.SkipWithError(scheme.error().message.c_str());
  return scheme ? *std::move(scheme) : nullptr;
}

template <typename Compare>
void Measure(benchmark::State& state, std::string_view name, const Compare& compare) {
  const std::unique_ptr<Scheme> scheme = MakeScheme(state, name);
  if (scheme == nullptr || Pairs().empty()) return;
  for (auto _ : state) {
    for (const auto& [a, b] : Pairs()) {
      benchmark::DoNotOptimize(compare(*scheme->Compute(a), *scheme->Compute(b)));
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(Pairs().size()) * state.iterations());
}

void Model1(benchmark::State& state) {
  Measure(state, "phonemes(counts)", [](const Fingerprint& a, const Fingerprint& b) {
    return PhonemeModel().Model1(*ComparePhonemes(a, b));
  });
}

void Model2(benchmark::State& state) {
  Measure(state, "phonemes(counts)", [](const Fingerprint& a, const Fingerprint& b) {
    return PhonemeModel().Model2(*ComparePhonemes(a, b));
  });
}

// Takes as many keywords as jieba.analyse.extract_tags does by default.
void Keywords(benchmark::State& state) {
  Measure(state, "keywords(form=list,n=20)", [](const Fingerprint& a, const Fingerprint& b) {
    return *CompareFingerprints(a, b, "cosine", {});
  });
}

BENCHMARK(Model1)->Name("sound/model1");
BENCHMARK(Model2)->Name("sound/model2");
BENCHMARK(Keywords)->Name("sound/keywords");

}  // namespace
}  // namespace zhiwen
