#include "zhiwen/compare_all.h"

#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "pipeline/batches/batch_test_support.h"
#include "pipeline/compare/nominated_pairs.h"
#include "pipeline/compare/text_families.h"
#include "support/faulty_file_system.h"

namespace zhiwen {
namespace {

using Texts = std::vector<std::string>;
using Pair = std::pair<uint32_t, uint32_t>;

std::string HanCharacter(uint64_t number) {
  const uint64_t c = 0x4E00 + number;
  return {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
          static_cast<char>(0x80 | (c & 0x3F))};
}

std::string RandomHan(std::mt19937& random, size_t length) {
  std::string text;
  for (size_t i = 0; i < length; ++i) text += HanCharacter(random() % 4000);
  return text;
}

// Texts that have nothing in common but what was copied: stretches of earlier texts, with edits.
Texts CopiedTexts(uint32_t seed, size_t count) {
  std::mt19937 random(seed);
  Texts texts;
  for (size_t i = 0; i < count; ++i) {
    std::string text = RandomHan(random, 20 + random() % 200);
    for (size_t copies = i == 0 ? 0 : random() % 3; copies > 0; --copies) {
      const std::string& from = texts[random() % texts.size()];
      const size_t begin = random() % (from.size() / 3), length = 18 + random() % 60;
      std::string copy = from.substr(3 * begin, 3 * length);
      if (copy.size() > 90) copy.replace(60, 3, RandomHan(random, 1));
      text += copy + RandomHan(random, random() % 20);
    }
    texts.push_back(text);
  }
  return texts;
}

class CompareAllTest : public testing::Test {
 protected:
  explicit CompareAllTest(size_t threads = 1) : surroundings_(threads) {}

  void Put(const Texts& texts, const std::map<size_t, std::string>& dates = {}) {
    std::string lines;
    for (size_t i = 0; i < texts.size(); ++i) {
      const auto date = dates.find(i);
      lines += "{\"id\":\"t" + std::to_string(i) + "\",\"text\":\"" + texts[i] + "\"" +
               (date == dates.end() ? "" : ",\"date\":\"" + date->second + "\"") + "}\n";
    }
    surroundings_.files.Put("in.jsonl", lines);
  }

  CompareAllOptions Options() const {
    CompareAllOptions options = {.folder = "out"};
    options.inputs.paths = {"in.jsonl"};
    return options;
  }

  Result<CompareAllSummary> Run(const CompareAllOptions& options) {
    return CompareAll(options, surroundings_.environment());
  }

  std::string Read(const std::string& path) {
    return ReadWholeFile(surroundings_.files, path, UINT64_MAX).value_or("(missing)");
  }

  BatchSurroundings surroundings_;
};

TEST_F(CompareAllTest, FindsWhatComparingEachPairFinds) {
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    const Texts texts = CopiedTexts(seed, 30);
    Put(texts);
    CompareAllOptions options = Options();
    options.overwrite = true;
    const auto summary = Run(options);
    ASSERT_TRUE(summary) << summary.error().message;
    std::map<Pair, std::tuple<uint64_t, uint64_t>> wanted, found;
    for (uint32_t i = 0; i < texts.size(); ++i) {
      for (uint32_t j = i + 1; j < texts.size(); ++j) {
        const auto one = FindPassages(texts[i], texts[j], {}, Cancellation());
        ASSERT_TRUE(one);
        if (!one->passages.empty()) wanted[{i, j}] = {one->a_matched, one->b_matched};
      }
    }
    for (const ComparedPair& pair : summary->pairs) {
      EXPECT_FALSE(pair.is_directed);
      found[{pair.a, pair.b}] = {pair.a_matched, pair.b_matched};
    }
    EXPECT_EQ(found, wanted);
    EXPECT_GT(found.size(), 10U);
    EXPECT_LT(summary->compared, summary->all_pairs() / 2);
    EXPECT_EQ(summary->compared, summary->nominated);
    const std::string lines = Read("out/pairs.jsonl");
    EXPECT_EQ(static_cast<size_t>(std::ranges::count(lines, '\n')), found.size());
    const bool is_sorted =
        std::ranges::is_sorted(summary->pairs, std::greater(), &ComparedPair::a_matched);
    EXPECT_TRUE(is_sorted);
  }
}

TEST_F(CompareAllTest, WritesSharesWhereThereAreAny) {
  std::mt19937 random(5);
  const std::string common = RandomHan(random, 40);
  Put({common + RandomHan(random, 60), RandomHan(random, 50), common});
  const auto summary = Run(Options());
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(Read("out/matrix.csv"), "id,t0,t1,t2\nt0,,,0.4000\nt1,,,\nt2,1.0000,,\n");
  const std::string line = Read("out/pairs.jsonl");
  EXPECT_TRUE(
      line.starts_with("{\"schema_version\":1,\"a\":{\"id\":\"t0\",\"number\":1,\"date\":"
                       "\"\",\"symbols\":100},\"b\":{\"id\":\"t2\",\"number\":3,"))
      << line;
  EXPECT_NE(
      line.find("\"share\":{\"a\":0.4,\"b\":1},\"longest_passage\":40,\"matched\":{\"a\":40,"),
      std::string::npos)
      << line;
  EXPECT_NE(Read("out/report.html").find("href=\"pairs/1-3.html\""), std::string::npos);
  EXPECT_NE(Read("out/pairs/1-3.html").find(common.substr(0, 60)), std::string::npos);
  EXPECT_EQ(summary->families, (std::vector<std::vector<uint32_t>>{{0, 2}}));
  const auto entries = surroundings_.files.List("out");
  ASSERT_TRUE(entries);
  EXPECT_EQ(entries->size(), 4U);
}

TEST_F(CompareAllTest, TheLaterTextIsTheCopyWhereDatesProveIt) {
  std::mt19937 random(6);
  const std::string text = RandomHan(random, 60);
  Put({text + RandomHan(random, 9), text + RandomHan(random, 9), text},
      {{0, "2024-05-06"}, {1, "2024-03-01"}, {2, "2024"}});
  const auto summary = Run(Options());
  ASSERT_TRUE(summary) << summary.error().message;
  std::set<std::tuple<uint32_t, uint32_t, bool>> pairs;
  for (const ComparedPair& pair : summary->pairs) pairs.insert({pair.a, pair.b, pair.is_directed});
  EXPECT_EQ(pairs, (std::set<std::tuple<uint32_t, uint32_t, bool>>{
                       {0, 1, true}, {0, 2, false}, {1, 2, false}}));
  EXPECT_EQ(summary->families, (std::vector<std::vector<uint32_t>>{{2, 1, 0}}));
  EXPECT_NE(Read("out/pairs.jsonl").find("\"first\":\"b\""), std::string::npos);
}

TEST_F(CompareAllTest, ComparesThePairsWithMostRareRunsAndCountsTheOthers) {
  std::mt19937 random(7);
  const std::string phrase = RandomHan(random, 12), copied = RandomHan(random, 50);
  Texts texts;
  for (size_t i = 0; i < 70; ++i) {  // the phrase is in more texts than a rare run is
    texts.push_back(RandomHan(random, 30) + phrase + RandomHan(random, 30));
  }
  texts[40] += copied;
  texts[61] = copied + texts[61];
  Put(texts);
  CompareAllOptions options = Options();
  options.most_pairs = 3;
  const auto summary = Run(options);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->nominated, summary->all_pairs());
  EXPECT_EQ(summary->compared, 3U);
  ASSERT_EQ(summary->pairs.size(), 1U);
  EXPECT_EQ(Pair(summary->pairs[0].a, summary->pairs[0].b), Pair(40, 61));
  EXPECT_NE(Read("out/report.html").find("2,412"), std::string::npos);  // 70 · 69 / 2 - 3
}

TEST_F(CompareAllTest, CountsShortTextsAndRepeatedIds) {
  surroundings_.files.Put("in.jsonl",
                          "{\"id\":\"x\",\"text\":\"短文\"}\n{\"id\":\"x\",\"text\":\"\"}\n"
                          "{\"id\":\"y\",\"text\":\"这一篇的字数已经足够有一个段落了\"}\n");
  const auto summary = Run(Options());
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->short_texts, 2U);
  EXPECT_EQ(summary->repeated_ids, 1U);
  EXPECT_EQ(summary->repeated_id, "x");
  EXPECT_TRUE(summary->pairs.empty());
}

// Short is what has too little for a passage in any text: sixteen characters, or words of letters
// that count as much.
TEST_F(CompareAllTest, ShortTextsAreThoseThatSayTooLittleForAPassage) {
  Put({"一二三四五六七八九十甲乙丙丁戊", "天地玄黄宇宙洪荒日月盈昃辰宿列张",
       "seven long words would count fourteen altogether",
       "eight rather elaborate english words "
       "certainly suffice alone together"});
  const auto summary = Run(Options());
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->short_texts, 2U);
}

// Short texts that are the same are a pair; other ones share nothing.
TEST_F(CompareAllTest, ShortTextsThatAreTheSameAreAPair) {
  for (const uint64_t most_pairs : {100, 3}) {
    Put({"不知道", "不清楚", "不知道！", "", ""});
    CompareAllOptions options = Options();
    options.most_pairs = most_pairs;
    options.overwrite = true;
    const auto summary = Run(options);
    ASSERT_TRUE(summary) << summary.error().message;
    ASSERT_EQ(summary->pairs.size(), 1U);
    EXPECT_EQ(Pair(summary->pairs[0].a, summary->pairs[0].b), Pair(0, 2));
    EXPECT_EQ(summary->ShareOfA(summary->pairs[0]), 1);
    EXPECT_EQ(summary->short_texts, 5U);
  }
}

// A spreadsheet takes a name that begins like a formula for one; an apostrophe makes it a text.
TEST_F(CompareAllTest, WhatIsQuotedOrByTheSameAuthorDoesNotCount) {
  std::mt19937 random(5);
  const std::string shared = RandomHan(random, 60), other = RandomHan(random, 60);
  const std::string quoting = RandomHan(random, 40) + "：“" + shared + "”[3]。";
  const auto record = [&](const char* id, const std::string& text, const char* author) {
    return "{\"id\":\"" + std::string(id) + "\",\"text\":\"" + text + "\",\"author\":\"" + author +
           "\"}\n";
  };
  surroundings_.files.Put("in.jsonl", record("quotes", quoting, "甲") +
                                          record("quoted", shared + other, "乙；丙") +
                                          record("again", RandomHan(random, 9) + other, "丙"));
  CompareAllOptions options = Options();
  const auto all = Run(options);
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->counted_pairs().size(), 2U);
  options.overwrite = true;
  options.exclude = {ExclusionReason::kQuotation};
  const auto cited = Run(options);
  ASSERT_TRUE(cited) << cited.error().message;
  ASSERT_EQ(cited->pairs.size(), 2U);
  ASSERT_EQ(cited->counted_pairs().size(), 1U);
  EXPECT_EQ(cited->pairs[1].a, 0U);
  EXPECT_EQ(cited->pairs[1].a_matched, 0U);
  const std::string lines = Read("out/pairs.jsonl");
  EXPECT_NE(lines.find("\"excluded\":[{\"reason\":\"quotation\""), std::string::npos);
  options.exclude.Add(ExclusionReason::kOwnWork);
  const auto own = Run(options);
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_EQ(own->pairs.size(), 2U);
  EXPECT_TRUE(own->counted_pairs().empty());
  EXPECT_TRUE(own->families.empty());
  EXPECT_NE(Read("out/pairs.jsonl").find("\"reason\":\"own_work\""), std::string::npos);
  EXPECT_NE(Read("out/report.html").find("pairs of which nothing counts"), std::string::npos);
  EXPECT_NE(Read("out/matrix.csv").find("quotes,,,"), std::string::npos);
}

TEST_F(CompareAllTest, TheMatrixHasNoFormulas) {
  surroundings_.files.Put("in.jsonl",
                          "{\"id\":\"=cmd|' /C calc'!A0\",\"text\":\"甲\"}\n"
                          "{\"id\":\"+1,2\",\"text\":\"乙\"}\n{\"id\":\"-\",\"text\":\"丙\"}\n"
                          "{\"id\":\"@x\",\"text\":\"丁\"}\n{\"id\":\"\\t=x\",\"text\":\"戊\"}\n"
                          "{\"id\":\"a=b\",\"text\":\"己\"}\n");
  ASSERT_TRUE(Run(Options()));
  const std::string matrix = Read("out/matrix.csv");
  EXPECT_EQ(matrix.substr(0, matrix.find('\n')),
            "id,'=cmd|' /C calc'!A0,\"'+1,2\",'-,'@x,\"'\t=x\",a=b");
  EXPECT_NE(matrix.find("\n'=cmd|' /C calc'!A0,,"), std::string::npos);
}

// The next run would read what this one writes, or write over what it reads.
TEST_F(CompareAllTest, KeepsTheFolderApartFromTheInputs) {
  surroundings_.files.Put("essays/a.txt", "甲");
  surroundings_.files.Put("essays/b.txt", "乙");
  for (const auto& [input, folder] :
       {std::pair("essays", "essays/report"), std::pair("essays", "./essays/../essays"),
        std::pair("essays/a.txt", "essays")}) {
    CompareAllOptions options = {.folder = folder};
    options.inputs.paths = {input, "essays/b.txt"};
    const auto summary = Run(options);
    ASSERT_FALSE(summary) << folder;
    EXPECT_EQ(summary.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(summary.error().message.find(" lies inside the "), std::string::npos)
        << summary.error().message;
  }
  CompareAllOptions options = {.folder = "essays-report"};
  options.inputs.paths = {"essays"};
  EXPECT_TRUE(Run(options));
}

TEST_F(CompareAllTest, SaysWhichChannelsWereNotSearched) {
  Put({"甲", "乙"});
  CompareAllOptions options = Options();
  options.not_searched = {{"pinyin", NotSearched::kNoLanguageData}};
  const auto summary = Run(options);
  ASSERT_TRUE(summary);
  EXPECT_NE(CompareAllToJson(*summary).find("\"reason\": \"no_language_data\""), std::string::npos);
  EXPECT_NE(Read("out/report.html").find("pinyin</bdi> (no language data)"), std::string::npos);
}

TEST_F(CompareAllTest, RefusesOneTextTooManyTextsAndAFolderInUse) {
  Put({"只有这一篇"});
  auto summary = Run(Options());
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(surroundings_.files.Exists("out").value_or(true));
  Put(Texts(kMostComparedTexts + 1, "字"));
  summary = Run(Options());
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().code, ErrorCode::kExhausted);
  EXPECT_FALSE(surroundings_.files.Exists("out").value_or(true));
  Put({"甲", "乙"});
  surroundings_.files.Put("out/other.txt", "");
  for (const bool overwrite : {false, true}) {
    CompareAllOptions options = Options();
    options.overwrite = overwrite;
    summary = Run(options);
    ASSERT_FALSE(summary);
    EXPECT_EQ(summary.error().code, ErrorCode::kConflict);
  }
  EXPECT_EQ(Read("out/other.txt"), "");
}

TEST_F(CompareAllTest, TheReportIsThereOnlyWhereAllIsThere) {
  Put(CopiedTexts(11, 6));
  size_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    memory.Put("in.jsonl", Read("in.jsonl"));
    FaultyFileSystem files(memory, {.at = n, .error = {ErrorCode::kExhausted, "disk full"}});
    const auto summary = CompareAll(Options(), surroundings_.environment(files));
    EXPECT_EQ(summary.has_value(), memory.Exists("out/report.html").value_or(true)) << n;
    if (!files.fired()) break;
    failures += summary ? 0 : 1;
    CompareAllOptions again = Options();
    again.overwrite = true;
    const auto second = CompareAll(again, surroundings_.environment(memory));
    EXPECT_TRUE(second) << n << ": " << second.error().message;
  }
  EXPECT_GT(failures, 30U);
}

TEST(RacedCompareAllTest, ThreadsChangeNoByte) {
  std::vector<std::map<std::string, std::string>> runs;
  for (const size_t threads : {1, 4}) {
    BatchSurroundings surroundings(threads);
    std::string lines;
    for (const std::string& text : CopiedTexts(21, 60)) lines += "{\"text\":\"" + text + "\"}\n";
    surroundings.files.Put("in.jsonl", lines);
    CompareAllOptions options = {.folder = "out"};
    options.inputs.paths = {"in.jsonl"};
    const auto summary = CompareAll(options, surroundings.environment());
    ASSERT_TRUE(summary) << summary.error().message;
    auto& files = runs.emplace_back();
    for (const std::string folder : {"out", "out/pairs"}) {
      const auto entries = surroundings.files.List(folder);
      ASSERT_TRUE(entries);
      for (const DirectoryEntry& entry : *entries) {
        if (entry.is_directory) continue;
        const std::string path = folder + "/" + entry.name;
        files[path] = *ReadWholeFile(surroundings.files, path, UINT64_MAX);
      }
    }
    EXPECT_GT(files.size(), 20U);
  }
  EXPECT_EQ(runs[0], runs[1]);
}

TEST(NominatedPairsTest, NominatesThePairsThatHaveABlockInCommon) {
  std::mt19937 random(3);
  for (size_t round = 0; round < 20; ++round) {
    const size_t texts = 2 + random() % 140;
    std::vector<std::set<uint64_t>> blocks(texts);
    PairNominator nominator(texts);
    for (size_t channel = 0; channel < 2; ++channel) {
      std::vector<BlockOfText> all;
      for (uint32_t text = 0; text < texts; ++text) {
        for (size_t i = random() % 4; i > 0; --i) {
          const uint64_t hash = 100 * channel + random() % 100;
          if (blocks[text].insert(hash).second) all.push_back({hash, text});
        }
      }
      nominator.Add(all);
    }
    std::vector<NominatedPair> wanted;
    for (uint32_t i = 0; i < texts; ++i) {
      for (uint32_t j = i + 1; j < texts; ++j) {
        uint32_t common = 0;
        for (const uint64_t hash : blocks[i]) common += blocks[j].contains(hash) ? 1 : 0;
        if (common > 0) wanted.push_back({i, j, common});
      }
    }
    EXPECT_EQ(nominator.Take(UINT64_MAX), wanted);
    EXPECT_EQ(nominator.count(), wanted.size());
  }
}

}  // namespace
}  // namespace zhiwen
