// How fast the folded and the exact channel are, in bytes of UTF-8 per second of CPU time. Texts
// are generated; ZHIWEN_BENCHMARK_TEXT names a file to measure instead.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "text/fold.h"
#include "zhiwen/simd.h"

namespace zhiwen {
namespace {

constexpr size_t kTextSize = 1 << 20;

void AppendWide(uint32_t code_point, std::string& text) {
  text += static_cast<char>(0xE0 | code_point >> 12);
  text += static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
  text += static_cast<char>(0x80 | (code_point & 0x3F));
}

// A Han character; frequent ones are frequent, as in Chinese.
uint32_t RandomHan(std::mt19937& random) {
  const uint32_t spread = random() % 4 == 0 ? 20000 : 1500;
  return 0x4E00 + static_cast<uint32_t>(random() % spread);
}

std::string HanText() {
  std::mt19937 random(1);
  std::string text;
  while (text.size() < kTextSize) AppendWide(RandomHan(random), text);
  return text;
}

// Sentences of Han with full-width punctuation, numbers, ASCII punctuation and line ends.
std::string MixedText() {
  std::mt19937 random(2);
  std::string text;
  while (text.size() < kTextSize) {
    for (size_t i = 4 + random() % 16; i > 0; --i) AppendWide(RandomHan(random), text);
    switch (random() % 8) {
      case 0:
        text += std::to_string(random() % 3000);
        break;
      case 1:
        text += "(";
        break;
      case 2:
        AppendWide(0x3002, text);
        text += '\n';
        break;
      default:
        AppendWide(0xFF0C, text);
    }
  }
  return text;
}

std::string EnglishText() {
  std::mt19937 random(3);
  std::string text;
  while (text.size() < kTextSize) {
    for (size_t i = 1 + random() % 4 + random() % 6; i > 0; --i) {
      text += static_cast<char>('a' + random() % 26);
    }
    text += random() % 10 == 0 ? ", " : " ";
  }
  return text;
}

std::string FileText() {
  const char* path = std::getenv("ZHIWEN_BENCHMARK_TEXT");
  if (path == nullptr) return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Documents of a few kilobytes, as a corpus has them.
template <typename Function>
void Measure(benchmark::State& state, const std::string& text, const Function& function) {
  constexpr size_t kDocument = 4096;
  if (text.empty()) return state.SkipWithError("no ZHIWEN_BENCHMARK_TEXT");
  for (auto _ : state) {
    for (size_t at = 0; at < text.size();) {
      size_t end = std::min(at + kDocument, text.size());
      while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;
      function(std::string_view(text).substr(at, end - at));
      at = end;
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * state.iterations());
}

void BM_Fold(benchmark::State& state, SimdLevel level, std::string (*make_text)()) {
  if (!SelectKernels(level)) return state.SkipWithError("the processor lacks the level");
  std::vector<uint32_t> symbols;
  Measure(state, make_text(), [&](std::string_view document) {
    symbols.clear();
    FoldInto(document, symbols);
    benchmark::DoNotOptimize(symbols.data());
  });
}

void BM_HashExact(benchmark::State& state, std::string (*make_text)()) {
  Measure(state, make_text(),
          [](std::string_view document) { benchmark::DoNotOptimize(HashExactChannel(document)); });
}

#define ZHIWEN_FOLD_BENCHMARKS(text)                                   \
  BENCHMARK_CAPTURE(BM_Fold, scalar_##text, SimdLevel::kScalar, text); \
  BENCHMARK_CAPTURE(BM_Fold, avx2_##text, SimdLevel::kAvx2, text);     \
  BENCHMARK_CAPTURE(BM_Fold, avx512_##text, SimdLevel::kAvx512, text); \
  BENCHMARK_CAPTURE(BM_HashExact, text, text)

ZHIWEN_FOLD_BENCHMARKS(HanText);
ZHIWEN_FOLD_BENCHMARKS(MixedText);
ZHIWEN_FOLD_BENCHMARKS(EnglishText);
ZHIWEN_FOLD_BENCHMARKS(FileText);

}  // namespace
}  // namespace zhiwen
