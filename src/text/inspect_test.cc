// Tests how inspect shows a text and its parts.
#include "zhiwen/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "support/language.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

InspectOptions BothChannels() {
  InspectOptions options;
  options.channels = {FoldedChannel(), ExactChannel()};
  return options;
}

Inspection Inspect(std::string_view text, InspectOptions options = BothChannels()) {
  auto inspection = InspectText(text, options);
  EXPECT_TRUE(inspection) << inspection.error().message;
  return *std::move(inspection);
}

std::vector<std::string> UnitsOf(const Inspection& inspection, std::string_view text) {
  std::vector<std::string> units;
  for (const InspectedUnit& unit : inspection.units) {
    units.emplace_back(text.substr(unit.bytes.begin.value, unit.bytes.size()));
  }
  return units;
}

TEST(Inspect, CutsTheTextWhereNoSymbolGoesOn) {
  constexpr std::string_view kText = "國 Ab3.5，㍿";
  const Inspection inspection = Inspect(kText);
  EXPECT_THAT(UnitsOf(inspection, kText), ElementsAre("國", " ", "Ab3.5", "，", "㍿"));
  EXPECT_EQ(inspection.units[1].symbols[0].size(), 0u);  // folded drops the space
  EXPECT_EQ(inspection.units[2].symbols[0].size(), 1u);
  EXPECT_EQ(inspection.units[2].symbols[1].size(), 5u);
  EXPECT_EQ(inspection.units[4].symbols[0].size(), 4u);
  EXPECT_TRUE(inspection.has_han);
}

TEST(Inspect, NamesWhatHashedUnitsSay) {
  EXPECT_THAT(
      Inspect("HELLO he\u0301llo 3\u200b．１４ 한국 👩\u200d👩\u200d👧 a").channels[0].names,
      ElementsAre("hello", "héllo", "3.14", "한", "국", "👩👩👧", "a"));
}

TEST(Inspect, NamesWhatNumbersOfLooseSay) {
  InspectOptions options;
  options.channels = {*OpenChannel("loose")};
  EXPECT_THAT(Inspect("二〇，1❻年Ab", options).channels[0].names, ElementsAre("2016", "年", "ab"));
}

TEST(Inspect, NamesWhatStandsForAWordOfVariants) {
  InspectOptions options;
  options.channels = {*MakeVariantsChannel({"words.txt", "微信 WeChat\n"})};
  EXPECT_THAT(Inspect("微信 App", options).channels[0].names, ElementsAre("wechat", "app"));
}

TEST(Inspect, APartHasTheSymbolsOfTheWholeText) {
  const std::vector<std::string_view> pieces = {"字",         "國", "，", " ",      "ab", "3.1",
                                                "网路",       "氵", "州", "\u200b", "\n", "e\u0301",
                                                "👩\u200d👧", "ก็",  "Ａ", "银行",   "木"};
  InspectOptions options = BothChannels();
  for (const char* name : {"regional", "shape", "pinyin(reading=phrase)"}) {
    options.channels.push_back(OpenChannel(name, TestLanguage()).value());
  }
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    std::string text;
    for (size_t i = random() % 30; i > 0; --i) text += pieces[random() % pieces.size()];
    options.part.begin.value = random() % (text.size() + 1);
    options.part.end.value = options.part.begin.value + random() % 20;
    const Inspection inspection = Inspect(text, options);
    ByteOffset at = inspection.part.begin;
    for (const InspectedUnit& unit : inspection.units) {
      ASSERT_EQ(unit.bytes.begin, at);
      at = unit.bytes.end;
    }
    ASSERT_EQ(at, inspection.part.end);
    if (inspection.units.empty()) continue;
    for (size_t c = 0; c < options.channels.size(); ++c) {
      const SpannedSymbols whole = *ComputeSymbols(options.channels[c], text);
      const InspectedChannel& seen = inspection.channels[c];
      size_t next = 0;
      for (size_t i = 0; i < whole.symbols.size(); ++i) {
        const bool is_inside = whole.spans[i].begin >= inspection.part.begin &&
                               whole.spans[i].end <= inspection.part.end;
        ASSERT_TRUE(is_inside || whole.spans[i].end <= inspection.part.begin ||
                    whole.spans[i].begin >= inspection.part.end);
        if (!is_inside) continue;
        ASSERT_LT(next, seen.symbols.size());
        ASSERT_EQ(seen.symbols[next], whole.symbols[i]);
        ASSERT_EQ(seen.spans[next++], whole.spans[i]);
      }
      ASSERT_EQ(next, seen.symbols.size());
    }
  }
}

TEST(Inspect, APartOfALongLineCostsWhatThePartCosts) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += "字";
  InspectOptions options = BothChannels();
  options.part = {{450'001}, {450'002}};
  const Inspection inspection = Inspect(text, options);
  EXPECT_EQ(inspection.part, (ByteSpan{{450'000}, {450'003}}));
  EXPECT_EQ(inspection.channels[0].symbols.size(), 1u);
}

TEST(Inspect, SaysWhatIsWrongWithTextAndPart) {
  InspectOptions options = BothChannels();
  options.name = "x.txt";
  EXPECT_EQ(InspectText("ab\xff", options).error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(InspectText("ab\xff", options).error().message, HasSubstr("\"x.txt\": not valid "
                                                                        "UTF-8 at byte 2"));
  options.part = {{4}, {5}};
  EXPECT_EQ(InspectText("abc", options).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(Inspect("").units.size(), 0u);
}

}  // namespace
}  // namespace zhiwen
