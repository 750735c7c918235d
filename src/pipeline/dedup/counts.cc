#include "pipeline/dedup/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "base/hash.h"

namespace zhiwen {
namespace {

// Hashes of ids, open addressing.
class IdSet {
 public:
  explicit IdSet(size_t ids) : slots_(std::bit_ceil(ids * 2 + 2)) {}

  // Returns false when the id was there before.
  bool Insert(std::string_view id) {
    const uint64_t hash = std::max<uint64_t>(HashBytes64(id), 1);  // 0 is a free slot
    size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) & (slots_.size() - 1);
    const bool is_new = slots_[at] == 0;
    slots_[at] = hash;
    return is_new;
  }

 private:
  std::vector<uint64_t> slots_;
};

void CountDuplicateIds(const DocumentTable& table, DedupReport& report) {
  constexpr size_t kExamples = 5;
  IdSet seen(table.entries.size());
  auto& examples = report.duplicate_id_examples;
  for (DocumentIndex d = 0; d < table.entries.size(); ++d) {
    const std::string_view id = table.Id(d);
    if (id.empty() || seen.Insert(id)) continue;
    ++report.duplicate_ids;
    if (examples.size() < kExamples && std::ranges::find(examples, id) == examples.end()) {
      examples.emplace_back(id);
    }
  }
}

}  // namespace

std::vector<std::pair<std::string, uint64_t>> CountFaults(const DocumentTable& table) {
  std::map<std::string, uint64_t> counts;
  for (const FailedRecord& failed : table.failed) {
    ++counts[std::string(RecordFaultName(failed.fault.reason))];
  }
  return {counts.begin(), counts.end()};
}

void CountDocuments(const RunData& run, const Plan& plan, DedupReport& report) {
  const DocumentTable& table = run.table;
  report.documents = table.records;
  for (const Decision& decision : run.decisions.documents) {
    ++(!decision.removed()    ? report.kept
       : decision.equal_exact ? report.removed_exact
                              : report.removed_near);
  }
  report.failed = CountFaults(table);
  for (const DocumentEntry& entry : table.entries) report.empty += entry.is_empty ? 1 : 0;
  for (size_t i = 0; i < plan.policy.fields().size(); ++i) {
    report.missing_policy_values.emplace_back(plan.policy.fields()[i],
                                              table.missing_policy_values[i]);
  }
  CountDuplicateIds(table, report);
  report.input_bytes = run.inputs.total_bytes;
  report.text_bytes = table.text_bytes;
  const DecisionStatistics& statistics = run.decisions.statistics;
  report.candidate_pairs = statistics.candidate_pairs;
  report.verified_pairs = statistics.verified_pairs;
  report.hot_buckets = statistics.hot_buckets;
  report.expected_missed_pairs = statistics.expected_missed_pairs;
  const std::optional<BandPlan>& bands = plan.sketch.bands;
  const bool is_exact = plan.sketch.mode == DedupMode::kExact;
  report.candidate_source = is_exact ? "equal texts"
                            : bands
                                ? fmt::format("bands(bands={},rows={})", bands->bands, bands->rows)
                                : "exact join";
  report.theorem_b_claim = bands ? "probable" : "certain";
}

}  // namespace zhiwen
