#include "cluster/greedy.h"

#include <gtest/gtest.h>

#include <random>

namespace zhiwen {
namespace {

// Describes documents 0 … n−1 with symmetric matches; every earlier document is a candidate.
class MatchGraph {
 public:
  explicit MatchGraph(uint32_t documents) : documents_(documents), edges_(documents * documents) {}

  static MatchGraph Random(uint64_t seed, uint32_t documents, double density) {
    MatchGraph graph(documents);
    std::mt19937_64 random(seed);
    std::bernoulli_distribution edge(density);
    for (uint32_t a = 0; a < documents; ++a) {
      for (uint32_t b = 0; b < a; ++b) {
        if (edge(random)) graph.Connect(a, b);
      }
    }
    return graph;
  }

  void Connect(uint32_t a, uint32_t b) {
    edges_[a * documents_ + b] = edges_[b * documents_ + a] = true;
  }
  bool Matches(uint32_t a, uint32_t b) const { return edges_[a * documents_ + b]; }
  uint32_t documents() const { return documents_; }

  std::vector<uint32_t> Decide() const {
    std::vector<uint32_t> all(documents_);
    for (uint32_t i = 0; i < documents_; ++i) all[i] = i;
    return DecideGreedily(
        documents_, [&](uint32_t document) { return std::span(all).first(document); },
        [&](uint32_t document, uint32_t kept) { return Matches(document, kept); });
  }

 private:
  uint32_t documents_;
  std::vector<bool> edges_;
};

TEST(Greedy, EveryRemovedDocumentMatchesItsKeptKeeperAndNoTwoKeptMatch) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const MatchGraph graph = MatchGraph::Random(seed, 60, static_cast<double>(seed % 12) / 12.0);
    const auto keepers = graph.Decide();
    for (uint32_t document = 0; document < graph.documents(); ++document) {
      if (keepers[document] != kKept) {
        EXPECT_LT(keepers[document], document);
        EXPECT_EQ(keepers[keepers[document]], kKept);
        EXPECT_TRUE(graph.Matches(document, keepers[document]));
        continue;
      }
      for (uint32_t other = 0; other < document; ++other) {
        EXPECT_FALSE(keepers[other] == kKept && graph.Matches(document, other));
      }
    }
  }
}

TEST(Greedy, TheKeeperIsTheFirstMatchingKeptDocument) {
  MatchGraph graph(5);
  graph.Connect(0, 1);
  graph.Connect(1, 4);  // 1 is removed, so it is no keeper
  graph.Connect(2, 4);
  graph.Connect(3, 4);
  EXPECT_EQ(graph.Decide(), (std::vector<uint32_t>{kKept, 0, kKept, kKept, 2}));
}

TEST(Greedy, AChainLosesEverySecondDocumentOnly) {
  MatchGraph graph(6);
  for (uint32_t i = 1; i < 6; ++i) graph.Connect(i - 1, i);
  EXPECT_EQ(graph.Decide(), (std::vector<uint32_t>{kKept, 0, kKept, 2, kKept, 4}));
}

TEST(Greedy, OnlyCandidatesAreVerifiedAndNoneAfterTheFirstMatch) {
  const std::vector<uint32_t> candidates_of_three = {0, 1};
  std::vector<std::pair<uint32_t, uint32_t>> verified;
  const auto keepers = DecideGreedily(
      4,
      [&](uint32_t document) {
        return document == 3 ? std::span<const uint32_t>(candidates_of_three)
                             : std::span<const uint32_t>();
      },
      [&](uint32_t document, uint32_t kept) {
        verified.emplace_back(document, kept);
        return true;
      });
  EXPECT_EQ(keepers, (std::vector<uint32_t>{kKept, kKept, kKept, 0}));
  EXPECT_EQ(verified, (std::vector<std::pair<uint32_t, uint32_t>>{{3, 0}}));
}

}  // namespace
}  // namespace zhiwen
