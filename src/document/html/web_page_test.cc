#include "document/html/web_page.h"

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "document/html/body_choice.h"
#include "document/html/body_model.h"
#include "support/paths.h"

namespace zhiwen {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string ReadTestPage(const std::string& name) {
  std::ifstream file(SourceFolder() + "/testdata/html/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(WebPage, TheBodyIsWithoutWhatIsAroundIt) {
  const ExtractedDocument page = ExtractWebPage(ReadTestPage("article_zh.html")).value();
  EXPECT_EQ(page.kind, ExtractedKind::kArticle);
  EXPECT_THAT(page.text, HasSubstr("清晨六点，城墙根下的早点摊刚刚支起来"));
  EXPECT_THAT(page.text, HasSubstr("\n去年腊月，一位退休的中学老师"));  // behind <br>
  for (const std::string_view around : {"首页", "当前位置", "热门排行", "荷花", "网友评论",
                                        "版权所有", "广告服务", "不是正文", "责任编辑"}) {
    EXPECT_THAT(page.text, Not(HasSubstr(std::string(around))));
  }
  EXPECT_GT(page.share, 0.5);
  EXPECT_LT(page.share, 1);
}

TEST(WebPage, TheFactsAreThoseOfThePage) {
  const ExtractedDocument page = ExtractWebPage(ReadTestPage("article_zh.html")).value();
  EXPECT_EQ(page.title, "旧城墙下的新书店");
  EXPECT_EQ(page.author, "林小满");
  EXPECT_EQ(page.date, "2024-05-01");
  EXPECT_EQ(page.url, "https://example.org/life/20240501/bookshop.html");
  EXPECT_EQ(page.language, "zh-CN");
  EXPECT_EQ(page.encoding, "utf-8");
  const ExtractedDocument english = ExtractWebPage(ReadTestPage("article_en.html")).value();
  EXPECT_EQ(english.title, "A small library of pressed leaves");
  EXPECT_EQ(english.author, "M. Fern");
  EXPECT_EQ(english.date, "2023-10-14T09:00:00Z");
  EXPECT_THAT(english.text, HasSubstr("Lay the leaf flat"));
  EXPECT_THAT(english.text, Not(HasSubstr("Related posts")));
}

TEST(WebPage, LinkedDataAndTitlesGiveTheHeadline) {
  const auto title = [](const std::string& head) {
    return ExtractWebPage("<html><head>" + head + "</head><body><p>x").value().title;
  };
  EXPECT_EQ(title(R"(<script type="application/ld+json">{"headline":"A &amp; B"}</script>)"
                  "<title>C</title>"),
            "A & B");
  EXPECT_EQ(title("<title>城里的新书店 - 新闻_网</title>"), "城里的新书店");
  EXPECT_EQ(title("<title>新闻网|城里的新书店</title>"), "城里的新书店");
  EXPECT_EQ(title("<title>covid-19</title>"), "covid-19");
  EXPECT_EQ(title("<title>奋飞的铁拳——某团二大队_新闻网</title>"), "奋飞的铁拳——某团二大队");
  EXPECT_EQ(title("<title>中国—中亚峰会今天开幕</title>"), "中国—中亚峰会今天开幕");
  EXPECT_EQ(title("<title>A whole hour — The News</title>"), "A whole hour");
  EXPECT_EQ(title("<title>画了几笔兰花当嫁妆--文化--人民网</title>"), "画了几笔兰花当嫁妆");
  EXPECT_EQ(title("<meta property=og:title content='An hour'><title>An hour | N</title>"),
            "An hour");
  EXPECT_EQ(title("<script type=\"application/ld+json\">{\"headline\":</script>"), "");
}

TEST(WebPage, DatesOfTheTextHaveOneForm) {
  const auto date = [](const std::string& text) {
    return ExtractWebPage("<p>" + text + "</p>").value().date;
  };
  EXPECT_EQ(date("发布时间：2012年1月11日 10:20"), "2012-01-11");
  EXPECT_EQ(date("2012-01-11"), "2012-01-11");
  EXPECT_EQ(date("2012/1/11"), "2012-01-11");
  EXPECT_EQ(date("2012.13.11 2012.10.11"), "2012-10-11");
  EXPECT_EQ(date("12012-01-11 2012-01 电话 010-2012-99"), "");
}

TEST(WebPage, BlocksLeadBackToTheBytesOfAnyEncoding) {
  for (const std::string name : {"article_zh.html", "article_gbk.html"}) {
    const std::string bytes = ReadTestPage(name);
    const ExtractedDocument page = ExtractWebPage(bytes).value();
    ASSERT_GE(page.blocks.size(), 6U) << name;
    for (const ExtractedBlock& block : page.blocks) {
      const std::string_view source = std::string_view(bytes).substr(
          block.source.begin.value, block.source.end.value - block.source.begin.value);
      const ExtractedDocument alone =  // the bytes of a block are a page with one block
          ExtractWebPage("<meta charset=" + page.declared_encoding + ">" + std::string(source))
              .value();
      EXPECT_EQ(alone.text, page.text.substr(block.text.begin.value, block.text.size())) << name;
      // Whether the title belongs to the body is for the weights to say.
      EXPECT_THAT(block.kind, AnyOf(BlockKind::kParagraph, BlockKind::kHeading));
    }
  }
  EXPECT_EQ(ExtractWebPage(ReadTestPage("article_gbk.html"))->text,
            ExtractWebPage(ReadTestPage("article_zh.html"))->text);
}

TEST(WebPage, BlocksSayWhatTheyAre) {
  const ExtractedDocument page =
      ExtractWebPage(
          "<h2>Leaves that I pressed this year</h2><p>The first leaf is of an oak.</p>"
          "<ul><li>It was found in May.<ul><li><p>It was brown then.</ul></ul>"
          "<blockquote><p>An oak is an oak is an oak.</blockquote>"
          "<pre>press --leaf oak --days 12</pre>"
          "<table><tr><td>A cell of a table.<td><p>A paragraph in a cell.</table>")
          .value();
  std::vector<std::pair<BlockKind, int>> kinds;
  for (const ExtractedBlock& block : page.blocks) kinds.emplace_back(block.kind, block.level);
  using enum BlockKind;
  EXPECT_THAT(kinds,
              ElementsAre(std::pair(kHeading, 2), std::pair(kParagraph, 0), std::pair(kListItem, 1),
                          std::pair(kListItem, 2), std::pair(kQuote, 0), std::pair(kCode, 0),
                          std::pair(kTableRow, 0), std::pair(kParagraph, 0)))
      << page.text;
}

TEST(WebPage, LinesOfOneCellAreParagraphs) {
  const ExtractedDocument page =
      ExtractWebPage(
          "<table><tr><td><b>The leaves of an oak</b><br><br>I pressed them all through the year, "
          "and in May they were brown.<br><br>In June there were none left.</table>")
          .value();
  ASSERT_EQ(page.blocks.size(), 3U) << page.text;
  for (const ExtractedBlock& block : page.blocks) EXPECT_EQ(block.kind, BlockKind::kParagraph);
  EXPECT_TRUE(page.blocks[0].style.is_strong);
}

TEST(WebPage, APageWithoutTextSaysSo) {
  for (const std::string& page :
       {ReadTestPage("shell.html"), std::string(), std::string("<p> </p>"),
        std::string("<p>……</p><img src=a.png>")}) {
    const ExtractedDocument empty = ExtractWebPage(page).value();
    EXPECT_EQ(empty.kind, ExtractedKind::kEmpty) << page;
    EXPECT_EQ(empty.text, "") << page;
  }
}

TEST(WebPage, APageWithAWordHasAText) {
  for (const std::string page : {"中", "<a href=x>home</a>", "<ul><li><a href=x>a</a><li>b</ul>",
                                 "<div style='display:none'>hidden</div>", "<button>ok</button>"}) {
    EXPECT_NE(ExtractWebPage(page)->text, "") << page;
  }
}

TEST(WebPage, ATextInAFontOfThePageIsObfuscated) {
  std::string hidden = "<p>这一段文字里有些字";
  for (int i = 0; i < 10; ++i) hidden += "\uE123是\uE456的";
  EXPECT_EQ(ExtractWebPage(hidden + "。</p>")->kind, ExtractedKind::kObfuscated);
  EXPECT_EQ(ExtractedKindName(ExtractedKind::kObfuscated), "obfuscated");
}

TEST(BodyChoice, TheThresholdHasTheLargestExpectedF1) {
  const HtmlPage page = ParseHtml("<p>a b c d e f g h i j<p>k l m n o p q r s t<p>u v w x y z");
  std::vector<BlockStatistics> statistics;
  for (const HtmlBlock& block : page.blocks) statistics.push_back(CountBlock(page.TextOf(block)));
  using Chosen = std::vector<uint32_t>;
  EXPECT_EQ(ChooseBody(page, statistics, std::vector<float>{0.9F, 0.9F, 0.1F}), (Chosen{0, 1}));
  EXPECT_EQ(ChooseBody(page, statistics, std::vector<float>{0.1F, 0.95F, 0.1F}), (Chosen{1}));
  EXPECT_EQ(ChooseBody(page, statistics, std::vector<float>{0.9F, 0.8F, 0.7F}), (Chosen{0, 1, 2}));
  // Nothing is probable: the text is not empty all the same.
  EXPECT_EQ(ChooseBody(page, statistics, std::vector<float>{0.01F, 0.02F, 0.01F}), (Chosen{1}));
}

TEST(BodyChoice, OfEqualTextsTheMoreProbableOneStays) {
  const std::string text = "one two three four five six seven eight nine ten eleven";
  const HtmlPage page =
      ParseHtml("<div>" + text + "</div><p>" + text + "</p><p>and more of it</p>");
  std::vector<BlockStatistics> statistics;
  for (const HtmlBlock& block : page.blocks) statistics.push_back(CountBlock(page.TextOf(block)));
  EXPECT_EQ(ChooseBody(page, statistics, std::vector<float>{0.6F, 0.8F, 0.8F}),
            (std::vector<uint32_t>{1, 2}));
}

TEST(BlockStatistics, CharactersAreCountedByKind) {
  const BlockStatistics counts = CountBlock("On 3 May, 中文网 said: “It's A_b1 ほら 한국!”");
  EXPECT_EQ(counts.words, 7U);  // On 3 May said It s A_b1
  EXPECT_EQ(counts.han, 7U);
  EXPECT_EQ(counts.tokens, 14U);
  EXPECT_EQ(counts.digits, 2U);
  EXPECT_EQ(counts.capitals, 4U);
  EXPECT_EQ(counts.commas, 1U);
  EXPECT_EQ(counts.marks, 3U);
  EXPECT_TRUE(counts.ends_sentence);
  EXPECT_FALSE(CountBlock("更多 >").ends_sentence);
  EXPECT_EQ(CountBlock("更多 >").separators, 1U);
  EXPECT_TRUE(CountBlock("他来了。”）").ends_sentence);
}

TEST(BodyWeights, TheyWereTrained) {
  const BodyWeights& weights = TrainedBodyWeights();
  EXPECT_EQ(weights.training.size(), 64U);
  EXPECT_NE(weights.first_bias, 0);
}

}  // namespace
}  // namespace zhiwen
