// Whatever fails, an index has the batches that Commit returned for, whole, and perhaps the one
// that it did not return for; damage is an error that names a file, or changes nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "index/codes/code_index_test_support.h"
#include "index/codes/code_state.h"
#include "index/durable/segmented_writer.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

const Cancellation kNeverCancelled;
constexpr CodeWriterOptions kSmall = {.log_bytes = 500, .direct_rows = 40};

// Batches that meet the log, segments, direct segments and deleted rows of all.
std::vector<ModelChanges> SomeBatches() {
  ModelRandom random(3, 64);
  std::vector<ModelChanges> batches;
  for (const auto& [additions, removals] :
       {std::pair(12, 0), {50, 0}, {9, 9}, {14, 0}, {60, 0}, {5, 12}, {20, 4}}) {
    batches.push_back(
        random.Changes(static_cast<uint64_t>(additions), static_cast<uint64_t>(removals)));
  }
  return batches;
}

ModelRows After(const std::vector<ModelChanges>& batches, size_t count) {
  ModelRows rows;
  for (size_t i = 0; i < count; ++i) batches[i].MakeTo(rows);
  return rows;
}

// Commits the batches one after another, with merges between, as far as it goes. Returns the first
// error.
Status CommitAll(FileSystem& files, const std::vector<ModelChanges>& batches, size_t& committed) {
  committed = 0;
  std::unique_ptr<CodeIndexWriter> writer;
  for (const ModelChanges& batch : batches) {
    if (writer == nullptr) {
      ZHIWEN_ASSIGN_OR_RETURN(writer, CodeIndexWriter::Open(files, "index", kSmall));
    }
    ZHIWEN_RETURN_IF_ERROR(writer->Commit(batch.changes()));
    ++committed;
    if (committed == 3) {
      ZHIWEN_RETURN_IF_ERROR(writer->MergeAll(NoProgress(), kNeverCancelled));
    } else if (committed == 5) {
      ZHIWEN_RETURN_IF_ERROR(writer->Close());
      writer = nullptr;
    }
  }
  ZHIWEN_RETURN_IF_ERROR(writer->MergeOnce(NoProgress(), kNeverCancelled));
  return writer->Close();
}

// An index has what was committed, or one batch more; and goes on from there.
void ExpectCommitted(FileSystem& files, const std::vector<ModelChanges>& batches,
                     size_t committed) {
  const auto reader = CodeIndex::Open(files, "index");
  ASSERT_TRUE(reader) << reader.error().message;
  const auto rows = RowsOf(**reader);
  ASSERT_TRUE(rows) << rows.error().message;
  const size_t more = std::min(committed + 1, batches.size());
  const bool has_more = *rows != After(batches, committed);
  ASSERT_TRUE(!has_more || *rows == After(batches, more)) << committed;
  auto writer = CodeIndexWriter::Open(files, "index", kSmall);
  ASSERT_TRUE(writer) << writer.error().message;
  for (size_t i = has_more ? more : committed; i < batches.size(); ++i) {
    ASSERT_TRUE((*writer)->Commit(batches[i].changes()));
  }
  ASSERT_TRUE((*writer)->MergeAll(NoProgress(), kNeverCancelled));
  ASSERT_TRUE((*writer)->Close());
  EXPECT_EQ(*RowsOf((*writer)->index()), After(batches, batches.size()));
  writer->reset();  // while one is at work no file is left over
  const auto check = CheckCodeIndex(files, "index", NoProgress(), kNeverCancelled);
  ASSERT_TRUE(check && check->problems.empty() && check->leftovers.empty());
}

// A single failure, and the end of the process: every later operation fails too.
void FailEverywhere(bool is_lasting) {
  const std::vector<ModelChanges> batches = SomeBatches();
  size_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    ASSERT_TRUE(CodeIndex::Create(memory, "index", {}));
    FaultyFileSystem files(memory, {.at = n,
                                    .only = {},
                                    .error = {ErrorCode::kExhausted, "disk full"},
                                    .lasting = is_lasting});
    size_t committed = 0;
    const Status status = CommitAll(files, batches, committed);
    if (!files.fired()) break;
    failures += status ? 0 : 1;
    ASSERT_NO_FATAL_FAILURE(ExpectCommitted(memory, batches, committed)) << "operation " << n;
  }
  EXPECT_GT(failures, 50);
}

TEST(CodeIndexFaults, OfAnyOneOperationLoseNothing) { FailEverywhere(false); }
TEST(CodeIndexFaults, OfAllOperationsFromOneOnLoseNothing) { FailEverywhere(true); }

// Memory runs out once in a while, and whoever commits goes on; then the process ends.
TEST(CodeIndexFaults, OfMemoryLoseNothingThatIsCommittedLater) {
  size_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    ASSERT_TRUE(CodeIndex::Create(memory, "index", {}));
    FaultyFileSystem files(memory, {.at = n, .is_out_of_memory = true});
    ModelRows committed;
    try {
      const auto writer = CodeIndexWriter::Open(files, "index", {});
      ASSERT_TRUE(writer);
      for (uint64_t code = 0; code < 20; ++code) {
        CodeChanges changes;
        changes.Add(code, "label");
        try {
          if ((*writer)->Commit(changes)) committed.insert({code, "label"});
          if (code % 8 == 7) (void)(*writer)->Flush(0);
        } catch (const std::bad_alloc&) {
          ++failures;
        }
      }
    } catch (const std::bad_alloc&) {
    }
    if (!files.fired()) break;
    const auto index = CodeIndex::Open(memory, "index");
    ASSERT_TRUE(index) << index.error().message;
    const auto rows = RowsOf(**index);
    ASSERT_TRUE(rows) << rows.error().message;
    EXPECT_TRUE(std::ranges::includes(*rows, committed)) << "operation " << n;
  }
  EXPECT_GT(failures, 30);
}

TEST(CodeIndexFaults, OfMergesLeaveNoFileBehind) {
  size_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    ASSERT_TRUE(CodeIndex::Create(memory, "index", {}));
    {
      const auto writer = CodeIndexWriter::Open(memory, "index", {.direct_rows = 1});
      ASSERT_TRUE(writer);
      for (uint64_t code = 0; code < 3; ++code) {
        CodeChanges changes;
        changes.Add(code);
        ASSERT_TRUE((*writer)->Commit(changes));
      }
    }
    FaultyFileSystem files(memory, {.at = n, .only = FileOperation::kOpenForRead});
    {
      const auto writer = CodeIndexWriter::Open(files, "index", {});
      if (!writer) continue;
      failures += (*writer)->MergeAll(NoProgress(), kNeverCancelled) ? 0 : 1;
    }
    if (!files.fired()) break;
    const auto check = CheckCodeIndex(memory, "index", NoProgress(), kNeverCancelled);
    ASSERT_TRUE(check);
    EXPECT_TRUE(check->leftovers.empty()) << check->leftovers.front();
  }
  EXPECT_EQ(failures, 1);
}

// Segments cannot be made, and commits go on.
TEST(CodeIndexFaults, OfSegmentsAloneNeverMakeALogThatIsNotRead) {
  constexpr uint64_t kMost = 1000;
  InMemoryFileSystem memory;
  ASSERT_TRUE(CodeIndex::Create(memory, "index", {}));
  uint64_t committed = 0;
  {
    // The first two are a log and the manifest with it.
    FaultyFileSystem files(memory,
                           {.at = 3, .only = FileOperation::kOpenForWrite, .lasting = true});
    SegmentedWriter<CodesKind> writer(files, "index", {.log_bytes = 100, .most_log_bytes = kMost});
    ASSERT_TRUE(writer.Load());
    for (;; ++committed) {
      CodeChanges changes;
      changes.Add(committed);
      if (!writer.Commit({.record = changes.bytes()})) break;
      ASSERT_LT(committed, kMost);
    }
    const auto all = memory.Files();
    const auto log = std::ranges::find_if(
        all, [](const auto& file) { return file.first.starts_with("index/log-"); });
    ASSERT_NE(log, all.end());
    EXPECT_GT(log->second.size(), kMost / 2);
    EXPECT_LE(log->second.size(), kMost);
  }
  const auto writer = CodeIndexWriter::Open(memory, "index", {});
  ASSERT_TRUE(writer);
  EXPECT_EQ((*writer)->index().stats().rows(), committed);
  EXPECT_TRUE((*writer)->Flush(0));
}

// The machine stops: what was not synced is lost.
void StopEverywhere(InMemoryFileSystem::LostNames lost) {
  const std::vector<ModelChanges> batches = SomeBatches();
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    ASSERT_TRUE(CodeIndex::Create(memory, "index", {}));
    FaultyFileSystem files(memory, {.at = n,
                                    .only = {},
                                    .error = {ErrorCode::kUnreadable, "the machine stopped"},
                                    .lasting = true});
    size_t committed = 0;
    (void)CommitAll(files, batches, committed);
    if (!files.fired()) break;
    memory.LoseUnsynced(lost);
    ASSERT_NO_FATAL_FAILURE(ExpectCommitted(memory, batches, committed)) << "operation " << n;
  }
}

TEST(CodeIndexFaults, OfTheMachineLoseNothing) {
  StopEverywhere(InMemoryFileSystem::LostNames::kAll);
}
TEST(CodeIndexFaults, OfTheMachineThatRenamesEarlyLoseNothing) {
  StopEverywhere(InMemoryFileSystem::LostNames::kNew);
}

TEST(CodeIndexFaults, OfCreateLeaveNothingOrAnIndex) {
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    FaultyFileSystem files(memory, {.at = n, .only = {}, .error = {}, .lasting = true});
    const Status created = CodeIndex::Create(files, "index", {});
    if (!files.fired()) break;
    EXPECT_FALSE(created) << n;
    EXPECT_TRUE(CodeIndex::Open(memory, "index") || CodeIndex::Create(memory, "index", {})) << n;
  }
}

class DamagedCodeIndexes : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(CodeIndex::Create(files_, "index", {}));
    auto batches = SomeBatches();
    batches.erase(batches.begin() + 5, batches.end());
    auto writer = CodeIndexWriter::Open(files_, "index", kSmall);
    ASSERT_TRUE(writer);
    for (const ModelChanges& batch : batches) {
      ASSERT_TRUE((*writer)->Commit(batch.changes()));
      batch.MakeTo(rows_);
    }
    ModelChanges last;
    last.RemoveCode(rows_.begin()->first);
    last.Add(7, "in the log");
    ASSERT_TRUE((*writer)->Commit(last.changes()) && (*writer)->Close());
    last.MakeTo(rows_);
  }

  // Whether the index with one changed file is refused; if not, it has its rows.
  bool IsRefused(const std::string& path, const std::string& content) {
    InMemoryFileSystem files;
    files.CopyFrom(files_);
    files.Damage(path, content);
    const auto rows = [&]() -> Result<ModelRows> {
      ZHIWEN_ASSIGN_OR_RETURN(const auto index, CodeIndex::Open(files, "index"));
      return RowsOf(*index);
    }();
    const auto check = CheckCodeIndex(files, "index", NoProgress(), kNeverCancelled);
    if (rows) {
      EXPECT_EQ(*rows, rows_) << path;
      return !check || !check->problems.empty();
    }
    EXPECT_NE(rows.error().message.find("index/"), std::string::npos) << rows.error().message;
    EXPECT_TRUE(!check || !check->problems.empty()) << path;
    return true;
  }

  InMemoryFileSystem files_;
  ModelRows rows_;
};

TEST_F(DamagedCodeIndexes, GiveTheRightAnswerOrAnError) {
  size_t kinds = 0;
  for (const auto& [path, content] : files_.Files()) {
    size_t refused = 0, tried = 0;
    const size_t step = content.size() / 150 + 1;
    for (size_t at = 0; at < content.size(); at += step) {
      std::string damaged = content;
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << at % 8);
      refused += IsRefused(path, damaged) ? 1 : 0;
      EXPECT_TRUE(at % 7 != 0 || IsRefused(path, content.substr(0, at))) << path << " to " << at;
      ++tried;
    }
    // Sections of small files have unused bytes between them, which no checksum is of.
    const bool is_large = path.find("segment-") != std::string::npos;
    EXPECT_GE(refused, is_large ? tried : tried / 2) << path;
    ++kinds;
  }
  EXPECT_GE(kinds, 4);  // a manifest, a log, segments, deleted rows
}

TEST_F(DamagedCodeIndexes, AreRefusedWithoutAFile) {
  for (const auto& [path, content] : files_.Files()) {
    InMemoryFileSystem files;
    files.CopyFrom(files_);
    ASSERT_TRUE(files.RemoveFile(path));
    const auto index = CodeIndex::Open(files, "index");
    ASSERT_FALSE(index) << path;
    EXPECT_EQ(index.error().code,
              path == "index/manifest" ? ErrorCode::kNotFound : ErrorCode::kUnreadable);
    // Nor is one of them another.
    files.CopyFrom(files_);
    for (const auto& [other, bytes] : files_.Files()) {
      if (other == path || other.substr(0, 9) != path.substr(0, 9)) continue;
      files.Damage(path, bytes);
      EXPECT_FALSE(CodeIndex::Open(files, "index")) << path << " as " << other;
      files.CopyFrom(files_);
    }
  }
}

TEST_F(DamagedCodeIndexes, OfAnotherVersionAreAConflict) {
  for (const auto& [path, content] : files_.Files()) {
    // Of files of sections and blocks behind the kind; of a log behind its magic. The checksums
    // need not hold: another version may have others.
    std::string newer = content;
    newer[path.find("log-") != std::string::npos ? 8 : 24] = 2;
    InMemoryFileSystem files;
    files.CopyFrom(files_);
    files.Damage(path, newer);
    const auto index = CodeIndex::Open(files, "index");
    ASSERT_FALSE(index) << path;
    EXPECT_EQ(index.error().code, ErrorCode::kConflict) << path << index.error().message;
  }
}

}  // namespace
}  // namespace zhiwen
