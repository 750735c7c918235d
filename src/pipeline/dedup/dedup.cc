#include "zhiwen/dedup.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "cluster/keep_policy.h"
#include "index/band_plan.h"
#include "pipeline/dedup/collapse.h"
#include "pipeline/dedup/decide_near.h"
#include "pipeline/dedup/examples.h"
#include "pipeline/dedup/outputs.h"
#include "pipeline/dedup/sketch_pass.h"
#include "pipeline/dedup/stage_clock.h"

namespace zhiwen {
namespace {

// A pair at the threshold is a candidate with at least this probability (surface: Theorem B).
constexpr double kBandRecall = 0.9999;
constexpr uint32_t kSignatureLimit = 128;
// Below this threshold bands would propose most pairs of a corpus: the exact join takes over.
constexpr double kLowestBandThreshold = 0.7;
constexpr double kLowestThreshold = 0.5;

// The options of a run, checked.
struct Plan {
  KeepPolicy policy;
  SketchPassOptions sketch;
  NearOptions near;
};

Result<Plan> MakePlan(const DedupOptions& options) {
  if (!(options.threshold >= kLowestThreshold && options.threshold <= 1)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("--threshold {} is outside 0.5 … 1; to find lower similarities compare "
                            "two texts with `zhiwen compare`",
                            options.threshold));
  }
  ZHIWEN_ASSIGN_OR_RETURN(KeepPolicy policy, KeepPolicy::Parse(options.keep));
  RecordFields fields{.text = options.text_fields,
                      .id = options.id_field.value_or("id"),
                      .policy = policy.fields()};
  if (fields.text.empty()) return Fail(ErrorCode::kInvalidArgument, "--text-field names no field");
  std::optional<BandPlan> bands;
  if (options.mode == DedupMode::kNear && options.candidates == CandidateSource::kBands &&
      options.threshold >= kLowestBandThreshold) {
    ZHIWEN_ASSIGN_OR_RETURN(bands, PlanBands(options.threshold, kBandRecall, kSignatureLimit));
  }
  SketchPassOptions sketch{fields, options.channel, options.mode, bands};
  NearOptions near{std::move(fields), options.channel, options.threshold, bands,
                   options.max_bucket_kept};
  return Plan{std::move(policy), std::move(sketch), std::move(near)};
}

std::vector<std::pair<std::string, uint64_t>> CountFaults(const DocumentTable& table) {
  std::map<std::string, uint64_t> counts;
  for (const FailedRecord& failed : table.failed) {
    ++counts[std::string(RecordFaultName(failed.fault.reason))];
  }
  return {counts.begin(), counts.end()};
}

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

// A field that somebody named and no record has is a mistake of the command line, not of the
// records.
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

// Theorem A, looked at once more where it would be published.
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

// in = kept + removed + failed: the records and bytes that were read against the rows and bytes
// that were written.
Status CheckAccounts(const RunData& run, const DedupReport& report, const OutputCounts& written) {
  const uint64_t records = report.kept + written.removed_rows + written.failed_rows;
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

Result<Decisions> Decide(const DedupInputs& inputs, const Plan& plan, DocumentTable& table,
                         StageClock& stages, const DedupEnvironment& environment) {
  const std::vector<DocumentIndex> representatives = CollapseEqual(table);
  stages.End("collapse", 0);
  Decisions decisions;
  if (plan.sketch.mode == DedupMode::kExact) {
    decisions.documents.resize(table.entries.size());
    for (DocumentIndex d = 0; d < representatives.size(); ++d) {
      if (representatives[d] == d) continue;
      decisions.documents[d] = {
          .keeper = representatives[d], .equal_exact = true, .overlap = {}, .equal_channel = true};
    }
    return decisions;
  }
  return DecideNear(inputs, plan.near, representatives, table, stages, environment);
}

Status WriteReport(const DedupReport& report, const DedupOptions& options, OutputFolder& folder) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto file, folder.OpenForWrite("report.json"));
  ZHIWEN_RETURN_IF_ERROR(file->Append(DedupReportToJson(report, options)));
  ZHIWEN_RETURN_IF_ERROR(file->Sync());
  return file->Close();
}

}  // namespace

Result<DedupReport> Dedup(const DedupOptions& options, const DedupEnvironment& environment) {
  StageClock stages(environment.clock);
  ZHIWEN_ASSIGN_OR_RETURN(const Plan plan, MakePlan(options));
  ZHIWEN_ASSIGN_OR_RETURN(const DedupInputs inputs, OpenInputs(environment.files, options.inputs,
                                                               options.output, environment.log));
  ZHIWEN_ASSIGN_OR_RETURN(
      OutputFolder folder,
      OutputFolder::Create(environment.files, options.output, options.overwrite));
  stages.End("open", 0);

  ZHIWEN_ASSIGN_OR_RETURN(DocumentTable table,
                          RunSketchPass(inputs, plan.sketch, plan.policy, environment));
  stages.End("sketch", inputs.total_bytes);
  ZHIWEN_RETURN_IF_ERROR(CheckNamedFields(table, plan, options));
  ZHIWEN_RETURN_IF_ERROR(CheckFailures(inputs, table, options, environment.log));

  ZHIWEN_ASSIGN_OR_RETURN(const Decisions decisions,
                          Decide(inputs, plan, table, stages, environment));
  const RunData run{inputs, table, decisions,
                    options.mode == DedupMode::kExact ? Channel::kExact : options.channel};
  DedupReport report;
  ZHIWEN_RETURN_IF_ERROR(CheckKeepers(run, options.threshold));
  CountDocuments(run, plan, report);
  stages.End("count", 0);
  ZHIWEN_ASSIGN_OR_RETURN(const OutputCounts written, WriteOutputs(run, folder, environment));
  report.kept_bytes = written.kept_bytes;
  report.clusters = written.clusters;
  report.largest_cluster = written.largest_cluster;
  ZHIWEN_RETURN_IF_ERROR(CheckAccounts(run, report, written));
  stages.End("write", report.kept_bytes);
  ZHIWEN_ASSIGN_OR_RETURN(report.examples, ChooseExamples(run, plan.near.fields, environment));
  stages.End("explain", 0);

  report.threads = environment.executor.concurrency();
  report.stages = stages.stages();
  for (const StageTime& stage : report.stages) {
    report.wall_seconds += stage.wall_seconds;
    report.cpu_seconds += stage.cpu_seconds;
  }
  report.peak_memory_bytes = PeakMemoryBytes();
  ZHIWEN_RETURN_IF_ERROR(WriteReport(report, options, folder));
  ZHIWEN_RETURN_IF_ERROR(folder.Publish());
  return report;
}

}  // namespace zhiwen
