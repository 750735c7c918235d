#include "pipeline/dedup/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/hash.h"

namespace zhiwen {
namespace {

void CountDuplicateIds(const DocumentTable& table, DedupReport& report) {
  constexpr size_t kExamples = 5;
  std::vector<std::pair<uint64_t, DocumentIndex>> hashes;
  hashes.reserve(table.entries.size());
  for (DocumentIndex d = 0; d < table.entries.size(); ++d) {
    if (table.entries[d].id_length > 0) hashes.emplace_back(HashBytes64(table.Id(d)), d);
  }
  std::sort(hashes.begin(), hashes.end());
  std::vector<DocumentIndex> repeated;
  for (size_t i = 1; i < hashes.size(); ++i) {
    if (hashes[i].first == hashes[i - 1].first) repeated.push_back(hashes[i].second);
  }
  std::sort(repeated.begin(), repeated.end());
  report.duplicate_ids = repeated.size();
  for (const DocumentIndex d : repeated) {
    const std::string id(table.Id(d));
    auto& examples = report.duplicate_id_examples;
    if (examples.size() == kExamples) break;
    if (std::find(examples.begin(), examples.end(), id) == examples.end()) examples.push_back(id);
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
