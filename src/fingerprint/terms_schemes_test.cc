// Tests schemes over words: keywords, and SimHash over terms and shingles of words.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "base/digest.h"
#include "base/string_hash.h"
#include "base/value_bytes.h"
#include "fingerprint/feature_hash.h"
#include "fingerprint/scheme_test_support.h"
#include "support/language.h"
#include "zhiwen/channel.h"
#include "zhiwen/scheme.h"
#include "zhiwen/sentences.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A text of tagged words, with its terms counted and weighed separately.
struct Drawn {
  std::string text;
  std::map<std::string, uint64_t> scores;
  std::vector<std::string> words;
};

Drawn DrawText(std::mt19937& random, bool has_tags) {
  struct Word {
    std::string word, tag;
    uint64_t weight;
  };
  static const std::vector<Word> kWords = {
      {"北京", "ns", 32},    {"指纹", "n", 24}, {"检测", "v", 16}, {"张三", "nr", 32},
      {"文本", "n", 24},     {"重复", "v", 16}, {"美丽", "a", 16}, {"三百", "m", 8},
      {"engine", "eng", 24}, {"的", "uj", 8},   {"上海", "ns", 32}};
  Drawn drawn;
  for (size_t count = random() % 40; count > 0; --count) {
    const Word& word = kWords[random() % kWords.size()];
    drawn.text += word.word + "/" + word.tag + " ";
    drawn.words.push_back(word.word);
    if (word.word != "的") drawn.scores[word.word] += 65536 * (has_tags ? word.weight : 16);
  }
  return drawn;
}

// Follows the steps of the source one after another.
std::vector<std::string> HeaviestOf(const Drawn& drawn, size_t n) {
  std::vector<std::pair<uint64_t, std::string>> ranked;
  for (const auto& [word, score] : drawn.scores) ranked.emplace_back(score, word);
  std::ranges::sort(ranked, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  if (ranked.size() > n) ranked.resize(n);
  std::vector<std::string> words;
  for (const auto& [score, word] : ranked) words.push_back(word);
  return words;
}

TEST(KeywordsScheme, EqualsTheStepsOfTheSource) {
  std::mt19937 random(1);
  const SchemeResources resources = {.terms = FakeTerms()};
  for (int round = 0; round < 300; ++round) {
    const bool has_tags = random() % 2 == 0;
    const Drawn drawn = DrawText(random, has_tags);
    const size_t n = 1 + random() % 8;
    const std::string rest = fmt::format("n={},tags={}", n, has_tags ? "yes" : "no");
    const std::vector<std::string> heaviest = HeaviestOf(drawn, n);
    std::vector<std::string> sorted = heaviest;
    std::ranges::sort(sorted);
    const std::string joined = fmt::format("{}", fmt::join(sorted, "\x1F"));
    const auto value = [&](std::string_view more) {
      return ComputeFingerprint(fmt::format("keywords({}{})", rest, more), drawn.text, resources);
    };
    if (heaviest.empty()) {
      EXPECT_FALSE(HasValue(value("")));
      continue;
    }
    EXPECT_EQ(PrintFingerprint(value("")),
              fmt::format("{:02x}", fmt::join(ComputeMd5(joined), "")));
    EXPECT_EQ(PrintFingerprint(value(",hash=murmur64a,seed=5")),
              fmt::format("{:016x}", Murmur64A(joined, 5)));
    EXPECT_EQ(PrintFingerprint(value(",hash=lookup3ycs64")),
              fmt::format("{:016x}", Lookup3Ycs64(joined, 0)));
    WeightedTerms list;
    for (const std::string& word : heaviest) list.push_back({word, drawn.scores.at(word)});
    EXPECT_EQ(value(",form=list"), Fingerprint(list));
  }
}

// 语义指纹: "北京华联"和"华联商厦"可以看成相同意义的词.
TEST(KeywordsScheme, TakesSynonymsForOneWord) {
  constexpr std::string_view kBeijing = "开业之初,比这还要多的质疑的声音环绕在北京华联决策者的周围";
  constexpr std::string_view kStore = "开业之初,比这还要多的质疑的声音环绕在华联商厦决策者的周围";
  const auto synonyms = *Synonyms::Parse({"syn.txt", "华联商厦\t北京华联\n"});
  const UserFile words = synonyms->canonical_words();
  const auto segmenter = *Segmenter::Create(TestLanguage(), std::array{words});
  const SchemeResources with = {.terms = std::make_shared<TermExtractor>(segmenter, synonyms)};
  const SchemeResources without = {.language = TestLanguage()};
  for (const std::string_view name :
       {"keywords", "keywords(form=list)", "keywords(hash=lookup3ycs64)",
        "simhash64(feature=term,hash=sdbm)", "shingles(shingle(k=3,unit=word))"}) {
    EXPECT_EQ(ComputeFingerprint(name, kBeijing, with), ComputeFingerprint(name, kStore, with))
        << name;
    EXPECT_NE(ComputeFingerprint(name, kBeijing, without),
              ComputeFingerprint(name, kStore, without))
        << name;
  }
}

TEST(KeywordsScheme, OnFoldedIsThatOfTheWordsFolded) {
  const SchemeResources resources = {.terms = FakeTerms()};
  const std::string traditional = "語義/n 指紋/n ENGINE/eng";
  const std::string simplified = "语义/n 指纹/n engine/eng";
  EXPECT_EQ(ComputeFingerprint("keywords(channel=folded)", traditional, resources),
            ComputeFingerprint("keywords(channel=folded)", simplified, resources));
  EXPECT_NE(ComputeFingerprint("keywords", traditional, resources),
            ComputeFingerprint("keywords", simplified, resources));
}

// For every scheme that ranks terms, terms that are equal on the channel count as one.
TEST(TermPart, CountsTermsTogetherThatAreOneOnTheChannel) {
  const SchemeResources resources = {.terms = FakeTerms()};
  const std::string two =
      "指纹/n 指纹/n 上海/ns 检测/v 检测/v 检测/v 上海/ns 指紋/n 指紋/n 北京/ns";
  std::string one = two;
  for (size_t at; (at = one.find("紋")) != std::string::npos;) one.replace(at, 3, "纹");
  for (const std::string_view name :
       {"keywords(channel=folded,n=2,tags=no)", "keywords(channel=folded,form=list,n=2,tags=no)",
        "simhash64(channel=folded,feature=term,weight=distinct)",
        "simhash64(channel=folded,feature=term(2))", "vector(channel=folded,feature=term(2))",
        "frequent_words(channel=folded,feature=term(2))", "metadata(n=2)"}) {
    EXPECT_EQ(ComputeFingerprint(name, two, resources), ComputeFingerprint(name, one, resources))
        << name;
  }
  EXPECT_EQ(ComputeFingerprint("keywords(channel=folded,form=list,n=2,tags=no)", two, resources),
            Fingerprint(WeightedTerms{{"指纹", 4 * 65536 * 16}, {"检测", 3 * 65536 * 16}}));
}

TEST(TermPart, LeavesOutWhatHasNoSymbolOnTheChannel) {
  const SchemeResources resources = {.language = TestLanguage(), .terms = FakeTerms()};
  for (const std::string_view name :
       {"keywords(channel=phonemes)", "keywords(channel=phonemes,form=list)",
        "keywords(channel=phonemes,hash=murmur64a)"}) {
    EXPECT_FALSE(HasValue(ComputeFingerprint(name, "quick/eng brown/eng", resources))) << name;
    EXPECT_EQ(ComputeFingerprint(name, "quick/eng 指纹/n", resources),
              ComputeFingerprint(name, "brown/eng 指纹/n", resources))
        << name;
  }
}

TEST(KeywordsScheme, RefusesWhatDoesNotGoTogether) {
  const auto error_of = [](std::string_view name) {
    const auto scheme = Scheme::Create(name, {.terms = FakeTerms()});
    return scheme ? std::string("none") : scheme.error().message;
  };
  EXPECT_THAT(error_of("keywords(seed=1)"), HasSubstr("md5 has no seed"));
  EXPECT_THAT(error_of("keywords(form=list,hash=murmur64a)"), HasSubstr("a list is not hashed"));
  EXPECT_THAT(error_of("keywords(n=0)"), HasSubstr("n cannot be \"0\""));
  EXPECT_THAT(error_of("simhash64(weight=tfidf)"), HasSubstr("document frequencies"));
}

TEST(SimhashScheme, OverTermsEqualsTheStepsOfTheSource) {
  std::mt19937 random(2);
  const SchemeResources resources = {.terms = FakeTerms()};
  for (int round = 0; round < 200; ++round) {
    const Drawn drawn = DrawText(random, false);
    const size_t top = random() % 6;
    for (const uint32_t bits : {32u, 64u, 128u}) {
      for (const std::string_view hash : kFeatureHashes) {
        std::array<int64_t, 128> sums = {};
        for (const std::string& word : HeaviestOf(drawn, top == 0 ? SIZE_MAX : top)) {
          const Hash128 code = FindFeatureHash(hash, bits)(word);
          const auto score = static_cast<int64_t>(drawn.scores.at(word));
          for (size_t bit = 0; bit < 128; ++bit) {
            const uint64_t half = bit < 64 ? code.low : code.high;
            sums[bit] += (half >> bit % 64 & 1) != 0 ? score : -score;
          }
        }
        std::string hex;
        for (size_t digit = bits / 4; digit-- > 0;) {
          uint32_t value = 0;
          for (size_t bit = 0; bit < 4; ++bit) value |= uint32_t{sums[4 * digit + bit] > 0} << bit;
          hex += fmt::format("{:x}", value);
        }
        const std::string name =
            fmt::format("simhash{}(channel=exact,feature=term({}),hash={})", bits, top, hash);
        EXPECT_EQ(PrintFingerprint(ComputeFingerprint(name, drawn.text, resources)),
                  drawn.scores.empty() ? "none" : hex)
            << name;
      }
    }
  }
}

TEST(SimhashScheme, OfFewerBitsOrOtherHashesEqualsTheSums) {
  constexpr std::string_view kCat = "the cat sat on the mat";
  for (const bool is_distinct : {false, true}) {
    std::vector<std::string> features;
    for (size_t i = 0; i + 2 <= kCat.size(); ++i) {
      const std::array<uint32_t, 2> symbols = {static_cast<uint8_t>(kCat[i]),
                                               static_cast<uint8_t>(kCat[i + 1])};
      features.emplace_back(reinterpret_cast<const char*>(symbols.data()), 8);
    }
    std::ranges::sort(features);
    // S3 takes 15 distinct ones.
    if (is_distinct) features.erase(std::ranges::unique(features).begin(), features.end());
    EXPECT_EQ(features.size(), is_distinct ? 15u : 21u);
    for (const std::string_view hash : kFeatureHashes) {
      std::array<int, 32> sums = {};
      for (const std::string& feature : features) {
        const uint64_t code = FindFeatureHash(hash, 32)(feature).low;
        for (size_t bit = 0; bit < 32; ++bit) sums[bit] += (code >> bit & 1) != 0 ? 1 : -1;
      }
      uint32_t simhash = 0;
      for (size_t bit = 0; bit < 32; ++bit) simhash |= uint32_t{sums[bit] > 0} << bit;
      const std::string name =
          fmt::format("simhash32(channel=exact,feature=shingle(2),hash={},weight={})", hash,
                      is_distinct ? "distinct" : "tf");
      EXPECT_EQ(PrintFingerprint(ComputeFingerprint(name, kCat, {})),
                fmt::format("{:08x}", simhash))
          << name;
    }
  }
}

using Unit = std::pair<std::string, ByteSpan>;

// Applies S0 directly: every window of every sequence on its own.
SelectedShingles WinnowSlowly(const std::vector<std::vector<Unit>>& runs, size_t k, size_t window) {
  constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
  constexpr uint64_t kBase = 0x12A9B4F7C3D1E865 % kPrime;
  SelectedShingles selected;
  uint64_t first = 0;
  for (const auto& run : runs) {
    SelectedShingles blocks;
    for (size_t i = 0; i + k <= run.size(); ++i) {
      __extension__ unsigned __int128 hash = 0;
      for (size_t j = i; j < i + k; ++j) {
        const uint64_t unit = XXH3_64bits(run[j].first.data(), run[j].first.size());
        hash = (hash * kBase + unit % kPrime) % kPrime;
      }
      blocks.push_back({static_cast<uint64_t>(hash),
                        first + i,
                        {run[i].second.begin, run[i + k - 1].second.end}});
    }
    for (size_t begin = 0; begin + window <= blocks.size(); ++begin) {
      const SelectedShingle* least = &blocks[begin];
      for (size_t i = begin; i < begin + window; ++i) {
        if (blocks[i].hash <= least->hash) least = &blocks[i];
      }
      if (selected.empty() || selected.back() != *least) selected.push_back(*least);
    }
    first += run.size();
  }
  return selected;
}

TEST(WinnowingScheme, EqualsTheSourceInBothScopes) {
  std::mt19937 random(4);
  const SchemeResources resources = {.terms = FakeTerms()};
  for (int round = 0; round < 300; ++round) {
    const size_t k = 1 + random() % 3;
    const size_t g = k + random() % 4;
    std::string text;
    std::vector<std::vector<Unit>> sentences;
    for (size_t sentence = random() % 5; sentence > 0; --sentence) {
      sentences.emplace_back();
      for (size_t words = random() % 12; words > 0; --words) {
        const std::string word = random() % 2 == 0 ? "指纹" : "重复";
        sentences.back().push_back({word, {{text.size()}, {text.size() + word.size()}}});
        text += word + "/n ";
      }
      text += "。/x ";
    }
    const auto value = [&](std::string_view scope) {
      const std::string name =
          fmt::format("winnowing(channel=exact,g={},k={},scope={},unit=word)", g, k, scope);
      const Fingerprint fingerprint = ComputeFingerprint(name, text, resources);
      const auto* selected = std::get_if<SelectedShingles>(&fingerprint);
      return selected == nullptr ? SelectedShingles() : *selected;
    };
    EXPECT_EQ(value("sentence"), WinnowSlowly(sentences, k, g - k + 1)) << text;
    std::vector<Unit> all;
    for (const auto& sentence : sentences) all.insert(all.end(), sentence.begin(), sentence.end());
    const size_t blocks = all.size() < k ? 0 : all.size() - k + 1;
    const size_t window = std::max<size_t>(1, std::min(g - k + 1, blocks));
    EXPECT_EQ(value("text"), WinnowSlowly({all}, k, window)) << text;
  }
}

// Draws sentences in many lines, one of them longer than the part processed at once.
std::string DrawLines(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {"知", "文",   "是",   "一", "个", "，",
                                                   " ",  "。",   "！」", "\n", "“",  "？\n",
                                                   "\"", "\r\n", "AB",   "3."};
  std::string text;
  while (text.size() < 140'000) {
    const bool is_long = text.size() > 5'000 && text.size() < 75'000;
    text += kPieces[random() % 3 == 0 ? random() % (is_long ? 9 : 16) : random() % 5];
  }
  return text + "。\n \n";
}

// Winnows the whole text at once, and adds the sentences of at least three words.
SelectedShingles WinnowWholeText(const Channel& channel, std::string_view text, bool is_by_sentence,
                                 size_t k, size_t window) {
  const SpannedSymbols read = *ComputeSymbols(channel, text);
  std::vector<Unit> units;
  for (size_t i = 0; i < read.symbols.size(); ++i) {
    units.emplace_back(BytesOfValue(read.symbols[i]), read.spans[i]);
  }
  SelectedShingles selected;
  std::vector<std::vector<Unit>> runs;
  std::vector<bool> is_kept;  // whether the sentence of each unit is kept
  size_t first = 0;
  const auto terms = FakeTerms();
  VisitSentences(text, {}, [&](ByteSpan sentence) {
    std::vector<Unit>& run = runs.emplace_back();
    std::string hashes;
    const size_t begin = first;
    for (; first < units.size() && units[first].second.begin < sentence.end; ++first) {
      run.push_back(units[first]);
      hashes += BytesOfValue(XXH3_64bits(units[first].first.data(), units[first].first.size()));
    }
    size_t words = 0;
    terms->VisitTerms(text.substr(sentence.begin.value, sentence.size()),
                      [&](const TermOccurrence&) { ++words; });
    is_kept.resize(first, words >= 3);
    if (run.empty() || words < 3) return;
    selected.push_back({XXH3_64bits(hashes.data(), hashes.size()),
                        begin,
                        {run.front().second.begin, run.back().second.end}});
  });
  if (!is_by_sentence) runs = {units};
  SelectedShingles blocks = WinnowSlowly(runs, k, window);
  std::erase_if(blocks, [&](const SelectedShingle& block) {
    return is_by_sentence && !is_kept[block.position];
  });
  selected.insert(selected.end(), blocks.begin(), blocks.end());
  std::ranges::stable_sort(selected, {}, &SelectedShingle::position);
  return selected;
}

TEST(WinnowingScheme, OfALongTextEqualsThatOfTheWhole) {
  std::mt19937 random(5);
  const SchemeResources resources = {.terms = FakeTerms()};
  const std::string text = DrawLines(random);
  for (const Channel& channel : {ExactChannel(), FoldedChannel()}) {
    for (const std::string_view scope : {"text", "sentence"}) {
      const std::string name = fmt::format(
          "winnowing(channel={},g=5,k=2,scope={},sentences=sentence(noise=3,stop_words=none))",
          channel == ExactChannel() ? "exact" : "folded", scope);
      const auto selected = std::get<SelectedShingles>(ComputeFingerprint(name, text, resources));
      EXPECT_TRUE(selected == WinnowWholeText(channel, text, scope == "sentence", 2, 4)) << name;
    }
  }
}

TEST(WinnowingScheme, KeepsSentencesWithEnoughWords) {
  const SchemeResources resources = {.terms = FakeTerms()};
  const std::string text = "我们/n 的/uj 指纹/n 。/x 指纹/n 检测/v 重复/v 文本/n 。/x";
  const auto selected = std::get<SelectedShingles>(ComputeFingerprint(
      "winnowing(channel=exact,g=9,k=9,sentences=sentence(noise=3),unit=word)", text, resources));
  ASSERT_EQ(selected.size(), 1u);
  EXPECT_EQ(selected[0].position, 3u);
  EXPECT_EQ(text.substr(selected[0].source.begin.value, selected[0].source.size()),
            "指纹/n 检测/v 重复/v 文本");
  const auto positions = [&](std::string_view scope) {
    const std::string name = fmt::format(
        "winnowing(channel=exact,g=2,k=2,scope={},sentences=sentence(noise=3),unit=word)", scope);
    std::vector<uint64_t> found;
    const Fingerprint value = ComputeFingerprint(name, text, resources);
    for (const SelectedShingle& block : std::get<SelectedShingles>(value)) {
      found.push_back(block.position);
    }
    return found;
  };
  // The first sentence is dropped, but its positions count, and blocks of the scope "text" run
  // across it.
  EXPECT_THAT(positions("sentence"), ElementsAre(3, 3, 4, 5));
  EXPECT_THAT(positions("text"), ElementsAre(0, 1, 2, 3, 3, 4, 5));
}

// Texts that share g symbols have a block in common, and its bytes are those symbols in both texts.
TEST(WinnowingScheme, FindsASharedRunOnEveryChannel) {
  constexpr std::string_view kRun = "知文是一个文本指纹引擎能够发现近重复的文档";
  const std::string a = "第一篇文章从这里开始,后来它说:" + std::string(kRun) + "。就此打住";
  const std::string b = std::string(kRun) + ",另一篇到这里还没有完";
  for (const std::string_view channel :
       {"exact", "folded", "pinyin", "initials", "phonemes", "loose", "regional", "shape"}) {
    const std::string name = fmt::format("winnowing(channel={},g=21,k=5)", channel);
    const SchemeResources resources = {.language = TestLanguage()};
    const auto of_a = std::get<SelectedShingles>(ComputeFingerprint(name, a, resources));
    const auto of_b = std::get<SelectedShingles>(ComputeFingerprint(name, b, resources));
    size_t shared = 0;
    for (const SelectedShingle& x : of_a) {
      for (const SelectedShingle& y : of_b) {
        if (x.hash != y.hash) continue;
        ++shared;
        EXPECT_EQ(a.substr(x.source.begin.value, x.source.size()),
                  b.substr(y.source.begin.value, y.source.size()));
      }
    }
    EXPECT_GT(shared, 0u) << channel;
  }
}

TEST(ShinglesOfWords, AreHashesOfHashesOfWords) {
  const SchemeResources resources = {.terms = FakeTerms()};
  const std::vector<std::string> words = {"我们", "检测", "重复", "文本"};
  std::vector<uint64_t> hashes;
  for (const std::string& word : words) hashes.push_back(XXH3_64bits(word.data(), word.size()));
  HashSet expected = {{XXH3_64bits(hashes.data(), 24), XXH3_64bits(hashes.data() + 1, 24)}};
  std::ranges::sort(expected.hashes);
  EXPECT_EQ(ComputeFingerprint("shingles(channel=exact,feature=shingle(k=3,unit=word))",
                               "我们/n 检测/v 。/x 重复/v 文本/n", resources),
            Fingerprint(expected));
  EXPECT_FALSE(HasValue(
      ComputeFingerprint("minhash(feature=shingle(k=3,unit=word))", "两/m 词/n", resources)));
}

}  // namespace
}  // namespace zhiwen
