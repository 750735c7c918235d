// Tests segments of documents that are searched together and merged. Deleted documents have no
// effect, except on frequencies.

#include "index/postings/postings_segment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "index/postings/brute_force_overlap.h"
#include "index/postings/merged_postings.h"
#include "index/postings/overlap_test_support.h"
#include "index/postings/postings_parts.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Cancellation kNotCancelled;

std::string FileOf(const SegmentPostings& postings) {
  std::string bytes;
  const auto written = WritePostingsSegment(postings, [&](std::string_view piece) {
    bytes += piece;
    return Status();
  });
  EXPECT_TRUE(written) << written.error().message;
  return bytes;
}

std::unique_ptr<PostingsSegment> OpenBytes(std::string bytes) {
  InMemoryFileSystem files;
  files.Put("segment", std::move(bytes));
  auto segment = PostingsSegment::Open(files, "segment");
  EXPECT_TRUE(segment) << segment.error().message;
  return *std::move(segment);
}

// Documents in several segments and in memory, some of them deleted.
class Parts {
 public:
  // Puts each of `documents` in one of `segments` segments or in memory. With `replaces`, some
  // documents are in several parts with other features, and deleted from all but the last.
  Parts(std::mt19937_64& random, const TestDocuments& documents, PostingsContent content,
        size_t segments, bool replaces)
      : memory(content), live(content) {
    std::vector<MemoryDocuments> filled(segments, MemoryDocuments({.content = content}));
    std::vector<std::vector<uint32_t>> deleted(segments);
    for (const TestDocument& document : documents) {
      const size_t last = random() % (segments + 1);
      for (size_t i = 0; replaces && i < last; ++i) {
        if (random() % 3 > 0) continue;
        filled[i].postings().Insert(document.number,
                                    documents[random() % documents.size()].features);
        deleted[i].push_back(document.number);
      }
      (last < segments ? filled[last].postings() : memory)
          .Insert(document.number, document.features);
      live.Insert(document.number, document.features);
    }
    for (size_t i = 0; i < segments; ++i) {
      segment.push_back(OpenBytes(FileOf(filled[i])));
      bitmaps.emplace_back(segment[i]->rows());
      for (const uint32_t number : deleted[i]) bitmaps[i].Set(**segment[i]->RowOf(number));
    }
  }

  PostingsParts All() const {
    std::vector<PostingsPart> parts;
    for (size_t i = 0; i < segment.size(); ++i) parts.push_back({segment[i].get(), &bitmaps[i]});
    return {std::move(parts), memory};
  }
  std::vector<PostingsMergeInput> Inputs() const {
    std::vector<PostingsMergeInput> inputs;
    for (size_t i = 0; i < segment.size(); ++i) inputs.push_back({segment[i].get(), &bitmaps[i]});
    return inputs;
  }

  std::vector<std::unique_ptr<PostingsSegment>> segment;
  std::vector<RowBitmap> bitmaps;
  MemoryPostings memory;
  BruteForceOverlap live;
};

void ExpectTheLiveOnes(const Parts& parts, const TestDocuments& documents, bool has_deleted,
                       std::mt19937_64& random) {
  const PostingsParts index = parts.All();
  EXPECT_EQ(index.statistics().documents, parts.live.statistics().documents);
  const OverlapOptions bounded[] = {{.count = 3, .max_frequency = 20},
                                    {.count = 5, .max_postings = 90}};
  for (int i = 0; i < 8; ++i) {
    const std::vector<uint64_t> query = QueryFrom(random, documents);
    for (const size_t count : {1, 7, 100000}) {
      EXPECT_EQ(*index.Query(query, {.count = count}), *parts.live.Query(query, {.count = count}));
    }
    for (const OverlapOptions& options : bounded) {
      if (has_deleted) break;  // frequencies differ
      EXPECT_EQ(*index.Query(query, options), *parts.live.Query(query, options));
    }
    for (const uint64_t feature : query) {
      std::vector<uint32_t> found = {7}, expected = {7};
      ASSERT_TRUE(index.FindDocuments(feature, found));
      ASSERT_TRUE(parts.live.FindDocuments(feature, expected));
      ASSERT_EQ(found, expected);
      const uint32_t document = documents[random() % documents.size()].number;
      found.clear();
      expected.clear();
      ASSERT_TRUE(index.FindPositions(feature, document, found));
      ASSERT_TRUE(parts.live.FindPositions(feature, document, expected));
      ASSERT_EQ(found, expected);
    }
  }
}

class PostingsSegments : public testing::TestWithParam<PostingsContent> {};

INSTANTIATE_TEST_SUITE_P(All, PostingsSegments,
                         testing::Values(PostingsContent::kDocuments, PostingsContent::kPositions));

TEST_P(PostingsSegments, AreSearchedAsOneIndex) {
  std::mt19937_64 random(5);
  for (const bool replaces : {false, true}) {
    for (const size_t count : {1, 30, 300}) {
      for (const uint64_t end : {2 * count + 1, kAllNumbers}) {
        const TestDocuments documents = SkewedDocuments(random, count, end);
        const Parts parts(random, documents, GetParam(), random() % 5, replaces);
        ExpectTheLiveOnes(parts, documents, replaces, random);
      }
    }
  }
}

TEST_P(PostingsSegments, AreMergedToTheFileOfTheirLiveDocuments) {
  std::mt19937_64 random(6);
  for (const size_t count : {1, 30, 700}) {
    for (const size_t segments : {1, 2, 5}) {
      const TestDocuments documents = SkewedDocuments(random, count, kAllNumbers);
      const Parts parts(random, documents, GetParam(), segments, true);
      MemoryDocuments live({.content = GetParam()});
      for (const TestDocument& document : documents) {
        if (!parts.memory.Has(document.number))
          live.postings().Insert(document.number, document.features);
      }
      const auto merged = MergedPostings::Create(parts.Inputs(), NoProgress(), kNotCancelled);
      ASSERT_TRUE(merged) << merged.error().message;
      const std::string bytes = FileOf(**merged);
      ASSERT_EQ(bytes, FileOf(live));
      const Status checked = OpenBytes(bytes)->CheckAll(kNotCancelled);
      EXPECT_TRUE(checked) << checked.error().message;
    }
  }
}

// Deleted documents affect a bound of frequencies until they are merged away.
TEST(PostingsParts, CountDeletedDocumentsInFrequencies) {
  MemoryDocuments memory({});
  MemoryPostings later(PostingsContent::kDocuments);
  for (uint32_t i = 0; i < 3; ++i)
    memory.postings().Insert(i, std::vector<FeatureAt>{{1}, {10 + i}});
  later.Insert(9, std::vector<FeatureAt>{{1}});
  const auto segment = OpenBytes(FileOf(memory));
  RowBitmap deleted(3);
  deleted.Set(1);
  const PostingsParts parts({{segment.get(), &deleted}}, later);
  const std::vector<uint64_t> query = {1, 11, 12};
  // Feature 1 has 3 documents, but a frequency of 4; feature 11 has no documents.
  EXPECT_EQ(*parts.Query(query, {.max_frequency = 3}), (OverlapAnswer{{{2, 1}}, 3, 1, 0}));
  EXPECT_EQ(*parts.Query(query, {}), (OverlapAnswer{{{2, 2}, {0, 1}, {9, 1}}, 3, 0, 0}));
  EXPECT_EQ(parts.statistics().documents, 3);
  EXPECT_EQ(parts.statistics().postings, 7);
  std::vector<uint32_t> found;
  EXPECT_TRUE(parts.FindDocuments(11, found));
  EXPECT_TRUE(parts.FindDocuments(1, found));
  EXPECT_THAT(found, ElementsAre(0, 2, 9));
}

TEST(MergedPostings, RefuseADocumentThatIsInTwo) {
  MemoryDocuments memory({});
  memory.postings().Insert(4, std::vector<FeatureAt>{{1}});
  const auto segment = OpenBytes(FileOf(memory));
  const RowBitmap none(1);
  const auto merged = MergedPostings::Create({{segment.get(), &none}, {segment.get(), &none}},
                                             NoProgress(), kNotCancelled);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(merged.error().message, HasSubstr("in another segment"));
}

}  // namespace
}  // namespace zhiwen
