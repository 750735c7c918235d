// Measures how many texts a second are compared with a query by their phonemes. Items are
// comparisons of one query and one text. `missed` counts matches that only brute force finds.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "index/vectors/phoneme_filter.h"
#include "index/vectors/phoneme_search.h"

namespace zhiwen {
namespace {

using Kind = PhonemeRule::Kind;

constexpr size_t kTexts = 1024;  // of these there are copies

// Draws phonemes with the frequencies of Chinese: a few are most frequent, and one character in
// four is one of ten that the text is about.
PhonemeCounts DrawText(std::mt19937_64& random, uint64_t characters) {
  const auto draw = [&](uint64_t of) {
    return std::min({random() % of, random() % of, random() % of});
  };
  std::array<std::array<uint64_t, 3>, 10> topic;
  for (auto& of : topic) of = {draw(kInitialCount), draw(kFinalCount), draw(kToneCount)};
  PhonemeCounts counts;
  for (uint64_t i = 0; i < characters; ++i) {
    const auto& of = topic[random() % topic.size()];
    const bool is_topic = random() % 4 == 0;
    ++counts.initials[is_topic ? of[0] : draw(kInitialCount)];
    ++counts.finals[is_topic ? of[1] : draw(kFinalCount)];
    ++counts.tones[is_topic ? of[2] : draw(kToneCount)];
  }
  return counts;
}

// Draws texts of 500 characters.
std::vector<PhonemeVector> DrawTexts() {
  std::mt19937_64 random(1);
  std::vector<PhonemeVector> texts;
  for (size_t i = 0; i < kTexts; ++i) texts.push_back(QuantisePhonemes(DrawText(random, 500)));
  return texts;
}

// Makes `count` rows: unrelated texts first, then repetitions of these with one byte changed.
std::vector<uint8_t> DrawRows(size_t count) {
  std::mt19937_64 random(2);
  const std::vector<PhonemeVector> texts = DrawTexts();
  std::vector<uint8_t> rows;
  for (size_t i = 0; i < count; ++i) {
    const auto& bytes = texts[i % kTexts].bytes;
    rows.insert(rows.end(), bytes.begin(), bytes.end());
    if (i >= kTexts) ++*(rows.end() - 1 - static_cast<ptrdiff_t>(random() % kPhonemeCount));
  }
  return rows;
}

void Filter(benchmark::State& state, Kind which) {
  const std::vector<PhonemeVector> texts = DrawTexts();
  PhonemeFilter filter;
  const auto size = static_cast<size_t>(state.range(0));
  for (size_t i = 0; i < size; ++i) filter.Add(texts[i % kTexts]);
  std::vector<uint32_t> candidates;
  size_t query = 0, found = 0;
  for (auto _ : state) {
    filter.Query(texts[query++ % kTexts], {}, which, candidates);
    found += candidates.size();
  }
  const auto compared = static_cast<int64_t>(size) * state.iterations();
  state.SetItemsProcessed(compared);
  state.counters["candidates"] = static_cast<double>(found) / static_cast<double>(compared);
}

// Uses thresholds trained with five keywords (docs/phonemes.md).
PhonemeRule RuleOf(Kind kind) {
  return {.kind = kind,
          .model = {.thresholds = {0.9809, 0.9781, 0.9933}, .similarity = 0.9834},
          .count = 10};
}

// The arguments are the number of rows, and of queries asked at once.
template <typename Index>
void Query(benchmark::State& state, Kind kind) {
  const auto size = static_cast<size_t>(state.range(0));
  const auto batch = static_cast<size_t>(state.range(1)) * kPhonemeCount;
  const std::vector<uint8_t> rows = DrawRows(size);
  Index index;
  index.Insert(rows);
  const PhonemeRule rule = RuleOf(kind);
  size_t at = 0, found = 0;
  for (auto _ : state) {
    found += index.Query({.bytes = std::span(rows).subspan(at, batch)}, rule).size();
    at = (at + batch) % (kTexts * kPhonemeCount);
  }
  const auto compared = state.range(0) * state.range(1) * state.iterations();
  state.SetItemsProcessed(compared);
  state.counters["matches"] = static_cast<double>(found) / static_cast<double>(compared);
  BruteForcePhonemes slow;
  slow.Insert(rows);
  const PhonemeRows asked = {.bytes = std::span(rows).first(kPhonemeCount)};
  const PhonemeMatches all = slow.Query(asked, rule), these = index.Query(asked, rule);
  state.counters["missed"] = static_cast<double>(std::ranges::count_if(
      all, [&](const PhonemeMatch& match) { return std::ranges::count(these, match) == 0; }));
}

const bool kRegistered = [] {
  const std::pair<const char*, Kind> kinds[] = {
      {"model1", Kind::kThresholds}, {"model2", Kind::kSimilarity}, {"nearest", Kind::kNearest}};
  for (const auto& [name, kind] : kinds) {
    const std::string suffix = name;
    if (kind != Kind::kNearest) {
      benchmark::RegisterBenchmark(("phoneme_filter/" + suffix).c_str(), Filter, kind)
          ->Arg(1 << 14)
          ->Arg(1 << 20);
    }
    benchmark::RegisterBenchmark(("phoneme_scan/" + suffix).c_str(), Query<ScannedPhonemes>, kind)
        ->ArgsProduct({{1 << 14, 1 << 20}, {1, 16}});
    benchmark::RegisterBenchmark(("phoneme_plain/" + suffix).c_str(), Query<BruteForcePhonemes>,
                                 kind)
        ->Args({1 << 14, 1});
  }
  return true;
}();

}  // namespace
}  // namespace zhiwen
