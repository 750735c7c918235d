#include "document/html_notice.h"

#include <gtest/gtest.h>

#include <string>

namespace zhiwen {
namespace {

TEST(HtmlNotice, DocumentsAndFragmentsAreNoticed) {
  EXPECT_TRUE(LooksLikeHtml("<!DOCTYPE html><title>春晓"));
  EXPECT_TRUE(LooksLikeHtml(" \n<html lang=zh>"));
  EXPECT_TRUE(LooksLikeHtml("<p>春眠不觉晓</p>"));
  EXPECT_TRUE(LooksLikeHtml("春眠<b>不觉</b>晓"));
  EXPECT_TRUE(LooksLikeHtml("<DIV class=\"x\">春眠不觉晓，</DIV>"));
  EXPECT_TRUE(LooksLikeHtml("春眠不觉晓，<br>处处闻啼鸟。<br/>夜来风雨声，<BR />花落知多少。"));
}

TEST(HtmlNotice, TextsAreNot) {
  for (const char* const text :
       {"", "春眠不觉晓", "a < b and c > d", "<", "</", "<p", "《<春晓>》", "if (a<b>c) x</y>",
        "std::vector<int> a; std::array<std::span<char>> b;", "the tag <p> opens a paragraph",
        "<text>春眠不觉晓</text>", "<doc><title2>"}) {
    EXPECT_FALSE(LooksLikeHtml(text)) << text;
  }
  EXPECT_FALSE(LooksLikeHtml(std::string(5000, 'x') + "<p>a</p>")) << "behind what is looked at";
}

TEST(HtmlNotice, AFifthOfTheTextsIsNotable) {
  HtmlCount count;
  EXPECT_FALSE(count.is_notable());
  for (int i = 0; i < 8; ++i) count.Look("春眠不觉晓");
  count.Look("<p>春眠不觉晓</p>");
  EXPECT_FALSE(count.is_notable());
  count.Look("<p>处处闻啼鸟</p>");
  EXPECT_TRUE(count.is_notable());
  EXPECT_NE(HtmlWarning(count).find("2 of the first 10 texts look like HTML"), std::string::npos);
  EXPECT_NE(HtmlWarning(count, "reference").find("2 of the first 10 references look like HTML"),
            std::string::npos);
}

}  // namespace
}  // namespace zhiwen
