#include "pipeline/dedup/report/findings_collector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace zhiwen {
namespace {

// Removals with clusters, reasons and similarities of every kind.
std::vector<RemovalFact> MakeRemovals(uint32_t seed, size_t count, uint32_t sources) {
  std::mt19937 random(seed);
  std::vector<RemovalFact> removals;
  std::map<uint64_t, uint64_t> sizes;
  for (size_t i = 0; i < count; ++i) {
    RemovalFact removal{.document = 1000 + i,
                        .keeper = std::min<uint64_t>(random() % 40, random() % 40)};
    removal.source = static_cast<uint32_t>(random() % sources);
    removal.kept_source = static_cast<uint32_t>(removal.keeper % sources);
    removal.code_points = 1U << random() % 20;
    removal.draw = random() % 64;  // often equal
    const bool is_exact = random() % 3 == 0;
    removal.reason = is_exact ? "exact" : "near";
    removal.similarity = is_exact ? 1 : 0.8 + 0.01 * static_cast<double>(random() % 21);
    ++sizes[removal.keeper];
    removals.push_back(removal);
  }
  for (RemovalFact& removal : removals) removal.cluster_size = sizes[removal.keeper] + 1;
  return removals;
}

FindingsCollector Collect(const std::vector<RemovalFact>& removals, size_t sources) {
  FindingsCollector collector(sources);
  for (const RemovalFact& removal : removals) collector.AddRemoved(removal);
  return collector;
}

std::vector<uint64_t> DocumentsOf(const std::vector<RemovalFact>& removals) {
  std::vector<uint64_t> documents;
  for (const RemovalFact& removal : removals) documents.push_back(removal.document);
  return documents;
}

TEST(FindingsCollector, TheOrderOfDecisionsDoesNotMatter) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::vector<RemovalFact> removals = MakeRemovals(seed, 500, 20);
    const FindingsCollector first = Collect(removals, 20);
    std::shuffle(removals.begin(), removals.end(), std::mt19937(seed));
    const FindingsCollector second = Collect(removals, 20);
    EXPECT_EQ(first.Choose().Documents(), second.Choose().Documents());
    const std::vector<std::string> names(20, "a");
    EXPECT_EQ(first.Matrix(names).removed, second.Matrix(names).removed);
  }
}

TEST(FindingsCollector, ClustersAreTheLargestOfAll) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const std::vector<RemovalFact> removals = MakeRemovals(seed, 300, 3);
    std::set<std::pair<uint64_t, uint64_t>> all;  // by descending size, then keeper
    for (const RemovalFact& removal : removals) all.emplace(~removal.cluster_size, removal.keeper);
    const ChosenExamples chosen = Collect(removals, 3).Choose();
    ASSERT_EQ(chosen.clusters.size(), std::min<size_t>(all.size(), 5));
    auto expected = all.begin();
    for (const ChosenCluster& cluster : chosen.clusters) {
      EXPECT_EQ(cluster.keeper, expected->second);
      EXPECT_EQ(cluster.documents, ~expected->first);
      ++expected;
      // Its examples are the least similar ones.
      double lowest = 2;
      for (const RemovalFact& removal : removals) {
        if (removal.keeper == cluster.keeper) lowest = std::min(lowest, removal.similarity);
      }
      EXPECT_EQ(cluster.removals.front().similarity, lowest);
    }
  }
}

TEST(FindingsCollector, ExamplesAreTheLowestAndOthersThatWereDrawn) {
  const std::vector<RemovalFact> removals = MakeRemovals(3, 400, 3);
  const ChosenExamples chosen = Collect(removals, 3).Choose();
  ASSERT_EQ(chosen.reasons.size(), 2U);
  const ChosenReason& near = chosen.reasons.at("near");
  EXPECT_EQ(near.lowest.size(), 3U);
  EXPECT_EQ(near.drawn.size(), 3U);
  EXPECT_DOUBLE_EQ(near.lowest.front().similarity, 0.8);
  EXPECT_NE(near.lowest[0].keeper, near.lowest[1].keeper);
  for (const uint64_t document : DocumentsOf(near.drawn)) {
    EXPECT_FALSE(std::ranges::count(DocumentsOf(near.lowest), document));
  }
  EXPECT_TRUE(chosen.reasons.at("exact").lowest.empty());  // there is nothing between them
}

TEST(FindingsCollector, EveryDocumentFallsIntoTheBinOfItsSize) {
  FindingsCollector collector(1);
  uint64_t added = 0;
  for (uint64_t size : {0ULL, 1ULL, 2ULL, 9ULL, 10ULL, 99ULL, 100ULL, 149ULL, 150ULL, 1ULL << 40}) {
    collector.AddKept(size);
    ++added;
    for (const SizeBin& bin : collector.Sizes()) {
      const bool holds_it = bin.begin <= size && size < bin.end;
      EXPECT_TRUE(!holds_it || bin.kept >= 1) << size;
    }
  }
  uint64_t counted = 0, end = 0;
  for (const SizeBin& bin : collector.Sizes()) {
    EXPECT_EQ(bin.begin, end);  // no gaps
    end = bin.end;
    counted += bin.kept;
  }
  EXPECT_EQ(counted, added);
  EXPECT_EQ(collector.Sizes().front().end, 1U);
}

TEST(FindingsCollector, SimilaritiesFallIntoHundredthsAndOneIsApart) {
  FindingsCollector collector(1);
  for (const double similarity : {0.8, 0.805, 0.81, 0.999999, 1.0, 1.0, 0.0}) {
    collector.AddRemoved({.similarity = similarity});
  }
  const SimilarityHistogram histogram = collector.Similarities();
  EXPECT_EQ(histogram.equal, 2U);
  EXPECT_EQ(histogram.bins[80].removed, 2U);
  EXPECT_EQ(histogram.bins[81].removed, 1U);
  EXPECT_EQ(histogram.bins[99].removed, 1U);
  EXPECT_EQ(histogram.bins[0].removed, 1U);
}

TEST(FindingsCollector, TheMatrixCountsEveryRemovalOnce) {
  for (const uint32_t sources : {1U, 5U, 40U}) {
    const std::vector<RemovalFact> removals = MakeRemovals(sources, 700, sources);
    std::vector<std::string> names;
    for (uint32_t i = 0; i < sources; ++i) names.push_back("file" + std::to_string(i));
    const SourceMatrix matrix = Collect(removals, sources).Matrix(names);
    EXPECT_EQ(matrix.sources, sources);
    EXPECT_EQ(matrix.has_others, sources > 12);
    ASSERT_EQ(matrix.removed.size(), matrix.names.size() + (matrix.has_others ? 1 : 0));
    uint64_t total = 0;
    for (size_t row = 0; row < matrix.removed.size(); ++row) {
      for (size_t column = 0; column < matrix.removed.size(); ++column) {
        uint64_t expected = 0;
        for (const RemovalFact& removal : removals) {
          const auto place = [&](uint32_t source) {
            return std::ranges::find(matrix.names, names[source]) - matrix.names.begin();
          };
          expected += place(removal.source) == static_cast<std::ptrdiff_t>(row) &&
                      place(removal.kept_source) == static_cast<std::ptrdiff_t>(column);
        }
        EXPECT_EQ(matrix.removed[row][column], expected);
        total += matrix.removed[row][column];
      }
    }
    EXPECT_EQ(total, removals.size());
  }
}

TEST(FindingsCollector, TooManyPairsOfFilesCountForTheOthers) {
  constexpr uint32_t kSources = 400;
  FindingsCollector collector(kSources);
  uint64_t removals = 0;
  for (uint32_t a = 0; a < kSources; ++a) {
    for (uint32_t b = 0; b < kSources; ++b, ++removals) {
      collector.AddRemoved({.document = removals, .source = a, .kept_source = b});
    }
  }
  const SourceMatrix matrix = collector.Matrix(std::vector<std::string>(kSources, "f"));
  uint64_t total = 0;
  for (const auto& row : matrix.removed) {
    for (const uint64_t count : row) total += count;
  }
  EXPECT_EQ(total, removals);
}

TEST(FindingsCollector, ARunWithoutRemovalsHasNoMatrix) {
  FindingsCollector collector(3);
  collector.AddKept(5);
  EXPECT_TRUE(collector.Matrix({"a", "b", "c"}).removed.empty());
  EXPECT_TRUE(collector.Choose().Documents().empty());
}

}  // namespace
}  // namespace zhiwen
