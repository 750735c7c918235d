// Every index of overlaps returns what brute force returns, and brute force returns what the
// definition says.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "index/postings/brute_force_overlap.h"
#include "index/postings/fingerprint_features.h"
#include "index/postings/memory_postings.h"
#include "index/postings/overlap_test_support.h"
#include "index/postings/postings_index.h"
#include "index/postings/sealed_postings.h"
#include "index/postings/top_overlap.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;

using Document = TestDocument;
using Documents = TestDocuments;

template <typename Index>
Index Filled(const Documents& documents, PostingsContent content) {
  Index index(content);
  for (const Document& document : documents) {
    EXPECT_TRUE(index.Insert(document.number, document.features));
  }
  return index;
}

std::unique_ptr<SealedPostings> Sealed(const PostingsSource& source) {
  std::string bytes;
  const auto written = WritePostings(source, [&](std::string_view piece) {
    bytes += piece;
    return Status();
  });
  EXPECT_TRUE(written) << written.error().message;
  InMemoryFileSystem files;
  files.Put("segment.zw", std::move(bytes));
  auto opened = SealedPostings::Open(files, "segment.zw");
  EXPECT_TRUE(opened) << opened.error().message;
  return *std::move(opened);
}

// How often the memory of an index in a folder becomes a segment.
enum class Flushes : uint8_t { kNever, kSometimes };

std::unique_ptr<PostingsIndexWriter> InFolder(InMemoryFileSystem& files, PostingsContent content) {
  EXPECT_TRUE(PostingsIndex::Create(files, "index", {.content = content}));
  return *PostingsIndexWriter::Open(files, "index", {});
}

void CommitAll(PostingsIndexWriter& writer, const Documents& documents, Flushes flushes) {
  for (size_t i = 0; i < documents.size(); ++i) {
    PostingsChanges changes(writer.index().content());
    changes.Add(documents[i].number, documents[i].features);
    EXPECT_TRUE(writer.Commit(changes));
    if (flushes == Flushes::kSometimes && i % 71 == 40) {
      EXPECT_TRUE(writer.Flush(0));
    }
  }
}

// Makes an index that first has other documents under the same numbers, and more that are removed.
std::unique_ptr<OverlapIndex> Replaced(const Documents& documents, PostingsContent content,
                                       InMemoryFileSystem& files) {
  const auto writer = InFolder(files, content);
  Documents others = documents;
  for (size_t i = 0; i < others.size(); ++i) {
    others[i].features = documents[(i + 1) % documents.size()].features;
  }
  PostingsChanges removals(content);
  for (uint32_t i = 0; i < 50; ++i) {
    others.push_back({i * 77777777, {{3, i}, {i, 4}}});
    removals.Remove(others.back().number);
  }
  CommitAll(*writer, others, Flushes::kSometimes);
  EXPECT_TRUE(writer->Commit(removals));
  CommitAll(*writer, documents, Flushes::kSometimes);
  EXPECT_TRUE(writer->MergeAll(NoProgress(), Cancellation()));
  EXPECT_TRUE(writer->Close());
  return *PostingsIndex::Open(files, "index");
}

struct Implementation {
  std::string name;
  std::function<std::unique_ptr<OverlapIndex>(const Documents&, PostingsContent,
                                              InMemoryFileSystem&)>
      make;
  bool has_sums = false;  // features in several parts count in each
};

const std::vector<Implementation>& Implementations() {
  static const std::vector<Implementation> implementations = {
      {"Memory",
       [](const Documents& documents, PostingsContent content, InMemoryFileSystem& /*files*/) {
         return std::make_unique<MemoryPostings>(Filled<MemoryPostings>(documents, content));
       }},
      {"Sealed",
       [](const Documents& documents, PostingsContent content, InMemoryFileSystem& /*files*/) {
         return Sealed(Filled<MemoryPostings>(documents, content).Source());
       }},
      {"SealedAgain",
       [](const Documents& documents, PostingsContent content, InMemoryFileSystem& /*files*/) {
         const auto once = Sealed(Filled<MemoryPostings>(documents, content).Source());
         return Sealed(once->Source());
       }},
      {"Log",
       [](const Documents& documents, PostingsContent content, InMemoryFileSystem& files) {
         CommitAll(*InFolder(files, content), documents, Flushes::kNever);
         return std::unique_ptr<OverlapIndex>(*PostingsIndex::Open(files, "index"));
       }},
      {"Segments",
       [](const Documents& documents, PostingsContent content, InMemoryFileSystem& files) {
         CommitAll(*InFolder(files, content), documents, Flushes::kSometimes);
         return std::unique_ptr<OverlapIndex>(*PostingsIndex::Open(files, "index"));
       },
       true},
      {"Replaced", Replaced},
  };
  return implementations;
}

class EveryOverlapIndex : public testing::TestWithParam<size_t> {};

INSTANTIATE_TEST_SUITE_P(All, EveryOverlapIndex,
                         testing::Range(size_t{0}, Implementations().size()),
                         [](const testing::TestParamInfo<size_t>& index) {
                           return Implementations()[index.param].name;
                         });

void ExpectTheSameAnswers(const OverlapIndex& index, const OverlapIndex& expected,
                          const Documents& documents, std::mt19937_64& random) {
  constexpr uint64_t kAll = ~uint64_t{0};
  const OverlapOptions all_options[] = {
      {},           {.count = 1},         {.count = 3, .max_frequency = 20},
      {.count = 0}, {.count = 100000},    {.count = 5, .max_frequency = kAll, .max_postings = 90},
      {.count = 2}, {.max_frequency = 0}, {.count = 2, .max_frequency = 50, .max_postings = 60},
  };
  for (const OverlapOptions& options : all_options) {
    const std::vector<uint64_t> query = QueryFrom(random, documents);
    EXPECT_EQ(*index.Query(query, options), *expected.Query(query, options))
        << options.count << " of " << documents.size();
  }
}

void ExpectTheSameLists(const OverlapIndex& index, const OverlapIndex& expected,
                        const Documents& documents, std::mt19937_64& random) {
  std::vector<uint64_t> features = QueryFrom(random, documents);
  features.resize(std::min<size_t>(features.size(), 12));
  features.push_back(~uint64_t{0});
  for (const uint64_t feature : features) {
    std::vector<uint32_t> found = {7}, expected_found = {7};
    EXPECT_TRUE(index.FindDocuments(feature, found));
    EXPECT_TRUE(expected.FindDocuments(feature, expected_found));
    EXPECT_EQ(found, expected_found);
    for (size_t i = 0; i < documents.size(); i += 1 + documents.size() / 20) {
      std::vector<uint32_t> positions, expected_positions;
      EXPECT_TRUE(index.FindPositions(feature, documents[i].number, positions));
      EXPECT_TRUE(expected.FindPositions(feature, documents[i].number, expected_positions));
      EXPECT_EQ(positions, expected_positions);
    }
  }
}

TEST_P(EveryOverlapIndex, AnswersLikeBruteForce) {
  std::mt19937_64 random(7);
  for (const size_t count : {0, 1, 2, 60, 500}) {
    for (const PostingsContent content :
         {PostingsContent::kDocuments, PostingsContent::kPositions}) {
      // An array is used for counting where the numbers are small.
      const uint64_t end = content == PostingsContent::kDocuments ? 3 * count + 1 : kAllNumbers;
      const Documents documents = SkewedDocuments(random, count, end);
      InMemoryFileSystem files;
      const Implementation& implementation = Implementations()[GetParam()];
      const auto index = implementation.make(documents, content, files);
      const auto expected = Filled<BruteForceOverlap>(documents, content);
      if (!implementation.has_sums) {
        EXPECT_EQ(index->statistics(), expected.statistics());
      }
      EXPECT_EQ(index->statistics().documents, expected.statistics().documents);
      EXPECT_EQ(index->statistics().postings, expected.statistics().postings);
      EXPECT_EQ(index->content(), content);
      ExpectTheSameAnswers(*index, expected, documents, random);
      ExpectTheSameLists(*index, expected, documents, random);
    }
  }
}

TEST(BruteForceOverlap, SaysWhatTheContractSays) {
  BruteForceOverlap index(PostingsContent::kPositions);
  EXPECT_TRUE(index.Insert(5, std::vector<FeatureAt>{{1, 9}, {1, 3}, {1, 9}, {2, 0}, {3, 1}}));
  EXPECT_TRUE(index.Insert(2, std::vector<FeatureAt>{{1, 0}, {3, 4}}));
  EXPECT_TRUE(index.Insert(9, std::vector<FeatureAt>{{1, 0}, {3, 4}}));
  EXPECT_FALSE(index.Insert(9, {}));
  const std::vector<uint64_t> query = {3, 1, 1, 2, 8};
  EXPECT_EQ(*index.Query(query, {.count = 2}), (OverlapAnswer{{{5, 3}, {2, 2}}, 4, 0, 0}));
  EXPECT_EQ(*index.Query(query, {.max_frequency = 2}), (OverlapAnswer{{{5, 1}}, 4, 2, 0}));
  // Of the frequencies 1, 3 and 3 only 1 and 3 fit.
  const OverlapAnswer bounded = *index.Query(query, {.max_postings = 5});
  EXPECT_EQ(bounded, (OverlapAnswer{{{5, 2}, {2, 1}, {9, 1}}, 4, 0, 1}));
  EXPECT_TRUE(bounded.truncated());
  EXPECT_FALSE(bounded.is_exact());
  std::vector<uint32_t> positions;
  EXPECT_TRUE(index.FindPositions(1, 5, positions));
  EXPECT_THAT(positions, ElementsAre(3, 9));
  EXPECT_EQ(index.statistics().features_by_frequency[2], 2);
  EXPECT_TRUE(index.Remove(5));
  EXPECT_FALSE(index.Remove(5));
}

// Inserts and removes documents in random order, so that slots and lists are reused.
TEST(MemoryPostings, AnswerLikeBruteForceWhateverIsInsertedAndRemoved) {
  std::mt19937_64 random(9);
  for (const PostingsContent content : {PostingsContent::kDocuments, PostingsContent::kPositions}) {
    const uint64_t end = content == PostingsContent::kDocuments ? 400 : kAllNumbers;
    const Documents pool = SkewedDocuments(random, 150, end);
    MemoryPostings index(content);
    BruteForceOverlap expected(content);
    for (int round = 0; round < 24; ++round) {
      const bool is_growing = round % 8 < 5;
      for (int step = 0; step < 60; ++step) {
        const Document& document = pool[random() % pool.size()];
        if ((random() % 5 > 0) == is_growing) {
          const auto& features = pool[random() % pool.size()].features;
          EXPECT_EQ(index.Insert(document.number, features),
                    expected.Insert(document.number, features));
        } else {
          EXPECT_EQ(index.Remove(document.number), expected.Remove(document.number));
        }
      }
      ASSERT_EQ(index.statistics(), expected.statistics()) << round;
      if (round % 4 < 3) continue;
      ExpectTheSameAnswers(index, expected, pool, random);
      ExpectTheSameLists(index, expected, pool, random);
    }
    for (const Document& document : pool) index.Remove(document.number);
    EXPECT_EQ(index.statistics(), PostingsStatistics());
  }
}

// Lists of numbers below an end, which count how many numbers were read.
class CountedLists final : public QueryLists {
 public:
  explicit CountedLists(uint64_t documents_end) : documents_end_(documents_end) {}

  uint64_t documents_end() const override { return documents_end_; }
  Status Visit(size_t list, const Take& take) const override {
    documents_read += lists[list].size();
    return take(lists[list]);
  }
  Status FindAmong(size_t list, std::span<const uint32_t> among,
                   std::vector<uint32_t>& places) const override {
    documents_asked += among.size();
    for (size_t i = 0; i < among.size(); ++i) {
      if (std::ranges::binary_search(lists[list], among[i])) {
        places.push_back(static_cast<uint32_t>(i));
      }
    }
    return {};
  }

  std::vector<std::vector<uint32_t>> lists;
  mutable uint64_t documents_read = 0, documents_asked = 0;

 private:
  const uint64_t documents_end_;
};

// Counts in an array, and in a table.
class FindTopOverlapBelow : public testing::TestWithParam<uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Ends, FindTopOverlapBelow, testing::Values(1 << 18, kAllNumbers));

TEST_P(FindTopOverlapBelow, AsksLongListsOnlyForTheDocumentsThatStillCan) {
  CountedLists source(GetParam());
  std::vector<ListOfFeature> lists;
  for (uint32_t i = 0; i < 30; ++i) {
    std::vector<uint32_t> documents = {3, 1000 + i};
    for (uint32_t k = 0; i >= 20 && k < 20000; ++k) documents.push_back(2000 + k * (i - 18));
    lists.push_back({documents.size(), i, i});
    source.lists.push_back(std::move(documents));
  }
  const OverlapAnswer answer = *FindTopOverlap(30, lists, source, {.count = 1});
  EXPECT_THAT(answer.matches, ElementsAre(OverlapMatch{3, 30}));
  EXPECT_TRUE(answer.is_exact());
  EXPECT_EQ(source.documents_read, 40);  // the twenty short ones: 20 > the 10 that are left
  EXPECT_EQ(source.documents_asked, 10);
}

TEST_P(FindTopOverlapBelow, KeepsADocumentThatCanOnlyBecomeEqualAndHasALowerNumber) {
  CountedLists source(GetParam());
  source.lists = {{9}, {9}, {2}, {2}};
  for (size_t i = 2; i < 4; ++i) {
    for (uint32_t k = 100; k < 300; ++k) source.lists[i].push_back(k * 2);
  }
  const std::vector<ListOfFeature> lists = {{1, 0, 0}, {1, 1, 1}, {201, 2, 2}, {201, 3, 3}};
  EXPECT_THAT(FindTopOverlap(4, lists, source, {.count = 1})->matches,
              ElementsAre(OverlapMatch{2, 2}));
}

TEST_P(FindTopOverlapBelow, CountsMoreListsThanTwoBytesCan) {
  CountedLists source(GetParam());
  std::vector<ListOfFeature> lists;
  for (uint32_t i = 0; i < 70000; ++i) {
    lists.push_back({1, i, i});
    source.lists.push_back({3});
  }
  EXPECT_THAT(FindTopOverlap(70000, lists, source, {})->matches,
              ElementsAre(OverlapMatch{3, 70000}));
}

TEST(FeaturesOfFingerprint, AreThoseOfEveryKindOfValue) {
  const auto features = [](const Fingerprint& value) { return *FeaturesOfFingerprint(value); };
  EXPECT_THAT(features(NoFingerprint()), ElementsAre());
  EXPECT_THAT(features(HashSet{{3, 9}}), ElementsAre(FeatureAt{3, 0}, FeatureAt{9, 0}));
  EXPECT_THAT(features(CodeSequence{3, {1, 2, 3, 0, 0, 4}}),
              ElementsAre(FeatureAt{0x010203, 0}, FeatureAt{4, 1}));
  const std::string code = "123456789";
  EXPECT_THAT(features(CodeSequence{9, {code.begin(), code.end()}}),
              ElementsAre(FeatureAt{HashBytes64(code), 0}));
  EXPECT_THAT(features(SelectedShingles{{7, 5, {}}, {7, 6, {}}}),
              ElementsAre(FeatureAt{7, 5}, FeatureAt{7, 6}));
  EXPECT_THAT(features(WeightedTerms{{"指纹", 3}}), ElementsAre(FeatureAt{HashBytes64("指纹"), 0}));
  EXPECT_EQ(FeaturesOfFingerprint(FingerprintBytes{1}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(FeaturesOfFingerprint(SelectedShingles{{7, uint64_t{1} << 32, {}}}).error().code,
            ErrorCode::kExhausted);
}

}  // namespace
}  // namespace zhiwen
