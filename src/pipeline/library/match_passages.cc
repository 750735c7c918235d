#include "pipeline/library/match_passages.h"

#include <algorithm>
#include <utility>

#include "match/passages/channel_symbols.h"
#include "match/passages/passage_parts.h"

namespace zhiwen {

ExclusionReasons EveryReasonButSetPhrases() {
  ExclusionReasons reasons = EveryExclusionReason();
  reasons.Remove({ExclusionReason::kSetPhrase});
  return reasons;
}

double LeastPassageScore(uint64_t units) {
  return std::min<double>(kPassageScore, static_cast<double>(units) / 2);
}

MatchPassages::MatchPassages(std::string_view text, std::span<const ByteSpan> units,
                             PassageSearch search)
    : text_(text), units_(units), points_(text), search_(std::move(search)) {}

Result<MatchPassages> MatchPassages::Create(std::string_view text, std::span<const ByteSpan> units,
                                            std::vector<Channel> channels) {
  ZHIWEN_ASSIGN_OR_RETURN(
      PassageSearch search,
      PassageSearch::Create(
          text, {.channels = std::move(channels), .least_score = LeastPassageScore(units.size())}));
  return MatchPassages(text, units, std::move(search));
}

CopiedPassage MatchPassages::WholeAsPassage(std::string_view original) const {
  const ByteSpan a = {{0}, {text_.size()}}, b = {{0}, {original.size()}};
  return {.a_bytes = a,
          .b_bytes = b,
          .a_points = points_.Of(a),
          .b_points = CodePointTable(original).Of(b),
          .channel = FoldedChannel().name(),
          .kind = text_ == original ? PassageKind::kVerbatim : PassageKind::kDisguised,
          .similarity = 1,
          .pieces = {{a, b}}};
}

// Returns the units that a passage has from its original.
std::vector<SymbolSpan> MatchPassages::UnitsOf(const CopiedPassage& passage) const {
  std::vector<SymbolSpan> units;
  for (const PassagePiece& piece : passage.pieces) {
    for (const PassagePart& part : MatchedParts(passage, piece, PassageSide::kA)) {
      units.push_back(SymbolsIn(units_, part.bytes));
    }
  }
  return units;
}

Status MatchPassages::Find(std::string_view original, std::span<const ByteSpan> parts,
                           const Cancellation& cancellation, CheckMatch& match) {
  ZHIWEN_ASSIGN_OR_RETURN(PassageComparison found, search_.Find(original, parts, cancellation));
  match.passages = std::move(found.passages);
  match.renamed = std::move(found.renamed);
  if (match.passages.empty() && match.relation == Relation::kSame) {
    match.passages.push_back(WholeAsPassage(original));
  }
  for (CopiedPassage& passage : match.passages) {
    passage.matched = 0;
    for (const SymbolSpan& units : UnitsOf(passage)) passage.matched += units.size();
  }
  return {};
}

void MatchPassages::MarkUnits(const CopiedPassage& passage, std::vector<bool>& is_matched) const {
  for (const SymbolSpan& units : UnitsOf(passage)) {
    std::fill_n(is_matched.begin() + static_cast<int64_t>(units.begin.value), units.size(), true);
  }
}

void MatchPassages::MarkExcluded(const CheckMatch& match, std::vector<bool>& is_matched,
                                 ExclusionReasons reasons) const {
  for (const ExcludedPassage& one : match.excluded) {
    if (reasons.Has(one.reason)) MarkUnits(one.passage, is_matched);
  }
}

void MatchPassages::Mark(CheckMatch& match, std::vector<bool>& is_matched) const {
  match.matched = 0;
  match.edits = {};
  for (const CopiedPassage& passage : match.passages) {
    match.matched += passage.matched;
    MarkUnits(passage, is_matched);
    for (const PassageEdit& edit : passage.edits) {
      match.edits[static_cast<size_t>(edit.kind)] += edit.symbols;
    }
  }
}

}  // namespace zhiwen
