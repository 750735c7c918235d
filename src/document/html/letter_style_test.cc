#include "document/html/letter_style.h"

#include <string>

#include <gtest/gtest.h>

#include "document/html/html_page.h"

namespace zhiwen {
namespace {

BlockStyle StyleOfPage(const std::string& html) {
  const HtmlPage page = ParseHtml(html);
  BlockStyle style = page.blocks.at(0).style;
  style.is_strong = page.blocks.at(0).is_strong;
  return style;
}

TEST(LetterStyle, AWholeBlockIsBold) {
  EXPECT_TRUE(StyleOfPage("<p><b>a b</b> <strong>c</strong>").is_strong);
  EXPECT_TRUE(StyleOfPage("<p><em>甲</em><span style='font-weight: 700'>乙</span>").is_strong);
  EXPECT_TRUE(StyleOfPage("<p style='FONT-WEIGHT:Bold'>甲").is_strong);
  EXPECT_FALSE(StyleOfPage("<p><b>a b c d</b> x").is_strong);
  EXPECT_FALSE(StyleOfPage("<p>x<b>甲</b>").is_strong);
  EXPECT_FALSE(
      StyleOfPage("<div style='font-weight:bold'><p style='font-weight:normal'>甲").is_strong);
  EXPECT_FALSE(StyleOfPage("<p style='font-weight:400'>甲").is_strong);
}

TEST(LetterStyle, SizesAreInPixels) {
  const auto size = [](const std::string& tag) { return int{StyleOfPage(tag + "甲").size}; };
  EXPECT_EQ(size("<p>"), 0);
  EXPECT_EQ(size("<font size=5>"), 24);
  EXPECT_EQ(size("<font size=+1>"), 18);
  EXPECT_EQ(size("<font size='-5'>"), 10);
  EXPECT_EQ(size("<p style='font-size:14px'>"), 14);
  EXPECT_EQ(size("<p style='color:red; font-size : 10.5pt'>"), 14);
  EXPECT_EQ(size("<p style='font-size:1.25em'>"), 20);
  EXPECT_EQ(size("<p style='font-size:150%'>"), 24);
  EXPECT_EQ(size("<p style='font-size:x-large !important'>"), 24);
  EXPECT_EQ(size("<p style='font-size:99999px'>"), 255);
  EXPECT_EQ(size("<p style='font-size:var(--a)'>"), 0);
  EXPECT_EQ(size("<p style='font-size'>"), 0);
  EXPECT_EQ(size("<p style='font-size:20px'><span style='color:red'>"), 20);
}

TEST(LetterStyle, WhatDiffersInsideABlockIsNotSaid) {
  const BlockStyle both = StyleOfPage(
      "<p><font color=Red face=宋体>甲</font><font color='red' face='黑体' size=5>乙</font>");
  EXPECT_NE(both.color, 0);
  EXPECT_EQ(both.font, 0);
  EXPECT_EQ(both.size, 0);
  EXPECT_EQ(StyleOfPage("<p><font color=red>甲</font>乙").color, 0);
  EXPECT_EQ(StyleOfPage("<p>甲<font color=red>乙</font>").color, 0);
}

TEST(LetterStyle, AStyleEndsWithItsElement) {
  const HtmlPage page = ParseHtml(
      "<font color=red><p>甲</font>乙<p>丙<div style='font-size:20px'>丁</div>戊"
      "<font size=5><font face=a>己</font>");
  ASSERT_EQ(page.blocks.size(), 4U);
  EXPECT_EQ(page.blocks[0].style.color, 0);
  EXPECT_EQ(page.blocks[1].style, BlockStyle());
  EXPECT_EQ(page.blocks[2].style.size, 20);
  EXPECT_EQ(page.blocks[3].style.size, 0);
}

}  // namespace
}  // namespace zhiwen
