#include "zhiwen/json_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

namespace zhiwen {
namespace {

TEST(JsonForms, AFixedSizeFingerprintIsHexMostSignificantByteFirst) {
  const Fingerprint value = FingerprintBytes{0x01, 0xAB, 0x00};
  EXPECT_EQ(FingerprintToJson("a\"b", "simhash64.v1", value),
            R"({"id":"a\"b","scheme":"simhash64.v1","value":"01ab00"})");
}

TEST(JsonForms, ASetIsAnArrayOfSixteenDigits) {
  const Fingerprint value = HashSet{{1, 0xFFFFFFFFFFFFFFFF}};
  EXPECT_EQ(FingerprintToJson("a", "s", value),
            R"({"id":"a","scheme":"s","value":["0000000000000001","ffffffffffffffff"]})");
  EXPECT_EQ(FingerprintToJson("a", "s", HashSet()), R"({"id":"a","scheme":"s","value":[]})");
}

TEST(JsonForms, WhatComesInTheOrderOfATextIsAnArray) {
  EXPECT_EQ(FingerprintToJson("a", "s", CodeSequence{2, {0x01, 0xAB, 0xFF, 0x00}}),
            R"({"id":"a","scheme":"s","value":["01ab","ff00"]})");
  EXPECT_EQ(FingerprintToJson("a", "s",
                              SelectedShingles{{.hash = 1, .position = 2, .source = {{3}, {9}}}}),
            R"({"id":"a","scheme":"s","value":[{"hash":"0000000000000001","position":2,)"
            R"("begin":3,"end":9}]})");
  EXPECT_EQ(FingerprintToJson("a", "s", WeightedTerms{{"指纹", 65536}}),
            R"({"id":"a","scheme":"s","value":[{"term":"指纹","weight":65536}]})");
}

TEST(JsonForms, ATextWithoutFeatureHasNull) {
  EXPECT_EQ(FingerprintToJson("a", "s", Fingerprint()), R"({"id":"a","scheme":"s","value":null})");
}

// Calls every line a word.
class LineSegmenter final : public Segmenter {
 public:
  LineSegmenter() : Segmenter("lines") {}
  void Visit(std::string_view utf8, const SegmentOptions& options,
             const TokenVisitor& visit) const override {
    for (size_t at = 0; at < utf8.size();) {
      const size_t end = std::min(utf8.find('\n', at), utf8.size() - 1) + 1;
      const Token token{{{at}, {end}}, options.tags ? "n" : ""};
      visit(std::span(&token, 1));
      at = end;
    }
  }
};

TEST(JsonForms, AnInspectionHasSymbolsNamesSpansCountsAndWords) {
  InspectOptions options;
  options.channels = {FoldedChannel()};
  options.segmenter = std::make_shared<LineSegmenter>();
  options.part = {{4}, {9}};
  constexpr std::string_view kText = "一\n國\u200b\n";
  const std::string json = InspectionToJson(*InspectText(kText, options), options);
  for (const char* const part :
       {R"("part": [4,10])", R"("first_line": 2)", R"("has_chinese": true)", R"("lines": 2)",
        R"("symbols": [22269])", R"("names": ["国"])", R"("spans": [[4,7]])", R"("invisible": 1)",
        R"("traditional": 1)", R"({"bytes":[4,11],"text":"國​\n","tag":"n"})"}) {
    EXPECT_THAT(json, testing::HasSubstr(part));
  }
}

TEST(JsonForms, KeywordsAreOneLine) {
  const std::vector<Keyword> keywords = {{{"北京", "ns", 1}, 3, 1}, {{"城市", "n", 2}, 0, 0.75}};
  EXPECT_EQ(KeywordsToJson("a\"", keywords, nullptr),
            R"({"id":"a\"","keywords":[{"term":"北京","tag":"ns","count":1,"weight":1},)"
            R"({"term":"城市","tag":"n","count":2,"weight":0.75}]})");
}

TEST(JsonForms, SpansComePieceByPiece) {
  std::string out, taken;
  SpansToJson spans("a", "tokens", out);
  for (const auto& [text, tag, begin] : {std::tuple{"好", "a", 5u}, {"\"", "", 8u}}) {
    spans.Add(text, {{begin}, {begin + std::string_view(text).size()}}, tag);
    taken += out;
    out.clear();
  }
  spans.Finish();
  EXPECT_EQ(taken + out, R"({"id":"a","tokens":[{"text":"好","begin":5,"end":8,"tag":"a"},)"
                         R"({"text":"\"","begin":8,"end":9}]})");
}

}  // namespace
}  // namespace zhiwen
