// Tests vectors of words and characters, codes of characters, frequent words, and I-Match.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include "base/digest.h"
#include "fingerprint/scheme_test_support.h"
#include "zhiwen/term_snapshot.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;

TEST(VectorScheme, HasTheWeightsOfAllWords) {
  const std::string text = "指纹/n 文本/n 指纹/n 的/uj 检测/v";
  const SchemeResources resources = FakeResources();
  EXPECT_EQ(ComputeFingerprint("vector", text, resources),
            Fingerprint(WeightedTerms{
                {"指纹", 2 * 65536 * 16}, {"文本", 65536 * 16}, {"检测", 65536 * 16}}));
  const TermSnapshot& snapshot = *resources.snapshot;
  EXPECT_EQ(ComputeFingerprint("vector(weight=tfidf)", text, resources),
            Fingerprint(WeightedTerms{{"指纹", 2 * snapshot.Idf("指纹") * 24},
                                      {"文本", snapshot.Idf("文本") * 24},
                                      {"检测", snapshot.Idf("检测") * 16}}));
  EXPECT_EQ(ComputeFingerprint("vector(weight=tfidf(tags=no),feature=term(1))", text, resources),
            Fingerprint(WeightedTerms{{"指纹", 2 * snapshot.Idf("指纹") * 16}}));
  EXPECT_EQ(ComputeFingerprint("vector(channel=folded)", "指纹/n 指紋/n", resources),
            Fingerprint(WeightedTerms{{"指纹", 2 * 65536 * 16}}));
  EXPECT_FALSE(HasValue(ComputeFingerprint("vector", "的/uj 。/x", resources)));
}

TEST(VectorScheme, OfCharactersHasThoseOfGb2312) {
  EXPECT_EQ(ComputeFingerprint("vector(feature=character)", "知之为知之,ok 紋"),
            Fingerprint(
                WeightedTerms{{"为", 65536 * 16}, {"之", 2 * 65536 * 16}, {"知", 2 * 65536 * 16}}));
  EXPECT_FALSE(HasValue(ComputeFingerprint("vector(feature=character)", "ok 紋")));
  const auto other = Scheme::Create("vector(feature=character,weight=tfidf)", FakeResources());
  EXPECT_THAT(other.error().message, HasSubstr("the terms here are characters.v1(set=gb2312)"));
}

TEST(CharacterCodesScheme, NumberRunsOfCommonCharacters) {
  const auto number = [](std::string_view character) {
    const std::string codes =
        PrintFingerprint(ComputeFingerprint("character_codes(channel=exact,k=1)", character));
    return std::stoull(codes, nullptr, 16);
  };
  EXPECT_EQ(number("啊"), 0u);                    // 16-01
  EXPECT_EQ(number("阿"), 1u);                    // 16-02
  EXPECT_EQ(number("座"), 3754u);                 // 55-89, the last of the common ones
  EXPECT_EQ(number("中"), (54 - 16) * 94 + 47u);  // 54-48
  const std::vector<std::string> characters = {"知", "之", "为", "知", "之"};
  for (size_t k = 2; k <= 5; ++k) {
    CodeSequence expected = {.width = 8, .bytes = {}};
    for (size_t i = 0; i + k <= characters.size(); ++i) {
      uint64_t code = 0;
      for (size_t j = 0; j < k; ++j) code = 3755 * code + number(characters[i + j]);
      for (int shift = 56; shift >= 0; shift -= 8) {
        expected.bytes.push_back(static_cast<uint8_t>(code >> shift));
      }
    }
    // 亍 is a character of the second level of GB 2312.
    EXPECT_EQ(ComputeFingerprint(fmt::format("character_codes({})", k), "知之,ok亍为 知之"),
              Fingerprint(expected));
  }
  EXPECT_FALSE(HasValue(ComputeFingerprint("character_codes", "知之为")));
}

TEST(FrequentWordsScheme, AreInTheOrderOfTheText) {
  const std::string text = "检测/v 文本/n 指纹/n 文本/n 指纹/n";
  const auto hex = [](std::string_view word) {
    return fmt::format("{:016x}", XXH3_64bits(word.data(), word.size()));
  };
  const SchemeResources resources = {.terms = FakeTerms()};
  EXPECT_EQ(PrintFingerprint(ComputeFingerprint("frequent_words(term(2))", text, resources)),
            hex("文本") + " " + hex("指纹"));
  EXPECT_EQ(PrintFingerprint(ComputeFingerprint("frequent_words", text, resources)),
            hex("检测") + " " + hex("文本") + " " + hex("指纹"));
}

TEST(ImatchScheme, HashesTheWordsOfTheLexicon) {
  const SchemeResources resources = FakeResources();
  const auto print = [&](std::string_view name, std::string_view text) {
    return PrintFingerprint(ComputeFingerprint(name, text, resources));
  };
  const auto md5 = [](std::string_view joined) {
    return fmt::format("{:02x}", fmt::join(ComputeMd5(joined), ""));
  };
  const std::string text = "检测/v 文本/n 指纹/n 的/uj 指纹/n 新词/n";
  EXPECT_EQ(print("imatch(lexicons=0,low=0,high=1)", text), md5("指纹\x1F"
                                                                "文本\x1F"
                                                                "检测\x1F"
                                                                "的\x1F"));
  EXPECT_EQ(print("imatch(lexicons=0,low=0.1,high=1)", text), md5("指纹\x1F"
                                                                  "文本\x1F"
                                                                  "检测\x1F"));
  EXPECT_EQ(print("imatch(lexicons=0,low=0.1,high=0.6)", text), md5("指纹\x1F"
                                                                    "文本\x1F"));
  EXPECT_EQ(print("imatch(lexicons=0,low=0.1)", "的/uj 新词/n"), "none");
  EXPECT_THAT(Scheme::Create("imatch(low=0.9)", resources).error().message,
              HasSubstr("low is above it"));
}

// An added word changes only the codes whose lexicon has it: about the share `keep` of them.
TEST(ImatchScheme, RandomLexiconsOutliveAnAddedWord) {
  const SchemeResources resources = FakeResources();
  const std::string name = "imatch(lexicons=600,keep=0.67,low=0,high=1)";
  const auto codes = [&](std::string_view text) {
    return std::get<CodeSequence>(ComputeFingerprint(name, text, resources));
  };
  const CodeSequence before = codes("文本/n 指纹/n 的/uj");
  const CodeSequence after = codes("文本/n 指纹/n 的/uj 检测/v");
  ASSERT_EQ(before.size(), 601u);
  size_t equal = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    equal += std::ranges::equal(before[i], after[i]) ? 1 : 0;
  }
  EXPECT_FALSE(std::ranges::equal(before[0], after[0]));
  EXPECT_NEAR(static_cast<double>(equal), 600 * 0.33, 60);
}

}  // namespace
}  // namespace zhiwen
