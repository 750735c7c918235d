#include "pipeline/dedup/audit/audit_rules.h"

#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "feature/shingles.h"
#include "index/thresholds/containment_threshold.h"

namespace zhiwen {
namespace {

double Share(uint64_t shared, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(whole);
}

// Calls visit(run) for every run of so many symbols as a shingle has.
template <typename Visit>
void ForEachShingle(const std::vector<uint32_t>& symbols, const Visit& visit) {
  for (size_t begin = 0; begin + kShingleLength <= symbols.size(); ++begin) {
    visit(std::span(symbols).subspan(begin, kShingleLength));
  }
}

// Returns the overlap of an input `a` with those shingles of a reference `b` that count by the rule
// of references. Under kContains these are all but the common ones, and none where too few are
// left. `overlap` is that with all of them.
Result<SetOverlap> OverlapThatCounts(const RunData& run, std::string_view a, std::string_view b,
                                     const SetOverlap& overlap) {
  if (run.rules.against.rule != ReferenceRule::kContains) return overlap;
  if (run.references->common().empty()) return overlap;
  std::vector<uint32_t> symbols;
  ZHIWEN_RETURN_IF_ERROR(ReadSlowSymbols(run.rules.channel, b, symbols));
  std::set<std::vector<uint32_t>> common, common_in_a;
  ForEachShingle(symbols, [&](std::span<const uint32_t> shingle) {
    if (run.references->IsCommon(shingle)) common.emplace(shingle.begin(), shingle.end());
  });
  if (common.empty()) return overlap;
  const uint64_t left = overlap.b - common.size();
  if (left < run.rules.LeastLeft()) return SetOverlap{overlap.a, 0, 0};
  ZHIWEN_RETURN_IF_ERROR(ReadSlowSymbols(run.rules.channel, a, symbols));
  ForEachShingle(symbols, [&](std::span<const uint32_t> shingle) {
    std::vector<uint32_t> one(shingle.begin(), shingle.end());
    if (common.contains(one)) common_in_a.insert(std::move(one));
  });
  return SetOverlap{overlap.a, left, overlap.shared - common_in_a.size()};
}

// Whether an input `a` matches a reference `b` by the rule of references, where `overlap` is what
// counts of it. Neither text is empty.
Result<bool> MatchesByRule(const RunData& run, std::string_view a, std::string_view b,
                           const SetOverlap& overlap) {
  const ReferenceIndexOptions& rule = run.rules.against;
  const Channel& channel = run.rules.channel;
  switch (rule.rule) {
    case ReferenceRule::kNear:
    case ReferenceRule::kContainedIn:
      if (overlap.a == 0 && overlap.b == 0) return SlowEqual(ExactChannel(), a, b);
      if (rule.rule == ReferenceRule::kNear) return SlowResemblance(overlap) >= rule.threshold;
      return Share(overlap.shared, overlap.a) >= rule.threshold;
    case ReferenceRule::kContains: {
      std::vector<uint32_t> symbols;
      ZHIWEN_RETURN_IF_ERROR(ReadSlowSymbols(channel, b, symbols));
      if (symbols.empty() || symbols.size() < run.rules.LeastReference()) return false;
      if (symbols.size() < kShingleLength) return SlowShareRun(channel, a, b, symbols.size());
      return overlap.b > 0 && Share(overlap.shared, overlap.b) >= rule.threshold;
    }
    case ReferenceRule::kOverlap:
      return SlowShareRun(channel, a, b, rule.run);
  }
  return false;
}

Result<bool> ReferenceRowHolds(const RunData& run, const RemovalRow& row, std::string_view text,
                               std::string_view reference, const SetOverlap& overlap) {
  if (row.run > 0) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool share_run,
                            SlowShareRun(run.rules.channel, text, reference, row.run));
    if (!share_run) return false;
  }
  return MatchesByRule(run, text, reference, overlap);
}

}  // namespace

Result<bool> SlowComparer::RowHolds(const RemovalRow& row, const AuditedText& document,
                                    const AuditedText& keeper) {
  if (!row.against && document.group != keeper.group) return false;
  if (row.by_key) return !document.key.empty() && document.key == keeper.key;
  if (!run_->rules.AreNear(document.date, keeper.date)) return false;
  if (document.text.empty() || keeper.text.empty()) return false;
  if (row.equal_exact && !row.against) {
    return SlowEqual(ExactChannel(), document.text, keeper.text);
  }
  const RemovalRules& rules = run_->rules;
  if (rules.mode == DedupMode::kExact && !row.against) return false;
  if (const KeeperKey key{row.against, row.keeper}; keeper_ != key) {
    keeper_.reset();
    ZHIWEN_RETURN_IF_ERROR(shingles_.Read(rules.channel, keeper.text));
    keeper_ = key;
  }
  ZHIWEN_ASSIGN_OR_RETURN(const SetOverlap of_keeper, CompareWith(document.text));
  SetOverlap overlap{of_keeper.b, of_keeper.a, of_keeper.shared};
  if (row.against) {
    ZHIWEN_ASSIGN_OR_RETURN(overlap, OverlapThatCounts(*run_, document.text, keeper.text, overlap));
  }
  if (!row.equal_channel && overlap != row.Overlap()) return false;
  if (row.against) return ReferenceRowHolds(*run_, row, document.text, keeper.text, overlap);
  if (overlap.a == 0 || overlap.b == 0) return false;
  if (row.equal_channel) return SlowEqual(rules.channel, document.text, keeper.text);
  if (rules.mode == DedupMode::kContained) {
    return overlap.a >= kLeastContainedSize && overlap.b >= overlap.a &&
           Share(overlap.shared, overlap.a) >= rules.threshold;
  }
  return SlowResemblance(overlap) >= rules.threshold;
}

Status SlowComparer::TakeUp(const AuditedText& document) {
  document_ = &document;
  text_ = document.text;
  keeper_.reset();
  if (run_->rules.mode == DedupMode::kExact && run_->references == nullptr) return {};
  return shingles_.Read(run_->rules.channel, document.text);
}

Status SlowComparer::TakeUpRest() {
  if (!document_->rest) return {};
  text_ = *document_->rest;
  return shingles_.Read(run_->rules.channel, text_);
}

Result<bool> SlowComparer::MatchesKept(const AuditedText& other) {
  const std::string_view text = text_;
  if (!run_->rules.AreNear(document_->date, other.date)) return false;
  if (text.empty() || other.text.empty() || document_->group != other.group) return false;
  const RemovalRules& rules = run_->rules;
  if (rules.mode == DedupMode::kExact) return SlowEqual(ExactChannel(), text, other.text);
  ZHIWEN_ASSIGN_OR_RETURN(const SetOverlap overlap, CompareWith(other.text));
  if (overlap.a == 0 && overlap.b == 0) return SlowEqual(ExactChannel(), text, other.text);
  if (rules.mode == DedupMode::kNear) return SlowResemblance(overlap) >= rules.threshold;
  if (overlap.b < overlap.a) return false;
  if (overlap.a < kLeastContainedSize) return SlowEqual(rules.channel, text, other.text);
  return Share(overlap.shared, overlap.a) >= rules.threshold;
}

Result<bool> SlowComparer::MatchesReference(const AuditedText& reference) {
  if (text_.empty() || reference.text.empty()) return false;
  if (!run_->rules.AreNear(document_->date, reference.date)) return false;
  ZHIWEN_ASSIGN_OR_RETURN(const SetOverlap all, CompareWith(reference.text));
  ZHIWEN_ASSIGN_OR_RETURN(const SetOverlap overlap,
                          OverlapThatCounts(*run_, text_, reference.text, all));
  return MatchesByRule(*run_, text_, reference.text, overlap);
}

Result<SetOverlap> SlowComparer::CompareWith(std::string_view text) {
  ZHIWEN_RETURN_IF_ERROR(ReadSlowSymbols(run_->rules.channel, text, symbols_));
  return shingles_.Compare(symbols_);
}

}  // namespace zhiwen
