#include "index/references/reference_stretches.h"

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <vector>

namespace zhiwen {
namespace {

// Every symbol that a key of the reference covers, one by one.
std::vector<SymbolRange> SlowStretches(const std::vector<uint64_t>& input,
                                       const std::vector<uint64_t>& reference, uint64_t length,
                                       uint64_t most_gap) {
  std::vector<bool> covered(input.size() + length);
  for (size_t at = 0; at < input.size(); ++at) {
    for (const uint64_t key : reference) {
      for (size_t i = 0; key == input[at] && i < length; ++i) covered[at + i] = true;
    }
  }
  std::vector<SymbolRange> stretches;
  for (size_t at = 0; at < covered.size(); ++at) {
    if (!covered[at]) continue;
    if (stretches.empty() || at > stretches.back().end + most_gap) stretches.push_back({at, at});
    stretches.back().end = at + 1;
  }
  return stretches;
}

TEST(ReferenceStretches, AreTheSymbolsThatAKeyCovers) {
  std::mt19937 random(1);
  const auto draw = [&](size_t most) { return random() % (most + 1); };
  size_t found = 0;
  for (int round = 0; round < 400; ++round) {
    const uint64_t length = 1 + draw(8), most_gap = draw(6);
    const auto keys = [&](size_t size) {
      std::vector<uint64_t> made(size);
      for (uint64_t& key : made) key = draw(40) * 0x9E3779B97F4A7C15;
      return made;
    };
    const std::vector<uint64_t> input = keys(draw(60));
    std::vector<std::vector<uint64_t>> references(draw(4));
    for (auto& reference : references) reference = keys(draw(6));
    StretchFinder finder(
        length, references.size(), [&](size_t i) { return std::span(references[i]); },
        1 + draw(70));
    const size_t cut = draw(input.size());
    finder.Add(0, std::span(input).first(cut));
    finder.Add(cut, std::span(input).subspan(cut));
    finder.Finish();
    ASSERT_EQ(finder.stretches().size(), references.size());
    for (size_t i = 0; i < references.size(); ++i) {
      EXPECT_EQ(finder.stretches()[i], SlowStretches(input, references[i], length, 0));
      EXPECT_EQ(JoinStretches(finder.stretches()[i], most_gap),
                SlowStretches(input, references[i], length, most_gap));
      found += finder.stretches()[i].size();
    }
  }
  EXPECT_GT(found, 500U);
}

}  // namespace
}  // namespace zhiwen
