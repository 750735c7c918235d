#include "pipeline/compare/marked_text.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>

namespace zhiwen {
namespace {

constexpr std::string_view kTale =
    "少年负手而立，目光越过千重峰峦，落在极远处那座孤零零的石塔上面。";

PassageComparison PassagesOf(std::string_view a, std::string_view b) {
  return FindPassages(a, b, {}, {}).value();
}

// What a reader sees: without elements and numbers.
std::string SeenOf(const std::string& html) {
  static const std::regex kNumber("<a [^>]*>[^<]*</a>"), kElement("<[^>]*>");
  return std::regex_replace(std::regex_replace(html, kNumber, ""), kElement, "");
}

size_t CountIn(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(MarkedText, IsTheTextWithItsPassagesMarked) {
  const std::string a = "前面的话。" + std::string(kTale) + "后面的话。";
  const PassageComparison found = PassagesOf(a, kTale);
  const std::string html = RenderMarkedText(a, PassageSide::kA, found);
  EXPECT_EQ(SeenOf(html), a);
  EXPECT_NE(html.find("id=\"a1\" href=\"#b1\""), std::string::npos) << html;
  EXPECT_NE(html.find("前面的话。<a class=\"place\""), std::string::npos) << html;
  EXPECT_EQ(CountIn(html, "<mark"), 1u);
}

TEST(MarkedText, AnEditHasTheSameNumberInBothTexts) {
  std::string a(kTale);
  a.replace(a.find("千重"), std::string("千重").size(), "万座青色");
  const PassageComparison found = PassagesOf(a, kTale);
  for (const auto& [text, which] :
       {std::pair(std::string_view(a), PassageSide::kA), std::pair(kTale, PassageSide::kB)}) {
    const std::string html = RenderMarkedText(text, which, found);
    EXPECT_EQ(SeenOf(html), text);
    EXPECT_NE(html.find("class=\"shared edit only\" data-p=\"1\" data-e=\"1.1\""),
              std::string::npos)
        << html;
  }
}

// Where a text was left out, the other text has a mark of its own.
TEST(MarkedText, WhatIsLeftOutHasAPlaceInBothTexts) {
  std::string a(kTale);
  a.erase(a.find("孤零零的"), std::string("孤零零的").size());
  const PassageComparison found = PassagesOf(a, kTale);
  EXPECT_NE(RenderMarkedText(a, PassageSide::kA, found).find("data-e=\"1.1\"></mark>"),
            std::string::npos);
  EXPECT_NE(RenderMarkedText(kTale, PassageSide::kB, found).find("data-e=\"1.1\">孤零零的</mark>"),
            std::string::npos);
}

TEST(MarkedText, NothingOfATextIsHtml) {
  const std::string hostile = "</mark><script>alert(1)</script>\"'&{{glance}}" + std::string(kTale);
  const std::string html = RenderMarkedText(hostile, PassageSide::kA, PassagesOf(hostile, kTale));
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_NE(html.find("&lt;/mark&gt;&lt;script&gt;"), std::string::npos) << html;
}

TEST(MarkedText, LongTextsAreBlocksOfWholeLines) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "第" + std::to_string(i) + "行文字\n";
  const std::string html = RenderMarkedText(text, PassageSide::kA, PassagesOf(text, text));
  EXPECT_EQ(SeenOf(html), text);
  EXPECT_GT(CountIn(html, "<div class=\"block\">"), 5u);
  EXPECT_EQ(CountIn(html, "<div"), CountIn(html, "</div>"));
  EXPECT_EQ(CountIn(html, "<mark"), CountIn(html, "</mark>"));
}

}  // namespace
}  // namespace zhiwen
