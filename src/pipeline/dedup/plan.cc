#include "pipeline/dedup/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "feature/shingles.h"
#include "index/bands/band_plan.h"

namespace zhiwen {
namespace {

// A pair at the threshold is a candidate with at least this probability (surface: Theorem B).
constexpr double kBandRecall = 0.9999;
constexpr uint32_t kSignatureLimit = 128;
// Below this threshold bands would propose most pairs of a corpus: the exact join takes over.
constexpr double kLowestBandThreshold = 0.7;
constexpr double kLowestThreshold = 0.5;

// Of the bound on memory: the program, blocks and frames on their way, tables of formats.
constexpr uint64_t kFixedMemory = uint64_t{64} << 20;
// Arrays by document, at their peak.
constexpr uint64_t kMemoryPerDocument = 24;
constexpr uint64_t kLeastWork = uint64_t{8} << 20;
// A row group of Parquet larger than this part of the memory ends the run.
constexpr uint64_t kRowGroupsInMemory = 2;

// What a range of the shingles of a large text may take, with the memory to sort it.
constexpr uint64_t kRangesInMemory = 8;

constexpr uint64_t kMebibyte = uint64_t{1} << 20;

Status CheckThresholds(const DedupOptions& options) {
  const auto is_share = [](double threshold) { return threshold > 0 && threshold <= 1; };
  if (options.mode != DedupMode::kNear) {
    if (!is_share(options.threshold)) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("--threshold {} is outside 0 … 1", options.threshold));
    }
  } else if (!(options.threshold >= kLowestThreshold && options.threshold <= 1)) {
    const bool has_references = !options.against.empty();
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("--threshold {} is outside 0.5 … 1; {}", options.threshold,
                    has_references
                        ? "a lower one of references is given as --against-threshold"
                        : "for texts that lie in others use --mode contained, to find lower "
                          "similarities compare two texts with `zhiwen compare`"));
  }
  if (options.against.empty()) return {};
  if (options.against_threshold && !is_share(*options.against_threshold)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("--against-threshold {} is outside 0 … 1", *options.against_threshold));
  }
  if (options.against_run < kShingleLength) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("--run {} is below the least, {}",
                                                         options.against_run, kShingleLength));
  }
  return {};
}

}  // namespace

Result<Plan> MakePlan(const DedupOptions& options) {
  ZHIWEN_RETURN_IF_ERROR(CheckThresholds(options));
  if (options.memory_bytes < kLeastDedupMemory) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("--memory {}M is below the least, {}M",
                            options.memory_bytes / kMebibyte, kLeastDedupMemory / kMebibyte));
  }
  if (options.mark && options.mark->empty()) {
    return Fail(ErrorCode::kInvalidArgument, "--mark needs the name of a field");
  }
  if (options.add_cluster_size && options.mark == kClusterSizeField) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("--mark {0} and --add-cluster-size both add the field \"{0}\"; choose "
                            "another one with --mark",
                            kClusterSizeField));
  }
  if (options.resume && options.overwrite) {
    return Fail(ErrorCode::kInvalidArgument,
                "--resume continues an interrupted run and --overwrite replaces it; give one");
  }
  if (!(options.checkpoint_every >= 0)) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("--checkpoint-every {} is not a number of seconds", options.checkpoint_every));
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
  std::optional<ShingleSampling> sampling;
  ContainmentJoinOptions containment;
  if (options.mode == DedupMode::kContained) {
    if (options.candidates == CandidateSource::kExact) {
      ZHIWEN_ASSIGN_OR_RETURN(sampling, ShingleSampling::CreateExact(options.threshold));
      containment.max_frequency = UINT32_MAX;
    } else {
      ZHIWEN_ASSIGN_OR_RETURN(sampling, ShingleSampling::Create({.threshold = options.threshold}));
    }
  }
  AuditKeyPlan audit;
  if (options.audit > 0 && options.mode != DedupMode::kContained) {
    audit =
        options.mode == DedupMode::kNear ? PlanAuditKeys(options.threshold) : PlanEqualityKeys();
  }
  if (options.group_by) fields.policy.push_back(*options.group_by);
  if (options.mark) fields.added.push_back(*options.mark);
  if (options.add_cluster_size) fields.added.emplace_back(kClusterSizeField);
  SketchPassOptions sketch{.fields = fields,
                           .group_by = options.group_by.has_value(),
                           .channel = options.channel,
                           .mode = options.mode,
                           .bands = bands,
                           .sampling = sampling,
                           .against = ToIndexOptions(options),
                           .audit = audit,
                           .blocks = {},
                           .skip_bad_files = options.skip_bad_files};
  sketch.range_shingles = options.memory_bytes / kRangesInMemory / (2 * sizeof(uint64_t));
  sketch.blocks.max_row_group_bytes = options.memory_bytes / kRowGroupsInMemory;
  sketch.blocks.fields = std::move(fields);
  SetRecordLimit(std::min(options.memory_bytes / kRecordsInMemory, kLargestRecord), sketch);
  return Plan{.policy = std::move(policy),
              .sketch = std::move(sketch),
              .near = {options.threshold, options.mode, bands, options.max_bucket_kept},
              .containment = containment};
}

void SetRecordLimit(uint64_t max_record_bytes, SketchPassOptions& options) {
  options.blocks.max_record_bytes = max_record_bytes;
  options.max_id_bytes = max_record_bytes / kIdsInRecord;
  const uint64_t values = max_record_bytes * kValuesInRecord / kBytesPerJsonValue;
  options.fields.max_json_values = values;
  options.blocks.fields.max_json_values = values;
}

uint64_t SketchMemory(const DedupOptions& options) {
  return (options.memory_bytes - kFixedMemory) / 2;
}

uint64_t ReferenceMemory(const DedupOptions& options) {
  return (options.memory_bytes - kFixedMemory) / 2;
}

uint64_t LeastMemory(uint64_t documents) {
  return std::max(kLeastDedupMemory, kFixedMemory + documents * kMemoryPerDocument + kLeastWork);
}

Result<MemoryPlan> PlanMemory(const DedupOptions& options, uint64_t documents) {
  const uint64_t need = kFixedMemory + documents * kMemoryPerDocument;
  if (LeastMemory(documents) > options.memory_bytes) {
    return Fail(
        ErrorCode::kExhausted,
        fmt::format("{} documents need --memory {}M at least, not {}M", documents,
                    LeastMemory(documents) / kMebibyte + 1, options.memory_bytes / kMebibyte));
  }
  const uint64_t left = options.memory_bytes - need;
  return MemoryPlan{.scratch = left / 2, .work = left / 2};
}

}  // namespace zhiwen
