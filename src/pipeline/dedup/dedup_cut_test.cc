// What --action cut takes out of inputs that match a reference, through whole runs.

#include <gtest/gtest.h>

#include <map>
#include <optional>
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

// Inputs that hold references, whole or edited, once or twice, in disguise; and some that are
// nothing else.
struct CutCase {
  std::vector<SlowDocument> inputs, references;
};

CutCase MakeCutCase(uint32_t seed) {
  CorpusMaker maker(seed);
  CutCase made{maker.Corpus(15), {}};
  const auto insert = [&](const Characters& part, Characters& page) {
    const size_t at = maker.Below(page.size() + 1);
    page.insert(page.begin() + static_cast<std::ptrdiff_t>(at), part.begin(), part.end());
  };
  Characters before = maker.Fresh(20);
  for (size_t i = 0; i < 20; ++i) {
    const Characters item = maker.Fresh(3 + maker.Below(60));
    const std::string name = std::to_string(i);
    made.references.push_back({"r" + name, Join(item)});
    Characters page = maker.Fresh(maker.Below(60));
    for (size_t copies = 1 + maker.Below(2); copies > 0; --copies) {
      insert(maker.Edited(item, maker.Below(3)), page);
    }
    insert(before, page);  // an item inside which another one may lie
    made.inputs.push_back({"page" + name, maker.Disguised(page)});
    made.inputs.push_back({"alone" + name, maker.Disguised(item) + "。"});
    if (i % 3 == 0) made.inputs.push_back({"copy" + name, made.inputs[maker.Below(30)].text});
    before = item;
  }
  return made;
}

class DedupCutTest : public testing::Test {
 protected:
  DedupCutTest() {
    options_.inputs = {"/in"};
    options_.output = "/out";
    options_.overwrite = true;
    options_.against = {"/ref/test.jsonl"};
    options_.against_rule = ReferenceRule::kContains;
    options_.against_action = ReferenceAction::kCut;
    options_.candidates = CandidateSource::kExact;
  }

  Result<DedupReport> Run(const RunTuning& tuning = {}, size_t threads = 1) {
    const auto executor = threads == 1 ? MakeInlineExecutor() : MakeThreadPool(threads);
    const Cancellation cancellation;
    return RunDedup(options_, tuning,
                    {files_, *executor, SystemClock(), NoProgress(), NoLog(), cancellation});
  }

  // The records of an output, as strings of JSON.
  std::vector<std::string> Lines(const std::string& name) const {
    std::string text = files_.Files().at("/out/" + name);
    if (name.ends_with(".zst")) text = DecompressZstd(text).value();
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return lines;
  }

  static std::string Field(std::string line, const std::string& key) {
    JsonReader reader;
    const size_t size = line.size();
    line.resize(size + JsonReader::kPadding);
    EXPECT_FALSE(reader.Parse({line.data(), size}).has_value()) << line;
    const auto field = reader.Find(std::vector<std::string>{key});
    return field ? std::string(field->type == JsonType::kString ? field->string : field->raw) : "";
  }

  // The last run, on these inputs and references, word by word.
  void ExpectTheRules(const CutCase& made, const DedupReport& report) {
    const SlowReferences slow(made.inputs, made.references, FoldedChannel(), options_);
    std::map<std::string, std::string> texts, rests;
    for (const SlowDocument& input : made.inputs) texts[input.id] = rests[input.id] = input.text;
    std::map<std::string, std::string> removed;
    for (const std::string& row : Lines("removed.jsonl.zst")) {
      removed[Field(row, "id")] = Field(row, "reason");
    }
    uint64_t passages = 0, lost = 0;  // bytes a cut moves what stands behind it
    std::string last;
    for (const std::string& row : Lines("cuts.jsonl.zst")) {
      const std::string id = Field(row, "id");
      const std::string cut = Field(row, "text");
      const size_t begin = std::stoul(Field(row, "begin")), end = std::stoul(Field(row, "end"));
      ASSERT_EQ(texts[id].substr(begin, end - begin), cut);
      lost = id == last ? lost : 0;
      last = id;
      rests[id].erase(begin - lost, cut.size());
      lost += cut.size();
      ++passages;
      EXPECT_NE(row.find("\"references\":[{\"id\":\"r"), std::string::npos) << row;
    }
    ASSERT_TRUE(report.against->cuts.has_value());
    EXPECT_EQ(report.against->cuts->passages, passages);
    std::vector<SlowDocument> kept;
    for (const std::string& line : Lines("kept/corpus.jsonl")) {
      kept.push_back({Field(line, "id"), Field(line, "text")});
      EXPECT_EQ(kept.back().text, rests[kept.back().id]) << kept.back().id;
    }
    EXPECT_EQ(kept.size(), report.kept);
    // Nothing that is kept matches a reference any more, and what matched was cut or removed for it
    // alone.
    const SlowReferences after(kept, made.references, FoldedChannel(), options_);
    std::vector<SlowDocument> rest;
    uint64_t hit = 0, emptied = 0;
    for (size_t input = 0; input < made.inputs.size(); ++input) {
      const SlowDocument& one = made.inputs[input];
      bool matches = false;
      for (size_t r = 0; r < made.references.size(); ++r) matches |= slow.Matches(input, r);
      hit += matches ? 1 : 0;
      const bool is_emptied = removed.contains(one.id) && removed[one.id] == "against";
      emptied += is_emptied ? 1 : 0;
      EXPECT_TRUE(matches || !is_emptied) << one.id;
      EXPECT_TRUE(!matches || is_emptied || !removed.contains(one.id)) << one.id;
      if (!matches) rest.push_back(one);
      if (!removed.contains(one.id)) {
        EXPECT_EQ(matches, rests[one.id] != one.text) << one.id;
      }
    }
    for (size_t d = 0; d < kept.size(); ++d) {
      for (size_t r = 0; r < made.references.size(); ++r) {
        EXPECT_FALSE(after.Matches(d, r)) << kept[d].id << " " << made.references[r].id;
      }
    }
    EXPECT_EQ(report.removed_against, emptied);
    EXPECT_EQ(report.against->cuts->documents + emptied, hit);
    EXPECT_EQ(report.kept + report.removed_total(), made.inputs.size());
    // All others are compared with each other.
    const auto decisions = SlowDedup(rest, FoldedChannel(), options_.threshold);
    for (size_t d = 0; d < rest.size(); ++d) {
      EXPECT_EQ(removed.contains(rest[d].id), decisions[d].removed()) << rest[d].id;
    }
    ASSERT_TRUE(report.audit.has_value());
    EXPECT_EQ(report.audit->kept_with_a_match, 0U);
  }

  InMemoryFileSystem files_;
  DedupOptions options_;
};

TEST_F(DedupCutTest, WhatIsLeftMatchesNoReferenceAndAllElseIsAsTheRulesSay) {
  uint64_t cut = 0, emptied = 0;
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    const CutCase made = MakeCutCase(seed);
    files_.Put("/in/corpus.jsonl", ToJsonLines(made.inputs));
    files_.Put("/ref/test.jsonl", ToJsonLines(made.references));
    for (const ReferenceRule rule : {ReferenceRule::kContains, ReferenceRule::kOverlap}) {
      options_.against_rule = rule;
      options_.against_run = 8;
      options_.min_reference = seed % 2 == 0 ? 13 : 1;
      options_.common_share = seed % 3 == 0 ? std::nullopt : std::optional(0.001);
      const auto report = Run();
      ASSERT_TRUE(report.has_value()) << report.error().message;
      ExpectTheRules(made, *report);
      cut += report->against->cuts->documents;
      emptied += report->removed_against;
    }
  }
  EXPECT_GT(cut, 60U);
  EXPECT_GT(emptied, 60U);
}

// Pages that would be duplicates of each other as they were read, or are equal after their cuts:
// they are neither removed for each other nor for other pages, and keep none of these out.
TEST_F(DedupCutTest, SlowWhatIsCutIsNeitherRemovedForOthersNorTheirKeeper) {
  CorpusMaker maker(5);
  const std::string item = Join(maker.Fresh(300)), own = Join(maker.Fresh(100));
  std::vector<SlowDocument> inputs, references = {{"long", item}};
  for (size_t i = 0; i < 6; ++i) {
    const std::string name = std::to_string(i);
    // (a) One item, and little that is each page's own.
    inputs.push_back({"quotes" + name, Join(maker.Fresh(20)) + item + Join(maker.Fresh(20)), "k"});
    // (b) One text, each with an item of its own.
    references.push_back({"item" + name, Join(maker.Fresh(40))});
    inputs.push_back({"shares" + name, own + references.back().text, "k"});
    // Duplicates that no reference decides about.
    inputs.push_back({"whole" + name, own + Join(maker.Fresh(1)), name});
  }
  files_.Put("/in/corpus.jsonl", ToJsonLines(inputs));
  files_.Put("/ref/test.jsonl", ToJsonLines(references));
  options_.against_run = 20;
  const auto expect = [&](const RunTuning& tuning, size_t threads) {
    const auto report = Run(tuning, threads);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->against->cuts->documents, 12U);
    const bool finds_similar = options_.mode != DedupMode::kExact;
    EXPECT_EQ(report->removed_total(), finds_similar ? 5U : 0U);
    EXPECT_EQ(report->kept + report->removed_total(), inputs.size());
    EXPECT_EQ(report->audit->kept_with_a_match, 0U);
    EXPECT_EQ(report->audit->kept_in_part, 0U);
    size_t whole = 0, cut = 0;
    for (const std::string& line : Lines("kept/corpus.jsonl")) {
      whole += Field(line, "id").starts_with("whole") ? 1 : 0;
      cut += Field(line, "id").starts_with("quotes") ? 1 : 0;
      EXPECT_EQ(line.find(item), std::string::npos);
    }
    EXPECT_EQ(whole, finds_similar ? 1U : 6U);
    EXPECT_EQ(cut, 6U);
    EXPECT_NE(files_.Files().at("/out/report.json").find("\"no_two_kept_match_of\": \"not cut\""),
              std::string::npos);
  };
  for (const DedupMode mode : {DedupMode::kNear, DedupMode::kContained, DedupMode::kExact}) {
    for (const CandidateSource source : {CandidateSource::kExact, CandidateSource::kBands}) {
      for (const auto& [rule, share] : std::vector<std::pair<ReferenceRule, std::optional<double>>>{
               {ReferenceRule::kContains, 0.001},
               {ReferenceRule::kContains, std::nullopt},
               {ReferenceRule::kOverlap, std::nullopt}}) {
        options_.mode = mode;
        options_.candidates = source;
        options_.against_rule = rule;
        options_.common_share = share;
        for (const bool by_key : {false, true}) {
          options_.key.reset();
          if (by_key) options_.key = "key";
          expect({}, 1);
          expect({.memory = kMemoryPlans[1], .block_bytes = 700}, 3);
          expect({.block_bytes = 700, .change_plan = WithLargeTexts}, 2);
        }
      }
    }
  }
}

TEST_F(DedupCutTest, StaysWhereNothingOfAClusterIsKept) {
  const std::string item = "月光照在旧桥上，河水慢慢流过石头。",
                    text = "前面有一句话说的是别的事情。";
  files_.Put("/ref/test.jsonl", ToJsonLines({{"r", item}}));
  files_.Put("/in/corpus.jsonl",
             ToJsonLines({{"a", text + item}, {"b", text + item}, {"c", text}, {"d", text}}));
  options_.keep = "none";
  const auto report = Run();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(files_.Files().at("/out/kept/corpus.jsonl"),
            ToJsonLines({{"a", text + "。"}, {"b", text + "。"}}));
  EXPECT_EQ(report->removed_total(), 2U);
}

// The run ends where a line needs too much memory, and names the record and the need.
TEST_F(DedupCutTest, ALineThatNeedsMoreMemoryIsNamed) {
  const std::string item = "月光照在旧桥上，河水慢慢流过石头。";
  files_.Put("/ref/test.jsonl", ToJsonLines({{"r", item}}));
  files_.Put("/in/corpus.jsonl",
             ToJsonLines({{"a", "没有题的一篇文字。"}, {"b", "前面有一句话。" + item}}));
  RunTuning tuning{.block_bytes = 20,
                   .change_plan = [](Plan& plan) { plan.reading.cut_bytes = 60 * 20; }};
  for (const std::optional<double> share : {std::optional<double>(), std::optional(0.001)}) {
    options_.common_share = share;
    const auto report = Run(tuning);
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, ErrorCode::kExhausted);
    for (const char* part :
         {"\"/in/corpus.jsonl\" record 2: ", "a line of 21 characters", "1 MiB"}) {
      EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
    }
  }
  tuning.change_plan = [](Plan& plan) { plan.reading.cut_bytes = 60 * 21; };
  EXPECT_TRUE(Run(tuning).has_value());
}

TEST_F(DedupCutTest, SlowGivesTheSameForAnyMemoryThreadsAndSizesOfTexts) {
  const CutCase made = MakeCutCase(8);
  files_.Put("/in/corpus.jsonl", ToJsonLines(made.inputs));
  files_.Put("/ref/test.jsonl", ToJsonLines(made.references));
  for (const ReferenceRule rule : {ReferenceRule::kContains, ReferenceRule::kOverlap}) {
    for (const std::optional<double> share : {std::optional<double>(), std::optional(0.001)}) {
      options_.against_rule = rule;
      options_.against_run = 8;
      options_.min_reference = 1;
      options_.common_share = share;
      ASSERT_TRUE(Run().has_value());
      const Contents expected = OutputsOf(files_);
      for (const MemoryPlan& memory : kMemoryPlans) {
        RunTuning tuning{.memory = memory, .block_bytes = 500};
        ASSERT_TRUE(Run(tuning, 3).has_value());
        EXPECT_EQ(OutputsOf(files_), expected);
        tuning.change_plan = WithLargeTexts;
        ASSERT_TRUE(Run(tuning).has_value());
        EXPECT_EQ(OutputsOf(files_), expected);
      }
    }
  }
}

TEST_F(DedupCutTest, TakesDisguisedPassagesOutAndWritesThemDown) {
  const std::string item = "小明有五个苹果，他给了小红两个，又买了四个，请问小明现在有几个苹果？";
  const std::string disguised =
      "小明 有五個蘋果、他給了小紅（兩個），又買了四個，請問小明現在有幾個蘋果";
  const std::string english =
      "How many trees did the workers plant today in the old grove beside the river?";
  files_.Put("/ref/test.jsonl", ToJsonLines({{"r0", item}, {"r1", english}}));
  const std::string wide =
      "Ｈｏｗ many TREES did  the workers plant—today in the old grove beside the river";
  files_.Put("/in/corpus.jsonl",
             ToJsonLines({{"a", "练习题：" + disguised + "？答案在书后，先自己想一想再看。"},
                          {"b", "Question 7. " + wide + "? Think first, and then look it up."},
                          {"c", "没有题的一篇文字，说的是别的事情，与上面的都不同。"},
                          {"d", "“" + item + "”"}}));
  const auto report = Run();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(files_.Files().at("/out/kept/corpus.jsonl"),
            ToJsonLines({{"a", "练习题：？答案在书后，先自己想一想再看。"},
                         {"b", "Question 7. ? Think first, and then look it up."},
                         {"c", "没有题的一篇文字，说的是别的事情，与上面的都不同。"}}));
  const auto rows = Lines("cuts.jsonl.zst");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0],
            "{\"id\":\"a\",\"source\":{\"file\":\"/in/corpus.jsonl\",\"record\":1},\"begin\":12,"
            "\"end\":" +
                std::to_string(12 + disguised.size()) + ",\"text\":\"" + disguised +
                "\",\"references\":[{\"id\":\"r0\",\"source\":{\"file\":\"/ref/test.jsonl\","
                "\"record\":1}}]}");
  EXPECT_EQ(Field(rows[1], "text"), wide);
  EXPECT_EQ(report->kept, 3U);
  EXPECT_EQ(report->removed_against, 1U);  // nothing would be left of it
  EXPECT_EQ(report->against->cuts->documents, 2U);
  EXPECT_EQ(report->against->cuts->code_points, 36U + 77U);
  const std::string json = files_.Files().at("/out/report.json");
  EXPECT_NE(json.find("\"inputs_hit\": 3"), std::string::npos) << json;
  EXPECT_NE(json.find("\"action\": \"cut\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"code_points\": 113"), std::string::npos) << json;
}

// A run that does not cut leaves no list of cuts of an earlier one.
TEST_F(DedupCutTest, RunsInPlaceOfAnotherOneAndMarksWhatIsRemoved) {
  const std::string item = "月光照在旧桥上，河水慢慢流过石头。";
  files_.Put("/ref/test.jsonl", ToJsonLines({{"r", item}}));
  files_.Put("/in/corpus.jsonl", ToJsonLines({{"a", "前面有一句话。" + item},
                                              {"b", "河边有一座石桥"},
                                              {"c", "河边有一座石桥"}}));
  options_.mark = "dup";
  const auto report = Run();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(files_.Files().at("/out/kept/corpus.jsonl"),
            "{\"id\":\"a\",\"text\":\"前面有一句话。。\",\"dup\":false}\n"
            "{\"id\":\"b\",\"text\":\"河边有一座石桥\",\"dup\":false}\n"
            "{\"id\":\"c\",\"text\":\"河边有一座石桥\",\"dup\":true}\n");
  EXPECT_EQ(Lines("cuts.jsonl.zst").size(), 1U);
  EXPECT_EQ(report->kept, 2U);
  options_.mark.reset();
  options_.against_action = ReferenceAction::kRemove;
  ASSERT_TRUE(Run().has_value());
  EXPECT_FALSE(files_.Files().contains("/out/cuts.jsonl.zst"));
}

TEST_F(DedupCutTest, LeavesEveryOtherByteOfEveryFormat) {
  const std::string item = "月光照在旧桥上，河水慢慢流过石头。";
  files_.Put("/ref/test.jsonl", ToJsonLines({{"r", item}}));
  const std::string cut = item.substr(0, item.size() - 3);  // up to its last character
  struct Format {
    std::string name, input, kept;
    TextEncoding encoding = TextEncoding::kUtf8;
  };
  const std::string quoted = "1, \"x\"";
  const std::vector<Format> formats = {
      {"a.jsonl", "{ \"text\" : \"\\u7532" + cut + "\\n乙\" , \"n\":1e2 }\r\n{\"text\":\"别的\"}",
       "{ \"text\" : \"\\u7532\\n乙\" , \"n\":1e2 }\r\n{\"text\":\"别的\"}"},
      {"b.json", "[ {\"text\":\"甲" + cut + "\"} ,\n {\"text\":\"别的\"} ]\n",
       "[ {\"text\":\"甲\"} ,\n {\"text\":\"别的\"} ]\n"},
      {"c.csv",
       "\xEF\xBB\xBFid,text,n\r\n1,\"甲,\"\"" + cut + "\"\"\",3\r\n2,甲" + cut + "丙丁,4\r\n",
       "\xEF\xBB\xBFid,text,n\r\n1,\"甲,\"\"\"\"\",3\r\n2,甲丙丁,4\r\n"},
      {"d.tsv", "text\tid\n甲" + cut + "乙\t1\n", "text\tid\n甲乙\t1\n"},
      {"e.txt", "\xEF\xBB\xBF第一行\n" + cut + "\n第三行\n", "\xEF\xBB\xBF第一行\n\n第三行\n"},
      {"f.jsonl", "{\"text\":\"甲" + cut + "乙\"}\n", "{\"text\":\"甲乙\"}\n",
       TextEncoding::kGb18030},
      {"g.csv", "text,id\n甲" + cut + "乙,1\n", "text,id\n甲乙,1\n", TextEncoding::kUtf16Le},
      {"h.txt", "甲" + cut + "乙", "甲乙", TextEncoding::kGb18030}};
  options_.mode = DedupMode::kExact;
  for (const Format& format : formats) {
    options_.inputs = {"/in/" + format.name};
    const auto input = EncodeText(format.input, format.encoding);
    files_.Put("/in/" + format.name, input.value());
    options_.syntax.encoding = {};
    if (format.encoding != TextEncoding::kUtf8) options_.syntax.encoding = format.encoding;
    for (const size_t block : {size_t{40}, BlockOptions().block_bytes}) {
      const auto report = Run({.block_bytes = block});
      ASSERT_TRUE(report.has_value()) << format.name << ": " << report.error().message;
      EXPECT_EQ(files_.Files().at("/out/kept/" + format.name),
                EncodeText(format.kept, format.encoding).value())
          << format.name;
      EXPECT_EQ(report->removed_total(), 0U) << format.name;
    }
  }
}

TEST_F(DedupCutTest, RulesWithoutPassagesAndJoinedFieldsAreRefused) {
  files_.Put("/ref/test.jsonl", ToJsonLines({{"r", "月光照在旧桥上"}}));
  files_.Put("/in/corpus.jsonl", ToJsonLines({{"a", "月光照在旧桥上"}}));
  for (const ReferenceRule rule : {ReferenceRule::kNear, ReferenceRule::kContainedIn}) {
    options_.against_rule = rule;
    const auto report = Run();
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(report.error().message.find("finds no passage"), std::string::npos);
  }
  options_.against_rule = ReferenceRule::kContains;
  options_.text_fields = {"title", "text"};
  const auto report = Run();
  ASSERT_FALSE(report.has_value());
  EXPECT_NE(report.error().message.find("one text field"), std::string::npos);
}

}  // namespace
}  // namespace zhiwen
