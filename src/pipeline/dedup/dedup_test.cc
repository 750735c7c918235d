#include "zhiwen/dedup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/json/json_reader.h"
#include "base/json/json_writer.h"
#include "pipeline/dedup/made_corpus_test_support.h"
#include "pipeline/dedup/slow_dedup_test_support.h"
#include "support/decompress_zstd.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"
#include "zhiwen/simd.h"

namespace zhiwen {
namespace {

constexpr double kThreshold = 0.8;

// --- running
// -----------------------------------------------------------------------------------------

struct RemovedRow {
  std::string kept_id, reason;
  double resemblance = 0, containment = 0, containment_of_kept = 0;
};

class DedupTest : public testing::Test {
 protected:
  Result<DedupReport> Run(DedupOptions options, size_t threads = 1) {
    return RunOn(files_, std::move(options), threads);
  }

  static Result<DedupReport> RunOn(FileSystem& files, DedupOptions options, size_t threads) {
    if (options.inputs.empty()) options.inputs = {"/in/corpus.jsonl"};
    if (options.output.empty()) options.output = "/out";
    const auto executor = threads == 1 ? MakeInlineExecutor() : MakeThreadPool(threads);
    const Cancellation cancellation;
    return Dedup(options, {files, *executor, SystemClock(), NoProgress(), NoLog(), cancellation});
  }

  std::string Read(const std::string& path) {
    const auto all = files_.Files();
    const auto at = all.find(path);
    return at == all.end() ? "<missing " + path + ">" : at->second;
  }

  std::vector<std::string> Rows(const std::string& name) {
    const std::string text = DecompressZstd(Read("/out/" + name)).value();
    std::vector<std::string> rows;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      rows.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return rows;
  }

  std::map<std::string, RemovedRow> Removed() {
    std::map<std::string, RemovedRow> removed;
    JsonReader reader;
    for (std::string row : Rows("removed.jsonl.zst")) {
      const size_t size = row.size();
      row.resize(size + JsonReader::kPadding);
      EXPECT_FALSE(reader.Parse({row.data(), size}).has_value()) << row;
      const auto find = [&](const std::string& key) {
        return reader.Find(std::vector<std::string>{key}).value();
      };
      removed[std::string(find("id").string)] = {
          std::string(find("kept_id").string), std::string(find("reason").string),
          find("resemblance").number, find("containment").number,
          find("containment_of_kept").number};
    }
    return removed;
  }

  // Everything a run wrote but what may differ between runs.
  std::map<std::string, std::string> Outputs() {
    std::map<std::string, std::string> outputs;
    for (auto& [path, content] : files_.Files()) {
      if (!path.starts_with("/out/") || path == "/out/report.html") continue;  // has times
      outputs[path] =
          path.ends_with("report.json") ? content.substr(0, content.find("\"run\"")) : content;
    }
    return outputs;
  }

  InMemoryFileSystem files_;
};

DedupOptions ExactCandidates() {
  DedupOptions options;
  options.candidates = CandidateSource::kExact;
  return options;
}

// --- the rules
// ----------------------------------------------------------------------------------------

TEST_F(DedupTest, EqualsTheRulesWordByWordWithExactCandidates) {
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    const std::vector<SlowDocument> corpus = CorpusMaker(seed).Corpus(60);
    files_.Put("/in/corpus.jsonl", ToJsonLines(corpus));
    DedupOptions options = ExactCandidates();
    options.overwrite = true;
    const auto report = Run(options);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->theorem_b_claim, "certain");
    const std::vector<SlowDecision> expected = SlowDedup(corpus, FoldedChannel(), kThreshold);
    const auto removed = Removed();
    for (size_t d = 0; d < corpus.size(); ++d) {
      const auto row = removed.find(corpus[d].id);
      ASSERT_EQ(row != removed.end(), expected[d].removed()) << seed << ' ' << corpus[d].id;
      if (!expected[d].removed()) continue;
      EXPECT_EQ(row->second.kept_id, corpus[expected[d].keeper].id);
      EXPECT_EQ(row->second.reason, expected[d].exact ? "exact" : "near");
      EXPECT_NEAR(row->second.resemblance, expected[d].resemblance, 1e-6);
      EXPECT_NEAR(row->second.containment, expected[d].containment, 1e-6);
      EXPECT_NEAR(row->second.containment_of_kept, expected[d].containment_of_kept, 1e-6);
    }
  }
}

// Two hundred pairs that differ in one operator or one pair of brackets.
std::vector<std::string> OperatorTwins() {
  const std::string operators = "+-*/%";
  const std::string comparisons[] = {"==", "!=", "<=", "->", "&&"};
  const std::string brackets[] = {"[]", "{}", "()"};
  std::vector<std::string> texts;
  for (size_t i = 0; i < 200; ++i) {
    const std::string n = std::to_string(1000 + i * 37), m = std::to_string(11 + i * 7 % 83);
    for (size_t side = 0; side < 2; ++side) {
      const char op = operators[(i / 5 + side) % operators.size()];
      const std::string& compared = comparisons[(i / 5 + side) % std::size(comparisons)];
      const std::string& bracket = brackets[(i / 5 + side) % std::size(brackets)];
      const std::string made[] = {
          "第" + n + "题：计算" + m + (i % 2 == 0 ? " " : "") + op + (i % 2 == 0 ? " " : "") + n,
          "函数" + n + "：f(x) = a_" + m + "*x" + bracket[0] + "n" + bracket[1] + "，求最小值",
          "if (a" + n + " " + compared + " b" + m + ") { return table[i]; }",
          "On " + std::to_string(1900 + i) + "-11" + "-/:"[(i / 5 + side) % 3] + "17 we met in " +
              n,
          "see https://example.org/" + n + "/news" + "/-_?&"[(i / 5 + side) % 5] + "docs for more"};
      texts.push_back(made[i % 5]);
    }
  }
  return texts;
}

TEST_F(DedupTest, TextsThatDifferInOneOperatorStay) {
  std::vector<SlowDocument> corpus;
  for (const std::string& text : OperatorTwins()) {
    corpus.push_back({.id = std::to_string(corpus.size()), .text = text});
  }
  files_.Put("/in/corpus.jsonl", ToJsonLines(corpus));
  ASSERT_TRUE(Run({}).has_value());
  EXPECT_TRUE(Removed().empty());
  DedupOptions blind;
  blind.overwrite = true;
  blind.channel = FoldedV2Channel();
  ASSERT_TRUE(Run(blind).has_value());
  EXPECT_GE(Removed().size(), 140U);  // they are equal to a channel that drops operators
}

// Theorem A on the outputs themselves, whatever found the candidates.
TEST_F(DedupTest, EveryRemovedDocumentMatchesTheKeptDocumentNamedAsItsKeeper) {
  for (uint32_t seed = 11; seed <= 14; ++seed) {
    const std::vector<SlowDocument> corpus = CorpusMaker(seed).Corpus(150);
    std::map<std::string, std::string> text_of;
    for (const SlowDocument& document : corpus) text_of[document.id] = document.text;
    files_.Put("/in/corpus.jsonl", ToJsonLines(corpus));
    DedupOptions options;
    options.overwrite = true;
    ASSERT_TRUE(Run(options).has_value());
    const auto removed = Removed();
    EXPECT_GT(removed.size(), 50U);
    for (const auto& [id, row] : removed) {
      EXPECT_FALSE(removed.contains(row.kept_id)) << id;
      const auto a = SlowShingles(FoldedChannel(), text_of[id]).value();
      const auto b = SlowShingles(FoldedChannel(), text_of[row.kept_id]).value();
      if (a.empty()) {
        EXPECT_EQ(text_of[id], text_of[row.kept_id]);
      } else {
        EXPECT_GE(SlowResemblance(a, b), kThreshold) << id;
      }
    }
  }
}

// Theorem B: with bands each pair at the threshold is missed with probability ≤ 0.0001, so none of
// these few hundred is.
TEST_F(DedupTest, BandsFindEveryPairThatExactCandidatesFind) {
  for (uint32_t seed = 21; seed <= 24; ++seed) {
    files_.Put("/in/corpus.jsonl", ToJsonLines(CorpusMaker(seed).Corpus(300)));
    DedupOptions exact = ExactCandidates();
    exact.overwrite = true;
    ASSERT_TRUE(Run(exact).has_value());
    const auto expected = Rows("removed.jsonl.zst");
    DedupOptions bands;
    bands.overwrite = true;
    const auto report = Run(bands);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->theorem_b_claim, "probable");
    EXPECT_LT(report->expected_missed_pairs, 0.05);
    EXPECT_EQ(Rows("removed.jsonl.zst"), expected);
  }
}

TEST_F(DedupTest, RacedWritesTheSameBytesForAnyNumberOfThreadsAndAnyInstructionSet) {
  files_.Put("/in/a.jsonl", ToJsonLines(CorpusMaker(31).Corpus(400)));
  files_.Put("/in/b.jsonl", ToJsonLines(CorpusMaker(32).Corpus(300)));
  const SimdLevel selected = SelectedSimdLevel();
  std::map<std::string, std::string> expected;
  for (const SimdLevel level : SupportedSimdLevels()) {
    ASSERT_TRUE(SelectKernels(level).has_value());
    for (const size_t threads : {1, 2, 4}) {
      DedupOptions options;
      options.inputs = {"/in/a.jsonl", "/in/b.jsonl"};
      options.overwrite = true;
      ASSERT_TRUE(Run(options, threads).has_value());
      if (expected.empty()) expected = Outputs();
      EXPECT_EQ(Outputs(), expected) << threads << ' ' << SimdLevelName(level);
    }
  }
  ASSERT_TRUE(SelectKernels(selected).has_value());
}

// Texts of one template, alike but below the threshold, with near-copies of some: full buckets of
// kept documents.
std::vector<SlowDocument> TemplateCorpus(uint32_t seed, int texts) {
  CorpusMaker maker(seed);
  const Characters common = maker.Fresh(120);
  std::vector<SlowDocument> corpus;
  for (int i = 0; i < texts; ++i) {
    Characters text = common;
    const Characters own = maker.Fresh(24);
    text.insert(text.begin() + 60, own.begin(), own.end());
    const std::string id = std::to_string(i);
    corpus.push_back({id, Join(text)});
    if (i % 3 == 0) corpus.push_back({id + "'", Join(maker.Edited(text, 2))});
  }
  return corpus;
}

TEST_F(DedupTest, HotBucketsChangeNoDecisionForAnyNumberOfThreads) {
  files_.Put("/in/corpus.jsonl", ToJsonLines(TemplateCorpus(71, 120)));
  std::vector<std::string> expected;
  for (const auto candidates : {CandidateSource::kExact, CandidateSource::kBands}) {
    for (const uint64_t max_bucket_kept : {uint64_t{2000}, uint64_t{5}}) {
      for (const size_t threads : {1, 2, 4}) {
        DedupOptions options;
        options.candidates = candidates;
        options.max_bucket_kept = max_bucket_kept;
        options.overwrite = true;
        const auto report = Run(options, threads);
        ASSERT_TRUE(report.has_value());
        if (candidates == CandidateSource::kBands && max_bucket_kept == 5) {
          EXPECT_GT(report->hot_buckets, 0U);
        }
        if (expected.empty()) expected = Rows("removed.jsonl.zst");
        EXPECT_EQ(Rows("removed.jsonl.zst"), expected) << max_bucket_kept << ' ' << threads;
      }
    }
  }
  EXPECT_EQ(expected.size(), 40U);
}

// Copies of copies are looked at ahead of their turn, and then not needed.
TEST_F(DedupTest, PairsAreCountedOnceHoweverOftenTheyAreLookedAt) {
  CorpusMaker maker(12);
  std::vector<SlowDocument> documents;
  for (size_t family = 0; family < 30; ++family) {
    const Characters text = maker.Fresh(60);
    for (size_t i = 0; i < 8; ++i) {
      documents.push_back({std::to_string(documents.size()), Join(maker.Edited(text, 1 + i % 3))});
    }
  }
  files_.Put("/in/corpus.jsonl", ToJsonLines(documents));
  DedupOptions options;
  const DedupReport one = Run(options).value();
  EXPECT_EQ(one.matched_pairs, one.removed_near);
  EXPECT_LE(one.matched_pairs, one.candidate_pairs);
  EXPECT_LT(one.candidate_pairs, one.comparisons);
  EXPECT_GE(one.compared_documents, one.removed_near);
  options.overwrite = true;
  const DedupReport three = Run(options, 3).value();
  EXPECT_EQ(three.compared_documents, one.compared_documents);
  EXPECT_EQ(three.candidate_pairs, one.candidate_pairs);
  EXPECT_EQ(three.matched_pairs, one.matched_pairs);
}

TEST_F(DedupTest, KeepsTheSameTextsForAnyOrderOfInput) {
  std::vector<SlowDocument> corpus = CorpusMaker(41).Corpus(200);
  std::multiset<std::string> expected;
  std::mt19937 random(7);
  for (int round = 0; round < 4; ++round) {
    files_.Put("/in/corpus.jsonl", ToJsonLines(corpus));
    DedupOptions options;
    options.overwrite = true;
    ASSERT_TRUE(Run(options).has_value());
    const auto removed = Removed();
    std::multiset<std::string> kept;
    for (const SlowDocument& document : corpus) {
      if (!removed.contains(document.id)) kept.insert(document.text);
    }
    if (round == 0) expected = kept;
    EXPECT_EQ(kept, expected);
    std::shuffle(corpus.begin(), corpus.end(), random);
  }
}

TEST_F(DedupTest, DoesNotChainDocumentsOfOneTemplate) {
  // Neighbours share 85 %, the ends of the chain nothing.
  CorpusMaker maker(51);
  Characters text = maker.Fresh(200);
  std::vector<SlowDocument> corpus;
  for (int i = 0; i < 40; ++i) {
    corpus.push_back({"d" + std::to_string(i), Join(text)});
    const Characters fresh = maker.Fresh(16);
    std::copy(fresh.begin(), fresh.end(), text.begin() + (i * 16) % 176);
  }
  files_.Put("/in/corpus.jsonl", ToJsonLines(corpus));
  const auto report = Run({});
  ASSERT_TRUE(report.has_value());
  EXPECT_GT(report->kept, 12U);
  EXPECT_LE(report->largest_cluster, 3U);
}

TEST_F(DedupTest, KeptFilesHoldTheBytesOfKeptRecordsUnchanged) {
  const std::string first =
      "{ \"text\" : \"天地玄黄宇宙洪荒日月盈昃\", \"id\":\"a\", \"x\":[1,2]}\r\n";
  const std::string copy = "{\"id\":\"b\",\"text\":\"天地玄黄宇宙洪荒日月盈昃\"}\n";
  const std::string last = "{\"id\":\"c\",\"text\":\"寒来暑往秋收冬藏闰余成岁\"}";
  files_.Put("/in/corpus.jsonl", first + copy + "\n  \n" + last);
  const auto report = Run({});
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->documents, 3U);
  EXPECT_EQ(report->removed_exact, 1U);
  EXPECT_EQ(Read("/out/kept/corpus.jsonl"), first + last);
}

TEST_F(DedupTest, KeptFilesLieAtTheirPathsBelowTheCommonParent) {
  files_.Put("/in/x/a.jsonl", "{\"text\":\"一二三四五六\"}\n");
  files_.Put("/in/x/y/b.jsonl", "{\"text\":\"七八九十百千\"}\n");
  files_.Put("/in/x/note.txt", "not read\n");
  DedupOptions options;
  options.inputs = {"/in/x"};
  ASSERT_TRUE(Run(options).has_value());
  EXPECT_EQ(Read("/out/kept/a.jsonl"), "{\"text\":\"一二三四五六\"}\n");
  EXPECT_EQ(Read("/out/kept/y/b.jsonl"), "{\"text\":\"七八九十百千\"}\n");
  EXPECT_FALSE(files_.Files().contains("/out/kept/note.txt"));
}

TEST_F(DedupTest, ModeExactRemovesEqualTextsOnly) {
  files_.Put("/in/corpus.jsonl",
             "{\"id\":\"a\",\"text\":\"caf\u00e9 天地玄黄\"}\n"
             "{\"id\":\"b\",\"text\":\"cafe\u0301 天地玄黄\"}\n"
             "{\"id\":\"c\",\"text\":\"Caf\u00e9 天地玄黄\"}\n"
             "{\"id\":\"d\",\"text\":\"\"}\n{\"id\":\"e\",\"text\":\"\"}\n");
  DedupOptions options;
  options.mode = DedupMode::kExact;
  const auto report = Run(options);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->removed_exact, 1U);
  EXPECT_EQ(report->kept, 4U);
  EXPECT_EQ(report->empty, 2U);
  EXPECT_EQ(Removed().begin()->second.reason, "exact");
}

TEST_F(DedupTest, ClustersNameEveryMemberOnce) {
  files_.Put("/in/corpus.jsonl",
             "{\"id\":\"a\",\"text\":\"天地玄黄宇宙洪荒\"}\n{\"id\":\"b\",\"text\":\"天地玄黄,"
             "宇宙洪荒\"}\n"
             "{\"id\":\"c\",\"text\":\"寒来暑往秋收冬藏\"}\n{\"text\":\"天地玄黄宇宙洪荒\"}\n");
  ASSERT_TRUE(Run({}).has_value());
  const auto source = [](int record) {
    return R"(source":{"file":"/in/corpus.jsonl","record":)" + std::to_string(record) + "}";
  };
  const std::string rest = R"(,"kept_id":"b","kept_)" + source(2) + R"(,"size":3})";
  const std::vector<std::string> expected = {R"({"id":"a",")" + source(1) + rest,
                                             R"({"id":"b",")" + source(2) + rest,
                                             R"({"id":"/in/corpus.jsonl:4",")" + source(4) + rest};
  EXPECT_EQ(Rows("clusters.jsonl.zst"), expected);
}

// --- bad input
// -------------------------------------------------------------------------------------------

TEST_F(DedupTest, EveryBadRecordIsInTheFailedFileWithItsBytes) {
  files_.Put(
      "/in/corpus.jsonl",
      "{\"id\":\"a\",\"text\":\"天地玄黄宇宙洪荒\"}\n{\"id\":\"b\",\"text\":\"unclosed\n"
      "{\"id\":\"c\"}\n{\"id\":\"d\",\"text\":7}\n{\"id\":\"e\",\"text\":\"\xff\xfe\"}\n[1]\n");
  DedupOptions options;
  options.max_failed.most_share = 1;
  const auto report = Run(options);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->documents, 6U);
  EXPECT_EQ(report->kept, 1U);
  EXPECT_EQ(report->failed_total(), 5U);
  const auto rows = Rows("failed.jsonl.zst");
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_NE(rows[0].find(R"("record":2,"offset":45,)"), std::string::npos) << rows[0];
  EXPECT_NE(rows[0].find(R"("raw":"{\"id\":\"b\",\"text\":\"unclosed\n")"), std::string::npos);
  EXPECT_NE(rows[1].find(R"("reason":"missing_field")"), std::string::npos);
  EXPECT_NE(rows[2].find(R"("reason":"not_a_string")"), std::string::npos);
  EXPECT_NE(rows[3].find(R"("raw_base64":)"), std::string::npos);
  EXPECT_NE(rows[4].find(R"("reason":"not_an_object")"), std::string::npos);
}

TEST_F(DedupTest, MoreFailedRecordsThanTheLimitEndTheRunAndLeaveNoReport) {
  std::string lines;
  for (int i = 0; i < 150; ++i) lines += "broken\n";
  lines += "{\"text\":\"天地玄黄宇宙洪荒\"}\n";
  files_.Put("/in/corpus.jsonl", lines);
  const auto report = Run({});
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kUnreadable);
  EXPECT_NE(report.error().message.find("150 of 151 records failed"), std::string::npos);
  EXPECT_FALSE(files_.Files().contains("/out/report.json"));
  DedupOptions lenient;
  lenient.max_failed = {1000, 0, 1};
  EXPECT_TRUE(Run(lenient).has_value());
}

TEST_F(DedupTest, OneOfSeveralFieldsThatNoRecordHasIsAMistakeOfTheCommand) {
  files_.Put("/in/corpus.jsonl",
             "{\"title\":\"天地\",\"site\":null}\n{\"body\":null,\"title\":\"玄黄\"}\n");
  DedupOptions options;
  options.overwrite = true;
  options.text_fields = {"title", "body"};
  const auto found = Run(options);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_FALSE(found->missing_group_values.has_value());
  options.text_fields = {"title", "bdy"};
  const auto misspelt = Run(options);
  ASSERT_FALSE(misspelt.has_value());
  EXPECT_EQ(misspelt.error().code, ErrorCode::kNotFound);
  EXPECT_NE(misspelt.error().message.find("\"bdy\""), std::string::npos);
  options.text_fields = {"title"};
  options.group_by = "site";
  const auto no_group = Run(options);
  ASSERT_FALSE(no_group.has_value());
  EXPECT_EQ(no_group.error().code, ErrorCode::kNotFound);
  EXPECT_NE(no_group.error().message.find("\"site\" to group by"), std::string::npos);
}

TEST_F(DedupTest, RecordsWithoutAValueToGroupByAreCounted) {
  files_.Put(
      "/in/corpus.jsonl",
      "{\"text\":\"天地\",\"site\":1}\n{\"text\":\"玄黄\"}\n{\"text\":\"宇宙\",\"site\":[]}\n");
  DedupOptions options;
  options.group_by = "site";
  const auto report = Run(options);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->missing_group_values, 2U);
  EXPECT_NE(DedupReportToJson(*report, options).find("\"missing_group_values\": 2"),
            std::string::npos);
}

TEST_F(DedupTest, AFieldThatNoRecordHasIsAMistakeOfTheCommand) {
  files_.Put("/in/corpus.jsonl", "{\"content\":\"天地玄黄\"}\n");
  const auto no_text = Run({});
  ASSERT_FALSE(no_text.has_value());
  EXPECT_EQ(no_text.error().code, ErrorCode::kNotFound);
  DedupOptions options;
  options.text_fields = {"content"};
  options.id_field = "url";
  const auto no_id = Run(options);
  ASSERT_FALSE(no_id.has_value());
  EXPECT_NE(no_id.error().message.find("\"url\""), std::string::npos);
  options.id_field.reset();
  options.keep = "earliest(date)";
  EXPECT_EQ(Run(options).error().code, ErrorCode::kNotFound);
  options.keep = "longest";
  EXPECT_TRUE(Run(options).has_value());
}

TEST_F(DedupTest, AMistypedTextFieldIsNotHiddenByABrokenLine) {
  files_.Put("/in/corpus.jsonl", "{\"body\":\"天地玄黄\"}\n{broken\n{\"body\":\"宇宙洪荒\"}\n");
  const auto report = Run({});
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kNotFound);
}

TEST_F(DedupTest, AnInputWithoutASingleDocumentIsAnErrorEvenWhenItIsShort) {
  files_.Put("/in/corpus.jsonl", "plain text\nand more of it\n");
  const auto report = Run({});
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kUnreadable);
  EXPECT_NE(report.error().message.find("all 2 failed"), std::string::npos);
}

TEST_F(DedupTest, AByteOrderMarkAloneIsNoRecord) {
  files_.Put("/in/corpus.jsonl", "\xEF\xBB\xBF\n{\"text\":\"天地玄黄\"}\n");
  const auto report = Run({});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->documents, 1U);
}

TEST_F(DedupTest, AnEmptyInputGivesEmptyOutputs) {
  files_.Put("/in/corpus.jsonl", "");
  const auto report = Run({});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->documents, 0U);
  EXPECT_EQ(Read("/out/kept/corpus.jsonl"), "");
  EXPECT_TRUE(Rows("removed.jsonl.zst").empty());
}

TEST_F(DedupTest, DuplicateIdsAreCountedWithExamples) {
  files_.Put(
      "/in/corpus.jsonl",
      "{\"id\":\"x\",\"text\":\"天地玄黄宇宙\"}\n{\"id\":\"x\",\"text\":\"洪荒日月盈昃\"}\n"
      "{\"id\":\"y\",\"text\":\"辰宿列张寒来\"}\n{\"id\":\"x\",\"text\":\"暑往秋收冬藏\"}\n");
  const auto report = Run({});
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->duplicate_ids, 2U);
  EXPECT_EQ(report->duplicate_id_examples, std::vector<std::string>{"x"});
}

TEST_F(DedupTest, CompressedInputIsNamedAsWhatItIs) {
  files_.Put("/in/corpus.jsonl", "\x28\xB5\x2F\xFDxxxx");
  const auto report = Run({});
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kUnreadable);
  EXPECT_NE(report.error().message.find("zstd"), std::string::npos);
}

TEST_F(DedupTest, MissingInputsAndFullFoldersAreRefused) {
  files_.Put("/in/corpus.jsonl", "{\"text\":\"天地玄黄\"}\n");
  DedupOptions options;
  options.inputs = {"/in/absent.jsonl"};
  EXPECT_EQ(Run(options).error().code, ErrorCode::kNotFound);
  options.inputs = {"/in/corpus.jsonl", "/in/corpus.jsonl"};
  EXPECT_EQ(Run(options).error().code, ErrorCode::kInvalidArgument);
  options.inputs = {"/in"};
  options.output = "/in/out";
  EXPECT_EQ(Run(options).error().code, ErrorCode::kInvalidArgument);
  files_.Put("/out/precious.txt", "mine");
  options.output = "/out";
  options.overwrite = true;
  EXPECT_EQ(Run(options).error().code, ErrorCode::kConflict);
  EXPECT_EQ(Read("/out/precious.txt"), "mine");
}

TEST_F(DedupTest, OverwriteTakesAwayNothingThatARunDidNotWrite) {
  files_.Put("/in/corpus.jsonl", "{\"text\":\"天地玄黄宇宙\"}\n");
  files_.Put("/out/kept/thesis.txt", "mine");
  DedupOptions options;
  options.overwrite = true;
  EXPECT_EQ(Run(options).error().code, ErrorCode::kConflict);
  EXPECT_EQ(Read("/out/kept/thesis.txt"), "mine");
}

TEST_F(DedupTest, AnInputInsideTheOutputFolderIsRefused) {
  files_.Put("/in/corpus.jsonl", "{\"text\":\"天地玄黄宇宙\"}\n");
  ASSERT_TRUE(Run({}).has_value());
  DedupOptions options;
  options.inputs = {"/out/kept/corpus.jsonl"};
  options.overwrite = true;
  EXPECT_EQ(Run(options).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(Read("/out/kept/corpus.jsonl"), "{\"text\":\"天地玄黄宇宙\"}\n");
}

TEST_F(DedupTest, ASecondRunNeedsOverwrite) {
  files_.Put("/in/corpus.jsonl", "{\"text\":\"天地玄黄宇宙\"}\n");
  ASSERT_TRUE(Run({}).has_value());
  EXPECT_EQ(Run({}).error().code, ErrorCode::kConflict);
  DedupOptions options;
  options.overwrite = true;
  EXPECT_TRUE(Run(options).has_value());
}

TEST_F(DedupTest, OptionsOutOfRangeAreUsageErrors) {
  files_.Put("/in/corpus.jsonl", "{\"text\":\"天地玄黄\"}\n");
  for (const double threshold : {0.0, 0.49, 1.01, -1.0, std::nan("")}) {
    DedupOptions options;
    options.threshold = threshold;
    EXPECT_EQ(Run(options).error().code, ErrorCode::kInvalidArgument) << threshold;
  }
  DedupOptions options;
  options.keep = "biggest";
  EXPECT_EQ(Run(options).error().code, ErrorCode::kInvalidArgument);
}

// --- faults
// ------------------------------------------------------------------------------------------------

TEST_F(DedupTest, WhicheverFileOperationFailsAReportIsThereExactlyWhenTheRunSucceeded) {
  files_.Put("/in/corpus.jsonl", ToJsonLines(CorpusMaker(61).Corpus(20)) + "broken\n");
  uint64_t failures = 0;
  uint64_t successes = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    memory.Put("/in/corpus.jsonl", Read("/in/corpus.jsonl"));
    FaultyFileSystem faulty(memory, {.at = n, .error = {ErrorCode::kExhausted, "disk full"}});
    const auto report = RunOn(faulty, {}, 1);
    EXPECT_EQ(memory.Files().contains("/out/report.json"), report.has_value()) << n;
    if (!faulty.fired()) break;
    ++(report.has_value() ? successes : failures);
    if (!report.has_value()) {
      EXPECT_EQ(report.error().code, ErrorCode::kExhausted) << n;
    }
  }
  EXPECT_GT(failures, 40U);
  EXPECT_LE(successes, 3U);  // tidying, when everything is in place
}

TEST_F(DedupTest, StopsWhenAskedTo) {
  files_.Put("/in/corpus.jsonl", ToJsonLines(CorpusMaker(62).Corpus(20)));
  const auto executor = MakeInlineExecutor();
  Cancellation cancellation;
  cancellation.Request(ErrorCode::kInterrupted);
  DedupOptions options;
  options.inputs = {"/in/corpus.jsonl"};
  options.output = "/out";
  const auto report =
      Dedup(options, {files_, *executor, SystemClock(), NoProgress(), NoLog(), cancellation});
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kInterrupted);
  EXPECT_FALSE(files_.Files().contains("/out/report.json"));
}

// --- the page
// -----------------------------------------------------------------------------------------

TEST_F(DedupTest, FindingsCountEveryDocumentOnce) {
  const std::vector<SlowDocument> corpus = CorpusMaker(5).Corpus(80);
  files_.Put("/in/corpus.jsonl", ToJsonLines(corpus));
  const DedupReport report = Run(ExactCandidates()).value();
  uint64_t kept = 0, removed = 0;
  for (const SizeBin& bin : report.findings.sizes) {
    kept += bin.kept;
    removed += bin.removed;
  }
  EXPECT_EQ(kept, report.kept);
  EXPECT_EQ(removed, report.removed_exact + report.removed_near);
  uint64_t similar = report.findings.similarities.equal;
  for (const SimilarityBin& bin : report.findings.similarities.bins) similar += bin.removed;
  EXPECT_EQ(similar, removed);
  ASSERT_EQ(report.findings.sources.removed.size(), 1U);
  EXPECT_EQ(report.findings.sources.removed[0][0], removed);
  ASSERT_FALSE(report.findings.clusters.empty());
  EXPECT_EQ(report.findings.clusters.front().documents, report.largest_cluster);
}

TEST_F(DedupTest, ShownRemovalsAreThoseOfTheRun) {
  files_.Put("/in/corpus.jsonl", ToJsonLines(CorpusMaker(6).Corpus(80)));
  const DedupReport report = Run(ExactCandidates()).value();
  const std::map<std::string, RemovedRow> removed = Removed();
  size_t shown = 0;
  for (const ShownReason& reason : report.findings.reasons) {
    for (const auto* group : {&reason.lowest, &reason.drawn}) {
      for (const ShownRemoval& removal : *group) {
        const RemovedRow& row = removed.at(removal.id);
        EXPECT_EQ(row.kept_id, removal.kept_id);
        EXPECT_EQ(row.reason, removal.reason);
        EXPECT_NEAR(row.resemblance, removal.resemblance, 1e-6);
        EXPECT_NE(Read("/out/report.html").find(removal.id), std::string::npos);
        ++shown;
      }
    }
  }
  EXPECT_GT(shown, 5U);
}

TEST_F(DedupTest, FindingsDoNotDependOnThreads) {
  files_.Put("/in/corpus.jsonl", ToJsonLines(CorpusMaker(7).Corpus(80)));
  DedupOptions options = ExactCandidates();
  const auto page_of = [&](size_t threads) {
    options.overwrite = true;
    DedupReport report = Run(options, threads).value();
    report.threads = 1;  // what may differ
    report.stages.clear();
    report.wall_seconds = report.cpu_seconds = 0;
    report.peak_memory_bytes = 0;
    return RenderHtmlReport(report, options);
  };
  EXPECT_EQ(page_of(1), page_of(3));
}

TEST_F(DedupTest, FailedRecordsAndWarningsAreShown) {
  files_.Put(
      "/in/corpus.jsonl",
      "{\"text\":\"一二三四五六\"}\n{broken\n{\"id\":7}\n{\"text\":\"七\"}\n{\"text\":\"八\"}\n");
  const DedupReport report = Run({}).value();
  ASSERT_EQ(report.findings.failures.size(), 2U);
  EXPECT_EQ(report.findings.failures[0].reason, "invalid_json");
  EXPECT_EQ(report.findings.failures[0].source, "/in/corpus.jsonl:2");
  EXPECT_EQ(report.findings.failures[0].raw, "{broken");
  EXPECT_EQ(report.findings.failures[1].reason, "missing_field");
  ASSERT_EQ(report.findings.warnings.size(), 1U);
  EXPECT_NE(report.findings.warnings[0].find("2 of 5 records failed"), std::string::npos);
}

}  // namespace
}  // namespace zhiwen
