// Tests that an index has exactly the documents that its changes make, whether they are in the log,
// in segments or in merged segments.

#include "index/postings/postings_index.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "index/postings/postings_index_test_support.h"
#include "support/in_memory_file_system.h"
#include "support/paths.h"

namespace zhiwen {
namespace {

using enum PostingsContent;

constexpr PostingsWriterOptions kSmall = {.log_bytes = 1500};
const Cancellation kNeverCancelled;

std::unique_ptr<PostingsIndexWriter> OpenWriter(FileSystem& files,
                                                const PostingsWriterOptions& options = kSmall) {
  auto writer = PostingsIndexWriter::Open(files, "index", options);
  EXPECT_TRUE(writer) << writer.error().message;
  return std::move(*writer);
}

void ExpectDocuments(const PostingsIndex& index, const ModelDocuments& documents,
                     ModelPostingsRandom& random) {
  const auto answers = AnswersOf(index);
  ASSERT_TRUE(answers) << answers.error().message;
  ASSERT_EQ(*answers, AnswersOf(documents, index.content()));
  ASSERT_EQ(index.stats().documents(), documents.size());
  const BruteForceOverlap expected = BruteForceOf(documents, index.content());
  for (const size_t count : {1, 4, 1000}) {
    const std::vector<uint64_t> query = random.Query();
    ASSERT_EQ(*index.Query(query, {.count = count}), *expected.Query(query, {.count = count}));
    const std::span<const uint64_t> part = std::span(query).subspan(query.size() / 3);
    const OverlapOptions rare = {.count = count, .max_frequency = 3};
    const auto of_part = *index.Query(part, rare);
    const auto lists = *index.LookUp(query);
    ASSERT_EQ(*lists->Query(query, {.count = count}), *expected.Query(query, {.count = count}));
    ASSERT_EQ(*lists->Query(part, rare), of_part);
  }
}

void ExpectSound(FileSystem& files) {
  const auto check = CheckPostingsIndex(files, "index", NoProgress(), kNeverCancelled);
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->problems.empty()) << check->problems.front();
  EXPECT_TRUE(check->leftovers.empty()) << check->leftovers.front();
}

struct Form {
  PostingsIndexOptions index;
  Durability durability;
};

class PostingsIndexes : public testing::TestWithParam<Form> {};

TEST_P(PostingsIndexes, AreTheDocumentsThatTheirChangesMake) {
  const auto& [index, durability] = GetParam();
  ModelPostingsRandom random(11, index);
  InMemoryFileSystem files;
  ASSERT_TRUE(PostingsIndex::Create(files, "index", index));
  PostingsWriterOptions options = kSmall;
  options.durability = durability;
  auto writer = OpenWriter(files, options);
  ModelDocuments documents;
  std::vector<ModelPostingsChanges> since_flush;  // changes that the owner would commit again
  uint64_t committed = 0;
  const bool has_own_log = durability == Durability::kOwnLog;
  for (int step = 0; step < 80; ++step) {
    const uint64_t kind = random.Below(10);
    if (kind < 6) {
      since_flush.push_back(random.Changes(random.Below(20), random.Below(8)));
      ASSERT_TRUE(writer->Commit(since_flush.back().changes()));
      since_flush.back().MakeTo(documents);
      ++committed;
    } else if (kind == 6) {
      ASSERT_TRUE(writer->MergeOnce(NoProgress(), kNeverCancelled));
    } else if (kind == 7) {
      ASSERT_TRUE(writer->Flush(committed));
      since_flush.clear();
    } else {  // destroys the writer without Close, as a crash does
      writer.reset();
      writer = OpenWriter(files, options);
      if (!has_own_log) {
        ASSERT_EQ(writer->index().stats().sequence, committed - since_flush.size());
        for (const auto& changes : since_flush) ASSERT_TRUE(writer->Commit(changes.changes()));
      }
    }
    ASSERT_NO_FATAL_FAILURE(ExpectDocuments(writer->index(), documents, random)) << step;
    if (!has_own_log) continue;
    const auto reader = PostingsIndex::Open(files, "index");
    ASSERT_TRUE(reader) << reader.error().message;
    ASSERT_NO_FATAL_FAILURE(ExpectDocuments(**reader, documents, random)) << step;
  }
  ASSERT_TRUE(writer->MergeAll(NoProgress(), kNeverCancelled));
  ExpectDocuments(writer->index(), documents, random);
  // A merged index equals an index of its live documents.
  EXPECT_EQ(writer->index().stats().segments.size(), 1);
  EXPECT_EQ(writer->index().statistics(), BruteForceOf(documents, index.content).statistics());
  ASSERT_TRUE(writer->Close());
  writer = nullptr;  // while a writer is open no file is a leftover
  ExpectSound(files);
}

INSTANTIATE_TEST_SUITE_P(
    All, PostingsIndexes,
    testing::Values(Form{{kDocuments}, Durability::kOwnLog},
                    Form{{kDocuments, FeatureKeys::kShort}, Durability::kReplayedByOwner},
                    Form{{kPositions}, Durability::kOwnLog},
                    Form{{kPositions, FeatureKeys::kShort}, Durability::kOwnLog},
                    Form{{kPositions}, Durability::kReplayedByOwner}),
    [](const auto& form) {
      return std::string(form.param.index.content == kPositions ? "Positions" : "Documents") +
             (form.param.index.keys == FeatureKeys::kShort ? "Short" : "") +
             (form.param.durability == Durability::kOwnLog ? "" : "Replayed");
    });

class PostingsIndexDocuments : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(PostingsIndex::Create(files_, "index", {.content = kPositions}));
    writer_ = OpenWriter(files_);
  }
  void Commit(const ModelPostingsChanges& changes) {
    const Status committed = writer_->Commit(changes.changes());
    ASSERT_TRUE(committed) << committed.error().message;
    changes.MakeTo(documents_);
  }

  InMemoryFileSystem files_;
  std::unique_ptr<PostingsIndexWriter> writer_;
  ModelDocuments documents_;
  ModelPostingsRandom random_{5, kPositions};
};

TEST_F(PostingsIndexDocuments, StayAsTheyWereForWhoOpenedBefore) {
  Commit(random_.Changes(60, 0));
  const ModelDocuments before = documents_;
  const auto reader = PostingsIndex::Open(files_, "index");
  ASSERT_TRUE(reader);
  Commit(random_.Changes(60, 30));
  ASSERT_TRUE(writer_->MergeAll(NoProgress(), kNeverCancelled));
  ExpectDocuments(**reader, before, random_);
  ExpectDocuments(writer_->index(), documents_, random_);
}

TEST_F(PostingsIndexDocuments, CountInFrequenciesUntilTheyAreMergedAway) {
  ModelPostingsChanges changes(kPositions), removal(kPositions);
  for (uint32_t i = 0; i < 4; ++i) changes.Add(i, {{ModelFeature(1), i}});
  removal.Remove(2);
  Commit(changes);
  ASSERT_TRUE(writer_->Flush(0));
  Commit(removal);
  const std::vector<uint64_t> query = {ModelFeature(1)};
  EXPECT_EQ(writer_->index().Query(query, {.max_frequency = 3})->cut, 1);
  EXPECT_EQ(writer_->index().Query(query, {})->matches.size(), 3);
  ASSERT_TRUE(writer_->MergeAll(NoProgress(), kNeverCancelled));
  EXPECT_EQ(writer_->index().Query(query, {.max_frequency = 3})->cut, 0);
  EXPECT_EQ(writer_->index().statistics().postings, 3);
}

TEST_F(PostingsIndexDocuments, OfWhichAllAreRemovedLeaveNoSegment) {
  Commit(random_.Changes(60, 0));
  ASSERT_TRUE(writer_->Flush(0));
  ModelPostingsChanges removals(kPositions);
  for (const auto& [document, features] : documents_) removals.Remove(document);
  Commit(removals);
  ASSERT_TRUE(writer_->MergeAll(NoProgress(), kNeverCancelled));
  EXPECT_EQ(writer_->index().stats().segments.size(), 0);
  EXPECT_EQ(writer_->index().statistics(), PostingsStatistics());
}

// Calls `once` when a file whose name contains `part` is made.
class CallingFileSystem final : public InMemoryFileSystem {
 public:
  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path) override {
    if (once && path.find(part) != std::string::npos) std::exchange(once, nullptr)();
    return InMemoryFileSystem::OpenForWrite(path);
  }
  std::string part;
  std::function<void()> once;
};

TEST(PostingsIndexMerges, LeaveOutWhatIsReplacedMeanwhile) {
  for (const auto& [durability, flushes_too] : {std::pair(Durability::kOwnLog, false),
                                                {Durability::kOwnLog, true},
                                                {Durability::kReplayedByOwner, false},
                                                {Durability::kReplayedByOwner, true}}) {
    CallingFileSystem files;
    ASSERT_TRUE(PostingsIndex::Create(files, "index", {}));
    const PostingsWriterOptions options = {.durability = durability, .log_bytes = 1 << 20};
    auto writer = OpenWriter(files, options);
    ModelPostingsRandom random(8, kDocuments);
    ModelDocuments documents;
    std::vector<ModelPostingsChanges> unflushed;
    const auto commit = [&](const ModelPostingsChanges& changes) {
      ASSERT_TRUE(writer->Commit(changes.changes()));
      changes.MakeTo(documents);
      unflushed.push_back(changes);
    };
    const auto flush = [&] {
      ASSERT_TRUE(writer->Flush(0));
      unflushed.clear();
    };
    for (int i = 0; i < 4; ++i) {
      commit(random.Changes(25, 0));
      flush();
    }
    commit(random.Changes(9, 9));  // deleted when the merge begins, of an owner not for good
    files.part = "segment-";
    files.once = [&] {
      commit(random.Changes(8, 8));
      if (flushes_too) flush();
      commit(random.Changes(2, 2));
    };
    ASSERT_TRUE(*writer->MergeOnce(NoProgress(), kNeverCancelled));
    ASSERT_EQ(files.once, nullptr);
    ExpectDocuments(writer->index(), documents, random);
    writer.reset();  // as a crash does
    writer = OpenWriter(files, options);
    for (size_t i = 0; durability != Durability::kOwnLog && i < unflushed.size(); ++i) {
      ASSERT_TRUE(writer->Commit(unflushed[i].changes()));
    }
    ExpectDocuments(writer->index(), documents, random);
    ASSERT_TRUE(writer->MergeAll(NoProgress(), kNeverCancelled));
    ExpectDocuments(writer->index(), documents, random);
    EXPECT_EQ(writer->index().statistics().documents, documents.size());
  }
}

TEST_F(PostingsIndexDocuments, OfSeveralThreadsAreAllThere) {
  std::vector<std::thread> threads;
  for (uint32_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint32_t i = 0; i < 20; ++i) {
        PostingsChanges changes(kPositions);
        changes.Add(thread << 16 | i, std::vector<FeatureAt>{{ModelFeature(i), thread}});
        EXPECT_TRUE(writer_->Commit(changes));
        EXPECT_TRUE(thread != 0 || writer_->MergeOnce(NoProgress(), kNeverCancelled));
        EXPECT_TRUE(AnswersOf(writer_->index()));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(AnswersOf(writer_->index())->positions.size(), 80);
  EXPECT_EQ(AnswersOf(**PostingsIndex::Open(files_, "index"))->positions.size(), 80);
}

TEST_F(PostingsIndexDocuments, HaveOneWriter) {
  const auto second = PostingsIndexWriter::Open(files_, "index", {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  writer_.reset();
  EXPECT_TRUE(PostingsIndexWriter::Open(files_, "index", {}));
}

TEST_F(PostingsIndexDocuments, OfOtherContentAreRefused) {
  PostingsChanges changes(kDocuments);
  changes.Add(1, {});
  EXPECT_EQ(writer_->Commit(changes).error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(writer_->Commit(PostingsChanges(kPositions)));
}

// Opens files of version 1. Files written now are the same for equal changes.
TEST(PostingsIndexFolders, OfVersion1StayReadable) {
  for (const PostingsContent content : {kDocuments, kPositions}) {
    const std::string frozen = SourceFolder() + "/src/index/postings/testdata/" +
                               (content == kPositions ? "positions" : "documents") + ".v1";
    InMemoryFileSystem files;
    ASSERT_TRUE(PostingsIndex::Create(files, "index", {.content = content}));
    auto writer = OpenWriter(files);
    ModelDocuments documents;
    const auto commit = [&](const ModelPostingsChanges& changes) {
      ASSERT_TRUE(writer->Commit(changes.changes()));
      changes.MakeTo(documents);
    };
    ModelPostingsChanges first(content), second(content), third(content);
    for (uint32_t i = 0; i < 5; ++i) {
      first.Add(i * 1000, {{ModelFeature(i), 3}, {ModelFeature(0), i}, {ModelFeature(0), 200}});
    }
    second.Remove(1000);
    second.Add(2000, {{ModelFeature(7), 0}});
    third.Add(0xFFFFFFFF, {{ModelFeature(0), 5}});
    commit(first);
    ASSERT_TRUE(writer->Flush(1));
    commit(second);
    ASSERT_TRUE(writer->Flush(2));
    commit(third);
    ASSERT_TRUE(writer->Close());
    writer.reset();
    const auto index = PostingsIndex::Open(PosixFileSystem(), frozen);
    ASSERT_TRUE(index) << index.error().message;
    EXPECT_EQ(*AnswersOf(**index), AnswersOf(documents, content));
    for (const auto& [path, bytes] : files.Files()) {
      const auto was = ReadWholeFile(PosixFileSystem(), frozen + path.substr(5), 1 << 20);
      ASSERT_TRUE(was) << was.error().message;
      EXPECT_EQ(*was, bytes) << path;
    }
  }
}

TEST(PostingsIndexFolders, SayWhatIsWrongWithThem) {
  InMemoryFileSystem files;
  EXPECT_EQ(PostingsIndex::Open(files, "index").error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(PostingsIndex::Create(files, "index", {}));
  EXPECT_EQ(PostingsIndex::Create(files, "index", {}).error().code, ErrorCode::kConflict);
}

}  // namespace
}  // namespace zhiwen
