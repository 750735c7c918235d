// Whatever fails, an index has the batches that Commit returned for, whole, and perhaps the one
// that it did not return for; damage is an error that names a file, or changes nothing.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "index/durable/index_folder.h"
#include "index/postings/postings_index_test_support.h"
#include "index/postings/postings_kind.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

const Cancellation kNeverCancelled;
constexpr PostingsContent kContent = PostingsContent::kPositions;
constexpr PostingsIndexOptions kOptions = {.content = kContent};
constexpr PostingsWriterOptions kSmall = {.log_bytes = 1500};

// Batches that meet the log, segments, and deleted documents of both.
std::vector<ModelPostingsChanges> SomeBatches() {
  ModelPostingsRandom random(3, kContent);
  std::vector<ModelPostingsChanges> batches;
  for (const auto& [additions, removals] :
       {std::pair(12, 0), {50, 0}, {9, 9}, {14, 0}, {60, 0}, {5, 12}, {20, 4}}) {
    batches.push_back(
        random.Changes(static_cast<uint64_t>(additions), static_cast<uint64_t>(removals)));
  }
  return batches;
}

ModelAnswers After(const std::vector<ModelPostingsChanges>& batches, size_t count) {
  ModelDocuments documents;
  for (size_t i = 0; i < count; ++i) batches[i].MakeTo(documents);
  return AnswersOf(documents, kContent);
}

// Commits the batches one after another, with merges between, as far as it goes. Returns the first
// error.
Status CommitAll(FileSystem& files, const std::vector<ModelPostingsChanges>& batches,
                 size_t& committed) {
  committed = 0;
  std::unique_ptr<PostingsIndexWriter> writer;
  for (const ModelPostingsChanges& batch : batches) {
    if (writer == nullptr) {
      ZHIWEN_ASSIGN_OR_RETURN(writer, PostingsIndexWriter::Open(files, "index", kSmall));
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
void ExpectCommitted(FileSystem& files, const std::vector<ModelPostingsChanges>& batches,
                     size_t committed) {
  const auto reader = PostingsIndex::Open(files, "index");
  ASSERT_TRUE(reader) << reader.error().message;
  const auto answers = AnswersOf(**reader);
  ASSERT_TRUE(answers) << answers.error().message;
  const size_t more = std::min(committed + 1, batches.size());
  const bool has_more = *answers != After(batches, committed);
  ASSERT_TRUE(!has_more || *answers == After(batches, more)) << committed;
  auto writer = PostingsIndexWriter::Open(files, "index", kSmall);
  ASSERT_TRUE(writer) << writer.error().message;
  for (size_t i = has_more ? more : committed; i < batches.size(); ++i) {
    ASSERT_TRUE((*writer)->Commit(batches[i].changes()));
  }
  ASSERT_TRUE((*writer)->MergeAll(NoProgress(), kNeverCancelled));
  ASSERT_TRUE((*writer)->Close());
  EXPECT_EQ(*AnswersOf((*writer)->index()), After(batches, batches.size()));
  writer->reset();  // while one is at work no file is left over
  const auto check = CheckPostingsIndex(files, "index", NoProgress(), kNeverCancelled);
  ASSERT_TRUE(check && check->problems.empty() && check->leftovers.empty());
}

// A single failure, and the end of the process: every later operation fails too.
void FailEverywhere(bool is_lasting) {
  const std::vector<ModelPostingsChanges> batches = SomeBatches();
  size_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    ASSERT_TRUE(PostingsIndex::Create(memory, "index", kOptions));
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

TEST(PostingsIndexFaults, OfAnyOneOperationLoseNothing) { FailEverywhere(false); }
TEST(PostingsIndexFaults, OfAllOperationsFromOneOnLoseNothing) { FailEverywhere(true); }

// The machine stops: what was not synced is lost.
void StopEverywhere(InMemoryFileSystem::LostNames lost) {
  const std::vector<ModelPostingsChanges> batches = SomeBatches();
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    ASSERT_TRUE(PostingsIndex::Create(memory, "index", kOptions));
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

TEST(PostingsIndexFaults, OfTheMachineLoseNothing) {
  StopEverywhere(InMemoryFileSystem::LostNames::kAll);
}
TEST(PostingsIndexFaults, OfTheMachineThatRenamesEarlyLoseNothing) {
  StopEverywhere(InMemoryFileSystem::LostNames::kNew);
}

TEST(PostingsIndexFaults, OfCreateLeaveNothingOrAnIndex) {
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    FaultyFileSystem files(memory, {.at = n, .only = {}, .error = {}, .lasting = true});
    const Status created = PostingsIndex::Create(files, "index", kOptions);
    if (!files.fired()) break;
    EXPECT_FALSE(created) << n;
    EXPECT_TRUE(PostingsIndex::Open(memory, "index") ||
                PostingsIndex::Create(memory, "index", kOptions))
        << n;
  }
}

class DamagedPostingsIndexes : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(PostingsIndex::Create(files_, "index", kOptions));
    auto batches = SomeBatches();
    batches.resize(5, batches[0]);
    auto writer = PostingsIndexWriter::Open(files_, "index", kSmall);
    ASSERT_TRUE(writer);
    for (const ModelPostingsChanges& batch : batches) {
      ASSERT_TRUE((*writer)->Commit(batch.changes()));
    }
    batches.emplace_back(kContent);
    for (uint32_t i = 0; i < 40; i += 3) batches.back().Remove(i);
    ASSERT_TRUE((*writer)->Commit(batches.back().changes()) && (*writer)->Flush(1));
    batches.emplace_back(kContent);
    batches.back().Add(7, {{ModelFeature(3), 4}});
    ASSERT_TRUE((*writer)->Commit(batches.back().changes()) && (*writer)->Close());
    answers_ = After(batches, batches.size());
  }

  // Whether the index with one changed file is refused; if not, it gives its answers.
  bool IsRefused(const std::string& path, const std::string& content) {
    InMemoryFileSystem files;
    files.CopyFrom(files_);
    files.Damage(path, content);
    const auto answers = [&]() -> Result<ModelAnswers> {
      ZHIWEN_ASSIGN_OR_RETURN(const auto index, PostingsIndex::Open(files, "index"));
      return AnswersOf(*index);
    }();
    const auto check = CheckPostingsIndex(files, "index", NoProgress(), kNeverCancelled);
    if (answers) {
      EXPECT_EQ(*answers, answers_) << path;
      return !check || !check->problems.empty();
    }
    EXPECT_NE(answers.error().message.find("index/"), std::string::npos) << answers.error().message;
    EXPECT_TRUE(!check || !check->problems.empty()) << path;
    return true;
  }

  InMemoryFileSystem files_;
  ModelAnswers answers_;
};

TEST_F(DamagedPostingsIndexes, GiveTheRightAnswerOrAnError) {
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

TEST_F(DamagedPostingsIndexes, AreRefusedWithoutAFile) {
  for (const auto& [path, content] : files_.Files()) {
    InMemoryFileSystem files;
    files.CopyFrom(files_);
    ASSERT_TRUE(files.RemoveFile(path));
    const auto index = PostingsIndex::Open(files, "index");
    ASSERT_FALSE(index) << path;
    EXPECT_EQ(index.error().code,
              path == "index/manifest" ? ErrorCode::kNotFound : ErrorCode::kUnreadable);
    // Nor is one of them another.
    files.CopyFrom(files_);
    for (const auto& [other, bytes] : files_.Files()) {
      if (other == path || other.substr(0, 9) != path.substr(0, 9)) continue;
      files.Damage(path, bytes);
      EXPECT_FALSE(PostingsIndex::Open(files, "index")) << path << " as " << other;
      files.CopyFrom(files_);
    }
  }
}

TEST_F(DamagedPostingsIndexes, OfAnotherVersionAreAConflict) {
  for (const auto& [path, content] : files_.Files()) {
    // Of files of sections and blocks behind the kind; of a log behind its magic. The checksums
    // need not hold: another version may have others.
    std::string newer = content;
    newer[path.find("log-") != std::string::npos ? 8 : 24] = 2;
    InMemoryFileSystem files;
    files.CopyFrom(files_);
    files.Damage(path, newer);
    const auto index = PostingsIndex::Open(files, "index");
    ASSERT_FALSE(index) << path;
    EXPECT_EQ(index.error().code, ErrorCode::kConflict) << path << index.error().message;
  }
}

// A manifest that forgot what is deleted: all of its files are sound.
TEST_F(DamagedPostingsIndexes, WithADocumentInTwoSegmentsAreAProblem) {
  const IndexFolder folder(files_, "index", PostingsIndexKind::kName);
  auto manifest = folder.Read();
  ASSERT_TRUE(manifest);
  ASSERT_GT(manifest->segments.size(), 1);
  for (ManifestSegment& segment : manifest->segments) segment.deleted = 0;
  bool is_open = false;
  ASSERT_TRUE(folder.Publish(*manifest, &is_open));
  const auto check = CheckPostingsIndex(files_, "index", NoProgress(), kNeverCancelled);
  ASSERT_TRUE(check);
  ASSERT_EQ(check->problems.size(), 1);
  EXPECT_NE(check->problems[0].find("in another segment"), std::string::npos) << check->problems[0];
}

}  // namespace
}  // namespace zhiwen
