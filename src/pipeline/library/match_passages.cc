#include "pipeline/library/match_passages.h"

#include <algorithm>
#include <functional>
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

void SetExpected(CheckedText& checked) {
  if (checked.symbols == 0) return;
  for (CheckMatch& match : checked.matches) {
    SetExpected(checked.units, checked.symbols, match.passages, match.excluded);
  }
}

MatchPassages::MatchPassages(std::span<const ByteSpan> units, PassageSearch search)
    : units_(units), search_(std::move(search)) {}

Result<MatchPassages> MatchPassages::Create(std::string_view text, std::span<const ByteSpan> units,
                                            std::vector<Channel> channels) {
  ZHIWEN_ASSIGN_OR_RETURN(
      PassageSearch search,
      PassageSearch::Create(
          text, {.channels = std::move(channels), .least_score = LeastPassageScore(units.size())}));
  return MatchPassages(units, std::move(search));
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
  for (CopiedPassage& passage : match.passages) {
    passage.expected.reset();  // of the library, which is not known here
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

UnionOfMatches::UnionOfMatches(size_t units) : is_matched_(units) {
  is_excluded_.fill(is_matched_);
}

void UnionOfMatches::Add(const MatchPassages& passages, CheckMatch& match) {
  passages.Mark(match, is_matched_);
  for (size_t i = 0; i < kExclusionReasons; ++i) {
    ExclusionReasons reason;
    reason.Add(static_cast<ExclusionReason>(i));
    passages.MarkExcluded(match, is_excluded_[i], reason);
  }
}

void UnionOfMatches::Count(CheckedText& checked) const {
  std::vector<bool> marked = is_matched_;
  const auto count = [&] { return static_cast<uint64_t>(std::ranges::count(marked, true)); };
  checked.union_matched = checked.union_before = count();
  for (size_t i = 0; i < kExclusionReasons; ++i) {
    std::transform(marked.begin(), marked.end(), is_excluded_[i].begin(), marked.begin(),
                   std::logical_or());
    const uint64_t less = std::exchange(checked.union_before, count());
    if (checked.union_before == less) continue;
    checked.excluded.push_back({static_cast<ExclusionReason>(i), checked.union_before - less});
  }
}

}  // namespace zhiwen
