#include "pipeline/run_report/html_text.h"

#include <gtest/gtest.h>

#include <string>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

std::string Html(std::string_view text) {
  std::string out;
  AppendHtmlText(out, text);
  return out;
}

TEST(HtmlText, MarkupIsShown) {
  EXPECT_EQ(Html("<script>alert(1)</script>"), "&lt;script&gt;alert(1)&lt;/script&gt;");
  EXPECT_EQ(Html("a&amp;\"'>"), "a&amp;amp;&quot;&#39;&gt;");
  EXPECT_EQ(Html("春眠不觉晓，\n\t处处"), "春眠不觉晓，\n\t处处");
}

TEST(HtmlText, ControlCharactersAreNamed) {
  EXPECT_EQ(Html(std::string_view("\0", 1)), "<span class=\"c\">NUL</span>");
  EXPECT_EQ(Html("\x1b\x7f\r"),
            "<span class=\"c\">ESC</span><span class=\"c\">DEL</span>"
            "<span class=\"c\">CR</span>");
  EXPECT_EQ(Html("\u0085"), "<span class=\"c\">U+0085</span>");
}

TEST(HtmlText, BidirectionalControlsAndSeparatorsAreNamed) {
  for (const auto& [text, name] :
       std::initializer_list<std::pair<const char*, const char*>>{{"\u202e", "U+202E"},
                                                                  {"\u2066", "U+2066"},
                                                                  {"\u200f", "U+200F"},
                                                                  {"\u061c", "U+061C"},
                                                                  {"\u2028", "U+2028"}}) {
    EXPECT_EQ(Html(text), std::string("<span class=\"c\">") + name + "</span>");
  }
}

TEST(HtmlText, InvisibleCharactersAreMarkedButNotThoseOfEmojiAndPersian) {
  for (const char* invisible : {"\u200b", "\u00ad", "\ufeff", "\u2060", "\U000E0041"}) {
    EXPECT_EQ(Html(invisible), "<span class=\"z\">┊</span>");
  }
  for (const char* needed : {"\u200c", "👨\u200d👩", "❤\ufe0f"}) EXPECT_EQ(Html(needed), needed);
}

TEST(HtmlText, WhateverTheBytesTheResultIsUtf8WithoutMarkupOfTheText) {
  std::string every;
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) every += {static_cast<char>(a), static_cast<char>(b)};
  }
  std::string html = Html(every);
  EXPECT_EQ(FindInvalidUtf8(html), html.size());
  const std::string own[] = {"<span class=\"c\">", "<span class=\"z\">", "</span>"};
  for (const std::string& markup : own) {
    for (size_t at = html.find(markup); at != std::string::npos; at = html.find(markup, at)) {
      html.erase(at, markup.size());
    }
  }
  EXPECT_EQ(html.find_first_of("<>\"'"), std::string::npos);
}

TEST(HtmlLabel, IsOneIsolatedLineOfBoundedLength) {
  EXPECT_EQ(HtmlLabel("a\nb"), "<bdi>a<span class=\"c\">↵</span>b</bdi>");
  EXPECT_EQ(HtmlLabel("指纹指纹", 3), "<bdi>指纹指…</bdi>");
  EXPECT_EQ(HtmlLabel("</bdi><b>"), "<bdi>&lt;/bdi&gt;&lt;b&gt;</bdi>");
  EXPECT_LT(HtmlLabel(std::string(1 << 20, '\0')).size(), 6000U);
}

TEST(LanguageOf, GoesByScript) {
  EXPECT_EQ(LanguageOf("春眠不觉晓"), "zh");
  EXPECT_EQ(LanguageOf("春のうみ"), "ja");
  EXPECT_EQ(LanguageOf("한국"), "ko");
  EXPECT_EQ(LanguageOf("plain"), "");
}

}  // namespace
}  // namespace zhiwen
