#ifndef ZHIWEN_TEXT_BENCHMARK_TEXTS_H_
#define ZHIWEN_TEXT_BENCHMARK_TEXTS_H_

// Texts for benchmarks, which only *_benchmark.cc include. Texts are generated;
// ZHIWEN_BENCHMARK_TEXTS names files to measure instead, "news=FILE:mixed=FILE". Benchmarks that
// need language data run only when ZHIWEN_LANGUAGE names it.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8/utf8.h"
#include "zhiwen/file_system.h"
#include "zhiwen/language.h"

namespace zhiwen {

inline constexpr size_t kTextSize = 1 << 20;

inline void AppendWide(uint32_t code_point, std::string& text) {
  text += static_cast<char>(0xE0 | code_point >> 12);
  text += static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
  text += static_cast<char>(0x80 | (code_point & 0x3F));
}

// Returns a Han character; a few characters are frequent, as in Chinese.
inline uint32_t RandomHan(std::mt19937& random) {
  const uint32_t spread = random() % 4 == 0 ? 20000 : 1500;
  return 0x4E00 + static_cast<uint32_t>(random() % spread);
}

inline std::string HanText() {
  std::mt19937 random(1);
  std::string text;
  while (text.size() < kTextSize) AppendWide(RandomHan(random), text);
  return text;
}

// Returns sentences of Han with full-width punctuation, numbers, ASCII punctuation and line ends.
inline std::string MixedText() {
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

inline std::string EnglishText() {
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

struct BenchmarkText {
  std::string name;
  std::function<std::string()> make;
};

inline std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::vector<BenchmarkText> BenchmarkTexts() {
  const char* named = std::getenv("ZHIWEN_BENCHMARK_TEXTS");
  if (named == nullptr) return {{"han", HanText}, {"mixed", MixedText}, {"english", EnglishText}};
  std::vector<BenchmarkText> texts;
  for (std::string_view rest = named; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const size_t equals = std::min(one.find('='), one.size() - 1);
    const std::string path(one.substr(equals + 1));
    texts.push_back({std::string(one.substr(0, equals)), [path] { return ReadAll(path); }});
  }
  return texts;
}

// Returns null when ZHIWEN_LANGUAGE names no data.
inline const std::shared_ptr<const Language>& BenchmarkLanguage() {
  static const std::shared_ptr<const Language> language = [] {
    const char* path = std::getenv("ZHIWEN_LANGUAGE");
    auto opened = Language::Open(PosixFileSystem(), path == nullptr ? "" : path);
    return opened ? *opened : nullptr;
  }();
  return language;
}

// Calls `function` for documents of a few kilobytes, the usual size in a corpus.
template <typename Function>
void MeasureDocuments(benchmark::State& state, const std::string& text, const Function& function) {
  constexpr size_t kDocument = 4096;
  if (text.empty()) return state.SkipWithError("the text is empty");
  for (auto _ : state) {
    for (size_t at = 0; at < text.size();) {
      size_t end = std::min(at + kDocument, text.size());
      while (end < text.size() && IsContinuation(text[end])) ++end;
      function(std::string_view(text).substr(at, end - at));
      at = end;
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * state.iterations());
}

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_BENCHMARK_TEXTS_H_
