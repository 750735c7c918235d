#ifndef ZHIWEN_INDEX_DURABLE_SEGMENTED_FAULTS_TEST_SUPPORT_H_
#define ZHIWEN_INDEX_DURABLE_SEGMENTED_FAULTS_TEST_SUPPORT_H_

// Tests durable indexes of any kind. Whatever fails, an index contains the batches for which Commit
// returned, whole, and perhaps the one for which it did not return. Damage is an error that names a
// file, or changes nothing.
//
// A tested kind is described by a type Of with
//   using Index, Writer, Kind;       // of the contract, and of SegmentedWriter
//   using Content;                   // everything that an index returns
//   static constexpr ... kSmall;     // options of a writer that make segments of the batches
//   static Status Create(FileSystem&);                       // of an index "index"
//   static Status Commit(Writer&, size_t batch);             // of kFaultBatches, and two more:
//                                    // one that deletes rows of the first five, one that adds
//   static Content ContentOf(std::span<const size_t> batches);
//   static Result<Content> ContentOf(const Index&);
//   static auto Check(FileSystem&);                          // as CheckSegmented
//   static std::string Record(const Kind::State&, uint64_t); // only a row of this number
//   static uint64_t CountOf(const Index&);                   // rows

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/durable/segmented_writer.h"
#include "support/faulty_file_system.h"
#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr size_t kFaultBatches = 7;
inline constexpr size_t kDeletingBatch = 7, kAddingBatch = 8;

template <typename Of>
class SegmentedFaults : public testing::Test {
 protected:
  using Index = typename Of::Index;
  using Writer = typename Of::Writer;
  using Content = typename Of::Content;

  static const Content& ContentAfter(size_t batches) {
    static const std::vector<Content> contents = [] {
      std::vector<size_t> all(kFaultBatches);
      std::iota(all.begin(), all.end(), 0);
      std::vector<Content> after;
      for (size_t i = 0; i <= kFaultBatches; ++i) {
        after.push_back(Of::ContentOf(std::span(all).first(i)));
      }
      return after;
    }();
    return contents[batches];
  }

  // Commits the batches one after another, with merges between, until the first error, which it
  // returns.
  static Status CommitAll(FileSystem& files, size_t& committed) {
    committed = 0;
    std::unique_ptr<Writer> writer;
    while (committed < kFaultBatches) {
      if (writer == nullptr) {
        ZHIWEN_ASSIGN_OR_RETURN(writer, Writer::Open(files, "index", Of::kSmall));
      }
      ZHIWEN_RETURN_IF_ERROR(Of::Commit(*writer, committed));
      ++committed;
      if (committed == 3) {
        ZHIWEN_RETURN_IF_ERROR(writer->MergeAll(NoProgress(), Cancellation()));
      } else if (committed == 5) {
        ZHIWEN_RETURN_IF_ERROR(writer->Close());
        writer = nullptr;
      }
    }
    ZHIWEN_RETURN_IF_ERROR(writer->MergeOnce(NoProgress(), Cancellation()));
    return writer->Close();
  }

  // Checks that an index has the committed batches, or one more, and that it can be continued.
  static void ExpectCommitted(FileSystem& files, size_t committed) {
    const auto reader = Index::Open(files, "index");
    ASSERT_TRUE(reader) << reader.error().message;
    const auto content = Of::ContentOf(**reader);
    ASSERT_TRUE(content) << content.error().message;
    const size_t more = std::min(committed + 1, kFaultBatches);
    const bool has_more = *content != ContentAfter(committed);
    ASSERT_TRUE(!has_more || *content == ContentAfter(more)) << committed;
    auto writer = Writer::Open(files, "index", Of::kSmall);
    ASSERT_TRUE(writer) << writer.error().message;
    for (size_t i = has_more ? more : committed; i < kFaultBatches; ++i) {
      ASSERT_TRUE(Of::Commit(**writer, i));
    }
    ASSERT_TRUE((*writer)->MergeAll(NoProgress(), Cancellation()));
    ASSERT_TRUE((*writer)->Close());
    EXPECT_EQ(*Of::ContentOf((*writer)->index()), ContentAfter(kFaultBatches));
    writer->reset();  // while a writer is open no file is a leftover
    const auto check = Of::Check(files);
    ASSERT_TRUE(check && check->problems.empty() && check->leftovers.empty());
  }

  // Tests single failures, and the end of the process, after which every later operation fails too.
  static void FailEverywhere(bool is_lasting) {
    size_t failures = 0;
    for (uint64_t n = 1;; ++n) {
      InMemoryFileSystem memory;
      ASSERT_TRUE(Of::Create(memory));
      FaultyFileSystem files(memory, {.at = n,
                                      .only = {},
                                      .error = {ErrorCode::kExhausted, "disk full"},
                                      .lasting = is_lasting});
      size_t committed = 0;
      const Status status = CommitAll(files, committed);
      if (!files.fired()) break;
      failures += status ? 0 : 1;
      ASSERT_NO_FATAL_FAILURE(ExpectCommitted(memory, committed)) << "operation " << n;
    }
    EXPECT_GT(failures, 50);
  }

  // Stops the machine at every operation: what was not synced is lost.
  static void StopEverywhere(InMemoryFileSystem::LostNames lost) {
    for (uint64_t n = 1;; ++n) {
      InMemoryFileSystem memory;
      ASSERT_TRUE(Of::Create(memory));
      FaultyFileSystem files(memory, {.at = n,
                                      .only = {},
                                      .error = {ErrorCode::kUnreadable, "the machine stopped"},
                                      .lasting = true});
      size_t committed = 0;
      (void)CommitAll(files, committed);
      if (!files.fired()) break;
      memory.LoseUnsynced(lost);
      ASSERT_NO_FATAL_FAILURE(ExpectCommitted(memory, committed)) << "operation " << n;
    }
  }

  // The batches that were committed, and those for which this is unknown.
  struct Committed {
    std::vector<size_t> batches;
    std::optional<size_t> in_doubt;
    size_t failures = 0;
  };
  static Committed CommitWhileMemoryRunsOut(FileSystem& files) {
    Committed committed;
    std::unique_ptr<Writer> writer;
    try {
      writer = *Writer::Open(files, "index", Of::kSmall);
    } catch (const std::bad_alloc&) {
      ++committed.failures;
      return committed;
    }
    for (size_t i = 0; i < kFaultBatches; ++i) {
      bool is_committed = false;
      try {
        is_committed = Of::Commit(*writer, i).has_value();
        if (i % 3 == 2) (void)writer->Flush(0);
      } catch (const std::bad_alloc&) {
        ++committed.failures;
        if (!is_committed) committed.in_doubt = i;
      }
      if (is_committed) committed.batches.push_back(i);
    }
    return committed;
  }
};

TYPED_TEST_SUITE_P(SegmentedFaults);

TYPED_TEST_P(SegmentedFaults, OfAnyOneOperationLoseNothing) { this->FailEverywhere(false); }
TYPED_TEST_P(SegmentedFaults, SlowOfAllOperationsFromOneOnLoseNothing) {
  this->FailEverywhere(true);
}
TYPED_TEST_P(SegmentedFaults, SlowOfTheMachineLoseNothing) {
  this->StopEverywhere(InMemoryFileSystem::LostNames::kAll);
}
TYPED_TEST_P(SegmentedFaults, SlowOfTheMachineThatRenamesEarlyLoseNothing) {
  this->StopEverywhere(InMemoryFileSystem::LostNames::kNew);
}

// Memory runs out once, commits continue, and then the process ends.
TYPED_TEST_P(SegmentedFaults, OfMemoryLoseNothingThatIsCommittedLater) {
  size_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    ASSERT_TRUE(TypeParam::Create(memory));
    FaultyFileSystem files(memory, {.at = n, .is_out_of_memory = true});
    const auto committed = this->CommitWhileMemoryRunsOut(files);
    if (!files.fired()) break;
    failures += committed.failures;
    const auto index = TypeParam::Index::Open(memory, "index");
    ASSERT_TRUE(index) << index.error().message;
    const auto content = TypeParam::ContentOf(**index);
    ASSERT_TRUE(content) << content.error().message;
    std::vector<size_t> more = committed.batches;
    if (committed.in_doubt) more.push_back(*committed.in_doubt);
    std::ranges::sort(more);
    EXPECT_TRUE(*content == TypeParam::ContentOf(committed.batches) ||
                *content == TypeParam::ContentOf(more))
        << "operation " << n;
  }
  EXPECT_GT(failures, 30);
}

TYPED_TEST_P(SegmentedFaults, OfMergesLeaveNoFileBehind) {
  size_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    ASSERT_TRUE(TypeParam::Create(memory));
    {
      const auto writer = TypeParam::Writer::Open(memory, "index", TypeParam::kSmall);
      ASSERT_TRUE(writer);
      for (size_t i = 0; i < 3; ++i) {
        ASSERT_TRUE(TypeParam::Commit(**writer, i) && (*writer)->Flush(0));
      }
    }
    FaultyFileSystem files(memory, {.at = n, .only = FileOperation::kOpenForRead});
    {
      const auto writer = TypeParam::Writer::Open(files, "index", TypeParam::kSmall);
      if (!writer) continue;
      failures += (*writer)->MergeAll(NoProgress(), Cancellation()) ? 0 : 1;
    }
    if (!files.fired()) break;
    const auto check = TypeParam::Check(memory);
    ASSERT_TRUE(check);
    EXPECT_TRUE(check->leftovers.empty()) << check->leftovers.front();
  }
  EXPECT_EQ(failures, 1);
}

// No segment can be made, and commits continue.
TYPED_TEST_P(SegmentedFaults, OfSegmentsAloneNeverMakeALogThatIsNotRead) {
  constexpr uint64_t kMost = 4000;
  InMemoryFileSystem memory;
  ASSERT_TRUE(TypeParam::Create(memory));
  uint64_t committed = 0;
  {
    // The first two files are a log and the manifest that names it.
    FaultyFileSystem files(memory,
                           {.at = 3, .only = FileOperation::kOpenForWrite, .lasting = true});
    SegmentedWriter<typename TypeParam::Kind> writer(files, "index",
                                                     {.log_bytes = 100, .most_log_bytes = kMost});
    ASSERT_TRUE(writer.Load());
    while (writer.Commit({.record = TypeParam::Record(writer.state(), committed)})) {
      ASSERT_LT(++committed, kMost);
    }
    const auto all = memory.Files();
    const auto log = std::ranges::find_if(
        all, [](const auto& file) { return file.first.starts_with("index/log-"); });
    ASSERT_NE(log, all.end());
    EXPECT_GT(log->second.size(), kMost / 2);
    EXPECT_LE(log->second.size(), kMost);
  }
  const auto writer = TypeParam::Writer::Open(memory, "index", {});
  ASSERT_TRUE(writer);
  EXPECT_EQ(TypeParam::CountOf((*writer)->index()), committed);
  EXPECT_TRUE((*writer)->Flush(0));
}

TYPED_TEST_P(SegmentedFaults, OfCreateLeaveNothingOrAnIndex) {
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    FaultyFileSystem files(memory, {.at = n, .only = {}, .error = {}, .lasting = true});
    const Status created = TypeParam::Create(files);
    if (!files.fired()) break;
    EXPECT_FALSE(created) << n;
    EXPECT_TRUE(TypeParam::Index::Open(memory, "index") || TypeParam::Create(memory)) << n;
  }
}

REGISTER_TYPED_TEST_SUITE_P(SegmentedFaults, OfAnyOneOperationLoseNothing,
                            SlowOfAllOperationsFromOneOnLoseNothing, SlowOfTheMachineLoseNothing,
                            SlowOfTheMachineThatRenamesEarlyLoseNothing,
                            OfMemoryLoseNothingThatIsCommittedLater, OfMergesLeaveNoFileBehind,
                            OfSegmentsAloneNeverMakeALogThatIsNotRead,
                            OfCreateLeaveNothingOrAnIndex);

// The folder has a file of every sort: a manifest, a log, segments, deleted rows.
template <typename Of>
class DamagedSegmented : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(Of::Create(files_));
    auto writer = Of::Writer::Open(files_, "index", Of::kSmall);
    ASSERT_TRUE(writer);
    const std::vector<size_t> batches = {0, 1, 2, 3, 4, kDeletingBatch, kAddingBatch};
    for (const size_t batch : batches) {
      ASSERT_TRUE(Of::Commit(**writer, batch));
      if (batch == 4 || batch == kDeletingBatch) {
        ASSERT_TRUE((*writer)->Flush(0));
      }
    }
    ASSERT_TRUE((*writer)->Close());
    content_ = Of::ContentOf(batches);
  }

  // Returns whether the index with one changed file is refused. If not, it must have its content.
  bool IsRefused(const std::string& path, const std::string& bytes) const {
    InMemoryFileSystem files;
    files.CopyFrom(files_);
    files.Damage(path, bytes);
    const auto content = [&]() -> Result<typename Of::Content> {
      ZHIWEN_ASSIGN_OR_RETURN(const auto index, Of::Index::Open(files, "index"));
      return Of::ContentOf(*index);
    }();
    const auto check = Of::Check(files);
    if (content) {
      EXPECT_EQ(*content, content_) << path;
      return !check || !check->problems.empty();
    }
    EXPECT_NE(content.error().message.find("index/"), std::string::npos) << content.error().message;
    EXPECT_TRUE(!check || !check->problems.empty()) << path;
    return true;
  }

  InMemoryFileSystem files_;
  typename Of::Content content_;
};

TYPED_TEST_SUITE_P(DamagedSegmented);

TYPED_TEST_P(DamagedSegmented, GiveTheRightAnswerOrAnError) {
  size_t kinds = 0;
  for (const auto& [path, content] : this->files_.Files()) {
    size_t refused = 0, tried = 0;
    const size_t step = content.size() / 150 + 1;
    for (size_t at = 0; at < content.size(); at += step) {
      refused += this->IsRefused(path, WithBitFlipped(content, 8 * at + at % 8)) ? 1 : 0;
      EXPECT_TRUE(at % 7 != 0 || this->IsRefused(path, content.substr(0, at)))
          << path << " to " << at;
      ++tried;
    }
    // Sections of small files have unused bytes between them, which no checksum covers.
    const bool is_large = path.find("segment-") != std::string::npos;
    EXPECT_GE(refused, is_large ? tried : tried / 2) << path;
    ++kinds;
  }
  EXPECT_GE(kinds, 4);  // a manifest, a log, segments, deleted rows
}

TYPED_TEST_P(DamagedSegmented, AreRefusedWithoutAFile) {
  const auto all = this->files_.Files();
  for (const auto& [path, content] : all) {
    InMemoryFileSystem files;
    files.CopyFrom(this->files_);
    ASSERT_TRUE(files.RemoveFile(path));
    const auto index = TypeParam::Index::Open(files, "index");
    ASSERT_FALSE(index) << path;
    EXPECT_EQ(index.error().code, ErrorCode::kUnreadable);
    EXPECT_THAT(index.error().message, testing::HasSubstr("restore the index from a copy"));
    // A file is also refused in place of another one.
    files.CopyFrom(this->files_);
    for (const auto& [other, bytes] : all) {
      if (other == path || other.substr(0, 9) != path.substr(0, 9)) continue;
      files.Damage(path, bytes);
      EXPECT_FALSE(TypeParam::Index::Open(files, "index")) << path << " as " << other;
      files.CopyFrom(this->files_);
    }
  }
}

TYPED_TEST_P(DamagedSegmented, OfAnotherVersionAreAConflict) {
  for (const auto& [path, content] : this->files_.Files()) {
    // The version follows the kind in files of sections and blocks, and the magic in a log.
    // Checksums need not match, because another version may have others.
    for (const char version : {'\0', '\2'}) {
      std::string other = content;
      other[path.find("log-") != std::string::npos ? 8 : 24] = version;
      InMemoryFileSystem files;
      files.CopyFrom(this->files_);
      files.Damage(path, other);
      const auto index = TypeParam::Index::Open(files, "index");
      ASSERT_FALSE(index) << path;
      EXPECT_EQ(index.error().code, ErrorCode::kConflict) << path << index.error().message;
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(DamagedSegmented, GiveTheRightAnswerOrAnError, AreRefusedWithoutAFile,
                            OfAnotherVersionAreAConflict);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_SEGMENTED_FAULTS_TEST_SUPPORT_H_
