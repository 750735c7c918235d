#include "zhiwen/scheme.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <map>

#include "feature/shingles.h"
#include "fingerprint/scheme_test_support.h"
#include "support/language.h"
#include "support/published_vectors.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

constexpr std::string_view kSentence =
    "知文是一个文本指纹引擎,能够发现近重复的文档和被复用的段落。";

// Returns all resources that a name may need.
SchemeResources TestResources() {
  SchemeResources resources = FakeResources();
  resources.language = TestLanguage();
  return resources;
}

std::string CanonicalName(std::string_view name) {
  const auto scheme = Scheme::Create(name, TestResources());
  return scheme ? (*scheme)->canonical_name() : "error: " + scheme.error().message;
}

std::string ErrorOf(std::string_view name) {
  const auto scheme = Scheme::Create(name, TestResources());
  if (scheme) return "no error";
  EXPECT_EQ(scheme.error().code, ErrorCode::kInvalidArgument);
  return scheme.error().message;
}

Fingerprint Compute(std::string_view name, std::string_view text) {
  return ComputeFingerprint(name, text, TestResources());
}

std::string Hex(uint64_t hash) { return fmt::format("{:016x}", hash); }

TEST(SchemeNames, ShortFormsBecomeCanonical) {
  const std::map<std::string, std::string> names = {
      {"exact", "exact.v1(channel=exact.v1,hash=xxh128)"},
      {"exact(folded.v1)", "exact.v1(channel=folded.v1,hash=xxh128)"},
      {"exact(loose(slang=no))",
       "exact.v1(channel=loose.v1(drop_symbols=yes,numbers=yes,slang=no),hash=xxh128)"},
      {"exact(folded)", "exact.v1(channel=folded.v3,hash=xxh128)"},
      {"exact(folded.v2)", "exact.v1(channel=folded.v2,hash=xxh128)"},
      {"minhash",
       "minhash.v1(channel=folded.v3,feature=shingle.v1(k=5,unit=symbol),"
       "method=one_permutation,permutations=128,seed=0)"},
      {"minhash( permutations = 0064, method=k_permutation )",
       "minhash.v1(channel=folded.v3,feature=shingle.v1(k=5,unit=symbol),"
       "method=k_permutation,permutations=64,seed=0)"},
      {"minhash(32,seed=18446744073709551615)",
       "minhash.v1(channel=folded.v3,feature=shingle.v1(k=5,unit=symbol),"
       "method=one_permutation,permutations=32,seed=18446744073709551615)"},
      {"simhash64(feature=shingle(3),channel=exact)",
       "simhash64.v1(channel=exact.v1,feature=shingle.v1(k=3,unit=symbol),hash=xxh3,weight=tf)"},
      {"simhash64.v1(shingle)",
       "simhash64.v1(channel=folded.v3,feature=shingle.v1(k=5,unit=symbol),hash=xxh3,weight=tf)"},
      {"shingles(shingle.v1(k=64))",
       "shingles.v1(channel=folded.v3,feature=shingle.v1(k=64,unit=symbol),hash=xxh3)"},
  };
  for (const auto& [typed, canonical] : names) {
    EXPECT_EQ(CanonicalName(typed), canonical) << typed;
    EXPECT_EQ(CanonicalName(canonical), canonical);
  }
}

TEST(SchemeNames, ErrorsNameThePositionAndWhatExists) {
  EXPECT_EQ(ErrorOf("simhash"),
            "cannot use the scheme \"simhash\": there is no scheme \"simhash\" at character 1; "
            "there is " +
                fmt::format("{}", fmt::join(SchemeNames(), ", ")));
  EXPECT_EQ(ErrorOf("simhash64(k=3)"),
            "cannot use the scheme \"simhash64(k=3)\": simhash64 has no parameter \"k\" at "
            "character 11; it has channel, feature, hash, weight");
  EXPECT_EQ(ErrorOf("simhash64(feature=shingle(65))"),
            "cannot use the scheme \"simhash64(feature=shingle(65))\": k cannot be \"65\" at "
            "character 27; it is integer 1…64");
  EXPECT_EQ(ErrorOf("simhash64.v2"),
            "cannot use the scheme \"simhash64.v2\": there is no version \"simhash64.v2\" at "
            "character 1; the newest is simhash64.v1");
  EXPECT_EQ(
      ErrorOf("exact(channel=gothic)")
          .find("cannot use the scheme \"exact(channel=gothic)\": channel cannot be \"gothic\" "
                "at character 15; it is folded.v3 | exact.v1"),
      0U);
  EXPECT_EQ(ErrorOf("minhash(seed=1,seed=2)"),
            "cannot use the scheme \"minhash(seed=1,seed=2)\": seed is given twice at character "
            "16; give it once");
  EXPECT_EQ(ErrorOf("minhash(seed=1,64)"),
            "cannot use the scheme \"minhash(seed=1,64)\": a value without a parameter at "
            "character 16; only the first may be one, it is permutations");
  EXPECT_EQ(ErrorOf("simhash64(feature=terms)"),
            "cannot use the scheme \"simhash64(feature=terms)\": there is no feature \"terms\" at "
            "character 19; there is shingle, term, phoneme");
}

TEST(SchemeNames, ABrokenNameIsNamedWhereItBreaks) {
  const std::map<std::string, int> broken = {
      {"", 1},
      {"(", 1},
      {"minhash(", 9},
      {"minhash()", 9},
      {"minhash(64", 11},
      {"minhash 64", 9},
      {"minhash(64))", 12},
      {"minhash(seed=)", 14},
      {"minhash(64,)", 12},
      {"指纹", 1},
  };
  for (const auto& [name, position] : broken) {
    EXPECT_NE(ErrorOf(name).find("at character " + std::to_string(position) + ";"),
              std::string::npos)
        << ErrorOf(name);
  }
  EXPECT_NE(ErrorOf("a(b(c(d(e(f(g(h(i(j(k))))))))))").find("nested too deeply"),
            std::string::npos);
  EXPECT_NE(ErrorOf(std::string(100000, 'x')).find("at most 1024 bytes"), std::string::npos);
}

TEST(SchemeNames, ParametersThatDoNotGoTogetherAreRefused) {
  EXPECT_NE(ErrorOf("minhash(100,method=k_permutation)").find("multiple of 16"), std::string::npos);
  EXPECT_NE(ErrorOf("minhash(0)").find("integer 1…4096"), std::string::npos);
  EXPECT_NE(ErrorOf("minhash(seed=-1)").find("seed cannot be"), std::string::npos);
}

TEST(SchemeNames, AValueThatNamesNoResourceIsToldWhatThereIs) {
  EXPECT_EQ(ErrorOf("initials_dna(reference=foo)"),
            "cannot use the scheme \"initials_dna(reference=foo)\": reference cannot be \"foo\" at "
            "character 24; it is language | of a snapshot");
  EXPECT_THAT(ErrorOf("keywords(df=foo)"), HasSubstr("it is none | of a snapshot"));
  EXPECT_THAT(ErrorOf("keywords(stop_words=foo)"), HasSubstr("it is none | of a list"));
  EXPECT_THAT(ErrorOf("metadata(key=0123456789abcdeg)"), HasSubstr("it is none | of a key"));
}

TEST(SchemeNames, WhatIsMissingOrAnotherIsNamed) {
  const auto error_of = [](std::string_view name, SchemeResources resources) {
    const auto scheme = Scheme::Create(name, std::move(resources));
    return scheme ? Error{} : scheme.error();
  };
  const Error no_words = error_of("keywords", {});
  EXPECT_EQ(no_words.code, ErrorCode::kNotFound);
  EXPECT_EQ(no_words.message,
            "cannot use the scheme \"keywords\": it needs language data, and none is loaded");
  const Error no_counts =
      error_of("simhash64(feature=term,weight=tfidf)", {.language = TestLanguage()});
  EXPECT_EQ(no_counts.code, ErrorCode::kNotFound);
  EXPECT_THAT(no_counts.message, HasSubstr("it needs the document frequencies of a corpus; give"));
  const Error others =
      error_of("keywords(stop_words=0123456789abcdef)", {.language = TestLanguage()});
  EXPECT_EQ(others.code, ErrorCode::kConflict);
  EXPECT_THAT(others.message,
              HasSubstr("its stop_words is 0123456789abcdef, and that of this run"));
  EXPECT_EQ(error_of("keywords(df=0123456789abcdef)", {.language = TestLanguage()}).code,
            ErrorCode::kNotFound);
  EXPECT_EQ(
      error_of("keywords(terms=terms.v1(segmenter=x,synonyms=none))", {.language = TestLanguage()})
          .code,
      ErrorCode::kConflict);
  EXPECT_THAT(CanonicalName("keywords(stop_words=none)"), HasSubstr(",stop_words=none,"));
}

TEST(SchemeNames, AChannelThatNoNameOpensIsThatOfNamesThatSayNone) {
  const Channel channel = *MakeVariantsChannel({"variants.txt", "指纹 印记\n"});
  const SchemeResources resources = {.channel = channel};
  const auto scheme = Scheme::Create("shingles", resources);
  ASSERT_TRUE(scheme) << scheme.error().message;
  EXPECT_THAT((*scheme)->canonical_name(), HasSubstr("channel=" + channel.name()));
  EXPECT_THAT(Scheme::Create("shingles(channel=folded)", resources).error().message,
              HasSubstr("it names its channel at character 18; leave the other one out"));
}

TEST(SchemeDescriptions, HaveDefaultsThatResolveAndParametersInCanonicalOrder) {
  const std::vector<SchemeDescription> schemes = DescribeSchemes(TestResources());
  ASSERT_THAT(SchemeNames(), IsSupersetOf({"exact", "minhash", "winnowing"}));
  ASSERT_EQ(schemes.size(), SchemeNames().size());
  for (const SchemeDescription& scheme : schemes) {
    EXPECT_EQ(CanonicalName(scheme.family), scheme.default_name);
    EXPECT_TRUE(std::ranges::is_sorted(scheme.parameters, {}, &SchemeParameter::name));
    for (const SchemeParameter& parameter : scheme.parameters) {
      const std::string with = parameter.name + "=" + parameter.default_value;
      EXPECT_NE(scheme.default_name.find(with), std::string::npos) << with;
      EXPECT_EQ(CanonicalName(scheme.family + "(" + with + ")"), scheme.default_name);
    }
  }
}

TEST(Schemes, GiveThePublishedValuesForThePublishedTexts) {
  struct Page {
    std::string page, block;
    size_t vectors;
  };
  const Page pages[] = {{"fingerprint.md", "", 10},     {"keywords.md", "", 9},
                        {"literature.md", "texts", 10}, {"literature.md", "words", 7},
                        {"minhash.md", "bbit", 4},      {"simhash.md", "", 22},
                        {"winnowing.md", "", 5}};
  for (const Page& page : pages) {
    const auto vectors = PublishedVectors(page.page, page.block);
    EXPECT_EQ(vectors.size(), page.vectors) << page.page;
    for (const auto& [input, output] : vectors) {
      const size_t at = input.find(" : ");
      ASSERT_NE(at, std::string::npos) << input;
      EXPECT_EQ(PrintFingerprint(Compute(input.substr(0, at), input.substr(at + 3))), output)
          << page.page << ": " << input;
    }
  }
}

TEST(Schemes, HaveNoFingerprintForATextWithoutFeatures) {
  for (const std::string_view name :
       {"exact", "exact(folded)", "minhash", "simhash64", "shingles", "simhash64(shingle(64))"}) {
    EXPECT_FALSE(HasValue(Compute(name, ""))) << name;
  }
  for (const std::string_view name : {"minhash", "simhash64", "shingles"}) {
    EXPECT_FALSE(HasValue(Compute(name, "四个汉字"))) << name;
    EXPECT_TRUE(HasValue(Compute(name, "五个汉字了"))) << name;
  }
  EXPECT_FALSE(HasValue(Compute("exact(folded)", "。、 ")));
  EXPECT_TRUE(HasValue(Compute("exact", "。、 ")));
}

TEST(Schemes, RefuseInvalidUtf8ByItsByte) {
  for (const SchemeDescription& description : DescribeSchemes(TestResources())) {
    const auto scheme = *Scheme::Create(description.family, TestResources());
    if (scheme->is_of_pictures()) continue;
    const auto value = scheme->Compute("知文\xFF指纹");
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code, ErrorCode::kUnreadable);
    EXPECT_NE(value.error().message.find("byte 6"), std::string::npos) << value.error().message;
  }
}

// Computes the same values from the channel's symbols, XXH3 and sums.
TEST(Schemes, OfShinglesAgreeWithASlowReading) {
  std::vector<uint32_t> symbols;
  FoldInto(kSentence, symbols);
  for (const size_t k : {1, 3, 5, 11}) {
    std::vector<uint64_t> set;
    std::array<long, 64> sums = {};
    for (size_t i = 0; i + k <= symbols.size(); ++i) {
      const uint64_t hash = XXH3_64bits(symbols.data() + i, 4 * k);
      set.push_back(hash);
      for (size_t bit = 0; bit < 64; ++bit) sums[bit] += (hash >> bit & 1) != 0 ? 1 : -1;
    }
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    uint64_t simhash = 0;
    for (size_t bit = 64; bit-- > 0;) simhash = simhash << 1 | static_cast<uint64_t>(sums[bit] > 0);
    const std::string feature = "(shingle(" + std::to_string(k) + "))";
    EXPECT_EQ(Compute("shingles" + feature, kSentence), Fingerprint(HashSet{set}));
    EXPECT_EQ(PrintFingerprint(Compute("simhash64" + feature, kSentence)), Hex(simhash));
  }
}

TEST(Schemes, OfExactTextAreXxh3OfNfc) {
  const XXH128_hash_t hash = XXH3_128bits(kSentence.data(), kSentence.size());
  EXPECT_EQ(PrintFingerprint(Compute("exact", kSentence)), Hex(hash.high64) + Hex(hash.low64));
  EXPECT_EQ(Compute("exact", "\u00E9"), Compute("exact", "e\u0301"));
}

TEST(Schemes, OfMinhashAreTheLeastValuesOfTheShingles) {
  std::vector<uint32_t> symbols;
  std::vector<uint64_t> shingles;
  FoldInto(kSentence, symbols);
  ComputeShingles(symbols, shingles);
  const auto bytes = std::get<FingerprintBytes>(Compute("minhash(1)", kSentence));
  uint32_t least = ~uint32_t{0};
  for (const uint64_t shingle : shingles) least = std::min(least, static_cast<uint32_t>(shingle));
  ASSERT_EQ(bytes.size(), 4u);
  EXPECT_EQ((uint32_t{bytes[0]} << 24) + (uint32_t{bytes[1]} << 16) + (uint32_t{bytes[2]} << 8) +
                bytes[3],
            least);
}

TEST(Schemes, OfDisguisedCopiesAreEqualOnTheFoldedChannelOnly) {
  const std::string_view disguised = "知文是一個文本指紋引擎,能夠發現近重複的文檔和被複用的段落!";
  for (const std::string_view name : {"exact(folded)", "minhash", "simhash64", "shingles"}) {
    EXPECT_EQ(Compute(name, kSentence), Compute(name, disguised)) << name;
  }
  EXPECT_NE(Compute("exact", kSentence), Compute("exact", disguised));
}

}  // namespace
}  // namespace zhiwen
