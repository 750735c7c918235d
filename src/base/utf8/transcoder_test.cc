#include "base/utf8/transcoder.h"

#include "base/utf8/encoding_bits.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

constexpr std::string_view kPoem = "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。";
constexpr std::string_view kTraditional = "春眠不覺曉，處處聞啼鳥。夜來風雨聲，花落知多少。";
constexpr TextEncoding kAll[] = {TextEncoding::kUtf8,    TextEncoding::kGb18030,
                                 TextEncoding::kBig5,    TextEncoding::kUtf16Le,
                                 TextEncoding::kUtf16Be, TextEncoding::kEucTw};

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

TEST(Transcoder, JapaneseAndKoreanAreReadAsWindowsHasThem) {
  const auto decoded = [](std::string_view bytes, TextEncoding encoding) {
    std::string text;
    const size_t read = TextDecoder::Create(encoding)->Decode(bytes, text);
    return text + (read == bytes.size() ? "" : "?");
  };
  // A backslash, katakana of one byte, a number in a circle, a second byte that is a backslash.
  EXPECT_EQ(decoded("\\\xB1\xDD\x87\x40\x95\x5C", TextEncoding::kShiftJis), "\\ｱﾝ①表");
  EXPECT_EQ(decoded("\x8E\xB1\xAD\xA1\xC9\xBD\x8F\xB0\xA1", TextEncoding::kEucJp), "ｱ①表丂");
  // One character for the dash of both, as on Windows.
  EXPECT_EQ(decoded("\x81\x60", TextEncoding::kShiftJis), "～");
  EXPECT_EQ(decoded("\xA1\xC1", TextEncoding::kEucJp), "～");
  EXPECT_EQ(decoded("\xB0\xA1\x81\x41", TextEncoding::kEucKr), "가갂");
  EXPECT_EQ(decoded("\xA4\xA1\x8E\xA2\xA1\xAF", TextEncoding::kEucTw), "０与");
  EXPECT_EQ(decoded("caf\xE9 \x93\x80\x94", TextEncoding::kWindows1252), "café “€”");
  EXPECT_EQ(decoded("a\x81", TextEncoding::kWindows1252), "a?") << "no character";
}

TEST(Transcoder, OtherAlphabetsOfSingleBytesHaveNames) {
  for (const char* const name : {"koi8-r", "KOI8-R"}) {
    std::string text;
    EXPECT_EQ(TextDecoder::CreateAlphabet(name)->Decode("\xCD\xC9\xD2", text), 3U);
    EXPECT_EQ(text, "мир");
  }
  EXPECT_TRUE(TextDecoder::KnowsAlphabet("Windows-1251"));
  EXPECT_FALSE(TextDecoder::KnowsAlphabet("windows-1252")) << "a TextEncoding";
  EXPECT_FALSE(TextDecoder::KnowsAlphabet("../../etc/passwd"));
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
  for (int i = 0; i <= static_cast<int>(TextEncoding::kWindows1252); ++i) {
    const auto encoding = static_cast<TextEncoding>(i);
    EXPECT_EQ(ParseTextEncoding(TextEncodingName(encoding)).value(), encoding);
  }
  EXPECT_EQ(ParseTextEncoding("Shift-JIS").value(), TextEncoding::kShiftJis);
  EXPECT_EQ(ParseTextEncoding("cp949").value(), TextEncoding::kEucKr);
  EXPECT_EQ(ParseTextEncoding("ISO-8859-1").value(), TextEncoding::kWindows1252);
  EXPECT_FALSE(ParseTextEncoding("koi8-r").has_value());
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

TEST(DetectTextEncoding, KoreanAndJapaneseAreRecognised) {
  const std::pair<std::string, TextEncoding> cases[] = {
      {kKorean, TextEncoding::kEucKr},
      {kJapanese, TextEncoding::kEucJp},
      {Encoded("吾輩は猫である。名前はまだ無い。", TextEncoding::kShiftJis),
       TextEncoding::kShiftJis},
      {Encoded("ソフトウェアの一覧表を表示する", TextEncoding::kShiftJis), TextEncoding::kShiftJis},
      {Encoded("春眠不覺曉，處處聞啼鳥，夜來風雨聲，我們在這裡。", TextEncoding::kEucTw),
       TextEncoding::kEucTw}};
  for (const auto& [text, encoding] : cases) {
    const std::string record = "{\"text\":\"" + text + "\"}\n";
    for (const HeadEnd end : {HeadEnd::kFile, HeadEnd::kCut}) {
      EXPECT_EQ(DetectTextEncoding(text, end), encoding) << TextEncodingName(encoding);
      EXPECT_EQ(DetectTextEncoding(record + record, end), encoding) << TextEncodingName(encoding);
    }
    // What is asked for is done.
    EXPECT_EQ(ChooseTextEncoding(text, HeadEnd::kFile, TextEncoding::kGb18030),
              TextEncoding::kGb18030);
    const std::string chinese = Encoded(kPoem, TextEncoding::kGb18030);
    EXPECT_EQ(DetectFile(chinese + chinese + text.substr(0, 12)), TextEncoding::kGb18030)
        << "a few such characters among Chinese";
  }
}

TEST(DetectTextEncoding, TextOfAsciiIsRecognisedInUtf16) {
  for (const TextEncoding wide : {TextEncoding::kUtf16Le, TextEncoding::kUtf16Be}) {
    EXPECT_EQ(DetectFile(Encoded("{\"text\":\"plain\"}\n", wide)), wide);
    EXPECT_EQ(DetectFile(Encoded("Съешь ещё этих мягких французских булок", wide)), wide);
  }
  EXPECT_EQ(DetectFile(std::string("plain text\0with a byte of value 0", 33)), TextEncoding::kUtf8);
  EXPECT_EQ(DetectFile(std::string(4096, '\0')), TextEncoding::kUtf8);
}

TEST(DetectTextEncoding, OtherAlphabetsAreNotTakenForChinese) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"\xF3\xDF\xC5\xDB\xD8 \xC5\xDD\xA3 \xDC\xD4\xC9\xC8 \xCD\xD1\xC7\xCB\xC9\xC8 "
       "\xC6\xD2\xC1\xCE\xC3\xD5\xDA\xD3\xCB\xC9\xC8 \xC2\xD5\xCC\xCF\xCB, \xC4\xC1 "
       "\xD7\xD9\xD0\xC5\xCA \xD6\xC5 \xDE\xC1\xC0",
       "Cyrillic in KOI8-R"},
      {"\xD1\xFA\xE5\xF8\xFC \xE5\xF9\xB8 \xFD\xF2\xE8\xF5 \xEC\xFF\xE3\xEA\xE8\xF5 "
       "\xF4\xF0\xE0\xED\xF6\xF3\xE7\xF1\xEA\xE8\xF5 \xE1\xF3\xEB\xEE\xEA",
       "Cyrillic in Windows-1251"},
      {"Za\xBF\xF3\xB3\xE6 g\xEA\xB6l\xB1 ja\xBC\xF1", "Polish in ISO 8859-2"},
      {"gr\xFC\xDF Gott, gro\xDF\xE4ugige M\xFCller", "German in Windows-1252"}};
  for (const auto& [bytes, what] : cases) EXPECT_EQ(DetectFile(bytes), TextEncoding::kUtf8) << what;
}

TEST(DetectTextEncoding, AUtf8TextThatIsCutInACharacterIsUtf8) {
  EXPECT_EQ(DetectFile("plain text, \xE2\x80"), TextEncoding::kUtf8);
  EXPECT_EQ(DetectFile(std::string(kPoem) + "\xE4\xB8"), TextEncoding::kUtf8);
  // Bytes of GB18030 that are UTF-8 in part.
  EXPECT_EQ(DetectFile(Encoded("系统边界将文件", TextEncoding::kGb18030)), TextEncoding::kGb18030);
}

TEST(DetectDocumentEncoding, ADeclarationIsOverruledOnlyByManyCharacters) {
  const std::string big5 = Encoded(kTraditional, TextEncoding::kBig5);
  const std::string words = Encoded("我們在這裡", TextEncoding::kBig5);
  EXPECT_EQ(DetectDocumentEncoding(words, TextEncoding::kGb18030), TextEncoding::kGb18030);
  EXPECT_EQ(DetectDocumentEncoding(big5 + big5, TextEncoding::kGb18030), TextEncoding::kBig5);
  EXPECT_EQ(DetectDocumentEncoding("caf\xE9", TextEncoding::kGb18030), TextEncoding::kGb18030);
  EXPECT_EQ(DetectDocumentEncoding(kJapanese, TextEncoding::kEucJp), TextEncoding::kEucJp);
}

TEST(DetectDocumentEncoding, LatinIsFoundInDocuments) {
  EXPECT_EQ(DetectDocumentEncoding("caf\xE9 au lait, d\xE9j\xE0 vu", {}),
            TextEncoding::kWindows1252);
  EXPECT_EQ(DetectDocumentEncoding("don\x92t", {}), TextEncoding::kWindows1252);
  EXPECT_EQ(DetectDocumentEncoding(std::string(100, '\xFF'), {}), TextEncoding::kUtf8);
}

TEST(DetectTextEncoding, AFewWrongBytesLeaveGb18030) {
  std::string many;
  for (int i = 0; i < 20; ++i) many += Encoded(kPoem, TextEncoding::kGb18030) + "\n";
  EXPECT_EQ(DetectFile(many + "\xFF\xFF\n"), TextEncoding::kGb18030);
}

// Minutes, if time were quadratic.
TEST(DetectTextEncoding, ManyWrongBytesTakeNoMoreTime) {
  std::string bytes;
  while (bytes.size() < size_t{4} << 20) bytes += "\xE4\xB8\xFF\x80x";
  EXPECT_EQ(DetectFile(bytes), TextEncoding::kUtf8);
}

TEST(EncodingBits, FrequentCharactersTakeFewBitsInEveryEncoding) {
  const std::pair<TextEncoding, std::string_view> cases[] = {
      {TextEncoding::kGb18030, "的这這"}, {TextEncoding::kBig5, "的這們"},
      {TextEncoding::kEucTw, "的這們"},   {TextEncoding::kEucKr, "이다는"},
      {TextEncoding::kEucJp, "、。の"},   {TextEncoding::kShiftJis, "、。の"},
      {TextEncoding::kUtf16Le, "的这這"}, {TextEncoding::kUtf8, "的这這"}};
  for (const auto& [encoding, text] : cases) {
    EXPECT_LE(CountBits(Encoded(text, encoding), HeadEnd::kFile, encoding, UINT64_MAX), 27U)
        << TextEncodingName(encoding);
  }
  const std::string rare = Encoded("囍鱻龘", TextEncoding::kGb18030);
  EXPECT_GT(CountBits(rare, HeadEnd::kFile, TextEncoding::kGb18030, UINT64_MAX), 48U);
  EXPECT_EQ(CountBits("\xD6", HeadEnd::kCut, TextEncoding::kGb18030, UINT64_MAX), 0U) << "cut";
}

}  // namespace
}  // namespace zhiwen
