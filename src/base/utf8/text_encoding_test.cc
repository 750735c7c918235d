#include "base/utf8/text_encoding.h"

#include <gtest/gtest.h>

#include <string>

namespace zhiwen {
namespace {

// The text 春眠不觉晓，处处闻啼鸟。 in GBK, written from its code table.
const std::string kGbk =
    "\xB4\xBA\xC3\xDF\xB2\xBB\xBE\xF5\xCF\xFE\xA3\xAC\xB4\xA6\xB4\xA6\xCE\xC5\xCC\xE4\xC4\xF1\xA1"
    "\xA3";

TEST(TextEncoding, TellsGb18030FromUtf8) {
  EXPECT_TRUE(LooksLikeGb18030(kGbk));
  EXPECT_TRUE(LooksLikeGb18030("{\"text\":\"" + kGbk + "\"}\n"));
  EXPECT_TRUE(LooksLikeGb18030(kGbk + "\x81\x30\x81\x30"));  // a character of four bytes
  EXPECT_FALSE(LooksLikeGb18030("春眠不觉晓，处处闻啼鸟。"));
  EXPECT_FALSE(LooksLikeGb18030("only ASCII"));
  EXPECT_FALSE(LooksLikeGb18030(""));
}

TEST(TextEncoding, Utf8WithADamagedByteIsNoGb18030) {
  std::string text = "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。";
  for (size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    damaged.erase(at, 1);
    EXPECT_FALSE(LooksLikeGb18030(damaged)) << at;
  }
  EXPECT_FALSE(LooksLikeGb18030("caf\xE9 noir"));
  EXPECT_FALSE(LooksLikeGb18030("ab\xff"));
}

TEST(TextEncoding, ACutCharacterIsNoReasonAgainstIt) {
  for (size_t length = 2; length <= kGbk.size(); ++length) {
    EXPECT_TRUE(LooksLikeGb18030(kGbk.substr(0, length))) << length;
  }
}

TEST(TextEncoding, AdviceNamesTheEncodingAndTheProgram) {
  EXPECT_NE(EncodingAdvice(kGbk).find("iconv -f GB18030"), std::string_view::npos);
  EXPECT_NE(EncodingAdvice("\xFF\xFE{").find("iconv -f UTF-16"), std::string_view::npos);
  EXPECT_NE(EncodingAdvice(kGbk).find("-f BIG5"), std::string_view::npos);
  EXPECT_EQ(EncodingAdvice("ab\xff"), "");
  for (const char* const cut : {"a\xE4\xB8", "春眠\xE4\xB8", "春\xF0\x9F\x98"}) {
    EXPECT_NE(EncodingAdvice(cut).find("ends inside a character"), std::string_view::npos) << cut;
  }
  EXPECT_EQ(EncodingAdvice("春眠\xff"), "");
}

}  // namespace
}  // namespace zhiwen
