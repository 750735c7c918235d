#include "zhiwen/passages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/utf8/utf8.h"
#include "support/language.h"
#include "support/passages_check.h"

namespace zhiwen {
namespace {

constexpr std::string_view kChapter =
    "山巅之上云海翻涌，少年负手而立，目光越过千重峰峦，落在极远处那座孤零零的石塔上面。"
    "长老们已在殿中争论了整整一夜，谁也没有想到会是这样的结果。";
constexpr std::string_view kOther =
    "本市气象台今天早晨发布大雾预报，请市民出门注意安全，高速公路已经临时封闭。";

std::vector<Channel> AllChannels() {
  std::vector<Channel> channels = {FoldedChannel()};
  for (const std::string_view name : {"pinyin", "shape", "initials"}) {
    channels.push_back(OpenChannel(name, TestLanguage()).value());
  }
  return channels;
}

PassageComparison Found(std::string_view a, std::string_view b,
                        std::vector<Channel> channels = {FoldedChannel()}) {
  Result<PassageComparison> found = FindPassages(a, b, {.channels = std::move(channels)}, {});
  EXPECT_TRUE(found.has_value());
  return found ? *std::move(found) : PassageComparison();
}

std::string Replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out(text);
  for (size_t at = out.find(from); at != std::string::npos; at = out.find(from, at + to.size())) {
    out.replace(at, from.size(), to);
  }
  return out;
}

std::string_view PartOf(std::string_view text, ByteSpan bytes) {
  return text.substr(bytes.begin.value, bytes.size());
}

uint64_t CountOf(const PassageComparison& found, EditKind kind) {
  return found.edits[static_cast<size_t>(kind)];
}

TEST(Passages, ACopyInsideOfAnotherTextIsOneVerbatimPassage) {
  const std::string a = std::string(kOther) + std::string(kChapter) + "今天的新闻播送完了。";
  const PassageComparison found = Found(a, kChapter);
  ASSERT_EQ(found.passages.size(), 1u);
  const CopiedPassage& passage = found.passages.front();
  EXPECT_EQ(passage.kind, PassageKind::kVerbatim);
  EXPECT_TRUE(passage.edits.empty());
  EXPECT_EQ(passage.similarity, 1);
  EXPECT_EQ(passage.b_points, (Span<CodePointOffset>{{0}, {passage.matched + 5}}));  // ，， ，。 。
  EXPECT_EQ(found.b_matched, found.b_symbols);
  EXPECT_EQ(PartOf(a, passage.a_bytes), PartOf(kChapter, passage.b_bytes));
}

TEST(Passages, UnrelatedTextsHaveNone) {
  EXPECT_TRUE(Found(kOther, kChapter, AllChannels()).passages.empty());
  EXPECT_TRUE(Found("", kChapter).passages.empty());
  EXPECT_TRUE(Found(kChapter, "").passages.empty());
}

TEST(Passages, OfPartsOfATextLieInThemOrBesideThem) {
  std::string between;  // more than what belongs to a part
  for (uint32_t i = 0; i < 800; ++i) AppendUtf8(0x5000 + i, between);
  const std::string a = std::string(kChapter) + between + std::string(kOther);
  const std::string b = std::string(kOther) + std::string(kChapter);
  EXPECT_EQ(Found(a, b).passages.size(), 2u);
  PassageSearch search = *PassageSearch::Create(a, {});
  const size_t middle = kChapter.size() / 6 * 3, end = kChapter.size() + between.size();
  for (const ByteSpan& part : {ByteSpan{{middle}, {middle + 30}}, ByteSpan{{end}, {a.size()}}}) {
    const PassageComparison found = *search.Find(b, {&part, 1}, {});
    ASSERT_EQ(found.passages.size(), 1u);
    const std::string_view copied = part.begin.value == end ? kOther : kChapter;
    EXPECT_EQ(std::string(PartOf(a, found.passages[0].a_bytes)) + "。", copied);
  }
}

TEST(Passages, WhatCouldNotBeDecodedIsNoPassage) {
  constexpr std::string_view kLetters = "абвгдежзийклмнопрст";  // two bytes each
  std::mt19937 random(3);
  const auto damaged = [&] {
    std::string text;
    for (int i = 0; i < 2000; ++i) {
      const size_t letter = random() % (kLetters.size() / 2);
      text += random() % 4 == 0 ? kLetters.substr(letter * 2, 2) : std::string_view("\uFFFD");
    }
    return text;
  };
  const std::string a = damaged(), b = damaged();
  EXPECT_TRUE(Found(a, b).passages.empty());
  EXPECT_EQ(Found(a, std::string(kChapter) + a).passages.size(), 1u);
}

TEST(Passages, ABadByteIsAnErrorThatNamesTheText) {
  const auto found = FindPassages("\xff", kChapter, {.a_name = "suspect.txt"}, {});
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::kUnreadable);
  EXPECT_NE(found.error().message.find("suspect.txt"), std::string::npos);
}

TEST(Passages, EveryDisguiseIsNamed) {
  struct Case {
    std::string_view from, to;
    EditKind kind;
    uint64_t symbols;
  };
  for (const Case& one : {
           Case{"云海", "雲海", EditKind::kForm, 1},
           Case{"少年负手", "少★年负手", EditKind::kInserted, 1},
           Case{"目光越过", "目光,.越过", EditKind::kSymbols, 2},
           Case{"负手而立", "付首而立", EditKind::kHomophone, 2},
           Case{"负手而立", "fushou而立", EditKind::kSpelled, 2},
           Case{"已在", "己在", EditKind::kLookAlike, 1},
           Case{"峰峦", "山夆峦", EditKind::kSplit, 2},
           Case{"一夜", "三天", EditKind::kSubstituted, 2},
           Case{"整整一夜", "一夜", EditKind::kDeleted, 2},
       }) {
    const std::string a = Replaced(kChapter, one.from, one.to);
    ASSERT_NE(a, kChapter);
    const PassageComparison found = Found(a, kChapter, AllChannels());
    ASSERT_EQ(found.passages.size(), 1u) << one.to;
    EXPECT_EQ(CountOf(found, one.kind), one.symbols) << EditKindName(one.kind) << " " << one.to;
    EXPECT_EQ(found.passages.front().edits.size(), 1u) << one.to;
    EXPECT_EQ(found.passages.front().a_bytes.begin.value, 0u);
  }
}

TEST(Passages, ATextOfHomophonesIsOneDisguisedPassage) {
  constexpr std::string_view kWritten = "山巅之上云海翻涌少年负手而立目光越过千重峰峦";
  constexpr std::string_view kSoundsAlike = "杉颠枝尚匀害番永绍念付守尔利木广月郭迁中风栾";
  const PassageComparison found = Found(kSoundsAlike, kWritten, AllChannels());
  ASSERT_EQ(found.passages.size(), 1u);
  EXPECT_TRUE(found.passages.front().channel.starts_with("pinyin"));
  EXPECT_EQ(found.passages.front().kind, PassageKind::kDisguised);
  EXPECT_GE(CountOf(found, EditKind::kHomophone), 18u);
}

TEST(Passages, FirstLettersOfALongPassageAreFound) {
  constexpr std::string_view kWritten =
      "少年负手站立目光越过千里山川落在极远处那座石塔上面城门慢慢打开一队骑兵走了出来为首的人下马行"
      "礼";
  constexpr std::string_view kLetters = "snfszlmgygqlsclzjycnzstsmcmmmdkydqbzlclwsdrxmxl";
  const PassageComparison found = Found(kLetters, kWritten, AllChannels());
  ASSERT_EQ(found.passages.size(), 1u);
  EXPECT_TRUE(found.passages.front().channel.starts_with("initials"));
  EXPECT_GE(CountOf(found, EditKind::kInitial), 40u);
}

TEST(Passages, ANameThatIsReplacedEverywhereIsARenaming) {
  const std::string b =
      "萧炎看着远处的城墙，心中有些不安。风很大，萧炎把衣领竖了起来。城门慢慢打开，一队骑兵走了出来"
      "，"
      "为首的人认出了萧炎，下马行礼。大家都说，若不是萧炎当年那一剑，这座城早就没有了。";
  const std::string a = Replaced(b, "萧炎", "林凡");
  const PassageComparison found = Found(a, b);
  ASSERT_EQ(found.renamed.size(), 1u);
  EXPECT_EQ(found.renamed.front().in_b, "萧炎");
  EXPECT_EQ(found.renamed.front().in_a, "林凡");
  ASSERT_EQ(found.passages.size(), 1u);
  EXPECT_EQ(found.passages.front().kind, PassageKind::kRenamed);
  EXPECT_EQ(found.passages.front().a_bytes.begin.value, 0u);  // the first name is in it, too
  EXPECT_EQ(CountOf(found, EditKind::kRenamed), 8u);
  EXPECT_EQ(CountOf(found, EditKind::kSubstituted), 0u);
  EXPECT_EQ(found.a_matched, found.a_symbols);
}

TEST(Passages, ShuffledSentencesAreOnePassageOfSeveralPieces) {
  const std::string_view one = "少年负手而立目光越过千重峰峦落在极远处那座石塔上面。";
  const std::string_view two = "长老们在殿中争论了整整一夜谁也没有想到会是这样的结果。";
  const std::string_view three = "城门慢慢打开一队骑兵走了出来为首的人认出了他下马行礼。";
  const auto join = [](auto x, auto y, auto z) {
    return std::string(x) + std::string(y) + std::string(z);
  };
  const PassageComparison found = Found(join(two, three, one), join(one, two, three));
  ASSERT_EQ(found.passages.size(), 1u);
  EXPECT_EQ(found.passages.front().pieces.size(), 2u);
  EXPECT_EQ(found.passages.front().kind, PassageKind::kEdited);  // the order is another one
  EXPECT_EQ(found.a_matched, found.a_symbols);
}

// A passage of several pieces goes beyond them: what lies between them is no part of the original.
TEST(Passages, TextBetweenThePiecesOfAPassageMakesItEdited) {
  const std::string_view one = "少年负手而立目光越过千重峰峦落在极远处那座石塔上面。";
  const std::string_view two = "长老们在殿中争论了整整一夜谁也没有想到会是这样的结果。";
  const std::string b = std::string(one) + std::string(two);
  const std::string a =
      std::string(one) + std::string(kOther) + std::string(kOther) + std::string(two);
  for (const auto& [copy, original] : {std::pair(a, b), std::pair(b, a)}) {
    const PassageComparison found = Found(copy, original);
    ASSERT_EQ(found.passages.size(), 1u);
    EXPECT_EQ(found.passages.front().pieces.size(), 2u);
    EXPECT_TRUE(found.passages.front().edits.empty());
    EXPECT_EQ(found.passages.front().kind, PassageKind::kEdited);
  }
  const PassageComparison apart = Found(std::string(one) + "！——" + std::string(two), b);
  ASSERT_EQ(apart.passages.size(), 1u);
  EXPECT_EQ(apart.passages.front().kind, PassageKind::kVerbatim);  // punctuation alone
}

TEST(Passages, TextsThatAreTheSameAreOnePassageHoweverShort) {
  for (const auto& [a, b, kind] : {std::tuple("春眠", "春眠", PassageKind::kVerbatim),
                                   std::tuple("春眠。", "春眠", PassageKind::kVerbatim),
                                   std::tuple("飛鳥", "飞鸟", PassageKind::kDisguised)}) {
    const PassageComparison found = Found(a, b, AllChannels());
    ASSERT_EQ(found.passages.size(), 1u) << a;
    EXPECT_EQ(found.passages.front().kind, kind);
    EXPECT_EQ(found.a_matched, 2u);
    EXPECT_EQ(found.b_matched, 2u);
    EXPECT_EQ(found.channels, 1u);
    EXPECT_EQ(PassagesCheck(a, b, found).Problem(), "");
  }
  EXPECT_TRUE(Found("春眠", "春晓", AllChannels()).passages.empty());
  EXPECT_TRUE(Found("。", "。").passages.empty());
  EXPECT_TRUE(Found("", "").passages.empty());
}

std::string Utf8Of(uint32_t code_point) {
  return {static_cast<char>(0xE0 | code_point >> 12),
          static_cast<char>(0x80 | (code_point >> 6 & 0x3F)),
          static_cast<char>(0x80 | (code_point & 0x3F))};
}

std::vector<std::string> DrawCharacters(std::mt19937& random, size_t count) {
  std::vector<std::string> characters(count);
  for (std::string& one : characters) one = Utf8Of(0x4E00 + static_cast<uint32_t>(random() % 2000));
  return characters;
}

std::string JoinCharacters(std::span<const std::string> characters) {
  std::string out;
  for (const std::string& one : characters) out += one;
  return out;
}

// The guarantee: of two texts that share a run of 22 characters, the run lies in a passage.
TEST(Passages, EverySharedRunOf22CharactersIsFound) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> a = DrawCharacters(random, 40 + random() % 400);
    const std::vector<std::string> b = DrawCharacters(random, 40 + random() % 400);
    const size_t run = 22 + random() % 18;
    const size_t in_a = random() % (a.size() - run), in_b = random() % (b.size() - run);
    std::copy_n(b.begin() + in_b, run, a.begin() + in_a);
    const PassageComparison found = Found(JoinCharacters(a), JoinCharacters(b));
    ASSERT_TRUE(std::ranges::any_of(found.passages,
                                    [&](const CopiedPassage& passage) {
                                      return passage.a_points.begin.value <= in_a &&
                                             passage.a_points.end.value >= in_a + run &&
                                             passage.b_points.begin.value <= in_b &&
                                             passage.b_points.end.value >= in_b + run;
                                    }))
        << "round " << round;
  }
}

// What lies in no edit is equal, and edits and the rest together are the whole passage.
TEST(Passages, OutsideOfEditsBothTextsAreEqual) {
  std::mt19937 random(5);
  size_t passages = 0;
  for (int round = 0; round < 200; ++round) {
    const std::vector<std::string> original = DrawCharacters(random, 150);
    std::vector<std::string> copy;
    for (const std::string& one : original) {
      const uint32_t what = static_cast<uint32_t>(random() % 30);
      if (what != 0) copy.push_back(one);
      if (what == 1) copy.back() = DrawCharacters(random, 1).front();
      if (what == 2) copy.push_back(DrawCharacters(random, 1).front());
    }
    const std::string a = JoinCharacters(copy), b = JoinCharacters(original);
    for (const CopiedPassage& passage : Found(a, b).passages) {
      if (passage.pieces.size() != 1) continue;
      ++passages;
      std::string rebuilt;
      ByteOffset at = passage.a_bytes.begin, in_b = passage.b_bytes.begin;
      for (const PassageEdit& edit : passage.edits) {
        ASSERT_LE(at, edit.a_bytes.begin);
        ASSERT_LE(in_b, edit.b_bytes.begin);
        ASSERT_EQ(PartOf(a, {at, edit.a_bytes.begin}), PartOf(b, {in_b, edit.b_bytes.begin}));
        at = edit.a_bytes.end;
        in_b = edit.b_bytes.end;
      }
      ASSERT_EQ(PartOf(a, {at, passage.a_bytes.end}), PartOf(b, {in_b, passage.b_bytes.end}));
    }
  }
  EXPECT_GT(passages, 150u);
}

// Disguises that are drawn for a text of characters, one after another.
class DisguiseDrawer {
 public:
  explicit DisguiseDrawer(uint32_t seed) : random_(seed) {}

  size_t Below(size_t count) { return random_() % count; }

  std::vector<std::string> Draw(const std::vector<std::string>& original) {
    static const std::vector<std::string> kOdd = {"，",
                                                  "。",
                                                  " ",
                                                  "\n",
                                                  "\u200b",
                                                  "\u200d",
                                                  "\ufeff",
                                                  "😀",
                                                  "👨\u200d👩\u200d👧",
                                                  "한",
                                                  "국어",
                                                  "a",
                                                  "WORD",
                                                  "2023",
                                                  "１２",
                                                  "㍿",
                                                  "⑩",
                                                  "ﬁ",
                                                  "é",
                                                  "e\u0301",
                                                  "か",
                                                  "\u3000",
                                                  "\u00a0",
                                                  "ü",
                                                  "zhong",
                                                  "fu",
                                                  "+",
                                                  "-",
                                                  "\u202e",
                                                  "ا",
                                                  "嗯",
                                                  "氵",
                                                  "州",
                                                  "\u0e01\u0e33",
                                                  "㎞"};
    std::vector<std::string> copy;
    const size_t often = 2 + Below(30);
    for (size_t i = 0; i < original.size(); ++i) {
      const size_t what = Below(often * 8);
      if (what == 0) continue;
      if (what == 1) copy.push_back(kOdd[Below(kOdd.size())]);
      copy.push_back(what == 2 ? kOdd[Below(kOdd.size())] : original[i]);
      if (what == 3) copy.push_back(original[Below(original.size())]);
      if (what == 4) copy.back() = original[Below(original.size())];
      if (what == 5)
        copy.insert(copy.end(), original.begin() + i, original.end() - Below(original.size() - i));
      if (what == 6) copy.resize(copy.size() - Below(std::min<size_t>(copy.size(), 12)));
    }
    if (Below(3) == 0) std::rotate(copy.begin(), copy.begin() + Below(copy.size() + 1), copy.end());
    return copy;
  }

 private:
  std::mt19937 random_;
};

std::vector<std::string> CharactersOf(std::string_view text) {
  std::vector<std::string> characters;
  for (const char c : text) {
    if ((c & 0xC0) != 0x80) characters.emplace_back();
    characters.back() += c;
  }
  return characters;
}

// Texts of every script, disguised, cut, repeated and mixed: what is found holds together.
TEST(Passages, OfAnyTextsHoldTogether) {
  const std::vector<std::vector<Channel>> channels = {
      {FoldedChannel()},
      AllChannels(),
      {ExactChannel()},
      {OpenChannel("pinyin", TestLanguage()).value()},
      {OpenChannel("phonemes", TestLanguage()).value()},
  };
  size_t passages = 0, renamings = 0;
  for (uint32_t round = 0; round < 400; ++round) {
    DisguiseDrawer drawer(round);
    std::vector<std::string> original;
    while (original.size() < 40 + round % 200) {
      const std::vector<std::string> more = CharactersOf(drawer.Below(3) == 0 ? kOther : kChapter);
      original.insert(original.end(), more.begin(), more.end());
    }
    original = drawer.Draw(original);
    const std::string b = JoinCharacters(original);
    std::string a = JoinCharacters(drawer.Draw(original));
    if (drawer.Below(4) == 0) a = Replaced(a, "少年", "石塔上");
    if (drawer.Below(4) == 0) a = Replaced(a, "长老", "他");
    if (drawer.Below(4) == 0) a = Replaced(a, "一夜", "Tom Sawyer");
    const PassageComparison found = Found(a, b, channels[round % channels.size()]);
    ASSERT_EQ(PassagesCheck(a, b, found).Problem(), "")
        << "round " << round << "\na: " << a << "\nb: " << b;
    passages += found.passages.size();
    renamings += found.renamed.size();
  }
  EXPECT_GT(passages, 350u);
  EXPECT_GT(renamings, 10u);
}

// Channels drop what they cannot read; that is no punctuation.
TEST(Passages, TextThatAChannelDropsIsComparedToo) {
  const std::string b = std::string(kChapter) + "他在2023年的東京へ见过Alice，说了很多话。";
  std::string a = Replaced(b, "少年负手", "绍念付首");  // pinyin explains most of it
  a = Replaced(Replaced(Replaced(a, "目光", "木广"), "石塔", "食塌"), "很多", "狠躲");
  a = Replaced(Replaced(Replaced(a, "2023", "2019"), "へ", ""), "Alice", "Alice Smith");
  const PassageComparison found = Found(a, b, AllChannels());
  ASSERT_EQ(found.passages.size(), 1u);
  EXPECT_TRUE(found.passages.front().channel.starts_with("pinyin"));
  EXPECT_EQ(found.passages.front().kind, PassageKind::kEdited);
  EXPECT_EQ(CountOf(found, EditKind::kSymbols), 0u);
  EXPECT_EQ(CountOf(found, EditKind::kSubstituted), 2u);  // Alice, read as a whole
  EXPECT_EQ(CountOf(found, EditKind::kDeleted), 1u);
  EXPECT_EQ(found.a_matched, found.a_symbols - 3);

  const std::string around = Replaced(Replaced(a, "在2019", "再2019"), "年", "念");
  const PassageComparison number = Found(around, b, AllChannels());
  ASSERT_EQ(number.passages.size(), 1u);
  EXPECT_EQ(number.passages.front().kind, PassageKind::kEdited);
  EXPECT_EQ(CountOf(number, EditKind::kSubstituted), 2u);
}

constexpr std::string_view kStory =
    "萧炎看着远处的城墙，心中有些不安。风很大，萧炎把衣领竖了起来。城门慢慢打开，一队骑兵走了出来，"
    "为首的人认出了萧炎，下马行礼。大家都说，若不是萧炎当年那一剑，这座城早就没有了。";

// A name of another length, one that has the other one in it, and one in letters.
TEST(Passages, NamesOfAnyLengthAreRenamings) {
  for (const std::string_view name : {"林凡", "欧阳明月", "药老先生", "Tom Sawyer", "Tom"}) {
    for (const bool is_shorter : {false, true}) {
      const std::string other = Replaced(kStory, "萧炎", name);
      const std::string a = is_shorter ? std::string(kStory) : other;
      const std::string b = is_shorter ? other : std::string(kStory);
      for (const std::vector<Channel>& channels : {std::vector{FoldedChannel()}, AllChannels()}) {
        const PassageComparison found = Found(a, b, channels);
        ASSERT_EQ(PassagesCheck(a, b, found).Problem(), "") << name;
        ASSERT_EQ(found.renamed.size(), 1u) << name;
        EXPECT_EQ(found.renamed.front().in_a, is_shorter ? "萧炎" : name);
        EXPECT_EQ(found.renamed.front().in_b, is_shorter ? name : "萧炎");
        EXPECT_EQ(found.renamed.front().count, 4u) << name;
        ASSERT_EQ(found.passages.size(), 1u) << name;
        EXPECT_EQ(found.passages.front().kind, PassageKind::kRenamed) << name;
        EXPECT_EQ(found.passages.front().similarity, 1) << name;
        EXPECT_EQ(found.a_matched, found.a_symbols) << name;
        EXPECT_EQ(found.b_matched, found.b_symbols) << name;
      }
    }
  }
}

TEST(Passages, NamesThatChangePlacesAreTwoRenamings) {
  const std::string b = Replaced(Replaced(kStory, "城门", "林凡说城门"), "大家", "林凡和大家") +
                        "林凡笑了笑，没有回答，转身走进了人群里面。";
  const std::string a = Replaced(Replaced(Replaced(b, "萧炎", "X"), "林凡", "萧炎"), "X", "林凡");
  const PassageComparison found = Found(a, b);
  EXPECT_EQ(PassagesCheck(a, b, found).Problem(), "");
  EXPECT_EQ(found.renamed.size(), 2u);
  EXPECT_EQ(CountOf(found, EditKind::kRenamed), 14u);
  EXPECT_EQ(found.a_matched, found.a_symbols);
}

// A pronoun that stands for a name is none, nor is a word that both texts have elsewhere.
TEST(Passages, WordsThatBothTextsHaveAreNoNames) {
  const std::string with_pronoun = Replaced(kStory, "大家", "他说他和大家");
  const PassageComparison pronoun = Found(Replaced(with_pronoun, "萧炎", "他"), with_pronoun);
  EXPECT_TRUE(pronoun.renamed.empty());
  EXPECT_EQ(CountOf(pronoun, EditKind::kForm), 0u);

  std::string more(kStory);
  for (const std::string_view line : {"你们去看看林凡在不在。", "昨天遇见了林凡的老师。",
                                      "谁也没料到林凡会来得这样早。", "只有林凡一直没有开口。"}) {
    more += line;
  }
  const PassageComparison word = Found(Replaced(more, "萧炎", "林凡"), more);
  EXPECT_TRUE(word.renamed.empty());
  EXPECT_GE(CountOf(word, EditKind::kSubstituted), 6u);
}

// Pieces may lie in one place of b: what is replaced in one may be the same in another.
TEST(Passages, FewerAreExpectedOfAHigherScoreAndMoreOfLongerTexts) {
  for (double score = 0; score < 300; ++score) {
    EXPECT_GT(ExpectedPassages(score, 1000, 40'000'000),
              ExpectedPassages(score + 1, 1000, 40'000'000));
  }
  EXPECT_DOUBLE_EQ(ExpectedPassages(20, 2000, 3'000'000),
                   6 * ExpectedPassages(20, 1000, 1'000'000));
  EXPECT_EQ(ExpectedPassages(20, 0, 1000), 0);
  // Two pages share a passage of 16 by chance once in many pairs, a page and a library often.
  EXPECT_LT(ExpectedPassages(16, 1000, 1000), 1e-3);
  EXPECT_GT(ExpectedPassages(16, 1000, 40'000'000), 0.5);
  EXPECT_LT(ExpectedPassages(60, 1000, 40'000'000), 1e-4);
  const PassageComparison found = Found(kChapter, kChapter);
  ASSERT_EQ(found.passages.size(), 1U);
  EXPECT_EQ(found.passages[0].expected,
            ExpectedPassages(found.passages[0].score, found.a_symbols, found.b_symbols));
}

// Texts of words of two characters, drawn from so few that four in a row come again about as often
// as phrases of real texts do.
TEST(Passages, OfWordsThatAreDrawnAreAsManyAsExpected) {
  constexpr size_t kWords = 150, kSize = 50'000;
  std::mt19937 random(1);
  const auto draw = [&] {
    std::string text;
    for (size_t i = 0; i < kSize; ++i) {
      const auto word = static_cast<uint32_t>(random() % kWords);
      AppendUtf8(0x4E00 + 2 * word, text);
      AppendUtf8(0x4E01 + 2 * word, text);
    }
    return text;
  };
  constexpr double kLeast = 8;
  size_t count = 0;
  double expected = 0;
  for (int round = 0; round < 4; ++round) {
    const std::string a = draw(), b = draw();
    const PassageComparison found = FindPassages(a, b, {.least_score = kLeast}, {}).value();
    count += found.passages.size();
    expected += ExpectedPassages(kLeast, found.a_symbols, found.b_symbols);
    for (const CopiedPassage& passage : found.passages) EXPECT_LE(*passage.expected, expected);
  }
  EXPECT_GT(count, 0U);
  EXPECT_LE(static_cast<double>(count), 3 * expected);
  EXPECT_LE(expected, 20 * static_cast<double>(count));
}

TEST(Passages, WhatAnyPieceMatchesIsMatched) {
  const std::string once = Replaced(kChapter, "一夜", "三天");
  const std::string a = std::string(kChapter) + std::string(kOther) + once;
  const PassageComparison found = Found(a, kChapter);
  ASSERT_EQ(found.passages.size(), 1u);
  EXPECT_EQ(found.passages.front().pieces.size(), 2u);
  EXPECT_EQ(CountOf(found, EditKind::kSubstituted), 2u);
  EXPECT_EQ(found.b_matched, found.b_symbols);
}

// --- repeats of one text -------------------------------------------------------------------------

PassageComparison Repeats(const std::string& text,
                          std::vector<Channel> channels = {FoldedChannel()}) {
  Result<PassageSearch> search = PassageSearch::Create(text, {.channels = std::move(channels)});
  EXPECT_TRUE(search.has_value());
  Result<PassageComparison> found = search->FindRepeats({});
  EXPECT_TRUE(found.has_value());
  if (!found) return {};
  EXPECT_EQ(PassagesCheck(text, text, *found).Problem(), "");
  for (const CopiedPassage& passage : found->passages) {
    for (const PassagePiece& piece : passage.pieces) {
      EXPECT_LT(piece.b_bytes.begin, piece.a_bytes.begin);
    }
  }
  return *std::move(found);
}

TEST(Repeats, ATextWithoutRepeatsHasNone) {
  EXPECT_TRUE(Repeats(std::string(kChapter) + std::string(kOther), AllChannels()).passages.empty());
  EXPECT_TRUE(Repeats("").passages.empty());
  EXPECT_TRUE(Repeats("短").passages.empty());
}

TEST(Repeats, EachRepeatIsFoundOnceWithBothPlaces) {
  std::mt19937 random(3);
  const std::string chapter(kChapter), between = JoinCharacters(DrawCharacters(random, 300));
  const std::string twice = chapter + std::string(kOther) + between + chapter;
  const PassageComparison found = Repeats(twice, AllChannels());
  ASSERT_EQ(found.passages.size(), 1u);
  const CopiedPassage& passage = found.passages.front();
  EXPECT_EQ(PartOf(twice, passage.b_bytes), Replaced(chapter, "果。", "果"));
  EXPECT_EQ(PartOf(twice, passage.a_bytes), Replaced(chapter, "果。", "果"));
  EXPECT_EQ(passage.kind, PassageKind::kVerbatim);
  EXPECT_EQ(passage.b_bytes.begin.value, 0u);
  EXPECT_FALSE(PeriodOf(passage));
  EXPECT_EQ(found.a_matched, passage.matched);
  // A third place is one passage more, against one of the others.
  const PassageComparison thrice = Repeats(twice + between + chapter);
  EXPECT_EQ(thrice.a_matched, 2 * passage.matched + 300);
}

TEST(Repeats, DisguisedRepeatsAreFoundOnTheirChannels) {
  std::mt19937 random(4);
  const std::string between = JoinCharacters(DrawCharacters(random, 300));
  const std::string disguised = Replaced(Replaced(kChapter, "负手", "付首"), "峰峦", "山夆峦");
  const PassageComparison found =
      Repeats(std::string(kChapter) + between + disguised, AllChannels());
  ASSERT_EQ(found.passages.size(), 1u);
  EXPECT_EQ(found.passages.front().kind, PassageKind::kDisguised);
  EXPECT_EQ(CountOf(found, EditKind::kHomophone), 2u);
  EXPECT_EQ(CountOf(found, EditKind::kSplit), 2u);
}

// A sentence that is said twice in a row, and the next one too: no passage has both.
TEST(Repeats, SentencesThatAreDoubledOneByOneStayApart) {
  std::mt19937 random(5);
  for (const uint64_t length : {20, 40, 90}) {
    std::string text;
    for (int i = 0; i < 4; ++i) {
      const std::string sentence = JoinCharacters(DrawCharacters(random, length));
      text += sentence + sentence;
    }
    const PassageComparison found = Repeats(text);
    EXPECT_EQ(found.passages.size(), 4u) << length;
    EXPECT_EQ(found.a_matched, 4 * length);
    for (const CopiedPassage& passage : found.passages) {
      EXPECT_EQ(passage.b_bytes.end, passage.a_bytes.begin);
      EXPECT_FALSE(PeriodOf(passage));
    }
  }
}

// The lines of a list differ in their numbers alone: they are one passage.
TEST(Repeats, WhatComesAgainAndAgainMayBeEdited) {
  std::string list;
  for (const std::string_view number : {"一", "二", "三", "四", "五", "六", "七", "八"}) {
    list += "第" + std::string(number) + "条甲方应当按照约定向乙方支付服务费用逾期承担违约责任。";
  }
  const PassageComparison found = Repeats(list, AllChannels());
  ASSERT_EQ(found.passages.size(), 1u);
  EXPECT_EQ(PeriodOf(found.passages.front()), 29u);
  EXPECT_EQ(CountOf(found, EditKind::kSubstituted), 6u);  // it begins behind the first number
}

TEST(Repeats, WhatComesAgainAndAgainHasAPeriod) {
  std::mt19937 random(6);
  const std::string page = JoinCharacters(DrawCharacters(random, 50));
  std::string text;
  for (int i = 0; i < 40; ++i) text += page;
  const PassageComparison found = Repeats(text + std::string(kOther), AllChannels());
  ASSERT_EQ(found.passages.size(), 1u);
  EXPECT_EQ(PeriodOf(found.passages.front()), 50u);
  EXPECT_EQ(found.a_matched, 39 * 50u);
  // The text behind it is equal to itself, and yet is in no repeat.
  EXPECT_EQ(found.passages.front().a_bytes.end.value, text.size());
}

// Edits between the places: what is the same nearby never is the text itself.
TEST(Repeats, NoPieceIsTheTextItself) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    std::string text;
    const std::string piece = JoinCharacters(DrawCharacters(random, 2 + random() % 12));
    for (size_t i = random() % 40; i > 0; --i) {
      text += piece;
      if (random() % 3 == 0) text += JoinCharacters(DrawCharacters(random, random() % 4));
    }
    text += JoinCharacters(DrawCharacters(random, random() % 60));
    Repeats(text);  // checks the places
  }
}

// Ten million symbols of one kind, and pages that come 300 times, take seconds.
TEST(SlowRepeats, OfHostileTextsStayLinear) {
  std::mt19937 random(8);
  const std::string page = JoinCharacters(DrawCharacters(random, 2000));
  std::string pages, one, two;
  for (int i = 0; i < 300; ++i) pages += page;
  for (int i = 0; i < 600'000; ++i) {
    one += "啊";
    two += random() % 2 == 0 ? "啊" : "吧";
  }
  EXPECT_EQ(Repeats(pages).a_matched, 299 * 2000u);
  EXPECT_EQ(Repeats(one).a_matched, 599'999u);
  EXPECT_LT(Repeats(two).passages.size(), 10'000u);
}

}  // namespace
}  // namespace zhiwen
