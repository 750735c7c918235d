#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "index/durable/index_folder.h"
#include "index/durable/segmented_faults_test_support.h"
#include "index/postings/postings_index_test_support.h"
#include "index/postings/postings_kind.h"
#include "index/postings/postings_state.h"

namespace zhiwen {
namespace {

// The batches affect the log, segments, and deleted documents of both.
struct PostingsFaults {
  using Index = PostingsIndex;
  using Writer = PostingsIndexWriter;
  using Kind = PostingsIndexKind;
  using Content = ModelAnswers;

  static constexpr PostingsContent kContent = PostingsContent::kPositions;
  static constexpr PostingsWriterOptions kSmall = {.log_bytes = 1500};

  static const std::vector<ModelPostingsChanges>& Batches() {
    static const std::vector<ModelPostingsChanges> batches = [] {
      ModelPostingsRandom random(3, kContent);
      std::vector<ModelPostingsChanges> made;
      for (const auto& [additions, removals] : std::array<std::pair<uint64_t, uint64_t>, 7>{
               {{12, 0}, {50, 0}, {9, 9}, {14, 0}, {60, 0}, {5, 12}, {20, 4}}}) {
        made.push_back(random.Changes(additions, removals));
      }
      made.resize(kAddingBatch + 1, ModelPostingsChanges(kContent));
      for (uint32_t i = 0; i < 40; i += 3) made[kDeletingBatch].Remove(i);
      made[kAddingBatch].Add(7, {{ModelFeature(3), 4}});
      return made;
    }();
    return batches;
  }

  static Status Create(FileSystem& files) {
    return PostingsIndex::Create(files, "index", {.content = kContent});
  }
  static Status Commit(Writer& writer, size_t batch) {
    return writer.Commit(Batches()[batch].changes());
  }
  static Content ContentOf(std::span<const size_t> batches) {
    ModelDocuments documents;
    for (const size_t batch : batches) Batches()[batch].MakeTo(documents);
    return AnswersOf(documents, kContent);
  }
  static Result<Content> ContentOf(const Index& index) { return AnswersOf(index); }
  static auto Check(FileSystem& files) {
    return CheckPostingsIndex(files, "index", NoProgress(), Cancellation());
  }
  static std::string Record(const PostingsState& /*state*/, uint64_t document) {
    PostingsChanges changes(kContent);
    const std::vector<FeatureAt> features = {{ModelFeature(document), 1}};
    changes.Add(static_cast<uint32_t>(document), features);
    return std::string(changes.bytes());
  }
  static uint64_t CountOf(const Index& index) { return index.statistics().documents; }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Postings, SegmentedFaults, PostingsFaults);
INSTANTIATE_TYPED_TEST_SUITE_P(Postings, DamagedSegmented, PostingsFaults);

// The manifest lacks the deleted documents, while all of its files are sound.
TEST(DamagedPostings, WithADocumentInTwoSegmentsIsNoticed) {
  InMemoryFileSystem files;
  ASSERT_TRUE(PostingsFaults::Create(files));
  {
    const auto writer = PostingsIndexWriter::Open(files, "index", PostingsFaults::kSmall);
    ASSERT_TRUE(writer);
    for (const size_t batch : {0, 1, 4}) {
      ASSERT_TRUE(PostingsFaults::Commit(**writer, batch) && (*writer)->Flush(0));
    }
  }
  const IndexFolder folder(files, "index", PostingsIndexKind::kName);
  auto manifest = folder.Read();
  ASSERT_TRUE(manifest);
  ASSERT_GT(manifest->segments.size(), 1);
  for (ManifestSegment& segment : manifest->segments) segment.deleted = 0;
  bool is_open = false;
  ASSERT_TRUE(folder.Publish(*manifest, &is_open));
  const auto check = PostingsFaults::Check(files);
  ASSERT_TRUE(check);
  ASSERT_EQ(check->problems.size(), 1);
  EXPECT_NE(check->problems[0].find("in another segment"), std::string::npos) << check->problems[0];
}

}  // namespace
}  // namespace zhiwen
