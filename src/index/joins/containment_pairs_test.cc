#include "index/joins/containment_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

namespace zhiwen {
namespace {

using Rows = std::vector<SampleRow>;
using Pairs = std::vector<ContainmentPair>;
using Candidates = std::map<uint32_t, std::vector<uint32_t>>;

constexpr auto kAsks = SamplePart::kAsks;
constexpr auto kAnswers = SamplePart::kAnswers;

struct Joined {
  Pairs pairs;  // sorted
  ContainmentJoinCounts counts;
};

// Joins `rows`, `piece` rows at a time.
Joined Join(Rows rows, const ContainmentJoinOptions& options, size_t piece = 1000) {
  std::sort(rows.begin(), rows.end());
  Joined joined;
  ContainmentJoin join(options, [&](std::span<const ContainmentPair> pairs) -> Status {
    joined.pairs.insert(joined.pairs.end(), pairs.begin(), pairs.end());
    return {};
  });
  for (size_t begin = 0; begin < rows.size(); begin += piece) {
    const auto rest = std::span(rows).subspan(begin);
    EXPECT_TRUE(join.Add(rest.first(std::min(piece, rest.size()))));
  }
  EXPECT_TRUE(join.Finish());
  std::sort(joined.pairs.begin(), joined.pairs.end());
  joined.counts = join.counts();
  EXPECT_EQ(joined.counts.pairs, joined.pairs.size());
  return joined;
}

Candidates Select(std::span<const CountedPair> pairs, uint32_t required, size_t piece = 1000,
                  CandidateCounts* counts = nullptr) {
  Candidates candidates;
  CandidateSelector selector(
      [&](uint32_t) { return required; },
      [&](uint32_t document, std::span<const uint32_t> containers) -> Status {
        EXPECT_TRUE(candidates.empty() || candidates.rbegin()->first < document);
        candidates[document].assign(containers.begin(), containers.end());
        return {};
      });
  for (size_t begin = 0; begin < pairs.size(); begin += piece) {
    const auto rest = pairs.subspan(begin);
    EXPECT_TRUE(selector.Add(rest.first(std::min(piece, rest.size()))));
  }
  EXPECT_TRUE(selector.Finish());
  if (counts != nullptr) *counts = selector.counts();
  return candidates;
}

Rows RandomRows(std::mt19937_64& random, size_t documents, size_t shingles, size_t per_document) {
  std::set<std::pair<uint64_t, uint32_t>> seen;
  Rows rows;
  for (uint32_t document = 0; document < documents; ++document) {
    for (size_t i = 0; i < per_document; ++i) {
      const uint64_t shingle = std::min(random() % shingles, random() % shingles);
      if (!seen.emplace(shingle, document).second) continue;
      rows.push_back({shingle, document, random() % 3 == 0 ? kAnswers : kAsks});
    }
  }
  return rows;
}

// Applies the definition: compares every ask with every answer.
Pairs JoinSlowly(const Rows& rows) {
  Pairs pairs;
  for (const SampleRow& ask : rows) {
    for (const SampleRow& answer : rows) {
      if (ask.part == kAsks && ask.shingle == answer.shingle && answer.document < ask.document) {
        pairs.push_back({ask.document, answer.document});
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TEST(ContainmentPairs, AreThoseOfEveryAskWithEveryEarlierAnswer) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    const Rows rows = RandomRows(random, 1 + random() % 30, 1 + random() % 40, 10);
    EXPECT_EQ(Join(rows, {.max_frequency = 1000}).pairs, JoinSlowly(rows)) << round;
  }
}

TEST(ContainmentPairs, DoNotDependOnHowRowsArriveOrArePartitioned) {
  std::mt19937_64 random(2);
  const Rows rows = RandomRows(random, 200, 100, 20);
  const ContainmentJoinOptions options = {.max_frequency = 30, .hot_containers = 5};
  const Joined expected = Join(rows, options);
  EXPECT_GT(expected.counts.hot_shingles, 0u);
  for (const size_t piece : {1, 7, 64}) EXPECT_EQ(Join(rows, options, piece).pairs, expected.pairs);
  Pairs pairs;
  for (uint64_t partition = 0; partition < 4; ++partition) {
    Rows part;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(part),
                 [&](const SampleRow& row) { return row.shingle * 4 / 100 == partition; });
    const Pairs of_part = Join(part, options).pairs;
    pairs.insert(pairs.end(), of_part.begin(), of_part.end());
  }
  std::sort(pairs.begin(), pairs.end());
  EXPECT_EQ(pairs, expected.pairs);
}

TEST(ContainmentPairs, AHotShingleYieldsItsFirstDocumentsAndACountOfTheAsk) {
  Rows rows;
  for (uint32_t document = 0; document < 6; ++document) rows.push_back({9, document, kAsks});
  rows[4].part = kAnswers;
  const Joined at_limit = Join(rows, {.max_frequency = 6, .hot_containers = 2});
  EXPECT_EQ(at_limit.counts.hot_shingles, 0u);
  EXPECT_EQ(at_limit.pairs.size(), 11u);  // 1 + 2 + 3 + 5
  const Joined hot = Join(rows, {.max_frequency = 5, .hot_containers = 2});
  EXPECT_EQ(hot.counts.hot_shingles, 1u);
  EXPECT_EQ(hot.counts.shared_shingles, 1u);
  EXPECT_EQ(hot.pairs, (Pairs{{0, 0},
                              {1, 0},
                              {1, 1},
                              {2, 0},
                              {2, 1},
                              {2, 2},
                              {3, 0},
                              {3, 1},
                              {3, 3},
                              {5, 0},
                              {5, 1},
                              {5, 5}}));
}

TEST(ContainmentPairs, ALoneShingleYieldsNothing) {
  const Joined joined = Join({{1, 0, kAsks}, {2, 1, kAsks}, {3, 0, kAsks}}, {.max_frequency = 1});
  EXPECT_TRUE(joined.pairs.empty());
  EXPECT_EQ(joined.counts.rows, 3u);
  EXPECT_EQ(joined.counts.shared_shingles, 0u);
}

TEST(ContainmentPairs, AShingleOfManyDocumentsIsEmittedInSmallParts) {
  size_t largest = 0, pairs = 0;
  ContainmentJoin join({.max_frequency = UINT32_MAX}, [&](auto part) -> Status {
    largest = std::max(largest, part.size());
    pairs += part.size();
    return {};
  });
  constexpr uint32_t kDocuments = 500;
  Rows rows;
  for (uint32_t d = 0; d < kDocuments; ++d) rows.push_back({7, d, kAsks});
  ASSERT_TRUE(join.Add(rows));
  ASSERT_TRUE(join.Finish());
  EXPECT_EQ(pairs, kDocuments * (kDocuments - 1) / 2);
  EXPECT_LE(largest, 10'000U);
}

TEST(ContainmentPairs, AFailedSinkStopsTheJoinAndTheSelector) {
  ContainmentJoin join({}, [](auto) -> Status { return Fail(ErrorCode::kExhausted, "full"); });
  const Rows rows = {{1, 0, kAsks}, {1, 1, kAsks}};
  EXPECT_TRUE(join.Add(rows));
  const Status status = join.Finish();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kExhausted);
  CandidateSelector selector(
      [](uint32_t) { return 1; },
      [](uint32_t, auto) -> Status { return Fail(ErrorCode::kExhausted, "full"); });
  const CountedPair pairs[] = {{1, 0, 1}, {2, 0, 1}};
  EXPECT_FALSE(selector.Add(pairs));
}

TEST(ContainmentPairs, CountingGivesEachPairOnceWithItsNumber) {
  Pairs pairs = {{5, 1}, {4, 2}, {5, 1}, {5, 0}, {5, 1}};
  std::vector<CountedPair> counted = {{9, 9, 9}};
  CountPairs(pairs, counted);
  EXPECT_EQ(counted, (std::vector<CountedPair>{{4, 2, 1}, {5, 0, 1}, {5, 1, 3}}));
}

TEST(ContainmentPairs, TheSelectorTakesPairsThatReachWhatIsRequiredLessTheHotAsks) {
  const CountedPair pairs[] = {{7, 1, 4}, {7, 2, 3}, {7, 3, 5}, {8, 0, 3},  {8, 2, 2},
                               {8, 8, 2}, {9, 0, 1}, {9, 9, 5}, {10, 10, 6}};
  CandidateCounts counts;
  EXPECT_EQ(Select(pairs, 5, 1000, &counts), (Candidates{{7, {3}}, {8, {0}}, {9, {0}}}));
  EXPECT_EQ(counts.candidate_pairs, 3u);
  EXPECT_EQ(counts.saturated_documents, 2u);
}

TEST(ContainmentPairs, TheSelectorAddsEqualPairsUpHoweverTheyArrive) {
  std::mt19937_64 random(3);
  const Rows rows = RandomRows(random, 100, 60, 15);
  Pairs pairs = Join(rows, {.max_frequency = 20, .hot_containers = 3}).pairs;
  std::vector<CountedPair> counted, single;
  for (const ContainmentPair& pair : pairs) single.push_back({pair.contained, pair.container, 1});
  CountPairs(pairs, counted);
  for (const uint32_t required : {1u, 2u, 4u}) {
    const Candidates expected = Select(counted, required);
    EXPECT_FALSE(expected.empty());
    for (const size_t piece : {1, 3, 1000}) EXPECT_EQ(Select(single, required, piece), expected);
  }
}

// As the header guarantees, nothing is lost when there are fewer hot asks than required.
TEST(ContainmentPairs, TheCutLosesNoContainerOfADocumentThatIsNotSaturated) {
  std::mt19937_64 random(4);
  size_t cut_documents = 0;
  for (int round = 0; round < 40; ++round) {
    const Rows rows = RandomRows(random, 60, 30, 12);
    const uint32_t required = 4;
    std::vector<CountedPair> all, cut;
    Pairs all_pairs = Join(rows, {.max_frequency = 1000}).pairs;
    Pairs cut_pairs = Join(rows, {.max_frequency = 8, .hot_containers = 2}).pairs;
    CountPairs(all_pairs, all);
    CountPairs(cut_pairs, cut);
    const Candidates expected = Select(all, required);
    Candidates found = Select(cut, required);
    for (const CountedPair& pair : cut) {
      if (pair.contained != pair.container || pair.asks >= required) continue;
      const uint32_t document = pair.contained;
      ++cut_documents;
      if (!expected.contains(document)) continue;
      EXPECT_TRUE(std::includes(found[document].begin(), found[document].end(),
                                expected.at(document).begin(), expected.at(document).end()));
    }
  }
  EXPECT_GT(cut_documents, 100u);
}

}  // namespace
}  // namespace zhiwen
