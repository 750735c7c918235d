#include "pipeline/extract/site_templates.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace zhiwen {
namespace {

ExtractedDocument PageOf(const std::vector<std::string>& lines) {
  ExtractedDocument page;
  for (const std::string& line : lines) {
    if (!page.blocks.empty()) page.text += '\n';
    const uint64_t begin = page.text.size();
    page.text += line;
    page.blocks.push_back(
        {.text = {{begin}, {page.text.size()}}, .source = {{begin}, {begin + 1}}});
  }
  page.share = 1;
  return page;
}

std::string OwnLine(int number) {
  return fmt::format("第{}页自己的段落，别的页面都没有这样的一段文字。", number);
}

SiteTemplates LearnFrom(std::string_view site, const std::vector<ExtractedDocument>& pages) {
  SiteTemplateCounts counts;
  for (const ExtractedDocument& page : pages) counts.Add(MakeSitePage(site, page));
  return counts.Finish();
}

TEST(SiteTemplates, PostsAreThoseOfTheLinesThatStay) {
  std::vector<ExtractedDocument> pages;
  for (int i = 0; i < 5; ++i) {
    pages.push_back(PageOf({OwnLine(i), "签名", OwnLine(i + 10), "签名", "签名"}));
    pages.back().posts = {{.begin = 0, .end = 2}, {.begin = 2, .end = 4}, {.begin = 4, .end = 5}};
  }
  const SiteTemplates templates = LearnFrom("a.cn", pages);
  EXPECT_EQ(templates.DropFrom("a.cn", pages.front()).size(), 3U);
  ASSERT_EQ(pages.front().posts.size(), 2U);
  EXPECT_EQ(pages.front().posts[1].begin, 1U);
  EXPECT_EQ(pages.front().posts[1].end, 2U);
}

TEST(SiteTemplates, WhatManyPagesShareIsDropped) {
  std::vector<ExtractedDocument> pages;
  for (int i = 0; i < 20; ++i) {
    std::vector<std::string> lines = {"欢迎光临", OwnLine(i)};
    if (i < 5) lines.emplace_back("五页都有");
    if (i < 4) lines.emplace_back("四页才有");
    lines.emplace_back("扫一扫关注我们");
    lines.emplace_back("扫一扫关注我们");
    pages.push_back(PageOf(lines));
  }
  const SiteTemplates templates = LearnFrom("a.cn", pages);
  const std::vector<DroppedLine> dropped = templates.DropFrom("a.cn", pages.front());
  EXPECT_EQ(pages.front().text, OwnLine(0) + "\n四页才有");
  ASSERT_EQ(pages.front().blocks.size(), 2U);
  EXPECT_EQ(pages.front().blocks[1].text.end.value, pages.front().text.size());
  EXPECT_EQ(pages.front().blocks[1].source.begin.value,
            PageOf({"欢迎光临", OwnLine(0), "五页都有"}).text.size() + 1);
  ASSERT_EQ(dropped.size(), 4U);
  EXPECT_EQ(dropped[0].text, "欢迎光临");
  EXPECT_EQ(dropped[0].pages, 20U);
  EXPECT_EQ(dropped[1].text, "五页都有");
  EXPECT_EQ(dropped[1].pages, 5U);
  EXPECT_EQ(dropped[2].pages, 20U);  // though each page has it twice
  EXPECT_EQ(dropped[3].site_pages, 20U);
  EXPECT_LT(pages.front().share, 0.8);
  EXPECT_TRUE(templates.DropFrom("b.cn", pages[1]).empty());
}

TEST(SiteTemplates, AShareOfALargeSiteIsNeeded) {
  std::vector<ExtractedDocument> pages;
  for (int i = 0; i < 200; ++i) {
    std::vector<std::string> lines = {OwnLine(i)};
    if (i < 10) lines.emplace_back("十页都有");
    if (i < 9) lines.emplace_back("九页都有");
    pages.push_back(PageOf(lines));
  }
  const std::vector<DroppedLine> dropped = LearnFrom("a", pages).DropFrom("a", pages.front());
  ASSERT_EQ(dropped.size(), 1U);
  EXPECT_EQ(dropped[0].text, "十页都有");
}

// Copies of one page share all that they have: nothing of that is template.
TEST(SiteTemplates, CopiesKeepTheirText) {
  std::vector<ExtractedDocument> pages;
  for (int i = 0; i < 9; ++i) {
    pages.push_back(PageOf({OwnLine(1), OwnLine(2), fmt::format("浏览{}次", i)}));
  }
  const std::string text = pages.front().text;
  EXPECT_TRUE(LearnFrom("a", pages).DropFrom("a", pages.front()).empty());
  EXPECT_EQ(pages.front().text, text);
}

TEST(SiteTemplates, TheOrderOfPagesDoesNotMatter) {
  std::vector<ExtractedDocument> pages;
  std::mt19937 random(7);
  for (int i = 0; i < 60; ++i) {
    std::vector<std::string> lines = {OwnLine(i)};
    for (int k = 0; k < 4; ++k) lines.push_back(fmt::format("共有的第{}段", random() % 30));
    pages.push_back(PageOf(lines));
  }
  std::vector<ExtractedDocument> shuffled = pages;
  std::ranges::shuffle(shuffled, random);
  const SiteTemplates one = LearnFrom("a", pages), other = LearnFrom("a", shuffled);
  size_t dropped = 0;
  for (const ExtractedDocument& page : pages) {
    ExtractedDocument by_one = page, by_other = page;
    dropped += one.DropFrom("a", by_one).size();
    other.DropFrom("a", by_other);
    EXPECT_EQ(by_one.text, by_other.text);
  }
  EXPECT_GT(dropped, 60U);
}

TEST(SiteTemplates, ASiteIsAHostOrAFolder) {
  EXPECT_EQ(SiteOf("https://www.example.org/a/b.html", "pages/x.html"), "example.org");
  EXPECT_EQ(SiteOf("http://me@news.example.org?q=1", ""), "news.example.org");
  EXPECT_EQ(SiteOf("", "pages/site/x.html"), "pages/site/");
  EXPECT_EQ(SiteOf("/relative", "x.html"), "");
}

}  // namespace
}  // namespace zhiwen
