// An index answers as the definition does for the same documents, whether they are in the log, in
// segments, or in merged segments.

#include "index/minhash/minhash_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "index/minhash/minhash_index_test_support.h"
#include "support/in_memory_file_system.h"
#include "support/paths.h"

namespace zhiwen {
namespace {

constexpr size_t kValues = kModelOptions.signature_size;
constexpr MinHashWriterOptions kSmall = {.log_bytes = 1500};
const Cancellation kNeverCancelled;

std::unique_ptr<MinHashIndexWriter> OpenWriter(FileSystem& files,
                                               const MinHashWriterOptions& options = kSmall) {
  auto writer = MinHashIndexWriter::Open(files, "index", options);
  EXPECT_TRUE(writer) << writer.error().message;
  return std::move(*writer);
}

// Checks that the index answers as the definition does, and finds as many documents at the
// threshold as it expects.
void ExpectDocuments(const MinHashIndex& index, const ModelDocuments& documents,
                     ModelMinHash& random) {
  std::vector<uint32_t> values;
  for (int i = 0; i < 90; ++i) {  // more than are looked up together
    const ModelSignature signature = random.Signature();
    values.insert(values.end(), signature.begin(), signature.end());
  }
  const SignatureRows queries(values, kValues);
  const auto content = ContentOf(index, queries);
  ASSERT_TRUE(content) << content.error().message;
  ASSERT_EQ(*content, ContentOf(documents, queries));
  const SimilarityOf similarity_of = SimilarityIn(documents, queries);
  const auto found = index.QueryVerified(queries, similarity_of);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_FALSE(found->are_estimates);
  EXPECT_TRUE(found->truncated.empty());
  const auto candidates =
      ModelCandidates(documents, queries, index.plan(), index.plan().least_equal());
  SimilarityAnswer same;
  for (const auto& [query, equal, document] : candidates) {
    const double similarity = ModelSimilarity(documents.at(document), queries[query]);
    if (similarity < kModelOptions.threshold) continue;
    same.documents.push_back({query, document, similarity});
  }
  SortDocuments(same);
  EXPECT_EQ(found->documents, same.documents);
  EXPECT_EQ(found->asked, candidates.size());
  double expected = 0, count = 0;  // over all documents that reach the threshold
  for (uint32_t query = 0; query < queries.size(); ++query) {
    for (const auto& [document, signature] : documents) {
      const double similarity = ModelSimilarity(signature, queries[query]);
      if (similarity < kModelOptions.threshold) continue;
      expected += index.ExpectedRecall(similarity);
      ++count;
    }
  }
  EXPECT_GE(static_cast<double>(found->documents.size()), expected - 4 * std::sqrt(count + 1));
}

class MinHashIndexes : public testing::TestWithParam<Durability> {};

TEST_P(MinHashIndexes, AreTheDocumentsThatTheirChangesMake) {
  ModelMinHash random(1);
  InMemoryFileSystem files;
  ASSERT_TRUE(MinHashIndex::Create(files, "index", kModelOptions));
  MinHashWriterOptions options = kSmall;
  options.durability = GetParam();
  auto writer = OpenWriter(files, options);
  ModelDocuments documents;
  std::vector<ModelBatch> since_flush;  // changes that the owner would commit again
  uint64_t committed = 0;
  const bool has_own_log = GetParam() == Durability::kOwnLog;
  for (int step = 0; step < 60; ++step) {
    const uint64_t kind = random.Below(10);
    if (kind < 7) {
      since_flush.push_back(kind < 6 ? random.Batch(random.Below(25), random.Below(8))
                                     : random.Batch(70, 0));
      ASSERT_TRUE(writer->Commit(since_flush.back().Changes(writer->index().plan())));
      since_flush.back().MakeTo(documents);
      ++committed;
    } else if (kind == 7) {
      ASSERT_TRUE(writer->MergeOnce(NoProgress(), kNeverCancelled));
    } else if (kind == 8) {
      ASSERT_TRUE(writer->Flush(committed));
      since_flush.clear();
    } else {  // destroys the writer without Close, as a crash does
      writer.reset();
      writer = OpenWriter(files, options);
      if (!has_own_log) {
        ASSERT_EQ(writer->index().stats().sequence, committed - since_flush.size());
        for (const auto& batch : since_flush) {
          ASSERT_TRUE(writer->Commit(batch.Changes(writer->index().plan())));
        }
      }
    }
    ASSERT_NO_FATAL_FAILURE(ExpectDocuments(writer->index(), documents, random)) << step;
    ASSERT_EQ(writer->index().stats().documents(), documents.size());
    if (!has_own_log) continue;
    const auto reader = MinHashIndex::Open(files, "index");
    ASSERT_TRUE(reader) << reader.error().message;
    ASSERT_NO_FATAL_FAILURE(ExpectDocuments(**reader, documents, random)) << step;
  }
  ASSERT_TRUE(writer->MergeAll(NoProgress(), kNeverCancelled));
  ExpectDocuments(writer->index(), documents, random);
  EXPECT_EQ(writer->index().stats().segments.size(), 1);
  ASSERT_TRUE(writer->Close());
  writer = nullptr;  // while a writer is open no file is a leftover
  const auto check = CheckMinHashIndex(files, "index", NoProgress(), kNeverCancelled);
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->problems.empty()) << check->problems.front();
  EXPECT_TRUE(check->leftovers.empty()) << check->leftovers.front();
}

INSTANTIATE_TEST_SUITE_P(All, MinHashIndexes,
                         testing::Values(Durability::kOwnLog, Durability::kReplayedByOwner),
                         [](const auto& durability) {
                           return durability.param == Durability::kOwnLog ? "OwnLog" : "Replayed";
                         });

class MinHashDocuments : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(MinHashIndex::Create(files_, "index", kModelOptions));
    writer_ = OpenWriter(files_);
  }
  void Commit(const ModelBatch& batch) {
    const Status committed = writer_->Commit(batch.Changes(writer_->index().plan()));
    ASSERT_TRUE(committed) << committed.error().message;
    batch.MakeTo(documents_);
  }

  InMemoryFileSystem files_;
  std::unique_ptr<MinHashIndexWriter> writer_;
  ModelDocuments documents_;
  ModelMinHash random_{5};
};

TEST_F(MinHashDocuments, StayAsTheyWereForWhoOpenedBefore) {
  Commit(random_.Batch(100, 0));
  const ModelDocuments before = documents_;
  const auto reader = MinHashIndex::Open(files_, "index");
  ASSERT_TRUE(reader);
  Commit(random_.Batch(100, 30));
  ASSERT_TRUE(writer_->MergeAll(NoProgress(), kNeverCancelled));
  ExpectDocuments(**reader, before, random_);
  ExpectDocuments(writer_->index(), documents_, random_);
}

TEST_F(MinHashDocuments, AreContained) {
  Commit(random_.Batch(60, 0));
  Commit(random_.Batch(20, 30));
  for (uint64_t i = 0; i < 120; ++i) {
    const uint64_t document = i * 0x9E3779B97F4A7C15;
    EXPECT_EQ(writer_->index().Contains(document), documents_.contains(document));
  }
}

TEST(MinHashBuckets, CountInEachSegmentAndTheLog) {
  InMemoryFileSystem files;
  MinHashIndexOptions few = kModelOptions;
  few.bucket_limit = 3;
  ASSERT_TRUE(MinHashIndex::Create(files, "index", few));
  auto writer = OpenWriter(files, {});
  const ModelSignature signature = [] {
    ModelMinHash random(9);
    ModelSignature some = random.Signature();
    while (some[0] == UINT32_MAX) some = random.Signature();
    return some;
  }();
  const auto add = [&](uint64_t begin, uint64_t end) {
    MinHashChanges changes(writer->index().plan());
    for (uint64_t document = begin; document < end; ++document) changes.Add(document, signature);
    ASSERT_TRUE(writer->Commit(changes));
  };
  const auto found = [&] { return *writer->index().QueryEstimates({signature, kValues}); };
  add(0, 3);
  ASSERT_TRUE(writer->Flush(1));
  add(3, 6);
  ASSERT_TRUE(writer->Flush(2));
  add(6, 9);
  EXPECT_EQ(found().documents.size(), 9);
  EXPECT_TRUE(found().truncated.empty());
  // One too many in the log: three are examined in each band, not always the same ones.
  add(9, 10);
  EXPECT_GE(found().documents.size(), 9);
  const std::vector<TruncatedQuery> all_bands = {{0, writer->index().plan().bands().bands}};
  EXPECT_EQ(found().truncated, all_bands);
  ASSERT_TRUE(writer->Flush(3));
  MinHashChanges changes(writer->index().plan());
  changes.Remove(8);
  ASSERT_TRUE(writer->Commit(changes));  // the deleted document counts until segments are merged
  EXPECT_EQ(found().truncated, all_bands);
  for (uint64_t document = 3; document < 10; ++document) changes.Remove(document);
  ASSERT_TRUE(writer->Commit(changes));
  ASSERT_TRUE(writer->MergeAll(NoProgress(), kNeverCancelled));
  EXPECT_EQ(found().documents.size(), 3);
  EXPECT_TRUE(found().truncated.empty());
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

TEST(MinHashMerges, LeaveOutWhatIsRemovedOrReplacedMeanwhile) {
  for (const bool flushes_too : {false, true}) {
    CallingFileSystem files;
    ASSERT_TRUE(MinHashIndex::Create(files, "index", kModelOptions));
    auto writer = OpenWriter(files);
    ModelMinHash random(8, 400);
    ModelDocuments documents;
    const auto commit = [&](const ModelBatch& batch) {
      ASSERT_TRUE(writer->Commit(batch.Changes(writer->index().plan())));
      batch.MakeTo(documents);
    };
    for (int i = 0; i < 4; ++i) commit(random.Batch(70, 0));
    ModelBatch changed;
    for (auto at = documents.begin(); std::distance(documents.begin(), at) < 60; ++at) {
      if (random.Below(2) == 0) {
        changed.Remove(at->first);
      } else {
        changed.Add(at->first, random.Signature());
      }
    }
    files.part = "segment-";
    files.once = [&] {
      commit(changed);
      ASSERT_TRUE(!flushes_too || writer->Flush(0));
    };
    ASSERT_TRUE(*writer->MergeOnce(NoProgress(), kNeverCancelled));
    ASSERT_EQ(files.once, nullptr);
    ExpectDocuments(writer->index(), documents, random);
    ExpectDocuments(**MinHashIndex::Open(files, "index"), documents, random);
    writer.reset();  // as a crash does
    writer = OpenWriter(files);
    ASSERT_TRUE(writer->MergeAll(NoProgress(), kNeverCancelled));
    ExpectDocuments(writer->index(), documents, random);
  }
}

TEST_F(MinHashDocuments, OfSeveralThreadsAreAllThere) {
  const ModelSignature signature = random_.Signature();
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint64_t i = 0; i < 20; ++i) {
        MinHashChanges changes(writer_->index().plan());
        changes.Add(thread << 32 | i, signature);
        EXPECT_TRUE(writer_->Commit(changes));
        EXPECT_TRUE(thread != 0 || writer_->MergeOnce(NoProgress(), kNeverCancelled));
        EXPECT_TRUE(writer_->index().QueryEstimates({signature, kValues}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(writer_->index().stats().documents(), 80);
  EXPECT_EQ((*MinHashIndex::Open(files_, "index"))->stats().documents(), 80);
}

TEST_F(MinHashDocuments, HaveOneWriter) {
  const auto second = MinHashIndexWriter::Open(files_, "index", {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  writer_.reset();
  EXPECT_TRUE(MinHashIndexWriter::Open(files_, "index", {}));
}

TEST_F(MinHashDocuments, OfAnotherFormAreRefused) {
  MinHashChanges changes(*MinHashPlan::Create({}));
  changes.Add(1, ModelSignature(128, 7));
  EXPECT_EQ(writer_->Commit(changes).error().code, ErrorCode::kInvalidArgument);
  const ModelSignature longer(128, 7);
  const auto answer = writer_->index().QueryEstimates({longer, longer.size()});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kInvalidArgument);
  const auto create = [&](const MinHashIndexOptions& options) {
    return MinHashIndex::Create(files_, "other", options);
  };
  EXPECT_EQ(create({.recall = 1}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(create({.threshold = 0.05, .signature_size = 4096, .band_values = 4096}).error().code,
            ErrorCode::kInvalidArgument);  // too many bands
  EXPECT_EQ(create({.signature_size = 1U << 17}).error().code, ErrorCode::kInvalidArgument);
}

TEST(MinHashFolders, SayWhatIsWrongWithThem) {
  InMemoryFileSystem files;
  EXPECT_EQ(MinHashIndex::Open(files, "index").error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(MinHashIndex::Create(files, "index", {}));
  EXPECT_EQ(MinHashIndex::Create(files, "index", {}).error().code, ErrorCode::kConflict);
  const auto index = MinHashIndex::Open(files, "index");
  ASSERT_TRUE(index);
  EXPECT_EQ((*index)->plan().bands(), MinHashPlan::Create({})->bands());
  EXPECT_DOUBLE_EQ((*index)->ExpectedRecall(0.8), MinHashPlan::Create({})->ExpectedRecall(0.8, 0));
}

// The sketches of docs/formats/minhash_index.md.
TEST(MinHashSketches, AreThoseOfTheFormat) {
  const auto plan = MinHashPlan::Restore(
      {.signature_size = 64, .band_values = 8, .estimates = {64}}, {.bands = 3, .rows = 2});
  ASSERT_TRUE(plan);
  ModelSignature signature(64);
  for (uint32_t i = 0; i < 64; ++i) signature[i] = i * 0x9E3779B9;
  Sketch sketch(SketchForm::Of(*plan));
  sketch.Compute(*plan, signature);
  EXPECT_EQ(sketch.keys, (std::vector<uint32_t>{0x023FBB66, 0x4B4338BD, 0x469A66B2}));
  EXPECT_EQ(sketch.bits, (std::vector<uint64_t>{0x451ACF43A4F94942, 0x4B5628E829B303F0}));
  std::fill(signature.begin(), signature.begin() + 2, UINT32_MAX);
  sketch.Compute(*plan, signature);
  EXPECT_EQ(sketch.keys, (std::vector<uint32_t>{kNoSketchKey, 0x4B4338BD, 0x469A66B2}));
}

// Files of version 1 stay readable, and the same changes write the same bytes today.
TEST(MinHashFolders, OfVersion1StayReadable) {
  const std::string frozen = SourceFolder() + "/src/index/minhash/testdata/minhash_index.v1";
  const MinHashIndexOptions options = {.threshold = 0.8,
                                       .recall = 0.9,
                                       .signature_size = 64,
                                       .band_values = 8,
                                       .estimates = {.values = 64, .bits = 2},
                                       .bucket_limit = 50};
  ModelSignature a(64), b(64);
  for (uint32_t i = 0; i < 64; ++i) {
    a[i] = i * 0x9E3779B9;
    b[i] = i < 56 ? a[i] : i;
  }
  InMemoryFileSystem files;
  ASSERT_TRUE(MinHashIndex::Create(files, "index", options));
  auto writer = OpenWriter(files, {});
  MinHashChanges changes(writer->index().plan());
  changes.Add(7, a);
  changes.Add(0xfedcba9876543210, b);
  changes.Add(8, ModelSignature(64, UINT32_MAX));
  changes.Add(3, a);
  ASSERT_TRUE(writer->Commit(changes) && writer->Flush(1));
  changes.Clear();
  changes.Remove(7);
  ASSERT_TRUE(writer->Commit(changes) && writer->Flush(2));
  changes.Clear();
  changes.Add(3, b);  // in the log
  ASSERT_TRUE(writer->Commit(changes) && writer->Close());
  writer.reset();
  for (const auto& [path, content] : files.Files()) {
    const auto bytes = ReadWholeFile(PosixFileSystem(), frozen + path.substr(5), 1 << 20);
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_EQ(*bytes, content) << path;
  }
  const auto index = MinHashIndex::Open(PosixFileSystem(), frozen);
  ASSERT_TRUE(index) << index.error().message;
  const auto content = ContentOf(**index, {b, 64});
  ASSERT_TRUE(content);
  EXPECT_EQ(content->documents, (std::vector<uint64_t>{3, 8, 0xfedcba9876543210}));
  EXPECT_EQ(content->estimates,
            (std::vector<SimilarDocument>{{0, 3, 1.0}, {0, 0xfedcba9876543210, 1.0}}));
}

}  // namespace
}  // namespace zhiwen
