#include "document/html/article_bounds.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "document/html/place_words.h"
#include "document/html/web_page.h"

namespace zhiwen {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kData =
    R"(<script type="application/ld+json">{"@type":"NewsArticle"}</script>)";
constexpr std::string_view kShared = "<meta property=og:type content=article>";

// A paragraph of 24 tokens that begins with a word.
std::string Paragraph(const std::string& word) {
  return "<p>" + word +
         " the harbour was quiet that morning and the boats lay still while two men mended"
         " their nets and spoke of the coming rain</p>";
}

// Returns the first words of the blocks that may still be body where all of them were.
std::vector<std::string> Kept(std::string_view head, const std::string& body) {
  const std::string html = "<html><head><title>A quiet harbour</title>" + std::string(head) +
                           "</head><body>" + body + "</body></html>";
  const HtmlPage page = ParseHtml(html);
  std::vector<BlockStatistics> statistics;
  for (const HtmlBlock& block : page.blocks) statistics.push_back(CountBlock(page.TextOf(block)));
  std::vector<float> probabilities(page.blocks.size(), 0.9F);
  LeaveOutOutsideOfArticle(page, statistics, BlockFeatures(page, statistics), probabilities);
  std::vector<std::string> kept;
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    const std::string_view text = page.TextOf(page.blocks[i]);
    if (probabilities[i] > 0) kept.emplace_back(text.substr(0, text.find(' ')));
  }
  return kept;
}

TEST(ArticleBounds, PlacesOfCommentsAndOfRelatedTextsHaveTheirBits) {
  EXPECT_EQ(FindPlaceWords("comments"), kCommentPlaces);
  EXPECT_EQ(FindPlaceWords("related"), kRelatedPlaces);
}

TEST(ArticleBounds, WhatStandsBesideTheTextIsOutside) {
  for (const std::string tag : {"aside", "footer", "nav"}) {
    const std::string beside = "<" + tag + "><div>" + Paragraph("two") + "</div></" + tag + ">";
    EXPECT_THAT(Kept("", Paragraph("one") + beside + Paragraph("three")),
                ElementsAre("one", "three"))
        << tag;
  }
}

TEST(ArticleBounds, RecommendedTextsAreOutside) {
  EXPECT_THAT(
      Kept("", Paragraph("one") + "<div class=content--recommend>" + Paragraph("two") + "</div>"),
      ElementsAre("one"));
}

TEST(ArticleBounds, WhereABodyIsMarkedTheRestIsOutside) {
  EXPECT_THAT(Kept("", "<div itemprop=articleBody><div>" + Paragraph("one") + "</div></div>" +
                           Paragraph("two")),
              ElementsAre("one"));
}

TEST(ArticleBounds, OtherArticlesThanThatOfTheTitleAreOutside) {
  const std::string body = "<article><h1>A quiet harbour</h1>" + Paragraph("one") + "<article>" +
                           Paragraph("two") + "</article></article>" +
                           "<article><h2>Snow in May</h2>" + Paragraph("three") + "</article>" +
                           Paragraph("four");
  EXPECT_THAT(Kept(kShared, body), ElementsAre("A", "one"));
  EXPECT_THAT(Kept(kData, body), ElementsAre("A", "one"));
  EXPECT_THAT(Kept("", body), ElementsAre("A", "one", "two", "Snow", "three", "four"))
      << "a page that does not say that it is an article may be a list of them";
}

TEST(ArticleBounds, WhatIsAroundTheOnlyArticleIsOutside) {
  const std::string article = "<article>" + Paragraph("one") + Paragraph("two") + "</article>";
  EXPECT_THAT(Kept(kShared, Paragraph("zero") + article), ElementsAre("one", "two"));
  EXPECT_THAT(Kept("", Paragraph("zero") + article), ElementsAre("zero", "one", "two"));
  EXPECT_THAT(Kept(kShared, article + Paragraph("three") + article),
              ElementsAre("one", "two", "three", "one", "two"))
      << "which of two it is, nothing says";
  EXPECT_THAT(Kept(kShared, article + Paragraph("three") + Paragraph("four") + Paragraph("five")),
              ElementsAre("one", "two", "three", "four", "five"))
      << "most of the body is elsewhere";
}

TEST(ArticleBounds, CommentsAreOutsideWhereThePageMarksItsArticle) {
  const std::string body = "<div class=text>" + Paragraph("one") + "</div><div class=comments>" +
                           Paragraph("two") + "</div>";
  EXPECT_THAT(Kept(kData, body), ElementsAre("one"));
  EXPECT_THAT(Kept(kShared, body), ElementsAre("one", "two"));
  EXPECT_THAT(Kept("", body), ElementsAre("one", "two"));
}

TEST(ArticleBounds, ForumsStayAsTheyAre) {
  const std::string body = "<div class=topic>" + Paragraph("one") + "</div><div class=reply>" +
                           Paragraph("two") + "</div>";
  const std::string forum = "<meta name=generator content='Discuz! X3.4'>";
  EXPECT_THAT(Kept(kData, body), ElementsAre("one"));
  EXPECT_THAT(Kept(std::string(kData) + forum, body), ElementsAre("one", "two"));
}

TEST(ArticleBounds, APageThatWouldLoseItsTextKeepsIt) {
  EXPECT_THAT(Kept("", "<div itemprop=articleBody><p>Read on</p></div>" + Paragraph("two")),
              ElementsAre("Read", "two"));
  EXPECT_THAT(Kept("", "<footer>" + Paragraph("one") + "</footer>"), ElementsAre("one"));
}

TEST(ArticleBounds, OneKindThatWouldLoseTheTextLeavesTheOthers) {
  EXPECT_THAT(Kept("", "<div itemprop=articleBody><p>Read on</p></div>" + Paragraph("two") +
                           "<aside>" + Paragraph("three") + "</aside>"),
              ElementsAre("Read", "two"));
}

TEST(ArticleBounds, TheTextOfAnArticleHasNoOtherArticle) {
  const auto text = [](const std::string& head) {
    return ExtractWebPage(
               "<html><head><title>港口的早晨</title>" + head +
               "</head><body><article><h1>港口的早晨</h1>"
               "<p>港口很安静，几条船停在水面上，两个渔民坐在岸边补网，说着快要来的雨。</p>"
               "<p>太阳升起来以后，卖鱼的人到了码头，把冰块铺在木箱里，等着船回来。</p>"
               "</article><article><h2>五月的雪</h2>"
               "<p>一场大雪让小路看不见了，护林员沿着树上的红布条慢慢往前走。</p>"
               "<p>他在山顶的小屋里生了火，给山下的同事打了电话，说一切都好。</p>"
               "</article></body></html>")
        .value()
        .text;
  };
  EXPECT_THAT(text(""), AllOf(HasSubstr("补网"), HasSubstr("护林员")));
  EXPECT_THAT(text(std::string(kShared)), AllOf(HasSubstr("补网"), Not(HasSubstr("护林员"))));
}

}  // namespace
}  // namespace zhiwen
