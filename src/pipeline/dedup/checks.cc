#include "pipeline/dedup/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "pipeline/dedup/counts.h"

namespace zhiwen {
namespace {

std::string DescribeFaults(const DedupInputs& inputs, const DocumentTable& table) {
  std::string text;
  for (const auto& [reason, count] : CountFaults(table)) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, reason);
  }
  const FailedRecord& first = table.failed.front();
  return text + fmt::format("; first \"{}\" record {} (byte {}): {}",
                            inputs.files[first.place.file].path, first.place.record,
                            first.place.offset, first.fault.message);
}

}  // namespace

Status CheckNamedFields(const DocumentTable& table, const Plan& plan, const DedupOptions& options) {
  const auto lacks_field = [](const FailedRecord& failed) {
    return failed.fault.reason == RecordFault::Reason::kMissingField;
  };
  const auto lacking = std::ranges::find_if(table.failed, lacks_field);
  if (table.entries.empty() && lacking != table.failed.end()) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("no record has the text field: {}; name it with --text-field",
                            lacking->fault.message));
  }
  if (table.entries.empty()) return {};
  if (options.id_field && table.ids.empty()) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("no record has the id field \"{}\" (--id-field)", *options.id_field));
  }
  for (size_t i = 0; i < plan.policy.fields().size(); ++i) {
    if (table.missing_policy_values[i] == table.entries.size()) {
      return Fail(ErrorCode::kNotFound,
                  fmt::format("no record has a value of \"{}\" that --keep \"{}\" can read",
                              plan.policy.fields()[i], options.keep));
    }
  }
  return {};
}

Status CheckFailures(const DedupInputs& inputs, const DocumentTable& table,
                     const DedupOptions& options, LogSink& log) {
  const uint64_t failed = table.failed.size();
  if (failed == 0) return {};
  const uint64_t records = table.entries.size() + failed;
  const auto share = static_cast<uint64_t>(options.max_failed.share * static_cast<double>(records));
  const uint64_t limit = std::max(options.max_failed.count, share);
  const std::string faults = DescribeFaults(inputs, table);
  if (failed > limit || table.entries.empty()) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("{} of {} records failed, {} are allowed ({}); mend them or raise "
                            "--max-failed",
                            failed, records, table.entries.empty() ? 0 : limit, faults));
  }
  log.Warn(fmt::format("{} of {} records failed and are in failed.jsonl.zst ({})", failed, records,
                       faults));
  return {};
}

Status CheckKeepers(const RunData& run, double threshold) {
  for (DocumentIndex d = 0; d < run.decisions.documents.size(); ++d) {
    const Decision& decision = run.decisions.documents[d];
    if (!decision.removed()) continue;
    const bool matches = decision.equal_channel || decision.overlap.Reaches(threshold);
    if (matches && !run.decisions.documents[decision.keeper].removed()) continue;
    return Fail(ErrorCode::kInternal,
                fmt::format("\"{}\" would have been removed without a kept match; nothing was "
                            "published",
                            DocumentLabel(run, d)));
  }
  return {};
}

Status CheckAccounts(const RunData& run, uint64_t kept, const OutputCounts& written) {
  const uint64_t records = kept + written.removed_rows + written.failed_rows;
  uint64_t bytes = run.table.blank_bytes + written.kept_bytes;
  for (DocumentIndex d = 0; d < run.table.entries.size(); ++d) {
    if (run.decisions.documents[d].removed()) bytes += run.table.entries[d].place.length;
  }
  for (const FailedRecord& failed : run.table.failed) bytes += failed.place.length;
  if (records == run.table.records && bytes == run.inputs.total_bytes) return {};
  return Fail(ErrorCode::kInternal,
              fmt::format("{} records of {} bytes were read, but {} of {} bytes are accounted for; "
                          "nothing was published",
                          run.table.records, run.inputs.total_bytes, records, bytes));
}

}  // namespace zhiwen
