// The folded channel against its definition: examples, an independent oracle made of ICU, every
// code point, and random mixtures of the dangerous ones.

#include "text/fold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "support/published_vectors.h"
#include "text/explain.h"
#include "text/fold_oracle_test_support.h"
#include "text/fold_variants.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Symbols = std::vector<uint32_t>;

Symbols Fold(std::string_view text, FoldedVersion version = kNewestFolded) {
  Symbols symbols;
  FoldInto(text, symbols, version);
  return symbols;
}

uint32_t Word(std::string_view letters) {
  return HashUnitByDefinition(Symbols(letters.begin(), letters.end()));
}

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[static_cast<uint8_t>(byte) >> 4];
    hex += kDigits[static_cast<uint8_t>(byte) & 15];
  }
  return hex;
}

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  uint32_t operator()() { return static_cast<uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

// Expects the fast form, the explaining form and the oracle to agree in a version.
void ExpectAgreement(std::string_view text, FoldedVersion version) {
  Symbols fast;
  FoldInto(text, fast, version);
  ASSERT_EQ(fast, ExplainFolded(text, FoldTableOf(version)).symbols) << Hex(text);
  std::vector<uint32_t> alone;
  const Channel& channel = version == FoldedVersion::kV1   ? FoldedV1Channel()
                           : version == FoldedVersion::kV2 ? FoldedV2Channel()
                                                           : FoldedChannel();
  channel.view().ExplainInto(text, alone);
  ASSERT_EQ(fast, alone) << Hex(text);
  ASSERT_EQ(fast, FoldByIcu(text, version)) << Hex(text);
}

// The same in the newest version, and of every sixteenth text in the versions before, which differ
// by few records only.
void ExpectAllAgree(std::string_view text) {
  static int texts = 0;
  ExpectAgreement(text, FoldedVersion::kV3);
  if (++texts % 16 == 0) ExpectAgreement(text, FoldedVersion::kV1);
  if (texts % 16 == 8) ExpectAgreement(text, FoldedVersion::kV2);
}

TEST(FoldTest, ATraditionalCharacterIsItsSimplifiedOne) {
  EXPECT_EQ(Fold("國語辭典"), Fold("国语辞典"));
  EXPECT_THAT(Fold("國"), ElementsAre(U'国'));
}

TEST(FoldTest, WidthAndCaseAndCompatibilityFormsAreTheSame) {
  EXPECT_THAT(Fold("Ａ"), ElementsAre(U'a'));
  EXPECT_EQ(Fold("ＡＢＣ中"), Fold("abc中"));
  EXPECT_THAT(Fold("ＡＢＣ中"), ElementsAre(Word("abc"), U'中'));
  EXPECT_EQ(Fold("ﾊﾟ"), Fold("パ"));
  EXPECT_EQ(Fold("e\u0301"), Fold("é"));
  EXPECT_THAT(Fold("①"), ElementsAre(U'1'));
  EXPECT_EQ(Fold("㍿"), Fold("株式会社"));
  EXPECT_THAT(Fold("㍿"), SizeIs(4));
  EXPECT_EQ(Fold("ﬁne STRASSE"), Fold("FINE straße"));
}

TEST(FoldTest, APunctuationMarkSeparatesAndIsDropped) {
  EXPECT_THAT(Fold("don't"), ElementsAre(Word("don"), U't'));
  EXPECT_THAT(Fold("a.b"), ElementsAre(U'a', U'b'));
  EXPECT_THAT(Fold("第1章"), ElementsAre(U'第', U'1', U'章'));
  EXPECT_EQ(Fold("你好，世界。\r\n"), Fold("你好世界"));
  EXPECT_THAT(Fold(" \t\r\n　，。…¨"), IsEmpty());
}

TEST(FoldTest, ASymbolIsAUnit) {
  EXPECT_THAT(Fold("C++"), ElementsAre(U'c', U'+', U'+'));
  EXPECT_THAT(Fold("👩‍👩‍👧"), SizeIs(1));
  EXPECT_THAT(Fold("🇨🇳"), SizeIs(1));
  EXPECT_THAT(Fold("🇨🇳🇯🇵"), SizeIs(2));
  EXPECT_THAT(Fold("👍🏽"), SizeIs(1));
  EXPECT_EQ(Fold("❤️"), Fold("❤"));
}

TEST(FoldTest, APointOrCommaBetweenDigitsStays) {
  EXPECT_THAT(Fold("3.14"), ElementsAre(Word("3.14")));
  EXPECT_THAT(Fold("1,000"), ElementsAre(Word("1,000")));
  EXPECT_THAT(Fold("1,000,000.5"), ElementsAre(Word("1,000,000.5")));
  EXPECT_EQ(Fold("３．１４"), Fold("3.14"));
  EXPECT_EQ(Fold("3\u200b.\u200b14"), Fold("3.14"));
  EXPECT_THAT(Fold("3..14"), ElementsAre(U'3', Word("14")));
  EXPECT_THAT(Fold("3. 14."), ElementsAre(U'3', Word("14")));
  EXPECT_THAT(Fold("v1.x2,3"), ElementsAre(Word("v1"), Word("x2,3")));
  EXPECT_THAT(Fold("12，国"), ElementsAre(Word("12"), U'国'));
  EXPECT_EQ(Fold("1234567.89012345"), Symbols{Word("1234567.89012345")});
  EXPECT_EQ(Fold("12345678.9"), Symbols{Word("12345678.9")});
}

TEST(FoldTest, InvisibleCharactersChangeNothing) {
  const std::string clean = "人工智能word系统";
  for (const char* invisible : {"\u200b", "\u200d", "\ufeff", "\u00ad", "\u2060", "\ufe0f"}) {
    std::string dirty;
    for (const uint32_t c : DecodeByIcu(clean)) dirty += Utf8(Symbols{c}) + invisible;
    EXPECT_EQ(Fold(dirty), Fold(clean));
  }
}

TEST(FoldTest, HangulIsTheSameComposedAndNot) {
  EXPECT_THAT(Fold("한국어"), ElementsAre(U'한', U'국', U'어'));
  EXPECT_EQ(Fold("\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165"), Fold("한국어"));
}

TEST(FoldTest, SouthEastAsianTextIsFoldedByClusters) {
  EXPECT_THAT(Fold("สวัสดี"), SizeIs(4));
  EXPECT_THAT(Fold("မြန်မာ"), SizeIs(ClusterEndsByIcu(DecodeByIcu("မြန်မာ")).size()));
}

TEST(FoldTest, AnEnglishTextHasOneSymbolAWord) {
  EXPECT_THAT(Fold("The quick brown fox jumps over the internationalization of 12345678 words"),
              ElementsAre(Word("the"), Word("quick"), Word("brown"), Word("fox"), Word("jumps"),
                          Word("over"), Word("the"), Word("internationalization"), Word("of"),
                          Word("12345678"), Word("words")));
}

TEST(FoldTest, AWordOfAnyLengthHashesLikeTheDefinition) {
  for (size_t length = 2; length < 80; ++length) {
    std::string word;
    for (size_t i = 0; i < length; ++i) word += static_cast<char>('a' + i % 26);
    EXPECT_THAT(Fold(word), ElementsAre(Word(word)));
    EXPECT_THAT(Fold(word + " " + word), ElementsAre(Word(word), Word(word)));
    for (size_t cut = 0; cut <= length; ++cut) {
      EXPECT_THAT(Fold(word.substr(0, cut) + "\u200b" + word.substr(cut)), ElementsAre(Word(word)));
    }
  }
}

void ExpectPublishedSymbols(const Channel& channel, const std::string& block, size_t least) {
  const auto vectors = PublishedVectors("channels.md", block);
  ASSERT_GE(vectors.size(), least) << block;
  for (const auto& [input, output] : vectors) {
    Symbols expected, symbols;
    std::istringstream words(output);
    for (uint32_t symbol = 0; words >> std::hex >> symbol;) expected.push_back(symbol);
    channel.view().ComputeInto(Unescape(input), symbols);
    EXPECT_EQ(symbols, expected) << input;
    EXPECT_EQ(channel.view().Explain(Unescape(input)).symbols, expected) << input;
  }
}

TEST(FoldTest, GivesThePublishedSymbols) {
  ExpectPublishedSymbols(FoldedV1Channel(), "", 20);
  ExpectPublishedSymbols(FoldedV2Channel(), "folded.v2", 8);
  ExpectPublishedSymbols(FoldedChannel(), "folded.v3", 20);
  ExpectPublishedSymbols(*OpenChannel("loose"), "loose.v1", 8);
}

TEST(FoldTest, AppendsToWhatIsThere) {
  Symbols symbols = {7};
  FoldInto("国", symbols);
  EXPECT_THAT(symbols, ElementsAre(7, U'国'));
}

// One in `every` Han character, hangul syllable and private character, one in 64 unassigned ones,
// and all others.
Symbols CodePointsToTest(uint32_t every) {
  Random random(1);
  Symbols code_points;
  for (uint32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    const bool is_unassigned = (c >= 0x32000 && c < 0xE0000) || c >= 0xE0400;
    const bool is_plain =
        (c >= 0x3400 && c < 0xA000) || (c >= 0xAC00 && c < 0xF900) || (c >= 0x20000 && c < 0x32000);
    if (random() % (is_unassigned ? 64 : is_plain ? every : 1) == 0) code_points.push_back(c);
  }
  return code_points;
}

TEST(FoldTest, SlowEveryCodePointFoldsLikeTheOracle) {
  for (const uint32_t c : CodePointsToTest(1)) {
    ASSERT_NO_FATAL_FAILURE(ExpectAllAgree(Utf8(Symbols{c})));
  }
  for (size_t i = 0; i < kFoldVariantsSize; ++i) {
    const uint32_t c = kFoldVariants[i].code_point;
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(Utf8(Symbols{c}), FoldedVersion::kV1));
  }
}

TEST(FoldTest, AVariantAndALookAlikeLetterAreTheCommonOne) {
  EXPECT_EQ(Fold("著名的幹部說乾淨，羣眾裏面"), Fold("着名的干部说干净，群众里面"));
  EXPECT_EQ(Fold("圖書館の桜、駅"), Fold("图书馆の樱、驿"));
  EXPECT_EQ(Fold("⻢⾺"), Fold("马马"));
  EXPECT_EQ(Fold("РауРаl ΒΑΝΚ ӏоѡ Ёё"), Fold("PayPal BANK loѡ Ëë"));
  EXPECT_NE(Fold("5 µm"), Fold("5 mm"));
  EXPECT_EQ(Fold("❶➀➊⓵⓿🄌🄋 ⓫❿➉➓⓾⓴中"), Fold("1111000 111010101020中"));
  EXPECT_EQ(Fold("❿\u0301"), Fold("10\u0301"));
  EXPECT_NE(Fold("联想"), Fold("连想"));  // two words of Chinese, one of Japanese
}

TEST(FoldTest, FoldingWhatWasFoldedChangesNothing) {
  const FoldTable table = FoldedV2Table();
  for (uint32_t c = 0; c < 0x110000; ++c) {
    const FoldRecord record = table.LookUp(c);
    if (record.last_change() != LastChange::kVersion) continue;
    const uint32_t target = record.Map(c);
    const bool expands = record.fold_class() == FoldClass::kExpansion;
    for (const uint32_t mapped : expands ? record.expansion() : std::span(&target, 1)) {
      ASSERT_TRUE(table.LookUp(mapped).is_unchanged()) << std::hex << c;
      ASSERT_TRUE(LookUpFold(mapped).is_unchanged()) << std::hex << c;
    }
  }
}

TEST(FoldTest, SlowEveryCodePointBetweenOthersFoldsLikeTheOracle) {
  for (const uint32_t c : CodePointsToTest(16)) {
    const Symbols text = {'1', c, '2', U'中', c, U'文', c, c, 'x', ' ', c, '+', c, '.', c, '5'};
    ASSERT_NO_FATAL_FAILURE(ExpectAllAgree(Utf8(text)));
  }
}

TEST(FoldTest, SlowEveryCodePointWithAMarkFoldsLikeTheOracle) {
  constexpr uint32_t kMarks[] = {0x301, 0x323, 0x345, 0x3099, 0x338, 0xFE0F, 0x200D, 0xE33, 0x11A8};
  for (const uint32_t c : CodePointsToTest(16)) {
    for (const uint32_t mark : kMarks) {
      ASSERT_NO_FATAL_FAILURE(ExpectAllAgree(Utf8(Symbols{c, mark})));
    }
  }
}

// Characters in which something special happens, and plain ones among them.
const std::vector<uint32_t>& DangerousCodePoints() {
  static const std::vector<uint32_t> code_points = {
      'a', 'Z', '0', '9', '.', ',', ' ', '\n', '\r', '\'', '+', '#', '*', 0xE9, 0xDF, 0xBD, 0xA8,
      0x130, 0x131, 0x149, 0x1F0, 0x17F, 0x345, 0x300, 0x301, 0x308, 0x323, 0x327, 0x34F, 0x391,
      0x3B9, 0x3C2, 0x5D0, 0x5B0, 0x600, 0x660, 0x661, 0x66B, 0x6DD, 0x915, 0x94D, 0x937, 0x93C,
      0x93E, 0xE01, 0xE33, 0xE31, 0xE48, 0xE51, 0xEDC, 0x1000, 0x102B, 0x1031, 0x1062, 0x17B4,
      0x1100, 0x1112, 0x1160, 0x1161, 0x11A8, 0xAC00, 0xAC01, 0xD7B0, 0xD7CB, 0x1E9E, 0x1FB3,
      0x2000, 0x200B, 0x200C, 0x200D, 0x2024, 0x2026, 0x2028, 0x2044, 0x20E3, 0x2122, 0x2126,
      0x2160, 0x2460, 0x2488, 0x24C2, 0x2A74, 0x2764, 0x2ADC, 0x3000, 0x3002, 0x3005, 0x3007,
      0x302A, 0x3031, 0x304B, 0x3099, 0x309A, 0x309B, 0x30FC, 0x3131, 0x3164, 0x3230, 0x3300,
      0x337F, 0x33C2, 0x4E00, 0x570B, 0x56FD, 0x4E7E, 0xA9C0, 0xF900, 0xFA6C, 0xFB1D, 0xFB2A,
      0xFDFA, 0xFE0F, 0xFE50, 0xFEFF, 0xFF0C, 0xFF0E, 0xFF11, 0xFF21, 0xFF76, 0xFF9E, 0xFF9F,
      0xFFA0, 0xFFFD, 0xFFFF, 0xE000, 0x10FFFF, 0x110BD, 0x11720, 0x1D15E, 0x1D165, 0x1D7CE,
      0x1F100, 0x1F1E8, 0x1F1F3, 0x1F3FD, 0x1F469, 0x1F467, 0x1F44D, 0x1F201, 0x1F23A, 0x20000,
      0x2F800, 0x2B81D, 0xE0061, 0xE007F, 0xE0100, 0xE0FFF,
      // What folded.v3 counts, and what it looks at beside it.
      '*', '*', '/', '-', '-', '-', '_', '_', '[', ']', '{', '}', '\\', '&', '@', '%', '!', '?',
      ':', ':', '=', '>', '(', ')', 0x2212, 0x2014, 0x2013, 0x2011, 0x207B, 0x203C, 0x2100, 0xFF01,
      0xFF03, 0xFF05, 0xFF08, 0xFF09, 0xFF0A, 0xFF0D, 0xFF0F, 0xFF1A, 0xFF1F, 0xFF3B, 0xFF3F,
      0xFF5B, 0xFE58, 0xFE33,
      // What folded.v2 and loose.v1 change.
      0x430, 0x410, 0x435, 0x451, 0x456, 0x3BF, 0x3CC, 0x251, 0x8457, 0x82E7, 0x85B4, 0x2EE2,
      0x685C, 0x4E00, 0x4E09, 0x3007, 0x25CB, 0x2605, 0x62FE, 0x306E, 0x2776, 0x277F};
  return code_points;
}

std::string RandomText(Random& random, size_t length) {
  Symbols text;
  const auto& dangerous = DangerousCodePoints();
  while (text.size() < length) {
    switch (random() % 10) {
      case 8:
      case 9:
        text.push_back(U"a1 -*/:![_(=國"[random() % 13]);
        break;
      case 0:
        text.push_back(0x4E00 + random() % 20000);
        break;
      case 1:
        text.push_back(U"aB3,. "[random() % 6]);
        break;
      case 2:
        text.push_back(random() % 0xD800);
        break;
      case 3:
        text.push_back(0xE000 + random() % 0x24000);
        break;
      default:
        text.push_back(dangerous[random() % dangerous.size()]);
    }
  }
  return Utf8(text);
}

TEST(FoldTest, SlowRandomMixturesFoldLikeTheOracle) {
  Random random(3);
  for (int round = 0; round < 56000; ++round) {
    ASSERT_NO_FATAL_FAILURE(ExpectAllAgree(RandomText(random, 1 + random() % 12)));
  }
}

TEST(FoldTest, SlowRandomBytesFoldLikeTheOracle) {
  Random random(4);
  for (int round = 0; round < 36000; ++round) {
    std::string text = RandomText(random, 1 + random() % 30);
    for (int damage = 0; damage < 3; ++damage) {
      const size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text[at] = static_cast<char>(random());
      } else {
        text.erase(at, 1);
      }
      if (text.empty()) text = "x";
    }
    ASSERT_NO_FATAL_FAILURE(ExpectAllAgree(text));
  }
}

TEST(FoldTest, SlowLongChineseWithEverythingInBetweenFoldsLikeTheOracle) {
  Random random(5);
  for (int round = 0; round < 100; ++round) {
    std::string text;
    while (text.size() < 8000) {
      Symbols han;
      for (size_t i = random() % 200; i > 0; --i) {
        han.push_back(random() % 10 == 0 ? 0xFF0C : 0x4E00 + random() % 20000);
      }
      text += Utf8(han) + RandomText(random, random() % 4);
    }
    ASSERT_NO_FATAL_FAILURE(ExpectAllAgree(text));
  }
}

TEST(FoldTest, AnEndlessClusterIsCutAndCostsLinearTime) {
  for (const size_t marks : {254, 255, 256, 257, 511, 512, 513, 1000}) {
    std::string text = "a";
    for (size_t i = 0; i < marks; ++i) text += i % 2 == 0 ? "\u0301" : "\u0323";
    ASSERT_NO_FATAL_FAILURE(ExpectAllAgree(text + "中"));
    ASSERT_NO_FATAL_FAILURE(ExpectAllAgree("国" + text.substr(1) + "中"));
  }
  std::string long_text = "a";
  for (size_t i = 0; i < 1000000; ++i) long_text += i % 2 == 0 ? "\u0301" : "\u0323";
  EXPECT_THAT(Fold(long_text), SizeIs(1));
}

// Whether a byte starts a code point, or is the end.
bool IsBoundary(std::string_view text, uint64_t at) {
  return at == text.size() || (static_cast<uint8_t>(text[at]) & 0xC0) != 0x80;
}

bool Contains(const Symbols& symbols, uint32_t symbol) {
  return std::ranges::find(symbols, symbol) != symbols.end();
}

// An operator between digits.
TEST(FoldTest, ASpanAscendsAndFoldsToItsSymbol) {
  Random random(7);
  for (int round = 0; round < 20000; ++round) {
    const std::string text = RandomText(random, 1 + random() % 20);
    const SpannedSymbols folded = ExplainFolded(text);
    ASSERT_EQ(folded.spans.size(), folded.symbols.size());
    ByteSpan last;
    for (size_t i = 0; i < folded.spans.size(); ++i) {
      const ByteSpan span = folded.spans[i];
      ASSERT_TRUE(last.begin <= span.begin && last.end <= span.end) << Hex(text);
      ASSERT_TRUE(span.begin < span.end && span.end.value <= text.size()) << Hex(text);
      ASSERT_TRUE(IsBoundary(text, span.begin.value) && IsBoundary(text, span.end.value));
      const std::string source = text.substr(span.begin.value, span.size());
      ASSERT_TRUE(Contains(Fold(source), folded.symbols[i]) ||
                  Contains(Fold("1" + source + "1"), folded.symbols[i]))
          << Hex(text) << " symbol " << i;
      last = span;
    }
  }
}

TEST(FoldTest, CuttingAtAClusterBoundaryOutsideARunGivesTheSameSymbols) {
  Random random(6);
  int cuts = 0;
  for (int round = 0; round < 20000; ++round) {
    constexpr const char* kRunEnders[] = {"中", "か", "한", "。", "\n", " ", "😀", "ก", "🇨🇳"};
    const std::string head = RandomText(random, random() % 8) + kRunEnders[random() % 9];
    const std::string tail = RandomText(random, 1 + random() % 8);
    const std::vector<size_t> ends = ClusterEndsByIcu(DecodeByIcu(head + tail));
    if (std::ranges::find(ends, DecodeByIcu(head).size()) == ends.end()) continue;
    ++cuts;
    Symbols joined = Fold(head, FoldedVersion::kV2);
    FoldInto(tail, joined, FoldedVersion::kV2);
    ASSERT_EQ(joined, Fold(head + tail, FoldedVersion::kV2)) << Hex(head) << " | " << Hex(tail);
  }
  EXPECT_GT(cuts, 8000);
}

TEST(FoldTest, CuttingBetweenLinesOrBetweenTwoHanGivesTheSameSymbols) {
  Random random(8);
  for (int round = 0; round < 20000; ++round) {
    const bool is_line = round % 2 == 0;
    const std::string head = RandomText(random, random() % 12) + (is_line ? "\n" : "中");
    const std::string tail = (is_line ? "" : "文") + RandomText(random, 1 + random() % 12);
    Symbols joined = Fold(head);
    FoldInto(tail, joined);
    ASSERT_EQ(joined, Fold(head + tail)) << Hex(head) << " | " << Hex(tail);
  }
}

}  // namespace
}  // namespace zhiwen
