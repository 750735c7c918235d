#include "pipeline/dedup/audit/audit_rules.h"

#include <string_view>

#include "index/thresholds/containment_threshold.h"

namespace zhiwen {
namespace {

double Share(uint64_t shared, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(whole);
}

// Whether an input `a` matches a reference `b` by the rule of references. Neither is empty.
Result<bool> MatchesByRule(const RunData& run, std::string_view a, const SlowSet& a_set,
                           std::string_view b, const SlowSet& b_set) {
  const ReferenceIndexOptions& rule = run.rules.against;
  const Channel& channel = run.rules.channel;
  switch (rule.rule) {
    case ReferenceRule::kNear:
    case ReferenceRule::kContainedIn:
      if (a_set.empty() && b_set.empty()) return SlowEqual(ExactChannel(), a, b);
      if (rule.rule == ReferenceRule::kNear) return SlowResemblance(a_set, b_set) >= rule.threshold;
      return Share(a_set.CountShared(b_set), a_set.size()) >= rule.threshold;
    case ReferenceRule::kContains: {
      if (!b_set.empty()) return Share(a_set.CountShared(b_set), b_set.size()) >= rule.threshold;
      ZHIWEN_ASSIGN_OR_RETURN(const SpannedSymbols symbols, ComputeSymbols(channel, b));
      if (symbols.symbols.empty()) return false;
      return SlowShareRun(channel, a, b, symbols.symbols.size());
    }
    case ReferenceRule::kOverlap:
      return SlowShareRun(channel, a, b, rule.run);
  }
  return false;
}

Result<bool> ReferenceRowHolds(const RunData& run, const RemovalRow& row, std::string_view text,
                               const SlowSet& shingles, std::string_view reference,
                               const SlowSet& of_reference) {
  if (row.run > 0) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool share_run,
                            SlowShareRun(run.rules.channel, text, reference, row.run));
    if (!share_run) return false;
  }
  return MatchesByRule(run, text, shingles, reference, of_reference);
}

}  // namespace

Result<bool> RowHolds(const RunData& run, const RemovalRow& row, const AuditedText& document,
                      const AuditedText& keeper) {
  if (!row.against && document.group != keeper.group) return false;
  if (row.by_key) return !document.key.empty() && document.key == keeper.key;
  if (!run.rules.AreNear(document.date, keeper.date)) return false;
  if (document.text.empty() || keeper.text.empty()) return false;
  if (row.equal_exact && !row.against) {
    return SlowEqual(ExactChannel(), document.text, keeper.text);
  }
  if (run.rules.mode == DedupMode::kExact && !row.against) return false;
  const Channel& channel = run.rules.channel;
  ZHIWEN_ASSIGN_OR_RETURN(const SlowSet shingles, SlowShingles(channel, document.text));
  ZHIWEN_ASSIGN_OR_RETURN(const SlowSet of_keeper, SlowShingles(channel, keeper.text));
  const SetOverlap overlap{shingles.size(), of_keeper.size(), shingles.CountShared(of_keeper)};
  if (!row.equal_channel && overlap != row.Overlap()) return false;
  if (row.against) {
    return ReferenceRowHolds(run, row, document.text, shingles, keeper.text, of_keeper);
  }
  if (shingles.empty() || of_keeper.empty()) return false;
  if (row.equal_channel) return SlowEqual(channel, document.text, keeper.text);
  if (run.rules.mode == DedupMode::kContained) {
    return shingles.size() >= kLeastContainedSize && of_keeper.size() >= shingles.size() &&
           Share(overlap.shared, shingles.size()) >= run.rules.threshold;
  }
  return SlowResemblance(overlap) >= run.rules.threshold;
}

Result<SlowMatcher> SlowMatcher::Create(const RunData& run, const AuditedText& document) {
  SlowMatcher matcher(run, document);
  if (run.rules.mode == DedupMode::kExact && run.references == nullptr) return matcher;
  ZHIWEN_ASSIGN_OR_RETURN(matcher.shingles_, SlowShingles(run.rules.channel, document.text));
  return matcher;
}

Result<bool> SlowMatcher::MatchesKept(const AuditedText& other) const {
  const std::string_view text = document_.text;
  if (!run_.rules.AreNear(document_.date, other.date)) return false;
  if (text.empty() || other.text.empty() || document_.group != other.group) return false;
  if (run_.rules.mode == DedupMode::kExact) return SlowEqual(ExactChannel(), text, other.text);
  const Channel& channel = run_.rules.channel;
  ZHIWEN_ASSIGN_OR_RETURN(const SlowSet shingles, SlowShingles(channel, other.text));
  if (shingles_.empty() && shingles.empty()) return SlowEqual(ExactChannel(), text, other.text);
  if (run_.rules.mode == DedupMode::kNear) {
    return SlowResemblance(shingles_, shingles) >= run_.rules.threshold;
  }
  if (shingles.size() < shingles_.size()) return false;
  if (shingles_.size() < kLeastContainedSize) return SlowEqual(channel, text, other.text);
  return Share(shingles_.CountShared(shingles), shingles_.size()) >= run_.rules.threshold;
}

Result<bool> SlowMatcher::MatchesReference(const AuditedText& reference) const {
  if (document_.text.empty() || reference.text.empty()) return false;
  if (!run_.rules.AreNear(document_.date, reference.date)) return false;
  ZHIWEN_ASSIGN_OR_RETURN(const SlowSet shingles, SlowShingles(run_.rules.channel, reference.text));
  return MatchesByRule(run_, document_.text, shingles_, reference.text, shingles);
}

}  // namespace zhiwen
