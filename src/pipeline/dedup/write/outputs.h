#ifndef ZHIWEN_PIPELINE_DEDUP_WRITE_OUTPUTS_H_
#define ZHIWEN_PIPELINE_DEDUP_WRITE_OUTPUTS_H_

// The files of a finished run (docs/formats/dedup-outputs.md). Rows are in the order of input; the
// bytes depend on the input and the decisions alone.

#include <cstdint>
#include <vector>

#include "pipeline/dedup/decide/removals.h"
#include "pipeline/dedup/input/inputs.h"
#include "pipeline/dedup/rows/run_spools.h"
#include "pipeline/dedup/sketch/references.h"
#include "pipeline/dedup/sketch/sketch_pass.h"
#include "pipeline/dedup/write/output_folder.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// What the last stages of a run read.
struct RunData {
  const DedupInputs& inputs;
  const DedupOptions& options;
  const SketchPassOptions& reading;
  const RunSpools& spools;
  const SketchTotals& totals;
  const Removals& removals;
  const Labels& keeper_labels;   // of removals.rows, in their order
  const References* references;  // none: nullptr
  // By kept document; 0 for removed ones, 1 for those that a reference removed.
  std::vector<uint32_t> cluster_sizes;
  Channel channel;  // on which inputs are compared
  const std::vector<BadFile>& bad_files;
};

// Counted as the files were written.
struct OutputCounts {
  uint64_t kept_records = 0;
  uint64_t kept_bytes = 0;       // of records as they were read; Parquet: rows
  uint64_t removed_bytes = 0;    // likewise
  uint64_t kept_file_bytes = 0;  // of the files in kept/, as they are
  uint64_t kept_links = 0;       // of these, texts that are the input files themselves
  uint64_t removed_rows = 0;
  uint64_t failed_rows = 0;
  uint64_t clusters = 0;  // of two documents or more
  uint64_t largest_cluster = 0;
  AgainstReport against;
};

std::vector<uint32_t> CountClusterSizes(const Removals& removals);

// Writes removed, clusters, failed and, where there are references, those that were hit; files of
// different names at once.
Status WriteRows(const RunData& run, OutputFolder& folder, OutputCounts& counts,
                 const DedupEnvironment& environment);

// Writes kept/.
Status WriteKept(const RunData& run, OutputFolder& folder, OutputCounts& counts,
                 const DedupEnvironment& environment);

// The name by which outputs call a document: its id, else its place.
std::string LabelText(const DedupInputs& inputs, const DocumentLabel& label);
// Where a document is: "file:record"; a text: its file.
std::string PlaceText(const DedupInputs& inputs, const DocumentLabel& label);
Result<std::string> DocumentLabelText(const RunData& run, DocumentIndex d);
Result<std::string> KeeperLabelText(const RunData& run, const RemovalRow& removal);

// What a removal's keeper is called: a document, or a reference.
Result<DocumentLabel> KeeperLabel(const RunData& run, const RemovalRow& removal);
const DedupInputs& KeeperInputs(const RunData& run, const RemovalRow& removal);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_WRITE_OUTPUTS_H_
