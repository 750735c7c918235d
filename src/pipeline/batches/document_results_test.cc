#include "zhiwen/document_results.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/batches/batch_test_support.h"
#include "support/language.h"
#include "zhiwen/json_forms.h"

namespace zhiwen {
namespace {

using ::testing::StartsWith;

// Options that give the lines of two schemes to `lines`.
FingerprintDocumentsOptions OptionsFor(std::vector<std::string> paths, std::string* lines) {
  FingerprintDocumentsOptions options{.inputs = {.paths = std::move(paths)}};
  for (const char* name : {"simhash64(channel=exact)", "exact"}) {
    options.schemes.push_back(*Scheme::Create(name));
  }
  options.lines = [lines](std::string_view part) -> Status {
    *lines += part;
    return {};
  };
  return options;
}

TEST(FingerprintDocuments, GiveTheSameLinesAndFilesForAnyNumberOfThreads) {
  std::vector<std::string> lines, contents;
  for (const size_t threads : {1, 4}) {
    BatchSurroundings around(threads);
    around.files.Put("in/a.jsonl", NumberedRecords(3000));
    FingerprintDocumentsOptions options = OptionsFor({"in"}, &lines.emplace_back());
    const auto given = FingerprintDocuments(options, around.environment());
    ASSERT_TRUE(given) << given.error().message;
    EXPECT_EQ(given->documents, 3000u);
    EXPECT_EQ(given->without_value, 0u);
    EXPECT_EQ(given->file, nullptr);
    // The output lies in the folder that is read, and is none of the inputs.
    options.output.path = "in/codes.jsonl";
    const auto written = FingerprintDocuments(options, around.environment());
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_EQ(written->documents, 3000u);
    EXPECT_FALSE(around.files.Files().contains("in/codes.jsonl")) << "before it is published";
    ASSERT_TRUE(written->file->Publish());
    contents.push_back(around.files.Files().at("in/codes.jsonl"));
  }
  EXPECT_EQ(lines[0], lines[1]);
  EXPECT_EQ(contents[0], contents[1]);
  EXPECT_EQ(lines[0], contents[0]);
}

TEST(FingerprintDocuments, GiveValuesAlone) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", "{\"id\":\"a\",\"text\":\"x\"}\n{\"id\":\"b\",\"text\":\"\"}\n");
  std::string lines;
  FingerprintDocumentsOptions options = OptionsFor({"a.jsonl"}, &lines);
  options.schemes.clear();
  options.schemes.push_back(*Scheme::Create("simhash64(feature=shingle(1))"));
  options.schemes.push_back(*Scheme::Create("shingles(shingle(1))"));
  options.form = FingerprintLines::kValues;
  ASSERT_TRUE(FingerprintDocuments(options, around.environment()));
  const std::string code = FingerprintValueToJson(*options.schemes[0]->Compute("x"));
  const std::string set = FingerprintValueToJson(*options.schemes[1]->Compute("x"));
  ASSERT_EQ(code.size(), 18U);
  EXPECT_THAT(set, StartsWith("["));
  EXPECT_EQ(lines, code.substr(1, 16) + "\n" + set + "\n") << "and nothing of the empty text";
}

TEST(FingerprintDocuments, LeaveNoFileAfterAnErrorOrAStop) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", NumberedRecords(3000) + "{\n");
  std::string lines;
  FingerprintDocumentsOptions options = OptionsFor({"a.jsonl"}, &lines);
  options.inputs.max_failed = {.count = 0, .share = 0};
  options.output.path = "codes.jsonl";
  const auto failed = FingerprintDocuments(options, around.environment());
  EXPECT_EQ(failed.error().code, ErrorCode::kUnreadable);
  around.cancellation.Request(ErrorCode::kTerminated);
  const auto stopped = FingerprintDocuments(options, around.environment());
  EXPECT_EQ(stopped.error().code, ErrorCode::kTerminated);
  EXPECT_EQ(around.files.Files().size(), 1u);
  EXPECT_EQ(lines, "");
}

TEST(FingerprintDocuments, EndWithTheErrorOfTheSink) {
  BatchSurroundings around(3);
  around.files.Put("a.jsonl", NumberedRecords(3000));
  size_t given = 0;
  FingerprintDocumentsOptions options = OptionsFor({"a.jsonl"}, nullptr);
  options.lines = [&](std::string_view) -> Status {
    if (++given <= 1500) return {};
    return Fail(ErrorCode::kExhausted, "disk full");
  };
  const auto failed = FingerprintDocuments(options, around.environment());
  EXPECT_EQ(failed.error().message, "disk full");
  EXPECT_EQ(given, 1501u);
}

TEST(FingerprintDocuments, OfSeveralFieldsOfAPartTheFirstWithAValueCounts) {
  const auto fingerprint = [](const std::string& record) {
    BatchSurroundings around;
    around.files.Put("a.jsonl", record);
    std::string line;
    FingerprintDocumentsOptions options = OptionsFor({"a.jsonl"}, &line);
    options.schemes.clear();
    options.schemes.push_back(
        *Scheme::Create("metadata", {.terms = TermExtractor::OfCharacters()}));
    options.fields = {{&DocumentFields::title, "title"}, {&DocumentFields::title, "headline"}};
    const auto done = FingerprintDocuments(options, around.environment());
    EXPECT_TRUE(done) << done.error().message;
    return line;
  };
  const std::string one = fingerprint("{\"id\":\"a\",\"text\":\"x\",\"title\":\"题目\"}\n");
  EXPECT_EQ(one, fingerprint("{\"id\":\"a\",\"text\":\"x\",\"headline\":\"题目\"}\n"));
  EXPECT_EQ(one,
            fingerprint("{\"id\":\"a\",\"text\":\"x\",\"title\":\"题目\",\"headline\":\"b\"}\n"));
  EXPECT_NE(one, fingerprint("{\"id\":\"a\",\"text\":\"x\",\"title\":\"别的\"}\n"));
}

struct Segmented {
  Status status;
  std::string text;
  size_t parts = 0;
};

Segmented Segment(const SegmentDocumentsOptions& options, BatchSurroundings& around) {
  Segmented segmented;
  segmented.status = SegmentDocuments(
      options,
      [&](std::string_view part) -> Status {
        segmented.text += part;
        ++segmented.parts;
        return {};
      },
      around.environment());
  return segmented;
}

TEST(SegmentDocuments, GiveTheSameBytesForAnyNumberOfThreads) {
  const auto segmenter = Segmenter::Create(TestLanguage());
  ASSERT_TRUE(segmenter);
  for (const SegmentUnit unit :
       {SegmentUnit::kWord, SegmentUnit::kSentence, SegmentUnit::kClause}) {
    for (const bool json : {false, true}) {
      std::vector<std::string> texts;
      for (const size_t threads : {1, 4}) {
        BatchSurroundings around(threads);
        around.files.Put("a.jsonl", NumberedRecords(300, 3));
        const Segmented segmented = Segment({.inputs = {.paths = {"a.jsonl"}},
                                             .unit = unit,
                                             .json = json,
                                             .segmenter = *segmenter,
                                             .segmentation = {}},
                                            around);
        EXPECT_TRUE(segmented.status);
        texts.push_back(segmented.text);
      }
      EXPECT_EQ(texts[0], texts[1]);
      EXPECT_FALSE(texts[0].empty());
    }
  }
}

TEST(SegmentDocuments, ALargeDocumentIsGivenPartByPartInItsPlace) {
  BatchSurroundings around(2);
  around.files.Put("a.jsonl",
                   NumberedRecords(1) + NumberedRecords(1, 100'000) + NumberedRecords(1));
  const Segmented segmented = Segment(
      {.inputs = {.paths = {"a.jsonl"}}, .unit = SegmentUnit::kSentence, .segmentation = {}},
      around);
  EXPECT_TRUE(segmented.status);
  EXPECT_GT(segmented.parts, 4u);
  EXPECT_EQ(std::ranges::count(segmented.text, '\n'), 100'002);
  EXPECT_THAT(segmented.text,
              StartsWith("这是第0篇的第0句。\n这是第0篇的第0句。\n这是第0篇的第1句"));
}

TEST(SegmentDocuments, AfterAStopNoUnfinishedDocumentIsGiven) {
  BatchSurroundings around(2);
  around.files.Put("a.jsonl", NumberedRecords(3000));
  const SegmentDocumentsOptions options{
      .inputs = {.paths = {"a.jsonl"}}, .unit = SegmentUnit::kSentence, .segmentation = {}};
  std::string text;
  const Status status = SegmentDocuments(
      options,
      [&](std::string_view part) -> Status {
        text += part;
        if (part.starts_with("这是第7篇")) around.cancellation.Request(ErrorCode::kInterrupted);
        return {};
      },
      around.environment());
  EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
  EXPECT_EQ(std::ranges::count(text, '\n'), 8);
}

TEST(RankDocumentKeywords, GiveKeywordsInTheOrderOfTheDocumentsForAnyNumberOfThreads) {
  std::vector<std::string> rows;
  for (const size_t threads : {1, 4}) {
    BatchSurroundings around(threads);
    around.files.Put("a.jsonl", NumberedRecords(3000));
    DocumentKeywordsOptions options{.inputs = {.paths = {"a.jsonl"}},
                                    .extractor = TermExtractor::OfCharacters(),
                                    .snapshot = nullptr,
                                    .keywords = {.count = 2, .least_code_points = 1}};
    std::string& row = rows.emplace_back();
    const Status ranked = RankDocumentKeywords(
        options,
        [&](const DocumentKeywords& keywords) -> Status {
          EXPECT_TRUE(keywords.is_only_file);
          row += keywords.document.id;
          for (const Keyword& keyword : keywords.keywords) row += " " + keyword.term.text;
          row += '\n';
          return {};
        },
        around.environment());
    ASSERT_TRUE(ranked) << ranked.error().message;
  }
  EXPECT_TRUE(rows[0].starts_with("0 第 ")) << rows[0].substr(0, 40);
  EXPECT_EQ(rows[0], rows[1]);
}

TEST(RankDocumentKeywords, EndWithTheErrorOfTheVisitorAndWithAStop) {
  BatchSurroundings around(2);
  around.files.Put("a.jsonl", NumberedRecords(3000));
  const DocumentKeywordsOptions options{.inputs = {.paths = {"a.jsonl"}},
                                        .extractor = TermExtractor::OfCharacters(),
                                        .snapshot = nullptr,
                                        .keywords = {}};
  size_t ranked = 0;
  const Status failed = RankDocumentKeywords(
      options,
      [&](const DocumentKeywords&) -> Status {
        if (++ranked < 1100) return {};
        return Fail(ErrorCode::kExhausted, "disk full");
      },
      around.environment());
  EXPECT_EQ(failed.error().message, "disk full");
  EXPECT_EQ(ranked, 1100u);
  ranked = 0;
  const Status stopped = RankDocumentKeywords(
      options,
      [&](const DocumentKeywords&) -> Status {
        ++ranked;
        around.cancellation.Request(ErrorCode::kInterrupted);
        return {};
      },
      around.environment());
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
  EXPECT_LE(ranked, 1024u);
}

}  // namespace
}  // namespace zhiwen
