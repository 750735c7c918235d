#include "index/references/reference_shingles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "feature/shingles.h"

namespace zhiwen {
namespace {

using SymbolText = std::vector<uint32_t>;

SymbolText FreshText(size_t size, std::mt19937& random) {
  SymbolText text(size);
  for (uint32_t& symbol : text) symbol = std::uniform_int_distribution<uint32_t>(0, 5)(random);
  return text;
}

std::set<uint64_t> ShinglesOf(const SymbolText& text) {
  std::vector<uint64_t> shingles;
  ComputeShingles(text, shingles);
  return {shingles.begin(), shingles.end()};
}

TEST(ReferenceShingles, AreNumberedAscendingAndFoundInEveryInputThatHasThem) {
  std::mt19937 random(1);
  std::set<uint64_t> all;
  ReferenceShingles references;
  for (size_t i = 0; i < 20; ++i) {
    const SymbolText text = FreshText(random() % 60, random);
    references.Add(text);
    all.merge(ShinglesOf(text));
  }
  ASSERT_TRUE(references.Finish());
  ASSERT_EQ(references.size(), all.size());
  uint32_t next = 0;
  for (const uint64_t shingle : all) EXPECT_EQ(references.ShingleOf(next++), shingle);
  ReferenceShingles::Scratch scratch;
  std::vector<uint32_t> numbers = {77}, in_pieces = {77};
  size_t found = 0;
  for (size_t i = 0; i < 200; ++i) {
    std::vector<uint64_t> shingles;
    ComputeShingles(FreshText(random() % 5000, random), shingles);
    std::set<uint64_t> expected;
    for (const uint64_t shingle : shingles) {
      if (all.contains(shingle)) expected.insert(shingle);
    }
    references.Find(shingles, scratch, numbers);
    EXPECT_TRUE(std::ranges::equal(expected, numbers, {}, {},
                                   [&](uint32_t number) { return references.ShingleOf(number); }));
    references.FindInPieces(
        [&](const ReferenceShingles::Take& take) {
          for (size_t at = 0; at < shingles.size(); at += 7) {
            take(std::span(shingles).subspan(at, std::min<size_t>(7, shingles.size() - at)));
          }
        },
        scratch, in_pieces);
    EXPECT_EQ(in_pieces, numbers);
    found += numbers.size();
  }
  EXPECT_GT(found, 1000u);
}

TEST(ReferenceShingles, OfNoReferenceAreInNoInput) {
  ReferenceShingles references;
  references.Add(SymbolText{1, 2, 3, 4});
  ASSERT_TRUE(references.Finish());
  EXPECT_EQ(references.size(), 0u);
  ReferenceShingles::Scratch scratch;
  std::vector<uint32_t> numbers = {77};
  const std::vector<uint64_t> shingles = {0, 1, UINT64_MAX};
  references.Find(shingles, scratch, numbers);
  EXPECT_TRUE(numbers.empty());
}

}  // namespace
}  // namespace zhiwen
