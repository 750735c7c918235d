#include "pipeline/library/shared_text.h"

#include <algorithm>

#include "index/thresholds/containment_threshold.h"
#include "match/similarity.h"
#include "pipeline/library/match_passages.h"
#include "pipeline/library/set_phrases.h"
#include "text/fold.h"
#include "zhiwen/channel.h"
#include "zhiwen/compare.h"

namespace zhiwen {
namespace {

// Texts of fewer symbols may be contained without sharing a passage.
constexpr size_t kShortText = 64;
// First letters of a run: in other texts so many are seldom the same by chance.
constexpr uint32_t kLeastLetters = 16;

}  // namespace

Result<SharedText> CompareOnChannel(const CheckedSuspect& checked, SuspectChannel& suspect,
                                    bool is_folded, const std::string& original,
                                    const Cancellation& cancellation) {
  const uint64_t units = checked.sketch.keys.units;
  SharedText shared;
  suspect.Read(original);
  const bool is_equal = is_folded && suspect.IsEqual();  // texts equal on the exact channel are
  shared.is_exact = is_equal && (checked.text == original ||
                                 HashExactChannel(original) == checked.sketch.keys.exact);
  const bool is_same = shared.is_exact || (is_equal && units > 0);
  ZHIWEN_ASSIGN_OR_RETURN(
      shared.passages,
      suspect.FindPassages(std::min(LeastPassageScore(units), kCandidateScore), cancellation));
  const size_t shorter = std::min<uint64_t>(units, suspect.original().size());
  const bool may_be_contained = is_folded && shorter < kShortText;
  if (shared.passages.empty() && !is_same && !may_be_contained) return shared;
  if (!shared.passages.empty()) suspect.places().Add(shared.passages, suspect.original());
  for (const ChannelPassage& passage : shared.passages) {
    const size_t first = shared.stretches.size();
    ZHIWEN_RETURN_IF_ERROR(suspect.AppendStretches(passage, shared.stretches));
    shared.hulls.push_back({shared.stretches[first].begin, shared.stretches.back().end});
    for (const PassageBlock& block : passage.blocks) {
      for (const SeedMatch& match : block.matches) {
        shared.longest_run = std::max<uint64_t>(shared.longest_run, match.length);
        shared.matched += match.length;
      }
    }
  }
  // Texts that are near, or contained, share most of the shorter one.
  if (!shared.passages.empty() && shared.matched * 4 < shorter && !is_same) {
    shared.relation = Relation::kPassages;
    return shared;
  }
  const SetOverlap overlap = suspect.OverlapOfShingles();
  shared.shares = is_same ? TextShares{1, 1, 1} : TextShares::Of(overlap);
  if (is_same) {
    shared.relation = Relation::kSame;
    shared.longest_run = suspect.original().size();
  } else if (overlap.Reaches(checked.near_threshold)) {
    shared.relation = Relation::kNear;
  } else if (ContainmentReaches(overlap.shared, overlap.b, checked.containment)) {
    shared.relation = Relation::kContains;
  } else if (ContainmentReaches(overlap.shared, overlap.a, checked.containment)) {
    shared.relation = Relation::kContained;
  } else if (!shared.passages.empty()) {
    shared.relation = Relation::kPassages;
  }
  return shared;
}

Result<SharedText> CompareGranules(const CheckedSuspect& checked, SuspectChannel& suspect,
                                   SuspectChannel& folded, TextSketcher& sketcher,
                                   const std::string& original) {
  SharedText shared;
  suspect.Read(original);
  if (!suspect.SharesRun()) return shared;
  ZHIWEN_ASSIGN_OR_RETURN(
      const Comparison compared,
      Compare(checked.text, original, {.channel = suspect.channel(), .min_run = kLeastLetters}));
  ZHIWEN_ASSIGN_OR_RETURN(const bool is_confirmed, suspect.Confirms(original, compared));
  if (!is_confirmed) return shared;
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const ByteSpan> spans, folded.Spans());
  uint64_t units = 0;
  for (const SharedRun& run : compared.runs) {
    const SymbolSpan in_run = SymbolsIn(spans, run.a_bytes);
    units += in_run.size();
    shared.longest_run = std::max(shared.longest_run, in_run.size());
    shared.stretches.push_back(run.a_bytes);
    shared.hulls.push_back(run.a_bytes);
  }
  shared.relation = Relation::kPassages;
  shared.matched = units;
  const SetOverlap folded_sets =
      ComputeOverlap(checked.sketch.shingles, sketcher.ShingleSet(original));
  shared.shares = {folded_sets.Resemblance(), ShareOf(units, checked.sketch.keys.units),
                   ShareOf(compared.b_covered, compared.b_symbols)};
  return shared;
}

void TakeFigures(const SharedText& shared, SuspectChannel& suspect, const std::string& original,
                 CheckMatch& match) {
  std::optional<TextShares> shares = shared.shares;
  if (!shares) {
    suspect.Read(original);
    shares = TextShares::Of(suspect.OverlapOfShingles());
  }
  match.relation = shared.relation;
  match.longest_run = shared.longest_run;
  match.resemblance = shares->resemblance;
  match.containment = shares->containment;
  match.containment_of_original = shares->containment_of_original;
}

}  // namespace zhiwen
