#include "document/html/html_text.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

TEST(HtmlText, CharacterReferencesAreWhatTheStandardSays) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a &amp; b", "a & b"},
      {"a &ampb", "a &b"},  // an old name needs no semicolon
      {"&notit;", "¬it;"},  // the longest old name
      {"&notin;", "∉"},     // a longer name wins
      {"&hellip;&mdash;", "…—"},
      {"&hellip", "&hellip"},  // a name that needs its semicolon
      {"&#20013;&#x6587;", "中文"},
      {"&#20013文", "中文"},
      {"&#146;", "’"},  // Windows-1252
      {"&#x110000;a", "a"},
      {"&#xD800;a", "a"},
      {"&#0;a", "a"},
      {"&#;&#x;&;&", "&#;&#x;&;&"},
      {"&NotEqualTilde;", "≂̸"},  // two characters
      {"&lt;b&gt;", "<b>"},
      {"&#99999999999999999999;a", "a"},
  };
  for (const auto& [html, text] : cases) EXPECT_EQ(DecodeHtmlText(html), text) << html;
}

TEST(HtmlText, WhiteSpaceOfEveryKindIsOneSpace) {
  EXPECT_EQ(DecodeHtmlText(" \t\n 中 \r\n\f 文　　a\u00a0\u00a0b\u2003c &nbsp; d&#32;&#12288;e "),
            "中 文 a b c d e");
}

TEST(HtmlText, WhatHasNoWidthOrMeaningIsLeftOut) {
  EXPECT_EQ(DecodeHtmlText("\uFEFF正\u200B文\u00AD字\x01\x7F&#8203;&shy;。\u202A\u2060"),
            "正文字。");
}

TEST(HtmlText, CommonPunctuationBesideOddCharactersStays) {
  const std::string text = "“中”——a、b。《c》，ｄ £5 ½ ’";
  EXPECT_EQ(DecodeHtmlText(text), text);
}

// The same, found by another way: a byte at a time.
size_t EndOfPlainBytes(std::string_view html, size_t at) {
  const size_t begin = at;
  while (at < html.size()) {
    const HtmlByte kind = kHtmlBytes[static_cast<uint8_t>(html[at])];
    if (kind == HtmlByte::kLead) {
      const OddCharacter odd = ReadOddCharacter(html.substr(at));
      if (odd.kind != HtmlByte::kPlain) return at;
      at += odd.length;
      continue;
    }
    const bool is_inner_space = html[at] == ' ' && at > begin && at + 1 < html.size() &&
                                kHtmlBytes[static_cast<uint8_t>(html[at + 1])] == HtmlByte::kPlain;
    if (kind != HtmlByte::kPlain && !is_inner_space) return at;
    ++at;
  }
  return at;
}

TEST(HtmlText, EightBytesAtOnceStopWhereSingleBytesDo) {
  const std::vector<std::string> parts = {"a",  " ",      "b ",   "中", "。", "\u00a0",
                                          "　", "\u200b", "“",    "\n", "&",  "<",
                                          "，", "é",      "\x1f", "~",  "  "};
  uint64_t state = 7;
  for (int round = 0; round < 20000; ++round) {
    std::string html;
    for (int i = 0; i < 24; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      // Mostly letters, so that stretches are longer than eight bytes.
      const size_t part = (state >> 40) % 40;
      html += part < parts.size() ? parts[part] : "w";
    }
    for (size_t at = 0; at < html.size(); ++at) {
      if ((static_cast<uint8_t>(html[at]) & 0xC0) == 0x80) continue;
      // A space at the end belongs to a stretch where a letter may follow: both say where it ends.
      const size_t got = EndOfPlainText(html, at, html.size());
      ASSERT_EQ(got, EndOfPlainBytes(html, at)) << html << " from " << at;
    }
  }
}

}  // namespace
}  // namespace zhiwen
