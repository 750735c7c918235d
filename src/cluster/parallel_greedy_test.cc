#include "cluster/parallel_greedy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "index/thresholds/resemblance_threshold.h"

namespace zhiwen {
namespace {

using Columns = std::vector<std::vector<uint64_t>>;

// Documents in rank order with their sets, and band keys that decide which pairs are candidates.
struct JoinCorpus {
  std::vector<ShingleSet> sets;
  Columns columns;  // [band][document]

  uint32_t documents() const { return static_cast<uint32_t>(sets.size()); }

  bool Matches(uint32_t a, uint32_t b, double threshold) const {
    const ShingleSet &set_a = sets[a], &set_b = sets[b];
    size_t shared = 0;
    for (size_t i = 0, j = 0; i < set_a.size() && j < set_b.size();) {
      const uint64_t x = set_a[i], y = set_b[j];
      shared += x == y ? 1 : 0;
      i += x <= y ? 1 : 0;
      j += y <= x ? 1 : 0;
    }
    return ReachesThreshold(shared, set_a.size() + set_b.size() - shared, threshold);
  }

  // Returns for each document every earlier document that shares a band key.
  std::vector<std::vector<uint32_t>> AllCandidates() const {
    std::vector<std::vector<uint32_t>> candidates(documents());
    for (uint32_t d = 0; d < documents(); ++d) {
      for (uint32_t k = 0; k < d; ++k) {
        const bool shares = std::any_of(columns.begin(), columns.end(), [&](const auto& keys) {
          return keys[d] != 0 && keys[d] == keys[k];
        });
        if (shares) candidates[d].push_back(k);
      }
    }
    return candidates;
  }

  // Makes bands from minima under a few random orders of shingles, as MinHash does.
  void AddBands(size_t bands, size_t rows) {
    columns.assign(bands, std::vector<uint64_t>(sets.size()));
    for (size_t d = 0; d < sets.size(); ++d) {
      for (size_t band = 0; band < bands; ++band) {
        uint64_t key = 1;
        for (size_t row = 0; row < rows; ++row)
          key = key * 31 + Minimum(sets[d], band * rows + row);
        columns[band][d] = sets[d].empty() ? 0 : key | 1;
      }
    }
  }

 private:
  static uint64_t Minimum(const ShingleSet& set, size_t order) {
    uint64_t minimum = UINT64_MAX;
    for (const uint64_t shingle : set) {
      uint64_t hash = (shingle + 1) * (2 * order + 3) * 0x9E3779B97F4A7C15;
      hash = (hash ^ (hash >> 31)) * 0xBF58476D1CE4E5B9;
      minimum = std::min(minimum, hash ^ (hash >> 29));
    }
    return minimum;
  }
};

// Makes copies of `clusters` centres with up to `edits` per cent of the shingles replaced, in
// shuffled order.
JoinCorpus ClusteredCorpus(uint64_t seed, size_t documents, size_t clusters, uint64_t edits) {
  std::mt19937_64 random(seed);
  std::vector<ShingleSet> centres(clusters);
  for (auto& centre : centres) {
    for (int i = 0; i < 40; ++i) centre.push_back(random());
  }
  JoinCorpus corpus;
  for (size_t d = 0; d < documents; ++d) {
    const ShingleSet& centre = centres[random() % clusters];
    std::set<uint64_t> set(centre.begin(), centre.end());
    for (uint64_t edit = random() % (40 * edits / 100 + 1); edit > 0; --edit) {
      set.erase(centre[random() % centre.size()]);
      set.insert(random());
    }
    corpus.sets.emplace_back(set.begin(), set.end());
  }
  corpus.AddBands(8, 2);
  return corpus;
}

// Document i holds shingles 10·i … 10·i + 90, so it resembles only its neighbours, by 80/100.
JoinCorpus ChainCorpus(size_t documents) {
  JoinCorpus corpus;
  for (uint64_t d = 0; d < documents; ++d) {
    ShingleSet set;
    for (uint64_t i = 0; i < 90; ++i) set.push_back(10 * d + i + 1);
    corpus.sets.push_back(set);
  }
  corpus.columns = {std::vector<uint64_t>(documents, 7)};
  return corpus;
}

// Documents are one template of 70 shingles and 17 of their own (resemblance 0.67); every tenth is
// instead a near-copy of the one before it. All documents lie in one bucket.
JoinCorpus TemplateCorpus(size_t documents) {
  std::mt19937_64 random(11);
  JoinCorpus corpus;
  for (size_t d = 0; d < documents; ++d) {
    std::set<uint64_t> set;
    if (d % 10 == 9) {
      set.insert(corpus.sets.back().begin(), corpus.sets.back().end());
      set.erase(set.begin());
    } else {
      for (uint64_t i = 1; i <= 70; ++i) set.insert(i << 32);
      while (set.size() < 87) set.insert(random());
    }
    corpus.sets.emplace_back(set.begin(), set.end());
  }
  corpus.AddBands(6, 3);
  corpus.columns.push_back(std::vector<uint64_t>(documents, 7));
  return corpus;
}

std::vector<uint32_t> DecideSlowly(const JoinCorpus& corpus, double threshold,
                                   const std::vector<std::vector<uint32_t>>& candidates) {
  return DecideGreedily(
      corpus.documents(),
      [&](uint32_t document) { return std::span<const uint32_t>(candidates[document]); },
      [&](uint32_t document, uint32_t kept) { return corpus.Matches(document, kept, threshold); });
}

GreedyDecision DecideFast(const JoinCorpus& corpus, double threshold, size_t threads,
                          uint64_t max_bucket_kept = UINT64_MAX,
                          const DecisionProgress& progress = {}) {
  const auto executor = MakeThreadPool(threads);
  const std::vector<std::span<const uint64_t>> views(corpus.columns.begin(), corpus.columns.end());
  const HotBucketOptions hot{max_bucket_kept, threshold, [&](uint32_t document) {
                               return std::span<const uint64_t>(corpus.sets[document]);
                             }};
  std::atomic<uint64_t> calls = 0;
  bool stopped = false;
  const auto decision = DecideByBands(
      FindSharedBuckets(views, *executor), corpus.documents(), 0, hot,
      [&](size_t worker, uint32_t document, uint32_t kept) {
        EXPECT_LT(worker, threads);
        EXPECT_LT(kept, document);
        EXPECT_FALSE(stopped);
        ++calls;
        return corpus.Matches(document, kept, threshold);
      },
      *executor,
      [&](uint64_t decided, uint64_t total) {
        stopped = progress && !progress(decided, total);
        return !stopped;
      });
  EXPECT_EQ(decision.verified_pairs, calls);
  return decision;
}

void ExpectEqualsTheRule(const JoinCorpus& corpus, double threshold, const std::string& what) {
  const auto expected = DecideSlowly(corpus, threshold, corpus.AllCandidates());
  for (const uint64_t max_bucket_kept :
       {uint64_t{0}, uint64_t{1}, uint64_t{20}, uint64_t{100000}, UINT64_MAX}) {
    const GreedyDecision single = DecideFast(corpus, threshold, 1, max_bucket_kept);
    EXPECT_EQ(single.keepers, expected) << what << ' ' << max_bucket_kept;
    for (const size_t threads : {2u, 4u}) {
      const GreedyDecision decision = DecideFast(corpus, threshold, threads, max_bucket_kept);
      EXPECT_EQ(decision.keepers, expected) << what << ' ' << max_bucket_kept << ' ' << threads;
      EXPECT_EQ(decision.candidate_pairs, single.candidate_pairs);
      EXPECT_EQ(decision.verified_pairs, single.verified_pairs);
      EXPECT_EQ(decision.hot_buckets, single.hot_buckets);
    }
  }
}

size_t KeptOf(const GreedyDecision& decision) {
  return static_cast<size_t>(std::count(decision.keepers.begin(), decision.keepers.end(), kKept));
}

TEST(ParallelGreedy, SlowEqualsTheRuleOnClusteredCorpora) {
  uint64_t seed = 0;
  for (const size_t documents : {0u, 1u, 300u, 800u}) {
    for (const size_t clusters : {1u, 20u, 1000u}) {
      for (const uint64_t edits : {5u, 60u}) {
        const JoinCorpus corpus = ClusteredCorpus(++seed, documents, clusters, edits);
        ExpectEqualsTheRule(corpus, 0.7,
                            std::to_string(documents) + ' ' + std::to_string(clusters) + ' ' +
                                std::to_string(edits));
      }
    }
  }
}

TEST(ParallelGreedy, SlowEqualsTheRuleOnAChain) {
  ExpectEqualsTheRule(ChainCorpus(800), 0.8, "chain");
  const auto decision = DecideFast(ChainCorpus(800), 0.8, 2);
  EXPECT_EQ(KeptOf(decision), 400u);  // every second one is kept: chains do not grow
}

TEST(ParallelGreedy, SlowEqualsTheRuleOnATemplateInOneHugeBucket) {
  ExpectEqualsTheRule(TemplateCorpus(400), 0.8, "template");
}

// Pairs match by hash instead of by sets, so the matches have no structure that the blocks could
// rely on.
TEST(ParallelGreedy, SlowEqualsTheRuleOnRandomGraphs) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    JoinCorpus corpus;
    std::mt19937_64 random(seed);
    corpus.sets.resize(900);
    corpus.columns.assign(3, std::vector<uint64_t>(900));
    for (auto& column : corpus.columns) {
      for (uint64_t& key : column) key = random() % (seed % 4 == 0 ? 2 : 300);
    }
    const auto matches = [&](uint32_t a, uint32_t b) {
      const uint64_t hash = (a * 1000003ULL + b + seed) * 0x9E3779B97F4A7C15;
      return (hash >> 40) % 100 < seed * 3;
    };
    const auto candidates = corpus.AllCandidates();
    const auto expected = DecideGreedily(
        corpus.documents(),
        [&](uint32_t document) { return std::span<const uint32_t>(candidates[document]); },
        matches);
    const std::vector<std::span<const uint64_t>> views(corpus.columns.begin(),
                                                       corpus.columns.end());
    for (const size_t threads : {1u, 2u, 4u}) {
      const auto executor = MakeThreadPool(threads);
      const auto decision = DecideByBands(
          FindSharedBuckets(views, *executor), corpus.documents(), 0, {},
          [&](size_t, uint32_t document, uint32_t kept) { return matches(document, kept); },
          *executor);
      EXPECT_EQ(decision.keepers, expected) << seed << ' ' << threads;
    }
  }
}

TEST(ParallelGreedy, NearCopiesOfOneDocumentCostOneCheckEachAndAFewAhead) {
  const JoinCorpus corpus = ClusteredCorpus(1, 3000, 1, 5);
  const auto decision = DecideFast(corpus, 0.7, 2);
  EXPECT_EQ(KeptOf(decision), 1u);
  EXPECT_LT(decision.verified_pairs, 3100u);
}

TEST(ParallelGreedy, AHotBucketIsLeftToTheExactJoin) {
  const JoinCorpus corpus = TemplateCorpus(700);
  const auto all = DecideFast(corpus, 0.8, 2);
  const auto joined = DecideFast(corpus, 0.8, 2, 20);
  EXPECT_EQ(all.hot_buckets, 0u);
  EXPECT_GE(joined.hot_buckets, 1u);
  EXPECT_EQ(joined.keepers, all.keepers);
  EXPECT_LT(joined.verified_pairs, all.verified_pairs / 10);
}

// Puts the same template in four large buckets, and adds many small ones.
JoinCorpus FourBucketsCorpus(size_t documents) {
  JoinCorpus corpus = TemplateCorpus(documents);
  std::mt19937_64 random(12);
  for (size_t d = 0; d < documents; ++d) {
    corpus.columns.back()[d] = d % 10 == 9 ? corpus.columns.back()[d - 1] : 7 + random() % 4;
  }
  corpus.columns.push_back(std::vector<uint64_t>(documents));
  for (uint64_t& key : corpus.columns.back()) key = 1 + random() % documents;
  return corpus;
}

TEST(ParallelGreedy, SlowManyFruitlessPairsSwitchToTheJoinBeforeABucketIsFull) {
  const JoinCorpus corpus = FourBucketsCorpus(1100);
  const auto all = DecideFast(corpus, 0.8, 1);
  const auto joined = DecideFast(corpus, 0.8, 1, 100000);  // no bucket can be so large
  EXPECT_GE(joined.hot_buckets, 4u);
  EXPECT_LT(joined.verified_pairs, all.verified_pairs / 2);
  ExpectEqualsTheRule(corpus, 0.8, "four buckets");
}

TEST(ParallelGreedy, AFewFruitlessPairsAreNotWorthTheJoin) {
  EXPECT_EQ(DecideFast(TemplateCorpus(200), 0.8, 1, 100000).hot_buckets, 0u);
}

// Document 2 is checked ahead with 0, which does not match, then with 1, which does. The result for
// 1 says nothing about 0.
TEST(ParallelGreedy, AMatchFoundAheadIsNotTakenForAnEarlierMismatch) {
  const Columns columns = {{7, 0, 7}, {0, 9, 9}};
  const std::vector<std::span<const uint64_t>> views(columns.begin(), columns.end());
  const auto executor = MakeInlineExecutor();
  const auto decision = DecideByBands(
      FindSharedBuckets(views, *executor), 3, 0, {},
      [](size_t, uint32_t document, uint32_t kept) { return document == 2 && kept == 1; },
      *executor);
  EXPECT_EQ(decision.keepers, (std::vector<uint32_t>{kKept, kKept, 1}));
  EXPECT_EQ(decision.verified_pairs, 2u);
}

TEST(ParallelGreedy, AKeeperFoundAheadThatIsRemovedItselfIsNoKeeper) {
  const Columns columns = {{7, 7, 0}, {0, 9, 9}};
  const std::vector<std::span<const uint64_t>> views(columns.begin(), columns.end());
  const auto executor = MakeInlineExecutor();
  const auto decision = DecideByBands(
      FindSharedBuckets(views, *executor), 3, 0, {},
      [](size_t, uint32_t, uint32_t) { return true; }, *executor);
  EXPECT_EQ(decision.keepers, (std::vector<uint32_t>{kKept, 0, kKept}));
}

TEST(ParallelGreedy, ProgressAscendsToTheTotalAndChangesNothing) {
  const JoinCorpus corpus = ClusteredCorpus(5, 3000, 800, 60);
  const auto quiet = DecideFast(corpus, 0.7, 2);
  std::vector<uint64_t> reports;
  const auto told = DecideFast(corpus, 0.7, 2, UINT64_MAX, [&](uint64_t decided, uint64_t total) {
    EXPECT_GE(decided, reports.empty() ? 0 : reports.back());
    EXPECT_LE(decided, total);
    reports.push_back(decided);
    return true;
  });
  EXPECT_FALSE(told.stopped);
  EXPECT_EQ(told.keepers, quiet.keepers);
  EXPECT_GE(reports.size(), 5u);
  EXPECT_GT(reports.back(), 2000u);
}

void ExpectStopsAtEachReport(const JoinCorpus& corpus, double threshold) {
  size_t reports_of_all = 0;
  const auto all = DecideFast(corpus, threshold, 2, 20,
                              [&](uint64_t, uint64_t) { return ++reports_of_all > 0; });
  for (size_t limit = 0; limit < reports_of_all; ++limit) {
    size_t reports = 0;
    const auto part =
        DecideFast(corpus, threshold, 2, 20, [&](uint64_t, uint64_t) { return reports++ < limit; });
    EXPECT_TRUE(part.stopped);
    EXPECT_EQ(reports, limit + 1);
    for (size_t d = 0; d < part.keepers.size(); ++d) {
      EXPECT_TRUE(part.keepers[d] == kKept || part.keepers[d] == all.keepers[d]) << d;
    }
  }
}

TEST(ParallelGreedy, StopsAtAReportWithoutAnotherCheckAndWhatItDecidedStands) {
  ExpectStopsAtEachReport(TemplateCorpus(2000), 0.8);
  ExpectStopsAtEachReport(ClusteredCorpus(6, 2000, 20, 40), 0.7);
}

TEST(ParallelGreedy, WithoutShinglesNoBucketIsHot) {
  const JoinCorpus corpus = ChainCorpus(300);
  const std::vector<std::span<const uint64_t>> views(corpus.columns.begin(), corpus.columns.end());
  const auto executor = MakeInlineExecutor();
  const auto decision = DecideByBands(
      FindSharedBuckets(views, *executor), 300, 0, {.max_bucket_kept = 5, .shingles = {}},
      [&](size_t, uint32_t document, uint32_t kept) { return corpus.Matches(document, kept, 0.8); },
      *executor);
  EXPECT_EQ(decision.hot_buckets, 0u);
  EXPECT_EQ(decision.keepers, DecideSlowly(corpus, 0.8, corpus.AllCandidates()));
}

TEST(ParallelGreedy, ByJoinEqualsTheRuleOverAllPairs) {
  for (const double threshold : {0.5, 2.0 / 3.0, 0.8}) {
    for (const JoinCorpus& corpus : {ClusteredCorpus(3, 500, 25, 60), TemplateCorpus(400),
                                     ChainCorpus(400), ClusteredCorpus(4, 0, 1, 1)}) {
      std::vector<std::vector<uint32_t>> everyone(corpus.documents());
      for (uint32_t d = 0; d < corpus.documents(); ++d) {
        for (uint32_t k = 0; k < d; ++k) everyone[d].push_back(k);
      }
      const auto expected = DecideSlowly(corpus, threshold, everyone);
      const std::vector<std::span<const uint64_t>> sets(corpus.sets.begin(), corpus.sets.end());
      for (const size_t threads : {1u, 2u, 4u}) {
        const auto executor = MakeThreadPool(threads);
        const auto decision = DecideByJoin(
            *PrefixJoin::Create(threshold, sets, *executor), 0,
            [&](size_t, uint32_t document, uint32_t kept) {
              return corpus.Matches(document, kept, threshold);
            },
            *executor);
        EXPECT_EQ(decision.keepers, expected) << threshold << ' ' << threads;
      }
    }
  }
}

}  // namespace
}  // namespace zhiwen
