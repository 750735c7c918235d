#ifndef ZHIWEN_PIPELINE_DEDUP_OUTPUTS_H_
#define ZHIWEN_PIPELINE_DEDUP_OUTPUTS_H_

// The files of a run but its report: kept/, removed.jsonl.zst, clusters.jsonl.zst, failed.jsonl.zst
// (docs/formats/dedup-outputs.md). Rows are in the order of input; the bytes depend on the input
// and the decisions alone.

#include <cstdint>

#include "pipeline/dedup/decisions.h"
#include "pipeline/dedup/document_table.h"
#include "pipeline/dedup/inputs.h"
#include "pipeline/dedup/output_folder.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct RunData {
  const DedupInputs& inputs;
  const DocumentTable& table;
  const Decisions& decisions;
  Channel channel;
};

// Counted as the files were written.
struct OutputCounts {
  uint64_t kept_bytes = 0;
  uint64_t removed_rows = 0;
  uint64_t failed_rows = 0;
  uint64_t clusters = 0;  // of two documents or more
  uint64_t largest_cluster = 0;
};

// Writes all of them, files of different names at once.
Result<OutputCounts> WriteOutputs(const RunData& run, OutputFolder& folder,
                                  const DedupEnvironment& environment);

// Copies the lines of the kept records of one input, unchanged. Returns the bytes written.
Result<uint64_t> WriteKeptFile(const RunData& run, size_t file, OutputFolder& folder,
                               const DedupEnvironment& environment);

// The name by which outputs call a document: its id, else "file:record".
std::string DocumentLabel(const RunData& run, DocumentIndex d);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_OUTPUTS_H_
