#include "zhiwen/body_tree.h"

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace zhiwen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A line for each node but the root: its depth in dashes, its mark in brackets, its text.
std::vector<std::string> NodeLines(const BodyTree& tree, std::string_view text) {
  std::vector<std::string> lines;
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const BodyNode& node = tree.nodes[i];
    std::string& line = lines.emplace_back(node.depth, '-');
    if (!node.mark.empty()) line += "[" + std::string(node.mark) + "]";
    line += text.substr(node.text.begin.value, node.text.size());
  }
  return lines;
}

std::vector<std::string> LinesOfText(const std::string& text) {
  return NodeLines(MakeBodyTree(text), text);
}

struct StyledLine {
  std::string text;
  BlockKind kind = BlockKind::kParagraph;
  uint8_t level = 0;
  BlockStyle style = {};
};

ExtractedDocument DocumentOf(const std::vector<StyledLine>& lines, std::string title = "") {
  ExtractedDocument document;
  document.title = std::move(title);
  for (const StyledLine& line : lines) {
    if (!document.text.empty()) document.text += '\n';
    const ByteOffset begin{document.text.size()};
    document.text += line.text;
    document.blocks.push_back({.kind = line.kind,
                               .level = line.level,
                               .text = {begin, ByteOffset{document.text.size()}},
                               .source = {},
                               .style = line.style});
  }
  return document;
}

std::vector<std::string> LinesOfDocument(const ExtractedDocument& document) {
  return NodeLines(MakeBodyTree(document), document.text);
}

TEST(BodyTree, NumberedHeadingsHaveTheirPlaces) {
  const std::string text =
      "前言。\n一、起因\n那年大旱。\n（一）天气\n1. 降水\n很少。\n2. 气温\n很高。\n（二）人事\n"
      "二、经过\n村里开了会。";
  EXPECT_THAT(LinesOfText(text),
              ElementsAre("-前言。", "-[一、]一、起因", "--那年大旱。", "--[（一）]（一）天气",
                          "---[1.]1. 降水", "----很少。", "---[1.]2. 气温", "----很高。",
                          "--[（一）]（二）人事", "-[一、]二、经过", "--村里开了会。"));
}

TEST(BodyTree, ChaptersCountAlone) {
  EXPECT_THAT(LinesOfText("第一章　山路\n他走了。\n又回来了。"),
              ElementsAre("-[第N章]第一章　山路", "--他走了。", "--又回来了。"));
  EXPECT_THAT(LinesOfText("第一章程已经印好。\n他走了。"),
              ElementsAre("-第一章程已经印好。", "-他走了。"));
}

TEST(BodyTree, OneNumberAloneIsNoHeading) {
  EXPECT_EQ(MakeBodyTree("3. 他走了。\n又回来了。").marks, MarkClass::kNone);
  EXPECT_EQ(MakeBodyTree("3. 他走了。\n又回来了。\n5. 完了。").marks, MarkClass::kNone);
  EXPECT_EQ(MakeBodyTree("3. 他走了。\n又回来了。\n4. 完了。").marks, MarkClass::kNumbering);
}

TEST(BodyTree, DecimalNumbersNest) {
  EXPECT_THAT(LinesOfText("1 引言\n文。\n1.1 背景\n文。\n1.2 目的\n2 方法\n2.1 数据\n文。"),
              ElementsAre("-[1.]1 引言", "--文。", "--[1.1]1.1 背景", "---文。", "--[1.1]1.2 目的",
                          "-[1.]2 方法", "--[1.1]2.1 数据", "---文。"));
}

TEST(BodyTree, NumbersGoBeforeTagsAndTagsBeforeShortParagraphs) {
  const StyledLine heading{.text = "山路", .kind = BlockKind::kHeading, .level = 2};
  const ExtractedDocument tags = DocumentOf({heading, {"他走了。"}, {"短句"}, {"又回来了。"}});
  EXPECT_EQ(MakeBodyTree(tags).marks, MarkClass::kTags);
  EXPECT_THAT(LinesOfDocument(tags),
              ElementsAre("-[h2]山路", "--他走了。", "--短句", "--又回来了。"));
  const ExtractedDocument numbers = DocumentOf({heading, {"一、甲"}, {"文。"}, {"二、乙"}});
  EXPECT_THAT(LinesOfDocument(numbers),
              ElementsAre("-山路", "-[一、]一、甲", "--文。", "-[一、]二、乙"));
}

TEST(BodyTree, ShortParagraphsAreHeadingsWithoutEndMarks) {
  const std::string twenty = "一二三四五六七八九十一二三四五六七八九十";
  EXPECT_THAT(LinesOfText("山路\n“他走了！”\n" + twenty + "人\n" + twenty + "\n他来了。"),
              ElementsAre("-[short]山路", "--“他走了！”", "--" + twenty + "人", "-[short]" + twenty,
                          "--他来了。"));
  EXPECT_THAT(LinesOfText("The old road\nHe walked for an hour."),
              ElementsAre("-[short]The old road", "--He walked for an hour."));
}

TEST(BodyTree, TagsHaveTheirOrder) {
  const auto styled = [](std::string text, BlockStyle style) {
    return StyledLine{.text = std::move(text), .style = style};
  };
  const std::string body(300, 'x');
  const ExtractedDocument document = DocumentOf({
      {.text = "h", .kind = BlockKind::kHeading, .level = 3},
      styled("b", {.is_strong = true, .size = 14}),
      styled("L", {.size = 24}),
      styled("l", {.size = 18}),
      styled("f", {.size = 14, .font = 7}),
      styled("c", {.size = 14, .color = 5}),
      styled(body, {.size = 14}),
      styled("s", {.size = 12}),
      styled("b", {.is_strong = true}),
  });
  EXPECT_THAT(LinesOfDocument(document),
              ElementsAre("-[h3]h", "--[strong]b", "---[size]L", "----[size]l", "-----[font]f",
                          "------[color]c", "-------" + body, "-------s", "--[strong]b"));
}

TEST(BodyTree, WhatAllTextHasIsNoMark) {
  const BlockStyle style{.is_strong = true, .size = 18, .font = 3, .color = 4};
  const ExtractedDocument document = DocumentOf(
      {{.text = "他走了很远的路。", .style = style}, {.text = "又回来。", .style = style}});
  EXPECT_EQ(MakeBodyTree(document).marks, MarkClass::kNone);
}

TEST(BodyTree, TheLineThatIsTheTitleIsTheRoot) {
  const ExtractedDocument document =
      DocumentOf({{"来源：本报。"},
                  {.text = "山路", .kind = BlockKind::kHeading, .level = 1},
                  {"他走了。"},
                  {"山路"}},
                 "山路");
  const BodyTree tree = MakeBodyTree(document);
  EXPECT_EQ(tree.title, "山路");
  EXPECT_EQ(tree.nodes.front().weight, kTitleWeight);
  EXPECT_EQ(tree.nodes.front().text.begin.value, std::string("来源：本报。\n").size());
  EXPECT_THAT(LinesOfDocument(document), ElementsAre("-来源：本报。", "-他走了。", "-[short]山路"));
}

TEST(BodyTree, WithoutTitleOrTextTheRootIsEmpty) {
  const BodyTree tree = MakeBodyTree("\n 　\n");
  EXPECT_EQ(MakeBodyTree("").nodes.size(), 1U);
  EXPECT_EQ(tree.marks, MarkClass::kNone);
  EXPECT_EQ(tree.nodes.front().text.size(), 0U);
}

TEST(BodyTree, LevelsAreTheDepthsOfTheLines) {
  EXPECT_EQ(BodyLevels(MakeBodyTree("一、甲\n文。\n二、乙")), "1 2 1");
  EXPECT_EQ(BodyLevels(MakeBodyTree("")), "");
  EXPECT_EQ(BodyLevels(MakeBodyTree("甲。\n题\n乙。", "题")), "1 0 1");
  EXPECT_EQ(BodyLevels(MakeBodyTree("题\n乙。", "题")), "0 1");
  EXPECT_EQ(BodyLevels(MakeBodyTree("甲。\n题", "题")), "1 0");
}

TEST(BodyTree, JsonNests) {
  const std::string text = "一、甲\n“乙”。\n二、丙";
  EXPECT_EQ(BodyTreeToJson(MakeBodyTree(text, "题"), text),
            R"({"marks":"numbering","weight":null,"mark":"title","paragraph":0,"text":"题",)"
            R"("children":[{"weight":279,"mark":"一、","paragraph":1,"text":"一、甲",)"
            R"("children":[{"weight":0,"mark":"","paragraph":2,"text":"“乙”。","children":[]}]},)"
            R"({"weight":279,"mark":"一、","paragraph":3,"text":"二、丙","children":[]}]})");
}

TEST(BodyTree, BylinesAtTheEdgesAreNoParagraphs) {
  const std::string body = "他走了很远的路，又回来了。";
  const std::vector<StyledLine> bare = {{"山路"}, {body}, {body}};
  for (const std::string byline :
       {"2024-05-01", "晨报 2024年5月1日 08:30", "2024/5/1 阅读：3021次", "来源：晨报",
        "责任编辑：小林", "作者:小周", "2024-05-01 08:30 来源：晨报 作者：小林 责任编辑：小周"}) {
    const ExtractedDocument document =
        DocumentOf({{"标题"}, {byline}, {"山路"}, {body}, {body}, {byline}}, "标题");
    EXPECT_EQ(LinesOfDocument(document), LinesOfDocument(DocumentOf(bare))) << byline;
    EXPECT_EQ(BodyLevels(MakeBodyTree(document)), "0 0 1 2 2 0") << byline;
  }
  for (const std::string line :
       {"记者：你去哪里？", "2024-05-01，他走了。", "五月一日", "编辑部的故事"}) {
    EXPECT_EQ(BodyLevels(MakeBodyTree(DocumentOf({{line}, {body}}))).front(), '1') << line;
  }
  EXPECT_EQ(BodyLevels(MakeBodyTree(DocumentOf({{"标题"}, {"标题"}, {body}}, "标题"))), "0 0 1");
  // Inside of a body they are what they look like.
  std::vector<StyledLine> days(12, {body});
  days[5] = {"2024-05-01"};
  EXPECT_EQ(BodyLevels(MakeBodyTree(DocumentOf(days))), "1 1 1 1 1 1 2 2 2 2 2 2");
  // Lines of plain texts are all paragraphs.
  EXPECT_EQ(BodyLevels(MakeBodyTree("2024-05-01\n" + body)), "1 2");
}

// --- the rules, word for word --------------------------------------------------------------------

struct LiteralNode {
  uint64_t weight = 0;
  size_t paragraph = 0;
  LiteralNode* parent = nullptr;
  std::vector<std::unique_ptr<LiteralNode>> children = {};
};

LiteralNode* AddChild(LiteralNode& parent, uint64_t weight, size_t paragraph) {
  parent.children.push_back(std::make_unique<LiteralNode>(
      LiteralNode{.weight = weight, .paragraph = paragraph, .parent = &parent}));
  return parent.children.back().get();
}

// Compares the new paragraph with one that is there, and goes on with that one's parent.
LiteralNode* Insert(LiteralNode& compared, uint64_t weight, size_t paragraph) {
  if (weight == compared.weight) return AddChild(*compared.parent, weight, paragraph);  // rule 1
  if (weight < compared.weight) return AddChild(compared, weight, paragraph);           // rule 2
  return Insert(*compared.parent, weight, paragraph);                                   // rule 3
}

void ListParents(const LiteralNode& node, std::vector<std::pair<size_t, size_t>>& parents) {
  for (const auto& child : node.children) {
    parents.emplace_back(child->paragraph, node.paragraph);
    ListParents(*child, parents);
  }
}

TEST(BodyTree, IsWhatTheRulesSay) {
  std::mt19937 random(29);
  for (int round = 0; round < 2000; ++round) {
    std::vector<StyledLine> lines;
    std::vector<uint64_t> weights;
    const size_t count = random() % 40;
    for (size_t i = 0; i < count; ++i) {
      const auto level = static_cast<uint8_t>(random() % 10);
      weights.push_back(level == 0 ? 0 : 10 - level);
      lines.push_back({.text = "他走了很远的路，又回来了。",
                       .kind = level == 0 ? BlockKind::kParagraph : BlockKind::kHeading,
                       .level = level});
    }
    LiteralNode root{.weight = UINT64_MAX};
    LiteralNode* last = &root;
    for (size_t i = 0; i < count; ++i) last = Insert(*last, weights[i], i + 1);
    std::vector<std::pair<size_t, size_t>> expected, made;
    ListParents(root, expected);
    const BodyTree tree = MakeBodyTree(DocumentOf(lines));
    for (size_t i = 1; i < tree.nodes.size(); ++i) {
      made.emplace_back(i, tree.nodes[i].parent);
      ASSERT_EQ(tree.nodes[i].depth, tree.nodes[tree.nodes[i].parent].depth + 1);
    }
    ASSERT_EQ(made, expected);
  }
}

}  // namespace
}  // namespace zhiwen
