#include "zhiwen/dedup.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "pipeline/dedup/audit/audit.h"
#include "pipeline/dedup/checkpoint/checkpointer.h"
#include "pipeline/dedup/decide/components.h"
#include "pipeline/dedup/decide/contained_candidates.h"
#include "pipeline/dedup/decide/decide_similar.h"
#include "pipeline/dedup/input/large_blocks.h"
#include "pipeline/dedup/plan.h"
#include "pipeline/dedup/report/examples.h"
#include "pipeline/dedup/report/findings.h"
#include "pipeline/dedup/run.h"
#include "pipeline/dedup/sketch/collapse.h"
#include "pipeline/dedup/sketch/rank.h"
#include "pipeline/dedup/sketch/sketch_pass.h"
#include "pipeline/dedup/stage_clock.h"
#include "pipeline/dedup/write/checks.h"
#include "pipeline/dedup/write/counts.h"
#include "pipeline/dedup/write/keeper_labels.h"
#include "pipeline/dedup/write/outputs.h"

namespace zhiwen {
namespace {

OutputUse UseOf(const DedupOptions& options) {
  if (options.resume) return OutputUse::kContinue;
  return options.overwrite ? OutputUse::kReplace : OutputUse::kNew;
}

// Before a stage can say how far it is.
void ShowStage(const DedupEnvironment& environment, std::string_view stage) {
  environment.progress.Advance(stage, 0, 0, "");
}

// As in DedupReport.
struct PairCounts {
  uint64_t documents = 0, candidates = 0, verified = 0, comparisons = 0;
};

// The stages of one run, in their order.
class RunStages {
 public:
  RunStages(const DedupOptions& options, const Plan& plan, std::optional<MemoryPlan> given,
            const DedupInputs& inputs, References* references, Scratch& scratch, RunSpools& spools,
            Checkpointer& checkpoints, StageClock& stages, const DedupEnvironment& environment)
      : options_(options),
        plan_(plan),
        given_(given),
        inputs_(inputs),
        references_(references),
        scratch_(scratch),
        spools_(spools),
        checkpoints_(checkpoints),
        stages_(stages),
        environment_(environment) {}

  Status Sketch() {
    progress_ = checkpoints_.now().sketch.progress;
    Status status = checkpoints_.now().sketched ? Status() : ReadAll();
    if (!status) SaveFailed(status.error());
    ZHIWEN_RETURN_IF_ERROR(std::move(status));
    if (references_ != nullptr) references_->DropIndex();
    stages_.End("sketch", inputs_.total_bytes);
    documents_ = static_cast<DocumentIndex>(progress_.totals.documents);
    if (given_) {
      memory_ = *given_;
    } else {
      ZHIWEN_ASSIGN_OR_RETURN(memory_, PlanMemory(options_, documents_));
    }
    scratch_.set_memory_limit(memory_.scratch);
    return checkpoints_.BeginStages(memory_.work);
  }

  Result<Removals> Decide() {
    ShowStage(environment_, "rank");
    ZHIWEN_ASSIGN_OR_RETURN(
        std::vector<uint32_t> ranks,
        RankDocuments(spools_, documents_, scratch_, memory_.work, environment_));
    stages_.End("rank", 0);
    ShowStage(environment_, "collapse");
    ZHIWEN_ASSIGN_OR_RETURN(Collapsed collapsed,
                            CollapseEqual(spools_, ranks, scratch_, memory_.work, environment_));
    stages_.End("collapse", 0);
    if (options_.mode == DedupMode::kExact) {
      const uint32_t partitions = PlanRangePartitions(documents_, memory_.work);
      return FinishRemovals(collapsed, *spools_.against, nullptr, nullptr, partitions, scratch_,
                            environment_);
    }
    return DecideBySimilarity(collapsed, std::move(ranks));
  }

  // When what comes after the first pass ended with `error`.
  void SaveFailed(const Error& error) { checkpoints_.SaveFailed(progress_, spools_, error); }

  const SketchProgress& progress() const { return progress_; }
  const MemoryPlan& memory() const { return memory_; }
  PairCounts pairs;
  uint64_t hot_buckets = 0, saturated_documents = 0;

 private:
  Status ReadAll() {
    const SketchCheckpoint checkpoint = [&](const SketchProgress& place) {
      return checkpoints_.AtSketch(place, spools_);
    };
    ZHIWEN_RETURN_IF_ERROR(RunSketchPass(inputs_, plan_.sketch, plan_.policy, references_, scratch_,
                                         spools_, progress_, checkpoint, environment_));
    return checkpoints_.EndSketch(progress_, spools_);
  }

  template <typename Mark>
  StageCheckpoint<Mark> CheckpointFrom(const std::optional<Mark>& from) {
    return {
        .from = from,
        .is_due = [&](StagePoint point) { return checkpoints_.IsDue(point); },
        .save = [&](const Mark& mark) { return checkpoints_.SaveStage(progress_, spools_, mark); }};
  }

  // Bytes of memory a shingle of a batch takes: its hash, its part of a join's tables, and what of
  // it is in a prefix that others share (index/joins/prefix_join.h).
  static constexpr double kBytesPerHash = 8;
  static constexpr double kBytesPerCounter = 16;
  static constexpr double kBytesInPrefix = 28;

  static BatchLimits LimitsOf(const Plan& plan, uint64_t work) {
    const bool joins = plan.near.mode == DedupMode::kNear && !plan.near.bands;
    const double of_join =
        kBytesPerCounter + (joins ? (1 - plan.near.threshold) * kBytesInPrefix : 0);
    const double each = kBytesPerHash + of_join;
    const auto shingles = static_cast<uint64_t>(static_cast<double>(work) / each);
    return {.shingles = shingles,
            .large_shingles = plan.sets_in_batch == 0 ? UINT64_MAX : shingles / plan.sets_in_batch,
            .large_share = joins ? of_join / each : 0};
  }

  Result<Removals> DecideBySimilarity(const Collapsed& collapsed, std::vector<uint32_t> ranks) {
    std::unique_ptr<Spool> candidates;
    std::optional<Components> components;
    ShowStage(environment_, "candidates");
    if (options_.mode == DedupMode::kContained) {
      ZHIWEN_ASSIGN_OR_RETURN(
          ContainedCandidates contained,
          FindContainedCandidates(spools_, collapsed.representatives, ranks, plan_.containment,
                                  scratch_, memory_.work, environment_));
      saturated_documents = contained.counts.saturated_documents;
      components = std::move(contained.components);
      candidates = std::move(contained.pairs);
      stages_.End("candidates", 0);
    } else if (plan_.near.bands) {
      ZHIWEN_ASSIGN_OR_RETURN(components, FindComponents(spools_, collapsed.representatives,
                                                         scratch_, memory_.work, environment_));
      candidates = std::move(components->members);
      stages_.End("candidates", 0);
    }
    ShowStage(environment_, "batches");
    ZHIWEN_ASSIGN_OR_RETURN(const BatchPlan batches,
                            PlanBatches(spools_, std::move(components), collapsed.representatives,
                                        ranks, LimitsOf(plan_, memory_.work)));
    stages_.End("batches", 0);
    const uint32_t partitions = PlanRangePartitions(documents_, memory_.work);
    ZHIWEN_ASSIGN_OR_RETURN(
        SetSpools sets,
        RunSetPass(inputs_, plan_.sketch, spools_, collapsed, ranks, batches, partitions, scratch_,
                   memory_.work, CheckpointFrom(checkpoints_.now().sets), environment_));
    ranks = {};
    stages_.End("shingle sets", 0);
    ShowStage(environment_, "decide");
    ZHIWEN_ASSIGN_OR_RETURN(
        NearDecisions near,
        DecideSimilar(plan_.near, batches, sets, candidates.get(), scratch_, memory_.work,
                      CheckpointFrom(checkpoints_.now().decided), environment_));
    sets.sets.reset();
    sets.large.reset();
    pairs = {.documents = batches.documents,
             .candidates = near.candidate_pairs,
             .verified = near.overlaps->size() / sizeof(OverlapRow),
             .comparisons = near.comparisons};
    hot_buckets = near.hot_buckets;
    stages_.End("decide", 0);
    return FinishRemovals(collapsed, *spools_.against, &near, sets.exact.get(), partitions,
                          scratch_, environment_);
  }

  const DedupOptions& options_;
  const Plan& plan_;
  const std::optional<MemoryPlan> given_;
  const DedupInputs& inputs_;
  References* references_;
  Scratch& scratch_;
  RunSpools& spools_;
  Checkpointer& checkpoints_;
  StageClock& stages_;
  const DedupEnvironment& environment_;
  SketchProgress progress_;
  DocumentIndex documents_ = 0;
  MemoryPlan memory_;
};

Status WritePage(const DedupReport& report, const DedupOptions& options, OutputFolder& folder) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto file, folder.OpenForWrite("report.html"));
  ZHIWEN_RETURN_IF_ERROR(file->Append(RenderHtmlReport(report, options)));
  return file->Close();
}

Status WriteReport(const DedupReport& report, const DedupOptions& options, OutputFolder& folder) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto file, folder.OpenForWrite("report.json"));
  ZHIWEN_RETURN_IF_ERROR(file->Append(DedupReportToJson(report, options)));
  ZHIWEN_RETURN_IF_ERROR(file->Sync());
  return file->Close();
}

struct OpenRun {
  const DedupOptions& options;
  const Plan& plan;
  const DedupInputs& inputs;
  const RunSpools& spools;
  const References* references;  // none: nullptr
  Scratch& scratch;
  OutputFolder& folder;
  StageClock& stages;
  const DedupEnvironment& environment;
};

// Everything after the first pass and its checks, to the finished files below .partial.
Status DecideAndWrite(const OpenRun& open, const RunTuning& tuning, RunStages& run,
                      WarningRecorder& warnings, DedupReport& report) {
  const auto& [options, plan, inputs, spools, references, scratch, folder, stages, environment] =
      open;
  const SketchProgress& progress = run.progress();
  ZHIWEN_ASSIGN_OR_RETURN(Removals removals, run.Decide());
  ShowStage(environment, "count");
  if (tuning.change_removals) {
    ZHIWEN_RETURN_IF_ERROR(tuning.change_removals(removals, scratch));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const KeeperLabels keepers,
                          KeeperLabels::Make(removals, *spools.labels, references, scratch,
                                             run.memory().work, environment));
  const RunData data{inputs,
                     options,
                     plan.sketch,
                     spools,
                     progress.totals,
                     removals,
                     keepers.labels(),
                     references,
                     CountClusterSizes(removals),
                     options.mode == DedupMode::kExact ? ExactChannel() : options.channel,
                     progress.bad_files};
  if (tuning.look) ZHIWEN_RETURN_IF_ERROR(tuning.look(data));
  ZHIWEN_RETURN_IF_ERROR(CheckKeepers(data));
  report.compared_documents = run.pairs.documents;
  report.candidate_pairs = run.pairs.candidates;
  report.verified_pairs = run.pairs.verified;
  report.comparisons = run.pairs.comparisons;
  report.hot_buckets = run.hot_buckets;
  report.saturated_documents = run.saturated_documents;
  ZHIWEN_RETURN_IF_ERROR(CountDocuments(data, plan, report));
  stages.End("count", 0);
  ShowStage(environment, "audit");
  ZHIWEN_ASSIGN_OR_RETURN(report.audit, AuditRun(data, run.memory().work, environment));
  stages.End("audit", 0);
  ShowStage(environment, "write");
  OutputCounts written;
  ZHIWEN_RETURN_IF_ERROR(WriteRows(data, folder, written, environment));
  ZHIWEN_RETURN_IF_ERROR(WriteKept(data, folder, written, environment));
  report.kept_bytes = written.kept_file_bytes;
  report.kept_links = written.kept_links;
  report.clusters = written.clusters;
  report.largest_cluster = written.largest_cluster;
  if (references != nullptr) report.against = std::move(written.against);
  ZHIWEN_RETURN_IF_ERROR(CheckAccounts(data, report.kept, written));
  stages.End("write", report.kept_bytes);
  ShowStage(environment, "explain");
  ZHIWEN_ASSIGN_OR_RETURN(report.examples, ChooseExamples(data, environment));
  ZHIWEN_ASSIGN_OR_RETURN(report.findings, CollectFindings(data, environment));
  report.findings.warnings = warnings.Take();
  stages.End("explain", 0);
  return {};
}

void TakeTimes(const StageClock& stages, DedupReport& report) {
  report.stages = stages.stages();
  for (const StageTime& stage : report.stages) {
    report.wall_seconds += stage.wall_seconds;
    report.cpu_seconds += stage.cpu_seconds;
  }
}

Result<DedupReport> RunOpened(const OpenRun& open, const RunTuning& tuning, References* references,
                              RunSpools& spools, Checkpointer& checkpoints,
                              WarningRecorder& warnings) {
  const auto& [options, plan, inputs, unused, unused_too, scratch, folder, stages, environment] =
      open;
  RunStages run(options, plan, tuning.memory, inputs, references, scratch, spools, checkpoints,
                stages, environment);
  ZHIWEN_RETURN_IF_ERROR(run.Sketch());
  const SketchTotals& totals = run.progress().totals;
  if (Status named = CheckNamedFields(totals, spools, plan, options); !named) {
    checkpoints.Drop();
    return Fail(std::move(named));
  }
  ZHIWEN_RETURN_IF_ERROR(CheckFailures(inputs, totals, spools, options, environment.log));
  ZHIWEN_ASSIGN_OR_RETURN(DuplicateIds duplicates,
                          CountDuplicateIds(spools, static_cast<DocumentIndex>(totals.documents),
                                            scratch, run.memory().work));
  ZHIWEN_RETURN_IF_ERROR(CheckUniqueIds(duplicates, options));
  DedupReport report;
  ZHIWEN_ASSIGN_OR_RETURN(report.bad_files,
                          DescribeBadFiles(inputs, run.progress().bad_files, spools));
  for (const LeftOutFile& file : inputs.left_out) {
    report.bad_files.push_back({file.path, file.why, 0, true});
  }
  report.duplicate_ids = duplicates.count;
  report.duplicate_id_examples = std::move(duplicates.examples);
  if (Status status = DecideAndWrite(open, tuning, run, warnings, report); !status) {
    run.SaveFailed(status.error());
    return Fail(std::move(status));
  }
  report.threads = environment.executor.concurrency();
  TakeTimes(stages, report);
  report.peak_memory_bytes = PeakMemoryBytes();
  report.scratch_bytes = scratch.disk_written();
  report.resumes = checkpoints.resumes();
  ZHIWEN_RETURN_IF_ERROR(WritePage(report, options, folder));
  ZHIWEN_RETURN_IF_ERROR(WriteReport(report, options, folder));
  return report;
}

// Opens what the run reads and keeps, at the place where it goes on.
Result<DedupReport> RunFrom(Checkpointer& checkpoints, const DedupOptions& options,
                            const RunTuning& tuning, Plan plan, DedupInputs inputs,
                            DedupInputs reference_inputs, OutputFolder& folder, StageClock& stages,
                            const DedupEnvironment& environment, WarningRecorder& warnings) {
  plan.sketch.large_text_bytes =
      LargeTextBytes(options.memory_bytes, environment.executor.concurrency());
  if (tuning.change_plan) tuning.change_plan(plan);
  inputs.sample = tuning.sample;
  plan.sketch.blocks.block_bytes = tuning.block_bytes;
  SetRecordLimit(checkpoints.RecordLimit(plan.sketch.blocks.max_record_bytes), plan.sketch);
  ZHIWEN_ASSIGN_OR_RETURN(
      const auto scratch,
      Scratch::Create(environment.files, checkpoints.scratch_folder(),
                      tuning.memory ? tuning.memory->scratch : SketchMemory(options)));
  ZHIWEN_RETURN_IF_ERROR(checkpoints.continues()
                             ? ReopenStandardInput(options, scratch->folder(),
                                                   checkpoints.now().standard_input, environment,
                                                   inputs)
                             : SpoolStandardInput(options, scratch->folder(), environment, inputs));
  ZHIWEN_ASSIGN_OR_RETURN(
      RunSpools spools,
      checkpoints.OpenSpools(inputs, *scratch, plan.sketch.bands ? plan.sketch.bands->bands : 0));
  stages.End("open", 0);
  std::optional<References> references;
  if (!options.against.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(
        references, References::Read(options, std::move(reference_inputs), plan.sketch, *scratch,
                                     ReferenceMemory(options), environment));
    // Both together take what the one may.
    if (!tuning.memory) {
      const uint64_t memory = SketchMemory(options);
      scratch->set_memory_limit(memory - std::min(memory, references->index_bytes()));
    }
    stages.End("references", references->inputs().total_bytes);
  }
  References* given = references ? &*references : nullptr;
  const OpenRun open{options, plan, inputs, spools, given, *scratch, folder, stages, environment};
  return RunOpened(open, tuning, given, spools, checkpoints, warnings);
}

Result<DedupReport> RunRecorded(const DedupOptions& options, const RunTuning& tuning,
                                const DedupEnvironment& environment, WarningRecorder& warnings) {
  StageClock stages(environment.clock);
  ZHIWEN_ASSIGN_OR_RETURN(Plan plan, MakePlan(options));
  ZHIWEN_ASSIGN_OR_RETURN(DedupInputs inputs,
                          OpenInputs(environment.files, options, environment.log));
  DedupInputs reference_inputs;
  if (!options.against.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(reference_inputs,
                            OpenReferences(environment.files, options, inputs, environment.log));
  }
  ZHIWEN_ASSIGN_OR_RETURN(OutputFolder folder,
                          OutputFolder::Create(environment.files, options.output, UseOf(options)));
  ZHIWEN_ASSIGN_OR_RETURN(Checkpointer checkpoints,
                          Checkpointer::Open(options, reference_inputs, folder, environment));
  auto report = RunFrom(checkpoints, options, tuning, std::move(plan), std::move(inputs),
                        std::move(reference_inputs), folder, stages, environment, warnings);
  const bool is_written = report.has_value();
  Status published = is_written ? folder.Publish() : Status();
  if (!published) report = Fail(std::move(published));
  if (!report) {
    Error error = checkpoints.EndWith(std::move(report).error());
    if (!checkpoints.exists() && !is_written) folder.Abandon();
    return tl::unexpected(std::move(error));
  }
  checkpoints.Finish();
  return report;
}

}  // namespace

Result<DedupReport> Dedup(const DedupOptions& options, const DedupEnvironment& environment) {
  return RunDedup(options, RunTuning(), environment);
}

Result<DedupReport> RunDedup(const DedupOptions& options, const RunTuning& tuning,
                             const DedupEnvironment& environment) {
  WarningRecorder warnings(environment.log);
  return RunRecorded(
      options, tuning,
      {environment.files, environment.executor, environment.clock, environment.progress, warnings,
       environment.cancellation, environment.standard_input},
      warnings);
}

}  // namespace zhiwen
