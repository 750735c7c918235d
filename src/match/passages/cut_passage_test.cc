#include "match/passages/cut_passage.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace zhiwen {
namespace {

constexpr ExclusionReason kQuoted = ExclusionReason::kQuotation;

// A text that both say, cut at some places.
std::vector<CutPassage> CutAt(const std::vector<ByteSpan>& spans, double score,
                              std::vector<PassagePiece> pieces) {
  const std::string text(40, 'a');
  CopiedPassage passage;
  passage.score = score;
  passage.pieces = std::move(pieces);
  std::vector<ExcludedPlace> places;
  for (const ByteSpan& span : spans) places.push_back({span, kQuoted});
  return CutAtPlaces(text, text, passage, places, 10);
}

std::vector<CutPassage> CutWhole(const std::vector<ByteSpan>& spans, double score) {
  return CutAt(spans, score, {{{{0}, {40}}, {{0}, {40}}}});
}

std::vector<CutPassage> CutWhole(uint64_t begin, uint64_t end, double score) {
  return CutWhole({{{begin}, {end}}}, score);
}

TEST(CutPassageTest, CutAtTheBorder) {
  const std::vector<CutPassage> parts = CutWhole(0, 20, 40);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].reason, kQuoted);
  EXPECT_EQ(parts[1].reason, std::nullopt);
  EXPECT_EQ(parts[0].pieces[0].a_bytes.end.value, 20U);
  EXPECT_EQ(parts[0].pieces[0].b_bytes.end.value, 20U);
  EXPECT_EQ(parts[1].pieces[0].b_bytes.begin.value, 20U);
}

TEST(CutPassageTest, PlaceWithinPassage) {
  EXPECT_EQ(CutWhole(14, 26, 40).size(), 3U);
  // Too short to be a passage: it stays in.
  const std::vector<CutPassage> parts = CutWhole(18, 22, 40);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].reason, std::nullopt);
}

TEST(CutPassageTest, BothPartsTooShort) {
  const std::vector<CutPassage> parts = CutWhole(0, 20, 15);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].reason, kQuoted);
}

TEST(CutPassageTest, WhatIsLeftBetweenPlacesIsExcludedWithThem) {
  const std::vector<CutPassage> parts = CutWhole({{{0}, {10}}, {{12}, {22}}}, 40);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].reason, kQuoted);
  EXPECT_EQ(parts[0].matched_bytes, 22U);
  EXPECT_EQ(parts[1].reason, std::nullopt);
}

TEST(CutPassageTest, WhatIsLeftBetweenPlacesCountsWhereItIsAPassageTogether) {
  const std::vector<CutPassage> parts = CutWhole({{{5}, {15}}, {{20}, {40}}}, 40);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].reason, std::nullopt);
  EXPECT_EQ(parts[0].matched_bytes, 40U);
}

TEST(CutPassageTest, SeveralPiecesStayApart) {
  const std::vector<CutPassage> parts =
      CutAt({{{0}, {20}}}, 40, {{{{0}, {10}}, {{30}, {40}}}, {{{10}, {40}}, {{0}, {30}}}});
  ASSERT_EQ(parts.size(), 2U);
  ASSERT_EQ(parts[0].pieces.size(), 2U);
  EXPECT_EQ(parts[0].pieces[1].b_bytes.end.value, 10U);
  ASSERT_EQ(parts[1].pieces.size(), 1U);
  EXPECT_EQ(parts[1].pieces[0].b_bytes.begin.value, 10U);
}

// Of two pieces that touch in both texts the first is cut, and put together again.
TEST(CutPassageTest, PiecesThatTouchStayTwo) {
  const std::vector<CutPassage> parts =
      CutAt({{{18}, {20}}}, 40, {{{{0}, {20}}, {{0}, {20}}}, {{{20}, {40}}, {{20}, {40}}}});
  ASSERT_EQ(parts.size(), 1U);
  ASSERT_EQ(parts[0].pieces.size(), 2U);
  EXPECT_EQ(parts[0].pieces[0].a_bytes.end.value, 20U);
  EXPECT_EQ(parts[0].pieces[1].a_bytes.begin.value, 20U);
}

}  // namespace
}  // namespace zhiwen
