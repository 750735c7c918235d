#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "index/durable/index_folder.h"
#include "index/durable/segmented_faults_test_support.h"
#include "index/minhash/minhash_index_test_support.h"
#include "index/minhash/minhash_state.h"

namespace zhiwen {
namespace {

// The batches of changes affect the log, segments, and deleted rows of segments.
struct MinHashFaults {
  using Index = MinHashIndex;
  using Writer = MinHashIndexWriter;
  using Kind = MinHashKind;
  using Content = MinHashContent;

  static constexpr MinHashWriterOptions kSmall = {.log_bytes = 1000};

  // The batches, and all of their signatures.
  struct Batches {
    std::vector<ModelBatch> batches;
    std::vector<uint32_t> values;

    SignatureRows queries() const { return {values, kModelOptions.signature_size}; }
  };
  static const Batches& All() {
    static const Batches all = [] {
      ModelMinHash random(3, 60);
      Batches made;
      for (const auto& [additions, removals] : std::array<std::pair<uint64_t, uint64_t>, 7>{
               {{10, 0}, {22, 0}, {7, 9}, {14, 0}, {25, 0}, {5, 12}, {10, 4}}}) {
        made.batches.push_back(random.Batch(additions, removals));
        made.batches.back().AppendTo(made.values);
      }
      ModelDocuments documents;
      for (size_t i = 0; i < 5; ++i) made.batches[i].MakeTo(documents);
      made.batches.resize(kAddingBatch + 1);
      made.batches[kDeletingBatch].Remove(documents.begin()->first);
      made.batches[kAddingBatch].Add(7, documents.rbegin()->second);
      return made;
    }();
    return all;
  }

  static Status Create(FileSystem& files) {
    return MinHashIndex::Create(files, "index", kModelOptions);
  }
  static Status Commit(Writer& writer, size_t batch) {
    return writer.Commit(All().batches[batch].Changes(writer.index().plan()));
  }
  static Content ContentOf(std::span<const size_t> batches) {
    ModelDocuments documents;
    for (const size_t batch : batches) All().batches[batch].MakeTo(documents);
    return zhiwen::ContentOf(documents, All().queries());
  }
  static Result<Content> ContentOf(const Index& index) {
    return zhiwen::ContentOf(index, All().queries());
  }
  static auto Check(FileSystem& files) {
    return CheckMinHashIndex(files, "index", NoProgress(), Cancellation());
  }
  static std::string Record(const MinHashState& state, uint64_t document) {
    MinHashChanges changes(state.plan());
    changes.Add(document, ModelMinHash(document).Signature());
    return std::string(changes.bytes());
  }
  static uint64_t CountOf(const Index& index) { return index.stats().documents(); }
};

INSTANTIATE_TYPED_TEST_SUITE_P(MinHash, SegmentedFaults, MinHashFaults);
INSTANTIATE_TYPED_TEST_SUITE_P(MinHash, DamagedSegmented, MinHashFaults);

TEST(DamagedMinHash, WithADocumentTwiceIsNoticed) {
  InMemoryFileSystem files;
  ASSERT_TRUE(MinHashFaults::Create(files));
  {
    const auto writer = MinHashIndexWriter::Open(files, "index", MinHashFaults::kSmall);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(MinHashFaults::Commit(**writer, 0) && (*writer)->Flush(0));
  }
  IndexFolder folder(files, "index", "minhash");
  Manifest manifest = *folder.Read();
  manifest.segments.push_back(manifest.segments.front());
  ManifestSegment& copy = manifest.segments.back();
  copy.number = manifest.next_number++;
  files.Put(folder.SegmentPath(copy.number),
            files.Files().at(folder.SegmentPath(manifest.segments.front().number)));
  bool is_open = false;
  ASSERT_TRUE(folder.Publish(manifest, &is_open));
  const auto check = MinHashFaults::Check(files);
  ASSERT_TRUE(check);
  ASSERT_EQ(check->problems.size(), 1);
  EXPECT_NE(check->problems[0].find("more than once"), std::string::npos) << check->problems[0];
  const auto writer = MinHashIndexWriter::Open(files, "index", MinHashFaults::kSmall);
  ASSERT_TRUE(writer);
  const Status merged = (*writer)->MergeAll(NoProgress(), Cancellation());
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::kUnreadable);
}

}  // namespace
}  // namespace zhiwen
