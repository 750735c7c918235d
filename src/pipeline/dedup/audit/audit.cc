#include "pipeline/dedup/audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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

// The tasks of an audit: those of removals, then those of kept documents.
struct AuditTasks {
  std::vector<AuditTask> tasks;
  std::vector<RemovalRow> rows;  // of the first tasks
  std::vector<char> is_cut;      // of the others: some that look like it are left out
};

// The removals of a sample of 1000 have a hundredth of all text: the run verified each already.
uint64_t MostInRemovals(uint64_t size, uint64_t code_points) {
  constexpr double kWholeSize = 100'000;
  const double share = std::min(static_cast<double>(size) / kWholeSize, 1.0);
  return share == 1 ? UINT64_MAX : static_cast<uint64_t>(share * static_cast<double>(code_points));
}

Status PlanRemovals(const RunData& run, uint64_t size, uint64_t most_code_points,
                    AuditTasks& planned, DedupAudit& audit) {
  ZHIWEN_ASSIGN_OR_RETURN(RemovalSample sample, DrawRemovals(run, size, most_code_points));
  audit.removals_checked = sample.rows.size();
  audit.removals_too_long = sample.too_long;
  std::ranges::stable_sort(
      sample.rows, {}, [](const RemovalRow& row) { return std::pair(row.against, row.keeper); });
  for (const RemovalRow& row : sample.rows) {
    AuditTask& task = planned.tasks.emplace_back(AuditTask{.document = row.document});
    (row.against ? task.references : task.others).push_back(row.keeper);
  }
  planned.rows = std::move(sample.rows);
  return {};
}

// Fails when one of the drawn removals is wrong.
Status CheckRemovals(const RunData& run, const std::vector<RemovalRow>& rows,
                     const std::vector<char>& holds) {
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

// Documents that were cut have none: they are compared with references alone.
Result<std::vector<SampleCandidates>> FindKeptCandidates(const RunData& run,
                                                         std::span<const DocumentIndex> sample,
                                                         const AuditKeyPlan& keys) {
  std::vector<DocumentIndex> whole;
  const auto is_whole = [&](DocumentIndex d) { return run.removals.IsKeptWhole(d); };
  std::ranges::copy_if(sample, std::back_inserter(whole), is_whole);
  const bool is_contained = run.rules.mode == DedupMode::kContained;
  ZHIWEN_ASSIGN_OR_RETURN(
      std::vector<SampleCandidates> found,
      is_contained ? FindContainers(run, whole) : FindCandidates(run, whole, keys));
  ZHIWEN_RETURN_IF_ERROR(LeaveOutLong(
      found, [&](const std::vector<uint32_t>& numbers) { return ReadCodePoints(run, numbers); }));
  std::vector<SampleCandidates> of_all(sample.size());
  for (size_t i = 0, next = 0; i < sample.size(); ++i) {
    if (is_whole(sample[i])) of_all[i] = std::move(found[next++]);
  }
  return of_all;
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

Status PlanKept(const RunData& run, const KeptSample& sample, const AuditKeyPlan& keys,
                AuditTasks& planned) {
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<SampleCandidates> kept,
                          FindKeptCandidates(run, sample.documents, keys));
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<SampleCandidates> references,
                          FindReferences(run, sample.documents));
  for (size_t i = 0; i < sample.documents.size(); ++i) {
    const bool is_cut = kept[i].is_cut || references[i].is_cut;
    if (kept[i].documents.empty() && references[i].documents.empty() && !is_cut) continue;
    planned.tasks.push_back({.document = sample.documents[i],
                             .others = std::move(kept[i].documents),
                             .references = std::move(references[i].documents)});
    planned.is_cut.push_back(is_cut ? 1 : 0);
  }
  return {};
}

struct KeptMatch {
  bool any = false;
  bool reference = false;
};

Result<KeptMatch> FindMatch(SlowComparer& comparer, size_t documents, const AuditedText& document,
                            std::span<const AuditedText* const> others) {
  KeptMatch match;
  ZHIWEN_RETURN_IF_ERROR(comparer.TakeUp(document));
  for (size_t i = 0; i < documents && !match.any; ++i) {
    ZHIWEN_ASSIGN_OR_RETURN(match.any, comparer.MatchesKept(*others[i]));
  }
  ZHIWEN_RETURN_IF_ERROR(comparer.TakeUpRest());
  for (size_t i = documents; i < others.size() && !match.reference; ++i) {
    ZHIWEN_ASSIGN_OR_RETURN(match.reference, comparer.MatchesReference(*others[i]));
  }
  match.any = match.any || match.reference;
  return match;
}

// What the slow path says of each task.
struct AuditVerdicts {
  std::vector<char> holds;         // of removals
  std::vector<KeptMatch> matches;  // of kept documents
};

Result<AuditVerdicts> Compare(const RunData& run, const AuditTasks& planned,
                              std::span<const DocumentWish> wishes) {
  const size_t removals = planned.rows.size();
  AuditVerdicts verdicts{std::vector<char>(removals),
                         std::vector<KeptMatch>(planned.tasks.size() - removals)};
  std::vector<SlowComparer> comparers(run.environment.executor.concurrency(), SlowComparer(run));
  // All workers together hold half of work_bytes at most from one text to the next.
  const uint64_t most_symbols =
      run.work_bytes / (2 * kBytesPerComparedCodePoint * comparers.size());
  const auto compare = [&](SlowComparer& comparer, size_t task, const AuditedText& document,
                           std::span<const AuditedText* const> others) -> Status {
    if (task >= removals) {
      ZHIWEN_ASSIGN_OR_RETURN(
          verdicts.matches[task - removals],
          FindMatch(comparer, planned.tasks[task].others.size(), document, others));
      return {};
    }
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_right,
                            comparer.RowHolds(planned.rows[task], document, *others.front()));
    verdicts.holds[task] = is_right ? 1 : 0;
    return {};
  };
  const auto compare_and_shrink = [&](size_t worker, size_t task, const AuditedText& document,
                                      std::span<const AuditedText* const> others) {
    Status status = compare(comparers[worker], task, document, others);
    comparers[worker].Shrink(most_symbols);
    return status;
  };
  ZHIWEN_RETURN_IF_ERROR(CompareTexts(run, planned.tasks, wishes, compare_and_shrink));
  return verdicts;
}

// Fills in what was found about kept documents.
void CountKept(const RunData& run, const KeptSample& sample, const std::vector<KeptMatch>& matches,
               const std::vector<char>& is_cut, DedupAudit& audit) {
  for (size_t i = 0; i < matches.size(); ++i) {
    audit.kept_with_a_match += matches[i].any ? 1 : 0;
    audit.kept_with_a_reference += matches[i].reference ? 1 : 0;
    audit.kept_in_part += !matches[i].any && is_cut[i] != 0 ? 1 : 0;
  }
  audit.kept_checked = sample.documents.size();
  audit.kept_too_long = sample.too_long;
  audit.residual = ExactInterval({.hits = audit.kept_with_a_match,
                                  .size = audit.kept_checked,
                                  .population = sample.population,
                                  .unsure = audit.kept_in_part,
                                  .beyond = sample.too_long,
                                  .miss = kAuditMiss});
  const uint64_t removed = run.removals.rows->size() / sizeof(RemovalRow);
  audit.recall = EstimateRecall({removed, sample.population + sample.too_long}, audit.residual);
}

}  // namespace

Result<std::optional<DedupAudit>> AuditRun(const RunData& run, uint64_t size,
                                           const AuditKeyPlan& keys,
                                           std::span<const DocumentWish> wishes) {
  if (size == 0) {
    ZHIWEN_RETURN_IF_ERROR(VisitWishes(run, wishes));
    return std::optional<DedupAudit>();
  }
  DedupAudit audit;
  AuditTasks planned;
  ZHIWEN_ASSIGN_OR_RETURN(const KeptSample sample, DrawKept(run, size));
  ZHIWEN_RETURN_IF_ERROR(
      PlanRemovals(run, size, MostInRemovals(size, sample.code_points), planned, audit));
  ZHIWEN_RETURN_IF_ERROR(PlanKept(run, sample, keys, planned));
  ZHIWEN_ASSIGN_OR_RETURN(const AuditVerdicts verdicts, Compare(run, planned, wishes));
  ZHIWEN_RETURN_IF_ERROR(CheckRemovals(run, planned.rows, verdicts.holds));
  CountKept(run, sample, verdicts.matches, planned.is_cut, audit);
  return std::optional(audit);
}

}  // namespace zhiwen
