// Whatever fails, an index has the batches that Commit returned for, whole, and perhaps the one
// that it did not return for; damage is an error that names a file, or changes nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "index/durable/index_folder.h"
#include "index/lsh/durable_minhash_test_support.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

const Cancellation kNeverCancelled;
constexpr DurableMinHashOptions kSmall = {.log_bytes = 1000};

// Batches that meet the log, segments and deleted rows of all; and all of their signatures.
struct Batches {
  std::vector<ModelBatch> batches;
  std::vector<uint32_t> values;

  SignatureRows queries() const { return {values, kModelOptions.signature_size}; }
};

const Batches& SomeBatches() {
  static const Batches some = [] {
    ModelMinHash random(3, 60);
    Batches made;
    for (const auto& [additions, removals] :
         {std::pair(10, 0), {22, 0}, {7, 9}, {14, 0}, {25, 0}, {5, 12}, {10, 4}}) {
      made.batches.push_back(
          random.Batch(static_cast<uint64_t>(additions), static_cast<uint64_t>(removals)));
      made.batches.back().AppendTo(made.values);
    }
    return made;
  }();
  return some;
}

MinHashContent After(size_t count) {
  ModelDocuments documents;
  for (size_t i = 0; i < count; ++i) SomeBatches().batches[i].MakeTo(documents);
  return ContentOf(documents, SomeBatches().queries());
}

const MinHashContent& ContentAfter(size_t count) {
  static const std::vector<MinHashContent> contents = [] {
    std::vector<MinHashContent> all;
    for (size_t i = 0; i <= SomeBatches().batches.size(); ++i) all.push_back(After(i));
    return all;
  }();
  return contents[count];
}

Status Commit(DurableMinHashWriter& writer, size_t batch) {
  return writer.Commit(SomeBatches().batches[batch].Changes(writer.index().plan()));
}

// Commits the batches one after another, with merges between, as far as it goes. Returns the first
// error.
Status CommitAll(FileSystem& files, size_t& committed) {
  committed = 0;
  std::unique_ptr<DurableMinHashWriter> writer;
  while (committed < SomeBatches().batches.size()) {
    if (writer == nullptr) {
      ZHIWEN_ASSIGN_OR_RETURN(writer, DurableMinHashWriter::Open(files, "index", kSmall));
    }
    ZHIWEN_RETURN_IF_ERROR(Commit(*writer, committed));
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
void ExpectCommitted(FileSystem& files, size_t committed) {
  const SignatureRows queries = SomeBatches().queries();
  const size_t all = SomeBatches().batches.size();
  const auto reader = DurableMinHash::Open(files, "index");
  ASSERT_TRUE(reader) << reader.error().message;
  const auto content = ContentOf(**reader, queries);
  ASSERT_TRUE(content) << content.error().message;
  const size_t more = std::min(committed + 1, all);
  const bool has_more = *content != ContentAfter(committed);
  ASSERT_TRUE(!has_more || *content == ContentAfter(more)) << committed;
  auto writer = DurableMinHashWriter::Open(files, "index", kSmall);
  ASSERT_TRUE(writer) << writer.error().message;
  for (size_t i = has_more ? more : committed; i < all; ++i) ASSERT_TRUE(Commit(**writer, i));
  ASSERT_TRUE((*writer)->MergeAll(NoProgress(), kNeverCancelled));
  ASSERT_TRUE((*writer)->Close());
  EXPECT_EQ(*ContentOf((*writer)->index(), queries), ContentAfter(all));
  writer->reset();  // while one is at work no file is left over
  const auto check = CheckDurableMinHash(files, "index", NoProgress(), kNeverCancelled);
  ASSERT_TRUE(check && check->problems.empty() && check->leftovers.empty());
}

// A single failure, and the end of the process: every later operation fails too.
void FailEverywhere(bool is_lasting) {
  size_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    ASSERT_TRUE(DurableMinHash::Create(memory, "index", kModelOptions));
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

TEST(DurableMinHashFaults, OfAnyOneOperationLoseNothing) { FailEverywhere(false); }
TEST(DurableMinHashFaults, OfAllOperationsFromOneOnLoseNothing) { FailEverywhere(true); }

// The machine stops: what was not synced is lost.
void StopEverywhere(InMemoryFileSystem::LostNames lost) {
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    ASSERT_TRUE(DurableMinHash::Create(memory, "index", kModelOptions));
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

TEST(DurableMinHashFaults, OfTheMachineLoseNothing) {
  StopEverywhere(InMemoryFileSystem::LostNames::kAll);
}
TEST(DurableMinHashFaults, OfTheMachineThatRenamesEarlyLoseNothing) {
  StopEverywhere(InMemoryFileSystem::LostNames::kNew);
}

class DamagedDurableMinHashes : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(DurableMinHash::Create(files_, "index", kModelOptions));
    auto writer = DurableMinHashWriter::Open(files_, "index", kSmall);
    ASSERT_TRUE(writer);
    const MinHashPlan& plan = (*writer)->index().plan();
    for (size_t i = 0; i < 5; ++i) {
      ASSERT_TRUE(Commit(**writer, i));
      SomeBatches().batches[i].MakeTo(documents_);
    }
    ASSERT_TRUE((*writer)->Flush(0));
    for (int i = 0; i < 2; ++i) {  // deleted rows, and the log
      ModelBatch last;
      last.Remove(documents_.begin()->first);
      last.Add(7, documents_.begin()->second);
      ASSERT_TRUE((*writer)->Commit(last.Changes(plan)));
      ASSERT_TRUE(i == 1 || (*writer)->Flush(0));
      last.MakeTo(documents_);
    }
    ASSERT_TRUE((*writer)->Close());
    content_ = ContentOf(documents_, SomeBatches().queries());
  }

  // Whether the index with one changed file is refused; if not, it has its documents.
  bool IsRefused(const std::string& path, const std::string& content) {
    InMemoryFileSystem files;
    files.CopyFrom(files_);
    files.Damage(path, content);
    const auto found = [&]() -> Result<MinHashContent> {
      ZHIWEN_ASSIGN_OR_RETURN(const auto index, DurableMinHash::Open(files, "index"));
      return ContentOf(*index, SomeBatches().queries());
    }();
    const auto check = CheckDurableMinHash(files, "index", NoProgress(), kNeverCancelled);
    if (found) {
      EXPECT_EQ(*found, content_) << path;
      return !check || !check->problems.empty();
    }
    EXPECT_NE(found.error().message.find("index/"), std::string::npos) << found.error().message;
    EXPECT_TRUE(!check || !check->problems.empty()) << path;
    return true;
  }

  InMemoryFileSystem files_;
  ModelDocuments documents_;
  MinHashContent content_;
};

TEST_F(DamagedDurableMinHashes, GiveTheRightAnswerOrAnError) {
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

TEST_F(DamagedDurableMinHashes, AreRefusedWithoutAFile) {
  for (const auto& [path, content] : files_.Files()) {
    InMemoryFileSystem files;
    files.CopyFrom(files_);
    ASSERT_TRUE(files.RemoveFile(path));
    const auto index = DurableMinHash::Open(files, "index");
    ASSERT_FALSE(index) << path;
    EXPECT_EQ(index.error().code,
              path == "index/manifest" ? ErrorCode::kNotFound : ErrorCode::kUnreadable);
    // Nor is one of them another.
    files.CopyFrom(files_);
    for (const auto& [other, bytes] : files_.Files()) {
      if (other == path || other.substr(0, 9) != path.substr(0, 9)) continue;
      files.Damage(path, bytes);
      EXPECT_FALSE(DurableMinHash::Open(files, "index")) << path << " as " << other;
      files.CopyFrom(files_);
    }
  }
}

TEST_F(DamagedDurableMinHashes, OfAnotherVersionAreAConflict) {
  for (const auto& [path, content] : files_.Files()) {
    // Of files of sections and blocks behind the kind; of a log behind its magic. The checksums
    // need not hold: another version may have others.
    std::string newer = content;
    newer[path.find("log-") != std::string::npos ? 8 : 24] = 2;
    InMemoryFileSystem files;
    files.CopyFrom(files_);
    files.Damage(path, newer);
    const auto index = DurableMinHash::Open(files, "index");
    ASSERT_FALSE(index) << path;
    EXPECT_EQ(index.error().code, ErrorCode::kConflict) << path << index.error().message;
  }
}

TEST_F(DamagedDurableMinHashes, WithADocumentTwiceAreNoticed) {
  IndexFolder folder(files_, "index", "minhash");
  Manifest manifest = *folder.Read();
  manifest.segments.push_back(manifest.segments.front());
  ManifestSegment& copy = manifest.segments.back();
  copy.number = manifest.next_number++;
  files_.Put(folder.SegmentPath(copy.number),
             files_.Files().at(folder.SegmentPath(manifest.segments.front().number)));
  bool is_open = false;
  ASSERT_TRUE(folder.Publish(manifest, &is_open));
  const auto check = CheckDurableMinHash(files_, "index", NoProgress(), kNeverCancelled);
  ASSERT_TRUE(check);
  ASSERT_EQ(check->problems.size(), 1);
  EXPECT_NE(check->problems[0].find("more than once"), std::string::npos) << check->problems[0];
  const auto writer = DurableMinHashWriter::Open(files_, "index", kSmall);
  ASSERT_TRUE(writer);
  const Status merged = (*writer)->MergeAll(NoProgress(), kNeverCancelled);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::kUnreadable);
}

TEST(DurableMinHashFaults, OfCreateLeaveNothingOrAnIndex) {
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    FaultyFileSystem files(memory, {.at = n, .only = {}, .error = {}, .lasting = true});
    const Status created = DurableMinHash::Create(files, "index", kModelOptions);
    if (!files.fired()) break;
    EXPECT_FALSE(created) << n;
    EXPECT_TRUE(DurableMinHash::Open(memory, "index") ||
                DurableMinHash::Create(memory, "index", kModelOptions))
        << n;
  }
}

}  // namespace
}  // namespace zhiwen
