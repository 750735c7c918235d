#include "pipeline/extract/draw_body_tree.h"

#include <string>

#include <gtest/gtest.h>

#include "zhiwen/display.h"

namespace zhiwen {
namespace {

TEST(DrawBodyTree, BranchesLeadToParents) {
  const std::string text = "一、甲\n子。\n（一）丑\n寅。\n（二）卯\n辰。\n二、乙\n巳\x1b。";
  EXPECT_EQ(DrawBodyTree(MakeBodyTree(text, "题"), text, 0),
            "题\n"
            "├─ 一、甲\n"
            "│  ├─ 子。\n"
            "│  ├─ （一）丑\n"
            "│  │  └─ 寅。\n"
            "│  └─ （二）卯\n"
            "│     └─ 辰。\n"
            "└─ 二、乙\n"
            "   └─ 巳␛。");
}

TEST(DrawBodyTree, LongLinesAreCut) {
  const std::string text = "一、甲\n他走了很远很远的路，又回来了。\n二、乙";
  EXPECT_EQ(DrawBodyTree(MakeBodyTree(text), text, 17), "├─ 一、甲\n│  └─ 他走了很远…\n└─ 二、乙");
  EXPECT_EQ(DisplayWidth("│  └─ 他走了很远…"), 17U);
  EXPECT_EQ(DrawBodyTree(MakeBodyTree(text), text, 2), "├─ 一、甲\n│  └─ 他走了…\n└─ 二、乙");
}

TEST(DrawBodyTree, NothingIsDrawnOfNothing) {
  EXPECT_EQ(DrawBodyTree(MakeBodyTree(""), "", 80), "");
}

}  // namespace
}  // namespace zhiwen
