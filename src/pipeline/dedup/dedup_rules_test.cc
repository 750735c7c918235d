// Rules and outputs that single options ask for, through whole runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json_reader.h"
#include "base/utf8/transcoder.h"
#include "pipeline/dedup/made_corpus_test_support.h"
#include "pipeline/dedup/run.h"
#include "pipeline/dedup/run_test_support.h"
#include "support/decompress_zstd.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kMoon = "月光照在旧桥上，河水慢慢流过石头。";
constexpr std::string_view kSpring = "春眠不觉晓，处处闻啼鸟。夜来风雨声。";

class DedupRulesTest : public testing::Test {
 protected:
  DedupRulesTest() {
    options_.inputs = {"/in/corpus.jsonl"};
    options_.output = "/out";
    options_.overwrite = true;
  }

  Result<DedupReport> Run(const RunTuning& tuning = {}, size_t threads = 1) {
    const auto executor = threads == 1 ? MakeInlineExecutor() : MakeThreadPool(threads);
    const Cancellation cancellation;
    return RunDedup(options_, tuning,
                    {files_, *executor, SystemClock(), NoProgress(), NoLog(), cancellation});
  }

  DedupReport RunWell(const RunTuning& tuning = {}, size_t threads = 1) {
    auto report = Run(tuning, threads);
    EXPECT_TRUE(report.has_value()) << report.error().message;
    return report ? *std::move(report) : DedupReport();
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

  InMemoryFileSystem files_;
  DedupOptions options_;
};

std::string Line(std::string_view id, std::string_view text, std::string_view more = "") {
  return "{\"id\":\"" + std::string(id) + "\",\"text\":\"" + std::string(text) + "\"" +
         std::string(more) + "}\n";
}

// --- marks
// -----------------------------------------------------------------------------------------

TEST_F(DedupRulesTest, MarkedRecordsNameTheirKeepers) {
  options_.inputs = {"/in"};
  options_.mark = "dup";
  options_.mark_keeper = "of";
  options_.add_cluster_size = true;
  options_.against = {"/ref/r.jsonl"};
  options_.keep = "first";
  files_.Put("/ref/r.jsonl", Line("ref \\\"1\\\"", kSpring));
  files_.Put("/in/a.jsonl", Line("a", kMoon) + Line("b", kSpring) + Line("c", kMoon));
  files_.Put("/in/b.csv",
             "id,text\r\nd," + std::string(kMoon) + "\r\n\"e,5\",独此一篇别无分号\r\n");
  RunWell();
  const std::string moon(kMoon), spring(kSpring);
  EXPECT_EQ(Read("/out/kept/a.jsonl"),
            "{\"id\":\"a\",\"text\":\"" + moon +
                "\",\"dup\":false,\"of\":null,\"cluster_size\":3}\n" + "{\"id\":\"b\",\"text\":\"" +
                spring + "\",\"dup\":true,\"of\":\"ref \\\"1\\\"\",\"cluster_size\":1}\n" +
                "{\"id\":\"c\",\"text\":\"" + moon +
                "\",\"dup\":true,\"of\":\"a\",\"cluster_size\":3}\n");
  EXPECT_EQ(Read("/out/kept/b.csv"), "id,text,dup,of,cluster_size\r\nd," + moon +
                                         ",true,a,3\r\n\"e,5\",独此一篇别无分号,false,,1\r\n");
}

TEST_F(DedupRulesTest, KeepersOfReferencesAloneAreNamedWhereOnlyTheseAreMarked) {
  options_.mark = "dup";
  options_.mark_keeper = "of";
  options_.against = {"/ref/r.jsonl"};
  options_.against_action = ReferenceAction::kMark;
  options_.keep = "first";
  files_.Put("/ref/r.jsonl", Line("ref", kSpring));
  files_.Put("/in/corpus.jsonl", Line("a", kMoon) + Line("b", kMoon) + Line("c", kSpring));
  RunWell();
  EXPECT_EQ(Read("/out/kept/corpus.jsonl"), Line("a", kMoon, ",\"dup\":false,\"of\":null") +
                                                Line("c", kSpring, ",\"dup\":true,\"of\":\"ref\""));
}

TEST_F(DedupRulesTest, IdsOfKeepersThatRepeatAreWarnedOf) {
  options_.mark = "dup";
  options_.mark_keeper = "of";
  files_.Put("/in/corpus.jsonl", Line("a", kMoon) + Line("a", kMoon) + Line("b", kSpring));
  EXPECT_THAT(
      RunWell().findings.warnings,
      testing::Contains(HasSubstr("1 record repeats an id, such as \"a\": the id of a keeper in "
                                  "marked records does not say which of them it is")));
  options_.mark_keeper.reset();
  EXPECT_THAT(RunWell().findings.warnings, testing::IsEmpty());
}

TEST_F(DedupRulesTest, NamesOfKeepersAreWrittenInTheEncodingOfTheFile) {
  options_.inputs = {"/in"};
  options_.mark = "dup";
  options_.mark_keeper = "of";
  options_.keep = "first";
  const std::string text(kMoon);
  files_.Put("/in/a.jsonl", Line("简𠀀桥", kMoon));  // Big5 lacks the first two characters
  files_.Put("/in/b.json", "[{\"id\":\"c\",\"text\":\"" + text + "\"}]");
  files_.Put("/in/c.jsonl", EncodeText("{\"id\":\"b\",\"text\":\"月光照在舊橋上\"}\n" +
                                           Line("d", "月光照在舊橋上，河水慢慢流過石頭。"),
                                       TextEncoding::kBig5)
                                .value());
  files_.Put("/in/d.csv", EncodeText("id,text\ne,月光照在舊橋上，河水慢慢流過石頭。\n" +
                                         std::string("f,另外一篇完全不同的長文章在這裡\n"),
                                     TextEncoding::kBig5)
                              .value());
  RunWell();
  EXPECT_THAT(Read("/out/kept/b.json"), HasSubstr("\"dup\":true,\"of\":\"简𠀀桥\"}]"));
  EXPECT_THAT(Read("/out/kept/c.jsonl"), HasSubstr("\"of\":\"\\u7b80\\ud840\\udc00"));
  EXPECT_THAT(Read("/out/kept/d.csv"), HasSubstr(",true,??"));
}

TEST_F(DedupRulesTest, AFieldForKeepersNeedsMarksAndANameOfItsOwn) {
  files_.Put("/in/corpus.jsonl", Line("a", kMoon));
  options_.mark_keeper = "of";
  EXPECT_THAT(Run().error().message, HasSubstr("needed for the mark"));
  options_.mark = "of";
  EXPECT_THAT(Run().error().message, HasSubstr("both to be the field \"of\""));
  options_.mark = "dup";
  options_.mark_keeper = "";
  EXPECT_THAT(Run().error().message, HasSubstr("the names of keepers need the name of a field"));
  options_.mark_keeper = "id";
  const auto clash = Run();
  ASSERT_FALSE(clash.has_value());
  EXPECT_EQ(clash.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(clash.error().message, HasSubstr("choose another one"));
}

// --- keeping none
// ------------------------------------------------------------------------------------------

std::map<std::string, std::string> FieldsOf(const std::string& row,
                                            const std::vector<std::string>& keys) {
  JsonReader reader;
  std::string padded = row;
  padded.resize(row.size() + JsonReader::kPadding);
  EXPECT_FALSE(reader.Parse({padded.data(), row.size()}).has_value()) << row;
  std::map<std::string, std::string> fields;
  for (const std::string& key : keys) {
    const auto field = reader.Find(std::vector<std::string>{key});
    fields[key] = "<none>";
    if (field) fields[key] = field->string.empty() ? field->raw : field->string;
    if (field && field->type == JsonType::kNull) fields[key] = "null";
  }
  return fields;
}

TEST_F(DedupRulesTest, OfAClusterNothingStaysWhereNoneIsKept) {
  files_.Put("/in/corpus.jsonl", Line("a", kMoon) + Line("b", kSpring) + Line("c", kMoon) +
                                     Line("d", kMoon, ",\"x\":1"));
  options_.keep = "first, none";
  options_.mark = "dup";
  options_.mark_keeper = "of";
  const DedupReport report = RunWell();
  EXPECT_EQ(report.kept, 1U);
  EXPECT_EQ(report.removed_exact, 2U);
  EXPECT_EQ(report.removed_representative, 1U);
  EXPECT_EQ(report.removed_total(), 3U);
  EXPECT_EQ(report.clusters, 1U);
  EXPECT_EQ(report.largest_cluster, 3U);
  const std::string place = "\"source\":{\"file\":\"/in/corpus.jsonl\",\"record\":";
  const std::string folded(FoldedChannel().name());
  const std::string none = "\"kept_id\":null,\"kept_source\":null,\"representative_id\":\"a\",";
  const std::string first = none + "\"representative_" + place.substr(1) + "1},";
  EXPECT_THAT(
      Rows("removed.jsonl.zst"),
      ElementsAre("{\"id\":\"a\"," + place + "1}," + first +
                      "\"reason\":\"representative\",\"resemblance\":null,\"containment\":null,"
                      "\"containment_of_kept\":null,\"channel\":null}",
                  "{\"id\":\"c\"," + place + "3}," + first +
                      "\"reason\":\"exact\",\"resemblance\":1,\"containment\":1,"
                      "\"containment_of_kept\":1,\"channel\":\"" +
                      folded + "\"}",
                  "{\"id\":\"d\"," + place + "4}," + first +
                      "\"reason\":\"exact\",\"resemblance\":1,\"containment\":1,"
                      "\"containment_of_kept\":1,\"channel\":\"" +
                      folded + "\"}"));
  EXPECT_EQ(Rows("clusters.jsonl.zst").front(),
            "{\"id\":\"a\"," + place + "1}," + first + "\"size\":3}");
  EXPECT_THAT(Read("/out/kept/corpus.jsonl"), HasSubstr("\"dup\":true,\"of\":null}"));
  EXPECT_THAT(DedupReportToJson(report, options_), HasSubstr("\"representative\": 1"));
  EXPECT_THAT(RenderHtmlReport(report, options_), HasSubstr("No document of a cluster"));
}

// The rules decide as ever; what represents a cluster goes, too.
TEST_F(DedupRulesTest, SlowKeepingNoneRemovesTheKeepersOfTheSameRunThatKeepsOne) {
  for (const DedupMode mode : {DedupMode::kNear, DedupMode::kExact, DedupMode::kContained}) {
    options_.mode = mode;
    files_.Put("/in/corpus.jsonl", ToJsonLines(CorpusMaker(33).Corpus(120)));
    options_.keep = "longest";
    const DedupReport one = RunWell();
    std::map<std::string, std::string> keeper_of;
    std::set<std::string> keepers;
    for (const std::string& row : Rows("removed.jsonl.zst")) {
      auto fields = FieldsOf(row, {"id", "kept_id"});
      keepers.insert(fields["kept_id"]);
      keeper_of[fields["id"]] = fields["kept_id"];
    }
    options_.keep = "none";
    std::string expected;
    for (const MemoryPlan& memory : kMemoryPlans) {
      const DedupReport none = RunWell({.memory = memory});
      EXPECT_EQ(none.kept, one.kept - keepers.size());
      EXPECT_EQ(none.removed_total(), one.removed_total() + keepers.size());
      EXPECT_EQ(none.removed_representative, keepers.size());
      EXPECT_EQ(none.clusters, one.clusters);
      EXPECT_EQ(none.audit->kept_with_a_match, 0U);
      size_t representatives = 0;
      for (const std::string& row : Rows("removed.jsonl.zst")) {
        auto fields = FieldsOf(row, {"id", "reason", "representative_id"});
        if (fields["reason"] == "representative") {
          ++representatives;
          EXPECT_TRUE(keepers.contains(fields["id"])) << row;
          EXPECT_EQ(fields["representative_id"], fields["id"]);
        } else {
          EXPECT_EQ(fields["representative_id"], keeper_of.at(fields["id"])) << row;
        }
      }
      EXPECT_EQ(representatives, keepers.size());
      const std::string rows = Read("/out/removed.jsonl.zst");
      if (expected.empty()) expected = rows;
      EXPECT_EQ(rows, expected);
    }
  }
}

// --- keys
// ------------------------------------------------------------------------------------------

// A corpus in which texts and keys cross each other in every way.
std::vector<SlowDocument> KeyedCorpus(uint32_t seed, size_t families) {
  CorpusMaker maker(seed);
  std::vector<SlowDocument> corpus = maker.Corpus(families);
  for (SlowDocument& document : corpus) {
    if (maker.Below(3) > 0) document.key = "k" + std::to_string(maker.Below(corpus.size() / 2));
  }
  return corpus;
}

TEST_F(DedupRulesTest, SlowKeysAreTheFirstRuleWordByWord) {
  options_.key = "key";
  options_.candidates = CandidateSource::kExact;
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    options_.mode = seed % 3 == 0 ? DedupMode::kContained : DedupMode::kNear;
    const bool is_contained = options_.mode == DedupMode::kContained;
    const std::vector<SlowDocument> corpus = KeyedCorpus(seed, 60);
    files_.Put("/in/corpus.jsonl", ToJsonLines(corpus));
    const std::vector<SlowDecision> expected =
        (is_contained ? SlowContainedDedup : SlowDedup)(corpus, FoldedChannel(), 0.8, {});
    std::string bytes;
    for (const MemoryPlan& memory : kMemoryPlans) {
      const DedupReport report = RunWell({.memory = memory}, seed % 2 == 0 ? 3 : 1);
      EXPECT_EQ(report.audit->kept_with_a_match, 0U);
      std::map<std::string, std::map<std::string, std::string>> removed;
      for (const std::string& row : Rows("removed.jsonl.zst")) {
        auto fields = FieldsOf(row, {"id", "kept_id", "reason", "resemblance", "channel"});
        removed[fields["id"]] = fields;
      }
      uint64_t by_key = 0;
      for (size_t d = 0; d < corpus.size(); ++d) {
        const auto row = removed.find(corpus[d].id);
        ASSERT_EQ(row != removed.end(), expected[d].removed()) << seed << ' ' << corpus[d].id;
        if (!expected[d].removed()) continue;
        EXPECT_EQ(row->second["kept_id"], corpus[expected[d].keeper].id) << corpus[d].id;
        EXPECT_EQ(row->second["reason"] == "key", expected[d].by_key);
        EXPECT_EQ(row->second["resemblance"] == "null", expected[d].by_key);
        by_key += expected[d].by_key ? 1 : 0;
      }
      EXPECT_EQ(report.removed_key, by_key);
      EXPECT_GT(by_key, 20U);
      if (bytes.empty()) bytes = Read("/out/removed.jsonl.zst");
      EXPECT_EQ(Read("/out/removed.jsonl.zst"), bytes);
    }
  }
}

TEST_F(DedupRulesTest, EqualKeysMatchWhateverTheirTextsAndOtherKeysDoNot) {
  files_.Put("/in/corpus.jsonl", Line("a", kMoon, ",\"k\":7") + Line("b", kSpring, ",\"k\":\"7\"") +
                                     Line("c", "", ",\"k\":\"8\"") + Line("d", "", ",\"k\":\"8\"") +
                                     Line("e", "", ",\"k\":\"\"") + Line("f", "", ",\"k\":\"\"") +
                                     Line("g", "") + Line("h", kMoon, ",\"k\":\"x\"") +
                                     Line("i", kSpring, ",\"k\":\"X\"") +
                                     Line("j", "另有一篇别的文字在此", ",\"k\":\"X\""));
  options_.key = "k";
  options_.keep = "first";
  for (const DedupMode mode : {DedupMode::kNear, DedupMode::kExact, DedupMode::kContained}) {
    options_.mode = mode;
    const DedupReport report = RunWell();
    std::map<std::string, std::string> removed;
    for (const std::string& row : Rows("removed.jsonl.zst")) {
      auto fields = FieldsOf(row, {"id", "kept_id", "reason"});
      removed[fields["id"]] = fields["kept_id"] + " " + fields["reason"];
    }
    // b is gone before texts are compared, so that i stays.
    const std::map<std::string, std::string> expected = {
        {"b", "a key"}, {"d", "c key"}, {"h", "a exact"}, {"j", "i key"}};
    if (mode != DedupMode::kContained) {
      EXPECT_EQ(removed, expected);
      EXPECT_EQ(report.empty, 4U);
    }
    EXPECT_EQ(report.removed_key, 3U);
    EXPECT_EQ(report.missing_key_values, 3U);
    EXPECT_EQ(report.documents, report.kept + report.removed_total());
  }
  EXPECT_THAT(DedupReportToJson(RunWell(), options_),
              AllOf(HasSubstr("\"key\": 3"), HasSubstr("\"missing_key_values\": 3")));
}

TEST_F(DedupRulesTest, KeysMeetReferencesGroupsAndKeepingNone) {
  files_.Put("/ref/r.jsonl", Line("ref", kSpring));
  files_.Put("/in/corpus.jsonl", Line("a", kSpring, ",\"k\":1,\"g\":1") +
                                     Line("b", "同一个键而文字不同的一篇", ",\"k\":1,\"g\":1") +
                                     Line("c", "第三篇文字也和它们不一样", ",\"k\":1,\"g\":1") +
                                     Line("d", "另一组里的文章不受影响呀", ",\"k\":1,\"g\":2"));
  options_.key = "k";
  options_.group_by = "g";
  options_.against = {"/ref/r.jsonl"};
  options_.keep = "first";
  DedupReport report = RunWell();
  // a matches a reference before its key counts.
  EXPECT_EQ(report.removed_against, 1U);
  EXPECT_EQ(report.removed_key, 1U);
  auto fields = FieldsOf(Rows("removed.jsonl.zst").back(), {"id", "kept_id", "reason"});
  EXPECT_EQ(fields["id"] + fields["kept_id"] + fields["reason"], "cbkey");
  options_.keep = "first, none";
  report = RunWell();
  EXPECT_EQ(report.kept, 1U);
  EXPECT_EQ(report.removed_representative, 1U);
  EXPECT_EQ(report.removed_key, 1U);
  EXPECT_THAT(RenderHtmlReport(report, options_), HasSubstr("have one key"));
}

TEST_F(DedupRulesTest, AddressesOfOnePageAreOneKey) {
  files_.Put("/in/corpus.jsonl", Line("a", kMoon, ",\"url\":\"https://A.cn/x/?utm_source=1#top\"") +
                                     Line("b", kSpring, ",\"url\":\"https://a.cn:443/x\"") +
                                     Line("c", "别处的一篇文字", ",\"url\":\"https://a.cn/y\""));
  options_.key = "url";
  EXPECT_EQ(RunWell().removed_key, 0U);
  options_.key = "url(url)";
  EXPECT_EQ(RunWell().removed_key, 1U);
  options_.key = "url(adress)";
  const auto misspelt = Run();
  ASSERT_FALSE(misspelt.has_value());
  EXPECT_EQ(misspelt.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(misspelt.error().message,
              AllOf(HasSubstr("the key \"url(adress)\"; the first record has \"id\""),
                    HasSubstr("\"url\"")));
  options_.key = "urls(url)";
  EXPECT_THAT(Run().error().message, HasSubstr("url(F) is the key that compares addresses"));
  options_.key = "url()";
  EXPECT_EQ(Run().error().code, ErrorCode::kInvalidArgument);
}

// --- dates
// ------------------------------------------------------------------------------------------

// Families of copies over a few weeks; some documents have no date.
std::vector<SlowDocument> DatedCorpus(uint32_t seed, size_t families) {
  CorpusMaker maker(seed);
  std::vector<SlowDocument> corpus = maker.Corpus(families);
  const size_t originals = corpus.size();
  for (size_t i = 0; i < originals; ++i) {  // a series: equal texts, and nearly equal ones
    if (maker.Below(3) > 0) continue;
    for (size_t copies = maker.Below(6); copies > 0; --copies) corpus.push_back(corpus[i]);
  }
  for (size_t i = 0; i < corpus.size(); ++i) {
    corpus[i].id = "d" + std::to_string(i);
    if (maker.Below(8) > 0) corpus[i].date = static_cast<int64_t>(maker.Below(25));
  }
  return corpus;
}

TEST_F(DedupRulesTest, SlowDocumentsFarApartInTimeNeverMatchWordByWord) {
  options_.within = {"date", 4 * 86400};
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    const auto modes = {DedupMode::kNear, DedupMode::kExact, DedupMode::kContained};
    options_.mode = *(modes.begin() + seed % 3);
    options_.candidates = seed % 2 == 0 || options_.mode == DedupMode::kContained
                              ? CandidateSource::kExact
                              : CandidateSource::kBands;
    options_.max_bucket_kept = seed % 4 == 1 ? 2 : 2000;
    const std::vector<SlowDocument> corpus = DatedCorpus(seed, 50);
    files_.Put("/in/corpus.jsonl", ToJsonLines(corpus));
    std::vector<SlowDecision> expected = SlowDedup(corpus, FoldedChannel(), 0.8, 4);
    if (options_.mode == DedupMode::kExact) expected = SlowExactDedup(corpus, 4);
    if (options_.mode == DedupMode::kContained) {
      expected = SlowContainedDedup(corpus, FoldedChannel(), 0.8, 4);
    }
    std::string bytes;
    for (const MemoryPlan& memory : kMemoryPlans) {
      RunTuning tuning{.memory = memory};
      if (memory.work == 60000) tuning.change_plan = WithLargeTexts;
      if (memory.work == 6000) tuning.change_plan = WithoutLargeSets;
      const DedupReport report = RunWell(tuning, seed % 2 == 0 ? 3 : 1);
      EXPECT_EQ(report.audit->kept_with_a_match, 0U) << seed;
      EXPECT_GT(*report.missing_dates, 0U);
      std::map<std::string, std::map<std::string, std::string>> removed;
      for (const std::string& row : Rows("removed.jsonl.zst")) {
        auto fields = FieldsOf(row, {"id", "kept_id", "reason", "resemblance"});
        removed[fields["id"]] = fields;
      }
      for (size_t d = 0; d < corpus.size(); ++d) {
        const auto row = removed.find(corpus[d].id);
        ASSERT_EQ(row != removed.end(), expected[d].removed()) << seed << ' ' << corpus[d].id;
        if (!expected[d].removed()) continue;
        EXPECT_EQ(row->second["kept_id"], corpus[expected[d].keeper].id) << seed << corpus[d].id;
        EXPECT_NEAR(std::stod(row->second["resemblance"]), expected[d].resemblance, 1e-6);
        EXPECT_TRUE(row->second["reason"] != "exact" || expected[d].exact) << corpus[d].id;
      }
      if (bytes.empty()) bytes = Read("/out/removed.jsonl.zst");
      EXPECT_EQ(Read("/out/removed.jsonl.zst"), bytes) << seed;
    }
  }
}

TEST_F(DedupRulesTest, ADailySeriesStaysAndItsCopiesOfOneWeekGo) {
  const std::string text(kMoon);
  files_.Put("/in/corpus.jsonl", Line("4", text, ",\"date\":\"2024-05-04\"") +
                                     Line("9", text, ",\"date\":\"2024年5月9日\"") +
                                     Line("20", text, ",\"date\":\"2024/5/20\"") +
                                     Line("?", text, ",\"date\":\"lately\"") +
                                     Line("none", kSpring));
  options_.keep = "earliest(date)";
  options_.within = {"date", 7 * 86400};
  for (const DedupMode mode : {DedupMode::kNear, DedupMode::kExact, DedupMode::kContained}) {
    options_.mode = mode;
    const DedupReport report = RunWell();
    std::string removed;
    for (const std::string& row : Rows("removed.jsonl.zst")) {
      auto fields = FieldsOf(row, {"id", "kept_id", "reason"});
      removed += fields["id"] + ":" + fields["kept_id"] + ":" + fields["reason"] + " ";
    }
    EXPECT_EQ(removed, "9:4:exact ?:4:exact ");
    EXPECT_EQ(report.missing_dates, 2U);
    EXPECT_THAT(DedupReportToJson(report, options_),
                AllOf(HasSubstr("\"missing_dates\": 2"), HasSubstr("\"seconds\": 604800")));
    EXPECT_THAT(RenderHtmlReport(report, options_), HasSubstr("date,7d"));
  }
  options_.within = {"dtae", 1};
  const auto misspelt = Run();
  ASSERT_FALSE(misspelt.has_value());
  EXPECT_EQ(misspelt.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(misspelt.error().message,
              AllOf(HasSubstr("\"dtae\""), HasSubstr("a date"),
                    HasSubstr("; the first record has \"id\", \"text\", \"date\"")));
}

TEST_F(DedupRulesTest, SlowReferencesFarApartInTimeNeverMatch) {
  const std::vector<SlowDocument> inputs = DatedCorpus(5, 40);
  std::vector<SlowDocument> references = DatedCorpus(5, 40);  // the same texts on other days
  CorpusMaker maker(6);
  for (SlowDocument& reference : references) {
    reference.id = "r" + reference.id;
    if (reference.date) reference.date = static_cast<int64_t>(maker.Below(25));
  }
  files_.Put("/in/corpus.jsonl", ToJsonLines(inputs));
  files_.Put("/ref/r.jsonl", ToJsonLines(references));
  options_.against = {"/ref/r.jsonl"};
  options_.within = {"date", 2 * 86400};
  // kContains waits for all inputs where common shingles are left out.
  for (const auto& [rule, share] : std::vector<std::pair<ReferenceRule, std::optional<double>>>{
           {ReferenceRule::kNear, 0.001},
           {ReferenceRule::kContainedIn, 0.001},
           {ReferenceRule::kOverlap, 0.001},
           {ReferenceRule::kContains, 0.001},
           {ReferenceRule::kContains, std::nullopt}}) {
    options_.against_rule = rule;
    options_.common_share = share;
    options_.min_reference = 3;
    options_.against_run = 20;
    const SlowReferences slow(inputs, references, FoldedChannel(), options_);
    std::map<std::string, std::string> expected;
    for (size_t i = 0; i < inputs.size(); ++i) {
      for (size_t r = 0; r < references.size(); ++r) {
        const auto &a = inputs[i], &b = references[r];
        if (a.date && b.date && std::abs(*a.date - *b.date) > 2) continue;
        if (!slow.Matches(i, r)) continue;
        expected.emplace(a.id, b.id);
        break;
      }
    }
    EXPECT_GT(expected.size(), 50U);
    for (const bool is_large : {false, true}) {
      RunTuning tuning;
      if (is_large) tuning.change_plan = WithLargeTexts;
      const DedupReport report = RunWell(tuning);
      std::map<std::string, std::string> removed;
      for (const std::string& row : Rows("removed.jsonl.zst")) {
        auto fields = FieldsOf(row, {"id", "kept_id", "reason"});
        if (fields["reason"] == "against") removed[fields["id"]] = fields["kept_id"];
      }
      EXPECT_EQ(removed, expected) << ReferenceRuleName(rule);
      EXPECT_EQ(report.audit->kept_with_a_match, 0U);
    }
  }
}

}  // namespace
}  // namespace zhiwen
