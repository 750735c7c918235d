#include "document/html/pattern_groups.h"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "document/html/place_words.h"

namespace zhiwen {
namespace {

constexpr std::array<PatternGroup, 5> kGroups = {{{"nav", "nav navbar"},
                                                  {"side", "side *sidebar*"},
                                                  {"record", "版权 责任编辑 编辑"},
                                                  {"top", "back~to~top to"},
                                                  {"bar", "bar *ebar*"}}};

uint32_t FoundIn(std::string_view text) {
  static const PatternGroups groups(kGroups);
  return groups.Find(text);
}

TEST(PatternGroups, WordsAreWholeUnlessTheyMayStandAnywhere) {
  EXPECT_EQ(FoundIn("main-nav_left"), 0b00001U);
  EXPECT_EQ(FoundIn("navigate"), 0U);
  EXPECT_EQ(FoundIn("subnav"), 0U);
  EXPECT_EQ(FoundIn("mainNav"), 0b00001U);
  EXPECT_EQ(FoundIn("NAV"), 0b00001U);
  EXPECT_EQ(FoundIn("leftsidebarbox"), 0b10010U);
  EXPECT_EQ(FoundIn("sideBar"), 0b10010U);
  EXPECT_EQ(FoundIn("navbar"), 0b00001U);
  EXPECT_EQ(FoundIn(""), 0U);
}

TEST(PatternGroups, WordsInsideOfOthersAreFoundToo) {
  EXPECT_EQ(FoundIn("责任编辑：王"), 0b00100U);
  EXPECT_EQ(FoundIn("Back to Top"), 0b01000U);
  EXPECT_EQ(FoundIn("nav bar"), 0b10001U);
}

// The definition: every word at every place.
uint32_t FindSlowly(std::string text) {
  std::string original = text;
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto is_letter = [&](size_t i) { return text[i] >= 'a' && text[i] <= 'z'; };
  const auto is_end = [&](size_t i) {  // of a word, in front of i
    if (i == 0 || i >= text.size() || !is_letter(i - 1) || !is_letter(i)) return true;
    return original[i - 1] >= 'a' && original[i] <= 'Z';
  };
  uint32_t found = 0;
  for (size_t g = 0; g < kGroups.size(); ++g) {
    std::string words(kGroups[g].words);
    for (size_t begin = 0; begin < words.size();) {
      const size_t end = std::min(words.find(' ', begin), words.size());
      std::string word = words.substr(begin, end - begin);
      begin = end + 1;
      const bool anywhere = word.front() == '*' || word.front() < 0;
      if (word.front() == '*') word = word.substr(1, word.size() - 2);
      for (char& c : word) c = c == '~' ? ' ' : c;
      for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        if (anywhere || (is_end(at) && is_end(at + word.size()))) found |= uint32_t{1} << g;
      }
    }
  }
  return found;
}

TEST(PatternGroups, TheAutomatonFindsWhatTheDefinitionFinds) {
  const std::array<std::string, 12> parts = {"nav",  "side", "bar", "Bar", "-",    "to",
                                             "back", " ",    "top", "e",   "编辑", "责任"};
  uint64_t state = 3;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (int i = 0; i < 8; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      text += parts[(state >> 40) % parts.size()];
    }
    ASSERT_EQ(FoundIn(text), FindSlowly(text)) << text;
  }
}

TEST(PlaceWords, PartsOfPagesAreKnownByTheirNames) {
  const auto groups = [](uint32_t bits) {
    std::string names;
    for (size_t i = 0; i < kPlaceGroups; ++i) {
      if ((bits >> i & 1) != 0) names += std::string(PlaceGroupName(i)) + " ";
    }
    return names;
  };
  EXPECT_EQ(groups(FindPlaceWords("sidebar-nav")), "nav side ");
  EXPECT_EQ(groups(FindPlaceWords("artibody")), "body zhbody ");
  EXPECT_EQ(groups(PlaceWordsOf(HtmlTag::kFooter)), "foot ");
  EXPECT_EQ(groups(PlaceWordsOf(HtmlTag::kDiv)), "");
  EXPECT_EQ(FindPhrases("上一篇：无"), uint32_t{1} << 3);
  EXPECT_EQ(PhraseGroupName(3), "neighbour");
}

}  // namespace
}  // namespace zhiwen
