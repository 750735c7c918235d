#include "pipeline/dedup/decide_near.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "index/prefix_join.h"
#include "index/resemblance_threshold.h"
#include "match/similarity.h"
#include "pipeline/dedup/shingle_sets.h"

namespace zhiwen {
namespace {

bool IsEligible(const DocumentTable& table, std::span<const DocumentIndex> representatives,
                DocumentIndex d) {
  return representatives[d] == d && table.entries[d].has_shingles;
}

Result<std::vector<uint32_t>> DecideExactly(const RankedSets& ranked, double threshold,
                                            const DedupEnvironment& environment,
                                            DecisionStatistics& statistics) {
  const std::vector<std::span<const uint64_t>> views(ranked.sets.begin(), ranked.sets.end());
  ZHIWEN_ASSIGN_OR_RETURN(PrefixJoin join,
                          PrefixJoin::Create(threshold, views, environment.executor));
  PrefixJoin::Scratch scratch;
  std::vector<uint32_t> candidates;
  std::vector<uint32_t> keepers(views.size(), UINT32_MAX);
  for (uint32_t d = 0; d < views.size(); ++d) {
    if (d % 1024 == 0) {
      ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
      environment.progress.Advance("decide", d, views.size(), "documents");
    }
    candidates.clear();
    join.AppendCandidates(d, 0, scratch, candidates);
    statistics.candidate_pairs += candidates.size();
    const auto match = std::find_if(candidates.begin(), candidates.end(), [&](uint32_t kept) {
      ++statistics.verified_pairs;
      const SetOverlap overlap = ComputeOverlap(views[d], views[kept]);
      return ReachesThreshold(overlap.shared, overlap.a + overlap.b - overlap.shared, threshold);
    });
    if (match == candidates.end()) {
      join.Insert(d);
    } else {
      keepers[d] = *match;
    }
  }
  return keepers;
}

}  // namespace

Result<Decisions> DecideNear(const DedupInputs& inputs, const NearOptions& options,
                             std::span<const DocumentIndex> representatives, DocumentTable& table,
                             StageClock& stages, const DedupEnvironment& environment) {
  Decisions decisions;
  decisions.documents.resize(table.entries.size());
  std::vector<DocumentIndex> chosen;
  for (DocumentIndex d = 0; d < table.entries.size(); ++d) {
    if (IsEligible(table, representatives, d)) chosen.push_back(d);
  }
  stages.End("candidates", 0);
  ZHIWEN_ASSIGN_OR_RETURN(const RankedSets ranked,
                          ReadRankedSets(inputs, options.fields, options.channel, table,
                                         std::move(chosen), environment));
  stages.End("shingle sets", 0);
  ZHIWEN_ASSIGN_OR_RETURN(
      const std::vector<uint32_t> keepers,
      DecideExactly(ranked, options.threshold, environment, decisions.statistics));
  for (size_t r = 0; r < keepers.size(); ++r) {
    if (keepers[r] == UINT32_MAX) continue;
    Decision& decision = decisions.documents[ranked.documents[r]];
    decision.keeper = ranked.documents[keepers[r]];
    decision.overlap = ComputeOverlap(ranked.sets[r], ranked.sets[keepers[r]]);
  }
  stages.End("decide", 0);
  return decisions;
}

}  // namespace zhiwen
