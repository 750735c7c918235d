// Tests properties of every channel for any bytes. The fast form, whose pieces and buffers can end
// anywhere, gives the same symbols as the explaining form. The symbols of consecutive groups of
// lines, joined, are those of the text. Neither the instruction set nor other threads change a
// symbol.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/language.h"
#include "text/channel_view.h"
#include "zhiwen/simd.h"

namespace zhiwen {
namespace {

using Symbols = std::vector<uint32_t>;

std::vector<Channel> EveryChannel() {
  std::vector<Channel> channels = {FoldedV1Channel(), FoldedV2Channel()};
  for (const ChannelDescription& row : DescribeChannels()) {
    channels.push_back(OpenChannel(row.short_name, TestLanguage()).value());
  }
  channels.push_back(OpenChannel("pinyin(reading=phrase)", TestLanguage()).value());
  channels.push_back(MakeVariantsChannel({"words.txt", "网路 网络\n不得 abc\n"}).value());
  return channels;
}

// Computes the symbols in pieces of at most `most`.
Symbols Fast(const Channel& channel, std::string_view text, size_t most = kLargestPiece) {
  Symbols symbols;
  channel.view().VisitPieces(text, most, [&](std::span<const uint32_t> piece) {
    EXPECT_LE(piece.size(), most);
    symbols.insert(symbols.end(), piece.begin(), piece.end());
  });
  return symbols;
}

// Computes the symbols of the text in parts of whole lines: one line each, or a random number.
Symbols OfPieces(const Channel& channel, std::string_view text, std::mt19937* random) {
  Symbols symbols;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    do {
      end = std::min(text.find('\n', end), text.size() - 1) + 1;
    } while (random != nullptr && end < text.size() && (*random)() % 3 != 0);
    channel.view().ComputeInto(text.substr(begin, end - begin), symbols);
    begin = end;
  }
  return symbols;
}

// Parts that a border could cut (byte sequences, clusters, phrases, runs), and invalid bytes.
const std::vector<std::string>& Parts() {
  // The first kPhrases parts are sequences that some channel replaces together.
  static const std::vector<std::string> parts = {"网路",
                                                 "银行",
                                                 "弓长",
                                                 "氵州",
                                                 "軟體",
                                                 "不得",
                                                 "尼日尔",
                                                 "习★近",
                                                 "三.一四",
                                                 "莪",
                                                 "國",
                                                 "𠮷",
                                                 "zhongguo ",
                                                 "Internationalization",
                                                 "xian",
                                                 "1,000",
                                                 "９．９",
                                                 "РауРаl",
                                                 "é",
                                                 "e\u0301",
                                                 "か\u3099",
                                                 "각",
                                                 "\u1100\u1161",
                                                 "ไทย",
                                                 "👩‍👩‍👧",
                                                 "🇨🇳",
                                                 "❤\ufe0f",
                                                 "שלום",
                                                 "\u202eabc\u202c",
                                                 "\u200b",
                                                 "，",
                                                 "。",
                                                 " ",
                                                 "\n",
                                                 "\r\n",
                                                 "+",
                                                 "\ufdd0",
                                                 "\uffff",
                                                 "\U0010ffff",
                                                 "\U000e0001",
                                                 "\ufffd",
                                                 std::string(1, '\0'),
                                                 "\xED\xA0\x81",
                                                 "\xED\xA0\x81\xED\xB0\x80",
                                                 "\xE4\xBD",
                                                 "\xF0\x9F",
                                                 "\xC0\x80",
                                                 "\xF4\x90\x80\x80",
                                                 "一",
                                                 "〇、",
                                                 "16",
                                                 "❿",
                                                 "38/12",
                                                 "a*b[x]",
                                                 " - ",
                                                 "／",
                                                 "：",
                                                 "::",
                                                 "_",
                                                 "\xFF"};
  return parts;
}

constexpr size_t kPhrases = 4;

// Makes a text of the first `kinds` parts, with long stretches of one kind and floods of marks.
std::string MadeText(std::mt19937& random, size_t bytes, size_t kinds) {
  std::string text;
  for (size_t i = random() % 70; i > 0; --i) text += 'x';  // moves all borders
  while (text.size() < bytes) {
    const std::string& part = Parts()[random() % kinds];
    for (size_t times = random() % 16 == 0 ? random() % 300 : 1; times > 0; --times) text += part;
    if (random() % 64 == 0) {
      for (size_t marks = random() % 400; marks > 0; --marks) text += "\u0301";
    }
  }
  return text;
}

void ExpectAllForms(const Channel& channel, const std::string& text, std::mt19937& random) {
  const SpannedSymbols explained = channel.view().Explain(text);
  Symbols alone;
  channel.view().ExplainInto(text, alone);
  ASSERT_EQ(alone, explained.symbols) << channel.name() << ": " << text;
  ASSERT_EQ(explained.spans.size(), explained.symbols.size()) << channel.name();
  const SpannedSymbols located = channel.view().Locate(text);
  ASSERT_EQ(located.symbols, explained.symbols) << channel.name() << ": " << text;
  ASSERT_EQ(located.spans, explained.spans) << channel.name() << ": " << text;
  for (const ByteSpan& span : explained.spans) {
    ASSERT_TRUE(span.begin < span.end && span.end.value <= text.size()) << channel.name();
  }
  const bool is_long = text.size() > 20'000;  // longer than the largest pieces
  for (const size_t most :
       {is_long ? kLargestPiece : kSmallestPiece, kSmallestPiece + random() % 64}) {
    ASSERT_TRUE(Fast(channel, text, most) == explained.symbols)
        << channel.name() << ' ' << most << '\n'
        << text;
  }
  for (std::mt19937* any : {static_cast<std::mt19937*>(nullptr), &random}) {
    ASSERT_TRUE(OfPieces(channel, text, any) == explained.symbols) << channel.name() << text;
  }
}

TEST(EveryChannel, GivesTheSameSymbolsHoweverBordersFall) {
  std::mt19937 random(5);
  const std::vector<Channel> channels = EveryChannel();
  for (int round = 0; round < 14; ++round) {
    const std::string text = round < 8    ? MadeText(random, 500, Parts().size())
                             : round < 10 ? MadeText(random, 12'000, Parts().size())
                                          : MadeText(random, 60'000, kPhrases);
    for (const Channel& channel : channels) {
      ASSERT_NO_FATAL_FAILURE(ExpectAllForms(channel, text, random));
    }
  }
}

TEST(EveryChannel, GivesTheSameSymbolsOnEveryInstructionSetAndThread) {
  std::mt19937 random(6);
  const std::string text = MadeText(random, 30'000, Parts().size());
  const SimdLevel selected = SelectedSimdLevel();
  for (const Channel& channel : EveryChannel()) {
    const Symbols expected = Fast(channel, text);
    for (const SimdLevel level : SupportedSimdLevels()) {
      ASSERT_TRUE(SelectKernels(level));
      EXPECT_TRUE(Fast(channel, text) == expected) << channel.name() << ' ' << SimdLevelName(level);
    }
    ASSERT_TRUE(SelectKernels(selected));
    std::vector<Symbols> found(3);
    std::vector<std::jthread> threads;
    for (Symbols& symbols : found) {
      threads.emplace_back([&] { symbols = Fast(channel, text); });
    }
    threads.clear();
    for (const Symbols& symbols : found) EXPECT_TRUE(symbols == expected) << channel.name();
  }
}

// Channels that read only Chinese find nothing in a text without Chinese, and all channels find
// nothing in an empty text.
TEST(EveryChannel, FindsNothingWhereThereIsNothing) {
  for (const Channel& channel : EveryChannel()) {
    EXPECT_TRUE(Fast(channel, "").empty()) << channel.name();
    EXPECT_TRUE(channel.view().Explain("").symbols.empty()) << channel.name();
  }
  for (const char* name : {"pinyin", "pinyin(reading=phrase)", "phonemes"}) {
    const Channel channel = OpenChannel(name, TestLanguage()).value();
    for (const char* text : {"The quick brown fox jumps.", "★+= 123 😀 →", "שלום かな 한국"}) {
      EXPECT_TRUE(Fast(channel, text).empty()) << name << ' ' << text;
    }
  }
}

}  // namespace
}  // namespace zhiwen
