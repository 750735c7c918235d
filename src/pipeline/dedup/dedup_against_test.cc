// The rules of --against, word by word, through whole runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json_reader.h"
#include "base/utf8/transcoder.h"
#include "pipeline/dedup/made_corpus_test_support.h"
#include "pipeline/dedup/run.h"
#include "pipeline/dedup/run_test_support.h"
#include "pipeline/dedup/slow_dedup_test_support.h"
#include "support/decompress_zstd.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using Counted = std::vector<std::pair<std::string, uint64_t>>;

// Inputs and references with every relation between them.
struct MadeCase {
  std::vector<SlowDocument> inputs, references;
};

MadeCase MakeCase(uint32_t seed) {
  CorpusMaker maker(seed);
  MadeCase made{maker.Corpus(40), {}};
  std::vector<std::string> texts = {"", "短", "四个字了", "。。", "没有的"};
  for (size_t i = 0; i < 25; ++i) {
    const Characters item = maker.Fresh(5 + maker.Below(60));
    texts.push_back(Join(item));
    Characters page = maker.Fresh(maker.Below(100));  // holds the item, or most of it
    const Characters dirty = maker.Edited(item, maker.Below(3));
    const size_t at = maker.Below(page.size() + 1);
    page.insert(page.begin() + static_cast<std::ptrdiff_t>(at), dirty.begin(), dirty.end());
    made.inputs.push_back({"page" + std::to_string(i), maker.Disguised(page)});
    const size_t crop = 1 + maker.Below(item.size());
    made.inputs.push_back({"crop" + std::to_string(i),
                           Join({item.begin(), item.begin() + static_cast<std::ptrdiff_t>(crop)})});
    if (i % 4 == 0) texts.push_back(made.inputs[maker.Below(made.inputs.size())].text);
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    made.references.push_back({"r" + std::to_string(i), texts[i]});
  }
  return made;
}

// As MakeCase, with phrases that many inputs and references share.
MadeCase MakeCaseWithPhrases(uint32_t seed) {
  MadeCase made = MakeCase(seed);
  CorpusMaker maker(seed + 100);
  std::vector<Characters> phrases;
  for (const size_t length : {5, 8, 14, 30}) phrases.push_back(maker.Fresh(length));
  const auto with_phrase = [&](Characters text) {
    const Characters& phrase = phrases[maker.Below(phrases.size())];
    const size_t at = maker.Below(text.size() + 1);
    text.insert(text.begin() + static_cast<std::ptrdiff_t>(at), phrase.begin(), phrase.end());
    return text;
  };
  for (size_t i = 0; i < 160; ++i) {
    made.inputs.push_back(
        {"phrase" + std::to_string(i), maker.Disguised(with_phrase(maker.Fresh(maker.Below(30))))});
  }
  for (size_t i = 0; i < 24; ++i) {
    const Characters item = with_phrase(maker.Fresh(maker.Below(40)));
    made.references.push_back({"p" + std::to_string(i), Join(item)});
    if (i % 2 == 0) continue;
    // The item, and what is left of it without a few characters.
    made.inputs.push_back({"item" + std::to_string(i), Join(item) + Join(maker.Fresh(20))});
    const size_t crop = 1 + maker.Below(item.size());
    made.inputs.push_back(
        {"part" + std::to_string(i),
         Join({item.begin() + static_cast<std::ptrdiff_t>(item.size() - crop), item.end()})});
  }
  for (size_t i = 0; i < phrases.size(); ++i) {
    made.references.push_back({"phrase" + std::to_string(i), Join(phrases[i])});
  }
  return made;
}

class DedupAgainstTest : public testing::Test {
 protected:
  DedupAgainstTest() {
    options_.inputs = {"/in/corpus.jsonl"};
    options_.output = "/out";
    options_.overwrite = true;
    options_.candidates = CandidateSource::kExact;
    options_.against = {"/ref/test.jsonl"};
    options_.audit = 10'000'000;  // so many that all are checked
  }

  Result<DedupReport> Run(std::optional<MemoryPlan> memory = {}, size_t threads = 1) {
    return RunTuned({.memory = memory}, threads);
  }

  Result<DedupReport> Run(LogSink* log) { return RunTuned({}, 1, log); }

  Result<DedupReport> RunTuned(const RunTuning& tuning, size_t threads = 1,
                               LogSink* log = nullptr) {
    const auto executor = threads == 1 ? MakeInlineExecutor() : MakeThreadPool(threads);
    const Cancellation cancellation;
    return RunDedup(options_, tuning,
                    {files_, *executor, SystemClock(), NoProgress(),
                     log == nullptr ? NoLog() : *log, cancellation});
  }

  std::vector<std::string> Rows(const std::string& name) {
    const std::string text = DecompressZstd(files_.Files().at("/out/" + name)).value();
    std::vector<std::string> rows;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      rows.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return rows;
  }

  static std::string Field(std::string row, const std::string& key) {
    JsonReader reader;
    const size_t size = row.size();
    row.resize(size + JsonReader::kPadding);
    EXPECT_FALSE(reader.Parse({row.data(), size}).has_value()) << row;
    const auto field = reader.Find(std::vector<std::string>{key});
    return field ? std::string(field->string.empty() ? field->raw : field->string) : "";
  }

  std::map<std::string, std::string> Outputs() {
    std::map<std::string, std::string> outputs;
    for (auto& [path, content] : files_.Files()) {
      if (!path.starts_with("/out/") || path.ends_with("report.html")) continue;
      outputs[path] =
          path.ends_with("report.json") ? content.substr(0, content.find("\"run\":{")) : content;
      if (path.ends_with("report.json")) {
        outputs[path] = content.substr(0, content.find("\n  \"run\""));
      }
    }
    return outputs;
  }

  // The outputs of the last run against the rules.
  void ExpectTheRules(const MadeCase& made) {
    std::vector<SlowDocument> rest;
    std::map<std::string, std::pair<std::string, std::string>> expected;  // keeper, reason
    std::map<std::string, uint64_t> hits;
    const SlowReferences slow(made.inputs, made.references, FoldedChannel(), options_);
    for (size_t input = 0; input < made.inputs.size(); ++input) {
      const std::string& id = made.inputs[input].id;
      for (size_t reference = 0; reference < made.references.size(); ++reference) {
        if (!slow.Matches(input, reference)) continue;
        ++hits[made.references[reference].id];
        expected.try_emplace(id, made.references[reference].id, "against");
      }
      if (!expected.contains(id)) rest.push_back(made.inputs[input]);
    }
    EXPECT_GT(expected.size(), 5U);
    const auto decisions = SlowDedup(rest, FoldedChannel(), options_.threshold);
    for (size_t d = 0; d < rest.size(); ++d) {
      if (!decisions[d].removed()) continue;
      expected[rest[d].id] = {rest[decisions[d].keeper].id, decisions[d].exact ? "exact" : "near"};
    }
    std::map<std::string, std::pair<std::string, std::string>> removed;
    for (const std::string& row : Rows("removed.jsonl.zst")) {
      removed[Field(row, "id")] = {Field(row, "kept_id"), Field(row, "reason")};
    }
    EXPECT_EQ(removed, expected);
    std::map<std::string, uint64_t> found;
    for (const std::string& row : Rows("references.jsonl.zst")) {
      found[Field(row, "id")] = std::stoull(Field(row, "hits"));
    }
    EXPECT_EQ(found, hits);
  }

  // What the last run said of its references against the rules.
  static void ExpectTheLists(const MadeCase& made, const DedupOptions& options,
                             const AgainstReport& report) {
    const SlowReferences slow(made.inputs, made.references, FoldedChannel(), options);
    const auto expect_list = [&](const ReferenceList& list, const std::vector<size_t>& expected) {
      ASSERT_EQ(list.count, expected.size());
      ASSERT_EQ(list.first.size(), std::min<size_t>(expected.size(), 20));
      for (size_t i = 0; i < list.first.size(); ++i) {
        EXPECT_EQ(list.first[i].id, made.references[expected[i]].id);
        EXPECT_EQ(list.first[i].text, made.references[expected[i]].text);
      }
    };
    expect_list(report.too_short, slow.TooShort());
    expect_list(report.too_common, slow.TooCommon());
    const auto empty = static_cast<uint64_t>(std::ranges::count_if(
        made.references, [](const SlowDocument& reference) { return reference.text.empty(); }));
    EXPECT_EQ(report.unmatchable, empty + report.too_short.count + report.too_common.count);
    EXPECT_EQ(report.common_shingles, slow.common().size());
    ASSERT_EQ(report.most_common.size(), std::min<size_t>(slow.common().size(), 20));
    std::vector<size_t> expected;
    for (const auto& [shingle, inputs] : slow.common()) expected.push_back(inputs);
    std::ranges::sort(expected, std::greater<>());
    for (size_t i = 0; i < report.most_common.size(); ++i) {
      const CommonShingle& one = report.most_common[i];
      EXPECT_EQ(one.inputs, expected[i]);
      SlowReferences::Shingle shingle = {};
      std::ranges::copy(ComputeSymbols(FoldedChannel(), one.text)->symbols, shingle.begin());
      EXPECT_EQ(slow.common().at(shingle), one.inputs) << one.text;
    }
  }

  void ExpectTheRulesOnSeededCorpora(std::initializer_list<double> thresholds,
                                     MadeCase (*make)(uint32_t seed) = MakeCase,
                                     uint32_t seeds = 4) {
    constexpr MemoryPlan kTiny = {0, 6000};
    for (uint32_t seed = 1; seed <= seeds; ++seed) {
      const MadeCase made = make(seed);
      files_.Put("/in/corpus.jsonl", ToJsonLines(made.inputs));
      files_.Put("/ref/test.jsonl", ToJsonLines(made.references));
      for (const double threshold : thresholds) {
        options_.threshold = threshold;
        const auto report = Run();
        ASSERT_TRUE(report.has_value()) << report.error().message;
        ExpectTheRules(made);
        ExpectTheLists(made, options_, *report->against);
        const auto outputs = Outputs();
        ASSERT_TRUE(Run(kTiny, 3).has_value());
        EXPECT_TRUE(Outputs() == outputs);
        ASSERT_TRUE(
            RunTuned({.memory = kTiny, .block_bytes = 1500, .change_plan = WithLargeTexts}, 2)
                .has_value());
        EXPECT_TRUE(Outputs() == outputs);
      }
    }
  }

  // Of all inputs, when nothing of them was removed: those that match a reference.
  uint64_t CountMatched(const MadeCase& made) const {
    const SlowReferences slow(made.inputs, made.references, FoldedChannel(), options_);
    uint64_t matched = 0;
    for (size_t input = 0; input < made.inputs.size(); ++input) {
      bool matches = false;
      for (size_t reference = 0; reference < made.references.size(); ++reference) {
        matches = matches || slow.Matches(input, reference);
      }
      matched += matches ? 1 : 0;
    }
    return matched;
  }

  InMemoryFileSystem files_;
  DedupOptions options_;
};

struct RuleCase {
  ReferenceRule rule;
  double threshold;
};
constexpr RuleCase kRuleCases[] = {
    {ReferenceRule::kNear, 0.6},        {ReferenceRule::kNear, 0.8},
    {ReferenceRule::kContains, 0.6},    {ReferenceRule::kContains, 1},
    {ReferenceRule::kContainedIn, 0.8}, {ReferenceRule::kOverlap, 0.8}};

TEST_F(DedupAgainstTest, AnAuditOfARunWithoutFaultFindsNone) {
  const MadeCase made = MakeCase(7);
  files_.Put("/in/corpus.jsonl", ToJsonLines(made.inputs));
  files_.Put("/ref/test.jsonl", ToJsonLines(made.references));
  for (const DedupMode mode : {DedupMode::kNear, DedupMode::kExact, DedupMode::kContained}) {
    for (const auto& [rule, threshold] : kRuleCases) {
      options_.mode = mode;
      options_.against_rule = rule;
      options_.threshold = threshold;
      options_.against_run = 9;
      const auto report = Run();
      ASSERT_TRUE(report.has_value()) << report.error().message;
      ASSERT_TRUE(report->audit.has_value());
      EXPECT_GT(report->removed_against, 5U);
      EXPECT_EQ(report->audit->removals_checked, report->removed_total());
      EXPECT_EQ(report->audit->kept_checked, report->kept - report->empty);
      EXPECT_EQ(report->audit->kept_with_a_match, 0U);
      EXPECT_EQ(report->audit->kept_in_part, 0U);
      EXPECT_EQ(report->audit->recall.share, 1);
    }
  }
}

TEST_F(DedupAgainstTest, SlowAnAuditFindsEveryInputThatAReferenceShouldHaveRemoved) {
  const RunTuning forgetting{.change_removals = [](Removals& removals, Scratch& scratch) -> Status {
    removals.keepers.assign(removals.keepers.size(), kNoDocument);
    ZHIWEN_ASSIGN_OR_RETURN(removals.rows, Spool::Create(scratch, "forgotten"));
    return {};
  }};
  RunTuning in_parts = forgetting;  // a document at a time
  in_parts.memory = MemoryPlan{0, 1};
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    const MadeCase made = MakeCase(seed);
    files_.Put("/in/corpus.jsonl", ToJsonLines(made.inputs));
    files_.Put("/ref/test.jsonl", ToJsonLines(made.references));
    for (const auto& [rule, threshold] : kRuleCases) {
      options_.against_rule = rule;
      options_.threshold = threshold;
      options_.against_run = 9;
      const uint64_t matched = CountMatched(made);
      ASSERT_GT(matched, 5U);
      for (const RunTuning& tuning : {forgetting, in_parts}) {
        const auto report = RunTuned(tuning);
        ASSERT_TRUE(report.has_value()) << report.error().message;
        EXPECT_EQ(report->audit->kept_with_a_reference, matched) << ReferenceRuleName(rule);
        EXPECT_GE(report->audit->kept_with_a_match, matched);
      }
    }
  }
}

TEST_F(DedupAgainstTest, AnAuditKnowsTheShinglesThatDoNotCount) {
  const RunTuning forgetting{.change_removals = [](Removals& removals, Scratch& scratch) -> Status {
    removals.keepers.assign(removals.keepers.size(), kNoDocument);
    ZHIWEN_ASSIGN_OR_RETURN(removals.rows, Spool::Create(scratch, "forgotten"));
    return {};
  }};
  RunTuning with_large = forgetting;
  with_large.change_plan = WithLargeTexts;
  options_.against_rule = ReferenceRule::kContains;
  for (const uint32_t least : {1U, 13U}) {
    options_.min_reference = least;
    for (uint32_t seed = 1; seed <= 2; ++seed) {
      const MadeCase made = MakeCaseWithPhrases(seed);
      files_.Put("/in/corpus.jsonl", ToJsonLines(made.inputs));
      files_.Put("/ref/test.jsonl", ToJsonLines(made.references));
      const uint64_t matched = CountMatched(made);
      ASSERT_GT(matched, 5U);
      const auto right = Run();
      ASSERT_TRUE(right.has_value()) << right.error().message;
      EXPECT_GT(right->against->common_shingles, 20U);
      EXPECT_EQ(right->removed_against, matched);
      EXPECT_EQ(right->audit->kept_with_a_reference, 0U);
      for (const RunTuning& tuning : {forgetting, with_large}) {
        const auto report = RunTuned(tuning);
        ASSERT_TRUE(report.has_value()) << report.error().message;
        EXPECT_EQ(report->audit->kept_with_a_reference, matched);
      }
    }
  }
}

TEST_F(DedupAgainstTest, AnAuditEndsTheRunWhenAReferenceIsNamedThatDoesNotMatch) {
  const MadeCase made = MakeCase(7);
  files_.Put("/in/corpus.jsonl", ToJsonLines(made.inputs));
  files_.Put("/ref/test.jsonl", ToJsonLines(made.references));
  const auto references = static_cast<uint32_t>(made.references.size());
  const RunTuning wrong{.change_removals = [&](Removals& removals, Scratch& scratch) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(auto rows, Spool::Create(scratch, "wrong"));
    bool is_first = true;
    for (Spool::Reader reader(*removals.rows); !reader.AtEnd();) {
      RemovalRow row;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
      if (row.against && is_first) row.keeper = (row.keeper + 1) % references;
      is_first = is_first && !row.against;
      ZHIWEN_RETURN_IF_ERROR(rows->AppendRow(row));
    }
    removals.rows = std::move(rows);
    return {};
  }};
  for (const auto& [rule, threshold] : kRuleCases) {
    options_.against_rule = rule;
    options_.threshold = threshold;
    options_.against_run = 9;
    const auto report = RunTuned(wrong);
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, ErrorCode::kInternal);
    EXPECT_NE(report.error().message.find("does not match \"r"), std::string::npos)
        << report.error().message;
  }
}

TEST_F(DedupAgainstTest, SlowNearEqualsTheRuleWordByWord) {
  options_.against_rule = ReferenceRule::kNear;
  ExpectTheRulesOnSeededCorpora({0.6, 0.8});
}

TEST_F(DedupAgainstTest, SlowContainedInEqualsTheRuleWordByWord) {
  options_.against_rule = ReferenceRule::kContainedIn;
  ExpectTheRulesOnSeededCorpora({0.6, 0.8, 1});
}

TEST_F(DedupAgainstTest, SlowContainsEqualsTheRuleWordByWord) {
  options_.against_rule = ReferenceRule::kContains;
  for (const uint32_t least : {1U, 13U}) {
    options_.min_reference = least;
    ExpectTheRulesOnSeededCorpora({0.6, 1});
  }
  options_.min_reference = 1;
  options_.common_share.reset();
  ExpectTheRulesOnSeededCorpora({0.8});
}

TEST_F(DedupAgainstTest, SlowCommonShinglesEqualTheRuleWordByWord) {
  options_.against_rule = ReferenceRule::kContains;
  for (const auto& [share, least] : {std::pair(0.0, 1U), {0.001, 13U}, {0.2, 13U}}) {
    options_.common_share = share;
    options_.min_reference = least;
    ExpectTheRulesOnSeededCorpora({0.5, 0.8}, MakeCaseWithPhrases, 2);
  }
}

TEST_F(DedupAgainstTest, SlowOverlapEqualsTheRuleWordByWord) {
  options_.against_rule = ReferenceRule::kOverlap;
  for (const uint32_t run : {5U, 12U}) {
    options_.against_run = run;
    ExpectTheRulesOnSeededCorpora({0.8});
  }
}

TEST_F(DedupAgainstTest, ItemsOfThirtyCharactersAreFoundInLongPages) {
  CorpusMaker maker(3);
  std::vector<SlowDocument> pages, items;
  for (size_t i = 0; i < 300; ++i) {
    Characters page = maker.Fresh(3000);
    if (i % 3 == 0) {
      const Characters item = maker.Fresh(30);
      items.push_back({"item" + std::to_string(i), Join(item)});
      page.insert(page.begin() + static_cast<std::ptrdiff_t>(maker.Below(3000)), item.begin(),
                  item.end());
    }
    pages.push_back({"page" + std::to_string(i), maker.Disguised(page)});
  }
  for (size_t i = 0; i < 100; ++i) {
    items.push_back({"absent" + std::to_string(i), Join(maker.Fresh(30))});
  }
  files_.Put("/in/corpus.jsonl", ToJsonLines(pages));
  files_.Put("/ref/test.jsonl", ToJsonLines(items));
  options_.against_rule = ReferenceRule::kContains;
  const auto report = Run({}, 3);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->removed_against, 100U);
  EXPECT_EQ(report->kept, 200U);
  EXPECT_EQ(report->against->hit, 100U);
  EXPECT_EQ(report->against->references, 200U);
  for (const std::string& row : Rows("removed.jsonl.zst")) {
    EXPECT_EQ(Field(row, "id").substr(4), Field(row, "kept_id").substr(4));
  }
}

// Two characters that most texts have, a phrase that a tenth of them has, and an item with that
// phrase in front.
TEST_F(DedupAgainstTest, AWordThatManyInputsUseRemovesNothingAndIsNamed) {
  CorpusMaker maker(4);
  const Characters phrase = maker.Fresh(20), item = maker.Fresh(40);
  std::vector<SlowDocument> inputs;
  for (size_t i = 0; i < 3000; ++i) {
    std::string text = Join(maker.Fresh(20));
    if (i % 3 != 0) text += "我们" + Join(maker.Fresh(10));
    if (i % 10 == 0) text += Join(phrase);
    if (i == 1234) text += Join(item);
    inputs.push_back({"d" + std::to_string(i), text});
  }
  files_.Put("/in/corpus.jsonl", ToJsonLines(inputs));
  files_.Put("/ref/test.jsonl", ToJsonLines({{"word", "我们"},
                                             {"phrase", Join(phrase)},
                                             {"item", Join(phrase) + Join(item)}}));
  options_.against_rule = ReferenceRule::kContains;
  WarningList warnings;
  const auto report = Run(&warnings);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->removed_against, 1U);
  EXPECT_EQ(report->against->hit, 1U);
  EXPECT_EQ(report->against->often_hit, 0U);
  ASSERT_EQ(report->against->too_short.first.size(), 1U);
  EXPECT_EQ(report->against->too_short.first[0].id, "word");
  EXPECT_EQ(report->against->too_short.first[0].source, "/ref/test.jsonl:1");
  EXPECT_EQ(report->against->too_short.first[0].text, "我们");
  ASSERT_EQ(report->against->too_common.first.size(), 1U);
  EXPECT_EQ(report->against->too_common.first[0].id, "phrase");
  EXPECT_EQ(report->against->common_shingles, 16U);
  EXPECT_EQ(report->against->most_common.at(0).inputs, 300U);
  EXPECT_NE(warnings.text().find("1 reference has fewer than 13 characters or words and matches "
                                 "nothing, such as \"word\" (/ref/test.jsonl:1): 我们"),
            std::string::npos)
      << warnings.text();
  EXPECT_NE(warnings.text().find("such as \"phrase\""), std::string::npos) << warnings.text();
  const std::string json = files_.Files().at("/out/report.json");
  for (const char* part :
       {"\"min_reference\": 13", "\"common_share\": 0.001", "\"text\": \"我们\""}) {
    EXPECT_NE(json.find(part), std::string::npos) << part << json;
  }
}

TEST_F(DedupAgainstTest, AReferenceThatManyInputsMatchIsWarnedOf) {
  CorpusMaker maker(5);
  const Characters phrase = maker.Fresh(20);
  std::vector<SlowDocument> inputs;
  for (size_t i = 0; i < 400; ++i) {
    std::string text = Join(maker.Fresh(20));
    if (i % 10 == 0) text += Join(phrase);
    if (i % 16 == 0) text += "我们";
    inputs.push_back({"d" + std::to_string(i), text});
  }
  files_.Put("/in/corpus.jsonl", ToJsonLines(inputs));
  files_.Put("/ref/test.jsonl", ToJsonLines({{"word", "我们"}, {"phrase", Join(phrase)}}));
  options_.against_rule = ReferenceRule::kContains;
  options_.min_reference = 1;
  options_.common_share.reset();
  WarningList warnings;
  const auto report = Run(&warnings);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->against->often_hit, 2U);
  ASSERT_EQ(report->against->most_hit.size(), 2U);
  EXPECT_EQ(report->against->most_hit[0].hits, 40U);
  EXPECT_EQ(report->against->most_hit[0].text, Join(phrase));
  EXPECT_NE(warnings.text().find("25 of 400 inputs match the reference \"word\" "
                                 "(/ref/test.jsonl:1), rather a phrase than a leak: 我们"),
            std::string::npos)
      << warnings.text();
  EXPECT_EQ(report->findings.warnings.size(), 2U);
  const std::string json = files_.Files().at("/out/report.json");
  EXPECT_NE(json.find("\"often_hit\": 2"), std::string::npos) << json;
}

TEST_F(DedupAgainstTest, MarkingKeepsWhatMatchesAReferenceAndRemovesOtherDuplicates) {
  const std::string item = "月光照在旧桥上，河水慢慢流过石头。";
  const std::string text = "另外一篇文字，与它没有关系，也没有人说话，只是很长。";
  files_.Put("/in/corpus.jsonl",
             ToJsonLines({{"a", item}, {"b", text}, {"c", text}, {"d", item + "之后"}}));
  files_.Put("/ref/test.jsonl", ToJsonLines({{"r", item}}));
  options_.against_rule = ReferenceRule::kContains;
  options_.against_action = ReferenceAction::kMark;
  EXPECT_EQ(Run().error().code, ErrorCode::kInvalidArgument);
  options_.mark = "leak";
  const auto report = Run();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(files_.Files().at("/out/kept/corpus.jsonl"),
            "{\"id\":\"a\",\"text\":\"" + item + "\",\"leak\":true}\n" +
                "{\"id\":\"b\",\"text\":\"" + text + "\",\"leak\":false}\n" +
                "{\"id\":\"d\",\"text\":\"" + item + "之后\",\"leak\":true}\n");
  EXPECT_EQ(report->kept, 1U);
  EXPECT_EQ(report->removed_against, 2U);
  EXPECT_EQ(report->removed_exact, 1U);
  const std::string json = files_.Files().at("/out/report.json");
  EXPECT_NE(json.find("\"inputs_marked\": 2"), std::string::npos) << json;
  EXPECT_NE(json.find("\"action\": \"mark\""), std::string::npos) << json;
}

TEST_F(DedupAgainstTest, AFileAgainstItsCopyLosesEveryTextThatIsNotEmpty) {
  const auto corpus = CorpusMaker(5).Corpus(40);
  files_.Put("/in/corpus.jsonl", ToJsonLines(corpus));
  files_.Put("/ref/copy.jsonl", ToJsonLines(corpus));
  options_.against = {"/ref/copy.jsonl"};
  for (const ReferenceRule rule : {ReferenceRule::kNear, ReferenceRule::kContainedIn}) {
    options_.against_rule = rule;
    const auto report = Run();
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->kept, report->empty);
    EXPECT_EQ(report->removed_against, report->documents - report->empty);
    EXPECT_EQ(report->against->unmatchable, report->empty);
  }
}

TEST_F(DedupAgainstTest, AReferenceThatIsAnInputIsRefusedNamingBoth) {
  files_.Put("/in/corpus.jsonl", ToJsonLines(CorpusMaker(5).Corpus(4)));
  for (const std::string path : {"/in/corpus.jsonl", "/in"}) {
    options_.against = {path};
    const auto report = Run();
    ASSERT_FALSE(report.has_value()) << path;
    EXPECT_EQ(report.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(report.error().message.find("the reference \"/in/corpus.jsonl\""), std::string::npos)
        << report.error().message;
    EXPECT_FALSE(files_.Files().contains("/out/report.json"));
  }
}

TEST_F(DedupAgainstTest, ReferencesComeInAnyFormat) {
  const std::string text = "月光照在旧桥上，河水慢慢流过石头，没有人说话。";
  files_.Put("/in/corpus.jsonl", ToJsonLines({{"a", text}, {"b", "另外一篇文字，与它没有关系。"}}));
  files_.Put("/ref/test.csv", "id,text\nc1,\"" + text + "\"\n");
  files_.Put("/ref/test.txt", text);
  for (const std::string path : {"/ref/test.csv", "/ref/test.txt"}) {
    options_.against = {path};
    const auto report = Run();
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->removed_against, 1U);
    const auto rows = Rows("removed.jsonl.zst");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_NE(rows[0].find("\"kept_source\":{\"file\":\"" + path + "\",\"record\":1}"),
              std::string::npos)
        << rows[0];
    EXPECT_EQ(report->examples.at(0).kept_text, text);
  }
}

// What is named is said of the inputs. The text in UTF-8 is valid GB18030, too, so that reading it
// as that would find nothing and fail nowhere.
TEST_F(DedupAgainstTest, ANamedEncodingAndSeparatorAreThoseOfTheInputsAlone) {
  const std::string text = "月光照在旧桥上，河水慢慢流过石头，没有人说话。";
  ASSERT_EQ(text.size() % 2, 1U);
  options_.inputs = {"/in/corpus.csv"};
  const std::string csv = "id;text\nc;" + text + "。\n";
  files_.Put("/in/corpus.csv", EncodeText(csv, TextEncoding::kGb18030).value());
  options_.syntax = {.separator = ';', .encoding = TextEncoding::kGb18030};
  files_.Put("/ref/test.csv", "id,text\nr,\"" + text + "。\"\n");
  files_.Put("/ref/test.txt", text + "。");
  for (const std::string path : {"/ref/test.csv", "/ref/test.txt"}) {
    options_.against = {path};
    const auto report = Run();
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->removed_against, 1U) << path;
    const Counted of_files = {{"gb18030", 1}, {"utf-8", 1}};
    EXPECT_EQ(report->encodings, of_files) << path;
    const Counted of_csv =
        path == "/ref/test.csv" ? Counted{{",", 1}, {";", 1}} : Counted{{";", 1}};
    EXPECT_EQ(report->separators, of_csv) << path;
  }
}

TEST_F(DedupAgainstTest, ASyntaxThatOnlyAReferenceHasIsRefused) {
  files_.Put("/in/corpus.jsonl", ToJsonLines({{"a", "一段文字"}}));
  files_.Put("/ref/test.csv", "text\n一段文字\n");
  options_.against = {"/ref/test.csv"};
  options_.syntax.separator = ',';
  const auto report = Run();
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(report.error().message.find("as no input is CSV"), std::string::npos)
      << report.error().message;
}

TEST_F(DedupAgainstTest, AReferenceOfUnclearEncodingIsNotToBeNamed) {
  files_.Put("/in/corpus.jsonl", ToJsonLines({{"a", "一段文字"}}));
  const std::string rare = "\xAA\x80\xAB\x85\xAC\x90\xAD\x95\xAE\x9A";  // characters of GBK
  const std::string line = "{\"text\":\"" + rare + "\"}\n";
  files_.Put("/ref/test.jsonl", line + line);
  const auto report = Run();
  ASSERT_FALSE(report.has_value());
  EXPECT_NE(report.error().message.find("is that of the inputs"), std::string::npos)
      << report.error().message;
  EXPECT_EQ(std::ranges::count(report.error().advice, Advice::kNameEncoding), 0);
}

TEST_F(DedupAgainstTest, GroupsDoNotKeepAnInputFromAReference) {
  files_.Put("/in/corpus.jsonl",
             "{\"id\":\"a\",\"g\":\"1\",\"text\":\"月光照在旧桥上，河水慢慢流过石头。\"}\n"
             "{\"id\":\"b\",\"g\":\"2\",\"text\":\"月光照在旧桥上，河水慢慢流过石头。\"}\n");
  files_.Put("/ref/test.jsonl", "{\"id\":\"r\",\"text\":\"月光照在旧桥上，河水慢慢流过石头。\"}\n");
  options_.group_by = "g";
  const auto report = Run();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->removed_against, 2U);
}

TEST_F(DedupAgainstTest, MarkedRecordsOfReferencesAreClustersOfOne) {
  const std::string text = "月光照在旧桥上，河水慢慢流过石头。";
  files_.Put("/in/corpus.jsonl", ToJsonLines({{"a", text}, {"b", text}}));
  files_.Put("/ref/test.jsonl", ToJsonLines({{"r", text}}));
  options_.mark = "dup";
  options_.add_cluster_size = true;
  ASSERT_TRUE(Run().has_value());
  EXPECT_EQ(files_.Files().at("/out/kept/corpus.jsonl"),
            "{\"id\":\"a\",\"text\":\"" + text + "\",\"dup\":true,\"cluster_size\":1}\n" +
                "{\"id\":\"b\",\"text\":\"" + text + "\",\"dup\":true,\"cluster_size\":1}\n");
  EXPECT_TRUE(Rows("clusters.jsonl.zst").empty());
}

// Questions whose text stands in a field that the inputs lack, and so does their id.
TEST_F(DedupAgainstTest, ReferencesMayHaveFieldsOfTheirOwn) {
  const std::string text = "月光照在旧桥上，河水慢慢流过石头。";
  files_.Put("/in/corpus.jsonl", ToJsonLines({{"a", text}, {"b", "另外一篇文字，与它没有关系。"}}));
  files_.Put("/ref/test.jsonl", "{\"qid\":\"q\",\"question\":\"" + text + "\"}\n");
  auto report = Run();
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kNotFound);
  EXPECT_NE(report.error().message.find("no reference has the text field: field \"text\" is "
                                        "missing; the record has \"qid\", \"question\""),
            std::string::npos)
      << report.error().message;
  EXPECT_TRUE(report.error().advises(Advice::kNameTextField));

  options_.text_fields = {"text", "question"};
  options_.id_field = "qid";
  WarningList warnings;
  report = Run(&warnings);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->removed_against, 1U);
  EXPECT_EQ(Field(Rows("removed.jsonl.zst").at(0), "kept_id"), "q");
  EXPECT_NE(warnings.text().find("references have the id field \"qid\""), std::string::npos)
      << warnings.text();

  options_.text_fields = {"text", "question", "body"};
  report = Run();
  ASSERT_FALSE(report.has_value());
  EXPECT_NE(report.error().message.find("\"body\""), std::string::npos) << report.error().message;
}

// Two phrases that many inputs have stand in an item, which one input has word for word and another
// one without them.
TEST_F(DedupAgainstTest, RemovalsSayHowMuchIsSharedCommonShinglesIncluded) {
  CorpusMaker maker(7);
  const std::string before = Join(maker.Fresh(12)), after = Join(maker.Fresh(9));
  const std::string item = Join(maker.Fresh(30));
  std::vector<SlowDocument> inputs = {{"whole", before + item + after}, {"bare", item}};
  for (size_t i = 0; i < 40; ++i) {
    inputs.push_back({"d" + std::to_string(i), before + Join(maker.Fresh(9)) + after});
  }
  files_.Put("/in/corpus.jsonl", ToJsonLines(inputs));
  files_.Put("/ref/test.jsonl", ToJsonLines({{"other", Join(maker.Fresh(40)) + after},
                                             {"item", before + item + after}}));
  options_.against_rule = ReferenceRule::kContains;
  options_.against_threshold = 0.5;
  const auto report = Run();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->against->common_shingles, 8U + 5U);
  EXPECT_EQ(report->audit->removals_checked, 2U);
  const auto rows = Rows("removed.jsonl.zst");
  ASSERT_EQ(rows.size(), 2U);
  for (const char* field : {"resemblance", "containment", "containment_of_kept"}) {
    EXPECT_EQ(Field(rows[0], field), "1") << rows[0];
  }
  EXPECT_EQ(Field(rows[0], "containment_of_counted"), "1") << rows[0];
  EXPECT_EQ(Field(rows[1], "containment"), "1") << rows[1];
  EXPECT_EQ(Field(rows[1], "containment_of_kept"), "0.553191") << rows[1];     // 26 of 47
  EXPECT_EQ(Field(rows[1], "containment_of_counted"), "0.764706") << rows[1];  // 26 of 34
}

TEST_F(DedupAgainstTest, AllReferencesThatNothingCanMatchAreWritten) {
  CorpusMaker maker(8);
  const std::string phrase = Join(maker.Fresh(5));
  std::vector<SlowDocument> inputs, references = {{"none", ""}};
  for (size_t i = 0; i < 40; ++i) {
    inputs.push_back({"d" + std::to_string(i), phrase + Join(maker.Fresh(20))});
  }
  for (size_t i = 0; i < 30; ++i) references.push_back({"s" + std::to_string(i), "短句"});
  // Of its nine shingles, as few as a reference may have, one is common.
  references.push_back({"p", phrase + Join(maker.Fresh(8))});
  references.push_back({"longer", phrase + Join(maker.Fresh(9))});
  files_.Put("/in/corpus.jsonl", ToJsonLines(inputs));
  files_.Put("/ref/test.jsonl", ToJsonLines(references));
  options_.against_rule = ReferenceRule::kContains;
  const auto report = Run();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->against->unmatchable, 32U);
  EXPECT_EQ(report->against->empty.count, 1U);
  EXPECT_EQ(report->against->too_short.count, 30U);
  EXPECT_EQ(report->against->too_short.first.size(), 20U);
  const auto rows = Rows("unmatchable.jsonl.zst");
  ASSERT_EQ(rows.size(), 32U);
  EXPECT_EQ(rows[0],
            R"({"id":"none","source":{"file":"/ref/test.jsonl","record":1},"reason":"empty"})");
  EXPECT_EQ(Field(rows[30], "reason"), "too_short");
  EXPECT_EQ(Field(rows[31], "id"), "p");
  EXPECT_EQ(Field(rows[31], "reason"), "too_common");
}

TEST_F(DedupAgainstTest, ABrokenReferenceEndsTheRunNamingItsPlace) {
  files_.Put("/in/corpus.jsonl", ToJsonLines({{"a", "一段文字"}}));
  files_.Put("/ref/test.jsonl", "{\"text\":\"好的\"}\n{\"body\":\"没有正文\"}\n");
  const auto report = Run();
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kUnreadable);
  EXPECT_NE(report.error().message.find("\"/ref/test.jsonl\" record 2"), std::string::npos)
      << report.error().message;
}

TEST_F(DedupAgainstTest, ReferencesThatDoNotFitEndTheRunNamingTheNeed) {
  CorpusMaker maker(1);
  std::vector<SlowDocument> references;
  for (size_t i = 0; i < 40; ++i) {
    references.push_back({std::to_string(i), Join(maker.Fresh(50000))});
  }
  files_.Put("/in/corpus.jsonl", ToJsonLines({{"a", "一段文字"}}));
  files_.Put("/ref/test.jsonl", ToJsonLines(references));
  options_.memory_bytes = kLeastDedupMemory;
  options_.against_rule = ReferenceRule::kContainedIn;
  const auto report = Run();
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kExhausted);
  EXPECT_TRUE(report.error().advises(Advice::kGiveMemory)) << report.error().message;
}

TEST_F(DedupAgainstTest, AThresholdForReferencesAloneLeavesTheOtherOneAsItIs) {
  CorpusMaker maker(9);
  const Characters item = maker.Fresh(60);
  Characters half(item.begin(), item.begin() + 30);
  files_.Put("/in/corpus.jsonl", ToJsonLines({{"a", Join(half)}, {"b", Join(maker.Fresh(40))}}));
  files_.Put("/ref/test.jsonl", ToJsonLines({{"r", Join(item)}}));
  options_.against_rule = ReferenceRule::kContains;
  const auto strict = Run();
  ASSERT_TRUE(strict.has_value());
  EXPECT_EQ(strict->removed_against, 0U);
  options_.against_threshold = 0.3;
  const auto loose = Run();
  ASSERT_TRUE(loose.has_value());
  EXPECT_EQ(loose->removed_against, 1U);
  options_.against_threshold = {};
  options_.threshold = 0.3;
  EXPECT_EQ(Run().error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace zhiwen
