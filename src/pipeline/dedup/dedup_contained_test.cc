// The rule of mode contained, word by word, through whole runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/json/json_reader.h"
#include "pipeline/dedup/made_corpus_test_support.h"
#include "pipeline/dedup/run.h"
#include "pipeline/dedup/run_test_support.h"
#include "pipeline/dedup/slow_dedup_test_support.h"
#include "support/decompress_zstd.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

// From everything on scratch, and a few shingles at a time, to everything in memory.

// Crops, halves, concatenations and chains, some of them edited or in other clothes.
std::vector<SlowDocument> MakeParts(uint32_t seed, size_t families) {
  CorpusMaker maker(seed);
  std::vector<std::string> texts = {"", "", "短", "四个字了", "四个字了"};
  Characters last = maker.Fresh(100);
  for (size_t f = 0; f < families; ++f) {
    const Characters whole = maker.Fresh(30 + maker.Below(200));
    const auto crop = [&](size_t begin, size_t length) {
      begin = std::min(begin, whole.size());
      length = std::min(length, whole.size() - begin);
      const auto from = whole.begin() + static_cast<std::ptrdiff_t>(begin);
      return Characters(from, from + static_cast<std::ptrdiff_t>(length));
    };
    texts.push_back(Join(whole));
    texts.push_back(Join(crop(0, whole.size() / 2)));
    texts.push_back(maker.Disguised(crop(whole.size() / 3, whole.size() / 2)));
    texts.push_back(Join(maker.Edited(crop(5, whole.size()), maker.Below(8))));
    texts.push_back(Join(crop(10, 15 + maker.Below(20))));  // around the least size
    if (f % 3 == 0) {
      Characters both = whole;
      both.insert(both.end(), last.begin(), last.end());
      texts.push_back(Join(both));
    }
    if (f % 5 == 0) texts.push_back(maker.Disguised(whole));
    if (f % 4 == 0) {  // a chain: each has a part of the one before and some of its own
      Characters link = whole;
      for (size_t i = 0; i < 3 && link.size() > 40; ++i) {
        link.resize(link.size() * 4 / 5);
        const Characters own = maker.Fresh(link.size() / 6);
        link.insert(link.end(), own.begin(), own.end());
        texts.push_back(Join(link));
      }
    }
    last = whole;
  }
  std::vector<SlowDocument> documents;
  for (size_t i = 0; i < texts.size(); ++i) {
    documents.push_back({"d" + std::to_string(i), texts[i]});
  }
  return documents;
}

// What was removed, for what, and why.
struct Removal {
  std::string kept_id, reason, containment;

  friend bool operator==(const Removal&, const Removal&) = default;
};
using RemovalMap = std::map<std::string, Removal>;

std::string ToDecimals(double value) {
  std::string text;
  JsonWriter(text).Fixed(value, 6);
  return text;
}

class DedupContainedTest : public testing::Test {
 protected:
  DedupContainedTest() {
    options_.mode = DedupMode::kContained;
    options_.inputs = {"/in/corpus.jsonl"};
    options_.output = "/out";
    options_.overwrite = true;
    options_.audit = uint64_t{1} << 40;  // of all
  }

  DedupReport Run(std::optional<MemoryPlan> memory = {}, size_t threads = 1) {
    auto report = RunTuned({.memory = memory}, threads);
    EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
    return report.value_or(DedupReport());
  }

  Result<DedupReport> RunTuned(const RunTuning& tuning, size_t threads = 1) {
    const auto executor = threads == 1 ? MakeInlineExecutor() : MakeThreadPool(threads);
    const Cancellation cancellation;
    return RunDedup(options_, tuning,
                    {files_, *executor, SystemClock(), NoProgress(), NoLog(), cancellation});
  }

  RemovalMap Removed() {
    const std::string text = DecompressZstd(files_.Files().at("/out/removed.jsonl.zst")).value();
    RemovalMap removed;
    JsonReader reader;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      std::string row = text.substr(at, end - at);
      at = end + 1;
      const size_t size = row.size();
      row.resize(size + JsonReader::kPadding);
      EXPECT_FALSE(reader.Parse({row.data(), size}).has_value()) << row;
      const auto find = [&](const std::string& key) {
        return std::string(reader.Find(std::vector<std::string>{key}).value().string);
      };
      const double containment =
          reader.Find(std::vector<std::string>{"containment"}).value().number;
      removed[find("id")] = {find("kept_id"), find("reason"), ToDecimals(containment)};
    }
    return removed;
  }

  std::map<std::string, std::string> Outputs() {
    std::map<std::string, std::string> outputs;
    for (auto& [path, content] : files_.Files()) {
      if (!path.starts_with("/out/") || path.ends_with("report.html")) continue;
      outputs[path] =
          path.ends_with("report.json") ? content.substr(0, content.find("\n  \"run\"")) : content;
    }
    return outputs;
  }

  static RemovalMap Expected(const std::vector<SlowDocument>& corpus, double threshold) {
    const auto decisions = SlowContainedDedup(corpus, FoldedChannel(), threshold);
    RemovalMap expected;
    for (size_t d = 0; d < corpus.size(); ++d) {
      if (!decisions[d].removed()) continue;
      expected[corpus[d].id] = {corpus[decisions[d].keeper].id,
                                decisions[d].exact ? "exact" : "contained",
                                ToDecimals(decisions[d].containment)};
    }
    return expected;
  }

  void Put(const std::vector<SlowDocument>& corpus) {
    files_.Put("/in/corpus.jsonl", ToJsonLines(corpus));
  }

  InMemoryFileSystem files_;
  DedupOptions options_;
};

// Of all documents, when nothing was removed: those that lie in another one or equal it.
uint64_t CountContained(const std::vector<SlowDocument>& corpus, double threshold) {
  struct View {
    SlowSet set;
    std::vector<uint32_t> symbols;
  };
  std::vector<View> views;
  for (const SlowDocument& document : corpus) {
    const bool has_set = SlowShingles(FoldedChannel(), document.text).value().size() > 0;
    const Channel channel = has_set ? FoldedChannel() : ExactChannel();
    views.push_back({SlowShingles(FoldedChannel(), document.text).value(),
                     ComputeSymbols(channel, document.text).value().symbols});
  }
  const auto lies_in = [&](size_t d, size_t k) {
    const auto& [set, symbols] = views[d];
    if (corpus[d].text.empty() || corpus[k].text.empty()) return false;
    if (set.empty() == views[k].set.empty() && symbols == views[k].symbols) return true;
    return set.size() >= 20 && views[k].set.size() >= set.size() &&
           static_cast<double>(set.CountShared(views[k].set)) / static_cast<double>(set.size()) >=
               threshold;
  };
  uint64_t contained = 0;
  for (size_t d = 0; d < corpus.size(); ++d) {
    bool found = false;
    for (size_t k = 0; k < corpus.size() && !found; ++k) found = k != d && lies_in(d, k);
    contained += found ? 1 : 0;
  }
  return contained;
}

RunTuning ForgettingRemovals(std::optional<MemoryPlan> memory) {
  return {.memory = memory, .change_removals = [](Removals& removals, Scratch& scratch) -> Status {
            removals.keepers.assign(removals.keepers.size(), kNoDocument);
            ZHIWEN_ASSIGN_OR_RETURN(removals.rows, Spool::Create(scratch, "forgotten"));
            return {};
          }};
}

// One shingle in nearly every document: its rows alone are far above the memory.
TEST_F(DedupContainedTest, SlowWhatEveryDocumentSharesFitsInAnyMemory) {
  CorpusMaker maker(17);
  const std::string head = Join(maker.Fresh(12));
  std::vector<SlowDocument> corpus;
  for (size_t i = 0; i < 900; ++i) {
    const Characters whole = maker.Fresh(80);
    corpus.push_back({"d" + std::to_string(i), head + Join(whole)});
    if (i % 9 != 0) continue;
    const Characters part(whole.begin() + 20, whole.begin() + 70);
    corpus.push_back({"part" + std::to_string(i), Join(part)});
  }
  Put(corpus);
  EXPECT_EQ(Run().removed_contained, 100U);
  const auto outputs = Outputs();
  for (const MemoryPlan& plan : {MemoryPlan{0, 1}, MemoryPlan{0, 6000}}) {
    for (const size_t threads : {1U, 3U}) {
      Run(plan, threads);
      EXPECT_TRUE(Outputs() == outputs) << plan.work;
    }
  }
}

TEST_F(DedupContainedTest, AnAuditOfARunWithoutFaultFindsNone) {
  options_.candidates = CandidateSource::kExact;
  Put(MakeParts(6, 25));
  const DedupReport report = Run();
  ASSERT_TRUE(report.audit.has_value());
  EXPECT_GT(report.audit->removals_checked, 30U);
  EXPECT_EQ(report.audit->removals_checked, report.removed_total());
  EXPECT_EQ(report.audit->kept_checked, report.kept - report.empty);
  EXPECT_EQ(report.audit->kept_with_a_match, 0U);
  EXPECT_EQ(report.audit->kept_in_part, 0U);
}

TEST_F(DedupContainedTest, SlowAnAuditFindsEveryTextThatLiesInAKeptOne) {
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    const std::vector<SlowDocument> corpus = MakeParts(seed, 25);
    Put(corpus);
    for (const double threshold : {0.3, 0.8, 1.0}) {
      options_.threshold = threshold;
      const uint64_t contained = CountContained(corpus, threshold);
      ASSERT_GT(contained, 30U);
      std::set<std::string> results;
      for (const size_t threads : {1U, 3U}) {
        for (const auto& memory : {MemoryPlan{0, 1}, MemoryPlan{1 << 20, 1 << 20}}) {
          const auto report = RunTuned(ForgettingRemovals(memory), threads);
          ASSERT_TRUE(report.has_value()) << report.error().message;
          EXPECT_EQ(report->audit->kept_with_a_match, contained) << threshold;
          EXPECT_EQ(report->audit->kept_with_a_reference, 0U);
          const std::string json = DedupReportToJson(*report, options_);
          results.insert(json.substr(0, json.find("\"run\"")));
        }
      }
      EXPECT_EQ(results.size(), 1U);
    }
  }
}

TEST_F(DedupContainedTest, AnAuditEndsTheRunWhenAKeeperOrAContainmentIsWrong) {
  Put(MakeParts(2, 20));
  const auto change = [](const std::function<void(RemovalRow&)>& change_row) -> RunTuning {
    return {.change_removals = [=](Removals& removals, Scratch& scratch) -> Status {
      ZHIWEN_ASSIGN_OR_RETURN(auto rows, Spool::Create(scratch, "wrong"));
      bool changed = false;
      for (Spool::Reader reader(*removals.rows); !reader.AtEnd();) {
        RemovalRow row;
        ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
        if (!row.equal_channel && !changed) {
          changed = true;
          change_row(row);
          removals.keepers[row.document] = row.keeper;
        }
        ZHIWEN_RETURN_IF_ERROR(rows->AppendRow(row));
      }
      EXPECT_TRUE(changed);
      removals.rows = std::move(rows);
      return {};
    }};
  };
  const auto expect_failure = [&](const RunTuning& tuning) {
    const auto report = RunTuned(tuning);
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, ErrorCode::kInternal);
    EXPECT_NE(report.error().message.find("the audit found"), std::string::npos)
        << report.error().message;
  };
  expect_failure(change([](RemovalRow& row) { row.shared = row.size - 1; }));
  expect_failure(change([](RemovalRow& row) { row.keeper_size += 1; }));
}

TEST_F(DedupContainedTest, AnAuditNeverSetsGroupsAgainstEachOther) {
  CorpusMaker maker(3);
  std::string lines;
  for (int i = 0; i < 12; ++i) {
    const Characters whole = maker.Fresh(300);
    const Characters part(whole.begin() + 20, whole.begin() + 120);
    for (const auto& [site, text] : {std::pair("1", whole), std::pair("2", part)}) {
      lines += std::string("{\"site\":\"") + site + "\",\"text\":\"" + Join(text) + "\"}\n";
    }
  }
  files_.Put("/in/corpus.jsonl", lines);
  EXPECT_EQ(RunTuned(ForgettingRemovals({}))->audit->kept_with_a_match, 12U);
  options_.group_by = "site";
  const auto report = RunTuned(ForgettingRemovals({}));
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->audit->kept_checked, 24U);
  EXPECT_EQ(report->audit->kept_with_a_match, 0U);
}

TEST_F(DedupContainedTest, SlowEqualsTheRuleWordByWordWithExactCandidates) {
  options_.candidates = CandidateSource::kExact;
  for (uint32_t seed = 1; seed <= 5; ++seed) {
    const auto corpus = MakeParts(seed, 40);
    Put(corpus);
    for (const double threshold : {0.5, 0.8, 1.0}) {
      options_.threshold = threshold;
      EXPECT_EQ(Run().theorem_b_claim, "certain");
      const RemovalMap expected = Expected(corpus, threshold);
      ASSERT_GT(expected.size(), 50U);
      EXPECT_EQ(Removed(), expected) << seed << ' ' << threshold;
    }
  }
}

TEST_F(DedupContainedTest, RacedSampledCandidatesFindNearlyAllAndNothingWrong) {
  size_t wanted = 0, found = 0, other = 0;
  for (uint32_t seed = 11; seed <= 14; ++seed) {
    const auto corpus = MakeParts(seed, 120);
    Put(corpus);
    const DedupReport report = Run();
    EXPECT_EQ(report.theorem_b_claim, "probable");
    EXPECT_GT(report.expected_recall(), 0.99);
    const RemovalMap expected = Expected(corpus, 0.8);
    const RemovalMap removed = Removed();
    wanted += expected.size();
    for (const auto& [id, removal] : removed) {
      const auto at = expected.find(id);
      if (at != expected.end()) ++found;
      if (at == expected.end() || at->second != removal) ++other;
    }
  }
  EXPECT_GE(static_cast<double>(found), 0.99 * static_cast<double>(wanted));
  EXPECT_LE(static_cast<double>(other), 0.02 * static_cast<double>(wanted));
}

TEST_F(DedupContainedTest, RacedThreadsAndMemoryChangeNoByte) {
  for (const CandidateSource candidates : {CandidateSource::kBands, CandidateSource::kExact}) {
    options_.candidates = candidates;
    Put(MakeParts(21, 60));
    Run();
    const auto expected = Outputs();
    for (const MemoryPlan& plan : kMemoryPlans) {
      for (const size_t threads : {1, 3}) {
        if (kNeedsThreads && threads == 1) continue;
        Run(plan, threads);
        ASSERT_TRUE(Outputs() == expected) << plan.scratch << ' ' << plan.work << ' ' << threads;
      }
    }
  }
}

TEST_F(DedupContainedTest, TheOrderOfTheInputDoesNotMatter) {
  auto corpus = MakeParts(31, 60);
  Put(corpus);
  Run();
  const RemovalMap expected = Removed();
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    std::mt19937 random(seed);
    std::shuffle(corpus.begin(), corpus.end(), random);
    Put(corpus);
    Run();
    EXPECT_EQ(Removed(), expected);
  }
}

// A container of hundreds is one component, larger than the memory of a batch.
TEST_F(DedupContainedTest, SlowAContainerOfHundredsOfTextsRemovesThemAll) {
  CorpusMaker maker(41);
  const Characters whole = maker.Fresh(12000);
  std::vector<SlowDocument> corpus = {{"whole", Join(whole)}};
  for (size_t i = 0; i < 500; ++i) {
    const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(maker.Below(11000));
    const auto length = static_cast<std::ptrdiff_t>(30 + maker.Below(300));
    corpus.push_back({"part" + std::to_string(i), Join({begin, begin + length})});
  }
  Put(corpus);
  for (const MemoryPlan& plan : kMemoryPlans) {
    EXPECT_GE(Run(plan, 3).removed_contained, 498U);
    for (const auto& [id, removal] : Removed()) EXPECT_EQ(removal.kept_id, "whole");
  }
}

TEST_F(DedupContainedTest, GroupsAreKeptApart) {
  CorpusMaker maker(51);
  const Characters whole = maker.Fresh(100);
  const std::string part = Join({whole.begin(), whole.begin() + 60});
  files_.Put("/in/corpus.jsonl", "{\"id\":\"a\",\"g\":\"1\",\"text\":\"" + Join(whole) + "\"}\n" +
                                     "{\"id\":\"b\",\"g\":\"2\",\"text\":\"" + part + "\"}\n" +
                                     "{\"id\":\"c\",\"g\":\"1\",\"text\":\"" + part + "\"}\n");
  options_.group_by = "g";
  Run();
  EXPECT_EQ(Removed(), (RemovalMap{{"c", {"a", "contained", ToDecimals(1)}}}));
}

TEST_F(DedupContainedTest, ReferencesGoFirst) {
  CorpusMaker maker(61);
  const Characters whole = maker.Fresh(100);
  const std::string part = Join({whole.begin(), whole.begin() + 60});
  Put({{"whole", Join(whole)}, {"part", part}});
  files_.Put("/ref/r.jsonl", ToJsonLines({{"r", Join(whole)}}));
  options_.against = {"/ref/r.jsonl"};
  Run();  // the whole text goes for the reference, so that nothing contains the part
  EXPECT_EQ(Removed(), (RemovalMap{{"whole", {"r", "against", ToDecimals(1)}}}));
  options_.against_rule = ReferenceRule::kContainedIn;
  Run();
  EXPECT_EQ(Removed(), (RemovalMap{{"whole", {"r", "against", ToDecimals(1)}},
                                   {"part", {"r", "against", ToDecimals(1)}}}));
}

TEST_F(DedupContainedTest, AThresholdOfZeroIsRefused) {
  Put({{"a", "一段文字"}});
  options_.threshold = 0;
  const auto executor = MakeInlineExecutor();
  const Cancellation cancellation;
  const auto report =
      Dedup(options_, {files_, *executor, SystemClock(), NoProgress(), NoLog(), cancellation});
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace zhiwen
