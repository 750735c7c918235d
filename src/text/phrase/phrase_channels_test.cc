#include "text/phrase/phrase_channels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/files/section_file.h"
#include "support/in_memory_file_system.h"
#include "support/language.h"
#include "support/published_vectors.h"
#include "text/channel_view.h"
#include "text/language/language_parts.h"
#include "text/phrase/phrase_table.h"

namespace zhiwen {
namespace {

using Symbols = std::vector<uint32_t>;
using testing::ElementsAre;
using testing::HasSubstr;

Channel Open(std::string_view name) { return OpenChannel(name, TestLanguage()).value(); }

Channel Variants(std::string_view content) {
  return MakeVariantsChannel({"words.txt", std::string(content)}).value();
}

Symbols SymbolsOf(const Channel& channel, std::string_view text) {
  Symbols symbols;
  channel.view().ComputeInto(text, symbols);
  return symbols;
}

TEST(PhraseChannelsTest, PublishedVectorsHold) {
  for (const std::string name : {"regional.v1", "shape.v1"}) {
    const auto vectors = PublishedVectors("channels.md", name);
    EXPECT_GE(vectors.size(), 4U) << name;
    for (const auto& [input, output] : vectors) {
      Symbols expected;
      std::istringstream words(output);
      for (uint32_t symbol = 0; words >> std::hex >> symbol;) expected.push_back(symbol);
      EXPECT_EQ(SymbolsOf(Open(name), input), expected) << input;
    }
  }
}

TEST(PhraseChannelsTest, StopsPartPhrasesAndNothingElseDoes) {
  const Channel regional = Open("regional");
  // Tests the fast form, with the kernel and without it, and the explaining form.
  const auto is_found = [&](const std::string& mark) {
    const std::string text = "网" + mark + "路";
    const SpannedSymbols explained = regional.view().Explain(text);
    EXPECT_EQ(SymbolsOf(regional, text), explained.symbols) << mark;
    EXPECT_EQ(SymbolsOf(regional, text + "a" + text).size(), 2 * explained.symbols.size() + 1);
    EXPECT_EQ(explained.symbols.back() == U'络', explained.disguise.regional == 1) << mark;
    return explained.disguise.regional == 1;
  };
  for (const char* stop : {"，",
                           "。",
                           "、",
                           "；",
                           "：",
                           "！",
                           "？",
                           "…",
                           "．",
                           "｡",
                           "､",
                           "﹐",
                           "﹒",
                           "︰",
                           "⁉",
                           "︙",
                           "‥",
                           ".",
                           "!",
                           "?",
                           ";",
                           ":",
                           ",",
                           "\n",
                           "\u037e",
                           " 。 ",
                           "“，”",
                           "，\u0301",
                           "\u200b,\u200b",
                           "\r\n"}) {
    EXPECT_FALSE(is_found(stop)) << stop;
  }
  for (const char* other : {"", " ", "\u3000", "\u200b", "·", "・", "—", "“", "（", "-", "'", "/",
                            "*", "\t", "\r", "\u2028", "》", "\ufe0f", "\U000e0001"}) {
    EXPECT_TRUE(is_found(other)) << other;
  }
  const Channel shape = Open("shape");
  for (const char* text : {"一日，月亮", "立。日", "他说女。子", "我上网，路很远"}) {
    EXPECT_EQ(shape.view().Explain(text).disguise.recomposed, 0U) << text;
    EXPECT_EQ(regional.view().Explain(text).disguise.regional, 0U) << text;
  }
  // Text inside a unit does not separate phrases, nor does a character that yields several units.
  const Channel variants = Variants("3.14路 甲\n式会 丙\n");
  EXPECT_EQ(variants.view().Explain("３．１４路，㍿").disguise.variants, 2U);
  EXPECT_EQ(variants.view().Explain("3.14，路").disguise.variants, 0U);
}

TEST(PhraseChannelsTest, APhraseHasTheSpanOfItsSourceAndIsCounted) {
  const SpannedSymbols words = Open("regional").view().Explain("用網 \u200b路，網\n路");
  EXPECT_THAT(words.symbols, ElementsAre(U'用', U'网', U'络', U'网', U'路'));
  EXPECT_EQ(words.spans[1], (ByteSpan{{3}, {13}}));
  EXPECT_EQ(words.spans[2], words.spans[1]);
  EXPECT_EQ(words.disguise.regional, 1U);
  EXPECT_EQ(words.disguise.traditional, 2U);
  EXPECT_EQ(Open("shape").view().Explain("氵州和弓长").disguise.recomposed, 2U);
  EXPECT_EQ(Variants("甲 乙").view().Explain("甲乙").disguise.variants, 1U);
}

TEST(PhraseChannelsTest, RegionalLeavesWordsOfTheMainlandAlone) {
  const Channel regional = Open("regional");
  for (const char* text : {"尼日尔", "尼日利亚", "程序", "核心", "文件", "建立"}) {
    EXPECT_EQ(SymbolsOf(regional, text), SymbolsOf(FoldedV2Channel(), text)) << text;
    EXPECT_EQ(regional.view().Explain(text).disguise.regional, 0U) << text;
  }
}

TEST(PhraseChannelsTest, WhatStandsForAWordStaysThoughItHasAnotherWordInIt) {
  const Channel variants = Variants("网路 互联网\n互联 连接\n");
  EXPECT_EQ(SymbolsOf(variants, "互联网"), SymbolsOf(variants, "网路"));
  EXPECT_EQ(SymbolsOf(variants, "互联"), SymbolsOf(FoldedV2Channel(), "连接"));
}

TEST(PhraseChannelsTest, ShapeMakesLookAlikesEqual) {
  const Channel shape = Open("shape");
  const auto looks_alike = [&](std::string_view a, std::string_view b) {
    return SymbolsOf(shape, a) == SymbolsOf(shape, b);
  };
  EXPECT_TRUE(looks_alike("清", "情"));
  EXPECT_TRUE(looks_alike("他", "她"));
  EXPECT_TRUE(looks_alike("漂", "票"));
  EXPECT_TRUE(looks_alike("氵青", "情"));
  EXPECT_TRUE(looks_alike("讠吾", "語"));
  EXPECT_FALSE(looks_alike("清", "水"));
  EXPECT_FALSE(looks_alike("中心", "忠"));  // a common word is not composed
}

TEST(VariantsTest, TheNameFollowsTheWordsAndNothingElse) {
  const Channel channel = Variants("网路 网络\n軟體\t软件\n");
  EXPECT_THAT(channel.name(), testing::MatchesRegex("variants\\.v1\\(file=[0-9a-f]{16}\\)"));
  const char* same = "\xEF\xBB\xBF# 台湾\n\n軟體 \t软件\r\n網路 網絡\n#\n";
  EXPECT_EQ(Variants(same), channel);
  EXPECT_FALSE(Variants("网路 网络\n") == channel);
  EXPECT_EQ(SymbolsOf(channel, "軟體"), SymbolsOf(FoldedV2Channel(), "软件"));
  EXPECT_EQ(SymbolsOf(Variants("#程序员 程序员\n"), "程序员"),
            SymbolsOf(FoldedV2Channel(), "程序员"));
}

TEST(VariantsTest, AFaultIsNamedByItsLine) {
  std::string many_units;
  for (int i = 0; i < 33; ++i) many_units += "国";
  const std::pair<std::string, const char*> cases[] = {
      {"甲 乙\n丙\n", "words.txt:2: number of words: 1; write two"},
      {"甲 乙 丙\n", "words.txt:1: number of words: 3"},
      {"甲 乙\n# x\n， 丙\n", "words.txt:3: \"，\" is punctuation only"},
      {"甲 乙\n乙 甲\n", "replaced itself on line"},
      {"網 乙\n网 丙\n", "words.txt:2: \"网\" is on line 1 already"},
      {many_units + " 乙\n", "words.txt:1: "},
      {"甲。 乙\n甲，丙 乙\n", "words.txt:2: \"甲，丙\" has a mark of sentences or clauses inside"},
      {"甲 乙.丙\n", "words.txt:1: \"乙.丙\" has a mark"},
      {"# nothing\n", "has no words"},
      {"", "has no words"},
  };
  for (const auto& [content, fault] : cases) {
    const auto channel = MakeVariantsChannel({"words.txt", content});
    ASSERT_FALSE(channel) << fault;
    EXPECT_EQ(channel.error().code, ErrorCode::kUnreadable);
    EXPECT_THAT(channel.error().message, HasSubstr(fault));
  }
}

TEST(PhraseChannelsTest, ForgedSectionsAreRefused) {
  const Symbols table = PhraseTableBuilder().Build();
  using Classes = std::vector<uint16_t>;
  const auto open = [&](std::span<const uint32_t> phrases, const Classes& classes,
                        const char* name) {
    SectionWriter writer;
    writer.Add("packages", "");
    writer.AddValues("regional", phrases);
    writer.AddValues("shape.splits", phrases);
    writer.AddValues("shape.classes", std::span<const uint16_t>(classes));
    InMemoryFileSystem files;
    files.Put("forged.zw", writer.Finish(kLanguageFile));
    return OpenChannel(name, Language::Open(files, "forged.zw").value());
  };
  const size_t count = 0x9FFF - 0x3400 + 1;
  const Classes all(count, 0x9FFF);
  Classes low = all, high = all;
  low.front() = 0x33FF;
  high.back() = 0xA000;
  EXPECT_TRUE(open(table, all, "shape"));
  EXPECT_TRUE(open(table, all, "regional"));
  for (const auto& channel :
       {open(std::span(table).first(2), all, "regional"),
        open(std::span(table).first(2), all, "shape"),
        open(table, Classes(count - 1, 0x9FFF), "shape"), open(table, {}, "shape"),
        open(table, low, "shape"), open(table, high, "shape")}) {
    ASSERT_FALSE(channel);
    EXPECT_EQ(channel.error().code, ErrorCode::kUnreadable);
    EXPECT_THAT(channel.error().message, HasSubstr("forged.zw"));
  }
}

}  // namespace
}  // namespace zhiwen
