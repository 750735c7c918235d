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

// Copies the lines of kept records, unchanged, to kept/. Returns the bytes written.
Result<uint64_t> WriteKept(const RunData& run, OutputFolder& folder,
                           const DedupEnvironment& environment);

Status WriteRemoved(const RunData& run, OutputFolder& folder);

struct ClusterCounts {
  uint64_t clusters = 0;  // of two documents or more
  uint64_t largest = 0;
};

Result<ClusterCounts> WriteClusters(const RunData& run, OutputFolder& folder);

// Failed records with their bytes, which are read again.
Status WriteFailed(const RunData& run, OutputFolder& folder, FileSystem& files);

// The name by which outputs call a document: its id, else "file:record".
std::string DocumentLabel(const RunData& run, DocumentIndex d);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_OUTPUTS_H_
