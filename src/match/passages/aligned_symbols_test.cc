#include "match/passages/aligned_symbols.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "match/passages/extend_ends.h"

namespace zhiwen {
namespace {

// The fewest edits between two texts, by the definition.
uint32_t EditDistance(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  std::vector<uint32_t> row(b.size() + 1);
  for (uint32_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (uint32_t i = 1; i <= a.size(); ++i) {
    uint32_t before = row[0];
    row[0] = i;
    for (uint32_t j = 1; j <= b.size(); ++j) {
      const uint32_t pair = before + (a[i - 1] == b[j - 1] ? 0 : 1);
      before = row[j];
      row[j] = std::min({pair, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

struct SymbolRange {
  uint32_t begin, end;
};

// A text, and a copy of it in which about one of `every` symbols is replaced, added or left out.
struct EditedCopy {
  std::vector<uint32_t> text, copy;
};

uint32_t Draw(std::mt19937& random, uint32_t least, uint32_t most) {
  return least + static_cast<uint32_t>(random() % (most - least + 1));
}

EditedCopy DrawEditedCopy(std::mt19937& random, size_t size, uint32_t every) {
  EditedCopy drawn;
  for (size_t i = 0; i < size; ++i) {
    const auto symbol = static_cast<uint32_t>(random() % 3000);
    drawn.text.push_back(symbol);
    const bool is_edited = random() % every == 0;
    const uint32_t edit = is_edited ? Draw(random, 0, 3) : 4;
    if (edit == 0) continue;  // left out
    drawn.copy.push_back(edit <= 2 ? symbol + 5000 : symbol);
    if (edit == 3) drawn.copy.push_back(symbol + 5000);
  }
  return drawn;
}

// A block without equal stretches.
PassageBlock BlockOf(SymbolRange a, SymbolRange b) {
  PassageBlock block;
  block.a_begin = a.begin;
  block.a_end = a.end;
  block.b_begin = b.begin;
  block.b_end = b.end;
  return block;
}

// Checks that each symbol of the block is in one pair, and returns how many pairs are edits.
uint32_t CountEdits(const EditedCopy& drawn, const PassageBlock& block) {
  uint32_t a = block.a_begin, b = block.b_begin, edits = 0;
  for (const AlignedSymbols& pair : AlignBlock(drawn.copy, drawn.text, block)) {
    if (pair.a != kNoSymbol) {
      EXPECT_EQ(pair.a, a++);
    }
    if (pair.b != kNoSymbol) {
      EXPECT_EQ(pair.b, b++);
    }
    const bool is_edit = pair.is_one_sided() || drawn.copy[pair.a] != drawn.text[pair.b];
    EXPECT_EQ(pair.are_equal, !is_edit);
    edits += is_edit ? 1 : 0;
  }
  EXPECT_EQ(a, block.a_end);
  EXPECT_EQ(b, block.b_end);
  return edits;
}

// A gap is aligned with the fewest edits there are, however its sides differ.
TEST(AlignedSymbols, OfAGapHaveTheFewestEdits) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    EditedCopy drawn = DrawEditedCopy(random, random() % 41, Draw(random, 1, 4));
    drawn.copy.resize(std::min<size_t>(drawn.copy.size(), random() % 41));
    const PassageBlock block = BlockOf({0, static_cast<uint32_t>(drawn.copy.size())},
                                       {0, static_cast<uint32_t>(drawn.text.size())});
    EXPECT_EQ(CountEdits(drawn, block), EditDistance(drawn.copy, drawn.text));
  }
}

// An end of a block, as ExtendAfter and ExtendBefore find it, is aligned in a band, and needs no
// more edits than there.
TEST(AlignedSymbols, OfLongEndsHaveTheFewestEditsInTheirBand) {
  std::mt19937 random(2);
  int ends = 0;
  for (int round = 0; round < 200; ++round) {
    const EditedCopy drawn = DrawEditedCopy(random, 450, Draw(random, 3, 7));
    const Extension after = ExtendAfter(drawn.copy, drawn.text);
    if (after.a <= kLongestGap) continue;
    ++ends;
    const PassageBlock block = BlockOf({0, after.a}, {0, after.b});
    EXPECT_EQ(CountEdits(drawn, block), EditDistance(std::span(drawn.copy).first(after.a),
                                                     std::span(drawn.text).first(after.b)));
    const Extension before = ExtendBefore(drawn.copy, drawn.text);
    const auto a_end = static_cast<uint32_t>(drawn.copy.size());
    const auto b_end = static_cast<uint32_t>(drawn.text.size());
    const PassageBlock first = BlockOf({a_end - before.a, a_end}, {b_end - before.b, b_end});
    EXPECT_EQ(CountEdits(drawn, first), EditDistance(std::span(drawn.copy).last(before.a),
                                                     std::span(drawn.text).last(before.b)));
  }
  EXPECT_GT(ends, 50);
}

}  // namespace
}  // namespace zhiwen
