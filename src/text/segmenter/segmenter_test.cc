#include "zhiwen/segmenter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

// Words with a space between; with tags where they have one.
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

// What jieba 0.42.1 gave; tests/e2e/segment_like_jieba.py asks it.
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
}

TEST(Segmenter, TakesUserDictionariesAsJiebaDoes) {
  const auto segmenter =
      Create({"杭研大厦 nz\n大厦 0\n", "\xEF\xBB\xBFγ射线 3\n 日本京都 5 zz \n"});
  EXPECT_EQ(Joined(*segmenter, "网易杭研大厦", {.tags = true}), "网易/n 杭研大厦/nz");
  EXPECT_EQ(Joined(*segmenter, "大厦"), "大 厦");
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

// What `^(.+?)( [0-9]+)?( [a-z]+)?$` finds, or a part of what FaultOf says.
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

// Characters that the dictionary has many words of, few, or none.
std::string RandomText(std::mt19937& random, size_t characters) {
  static const std::vector<std::string> kParts = {"的", "一", "中", "国", "人", "大", "学",
                                                  "生", "龥", "丂", "北", "京", "a",  "7",
                                                  ".",  "不", "，", " ",  "\n"};
  std::string text;
  for (size_t i = 0; i < characters; ++i) text += kParts[random() % kParts.size()];
  return text;
}

// Chunks are a matter of memory, not of the result.
TEST(TextCutter, CutsLongRunsInChunksAsAWhole) {
  const auto data = SegmenterData::Open(TestLanguage()->sections());
  ASSERT_TRUE(data.has_value());
  const WordModel words(data->word_model, data->word_emissions);
  const TagModel tags(*data);
  Lexicon lexicon;
  lexicon.trie = data->trie;
  lexicon.base_tags = data->word_tags;
  lexicon.tags = data->tags;
  lexicon.log_total = std::log(static_cast<double>(data->head.occurrences));
  lexicon.word_model = &words;
  lexicon.tag_model = &tags;
  const auto cut = [&](TextCutter& cutter, std::string_view text, const SegmentOptions& options) {
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
  TextCutter chunks(TextCutter::Chunks{.block = 16, .model = 3});
  std::mt19937 random(5);
  const std::vector<SegmentOptions> all = {{},
                                           {.hmm = false},
                                           {.mode = SegmentMode::kSearch},
                                           {.mode = SegmentMode::kFull},
                                           {.tags = true}};
  for (int round = 0; round < 40; ++round) {
    std::string text = RandomText(random, 1 + random() % 120);
    if (round % 4 == 0) text = std::string(300, 'x').replace(0, 300, RandomText(random, 100));
    if (round % 5 == 0) {
      for (int i = 0; i < 50; ++i) text += "龥";
    }
    for (const SegmentOptions& options : all) {
      EXPECT_EQ(cut(chunks, text, options), cut(whole, text, options)) << text;
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
  const std::vector<uint64_t> pairs(kPairWords);
  const TrieView trie = {cells, ranks, logs, pairs, 3};
  EXPECT_FALSE(trie.IsSound());  // a code without a rank
  for (size_t i = 1; i < ranks.size(); ++i) ranks[i] = static_cast<uint16_t>(i);
  EXPECT_TRUE(trie.IsSound());
  const uint32_t outside = kLastWordCode + 1;
  const std::vector<std::pair<uint32_t, TrieCell>> sound = {
      {5, {5, 199, 1}}, {6, {6, 100, 0}}, {outside + 98, {outside - 2, 0, 1}}};
  for (const auto& [at, cell] : sound) cells[at] = cell;
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
