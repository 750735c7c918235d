#include "base/utf8/transcoder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace zhiwen {
namespace {

constexpr std::string_view kPoem = "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。";
constexpr std::string_view kTraditional = "春眠不覺曉，處處聞啼鳥。夜來風雨聲，花落知多少。";
constexpr TextEncoding kAll[] = {TextEncoding::kUtf8, TextEncoding::kGb18030, TextEncoding::kBig5,
                                 TextEncoding::kUtf16Le, TextEncoding::kUtf16Be};

std::string Encoded(std::string_view text, TextEncoding encoding) {
  return EncodeText(text, encoding).value();
}

TextEncoding DetectFile(std::string_view bytes) {
  return DetectTextEncoding(bytes, HeadEnd::kFile);
}

TEST(Transcoder, WhatIsEncodedIsDecodedAgain) {
  for (const TextEncoding encoding : kAll) {
    const std::string bytes = Encoded(kTraditional, encoding);
    TextDecoder decoder = TextDecoder::Create(encoding).value();
    for (int i = 0; i < 2; ++i) {
      std::string text;
      EXPECT_EQ(decoder.Decode(bytes, text), bytes.size());
      EXPECT_EQ(text, kTraditional) << TextEncodingName(encoding);
    }
    std::string nothing;
    EXPECT_EQ(decoder.Decode("", nothing), 0U);
  }
}

TEST(Transcoder, ASupersetIsReadForItsParts) {
  TextDecoder decoder = TextDecoder::Create(TextEncoding::kGb18030).value();
  std::string text;
  EXPECT_EQ(decoder.Decode("\xD6\xD0\x81\x40\x81\x30\x81\x30", text), 8U);  // GB2312, GBK, GB18030
  EXPECT_EQ(text, "中丂\xC2\x80");
  EXPECT_EQ(decoder.Decode("\xD6\xD0\x80", text), 3U);  // CP936
  EXPECT_EQ(text, "中丂\xC2\x80中€");
}

// All that CP950, the Big5 of most texts, has from A140 to F9D5, but for what is for private use.
TEST(Transcoder, EveryCharacterOfBig5IsRead) {
  TextDecoder decoder = TextDecoder::Create(TextEncoding::kBig5).value();
  size_t read = 0;
  for (int lead = 0xA1; lead <= 0xF9; ++lead) {
    for (int second = 0x40; second <= 0xFE; ++second) {
      const bool is_second = second <= 0x7E || second >= 0xA1;
      const bool is_private = lead == 0xC6 ? second >= 0xA1 : lead == 0xC7 || lead == 0xC8;
      const bool is_left_out = lead == 0xA3 && second >= 0xC0;
      if (!is_second || is_private || is_left_out || (lead == 0xF9 && second > 0xD5)) continue;
      const std::string bytes = {'a', static_cast<char>(lead), static_cast<char>(second), 'b'};
      std::string text;
      EXPECT_EQ(decoder.Decode(bytes, text), bytes.size()) << lead << ' ' << second;
      ++read;
    }
  }
  EXPECT_EQ(read, 13461U);
  std::string text;
  EXPECT_EQ(decoder.Decode("\xA1\xC3\xA4\xA4\xA2\x40\xA1", text), 6U) << "the last one is cut";
  EXPECT_EQ(text, "￣中＼");
  text.clear();
  EXPECT_EQ(decoder.Decode("\xA4\xA4\x81\x40", text), 2U) << "for private use";
  EXPECT_EQ(EncodeText("￣中", TextEncoding::kBig5).value(), "\xA1\xC3\xA4\xA4");
}

TEST(Transcoder, DecodingStopsAtTheFirstBrokenByte) {
  const auto broken_at = [](TextEncoding encoding, const std::string& bytes) {
    std::string text;
    const size_t at = TextDecoder::Create(encoding)->Decode(bytes, text);
    EXPECT_EQ(text, at > 0 ? "a" : "");
    return at;
  };
  EXPECT_EQ(broken_at(TextEncoding::kUtf8, "a\xFF"), 1U);
  EXPECT_EQ(broken_at(TextEncoding::kGb18030, "a\xFF\x40"), 1U);
  EXPECT_EQ(broken_at(TextEncoding::kGb18030, "a\xD6"), 1U) << "cut";
  EXPECT_EQ(broken_at(TextEncoding::kBig5, "a\xFF\xFF"), 1U);
  EXPECT_EQ(broken_at(TextEncoding::kUtf16Le, std::string("a\0\0\xD8"
                                                          "a\0",
                                                          6)),
            2U)
      << "half a pair";
  EXPECT_EQ(broken_at(TextEncoding::kUtf16Be, std::string("\0a\0", 3)), 2U) << "half a unit";
}

TEST(Transcoder, ACharacterThatAnEncodingLacksIsAnError) {
  EXPECT_EQ(EncodeText("来", TextEncoding::kGb18030).value(), "\xC0\xB4");
  EXPECT_FALSE(EncodeText("발", TextEncoding::kBig5).has_value());
}

TEST(Transcoder, TheRestOfATextKeepsItsBytes) {
  for (const TextEncoding encoding : kAll) {
    const std::string bytes = Encoded(kTraditional, encoding);
    EXPECT_EQ(EncodeRest(bytes, encoding, "春不曉處處鳥。花落知多少。").value(),
              Encoded("春不曉處處鳥。花落知多少。", encoding));
    EXPECT_EQ(EncodeRest(bytes, encoding, kTraditional).value(), bytes);
    EXPECT_EQ(EncodeRest(bytes, encoding, "").value(), "");
    EXPECT_FALSE(EncodeRest(bytes, encoding, "春春").has_value());
  }
  // Two codes of one character, and one that HKSCS lacks.
  const std::string big5 = "a\xA2\xA4\xA4\xA4\xA1\xC3z";
  std::string text;
  ASSERT_EQ(TextDecoder::Create(TextEncoding::kBig5)->Decode(big5, text), big5.size());
  std::string rest = text;
  rest.erase(rest.find("中"), 3);
  EXPECT_EQ(EncodeRest(big5, TextEncoding::kBig5, rest).value(), "a\xA2\xA4\xA1\xC3z");
  EXPECT_EQ(EncodeRest("\x81\x30\x81\x30\xD6\xD0", TextEncoding::kGb18030, "中").value(),
            "\xD6\xD0");
}

TEST(Transcoder, NamesAreTakenInAnyCase) {
  EXPECT_EQ(ParseTextEncoding("auto").value(), std::nullopt);
  EXPECT_EQ(ParseTextEncoding("GBK").value(), TextEncoding::kGb18030);
  EXPECT_EQ(ParseTextEncoding("Utf-16LE").value(), TextEncoding::kUtf16Le);
  for (const TextEncoding encoding : kAll) {
    EXPECT_EQ(ParseTextEncoding(TextEncodingName(encoding)).value(), encoding);
  }
  EXPECT_FALSE(ParseTextEncoding("latin1").has_value());
  EXPECT_FALSE(ParseTextEncoding("").has_value());
}

TEST(Transcoder, UnitsOfUtf16AreTheirAsciiCharacters) {
  std::string units;
  ProjectUtf16(Encoded("a,春\n", TextEncoding::kUtf16Le), TextEncoding::kUtf16Le, units);
  EXPECT_EQ(units, "a,\x80\n");
  ProjectUtf16(Encoded("\"ĊĀ", TextEncoding::kUtf16Be) + "x", TextEncoding::kUtf16Be, units);
  EXPECT_EQ(units, "\"\x80\x80\x80") << "U+010A is no line end";
}

TEST(DetectTextEncoding, AMarkDecides) {
  EXPECT_EQ(DetectFile("\xEF\xBB\xBF\xD6\xD0"), TextEncoding::kUtf8);
  EXPECT_EQ(DetectFile("\xFF\xFE"), TextEncoding::kUtf16Le);
  EXPECT_EQ(DetectFile("\xFE\xFF"
                       "ab"),
            TextEncoding::kUtf16Be);
}

TEST(DetectTextEncoding, KnowsShortTextsAndEveryBeginningOfThem) {
  for (const std::string_view text : {kPoem, kTraditional, std::string_view("张三，你好"),
                                      std::string_view("{\"text\":\"我们的\"}\n")}) {
    const std::string gb18030 = Encoded(text, TextEncoding::kGb18030);
    EXPECT_EQ(DetectFile(gb18030), TextEncoding::kGb18030) << text;
    EXPECT_EQ(DetectFile(text), TextEncoding::kUtf8) << text;
    for (size_t length = 16; length < gb18030.size(); ++length) {
      EXPECT_EQ(DetectTextEncoding(gb18030.substr(0, length), HeadEnd::kCut),
                TextEncoding::kGb18030)
          << text << length;
    }
  }
  const std::string big5 = Encoded(kTraditional, TextEncoding::kBig5);
  for (size_t length = 16; length <= big5.size(); ++length) {
    EXPECT_EQ(DetectTextEncoding(big5.substr(0, length), HeadEnd::kCut), TextEncoding::kBig5)
        << length;
  }
  for (const TextEncoding wide : {TextEncoding::kUtf16Le, TextEncoding::kUtf16Be}) {
    EXPECT_EQ(DetectFile(Encoded("{\"text\":\"" + std::string(kPoem) + "\"}\n", wide)), wide)
        << "without a mark";
  }
  EXPECT_EQ(DetectFile("\xD3\xA2\xB2\xDC"), TextEncoding::kGb18030) << "common, not frequent";
}

TEST(DetectTextEncoding, AFewWrongBytesLeaveUtf8) {
  const std::string poem(kPoem);
  EXPECT_EQ(DetectFile(poem + "\xFF\xFE\xD6\xD0"), TextEncoding::kUtf8);
  EXPECT_EQ(DetectFile("plain\xFFtext"), TextEncoding::kUtf8);
  EXPECT_EQ(DetectFile("caf\xE9 au lait, d\xE9j\xE0 vu"), TextEncoding::kUtf8) << "Latin-1";
  EXPECT_EQ(DetectFile("\x93quoted\x94 by \x93windows\x94"), TextEncoding::kUtf8);
  EXPECT_EQ(DetectFile("\x83\x65\x83\x4C\x83\x58\x83\x67\x82\xC5\x82\xB7"), TextEncoding::kUtf8)
      << "Shift JIS";
  EXPECT_EQ(DetectFile(std::string("\x7f"
                                   "ELF\2\1\1\xFF\xFE\0",
                                   10)),
            TextEncoding::kUtf8)
      << "a program";
  EXPECT_EQ(DetectFile(""), TextEncoding::kUtf8);
  EXPECT_EQ(DetectTextEncoding(poem.substr(0, poem.size() - 1), HeadEnd::kCut),
            TextEncoding::kUtf8);
}

// "서울시는 올해 하반기부터 시내버스 노선을 전면 개편한다고 밝혔다." in EUC-KR.
const std::string kKorean =
    "\xBC\xAD\xBF\xEF\xBD\xC3\xB4\xC2 \xBF\xC3\xC7\xD8 \xC7\xCF\xB9\xDD\xB1\xE2\xBA\xCE\xC5\xCD "
    "\xBD\xC3\xB3\xBB\xB9\xF6\xBD\xBA \xB3\xEB\xBC\xB1\xC0\xBB \xC0\xFC\xB8\xE9 \xB0\xB3\xC6\xED"
    "\xC7\xD1\xB4\xD9\xB0\xED \xB9\xE0\xC7\xFB\xB4\xD9.";
// "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。" in EUC-JP.
const std::string kJapanese =
    "\xB8\xE3\xC7\xDA\xA4\xCF\xC7\xAD\xA4\xC7\xA4\xA2\xA4\xEB\xA1\xA3\xCC\xBE\xC1\xB0\xA4\xCF\xA4"
    "\xDE\xA4\xC0\xCC\xB5\xA4\xA4\xA1\xA3\xA4\xC9\xA4\xB3\xA4\xC7\xC0\xB8\xA4\xEC\xA4\xBF\xA4\xAB"
    "\xA4\xC8\xA4\xF3\xA4\xC8\xB8\xAB\xC5\xF6\xA4\xAC\xA4\xC4\xA4\xAB\xA4\xCC\xA1\xA3";

TEST(DetectTextEncoding, KoreanAndJapaneseAreNotTakenForChinese) {
  for (const std::string& text : {kKorean, kJapanese}) {
    const std::string record = "{\"text\":\"" + text + "\"}\n";
    for (const HeadEnd end : {HeadEnd::kFile, HeadEnd::kCut}) {
      EXPECT_EQ(DetectTextEncoding(text, end), TextEncoding::kUtf8) << "not clear";
      EXPECT_EQ(DetectTextEncoding(record + record, end), TextEncoding::kUtf8) << "not clear";
    }
    // What is asked for is done.
    EXPECT_EQ(ChooseTextEncoding(text, HeadEnd::kFile, TextEncoding::kGb18030),
              TextEncoding::kGb18030);
    const std::string chinese = Encoded(kPoem, TextEncoding::kGb18030);
    EXPECT_EQ(DetectFile(chinese + chinese + text.substr(0, 12)), TextEncoding::kGb18030)
        << "a few such characters among Chinese";
  }
}

TEST(DetectTextEncoding, AFewWrongBytesLeaveGb18030) {
  std::string many;
  for (int i = 0; i < 20; ++i) many += Encoded(kPoem, TextEncoding::kGb18030) + "\n";
  EXPECT_EQ(DetectFile(many + "\xFF\xFF\n"), TextEncoding::kGb18030);
}

}  // namespace
}  // namespace zhiwen
