#include "zhiwen/code_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/batches/batch_test_support.h"
#include "support/faulty_file_system.h"

namespace zhiwen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// By which nothing takes long.
class StoppedClock final : public Clock {
 public:
  std::chrono::nanoseconds Monotonic() const override { return {}; }
  std::chrono::nanoseconds ProcessorTime() const override { return {}; }
  std::chrono::sys_seconds Now() const override { return {}; }
};

class CodeFiles : public testing::Test {
 protected:
  CodeFiles() { EXPECT_TRUE(CodeIndex::Create(around.files, "index", {})); }

  Result<CodeChangeSummary> Change(CodeChange change, std::vector<std::string> inputs) {
    return ChangeCodeIndex(
        {.folder = "index", .files = {.paths = std::move(inputs)}, .change = change},
        around.environment());
  }

  // The labels of what lies within three bits of the codes of a file.
  std::vector<std::string> LookUp(const std::string& codes) {
    around.files.Put("queries.txt", codes);
    std::vector<std::string> labels;
    const auto found = LookUpCodes(
        {.folder = "index", .files = {.paths = {"queries.txt"}}, .query = {}},
        [&](std::span<const CodeQueryResult> queries, const CodeAnswer& answer,
            const CodeIndexOptions& /*kind*/) -> Status {
          for (const CodeQueryResult& query : queries) {
            for (const CodeMatch& match : query.matches) {
              labels.emplace_back(answer.LabelOf(match));
            }
          }
          return {};
        },
        around.environment());
    EXPECT_TRUE(found) << found.error().message;
    return labels;
  }

  BatchSurroundings around;
};

TEST_F(CodeFiles, RowsAreAddedLookedUpAndRemoved) {
  around.files.Put("a.txt", "1\tone\n3\tthree\nff00\tfar\nff01\n");
  const auto added = Change(CodeChange::kAdd, {"a.txt"});
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->read, 4u);
  EXPECT_EQ(added->stats.rows(), 4u);
  EXPECT_THAT(LookUp("0\n"), ElementsAre("one", "three"));
  around.files.Put("gone.txt", "one\n");
  ASSERT_TRUE(Change(CodeChange::kRemoveLabel, {"gone.txt"}));
  EXPECT_THAT(LookUp("0\n"), ElementsAre("three"));
  around.files.Put("gone.txt", "ff00\tfar\n");
  const auto removed = Change(CodeChange::kRemove, {"gone.txt"});
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->removed, 1u);
  around.files.Put("gone.txt", "ff01\n3\n");
  ASSERT_TRUE(Change(CodeChange::kRemoveCode, {"gone.txt"}));
  EXPECT_TRUE(LookUp("0\nff01\n").empty());
}

TEST_F(CodeFiles, WhatArrivesIsCommittedWhenNothingMoreComes) {
  around.standard_input.parts = {"1\n2\n", "3\n", "4\n5\n"};
  std::vector<uint64_t> safe;
  const auto added = ChangeCodeIndex({.folder = "index",
                                      .files = {.paths = {"-"}},
                                      .patience = std::chrono::milliseconds(0),
                                      .committed = [&](uint64_t rows) -> Status {
                                        safe.push_back(rows);
                                        return {};
                                      }},
                                     around.environment());
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->read, 5u);
  ASSERT_GE(safe.size(), 2u);
  EXPECT_TRUE(std::ranges::is_sorted(safe));
  EXPECT_EQ(safe.back(), 5u);
}

TEST_F(CodeFiles, AMissingFileIsSaidBeforeAnythingIsChanged) {
  around.files.Put("a.txt", "1\n");
  const auto failed = ChangeCodeIndex({.folder = "index", .files = {.paths = {"a.txt", "b.txt"}}},
                                      around.environment());
  EXPECT_EQ(failed.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(failed.error().message, HasSubstr("cannot read \"b.txt\": it is not there"));
  EXPECT_TRUE(LookUp("1\n").empty());
}

TEST_F(CodeFiles, AnErrorInTheMiddleSaysWhatStays) {
  around.files.Put("a.txt", "1\n");
  around.files.Put("b.txt", "2\nno code\n");
  const auto failed = Change(CodeChange::kAdd, {"a.txt", "b.txt"});
  EXPECT_EQ(failed.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(failed.error().message, HasSubstr("\"index\" is as it was"));
  EXPECT_TRUE(LookUp("1\n").empty());

  around.standard_input.parts = {"1\n", "2\n", "no code\n"};
  const auto partly = ChangeCodeIndex(
      {.folder = "index", .files = {.paths = {"-"}}, .patience = std::chrono::milliseconds(0)},
      around.environment());
  EXPECT_EQ(partly.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(partly.error().message, HasSubstr("before that"));
  EXPECT_FALSE(LookUp("1\n").empty());
}

// Nothing says how many codes are near the first query.
TEST_F(CodeFiles, TheFirstBatchIsOneQueryAndLaterOnesAreTwiceAsLarge) {
  around.files.Put("a.txt", "1\n2\n");
  ASSERT_TRUE(Change(CodeChange::kAdd, {"a.txt"}));
  std::string queries;
  for (int i = 0; i < 1000; ++i) queries += "1\n";
  around.files.Put("queries.txt", queries);
  const StoppedClock clock;
  const BatchEnvironment environment{around.files, *around.executor, clock,
                                     NoProgress(), around,           around.cancellation};
  std::vector<size_t> sizes;
  ASSERT_TRUE(LookUpCodes(
      {.folder = "index", .files = {.paths = {"queries.txt"}}, .query = {}},
      [&](std::span<const CodeQueryResult> some, const CodeAnswer&,
          const CodeIndexOptions&) -> Status {
        sizes.push_back(some.size());
        return {};
      },
      environment));
  EXPECT_THAT(sizes, ElementsAre(1, 2, 4, 8, 16, 32, 64, 128, 256, 489));
}

TEST_F(CodeFiles, AStopAndAnErrorOfTheVisitorEndTheWork) {
  around.files.Put("a.txt", "1\n2\n");
  ASSERT_TRUE(Change(CodeChange::kAdd, {"a.txt"}));
  const CodeLookupOptions options{.folder = "index", .files = {.paths = {"a.txt"}}, .query = {}};
  const auto refused = LookUpCodes(
      options,
      [](std::span<const CodeQueryResult>, const CodeAnswer&, const CodeIndexOptions&) -> Status {
        return Fail(ErrorCode::kExhausted, "disk full");
      },
      around.environment());
  EXPECT_EQ(refused.error().message, "disk full");
  around.cancellation.Request(ErrorCode::kInterrupted);
  EXPECT_EQ(Change(CodeChange::kAdd, {"a.txt"}).error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace zhiwen
