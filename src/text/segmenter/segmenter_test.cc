#include "zhiwen/segmenter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/language.h"
#include "text/segmenter/text_cutter.h"
#include "text/segmenter/user_words.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Segmenter> Create(std::vector<std::string> dictionaries = {}) {
  std::vector<UserFile> named;
  for (std::string& content : dictionaries) named.push_back({"words.txt", std::move(content)});
  auto segmenter = Segmenter::Create(TestLanguage(), named);
  EXPECT_TRUE(segmenter.has_value()) << segmenter.error().message;
  return *segmenter;
}

uint64_t BytesInUse() { return mallinfo2().uordblks; }

std::string Repeated(std::string_view piece, size_t times) {
  std::string text;
  while (times-- > 0) text += piece;
  return text;
}

// Joins the words by spaces, with their tags where they have one.
std::string Joined(const Segmenter& segmenter, std::string_view text, SegmentOptions options = {}) {
  std::vector<Token> tokens;
  segmenter.Segment(text, options, tokens);
  std::string joined;
  for (const Token& token : tokens) {
    if (&token != tokens.data()) joined += ' ';
    joined += text.substr(token.bytes.begin.value, token.bytes.size());
    if (!token.tag.empty()) joined.append("/").append(token.tag);
  }
  return joined;
}

// Holds the output of jieba 0.42.1; tests/e2e/segment_like_jieba.py compares with jieba itself.
TEST(Segmenter, CutsAsJiebaDoes) {
  const auto segmenter = Create();
  const std::string text = "他来到了网易杭研大厦";
  EXPECT_EQ(Joined(*segmenter, text), "他 来到 了 网易 杭研 大厦");
  EXPECT_EQ(Joined(*segmenter, text, {.hmm = false}), "他 来到 了 网易 杭 研 大厦");
  EXPECT_EQ(Joined(*segmenter, "日本京都大学", {.mode = SegmentMode::kSearch}),
            "日本 京都 大学 日本京都大学");
  EXPECT_EQ(Joined(*segmenter, "计算所 a", {.mode = SegmentMode::kFull}), "计算 计算所     a");
  EXPECT_EQ(Joined(*segmenter, "小明深造", {.tags = true}), "小明/nr 深造/v");
  EXPECT_EQ(Joined(*segmenter, "3.14%的T恤", {.tags = true}), "3.14/m %/x 的/uj T恤/n");
  EXPECT_EQ(Joined(*segmenter, ""), "");
  EXPECT_EQ(Joined(*segmenter, "\xE4\xBD\r\n\xFF"), "\xE4 \xBD \r\n \xFF");
}

TEST(Segmenter, IsNamedByItsDataAndDictionaries) {
  const auto plain = Create();
  EXPECT_EQ(plain->name(), "segmenter.v1(data=" + TestLanguage()->id() + ")");
  const auto with = Create({"云计算\n"});
  EXPECT_THAT(with->name(), HasSubstr(TestLanguage()->id() + ",user="));
  EXPECT_NE(with->name(), Create({"云计算 5\n"})->name());
  EXPECT_EQ(with->name(), Create({"\uFEFF云计算 \r\n\n"})->name());
  EXPECT_NE(Create({"大厦 0\n", "大厦 5\n"})->name(), Create({"大厦 5\n", "大厦 0\n"})->name());
}

TEST(Segmenter, TakesUserDictionariesAsJiebaDoes) {
  const auto segmenter =
      Create({"杭研大厦 nz\n大厦 0\n", "\xEF\xBB\xBFγ射线 3\n 日本京都 5 zz \n"});
  EXPECT_EQ(Joined(*segmenter, "网易杭研大厦", {.tags = true}), "网易/n 杭研大厦/nz");
  EXPECT_EQ(Joined(*segmenter, "大厦"), "大 厦");
}

// jieba collects letters across a word, and gives them after it: bc ad, and AI AIGC 52024.
TEST(Segmenter, GivesTheTokensOfFullModeInOrder) {
  const SegmentOptions full = {.mode = SegmentMode::kFull};
  const auto letters = Create({"b 5\nbc 5\n"});
  EXPECT_EQ(Joined(*letters, "abcd", full), "a bc d");
  EXPECT_EQ(Joined(*letters, "abc", full), "a bc");
  const auto words = Create({"AI 5 n\nAIGC 5 n\n"});
  EXPECT_EQ(Joined(*words, "5AIGC2024", full), "5 AI AIGC 2024");
}

TEST(Segmenter, NamesFileAndLineOfWhatItCannotRead) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"好\n\xFF\n", "words.txt:2: not valid UTF-8 at byte 1"},
      {"好 99999999999999999999\n", "words.txt:1: the frequency of \"好\" is too large"},
      {"好 9223372036854775807\n", "words.txt:1: the frequency"},
      {"好 5\n\n好 3.5\n", "words.txt:3: \"3.5\" would be a part of the word"},
  };
  for (const auto& [content, message] : cases) {
    const UserFile dictionary = {"words.txt", content};
    const auto made = Segmenter::Create(TestLanguage(), std::span(&dictionary, 1));
    ASSERT_FALSE(made.has_value()) << content;
    EXPECT_EQ(made.error().code, ErrorCode::kUnreadable);
    EXPECT_THAT(made.error().message, HasSubstr(message));
  }
}

// Lines are read as `^(.+?)( [0-9]+)?( [a-z]+)?$` matches them, or refused with a part of the text
// of FaultOf.
TEST(UserWords, AreReadAsTheRegularExpressionReadsThemOrRefused) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"云计算", "云计算||"},
      {"云计算 5 n ", "云计算|5|n"},
      {"\t云计算 n\t", "云计算||n"},
      {"a b 12 nz", "a b|12|nz"},
      {"Hong Kong", "Hong Kong||"},
      {"手机 5G", "手机 5G||"},
      {"a n 12", "a n|12|"},
      {"5 n", "5||n"},
      {"007 007", "007|007|"},
      {"1 2 3", "1 2|3|"},
      {"# 词典", "# 词典||"},
      {"#", "#||"},
      {"a 12 NZ", "\"12\" would be"},
      {"a 12 n zh", "\"12\" would be"},
      {"a 12 名词", "\"12\" would be"},
      {"a 3.5 n", "\"3.5\" would be"},
      {"a -5", "\"-5\" would be"},
      {"a 1e5", "\"1e5\" would be"},
      {"a 1,000 n", "\"1,000\" would be"},
      {"a ５ n", "\"５\" would be"},
      {"a  5", "a second space"},
      {"a  n", "a second space"},
      {"a\t5\tn", "a tab would be a part"},
      {std::string(257, 'a'), "its word has 257 bytes"},
  };
  for (const auto& [line, expected] : cases) {
    const UserWord word = ParseUserWord(line);
    const std::string fault = FaultOf(word);
    if (!fault.empty()) {
      EXPECT_THAT(fault, HasSubstr(expected)) << line;
      continue;
    }
    EXPECT_EQ(
        std::string(word.word) + "|" + std::string(word.frequency) + "|" + std::string(word.tag),
        expected);
  }
}

TEST(Segmenter, StopsWhenItIsCancelled) {
  const auto segmenter = Create();
  const std::string with_spaces = Repeated("他 ", 200'000), in_one_run = Repeated("大学", 200'000);
  for (const std::string& text : {with_spaces, in_one_run}) {
    for (const SegmentMode mode : {SegmentMode::kAccurate, SegmentMode::kFull}) {
      Cancellation cancellation;
      size_t visited = 0;
      const auto visit = [&](std::span<const Token> tokens) {
        visited += tokens.size();
        cancellation.Request(ErrorCode::kInterrupted);
      };
      segmenter->Visit(text, {.mode = mode, .cancellation = &cancellation}, visit);
      EXPECT_GT(visited, 0);
      EXPECT_LT(visited, 20'000);
      const size_t before = visited;
      segmenter->Visit(text, {.mode = mode, .cancellation = &cancellation}, visit);
      EXPECT_EQ(visited, before);
      EXPECT_EQ(Joined(*segmenter, "来到"), "来到");
    }
  }
}

// A word without a frequency gets 1 when it is the beginning of another word, which jieba stores
// with 0; otherwise it gets 2.
TEST(UserWords, HaveBeginningsThatTakeNoMemory) {
  const auto data = SegmenterData::Open(TestLanguage()->sections());
  ASSERT_TRUE(data.has_value());
  UserWords words(*data);
  std::string content;
  for (int i = 0; i < 2000; ++i) content += std::to_string(i) + Repeated("γ", 100) + " 3\n";
  const uint64_t before = BytesInUse();
  ASSERT_TRUE(words.Add({"long.txt", content}).has_value());
  EXPECT_LT(BytesInUse() - before, 8 * content.size());
  ASSERT_TRUE(words.Add({"ends.txt", "ゑひ 5\nゑひ\nゑ\nHongk ng 5\nHongk\nひ\n"}).has_value());
  Lexicon lexicon;
  words.FillLexicon(lexicon);
  const uint64_t added = 2000 * 3 + 5 + 5 + 1 + 5 + 1 + 2;
  EXPECT_EQ(lexicon.log_total, std::log(static_cast<double>(data->head.occurrences + added)));
}

// Makes texts of characters that are in many, few, or none of the dictionary's words.
std::string RandomText(std::mt19937& random, size_t characters) {
  static const std::vector<std::string> kParts = {"的", "一", "中", "国", "人", "大", "学",
                                                  "生", "龥", "丂", "北", "京", "a",  "7",
                                                  ".",  "不", "，", " ",  "\n"};
  std::string text;
  for (size_t i = 0; i < characters; ++i) text += kParts[random() % kParts.size()];
  return text;
}

const std::vector<std::string>& LongWords() {
  static const std::vector<std::string> words = {Repeated("a", 256), Repeated("a", 17),
                                                 Repeated("的国", 40),
                                                 Repeated("一中国人大学生", 3), "的国的国的国人"};
  return words;
}

// Makes texts mostly of long words and halves of such words, one after another.
std::string TextOfLongWords(std::mt19937& random) {
  std::string text;
  for (size_t parts = 1 + random() % 30; parts > 0; --parts) {
    const std::string& word = LongWords()[random() % LongWords().size()];
    text += random() % 3 == 0 ? word.substr(word.size() / 6 * 3) : word;
    if (random() % 4 == 0) text += RandomText(random, 1 + random() % 3);
  }
  return text;
}

// The size of chunks changes memory, not the result. The cutter also serves texts with a changed
// lexicon.
TEST(TextCutter, CutsLongRunsInChunksAsAWhole) {
  const auto data = SegmenterData::Open(TestLanguage()->sections());
  ASSERT_TRUE(data.has_value());
  const WordModel words(data->word_model, data->word_emissions);
  const TagModel tags(*data);
  const Lexicon base = LexiconOf(*data, words, tags);
  UserWords long_words(*data);
  for (const std::string& word : LongWords()) {
    ASSERT_TRUE(long_words.Add({"words.txt", word + " 90000 n"}).has_value());
  }
  Lexicon with_long = base;
  long_words.FillLexicon(with_long);
  const auto cut = [](TextCutter& cutter, const Lexicon& lexicon, std::string_view text,
                      const SegmentOptions& options) {
    std::string joined;
    cutter.Cut(lexicon, text, options, [&](std::span<const Token> tokens) {
      for (const Token& token : tokens) {
        joined += std::to_string(token.bytes.begin.value) + "-" +
                  std::to_string(token.bytes.end.value) + std::string(token.tag) + " ";
      }
    });
    return joined;
  };
  TextCutter whole;
  TextCutter chunks(TextCutter::Chunks{.block = 16, .model = 3, .depths = 1});
  TextCutter blocks(TextCutter::Chunks{.block = 16});
  std::mt19937 random(5);
  const std::vector<SegmentOptions> all = {{},
                                           {.hmm = false},
                                           {.mode = SegmentMode::kSearch},
                                           {.mode = SegmentMode::kFull},
                                           {.tags = true},
                                           {.hmm = false, .tags = true}};
  for (int round = 0; round < 40; ++round) {
    std::string text = RandomText(random, 1 + random() % 120);
    if (round % 4 == 0) text = std::string(300, 'x').replace(0, 300, RandomText(random, 100));
    if (round % 5 == 0) {
      for (int i = 0; i < 50; ++i) text += "龥";
    }
    if (round % 3 == 0) text = TextOfLongWords(random);
    for (const SegmentOptions& options : all) {
      for (const Lexicon* const lexicon :
           std::initializer_list<const Lexicon*>{&base, &with_long}) {
        const std::string expected = cut(whole, *lexicon, text, options);
        EXPECT_EQ(cut(chunks, *lexicon, text, options), expected) << text;
        EXPECT_EQ(cut(blocks, *lexicon, text, options), expected) << text;
      }
    }
  }
}

TEST(WordTrie, HoldsWhatWasInserted) {
  std::vector<uint16_t> ranks(kLastWordCode + 1);
  for (size_t i = 0; i < ranks.size(); ++i) ranks[i] = static_cast<uint16_t>(i);
  WordTrie trie(ranks);
  std::map<std::vector<uint32_t>, uint64_t> expected;
  std::mt19937 random(3);
  for (uint64_t i = 1; i <= 3000; ++i) {
    std::vector<uint32_t> codes;
    for (size_t left = 1 + random() % 4; left > 0; --left) {
      codes.push_back(1 + static_cast<uint32_t>(random() % 40));
    }
    trie.SetFrequency(trie.Insert(codes), i);
    expected[codes] = i;
  }
  ASSERT_TRUE(trie.view().IsSound());
  for (const auto& [codes, frequency] : expected) {
    uint32_t cell = TrieView::kRoot;
    for (const uint32_t code : codes) cell = trie.view().Step(cell, code);
    EXPECT_EQ(trie.frequency(cell), frequency);
    EXPECT_TRUE(codes.size() == 1 || trie.view().MayBeginWith(codes[0], codes[1]));
  }
}

TEST(WordTrie, IsUnsoundWhenAStepLeadsOutside) {
  std::vector<uint16_t> ranks(kLastWordCode + 1);
  std::vector<TrieCell> cells(kLastWordCode + 200);
  const std::vector<double> logs = {0, 1};
  std::vector<uint64_t> pairs(kPairWords);
  TrieView trie = {cells, ranks, logs, pairs, 1};
  EXPECT_FALSE(trie.IsSound());  // a code without a rank
  for (size_t i = 1; i < ranks.size(); ++i) ranks[i] = static_cast<uint16_t>(i);
  EXPECT_TRUE(trie.IsSound());
  const uint32_t outside = kLastWordCode + 1;
  const std::vector<std::pair<uint32_t, TrieCell>> sound = {
      {5, {5, 199, 1}}, {6, {6, 100, 0}}, {outside + 98, {outside - 2, 0, 1}}};
  for (const auto& [at, cell] : sound) cells[at] = cell;
  EXPECT_FALSE(trie.IsSound());  // a word is longer than `depth`
  trie.depth = 3;
  EXPECT_FALSE(trie.IsSound());  // no word is as long as `depth`
  trie.depth = 2;
  EXPECT_FALSE(trie.IsSound());  // a pair without its bit
  const uint32_t bit = PairBit(6, outside - 2);
  pairs[bit / 64] |= uint64_t{1} << bit % 64;
  EXPECT_TRUE(trie.IsSound());
  const std::vector<std::pair<uint32_t, TrieCell>> unsound = {
      {5, {5, 200, 1}},                           // a base from which a step leads outside
      {5, {5, 199, 2}},                           // a frequency that is not there
      {5, {5, 100, 0}},                           // the base of another
      {5, {4, 0, 0}},                             // not where the step from the root leads
      {outside + 99, {outside - 2, 0, 0}},        // a child of none
      {outside + 99, {0, 0, 0}},                  // a step by no rank
      {outside + 99, {outside, 0, 0}},            // a rank of no character
      {outside + 99, {TrieCell::kFree, 120, 0}},  // a base of a free cell
      {0, {TrieCell::kFree, 7, 0}},               // a root with a base
  };
  for (const auto& [at, cell] : unsound) {
    const TrieCell before = std::exchange(cells[at], cell);
    EXPECT_FALSE(trie.IsSound()) << at << " " << cell.rank() << " " << cell.base();
    cells[at] = before;
    EXPECT_TRUE(trie.IsSound());
  }
}

}  // namespace
}  // namespace zhiwen
