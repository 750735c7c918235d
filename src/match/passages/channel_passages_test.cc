#include "match/passages/channel_passages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace zhiwen {
namespace {

// Draws symbols of which some stretches come again.
std::vector<uint32_t> DrawRepetitive(std::mt19937& random, size_t size, uint32_t letters) {
  std::vector<uint32_t> symbols;
  while (symbols.size() < size) {
    if (symbols.size() < 20 || random() % 3 == 0) {
      for (int i = 0; i < 10; ++i) symbols.push_back(static_cast<uint32_t>(random() % letters));
      continue;
    }
    const size_t begin = random() % (symbols.size() - 10), count = 5 + random() % 60;
    for (size_t i = begin; i < std::min(symbols.size(), begin + count); ++i) {
      symbols.push_back(random() % 12 == 0 ? letters : symbols[i]);
    }
  }
  return symbols;
}

TEST(ChannelPassages, BlocksOfAnyTextsDoNotOverlap) {
  std::mt19937 random(11);
  size_t blocks = 0;
  for (int round = 0; round < 300; ++round) {
    const auto letters = static_cast<uint32_t>(3 + random() % 60);
    const std::vector<uint32_t> a = DrawRepetitive(random, 20 + random() % 700, letters);
    std::vector<uint32_t> b = DrawRepetitive(random, 20 + random() % 700, letters);
    for (int i = 0; i < 8; ++i) {  // parts of a, some of which overlap
      const size_t begin = random() % a.size(), end = std::min(a.size(), begin + random() % 150);
      b.insert(b.end(), a.begin() + static_cast<ptrdiff_t>(begin),
               a.begin() + static_cast<ptrdiff_t>(end));
      for (size_t at = b.size() - (end - begin); at < b.size(); ++at) {
        if (random() % 10 == 0) b[at] = letters + 1;
      }
    }
    const std::vector<float> a_weights(a.size(), 1), b_weights(b.size(), 1);
    const auto size = static_cast<uint32_t>(a.size());
    std::vector<SymbolSpan> parts = {{{0}, {size}}};
    if (round % 2 == 1) parts = {{{0}, {size / 4}}, {{size / 2}, {size}}};
    const auto found = FindChannelPassages({a, a_weights}, parts, {b, b_weights}, {}, {});
    ASSERT_TRUE(found.has_value());
    std::vector<std::pair<uint32_t, uint32_t>> places;
    for (const ChannelPassage& passage : *found) {
      for (const PassageBlock& block : passage.blocks) {
        places.emplace_back(block.a_begin, block.a_end);
        ASSERT_TRUE(std::ranges::any_of(parts,
                                        [&](const SymbolSpan& part) {
                                          return part.begin.value <= block.a_begin &&
                                                 block.a_end <= part.end.value;
                                        }))
            << "round " << round;
        uint32_t a_at = block.a_begin, b_at = block.b_begin;
        for (const SeedMatch& match : block.matches) {
          ASSERT_TRUE(match.length > 0 && match.a >= a_at && match.b >= b_at) << "round " << round;
          a_at = match.a + match.length;
          b_at = match.b + match.length;
          for (uint32_t i = 0; i < match.length; ++i) ASSERT_EQ(a[match.a + i], b[match.b + i]);
        }
        ASSERT_TRUE(a_at <= block.a_end && b_at <= block.b_end) << "round " << round;
      }
    }
    std::ranges::sort(places);
    for (size_t i = 1; i < places.size(); ++i) {
      ASSERT_LE(places[i - 1].second, places[i].first) << "round " << round;
    }
    blocks += places.size();
  }
  EXPECT_GT(blocks, 700u);
}

TEST(ChannelPassages, CancellationIsAnErrorAndEndsLongLoops) {
  Cancellation cancellation;
  cancellation.Request(ErrorCode::kInterrupted);
  const std::vector<uint32_t> symbols(10000, 7);
  const std::vector<float> weights(symbols.size(), 1);
  const SymbolSpan whole = {{0}, {10000}};
  const auto found =
      FindChannelPassages({symbols, weights}, {&whole, 1}, {symbols, weights}, {}, cancellation);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::kInterrupted);
  EXPECT_TRUE(SeedMatcher(symbols, 4).Find(symbols, cancellation).empty());
}

}  // namespace
}  // namespace zhiwen
