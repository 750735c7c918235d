#include "zhiwen/terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "feature/terms/fake_segmenter_test_support.h"

namespace zhiwen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::shared_ptr<const Synonyms> SynonymsOf(const std::string& content) {
  auto parsed = Synonyms::Parse({"syn.txt", content});
  EXPECT_TRUE(parsed.has_value()) << parsed.error().message;
  return *parsed;
}

std::vector<std::string> TermsOf(const TermExtractor& extractor, std::string_view text) {
  std::vector<std::string> terms;
  extractor.VisitTerms(text, [&](const TermOccurrence& term) { terms.emplace_back(term.text); });
  return terms;
}

// A text with its synonyms replaced. Each byte has the source bytes that it was made from.
struct Replacement {
  std::string text;
  std::vector<ByteSpan> sources;

  void Copy(const std::string& source, size_t begin, size_t end) {
    text.append(source, begin, end - begin);
    for (size_t at = begin; at < end; ++at) sources.push_back({{at}, {at + 1}});
  }
  void Write(std::string_view word, ByteSpan source) {
    text += word;
    sources.resize(text.size(), source);
  }
};

Replacement ReplaceIn(const Synonyms& synonyms, const std::string& source) {
  Replacement result;
  uint64_t at = 0;
  while (const auto match = synonyms.FindNext(source, at)) {
    result.Copy(source, at, match->source.begin.value);
    result.Write(synonyms.canonical()[match->canonical], match->source);
    at = match->source.end.value;
  }
  result.Copy(source, at, source.size());
  return result;
}

TEST(Synonyms, AreReplacedLeftmostLongest) {
  const auto synonyms = SynonymsOf(
      "# names\r\n华联商厦\t北京华联\t华联\r\n\n人工智能\tAI\n甲\t子丑\t丑寅卯\nx\tC++\n");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"我在北京华联买", "我在华联商厦买"},
      {"华联商厦和华联", "华联商厦和华联商厦"},  // a canonical word stays as it is
      {"北京华", "北京华"},
      {"华联华联", "华联商厦华联商厦"},
      {"子丑寅卯", "甲寅卯"},  // the leftmost word wins over a longer one
      {"AIR 学AI。AI", "AIR 学人工智能。人工智能"},
      {"C++11 C++", "x11 x"},  // a sign at its end ends a word
      {"AI\xFF北京华联", "人工智能\xFF华联商厦"},
      {"", ""}};
  for (const auto& [text, wanted] : cases) {
    EXPECT_EQ(ReplaceIn(*synonyms, text).text, wanted) << text;
  }
  EXPECT_EQ(ReplaceIn(*SynonymsOf(""), "北京华联").text, "北京华联");
}

// Tries every word at every place and takes the longest.
Replacement ReplaceSlowly(const std::vector<std::pair<std::string, std::string>>& words,
                          const std::string& source) {
  Replacement result;
  for (size_t at = 0; at < source.size();) {
    const std::pair<std::string, std::string>* best = nullptr;
    for (const auto& word : words) {
      const bool here = source.compare(at, word.first.size(), word.first) == 0;
      if (here && (best == nullptr || word.first.size() > best->first.size())) best = &word;
    }
    const size_t end = at + (best == nullptr ? 1 : best->first.size());
    if (best == nullptr || best->first == best->second) {
      result.Copy(source, at, end);
    } else {
      result.Write(best->second, {{at}, {end}});
    }
    at = end;
  }
  return result;
}

TEST(Synonyms, ReplaceAndMapAsTheSlowForm) {
  const std::vector<std::pair<std::string, std::string>> words = {
      {"天", "地人"}, {"天地", "天地"}, {"地天地", "天地"}, {"人人天", "地人"}, {"地人", "地人"}};
  const auto synonyms = SynonymsOf("地人\t天\t人人天\n天地\t地天地\n");
  const std::vector<std::string> letters = {"天", "地", "人"};
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string source;
    for (size_t i = random() % 12; i > 0; --i) source += letters[random() % letters.size()];
    const Replacement slow = ReplaceSlowly(words, source);
    const Replacement fast = ReplaceIn(*synonyms, source);
    ASSERT_EQ(fast.text, slow.text) << source;
    ASSERT_TRUE(fast.sources == slow.sources) << source;
  }
}

TEST(Synonyms, AreRefusedWithTheLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"甲\t乙\n丙\n", "syn.txt:2: it has one word only"},
      {"甲\t乙\t\n", "syn.txt:1: it has an empty word"},
      {"甲\t \t乙\n", "syn.txt:1: it has an empty word"},
      {"甲\t乙\u3000\n", "syn.txt:1: it has the white space U+3000"},
      {"甲\t甲\n", "syn.txt:1: \"甲\" replaces itself"},
      {"甲\t乙\n#\n丙\t乙\n", "syn.txt:3: \"乙\" is on line 1 already"},
      {"甲\t乙\n乙\t丙\n", "syn.txt:1: \"乙\" is replaced here and replaces others on line 2"},
      {"甲\t乙\n乙\t甲\n", "replaces others"},
      {"甲\t" + std::string(257, 'a'), "syn.txt:1: it has a word of more than 256 bytes"}};
  for (const auto& [content, wanted] : cases) {
    const auto parsed = Synonyms::Parse({"syn.txt", content});
    ASSERT_FALSE(parsed.has_value()) << content;
    EXPECT_EQ(parsed.error().code, ErrorCode::kUnreadable);
    EXPECT_THAT(parsed.error().message, HasSubstr(wanted));
  }
}

TEST(Synonyms, AreIdentifiedByWhatTheyReplace) {
  const auto id = [](const std::string& content) { return SynonymsOf(content)->id(); };
  EXPECT_EQ(id("甲\t乙\t丙\n丁\t戊\n"), id("# other lines\n丁\t戊\n甲\t丙\n甲\t乙\n"));
  EXPECT_NE(id("甲\t乙\n"), id("乙\t甲\n"));
  EXPECT_EQ(id("甲\t乙\n").size(), 16u);
  EXPECT_EQ(
      SynonymsOf("甲\t乙\nNew York\t丙\n哈利·波特\t丁\nT-shirt\t戊\n")->canonical_words().content,
      "甲\n");
}

TEST(StopWords, AreReadFromLinesWhateverTheCase) {
  const auto words = StopWords::Parse({"stop.txt", "\xEF\xBB\xBF的\n# 了\n The \n的\n"});
  ASSERT_TRUE(words.has_value());
  EXPECT_EQ((*words)->size(), 2u);
  for (const char* word : {"的", "the", "THE"}) EXPECT_TRUE((*words)->Contains(word)) << word;
  for (const char* word : {"了", "", "then"}) EXPECT_FALSE((*words)->Contains(word)) << word;
  const auto refused = StopWords::Parse({"stop.txt", "的\n的 了\n"});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("stop.txt:2: it has several words"));
  EXPECT_FALSE(StopWords::Parse({"stop.txt", "市民\u3000\n"}).has_value());
  for (const char* word : {"的", "因为", "And", "我们"}) {
    EXPECT_TRUE(StopWords::Usual()->Contains(word)) << word;
  }
  EXPECT_FALSE(StopWords::Usual()->Contains("北京"));
}

TEST(TermExtractor, TakesTokensWithALetterOrDigit) {
  const TermExtractor extractor(std::make_shared<FakeSegmenter>());
  EXPECT_THAT(TermsOf(extractor,
                      "北京 。 3.14 C++ — Ω か 한 ， ① ㎏ \u3000 々 😀 % _ a\xFF"
                      "b \xFF 龘 𠮷"),
              ElementsAre("北京", "3.14", "C++", "Ω", "か", "한", "①", "㎏", "々", "龘", "𠮷"));
  EXPECT_THAT(TermsOf(extractor, "乙 " + std::string(257, 'a') + " " + std::string(256, 'b')),
              ElementsAre("乙", std::string(256, 'b')));
  EXPECT_THAT(TermsOf(extractor, ""), IsEmpty());
}

TEST(TermExtractor, MakesSynonymsEqual) {
  const auto synonyms = SynonymsOf("华联商厦\t北京华联\n");
  const TermExtractor extractor(std::make_shared<FakeSegmenter>(), synonyms);
  EXPECT_EQ(TermsOf(extractor, "我/v 在/v 北京华联 买/v"), TermsOf(extractor, "我 在 华联商厦 买"));
  EXPECT_EQ(extractor.name(), "terms.v1(segmenter=segmenter.fake,synonyms=" + synonyms->id() + ")");
  const std::string text = "在/v 北京华联 买/v";
  std::vector<std::string> sources, tags;
  extractor.VisitTerms(text, [&](const TermOccurrence& term) {
    sources.push_back(text.substr(term.source.begin.value, term.source.size()));
    tags.emplace_back(term.tag);
  });
  EXPECT_THAT(sources, ElementsAre("在", "北京华联", "买"));
  EXPECT_THAT(tags, ElementsAre("v", "nz", "v"));  // a declared word without a tag is a name
}

// 学生意 is segmented as 学生 and 意.
TEST(TermExtractor, AReplacedWordIsATermWhateverIsBesideIt) {
  const TermExtractor extractor(std::make_shared<FakeSegmenter>(), SynonymsOf("生意\t买卖\n"));
  EXPECT_THAT(TermsOf(extractor, "学买卖人买卖买卖 生意/n"),
              ElementsAre("学", "生意", "人", "生意", "生意", "生意"));
}

TEST(TermExtractor, OfCharactersTakesThoseOfGb2312WithTheirBytes) {
  const std::string text = "a知\xFF紋之,之";
  std::string seen;
  TermExtractor::OfCharacters()->VisitTerms(text, [&](const TermOccurrence& term) {
    EXPECT_EQ(term.text,
              std::string_view(text).substr(term.source.begin.value, term.source.size()));
    EXPECT_EQ(term.tag, "");
    seen += std::string(term.text) + " ";
  });
  EXPECT_EQ(seen, "知 之 之 ");
}

TEST(TermExtractor, StopsInsideOfATextWhenItIsCancelled) {
  const TermExtractor extractor(std::make_shared<FakeSegmenter>(), SynonymsOf("生意\t买卖\n"));
  for (const char* text : {"甲 乙 丙 丁 戊 己", "买卖买卖买卖买卖"}) {
    Cancellation cancellation;
    size_t visited = 0;
    const auto visit = [&](const TermOccurrence&) {
      ++visited;
      cancellation.Request(ErrorCode::kInterrupted);
    };
    extractor.VisitTerms(text, visit, &cancellation);
    EXPECT_LE(visited, 2u) << text;
    EXPECT_THAT(extractor.Count(text, &cancellation), IsEmpty());
  }
}

TEST(TermExtractor, ACanonicalWordThatIsNoTokenIsOneTerm) {
  const TermExtractor extractor(std::make_shared<FakeSegmenter>(),
                                SynonymsOf("哈利·波特\t哈里波特\tHarry Potter\n罗琳\t罗林\n"));
  for (const char* text : {"看 哈里波特 书", "看哈利·波特书", "看 Harry Potter书"}) {
    EXPECT_THAT(TermsOf(extractor, text), ElementsAre("看", "哈利·波特", "书")) << text;
  }
  std::vector<std::string> seen;
  const std::string text = "罗林写/v 哈利·波特哈里波特Harry Potters";
  extractor.VisitTerms(text, [&](const TermOccurrence& term) {
    seen.push_back(text.substr(term.source.begin.value, term.source.size()) + "=" +
                   std::string(term.text) + "/" + std::string(term.tag));
  });
  EXPECT_THAT(seen, ElementsAre("罗林=罗琳/nz", "写=写/v", "哈利·波特=哈利·波特/nz",
                                "哈里波特=哈利·波特/nz", "Harry=Harry/x", "Potters=Potters/x"));
}

TEST(TermExtractor, CountsInTheOrderOfFirstOccurrences) {
  const TermExtractor extractor(std::make_shared<FakeSegmenter>());
  const std::vector<Term> terms = extractor.Count("乙/n 甲/v 乙/v 。 乙/n");
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(terms[0].text, "乙");
  EXPECT_EQ(terms[0].tag, "n");
  EXPECT_EQ(terms[0].count, 3u);
  EXPECT_EQ(terms[1].text, "甲");
  EXPECT_EQ(terms[1].count, 1u);
}

std::vector<std::string> Names(const std::vector<Keyword>& keywords) {
  std::vector<std::string> names;
  for (const Keyword& keyword : keywords) names.push_back(keyword.term.text);
  return names;
}

TEST(Keywords, AreRankedByCountAndTag) {
  const TermExtractor extractor(std::make_shared<FakeSegmenter>());
  const auto top = [&](std::string_view text, const KeywordOptions& options) {
    return Names(RankKeywords(extractor.Count(text), nullptr, options));
  };
  const std::string text = "发展/v 城市/n 北京/ns 发展/v 我们/x 我们/x 我们/x 楼/n 楼/n 广州/ns";
  const KeywordOptions usual{.count = 3, .stop_words = StopWords::Usual().get()};
  // 发展 weighs 2 · 16, 北京 and 广州 weigh 32; equal weights are in order of code points.
  EXPECT_THAT(top(text, usual), ElementsAre("北京", "发展", "广州"));
  EXPECT_THAT(top(text, {.count = 2, .least_code_points = 1}), ElementsAre("我们", "楼"));
  EXPECT_THAT(top(text, {.count = 100}), ElementsAre("我们", "北京", "发展", "广州", "城市"));
  EXPECT_THAT(top(text, {.count = 0}), IsEmpty());
  EXPECT_THAT(top("。 ，", usual), IsEmpty());

  const auto keywords = RankKeywords(extractor.Count("北京/ns 城市/n"), nullptr, {});
  EXPECT_DOUBLE_EQ(keywords[0].weight, 0.5 * 2);
}

TEST(Keywords, WeighTagsByClass) {
  const TagWeights weights{.proper = 4, .noun = 3, .other = 2, .function = 1};
  const std::vector<std::pair<uint32_t, std::vector<std::string>>> cases = {
      {4, {"ns", "nr", "nt", "nz", "nrt", "nrfg"}},
      {3, {"n", "ng", "j", "eng"}},
      {2, {"v", "vn", "a", "l", "i", "t", "s", "x", ""}},
      {1, {"uj", "p", "r", "d", "m", "q", "c", "y"}}};
  for (const auto& [weight, tags] : cases) {
    for (const std::string& tag : tags) EXPECT_EQ(weights.Of(tag), weight) << tag;
  }
}

}  // namespace
}  // namespace zhiwen
