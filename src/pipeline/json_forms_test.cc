#include "zhiwen/json_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "fingerprint/phoneme_snapshot_file.h"
#include "support/in_memory_file_system.h"
#include "zhiwen/phoneme_snapshot.h"

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

// Of four characters, b or zh, of one final and two tones; on one line.
std::string JsonOfPhonemes(const PhonemesAbout& about, std::string_view reference,
                           std::string_view thresholds) {
  std::array<uint64_t, 63> counts = {};
  counts[0] = counts[58] = 3;
  counts[14] = counts[62] = 1;
  counts[24] = 4;
  SectionWriter writer;
  writer.Add(kPhonemesAbout, BytesOfValue(about));
  writer.Add(kPhonemesChannel, "phonemes.v1(data=0123456789abcdef)");
  writer.Add(kPhonemesCounts, BytesOfValue(counts));
  writer.Add(kPhonemesReference, reference);
  writer.Add(kPhonemesThresholds, thresholds);
  InMemoryFileSystem files;
  files.Put("p.zwp", writer.Finish(kPhonemesFile));
  const auto snapshot = *PhonemeSnapshot::Open(files, "p.zwp");
  std::string json = PhonemesToJson(*snapshot);
  for (size_t at = json.find('\n'); at != std::string::npos; at = json.find('\n')) {
    json.erase(at, std::min(json.find_first_not_of("\n ", at), json.size()) - at);
  }
  const size_t id = json.find(snapshot->id());
  return id == std::string::npos ? "no id" : json.replace(id, snapshot->id().size(), "ID");
}

TEST(JsonForms, PhonemesHaveSharesEntropiesWeightsAndWhatWasTrained) {
  const std::string counted = JsonOfPhonemes({.texts = 9}, "", "");
  EXPECT_THAT(counted,
              testing::StartsWith(R"({"file": "p.zwp","id": "ID",)"
                                  R"_("channel": "phonemes.v1(data=0123456789abcdef)",)_"
                                  R"("texts": 9,"characters": 4,"phonemes": [)"
                                  R"({"kind": "initial","name": "b","count": 3,"share": 0.75},)"
                                  R"({"kind": "initial","name": "p","count": 0,"share": 0},)"));
  EXPECT_THAT(counted, testing::EndsWith(
                           R"({"kind": "tone","name": "5","count": 1,"share": 0.25}],)"
                           R"("entropies": {"initials": 0.811278,"finals": 0,"tones": 0.811278},)"
                           R"("weights": {"initials": 0.5,"finals": 0,"tones": 0.5},)"
                           R"("training": null})"));
  const PhonemesThresholds thresholds = {
      {{910000, 920000, 930000, 940000}, {950000, 960000, 970001, 980000}, {1000000}, {0, 1, 2}}};
  const PhonemesAbout about = {
      .texts = 9, .seed = 7, .drawn = 5, .pairs = 3, .characters = 600, .replacements = 40};
  EXPECT_THAT(
      JsonOfPhonemes(about, "simhash64.v1(k=1)", BytesOfValue(thresholds)),
      testing::EndsWith(
          R"_("training": {"reference": "simhash64.v1(k=1)","distance": 3,"seed": 7,"texts": 5,)_"
          R"("pairs": 3,"characters": 600,"replacements": 40,)"
          R"("least": {"initials": 0.91,"finals": 0.92,"tones": 0.93,"sum": 0.94},)"
          R"("percentile": {"initials": 0.95,"finals": 0.96,"tones": 0.970001,"sum": 0.98},)"
          R"("mean": {"initials": 1,"finals": 0,"tones": 0,"sum": 0},)"
          R"("deviation": {"initials": 0,"finals": 0.000001,"tones": 0.000002,"sum": 0}}})"));
}

}  // namespace
}  // namespace zhiwen
