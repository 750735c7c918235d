#include "pipeline/dedup/decide_near.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cluster/greedy.h"
#include "cluster/parallel_greedy.h"
#include "index/prefix_join.h"
#include "index/shared_buckets.h"
#include "match/similarity.h"

namespace zhiwen {
namespace {

// Only representatives are compared; what is not comparable shares no band with anything.
void MaskBandKeys(std::span<const DocumentIndex> representatives, DocumentTable& table) {
  for (auto& keys : table.band_keys) {
    for (DocumentIndex d = 0; d < representatives.size(); ++d) {
      if (representatives[d] != d) keys[d] = kNoBandKey;
    }
  }
}

SharedBuckets FindBuckets(const std::vector<std::vector<uint64_t>>& columns, Executor& executor) {
  const std::vector<std::span<const uint64_t>> views(columns.begin(), columns.end());
  return FindSharedBuckets(views, executor);
}

// The same buckets with documents numbered by rank.
SharedBuckets FindRankedBuckets(const DocumentTable& table, std::span<const DocumentIndex> ranked,
                                Executor& executor) {
  std::vector<std::vector<uint64_t>> columns(table.band_keys.size());
  for (size_t band = 0; band < columns.size(); ++band) {
    columns[band].reserve(ranked.size());
    for (const DocumentIndex d : ranked) columns[band].push_back(table.band_keys[band][d]);
  }
  return FindBuckets(columns, executor);
}

// Every document that may match another one: by bands, or without them every representative that
// has shingles.
std::vector<DocumentIndex> FindComparable(const NearOptions& options,
                                          std::span<const DocumentIndex> representatives,
                                          DocumentTable& table, Executor& executor) {
  if (options.bands) {
    MaskBandKeys(representatives, table);
    return FindBuckets(table.band_keys, executor).documents;
  }
  std::vector<DocumentIndex> documents;
  for (DocumentIndex d = 0; d < representatives.size(); ++d) {
    if (representatives[d] == d && table.entries[d].has_shingles) documents.push_back(d);
  }
  return documents;
}

Result<GreedyDecision> Decide(const NearOptions& options, const DocumentTable& table,
                              const SecondPass& texts, const DedupEnvironment& environment) {
  const MatchCheck matches = [&](size_t, uint32_t document, uint32_t kept) {
    return SetsReachThreshold(texts.sets[document], texts.sets[kept], options.threshold);
  };
  const DecisionProgress progress = [&](uint64_t decided, uint64_t total) {
    environment.progress.Advance("decide", decided, total, "documents");
    return !environment.cancellation.requested();
  };
  if (!options.bands) {
    const std::vector<std::span<const uint64_t>> sets(texts.sets.begin(), texts.sets.end());
    ZHIWEN_ASSIGN_OR_RETURN(PrefixJoin join,
                            PrefixJoin::Create(options.threshold, sets, environment.executor));
    return DecideByJoin(std::move(join), matches, environment.executor, progress);
  }
  const SharedBuckets buckets = FindRankedBuckets(table, texts.ranked, environment.executor);
  const HotBucketOptions hot{
      .max_bucket_kept = options.max_bucket_kept,
      .threshold = options.threshold,
      .shingles = [&](uint32_t document) { return std::span(texts.sets[document]); }};
  return DecideByBands(buckets, static_cast<uint32_t>(texts.ranked.size()), hot, matches,
                       environment.executor, progress);
}

// Every pair by which a document was removed stands for 1 / p of its kind, p being the probability
// of its becoming a candidate; the rest of its kind was missed (Horvitz and Thompson, 1952).
double ExpectedMissedPairs(const BandPlan& plan, std::span<const Decision> decisions) {
  double missed = 0;
  for (const Decision& decision : decisions) {
    if (!decision.removed()) continue;
    const double found = CandidateProbability(plan, decision.Resemblance());
    missed += (1 - found) / found;
  }
  return missed;
}

}  // namespace

Result<Decisions> DecideNear(const DedupInputs& inputs, const NearOptions& options,
                             std::span<const DocumentIndex> representatives, DocumentTable& table,
                             StageClock& stages, const DedupEnvironment& environment) {
  std::vector<DocumentIndex> comparable =
      FindComparable(options, representatives, table, environment.executor);
  stages.End("candidates", 0);
  ZHIWEN_ASSIGN_OR_RETURN(const SecondPass texts,
                          RunSecondPass(inputs, options.fields, options.channel, table,
                                        representatives, std::move(comparable), environment));
  stages.End("shingle sets", 0);
  ZHIWEN_ASSIGN_OR_RETURN(const GreedyDecision greedy, Decide(options, table, texts, environment));
  ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
  table.band_keys = {};

  Decisions decisions;
  decisions.documents.resize(table.entries.size());
  ParallelFor(environment.executor, greedy.keepers.size(), 256, [&](size_t begin, size_t end) {
    for (size_t rank = begin; rank < end; ++rank) {
      const uint32_t keeper = greedy.keepers[rank];
      if (keeper == kKept) continue;
      Decision& decision = decisions.documents[texts.ranked[rank]];
      decision.keeper = texts.ranked[keeper];
      decision.overlap = ComputeOverlap(texts.sets[rank], texts.sets[keeper]);
    }
  });
  DecideCopies(table, representatives, texts.exact, decisions);
  decisions.statistics = {.candidate_pairs = greedy.candidate_pairs,
                          .verified_pairs = greedy.verified_pairs,
                          .hot_buckets = greedy.hot_buckets};
  if (options.bands) {
    decisions.statistics.expected_missed_pairs =
        ExpectedMissedPairs(*options.bands, decisions.documents);
  }
  stages.End("decide", 0);
  return decisions;
}

}  // namespace zhiwen
