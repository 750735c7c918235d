#include "pipeline/dedup/audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/dedup/audit/audit_containers.h"
#include "pipeline/dedup/audit/audit_estimates.h"
#include "pipeline/dedup/audit/audit_references.h"
#include "pipeline/dedup/audit/audit_rules.h"
#include "pipeline/dedup/audit/audit_sample.h"
#include "pipeline/dedup/audit/audit_texts.h"

namespace zhiwen {
namespace {

// Fills in what is found about removals.
Status CheckRemovals(const RunData& run, uint64_t size, DedupAudit& audit) {
  ZHIWEN_ASSIGN_OR_RETURN(const RemovalSample sample, DrawRemovals(run, size));
  const std::vector<RemovalRow>& rows = sample.rows;
  audit.removals_checked = rows.size();
  audit.removals_too_long = sample.too_long;
  std::vector<AuditTask> tasks;
  tasks.reserve(rows.size());
  for (const RemovalRow& row : rows) {
    tasks.push_back({.document = row.document});
    (row.against ? tasks.back().references : tasks.back().others).push_back(row.keeper);
  }
  std::vector<char> holds(rows.size());
  ZHIWEN_RETURN_IF_ERROR(CompareTexts(run, tasks,
                                      [&](size_t task, const AuditedText& document,
                                          std::span<const AuditedText* const> others) -> Status {
                                        ZHIWEN_ASSIGN_OR_RETURN(
                                            const bool is_right,
                                            RowHolds(run, rows[task], document, *others.front()));
                                        holds[task] = is_right ? 1 : 0;
                                        return {};
                                      }));
  const auto wrong = std::ranges::find(holds, 0);
  if (wrong == holds.end()) return {};
  const RemovalRow& row = rows[static_cast<size_t>(wrong - holds.begin())];
  ZHIWEN_ASSIGN_OR_RETURN(const std::string label, DocumentLabelText(run, row.document));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string keeper, KeeperLabelText(run, row));
  return Fail(ErrorCode::kInternal,
              fmt::format("the audit found that \"{}\" does not match \"{}\", for which it would "
                          "have been removed; nothing was published. Please report it with both "
                          "records",
                          label, keeper));
}

// A drawn document with what it is compared with.
struct KeptTask {
  AuditTask task;
  bool is_cut = false;  // some that look like it are left out
};

// Takes candidates out that are too long for the slow path. `code_points` looks up the lengths of
// ascending numbers.
template <typename CodePoints>
Status LeaveOutLong(std::vector<SampleCandidates>& found, const CodePoints& code_points) {
  std::vector<uint32_t> numbers;
  for (const SampleCandidates& one : found) {
    numbers.insert(numbers.end(), one.documents.begin(), one.documents.end());
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<uint32_t> sizes, code_points(numbers));
  for (SampleCandidates& one : found) {
    const auto left_out = std::erase_if(one.documents, [&](uint32_t number) {
      const auto at = std::ranges::lower_bound(numbers, number) - numbers.begin();
      return sizes[static_cast<size_t>(at)] > kMostAuditedCodePoints;
    });
    one.is_cut = one.is_cut || left_out > 0;
  }
  return {};
}

Result<std::vector<SampleCandidates>> FindKeptCandidates(const RunData& run,
                                                         std::span<const DocumentIndex> sample,
                                                         const AuditKeyPlan& keys) {
  const bool is_contained = run.rules.mode == DedupMode::kContained;
  ZHIWEN_ASSIGN_OR_RETURN(
      std::vector<SampleCandidates> found,
      is_contained ? FindContainers(run, sample) : FindCandidates(run, sample, keys));
  ZHIWEN_RETURN_IF_ERROR(LeaveOutLong(
      found, [&](const std::vector<uint32_t>& numbers) { return ReadCodePoints(run, numbers); }));
  return found;
}

Result<std::vector<SampleCandidates>> FindReferences(const RunData& run,
                                                     std::span<const DocumentIndex> sample) {
  if (run.references == nullptr) return std::vector<SampleCandidates>(sample.size());
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<SampleCandidates> found,
                          FindReferenceCandidates(run, sample));
  ZHIWEN_RETURN_IF_ERROR(LeaveOutLong(found, [&](const std::vector<uint32_t>& numbers) {
    return ReadReferenceCodePoints(run, numbers);
  }));
  return found;
}

Result<std::vector<KeptTask>> PlanKeptTasks(const RunData& run, const KeptSample& sample,
                                            const AuditKeyPlan& keys) {
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<SampleCandidates> kept,
                          FindKeptCandidates(run, sample.documents, keys));
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<SampleCandidates> references,
                          FindReferences(run, sample.documents));
  std::vector<KeptTask> tasks;
  for (size_t i = 0; i < sample.documents.size(); ++i) {
    const bool is_cut = kept[i].is_cut || references[i].is_cut;
    if (kept[i].documents.empty() && references[i].documents.empty() && !is_cut) continue;
    tasks.push_back({{.document = sample.documents[i],
                      .others = std::move(kept[i].documents),
                      .references = std::move(references[i].documents)},
                     is_cut});
  }
  return tasks;
}

struct KeptMatch {
  bool any = false;
  bool reference = false;
};

Result<KeptMatch> FindMatch(const RunData& run, size_t documents, const AuditedText& document,
                            std::span<const AuditedText* const> others) {
  KeptMatch match;
  ZHIWEN_ASSIGN_OR_RETURN(const SlowMatcher matcher, SlowMatcher::Create(run, document));
  for (size_t i = 0; i < documents && !match.any; ++i) {
    ZHIWEN_ASSIGN_OR_RETURN(match.any, matcher.MatchesKept(*others[i]));
  }
  for (size_t i = documents; i < others.size() && !match.reference; ++i) {
    ZHIWEN_ASSIGN_OR_RETURN(match.reference, matcher.MatchesReference(*others[i]));
  }
  match.any = match.any || match.reference;
  return match;
}

// Fills in what is found about kept documents.
Status CheckKept(const RunData& run, uint64_t size, const AuditKeyPlan& keys, DedupAudit& audit) {
  ZHIWEN_ASSIGN_OR_RETURN(const KeptSample sample, DrawKept(run, size));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<KeptTask> planned, PlanKeptTasks(run, sample, keys));
  std::vector<AuditTask> tasks;
  tasks.reserve(planned.size());
  for (const KeptTask& one : planned) tasks.push_back(one.task);
  std::vector<KeptMatch> matches(tasks.size());
  ZHIWEN_RETURN_IF_ERROR(CompareTexts(run, tasks,
                                      [&](size_t task, const AuditedText& document,
                                          std::span<const AuditedText* const> others) -> Status {
                                        ZHIWEN_ASSIGN_OR_RETURN(
                                            matches[task], FindMatch(run, tasks[task].others.size(),
                                                                     document, others));
                                        return {};
                                      }));
  for (size_t task = 0; task < tasks.size(); ++task) {
    audit.kept_with_a_match += matches[task].any ? 1 : 0;
    audit.kept_with_a_reference += matches[task].reference ? 1 : 0;
    audit.kept_in_part += !matches[task].any && planned[task].is_cut ? 1 : 0;
  }
  audit.kept_checked = sample.documents.size();
  audit.kept_too_long = sample.too_long;
  audit.residual = WilsonInterval({audit.kept_with_a_match, audit.kept_checked});
  const uint64_t removed = run.removals.rows->size() / sizeof(RemovalRow);
  audit.recall = EstimateRecall({removed, sample.population}, audit.residual);
  return {};
}

}  // namespace

Result<std::optional<DedupAudit>> AuditRun(const RunData& run, uint64_t size,
                                           const AuditKeyPlan& keys) {
  if (size == 0) return std::optional<DedupAudit>();
  DedupAudit audit;
  ZHIWEN_RETURN_IF_ERROR(CheckRemovals(run, size, audit));
  ZHIWEN_RETURN_IF_ERROR(CheckKept(run, size, keys, audit));
  return std::optional(audit);
}

}  // namespace zhiwen
