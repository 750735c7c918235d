#include "pipeline/dedup/write/keeper_labels.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "support/in_memory_file_system.h"
#include "zhiwen/environment.h"
#include "zhiwen/executor.h"

namespace zhiwen {
namespace {

// By memory of the scratch, and of the sort.
class KeeperLabelsInAnyMemory : public testing::TestWithParam<uint64_t> {
 protected:
  InMemoryFileSystem files_;
  std::unique_ptr<Executor> executor_ = MakeInlineExecutor();
  Cancellation cancellation_;
};

INSTANTIATE_TEST_SUITE_P(Memory, KeeperLabelsInAnyMemory, testing::Values(0, uint64_t{1} << 30));

// Some without an id, some with a zero or a line end in it.
std::string IdOf(uint64_t d) {
  if (d % 7 == 0) return {};
  if (d % 7 == 1) return std::string(d % 50, '\0') + "\n";
  return "document " + std::to_string(d * d);
}

TEST_P(KeeperLabelsInAnyMemory, EveryRemovalGetsTheLabelOfItsKeeper) {
  const auto scratch = Scratch::Create(files_, "/scratch", GetParam()).value();
  const RunSpools spools = RunSpools::Create(*scratch, 0).value();
  constexpr DocumentIndex kDocuments = 20'000;
  std::mt19937_64 random(5);
  Removals removals{.keepers = std::vector<DocumentIndex>(kDocuments, kNoDocument),
                    .rows = Spool::Create(*scratch, "removals").value()};
  std::vector<DocumentIndex> expected;
  for (DocumentIndex d = 0; d < kDocuments; ++d) {
    ASSERT_TRUE(spools.labels->Append(d % 3, d + 1, IdOf(d)));
    if (random() % 3 != 0) continue;
    const auto keeper = static_cast<DocumentIndex>(random() % kDocuments);
    ASSERT_TRUE(removals.rows->AppendRow(RemovalRow{.document = d, .keeper = keeper}));
    expected.push_back(keeper);
  }
  const DedupEnvironment environment{files_,       *executor_, SystemClock(),
                                     NoProgress(), NoLog(),    cancellation_};
  const DedupInputs inputs;
  const ReadingOptions reading;
  const RemovalRules rules;
  const RunContext run{environment, inputs, reading, rules, *scratch, spools, GetParam() / 4};
  const auto made = KeeperLabels::Make(run, removals, nullptr);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  Labels::Reader reader(made->labels());
  DocumentLabel label;
  for (const DocumentIndex keeper : expected) {
    ASSERT_TRUE(reader.Next(label));
    ASSERT_EQ(label.record, keeper + 1);
    ASSERT_EQ(label.file, keeper % 3);
    ASSERT_EQ(label.id, IdOf(keeper));
  }
}

}  // namespace
}  // namespace zhiwen
