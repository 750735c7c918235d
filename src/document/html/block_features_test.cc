#include "document/html/block_features.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "document/html/block_context.h"
#include "document/html/body_model.h"
#include "document/html/numbered_keys.h"
#include "document/html/steady_math.h"

namespace zhiwen {
namespace {

struct CountedBlocks {
  explicit CountedBlocks(std::string_view html) : page(ParseHtml(html)) {
    for (const HtmlBlock& block : page.blocks) statistics.push_back(CountBlock(page.TextOf(block)));
  }
  HtmlPage page;
  std::vector<BlockStatistics> statistics;
};

FirstFeatures RowOf(const CountedBlocks& counted, size_t block) {
  FirstFeatures row;
  row.fill(std::nanf(""));  // what is not written is seen
  BlockFeatures(counted.page, counted.statistics).Compute(block, row);
  return row;
}

constexpr std::string_view kPage =
    "<title>a b</title><div class=nav><a href=x>one two</a></div>"
    "<div id=content><h1>A b</h1><p>Three four, five.</p><p>Three four, five.</p></div>";

TEST(BlockFeatures, EveryNumberIsWrittenAndFinite) {
  for (const std::string_view html :
       {kPage, std::string_view("x"), std::string_view("<p>。</p>")}) {
    const CountedBlocks counted(html);
    for (size_t block = 0; block < counted.page.blocks.size(); ++block) {
      for (const float value : RowOf(counted, block)) EXPECT_TRUE(std::isfinite(value));
    }
  }
}

TEST(BlockFeatures, TheyDescribeTheBlock) {
  const CountedBlocks counted(kPage);
  ASSERT_EQ(counted.page.blocks.size(), 4U);
  const FirstFeatures nav = RowOf(counted, 0), heading = RowOf(counted, 1);
  const FirstFeatures paragraph = RowOf(counted, 2), last = RowOf(counted, 3);
  EXPECT_FLOAT_EQ(nav[0], std::log2(3.0F));  // tokens
  EXPECT_FLOAT_EQ(nav[1], 1);                // share of link
  EXPECT_FLOAT_EQ(nav[2], 1);                // links
  EXPECT_FLOAT_EQ(paragraph[3], 2.0F / 3);   // marks a token
  EXPECT_FLOAT_EQ(paragraph[5], 1);          // ends a sentence
  EXPECT_FLOAT_EQ(paragraph[13], 1);         // in a p
  EXPECT_FLOAT_EQ(heading[16], 6);           // h1
  EXPECT_FLOAT_EQ(heading[26], 1);           // tokens that are in the title
  EXPECT_FLOAT_EQ(heading[27], 1);           // tokens of the title that are in it
  EXPECT_FLOAT_EQ(paragraph[28], 0.5F);      // place in the page
  EXPECT_FLOAT_EQ(last[29], 0.7F);           // tokens before it
  EXPECT_FLOAT_EQ(nav[37], -1);              // blocks since the h1
  EXPECT_FLOAT_EQ(last[37], 2);
  EXPECT_FLOAT_EQ(last[39], 2);                    // times that the text occurs
  EXPECT_FLOAT_EQ(heading[47], nav[0]);            // tokens of the block before
  EXPECT_FLOAT_EQ(nav[52], heading[0]);            // and behind
  EXPECT_FLOAT_EQ(nav[47], -1);                    // there is none
  EXPECT_FLOAT_EQ(heading[53], 0);                 // share of link behind
  EXPECT_FLOAT_EQ(last[61], last[0]);              // tokens of its own node
  EXPECT_FLOAT_EQ(last[61 + 7], std::log2(9.0F));  // of the node around
}

TEST(BlockFeatures, BendsAreThoseOfTheDenseNumbers) {
  const CountedBlocks counted(kPage);
  const FirstFeatures row = RowOf(counted, 2);
  const size_t bends = kDenseFeatures;
  EXPECT_FLOAT_EQ(row[bends], std::max(0.0F, row[0] - 2));
  EXPECT_FLOAT_EQ(row[bends + 5], row[0] * row[1]);
  EXPECT_FLOAT_EQ(row[bends + 16], row[0] * row[47]);
  EXPECT_FLOAT_EQ(row[bends + 19], row[61] * row[62]);
  EXPECT_FLOAT_EQ(row[kNumbers - 1], std::max(0.0F, 0.1F - row[61 + 21 + 4]));
}

TEST(BlockFeatures, GroupsAreOnesAndZeroesBehindTheNumbers) {
  const CountedBlocks counted(kPage);
  const GroupFeatures groups =
      BlockFeatures(counted.page, counted.statistics).GroupsOf(2);  // in div id=content
  const FirstFeatures row = RowOf(counted, 2);
  EXPECT_EQ(groups.own_places, FindPlaceWords("content"));
  const auto expect_bits = [&row](uint32_t bits, size_t at) {
    for (size_t i = 0; i < kPlaceGroups; ++i) {
      EXPECT_FLOAT_EQ(row[at + i], (bits >> i & 1) != 0 ? 1.0F : 0.0F) << i;
    }
  };
  expect_bits(groups.own_places, kNumbers + kPhraseGroups);
  expect_bits(groups.all_places, kNumbers + kPhraseGroups + kPlaceGroups);
}

TEST(BlockFeatures, NamesAroundMostOfThePageAreLeftOut) {
  const auto places_of = [](const std::string& html, size_t block) {
    const CountedBlocks counted(html);
    return BlockFeatures(counted.page, counted.statistics).GroupsOf(block).all_places;
  };
  const std::string page =
      "<div class=sidebar><div class=nav>one two three</div><div id=content>four five six</div>";
  EXPECT_EQ(places_of(page, 0), FindPlaceWords("nav"));
  EXPECT_EQ(places_of(page, 1), FindPlaceWords("content"));
  // With as much text beside it the same node tells its blocks from others.
  const std::string more = page + "</div><p>a b c d e</p>";
  EXPECT_EQ(places_of(more, 1), FindPlaceWords("sidebar content"));
  EXPECT_EQ(places_of(more, 2), 0U);
}

TEST(BodyModel, GroupsWeighAsMuchAsNumbersDo) {
  const CountedBlocks counted(kPage);
  const BlockFeatures features(counted.page, counted.statistics);
  BodyWeights weights;  // without context: both stages are one sum
  for (size_t i = 0; i < kFirstFeatures; ++i) {
    weights.second[i] = static_cast<float>(static_cast<int>(i * 7 % 13) - 6) / 64;
  }
  weights.second_bias = 0.25F;
  const std::vector<float> got =
      ComputeBodyProbabilities(counted.page, counted.statistics, weights);
  for (size_t block = 0; block < got.size(); ++block) {
    const FirstFeatures row = RowOf(counted, block);
    double sum = 0.25;
    for (size_t i = 0; i < kFirstFeatures; ++i) {
      sum += static_cast<double>(weights.second[i]) * static_cast<double>(row[i]);
    }
    EXPECT_NEAR(got[block], 1 / (1 + std::exp(-sum)), 1e-5) << block;
  }
}

TEST(BlockContext, NumbersAreThoseOfTheNeighbourhood) {
  const CountedBlocks counted(kPage);
  const BlockFeatures features(counted.page, counted.statistics);
  const std::vector<float> probabilities = {0.1F, 0.3F, 0.9F, 0.8F};
  const BlockContext context(counted.page, counted.statistics, features, probabilities);
  ContextFeatures row;
  row.fill(std::nanf(""));
  context.Compute(2, row);
  for (const float value : row) EXPECT_TRUE(std::isfinite(value));
  EXPECT_FLOAT_EQ(row[3], 0.9F);                                  // its own
  EXPECT_FLOAT_EQ(row[2], 0.3F);                                  // of the block before
  EXPECT_FLOAT_EQ(row[6], 0);                                     // there is none
  EXPECT_FLOAT_EQ(row[7], 0.9F);                                  // of its node
  EXPECT_FLOAT_EQ(row[8], (2 * 0.3F + 3 * 0.9F + 3 * 0.8F) / 8);  // of the div around
  EXPECT_FLOAT_EQ(row[11], 0.85F);                                // of its place
  EXPECT_FLOAT_EQ(row[15], 1);                                    // in the best subtree
}

TEST(SteadyMath, ItIsWithinItsErrors) {
  for (int i = 1; i < 3000; ++i) EXPECT_NEAR(SteadyLog2(i), std::log2(i), 1e-6) << i;
  for (const double x : {1e5, 16777215.0, 4e9}) EXPECT_NEAR(SteadyLog2(x), std::log2(x), 4e-6);
  for (int i = -4500; i <= 4500; ++i) {
    const double x = i / 100.0;
    const float sigmoid = SteadySigmoid(static_cast<float>(x));
    EXPECT_NEAR(sigmoid, 1 / (1 + std::exp(-x)), 2e-7) << x;
  }
}

TEST(NumberedKeys, KeysAreNumberedInTheirOrder) {
  NumberedKeys keys(1000);
  for (uint64_t i = 0; i < 1000; ++i) EXPECT_EQ(keys.NumberOf(i << 40), i);
  for (uint64_t i = 0; i < 1000; ++i) EXPECT_EQ(keys.NumberOf(i << 40), i);
}

}  // namespace
}  // namespace zhiwen
