#include "document/html/html_page.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace zhiwen {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> TextsOfBlocks(std::string_view html) {
  const HtmlPage page = ParseHtml(html);
  std::vector<std::string> texts;
  for (const HtmlBlock& block : page.blocks) texts.emplace_back(page.TextOf(block));
  return texts;
}

// The names of the nodes around a block, outermost first.
std::string PathOf(const HtmlPage& page, size_t block) {
  std::string path;
  for (uint32_t node = page.blocks[block].node; node != 0; node = page.nodes[node].parent) {
    path = std::string(NameOf(page.nodes[node].tag)) + (path.empty() ? "" : " ") + path;
  }
  return path;
}

std::vector<std::string> PathsOf(std::string_view html) {
  const HtmlPage page = ParseHtml(html);
  std::vector<std::string> paths;
  for (size_t i = 0; i < page.blocks.size(); ++i) paths.push_back(PathOf(page, i));
  return paths;
}

std::string Repeat(std::string_view part, size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += part;
  return all;
}

TEST(HtmlPage, BlockTagsAndLineBreaksEndBlocksAndInlineTagsDoNot) {
  EXPECT_THAT(TextsOfBlocks("a<b>b</b>c<p>d<i>e</i> f</p>g<br>h<hr>i<unknown>j</unknown>"),
              ElementsAre("abc", "de f", "g", "h", "ij"));
  EXPECT_THAT(TextsOfBlocks("<pre>a b\n  c\n\nd</pre>"), ElementsAre("a b", "c", "d"));
  EXPECT_THAT(TextsOfBlocks(" <p> </p>\n<div>&nbsp;</div> "), IsEmpty());
}

TEST(HtmlPage, WhatIsNoTextIsPassedOver) {
  EXPECT_THAT(TextsOfBlocks(
                  "<script>if (a<b) '<p>x'</script><style>p{}</style><!-- <p>x --><title>t</title>"
                  "<noscript>n</noscript><svg><text>s<svg></svg>s</text></svg><select><option>o"
                  "</select><template><p>t<template></template>t</template><?php x ?><!x>"
                  "<textarea><p>x</textarea><iframe>x</iframe>ja"),
              ElementsAre("ja"));
}

TEST(HtmlPage, EndTagsThatMayBeLeftOutAreImplied) {
  EXPECT_THAT(PathsOf("<p>a<p>b<div>c</div>d"), ElementsAre("p", "p", "div", ""));
  EXPECT_THAT(PathsOf("<ul><li>a<li>b<ul><li>c</ul>d<li>e</ul>f"),
              ElementsAre("ul li", "ul li", "ul li ul li", "ul li", "ul li", ""));
  EXPECT_THAT(PathsOf("<dl><dt>a<dd>b<dt>c</dl>"), ElementsAre("dl dt", "dl dd", "dl dt"));
  EXPECT_THAT(PathsOf("<table><tr><td>a<td>b<tr><th>c<tbody><tr><td>d</table>e"),
              ElementsAre("table tr td", "table tr td", "table tr th", "table tbody tr td", ""));
  EXPECT_THAT(PathsOf("<h1>a<h2>b</h3>c"), ElementsAre("h1", "h2", ""));
}

TEST(HtmlPage, NothingReachesOutOfACell) {
  EXPECT_THAT(PathsOf("<div><table><tr><td>a</div>b<p>c</td><td>d</table>e</div>f"),
              ElementsAre("div table tr td", "div table tr td", "div table tr td p",
                          "div table tr td", "div", ""));
}

TEST(HtmlPage, AnInlineEndTagClosesNoBlockAndEndsWhatItSays) {
  const HtmlPage page = ParseHtml("<b>a<p>b</b>c</p>d<a href=x>e<div>f</a>g</div>h");
  ASSERT_EQ(page.blocks.size(), 5U);
  EXPECT_EQ(page.TextOf(page.blocks[1]), "bc");
  EXPECT_EQ(page.blocks[1].bold_bytes, 1U);
  EXPECT_EQ(page.blocks[2].bold_bytes, 0U);
  EXPECT_EQ(page.TextOf(page.blocks[2]), "de");
  EXPECT_EQ(page.blocks[2].link_bytes, 1U);
  EXPECT_EQ(page.blocks[2].links, 1U);
  EXPECT_EQ(page.TextOf(page.blocks[3]), "fg");
  EXPECT_EQ(page.blocks[3].link_bytes, 1U);
  EXPECT_EQ(page.TextOf(page.blocks[4]), "h");
  EXPECT_EQ(page.blocks[4].link_bytes, 0U);
}

TEST(HtmlPage, HiddenTextIsMarked) {
  const HtmlPage page = ParseHtml(
      "<div style='display: none'>a<p>b</div><p hidden>c</p><p aria-hidden=true>d</p>e"
      "<span style=\"display:none\">f</span><p>g");
  std::string hidden;
  for (const HtmlBlock& block : page.blocks) hidden += block.is_hidden ? '1' : '0';
  EXPECT_EQ(hidden, "111100");
  EXPECT_THAT(page.TextOf(page.blocks[4]), "e");  // f is hidden in its line
  EXPECT_EQ(page.hidden_characters, 1U);
}

TEST(HtmlPage, HiddenPartsOfLinesAreLeftOut) {
  const HtmlPage page = ParseHtml(
      "<p><span style='display:none'>盗版</span>第一<span style=\"font-size:0px\">站点</span>章"
      "<font style='font-size: 0'>乱码</font>，<span style='font-size:0.9em'>正文</span>开始"
      "<div style='font-size:0'><span style='font-size:14px'>也在</span></div>");
  EXPECT_THAT(
      TextsOfBlocks("<html style='visibility:hidden'><p>前<sup style='display:none'>注</sup>后"
                    "<small hidden>小</small><x-y style='font-size:0'>空</x-y>尾<code>码</code>"),
      ElementsAre("前后尾码"));
  EXPECT_THAT(TextsOfBlocks("<p>a<select name=x /><option>One<option>Two</select>b<svg/>c"),
              ElementsAre("abc"));
  ASSERT_EQ(page.blocks.size(), 2U);
  EXPECT_EQ(page.TextOf(page.blocks[0]), "第一章，正文开始");
  EXPECT_FALSE(page.blocks[0].is_hidden);
  EXPECT_EQ(page.TextOf(page.blocks[1]), "也在");
  EXPECT_EQ(page.hidden_characters, 6U);
}

TEST(HtmlPage, TheNextPageIsALinkThatSaysSo) {
  const auto next = [](const std::string& link) {
    return std::string(ParseHtml("<p>x" + link + "<a href=/other>另一页</a>").facts.next);
  };
  EXPECT_EQ(next("<a href='1_2.html'>下一页</a><a href=3>下一页</a>"), "1_2.html");
  EXPECT_EQ(next("<li><a href='?p=2'> [<b>下一頁</b>] »</a>"), "?p=2");
  EXPECT_EQ(next("<a href=2>Next Page</a>"), "2");
  EXPECT_EQ(next("<a href=2>下一章</a><a href=3>next</a>"), "");
  EXPECT_EQ(next("<a href='#'>下一页</a><a href=javascript:next()>下一页</a>"), "");
  EXPECT_EQ(next("<a href=2>下一页的内容写的是别的事情</a>"), "");
}

TEST(HtmlPage, TagsWithOddAttributesAreRead) {
  EXPECT_THAT(TextsOfBlocks("<p title='a>b' x = \"<p>\" y=z/w / >t<br/>u</p x>"),
              ElementsAre("t", "u"));
  const HtmlPage page = ParseHtml(
      "<META NAME=Author name=b CONTENT='x'><html LANG=zh>"
      "<meta property=og:title content=\"T&amp;T\">"
      "<meta name=author content=王><link rel=canonical href=u>");
  EXPECT_EQ(page.facts.language, "zh");
  EXPECT_EQ(page.facts.og_title, "T&amp;T");
  EXPECT_EQ(page.facts.author, "王");
  EXPECT_EQ(page.facts.canonical, "u");
}

TEST(HtmlPage, WhatIsNotClosedLosesOnlyScriptsAndStyles) {
  EXPECT_THAT(TextsOfBlocks("a<!-- b>c"), ElementsAre("ac"));
  EXPECT_THAT(TextsOfBlocks("a<a href=\"b>c"), ElementsAre("ac"));
  EXPECT_THAT(TextsOfBlocks("a<textarea>b"), ElementsAre("ab"));
  EXPECT_THAT(TextsOfBlocks("a<svg>b"), ElementsAre("ab"));
  EXPECT_THAT(TextsOfBlocks("a<svg><svg>b</svg>c"), ElementsAre("ac"));
  EXPECT_THAT(TextsOfBlocks("a<script>b"), ElementsAre("a"));
  EXPECT_THAT(TextsOfBlocks("a < b <3 <- c & d"), ElementsAre("a < b <3 <- c & d"));
  EXPECT_THAT(TextsOfBlocks("a<p"), ElementsAre("a"));
  EXPECT_THAT(TextsOfBlocks("a<"), ElementsAre("a<"));
  EXPECT_THAT(TextsOfBlocks("a</"), ElementsAre("a"));
}

TEST(HtmlPage, RangesLeadToTheBytesOfTheText) {
  const std::string html = "<div> 前<b>中</b>&amp; 后 <!-- x --></div><p>\n末 </p>";
  const HtmlPage page = ParseHtml(html);
  ASSERT_EQ(page.blocks.size(), 2U);
  const auto source = [&](const HtmlBlock& block) {
    return html.substr(block.source_begin, block.source_end - block.source_begin);
  };
  EXPECT_EQ(page.TextOf(page.blocks[0]), "前中& 后");
  EXPECT_EQ(source(page.blocks[0]), "前<b>中</b>&amp; 后");
  EXPECT_EQ(source(page.blocks[1]), "末");
}

TEST(HtmlPage, NodesHoldTheBlocksInsideOfThem) {
  const HtmlPage page = ParseHtml("<div class='nav-1'>a<p>b</p></div><div class='nav-2'>c</div>d");
  ASSERT_EQ(page.nodes.size(), 4U);
  EXPECT_EQ(page.nodes[0].block_end, 4U);
  EXPECT_EQ(page.nodes[1].block_begin, 0U);
  EXPECT_EQ(page.nodes[1].block_end, 2U);
  EXPECT_EQ(page.nodes[2].block_begin, 1U);
  EXPECT_EQ(page.nodes[2].depth, 2U);
  EXPECT_EQ(page.nodes[1].signature, page.nodes[3].signature);  // digits number a template
  EXPECT_NE(page.nodes[1].signature, page.nodes[2].signature);
  EXPECT_NE(page.nodes[1].own_words, 0U);
}

TEST(HtmlPage, DepthIsBounded) {
  const HtmlPage page = ParseHtml(Repeat("<div>", 50000) + "a" + Repeat("</div>", 50000) + "b");
  ASSERT_EQ(page.blocks.size(), 2U);
  for (const HtmlNode& node : page.nodes) EXPECT_LT(node.depth, kMostDepth);
}

// What is looked at twice for an end that is not there makes pages of such tags quadratic.
TEST(HtmlPage, StepsAreLinearForHostileTags) {
  for (const std::string_view part :
       {"<!-- ", "<a href=\"", "<a href='x\" ", "<title>", "<textarea>", "<svg>", "<template><svg>",
        "<select>", "<!", "</", "<", "<iframe><xmp>", "<a b='", "<p \"'", "<svg></template>"}) {
    const std::string html = Repeat(part, 60000);
    EXPECT_LE(ParseHtml(html).steps, 16 * html.size()) << part;
    for (const std::string_view end : {"</svg>", "</template></select>", "-->", "\">'>"}) {
      const std::string ended = html + std::string(end);
      EXPECT_LE(ParseHtml(ended).steps, 16 * ended.size()) << part << end;
    }
  }
}

TEST(HtmlPage, UnclosedElementsAreNotWalkedThroughForEachTag) {
  // Each of these opens what an implied end or an end tag has to look for.
  for (const std::string_view part : {"<p>x", "<td>x", "<h1>a<h2>b", "<dt>a<dd>b", "<ul><li>x",
                                      "<a><b><i><p>x", "<form><div>x", "<table><tr><td>x"}) {
    const HtmlPage page = ParseHtml(Repeat(part, 200000));
    EXPECT_GT(page.blocks.size(), 5000U) << part;
    EXPECT_EQ(page.nodes.front().block_end, page.blocks.size());
  }
}

}  // namespace
}  // namespace zhiwen
