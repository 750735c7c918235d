#include "pipeline/dedup/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/dedup/audit_estimates.h"
#include "pipeline/dedup/audit_sample.h"
#include "pipeline/dedup/audit_texts.h"
#include "pipeline/dedup/slow_similarity.h"

namespace zhiwen {
namespace {

// Whether two documents match under the rules of the run. One shape for the many that `text` is
// compared with.
class SlowMatcher {
 public:
  static Result<SlowMatcher> Create(const RunData& run, std::string_view text) {
    SlowMatcher matcher(run, text);
    if (run.options.mode == DedupMode::kExact) return matcher;
    ZHIWEN_ASSIGN_OR_RETURN(matcher.shingles_, SlowShingles(run.channel, text));
    return matcher;
  }

  Result<bool> Matches(std::string_view other) const {
    if (text_.empty() || other.empty()) return false;
    if (run_->options.mode == DedupMode::kExact) return SlowEqual(Channel::kExact, text_, other);
    ZHIWEN_ASSIGN_OR_RETURN(const SlowSet shingles, SlowShingles(run_->channel, other));
    if (shingles_.empty() && shingles.empty()) return SlowEqual(Channel::kExact, text_, other);
    return SlowResemblance(shingles_, shingles) >= run_->options.threshold;
  }

 private:
  SlowMatcher(const RunData& run, std::string_view text) : run_(&run), text_(text) {}

  const RunData* run_;
  std::string_view text_;
  SlowSet shingles_;
};

// Whether everything that the row says of both texts is so.
Result<bool> RowHolds(const RunData& run, const RemovalRow& row, std::string_view text,
                      std::string_view keeper) {
  if (text.empty() || keeper.empty()) return false;
  if (row.equal_exact) return SlowEqual(Channel::kExact, text, keeper);
  if (run.options.mode == DedupMode::kExact) return false;
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<uint32_t> symbols, SlowSymbols(run.channel, text));
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<uint32_t> of_keeper, SlowSymbols(run.channel, keeper));
  if (row.equal_channel && symbols != of_keeper) return false;
  const SlowSet shingles(std::move(symbols));
  if (shingles.empty()) return false;
  if (row.equal_channel) return true;
  const SlowSet kept(std::move(of_keeper));
  const SetOverlap overlap{shingles.size(), kept.size(), shingles.CountShared(kept)};
  return overlap == row.Overlap() && SlowResemblance(overlap) >= run.options.threshold;
}

// Returns how many removals were checked.
Result<uint64_t> CheckRemovals(const RunData& run, uint64_t memory_bytes,
                               const DedupEnvironment& environment) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<RemovalRow> rows, DrawRemovals(run, run.options.audit));
  std::vector<AuditTask> tasks;
  tasks.reserve(rows.size());
  for (const RemovalRow& row : rows) tasks.push_back({row.document, {row.keeper}});
  std::vector<char> holds(rows.size());
  ZHIWEN_RETURN_IF_ERROR(CompareTexts(
      run, tasks, memory_bytes, environment,
      [&](size_t task, std::string_view text, std::span<const std::string_view> others) -> Status {
        ZHIWEN_ASSIGN_OR_RETURN(const bool is_right,
                                RowHolds(run, rows[task], text, others.front()));
        holds[task] = is_right ? 1 : 0;
        return {};
      }));
  const auto wrong = std::ranges::find(holds, 0);
  if (wrong == holds.end()) return rows.size();
  const RemovalRow& row = rows[static_cast<size_t>(wrong - holds.begin())];
  ZHIWEN_ASSIGN_OR_RETURN(const std::string label, DocumentLabelText(run, row.document));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string keeper, DocumentLabelText(run, row.keeper));
  return Fail(ErrorCode::kInternal,
              fmt::format("the audit found that \"{}\" does not match \"{}\", for which it would "
                          "have been removed; nothing was published. Please report it with both "
                          "records",
                          label, keeper));
}

// A drawn document with the kept ones it is compared with.
struct KeptTask {
  AuditTask task;
  bool is_cut = false;  // some that look like it are left out
};

// Leaves out what is too long for the slow path.
Result<KeptTask> PlanKeptTask(const RunData& run, DocumentIndex document,
                              const SampleCandidates& candidates) {
  std::vector<DocumentIndex> ascending = candidates.documents;
  std::ranges::sort(ascending);
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<uint32_t> sizes, ReadCodePoints(run, ascending));
  KeptTask planned{{document, candidates.documents}, candidates.is_cut};
  const auto left_out = std::erase_if(planned.task.others, [&](DocumentIndex d) {
    const auto at = std::ranges::lower_bound(ascending, d) - ascending.begin();
    return sizes[static_cast<size_t>(at)] > kMostAuditedCodePoints;
  });
  planned.is_cut = planned.is_cut || left_out > 0;
  return planned;
}

// Returns for each task whether its document matches one of the others.
Result<std::vector<char>> FindMatches(const RunData& run, std::span<const AuditTask> tasks,
                                      uint64_t memory_bytes, const DedupEnvironment& environment) {
  std::vector<char> matches(tasks.size());
  ZHIWEN_RETURN_IF_ERROR(CompareTexts(
      run, tasks, memory_bytes, environment,
      [&](size_t task, std::string_view text, std::span<const std::string_view> others) -> Status {
        ZHIWEN_ASSIGN_OR_RETURN(const SlowMatcher matcher, SlowMatcher::Create(run, text));
        for (size_t i = 0; i < others.size() && matches[task] == 0; ++i) {
          ZHIWEN_ASSIGN_OR_RETURN(const bool match, matcher.Matches(others[i]));
          matches[task] = match ? 1 : 0;
        }
        return {};
      }));
  return matches;
}

// Fills in what is found about kept documents.
Status CheckKept(const RunData& run, uint64_t memory_bytes, const DedupEnvironment& environment,
                 DedupAudit& audit) {
  ZHIWEN_ASSIGN_OR_RETURN(const KeptSample sample, DrawKept(run, run.options.audit));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<SampleCandidates> found,
                          FindCandidates(run, sample.documents, memory_bytes, environment));
  std::vector<AuditTask> tasks;
  std::vector<bool> is_cut;
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].documents.empty()) continue;
    ZHIWEN_ASSIGN_OR_RETURN(KeptTask planned, PlanKeptTask(run, sample.documents[i], found[i]));
    tasks.push_back(std::move(planned.task));
    is_cut.push_back(planned.is_cut);
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<char> matches,
                          FindMatches(run, tasks, memory_bytes, environment));
  for (size_t task = 0; task < tasks.size(); ++task) {
    audit.kept_with_a_match += matches[task] != 0 ? 1 : 0;
    audit.kept_in_part += matches[task] == 0 && is_cut[task] ? 1 : 0;
  }
  audit.kept_checked = sample.documents.size();
  audit.residual = WilsonInterval({audit.kept_with_a_match, audit.kept_checked});
  const uint64_t removed = run.removals.rows->size() / sizeof(RemovalRow);
  audit.recall = EstimateRecall({removed, sample.population}, audit.residual);
  return {};
}

}  // namespace

Result<std::optional<DedupAudit>> AuditRun(const RunData& run, uint64_t memory_bytes,
                                           const DedupEnvironment& environment) {
  if (run.options.audit == 0 || run.reading.audit.keys == 0) return std::optional<DedupAudit>();
  DedupAudit audit;
  ZHIWEN_ASSIGN_OR_RETURN(audit.removals_checked, CheckRemovals(run, memory_bytes, environment));
  ZHIWEN_RETURN_IF_ERROR(CheckKept(run, memory_bytes, environment, audit));
  return std::optional(audit);
}

}  // namespace zhiwen
