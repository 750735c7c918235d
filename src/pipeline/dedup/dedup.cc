#include "zhiwen/dedup.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/files/output_file.h"
#include "base/memory.h"
#include "pipeline/dedup/audit/audit.h"
#include "pipeline/dedup/checkpoint/checkpointer.h"
#include "pipeline/dedup/decide/components.h"
#include "pipeline/dedup/decide/contained_candidates.h"
#include "pipeline/dedup/decide/decide_similar.h"
#include "pipeline/dedup/input/large_blocks.h"
#include "pipeline/dedup/plan.h"
#include "pipeline/dedup/report/findings.h"
#include "pipeline/dedup/report/shown_references.h"
#include "pipeline/dedup/run.h"
#include "pipeline/dedup/sketch/collapse.h"
#include "pipeline/dedup/sketch/late_matches.h"
#include "pipeline/dedup/sketch/rank.h"
#include "pipeline/dedup/sketch/sketch_pass.h"
#include "pipeline/dedup/stage_clock.h"
#include "pipeline/dedup/write/checks.h"
#include "pipeline/dedup/write/counts.h"
#include "pipeline/dedup/write/keeper_labels.h"
#include "pipeline/dedup/write/outputs.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

// Before a stage can say how far it is.
void ShowStage(const DedupEnvironment& environment, Stage stage) {
  environment.progress.Advance(stage, 0, 0);
}

// As in DedupReport.
struct PairCounts {
  uint64_t documents = 0, candidates = 0, matched = 0, comparisons = 0;
};

// A run with everything open that its stages share.
struct OpenRun {
  const Plan& plan;
  const RunTuning& tuning;
  RunContext context;
  RunSpools& spools;       // those of `context`, for the stages that write them
  References* references;  // none: nullptr
  Checkpointer& checkpoints;
  StageClock& stages;
};

// The stages of one run up to its decisions, in their order.
class RunStages {
 public:
  // `open` outlives it.
  explicit RunStages(OpenRun& open)
      : open_(open), plan_(open.plan), context_(open.context), checkpoints_(open.checkpoints) {}

  Status Sketch() {
    progress_ = checkpoints_.now().sketch.progress;
    Status status = checkpoints_.now().sketched ? LeaveOutCommon() : ReadAll();
    if (!status) SaveFailed(status.error());
    ZHIWEN_RETURN_IF_ERROR(std::move(status));
    if (open_.references != nullptr) open_.references->DropIndex();
    open_.stages.End("sketch", context_.inputs.total_bytes);
    documents_ = static_cast<DocumentIndex>(progress_.totals.documents);
    MemoryPlan memory;
    if (open_.tuning.memory) {
      memory = *open_.tuning.memory;
    } else {
      ZHIWEN_ASSIGN_OR_RETURN(memory, PlanMemory(plan_.memory_bytes, documents_));
    }
    context_.scratch.set_memory_limit(memory.scratch);
    context_.work_bytes = memory.work;
    return checkpoints_.BeginStages(memory.work);
  }

  Result<Removals> Decide() {
    ShowStage(context_.environment, Stage::kRank);
    ZHIWEN_ASSIGN_OR_RETURN(std::vector<uint32_t> ranks, RankDocuments(context_, documents_));
    open_.stages.End("rank", 0);
    ShowStage(context_.environment, Stage::kCollapse);
    ZHIWEN_ASSIGN_OR_RETURN(Collapsed collapsed, CollapseEqual(context_, ranks));
    open_.stages.End("collapse", 0);
    if (plan_.rules.mode == DedupMode::kExact) {
      const uint32_t partitions = PlanRangePartitions(documents_, context_.work_bytes);
      return FinishRemovals(context_, collapsed, nullptr, nullptr, partitions);
    }
    return DecideBySimilarity(collapsed, std::move(ranks));
  }

  // When what comes after the first pass ended with `error`.
  void SaveFailed(const Error& error) { checkpoints_.SaveFailed(progress_, open_.spools, error); }

  const SketchProgress& progress() const { return progress_; }
  PairCounts pairs;
  uint64_t hot_buckets = 0, saturated_documents = 0;

 private:
  Status ReadAll() {
    const SketchCheckpoint checkpoint = [&](const SketchProgress& place) {
      return checkpoints_.AtSketch(place, open_.spools);
    };
    ZHIWEN_RETURN_IF_ERROR(RunSketchPass(context_, plan_.sketch, open_.references, open_.spools,
                                         progress_, checkpoint));
    if (HasWaitingReferences()) {
      ZHIWEN_RETURN_IF_ERROR(LeaveOutCommon());
      ZHIWEN_RETURN_IF_ERROR(MatchLate(context_, *open_.references, open_.spools));
    }
    return checkpoints_.EndSketch(progress_, open_.spools);
  }

  bool HasWaitingReferences() const {
    return open_.references != nullptr && open_.references->waits();
  }

  // What the reports and the audit say of references is counted anew when a run goes on.
  Status LeaveOutCommon() {
    return HasWaitingReferences() ? LeaveOutCommonShingles(context_, *open_.references) : Status();
  }

  template <typename Mark>
  StageCheckpoint<Mark> CheckpointFrom(const std::optional<Mark>& from) {
    return {.from = from,
            .is_due = [&](StagePoint point) { return checkpoints_.IsDue(point); },
            .save =
                [&](const Mark& mark) {
                  return checkpoints_.SaveStage(progress_, open_.spools, mark);
                }};
  }

  Result<Removals> DecideBySimilarity(const Collapsed& collapsed, std::vector<uint32_t> ranks) {
    std::unique_ptr<Spool> candidates;
    std::optional<Components> components;
    ShowStage(context_.environment, Stage::kCandidates);
    if (plan_.rules.mode == DedupMode::kContained) {
      ZHIWEN_ASSIGN_OR_RETURN(
          ContainedCandidates contained,
          FindContainedCandidates(context_, collapsed.representatives, ranks, plan_.containment));
      saturated_documents = contained.counts.saturated_documents;
      components = std::move(contained.components);
      candidates = std::move(contained.pairs);
      open_.stages.End("candidates", 0);
    } else if (plan_.sketch.bands) {
      ZHIWEN_ASSIGN_OR_RETURN(components, FindComponents(context_, collapsed.representatives));
      candidates = std::move(components->members);
      open_.stages.End("candidates", 0);
    }
    ShowStage(context_.environment, Stage::kBatches);
    ZHIWEN_ASSIGN_OR_RETURN(
        const BatchPlan batches,
        PlanBatches(context_.spools, std::move(components), collapsed.representatives, ranks,
                    PlanBatchLimits(plan_, context_.work_bytes)));
    open_.stages.End("batches", 0);
    const uint32_t partitions = PlanRangePartitions(documents_, context_.work_bytes);
    ZHIWEN_ASSIGN_OR_RETURN(SetSpools sets,
                            RunSetPass(context_, collapsed, ranks, batches, partitions,
                                       CheckpointFrom(checkpoints_.now().sets)));
    ranks = {};
    open_.stages.End("shingle sets", 0);
    ShowStage(context_.environment, Stage::kDecide);
    ZHIWEN_ASSIGN_OR_RETURN(
        SimilarDecisions decisions,
        DecideSimilar(context_, batches, sets, candidates.get(), plan_.max_bucket_kept,
                      CheckpointFrom(checkpoints_.now().decided)));
    sets.sets.reset();
    sets.large.reset();
    pairs = {.documents = batches.documents,
             .candidates = decisions.candidate_pairs,
             .matched = decisions.overlaps->size() / sizeof(OverlapRow),
             .comparisons = decisions.comparisons};
    hot_buckets = decisions.hot_buckets;
    open_.stages.End("decide", 0);
    return FinishRemovals(context_, collapsed, &decisions, sets.exact.get(), partitions);
  }

  OpenRun& open_;
  const Plan& plan_;
  RunContext& context_;
  Checkpointer& checkpoints_;
  SketchProgress progress_;
  DocumentIndex documents_ = 0;
};

Status WriteReports(const DedupReport& report, const DedupOptions& options, OutputFolder& folder) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto page, folder.OpenForWrite("report.html"));
  ZHIWEN_RETURN_IF_ERROR(page->Append(RenderHtmlReport(report, options)));
  ZHIWEN_RETURN_IF_ERROR(page->Close());
  ZHIWEN_ASSIGN_OR_RETURN(const auto json, folder.OpenForWrite("report.json"));
  ZHIWEN_RETURN_IF_ERROR(json->Append(DedupReportToJson(report, options)));
  ZHIWEN_RETURN_IF_ERROR(json->Sync());
  return json->Close();
}

// Everything after the first pass and its checks, to the finished files below .partial but for the
// report.
Status DecideAndWrite(const OpenRun& open, OutputFolder& folder, RunStages& run,
                      WarningRecorder& warnings, DedupReport& report) {
  const Plan& plan = open.plan;
  const RunContext& context = open.context;
  const DedupEnvironment& environment = context.environment;
  ZHIWEN_ASSIGN_OR_RETURN(Removals removals, run.Decide());
  ShowStage(environment, Stage::kCount);
  if (open.tuning.change_removals) {
    ZHIWEN_RETURN_IF_ERROR(open.tuning.change_removals(removals, context.scratch));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const KeeperLabels keepers,
                          KeeperLabels::Make(context, removals, open.references));
  const SketchProgress& progress = run.progress();
  const RunData data{context,          progress.totals, progress.bad_files,         removals,
                     keepers.labels(), open.references, CountClusterSizes(removals)};
  if (open.tuning.look) ZHIWEN_RETURN_IF_ERROR(open.tuning.look(data));
  ZHIWEN_RETURN_IF_ERROR(CheckKeepers(data));
  report.compared_documents = run.pairs.documents;
  report.candidate_pairs = run.pairs.candidates;
  report.matched_pairs = run.pairs.matched;
  report.comparisons = run.pairs.comparisons;
  report.hot_buckets = run.hot_buckets;
  report.saturated_documents = run.saturated_documents;
  ZHIWEN_RETURN_IF_ERROR(CountDocuments(data, plan.sketch, report));
  open.stages.End("count", 0);
  ShowStage(environment, Stage::kAudit);
  ZHIWEN_ASSIGN_OR_RETURN(CollectedFindings findings, CollectedFindings::Collect(data));
  const DocumentWish wishes[] = {findings.Wish()};
  ZHIWEN_ASSIGN_OR_RETURN(report.audit, AuditRun(data, plan.audit_size, plan.sketch.audit, wishes));
  open.stages.End("audit", 0);
  ShowStage(environment, Stage::kWrite);
  OutputCounts written;
  ZHIWEN_RETURN_IF_ERROR(WriteRows(data, plan.input.added, folder, written));
  ZHIWEN_RETURN_IF_ERROR(WriteKept(data, plan.input.added, folder, written));
  report.kept_bytes = written.kept_file_bytes;
  report.kept_links = written.kept_links;
  report.clusters = written.clusters;
  report.largest_cluster = written.largest_cluster;
  ZHIWEN_RETURN_IF_ERROR(CheckAccounts(data, report.kept, written));
  open.stages.End("write", report.kept_bytes);
  ShowStage(environment, Stage::kExplain);
  ZHIWEN_RETURN_IF_ERROR(findings.Show(data, report));
  if (open.references != nullptr) {
    ZHIWEN_ASSIGN_OR_RETURN(report.against, ShowReferences(data));
    if (plan.rules.cuts) report.against->cuts = written.cuts;
  }
  report.findings.warnings = warnings.Take();
  open.stages.End("explain", 0);
  return {};
}

void TakeTimes(const StageClock& stages, DedupReport& report) {
  report.stages = stages.stages();
  for (const StageTime& stage : report.stages) {
    report.wall_seconds += stage.wall_seconds;
    report.cpu_seconds += stage.cpu_seconds;
  }
}

// All stages of a run; what it found, but for what every report has.
Result<DedupReport> RunOpened(OpenRun& open, OutputFolder& folder, WarningRecorder& warnings) {
  const CheckOptions& checks = open.plan.checks;
  const RunContext& context = open.context;
  RunStages run(open);
  ZHIWEN_RETURN_IF_ERROR(run.Sketch());
  const SketchTotals& totals = run.progress().totals;
  if (Status named = CheckNamedFields(context, totals, open.references, checks); !named) {
    open.checkpoints.Drop();
    return Fail(std::move(named));
  }
  ZHIWEN_RETURN_IF_ERROR(CheckFailures(context, totals, checks.max_failed));
  if (totals.records == 0) {
    context.environment.log.Warn("the inputs have no records: there is nothing to deduplicate");
  } else if (totals.empty == totals.documents) {
    context.environment.log.Warn(
        fmt::format("{} {} an empty text, which matches nothing; if the texts are in another "
                    "field, name it",
                    totals.documents == 1 ? "the only document"
                                          : "all " + FormatPlural(totals.documents, "document"),
                    totals.documents == 1 ? "has" : "have"));
  }
  ZHIWEN_ASSIGN_OR_RETURN(DuplicateIds duplicates,
                          CountDuplicateIds(context, static_cast<DocumentIndex>(totals.documents)));
  if (checks.unique_ids) ZHIWEN_RETURN_IF_ERROR(CheckUniqueIds(duplicates));
  if (open.plan.input.added.mark_keeper) WarnOfSharedIds(context, duplicates);
  DedupReport report;
  if (totals.html.is_notable()) {
    context.environment.log.Warn(HtmlWarning(totals.html));
    report.html = {totals.html.looked_at, totals.html.html};
  }
  if (const std::string warning = WarningOfDecodingErrors(totals.decoding_errors);
      !warning.empty()) {
    context.environment.log.Warn(warning);
  }
  ZHIWEN_ASSIGN_OR_RETURN(report.bad_files, DescribeBadFiles(context, run.progress().bad_files));
  for (const LeftOutFile& file : context.inputs.left_out) {
    report.bad_files.push_back({file.path, file.why, 0, true});
  }
  report.duplicate_ids = duplicates.count;
  report.duplicate_id_examples = std::move(duplicates.examples);
  if (Status status = DecideAndWrite(open, folder, run, warnings, report); !status) {
    run.SaveFailed(status.error());
    return Fail(std::move(status));
  }
  report.threads = context.environment.executor.concurrency();
  TakeTimes(open.stages, report);
  report.peak_memory_bytes = PeakMemoryBytes();
  report.scratch_bytes = context.scratch.disk_written();
  report.resumes = open.checkpoints.resumes();
  return report;
}

// A run before its scratch is open.
struct StartedRun {
  Plan plan;
  DedupInputs inputs;
  std::optional<DedupInputs> reference_inputs;
  OutputFolder folder;
  StageClock stages;
};

// Opens what the run reads and keeps, at the place where it goes on.
Result<DedupReport> RunFrom(Checkpointer& checkpoints, const RunTuning& tuning, StartedRun& started,
                            const DedupEnvironment& environment, WarningRecorder& warnings) {
  Plan& plan = started.plan;
  DedupInputs& inputs = started.inputs;
  plan.reading.large_text_bytes =
      LargeTextBytes(plan.memory_bytes, environment.executor.concurrency());
  if (tuning.change_plan) tuning.change_plan(plan);
  inputs.sample = tuning.sample;
  plan.reading.blocks.block_bytes = tuning.block_bytes;
  SetRecordLimit(checkpoints.RecordLimit(plan.reading.blocks.max_record_bytes), plan.reading);
  const uint64_t sketch_memory = SketchMemory(plan.memory_bytes);
  auto opened = Scratch::Create(environment.files, checkpoints.scratch_folder(),
                                tuning.memory ? tuning.memory->scratch : sketch_memory);
  if (!opened) {
    return FailUnwritable("scratch folder", checkpoints.scratch_folder(),
                          std::move(opened).error());
  }
  const auto scratch = *std::move(opened);
  ZHIWEN_RETURN_IF_ERROR(
      checkpoints.continues()
          ? ReopenStandardInput(plan.input, scratch->folder(), checkpoints.now().standard_input,
                                environment, inputs)
          : SpoolStandardInput(plan.input, scratch->folder(), environment, inputs));
  ZHIWEN_ASSIGN_OR_RETURN(
      RunSpools spools,
      checkpoints.OpenSpools(inputs, *scratch, plan.sketch.bands ? plan.sketch.bands->bands : 0));
  started.stages.End("open", 0);
  const RunContext context{environment, inputs, plan.reading, plan.rules, *scratch, spools};
  std::optional<References> references;
  if (started.reference_inputs) {
    ZHIWEN_ASSIGN_OR_RETURN(
        references, References::Read(context, *std::move(started.reference_inputs),
                                     ReferenceMemory(plan.memory_bytes), tuning.reference_bytes));
    // Both together take what the one may.
    if (!tuning.memory) {
      scratch->set_memory_limit(sketch_memory - std::min(sketch_memory, references->index_bytes()));
    }
    started.stages.End("references", references->inputs().total_bytes);
  }
  OpenRun open{plan,        tuning,        context, spools, references ? &*references : nullptr,
               checkpoints, started.stages};
  return RunOpened(open, started.folder, warnings);
}

Result<DedupReport> RunRecorded(const DedupOptions& options, const RunTuning& tuning,
                                const DedupEnvironment& environment, WarningRecorder& warnings) {
  StageClock stages(environment.clock);
  ZHIWEN_ASSIGN_OR_RETURN(Plan plan, MakePlan(options));
  ZHIWEN_ASSIGN_OR_RETURN(DedupInputs inputs,
                          OpenInputs(environment.files, plan.input, environment.log));
  std::optional<DedupInputs> references;
  if (!plan.input.references.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(references,
                            OpenReferences(environment.files, plan.input, inputs, environment.log));
  }
  ZHIWEN_ASSIGN_OR_RETURN(OutputFolder folder,
                          OutputFolder::Create(environment.files, plan.input.output,
                                               plan.output_use, DedupOutputContents()));
  StartedRun started{std::move(plan), std::move(inputs), std::move(references), std::move(folder),
                     stages};
  ZHIWEN_ASSIGN_OR_RETURN(
      Checkpointer checkpoints,
      Checkpointer::Open(started.plan.checkpoint,
                         started.reference_inputs ? &*started.reference_inputs : nullptr,
                         started.folder, environment));
  auto report = RunFrom(checkpoints, tuning, started, environment, warnings);
  Status written = report ? WriteReports(*report, options, started.folder) : Status();
  const bool is_written = report && written;
  if (!written) report = Fail(std::move(written));
  Status published = is_written ? started.folder.Publish() : Status();
  if (!published) report = Fail(std::move(published));
  if (!report) {
    Error error = checkpoints.EndWith(std::move(report).error());
    if (!checkpoints.exists() && !is_written) started.folder.Abandon();
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
