#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "index/references/reference_index.h"
#include "index/references/reference_stretches.h"

namespace zhiwen {
namespace {

using RunSymbols = std::vector<uint32_t>;

std::string RunAt(const RunSymbols& text, size_t begin, size_t run) {
  return {reinterpret_cast<const char*>(text.data() + begin), run * sizeof(uint32_t)};
}

// Every run of the input that the reference has anywhere.
std::vector<SymbolRange> SlowShared(const RunSymbols& input, const RunSymbols& reference,
                                    size_t run) {
  std::unordered_set<std::string> own;
  for (size_t at = 0; at + run <= reference.size(); ++at) own.insert(RunAt(reference, at, run));
  std::vector<SymbolRange> shared;
  for (size_t at = 0; at + run <= input.size(); ++at) {
    if (own.contains(RunAt(input, at, run))) shared.push_back({at, at + run});
  }
  return JoinStretches(shared, 0);
}

// Compares what is shared with every other reference; returns how many stretches that are.
size_t ExpectAllShared(const std::vector<RunSymbols>& references,
                       const std::vector<RunSymbols>& inputs, uint32_t run) {
  ReferenceCounts counts{.references = references.size()};
  for (const RunSymbols& text : references) counts.symbols += text.size();
  const ReferenceIndexOptions options{.rule = ReferenceRule::kOverlap, .run = run};
  auto builder = ReferenceIndex::Builder::Create(options, counts);
  EXPECT_TRUE(builder);
  for (const RunSymbols& text : references) EXPECT_TRUE(builder->Add(text));
  const auto index = (*std::move(builder)).Finish();
  EXPECT_TRUE(index);
  ReferenceIndex::Scratch scratch;
  size_t found = 0;
  for (const RunSymbols& input : inputs) {
    for (uint32_t first : {0U, 1U}) {
      std::vector<uint32_t> chosen;
      for (uint32_t r = first; r < references.size(); r += 2) chosen.push_back(r);
      std::vector<std::vector<SymbolRange>> shared(chosen.size());
      index->VisitSharedRuns(input, chosen, scratch,
                             [&](size_t place, uint64_t begin, uint64_t end) {
                               EXPECT_GE(end - begin, run);
                               shared[place].push_back({begin, end});
                             });
      for (size_t i = 0; i < chosen.size(); ++i) {
        std::ranges::sort(shared[i], {}, &SymbolRange::begin);
        const auto joined = JoinStretches(shared[i], 0);
        EXPECT_EQ(joined, SlowShared(input, references[chosen[i]], run));
        found += joined.size();
      }
    }
  }
  return found;
}

// Texts of an alphabet, and parts of them beside each other in inputs.
TEST(SharedRuns, AreAllRunsThatTheInputHasOfAReference) {
  std::mt19937 random(3);
  const auto draw = [&](size_t most) { return random() % (most + 1); };
  for (const uint32_t alphabet : {1U, 2U, 4U, 5000U}) {
    std::vector<RunSymbols> references(9), inputs(25);
    const auto fresh = [&](size_t size) {
      RunSymbols text(size);
      for (uint32_t& symbol : text) symbol = static_cast<uint32_t>(draw(alphabet - 1));
      return text;
    };
    const auto append_part = [&](const RunSymbols& of, RunSymbols& text) {
      const size_t begin = draw(of.size()), size = draw(of.size() - begin);
      const auto at = of.begin() + static_cast<std::ptrdiff_t>(begin);
      text.insert(text.end(), at, at + static_cast<std::ptrdiff_t>(size));
    };
    for (RunSymbols& text : references) {
      text = fresh(draw(120));
      append_part(references[draw(8)], text);
    }
    for (RunSymbols& text : inputs) {
      text = fresh(draw(20));
      for (size_t parts = draw(4); parts > 0; --parts) append_part(references[draw(8)], text);
    }
    for (const uint32_t run : {5U, 6U, 11U, 20U, 50U}) {
      EXPECT_GT(ExpectAllShared(references, inputs, run), run < 50 ? 5U : 0U)
          << alphabet << " " << run;
    }
  }
}

// Thousands of stretches of equal symbols would take quadratic time if each were extended against
// each; runs are hidden among them.
TEST(SharedRuns, SlowTextsThatRepeatThemselvesTakeNoQuadraticTime) {
  std::mt19937 random(4);
  const auto stretches = [&](size_t count) {
    RunSymbols text;
    for (size_t i = 0; i < count; ++i) {
      text.insert(text.end(), 30, 9);
      text.push_back(100 + static_cast<uint32_t>(random() % 1'000'000'000));
    }
    return text;
  };
  const std::vector<RunSymbols> references = {stretches(3000), stretches(500), stretches(2000),
                                              stretches(2000)};
  RunSymbols input = stretches(3000);
  for (const size_t from : {0U, 2U, 3U}) {
    const auto at = references[from].begin() + 31'000;
    input.insert(input.begin() + static_cast<std::ptrdiff_t>(20'000 * from), at, at + 70);
  }
  EXPECT_GE(ExpectAllShared(references, {input}, 50), 3U);
}

}  // namespace
}  // namespace zhiwen
