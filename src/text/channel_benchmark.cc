// How fast every channel computes its symbols, in bytes of UTF-8 per second of CPU time, beside a
// copy of the same bytes: CHANNEL/LEVEL/TEXT. Texts are generated; ZHIWEN_BENCHMARK_TEXTS names
// files to measure instead, "news=FILE:mixed=FILE". Channels that need language data are measured
// where ZHIWEN_LANGUAGE names it. bench/run.py channels makes a table of it.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "text/channel_view.h"
#include "text/fold.h"
#include "zhiwen/file_system.h"
#include "zhiwen/language.h"
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

struct Text {
  std::string name;
  std::function<std::string()> make;
};

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<Text> Texts() {
  const char* named = std::getenv("ZHIWEN_BENCHMARK_TEXTS");
  if (named == nullptr) return {{"han", HanText}, {"mixed", MixedText}, {"english", EnglishText}};
  std::vector<Text> texts;
  for (std::string_view rest = named; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const size_t equals = std::min(one.find('='), one.size() - 1);
    const std::string path(one.substr(equals + 1));
    texts.push_back({std::string(one.substr(0, equals)), [path] { return ReadAll(path); }});
  }
  return texts;
}

const std::shared_ptr<const Language>& BenchmarkLanguage() {
  static const std::shared_ptr<const Language> language = [] {
    const char* path = std::getenv("ZHIWEN_LANGUAGE");
    auto opened = Language::Open(PosixFileSystem(), path == nullptr ? "" : path);
    return opened ? *opened : nullptr;
  }();
  return language;
}

// Documents of a few kilobytes, as a corpus has them.
template <typename Function>
void Measure(benchmark::State& state, const std::string& text, const Function& function) {
  constexpr size_t kDocument = 4096;
  if (text.empty()) return state.SkipWithError("the text is empty");
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

void MeasureChannel(benchmark::State& state, std::string_view name, SimdLevel level,
                    const Text& text) {
  if (!SelectKernels(level)) return state.SkipWithError("the processor lacks the level");
  const Result<Channel> channel = OpenChannel(name, BenchmarkLanguage());
  if (!channel) return state.SkipWithError(channel.error().message.c_str());
  const SymbolVisitor visit = [](std::span<const uint32_t> symbols) {
    benchmark::DoNotOptimize(symbols.data());
  };
  Measure(state, text.make(),
          [&](std::string_view document) { channel->view().Visit(document, visit); });
}

void MeasureCopy(benchmark::State& state, const Text& text) {
  const std::string source = text.make();
  std::string copy(source.size(), ' ');
  Measure(state, source, [&](std::string_view document) {
    const auto at = static_cast<size_t>(document.data() - source.data());
    std::memcpy(copy.data() + at, document.data(), document.size());
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
  });
}

void MeasureHash(benchmark::State& state, const Text& text) {
  Measure(state, text.make(),
          [](std::string_view document) { benchmark::DoNotOptimize(HashExactChannel(document)); });
}

// Every channel by its defaults, and the variants that are code of their own.
std::vector<std::string_view> Names() {
  std::vector<std::string_view> names;
  for (const ChannelDescription& channel : DescribeChannels()) names.push_back(channel.short_name);
  names.push_back("pinyin(reading=phrase)");
  return names;
}

bool RegisterAll() {
  for (const Text& text : Texts()) {
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
