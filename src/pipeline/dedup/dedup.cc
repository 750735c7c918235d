#include "zhiwen/dedup.h"

#include <vector>

#include "base/memory.h"
#include "pipeline/dedup/checks.h"
#include "pipeline/dedup/collapse.h"
#include "pipeline/dedup/counts.h"
#include "pipeline/dedup/decide_near.h"
#include "pipeline/dedup/examples.h"
#include "pipeline/dedup/outputs.h"
#include "pipeline/dedup/plan.h"
#include "pipeline/dedup/sketch_pass.h"
#include "pipeline/dedup/stage_clock.h"

namespace zhiwen {
namespace {

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
  ZHIWEN_RETURN_IF_ERROR(CheckAccounts(run, report.kept, written));
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
