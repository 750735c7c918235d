// Rules and outputs that single options ask for, through whole runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/json/json_reader.h"
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
  files_.Put("/ref/r.jsonl", Line("ref \"1\"", kSpring));
  files_.Put("/in/a.jsonl", Line("a", kMoon) + Line("b", kSpring) + Line("c", kMoon));
  files_.Put("/in/b.csv", "id,text\r\nd," + std::string(kMoon) + "\r\n\"e,5\",独此一篇别无分号\r\n");
  RunWell();
  const std::string moon(kMoon), spring(kSpring);
  EXPECT_EQ(Read("/out/kept/a.jsonl"),
            "{\"id\":\"a\",\"text\":\"" + moon + "\",\"dup\":false,\"of\":null,\"cluster_size\":3}\n" +
                "{\"id\":\"b\",\"text\":\"" + spring +
                "\",\"dup\":true,\"of\":\"ref \\\"1\\\"\",\"cluster_size\":1}\n" +
                "{\"id\":\"c\",\"text\":\"" + moon +
                "\",\"dup\":true,\"of\":\"a\",\"cluster_size\":3}\n");
  EXPECT_EQ(Read("/out/kept/b.csv"), "id,text,dup,of,cluster_size\r\nd," + moon +
                                         ",true,a,3\r\n\"e,5\",独此一篇别无分号,false,,1\r\n");
}

TEST_F(DedupRulesTest, AFieldForKeepersNeedsMarksAndANameOfItsOwn) {
  files_.Put("/in/corpus.jsonl", Line("a", kMoon));
  options_.mark_keeper = "of";
  EXPECT_THAT(Run().error().message, HasSubstr("give --mark FIELD"));
  options_.mark = "of";
  EXPECT_THAT(Run().error().message, HasSubstr("both add the field \"of\""));
  options_.mark = "dup";
  options_.mark_keeper = "";
  EXPECT_THAT(Run().error().message, HasSubstr("--mark-keeper needs the name of a field"));
  options_.mark_keeper = "id";
  const auto clash = Run();
  ASSERT_FALSE(clash.has_value());
  EXPECT_EQ(clash.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(clash.error().message, HasSubstr("choose another one with --mark-keeper"));
}

}  // namespace
}  // namespace zhiwen
