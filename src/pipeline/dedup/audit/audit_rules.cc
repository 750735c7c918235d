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

Result<bool> SlowComparer::RowHolds(const RemovalRow& row, const AuditedText& document,
                                    const AuditedText& keeper) {
  if (document.text.empty() || keeper.text.empty()) return false;
  if (!row.against && document.group != keeper.group) return false;
  if (row.equal_exact && !row.against) {
    return SlowEqual(ExactChannel(), document.text, keeper.text);
  }
  const RemovalRules& rules = run_->rules;
  if (rules.mode == DedupMode::kExact && !row.against) return false;
  ZHIWEN_RETURN_IF_ERROR(shingles_.Read(rules.channel, document.text));
  if (const KeeperKey key{row.against, row.keeper}; keeper_ != key) {
    keeper_.reset();
    ZHIWEN_RETURN_IF_ERROR(of_other_.Read(rules.channel, keeper.text));
    keeper_ = key;
  }
  const SetOverlap overlap{shingles_.size(), of_other_.size(), shingles_.CountShared(of_other_)};
  if (!row.equal_channel && overlap != row.Overlap()) return false;
  if (row.against) {
    return ReferenceRowHolds(*run_, row, document.text, shingles_, keeper.text, of_other_);
  }
  if (shingles_.empty() || of_other_.empty()) return false;
  if (row.equal_channel) return SlowEqual(rules.channel, document.text, keeper.text);
  if (rules.mode == DedupMode::kContained) {
    return shingles_.size() >= kLeastContainedSize && of_other_.size() >= shingles_.size() &&
           Share(overlap.shared, shingles_.size()) >= rules.threshold;
  }
  return SlowResemblance(overlap) >= rules.threshold;
}

Status SlowComparer::TakeUp(const AuditedText& document) {
  document_ = &document;
  keeper_.reset();
  if (run_->rules.mode == DedupMode::kExact && run_->references == nullptr) return {};
  return shingles_.Read(run_->rules.channel, document.text);
}

Result<bool> SlowComparer::MatchesKept(const AuditedText& other) {
  const std::string_view text = document_->text;
  if (text.empty() || other.text.empty() || document_->group != other.group) return false;
  const RemovalRules& rules = run_->rules;
  if (rules.mode == DedupMode::kExact) return SlowEqual(ExactChannel(), text, other.text);
  ZHIWEN_RETURN_IF_ERROR(of_other_.Read(rules.channel, other.text));
  if (shingles_.empty() && of_other_.empty()) return SlowEqual(ExactChannel(), text, other.text);
  if (rules.mode == DedupMode::kNear) {
    return SlowResemblance(shingles_, of_other_) >= rules.threshold;
  }
  if (of_other_.size() < shingles_.size()) return false;
  if (shingles_.size() < kLeastContainedSize) return SlowEqual(rules.channel, text, other.text);
  return Share(shingles_.CountShared(of_other_), shingles_.size()) >= rules.threshold;
}

Result<bool> SlowComparer::MatchesReference(const AuditedText& reference) {
  if (document_->text.empty() || reference.text.empty()) return false;
  ZHIWEN_RETURN_IF_ERROR(of_other_.Read(run_->rules.channel, reference.text));
  return MatchesByRule(*run_, document_->text, shingles_, reference.text, of_other_);
}

}  // namespace zhiwen
