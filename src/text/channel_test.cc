#include "zhiwen/channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "zhiwen/version.h"

namespace zhiwen {
namespace {

DisguiseCounts Counts(std::string_view text) {
  return ComputeSymbols(FoldedChannel(), text)->disguise;
}

TEST(ChannelTest, AShortNameIsTheNewestVersion) {
  for (const Channel& channel : {ExactChannel(), FoldedChannel()}) {
    EXPECT_EQ(OpenChannel(channel.name()), channel);
  }
  EXPECT_EQ(OpenChannel("folded"), FoldedChannel());
  EXPECT_EQ(OpenChannel("exact"), ExactChannel());
  EXPECT_EQ(FoldedChannel().name(), "folded.v3");
  EXPECT_EQ(OpenChannel("folded.v2"), FoldedV2Channel());
  EXPECT_EQ(FoldedV2Channel().name(), "folded.v2");
  EXPECT_EQ(OpenChannel("folded.v1")->name(), "folded.v1");
}

TEST(ChannelTest, AnUnknownNameListsWhatExists) {
  const auto channel = OpenChannel("gothic");
  ASSERT_FALSE(channel);
  EXPECT_EQ(channel.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(channel.error().message, testing::HasSubstr("folded.v3"));
  EXPECT_FALSE(OpenChannel(""));
  EXPECT_FALSE(OpenChannel("folded.v4"));
  EXPECT_FALSE(OpenChannel("folded.v1(data=0)"));
}

TEST(ChannelTest, BrokenUtf8IsNamedByItsByte) {
  const auto symbols = ComputeSymbols(FoldedChannel(), "中文\xff");
  ASSERT_FALSE(symbols);
  EXPECT_EQ(symbols.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(symbols.error().message, testing::HasSubstr("byte 6"));
}

TEST(ChannelTest, ASpanCoversTheClustersOfItsUnit) {
  const auto folded = ComputeSymbols(FoldedChannel(), "「國」 wo\u200brd㏠");
  ASSERT_TRUE(folded);
  ASSERT_EQ(folded->spans.size(), 3U);
  EXPECT_EQ(folded->spans[0], (ByteSpan{{3}, {6}}));    // 國
  EXPECT_EQ(folded->spans[1], (ByteSpan{{10}, {20}}));  // word1, because ㏠ is 1日
  EXPECT_EQ(folded->spans[2], (ByteSpan{{17}, {20}}));  // 日
}

TEST(ChannelTest, DisguiseIsCountedByKind) {
  EXPECT_EQ(Counts("平常的文字, plain text 1.5。"), DisguiseCounts{});
  EXPECT_EQ(Counts("人\u200b工\ufeff智能").invisible, 2U);
  EXPECT_EQ(Counts("Ａ①ﬁ㍿❶❿").compatibility, 6U);
  EXPECT_EQ(Counts("全角，逗号　空格").compatibility, 0U);  // these reach no unit
  EXPECT_EQ(Counts("國語学习").traditional, 2U);
  EXPECT_EQ(Counts("乾燥的著名桜").traditional, 1U);
  EXPECT_EQ(Counts("乾燥的著名桜").variants, 2U);
  EXPECT_EQ(Counts("Рау wоrd Α").look_alikes, 5U);
  EXPECT_EQ(Counts("Рау wоrd Α").letter_case, 0U);
  EXPECT_EQ(Counts("a+b=c 😀").symbols, 3U);
  EXPECT_EQ(Counts("👩\u200d👩\u200d👧❤\ufe0f").invisible, 0U);
}

TEST(ChannelTest, AMarkBetweenTwoHanIsInserted) {
  EXPECT_EQ(Counts("知★文和指*纹与引.擎").inserted, 3U);
  EXPECT_EQ(Counts("知\u200b★\u200b文和指★*纹").inserted, 3U);
  EXPECT_EQ(Counts("知 ★文，指* 纹；引★\n擎、a★文★1★纹").inserted, 0U);
  EXPECT_EQ(Counts("知，文。指：纹（引）擎《知》“文”—指·纹…引、擎！知，文?指;纹").inserted, 0U);
  EXPECT_EQ(Counts("知====文=====指").inserted, 4U);  // five marks are a ruler
}

TEST(ChannelTest, TablesNameTheirSources) {
  EXPECT_EQ(UnicodeVersion(), "15.0.0");
  EXPECT_EQ(OpenccVersion(), "1.1.6");
}

}  // namespace
}  // namespace zhiwen
