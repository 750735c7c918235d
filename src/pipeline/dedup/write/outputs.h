#ifndef ZHIWEN_PIPELINE_DEDUP_WRITE_OUTPUTS_H_
#define ZHIWEN_PIPELINE_DEDUP_WRITE_OUTPUTS_H_

// Writes the files of a finished run (docs/formats/dedup-outputs.md). Rows are in the order of
// input; the bytes depend on the input and the decisions alone.

#include <cstdint>

#include "pipeline/dedup/decide/run_data.h"
#include "pipeline/dedup/input/added_fields.h"
#include "pipeline/output_folder.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

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
  ReferenceCuts cuts;
};

// Returns what the folder of a run may hold.
OutputContents DedupOutputContents();

// Writes removed, clusters, failed and, where there are references, those that were hit and what
// was cut for them; files of different names at once. `fields`: as WriteKept gets them.
Status WriteRows(const RunData& run, const AddedFields& fields, OutputFolder& folder,
                 OutputCounts& counts);

// Writes kept/, with `fields` added to its records.
Status WriteKept(const RunData& run, const AddedFields& fields, OutputFolder& folder,
                 OutputCounts& counts);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_WRITE_OUTPUTS_H_
