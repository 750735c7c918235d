#include "pipeline/dedup/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "feature/shingles.h"
#include "index/bands/band_plan.h"
#include "pipeline/dedup/rows/record_limits.h"
#include "zhiwen/documents.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

// A pair at the threshold is a candidate with at least this probability (surface: Theorem B).
constexpr double kBandRecall = 0.9999;
constexpr uint32_t kSignatureLimit = 128;
// Below this threshold bands would propose most pairs of a corpus: the exact join takes over.
constexpr double kLowestThreshold = 0.5;

// Memory of the program itself, blocks and frames on their way, and tables of formats.
constexpr uint64_t kFixedMemory = uint64_t{64} << 20;
// Arrays by document, at their peak.
constexpr uint64_t kMemoryPerDocument = 24;
constexpr uint64_t kLeastWork = uint64_t{8} << 20;
// --key 'url(F)'.
constexpr std::string_view kUrlKeyBegin = "url(";

// Bytes of memory that a shingle of a batch takes: its hash, its part of a join's tables, and what
// of it is in a prefix that others share (index/joins/prefix_join.h).
constexpr double kBytesPerHash = 8;
constexpr double kBytesPerCounter = 16;
constexpr double kBytesInPrefix = 28;
// A range of the shingles of a large text may take this part of the memory, sorting included.
constexpr uint64_t kRangesInMemory = 8;

// The values of a JSON record may take this many times as much memory as the largest record.
constexpr uint64_t kValuesInRecord = 2;

// Passages can be cut where a rule says which they are, and where one field holds the text.
Status CheckCut(const DedupOptions& options) {
  if (options.against_rule != ReferenceRule::kContains &&
      options.against_rule != ReferenceRule::kOverlap) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the rule {} compares whole texts and finds no passage that could be "
                            "cut out of them; cut by the rule contains or overlap, or remove the "
                            "inputs",
                            ReferenceRuleName(options.against_rule)));
  }
  if (options.text_type) {
    return Fail(ErrorCode::kInvalidArgument,
                "passages are cut out of texts, not out of documents whose text is extracted; "
                "extract the texts first, or remove the inputs");
  }
  if (options.text_fields.size() == 1) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("passages are cut out of one text field, not of {} joined ones; name one "
                          "field, which references have too, or remove the inputs",
                          options.text_fields.size()),
              {Advice::kNameTextField});
}

Status CheckThresholds(const DedupOptions& options) {
  const auto is_share = [](double threshold) { return threshold > 0 && threshold <= 1; };
  if (options.mode != DedupMode::kNear) {
    if (!is_share(options.threshold)) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("the threshold {} is outside 0 … 1", options.threshold));
    }
  } else if (!(options.threshold >= kLowestThreshold && options.threshold <= 1)) {
    const bool has_references = !options.against.empty();
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("the threshold {} is outside 0.5 … 1; {}", options.threshold,
                    has_references ? "references may have a lower one of their own"
                                   : "for texts that lie in others there is the mode contained, to "
                                     "find lower similarities compare two texts"),
        {has_references ? Advice::kSetReferenceLimit : Advice::kFindContained});
  }
  if (options.against.empty()) return {};
  if (options.min_reference < 1) {
    return Fail(ErrorCode::kInvalidArgument,
                "a reference of no unit matches nothing: the least number of units is 1");
  }
  if (options.common_share && !(*options.common_share >= 0 && *options.common_share <= 1)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is no share of the inputs from 0 to 1, from which shingles are "
                            "common",
                            *options.common_share));
  }
  if (options.against_threshold && !is_share(*options.against_threshold)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the threshold of references, {}, is outside 0 … 1",
                            *options.against_threshold));
  }
  if (options.against_action == ReferenceAction::kCut) {
    ZHIWEN_RETURN_IF_ERROR(CheckCut(options));
  }
  if (options.against_run < kShingleLength) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("a shared run of {} is below the least, {}", options.against_run,
                            kShingleLength));
  }
  return {};
}

// Every field that is added has a name of its own.
Status CheckAddedFields(const DedupOptions& options) {
  if (options.against_action == ReferenceAction::kMark && !options.mark) {
    return Fail(ErrorCode::kInvalidArgument,
                "to mark inputs that match a reference a field is needed, which is true in them",
                {Advice::kNameMark});
  }
  if (options.mark_keeper && !options.mark) {
    return Fail(ErrorCode::kInvalidArgument,
                "to name keepers in marked records a field is needed for the mark, too",
                {Advice::kNameMark});
  }
  std::vector<std::pair<std::string_view, std::string_view>> added;
  if (options.mark) added.emplace_back("the mark", *options.mark);
  if (options.mark_keeper) added.emplace_back("the names of keepers", *options.mark_keeper);
  if (options.add_cluster_size) added.emplace_back("the sizes of clusters", kClusterSizeField);
  for (size_t i = 0; i < added.size(); ++i) {
    const auto& [what, name] = added[i];
    if (name.empty()) {
      return Fail(ErrorCode::kInvalidArgument, fmt::format("{} need the name of a field", what));
    }
    for (size_t j = 0; j < i; ++j) {
      if (added[j].second != name) continue;
      return Fail(
          ErrorCode::kInvalidArgument,
          fmt::format("{} and {} are both to be the field \"{}\"; choose another one for {}",
                      added[j].first, what, name, added[j].first),
          {Advice::kNameMark});
    }
  }
  return {};
}

// Everything about the options that needs no file.
Status CheckValues(const DedupOptions& options) {
  ZHIWEN_RETURN_IF_ERROR(CheckThresholds(options));
  if (options.memory_bytes < kLeastDedupMemory) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{} of memory are below the least, {} MiB",
                            options.memory_bytes < kMebibyte
                                ? FormatPlural(options.memory_bytes, "byte")
                                : fmt::format("{} MiB", options.memory_bytes / kMebibyte),
                            kLeastDedupMemory / kMebibyte),
                {Advice::kGiveMemory});
  }
  ZHIWEN_RETURN_IF_ERROR(CheckAddedFields(options));
  if (options.resume && options.overwrite) {
    return Fail(ErrorCode::kInvalidArgument,
                "a run that was interrupted is continued or replaced, not both");
  }
  if (!(options.checkpoint_every >= 0)) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{} between checkpoints is not a number of seconds", options.checkpoint_every));
  }
  return {};
}

InputOptions PlanInput(const DedupOptions& options) {
  InputOptions input{.words = options.inputs,
                     .references = options.against,
                     .output = options.output,
                     .format = options.format,
                     .syntax = options.syntax,
                     .text_fields = options.text_fields,
                     .added = {.mark = options.mark,
                               .mark_keeper = options.mark_keeper,
                               .marks_references = options.against_action == ReferenceAction::kMark,
                               .cluster_size = {},
                               .cut_text = {}},
                     .skip_bad_files = options.skip_bad_files};
  if (options.add_cluster_size) input.added.cluster_size = kClusterSizeField;
  if (!options.against.empty() && options.against_action == ReferenceAction::kCut) {
    input.added.cut_text = options.text_fields.front();
  }
  return input;
}

Result<ReadingOptions> PlanReading(const DedupOptions& options, const KeepPolicy& policy) {
  RecordFields fields{.text = options.text_fields,
                      .id = options.id_field.value_or("id"),
                      .policy = policy.fields()};
  fields.text_type = options.text_type;
  if (fields.text.empty()) return Fail(ErrorCode::kInvalidArgument, "no text field is named");
  ReadingOptions reading;
  const auto add = [&](const std::string& field) {
    fields.policy.push_back(field);
    return fields.policy.size() - 1;
  };
  if (options.group_by) reading.group_by = add(*options.group_by);
  if (options.key) {
    const std::string& key = *options.key;
    reading.key_is_url = key.starts_with(kUrlKeyBegin) && key.ends_with(')');
    const size_t begin = reading.key_is_url ? kUrlKeyBegin.size() : 0;
    reading.key = add(key.substr(begin, key.size() - begin - (reading.key_is_url ? 1 : 0)));
  }
  if (options.mark) fields.added.push_back(*options.mark);
  if (options.mark_keeper) fields.added.push_back(*options.mark_keeper);
  if (options.add_cluster_size) fields.added.emplace_back(kClusterSizeField);
  if (options.within) reading.date = add(options.within->field);
  // Cutting needs the bytes of a text to be its characters.
  fields.mends_texts = options.against.empty() || options.against_action != ReferenceAction::kCut;
  reading.fields = fields;
  reading.range_shingles = options.memory_bytes / kRangesInMemory / (2 * sizeof(uint64_t));
  reading.cut_bytes = options.memory_bytes / kCutsInMemory;
  reading.blocks.max_row_group_bytes = options.memory_bytes / kRowGroupsInMemory;
  reading.blocks.fields = std::move(fields);
  SetRecordLimit(std::min(options.memory_bytes / kRecordsInMemory, kLargestRecord), reading);
  return reading;
}

RemovalRules PlanRules(const DedupOptions& options, const KeepPolicy& policy) {
  return {.mode = options.mode,
          .channel = options.channel,
          .threshold = options.threshold,
          .keeps_none = policy.keeps_none(),
          .within = options.within ? std::optional(options.within->seconds) : std::nullopt,
          .against = {.rule = options.against_rule,
                      .threshold = options.against_threshold.value_or(options.threshold),
                      .run = options.against_run},
          .min_reference = options.min_reference,
          .common_share = options.common_share,
          .cuts = !options.against.empty() && options.against_action == ReferenceAction::kCut};
}

Result<SketchOptions> PlanSketch(const DedupOptions& options, KeepPolicy policy) {
  SketchOptions sketch{.policy = std::move(policy),
                       .bands = {},
                       .sampling = {},
                       .audit = {},
                       .skip_bad_files = options.skip_bad_files};
  if (options.mode == DedupMode::kNear && options.candidates == CandidateSource::kBands &&
      options.threshold >= kLowestBandThreshold) {
    ZHIWEN_ASSIGN_OR_RETURN(sketch.bands,
                            PlanBands(options.threshold, kBandRecall, kSignatureLimit));
  }
  if (options.mode == DedupMode::kContained) {
    if (options.candidates == CandidateSource::kExact) {
      ZHIWEN_ASSIGN_OR_RETURN(sketch.sampling, ShingleSampling::CreateExact(options.threshold));
    } else {
      ZHIWEN_ASSIGN_OR_RETURN(sketch.sampling,
                              ShingleSampling::Create({.threshold = options.threshold}));
    }
  }
  if (options.audit > 0 && options.mode != DedupMode::kContained) {
    sketch.audit =
        options.mode == DedupMode::kNear ? PlanAuditKeys(options.threshold) : PlanEqualityKeys();
  }
  return sketch;
}

// Names (of fields of DedupOptions) and values of what decides the result; reference files are
// added later.
Parameters DecidingParameters(const DedupOptions& options) {
  Parameters parameters = {
      {"mode", std::string(DedupModeName(options.mode))},
      {"candidates", options.candidates == CandidateSource::kExact ? "exact" : "bands"},
      {"channel", std::string(options.channel.name())},
      {"threshold", fmt::format("{}", options.threshold)},
      {"keep", options.keep},
      {"text_fields", fmt::format("{}", fmt::join(options.text_fields, ","))},
      {"id_field", options.id_field.value_or("")},
      {"max_bucket_kept", fmt::format("{}", options.max_bucket_kept)},
      {"group_by", options.group_by.value_or("")},
      {"key", options.key.value_or("")},
      {"within", options.within ? DateLimitText(*options.within) : ""},
      {"audit", options.audit == 0 ? "none" : fmt::format("{}", options.audit)},
      {"format", std::string(options.format ? DocumentFormatName(*options.format) : "")},
      {"mark_keeper", options.mark_keeper.value_or("")},
      {"mark", options.mark.value_or("")},
      {"add_cluster_size", options.add_cluster_size ? "set" : ""},
      {"against", fmt::format("{}", fmt::join(options.against, ", "))},
  };
  parameters.emplace_back(
      "separator", options.syntax.separator ? SeparatorName(*options.syntax.separator) : "auto");
  parameters.emplace_back(
      "encoding", options.syntax.encoding ? TextEncodingName(*options.syntax.encoding) : "auto");
  if (options.text_type) {
    parameters.emplace_back("text_format", DocumentTypeName(*options.text_type));
  }
  if (options.against.empty()) return parameters;
  parameters.insert(
      parameters.end(),
      {{"against_rule", std::string(ReferenceRuleName(options.against_rule))},
       {"against_threshold",
        fmt::format("{}", options.against_threshold.value_or(options.threshold))},
       {"against_run", fmt::format("{}", options.against_run)},
       {"min_reference", fmt::format("{}", options.min_reference)},
       {"common_share",
        options.common_share ? fmt::format("{:.6g}%", *options.common_share * 100) : "none"},
       {"against_action", std::string(ReferenceActionName(options.against_action))}});
  return parameters;
}

CheckpointOptions PlanCheckpoint(const DedupOptions& options) {
  return {.scratch = options.scratch,
          .resume = options.resume,
          .every_seconds = options.checkpoint_every,
          .reads_standard_input =
              std::ranges::find(options.inputs, kStandardInput) != options.inputs.end(),
          .parameters = DecidingParameters(options)};
}

OutputUse PlanOutputUse(const DedupOptions& options) {
  if (options.resume) return OutputUse::kContinue;
  return options.overwrite ? OutputUse::kReplace : OutputUse::kNew;
}

}  // namespace

Result<Plan> MakePlan(const DedupOptions& options) {
  ZHIWEN_RETURN_IF_ERROR(CheckValues(options));
  ZHIWEN_ASSIGN_OR_RETURN(KeepPolicy policy, KeepPolicy::Parse(options.keep));
  const CheckOptions checks{
      .id_field = options.id_field,
      .group_by = options.group_by,
      .key = options.key,
      .within = options.within ? std::optional(options.within->field) : std::nullopt,
      .keep = options.keep,
      .policy_fields = policy.fields(),
      .max_failed = options.max_failed,
      .unique_ids = options.unique_ids};
  ZHIWEN_ASSIGN_OR_RETURN(ReadingOptions reading, PlanReading(options, policy));
  const RemovalRules rules = PlanRules(options, policy);
  ZHIWEN_ASSIGN_OR_RETURN(SketchOptions sketch, PlanSketch(options, std::move(policy)));
  ContainmentJoinOptions containment;
  if (options.candidates == CandidateSource::kExact) containment.max_frequency = UINT32_MAX;
  return Plan{.input = PlanInput(options),
              .output_use = PlanOutputUse(options),
              .reading = std::move(reading),
              .rules = rules,
              .sketch = std::move(sketch),
              .containment = containment,
              .max_bucket_kept = options.max_bucket_kept,
              .checks = checks,
              .audit_size = options.audit,
              .checkpoint = PlanCheckpoint(options),
              .memory_bytes = options.memory_bytes};
}

void SetRecordLimit(uint64_t max_record_bytes, ReadingOptions& reading) {
  reading.blocks.max_record_bytes = max_record_bytes;
  const uint64_t values = max_record_bytes * kValuesInRecord / kBytesPerJsonValue;
  reading.fields.max_json_values = values;
  reading.blocks.fields.max_json_values = values;
  const uint64_t extracted = std::min(max_record_bytes, kMostCaptureBytes);
  reading.fields.max_extracted_bytes = extracted;
  reading.blocks.fields.max_extracted_bytes = extracted;
}

uint64_t SketchMemory(uint64_t memory_bytes) { return (memory_bytes - kFixedMemory) / 2; }

uint64_t ReferenceMemory(uint64_t memory_bytes) { return (memory_bytes - kFixedMemory) / 2; }

uint64_t LeastMemory(uint64_t documents, uint64_t reference_bytes) {
  return std::max({kLeastDedupMemory, kFixedMemory + documents * kMemoryPerDocument + kLeastWork,
                   kFixedMemory + 2 * reference_bytes});
}

Result<MemoryPlan> PlanMemory(uint64_t memory_bytes, uint64_t documents) {
  const uint64_t need = kFixedMemory + documents * kMemoryPerDocument;
  if (LeastMemory(documents) > memory_bytes) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("{} documents need {} MiB of memory at least, not {} MiB", documents,
                            LeastMemory(documents) / kMebibyte + 1, memory_bytes / kMebibyte),
                {Advice::kGiveMemory});
  }
  const uint64_t left = memory_bytes - need;
  return MemoryPlan{.scratch = left / 2, .work = left / 2};
}

BatchLimits PlanBatchLimits(const Plan& plan, uint64_t work_bytes) {
  const bool joins = plan.rules.mode == DedupMode::kNear && !plan.sketch.bands;
  const double of_join =
      kBytesPerCounter + (joins ? (1 - plan.rules.threshold) * kBytesInPrefix : 0);
  const double each = kBytesPerHash + of_join;
  const auto shingles = static_cast<uint64_t>(static_cast<double>(work_bytes) / each);
  return {.shingles = shingles,
          .large_shingles = plan.sets_in_batch == 0 ? UINT64_MAX : shingles / plan.sets_in_batch,
          .large_share = joins ? of_join / each : 0};
}

}  // namespace zhiwen
