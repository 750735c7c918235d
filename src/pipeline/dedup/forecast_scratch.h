#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_SCRATCH_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_SCRATCH_H_

// Where the rows of a run will be: in memory or on disk, stage by stage, as base/scratch puts them.
//
// In          how many rows of each kind there will be, and how memory is divided
// Out         bytes of each kind that reach the disk, the most that is there at once, and the
//             anonymous memory at its peak
// Guarantees  the larger of two inputs needs no less
// Threads     free function

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/dedup/plan.h"

namespace zhiwen {

// Rows of all of a run.
struct ExpectedRows {
  double documents = 0;
  std::vector<std::pair<std::string, double>> first_pass;  // bytes by kind, but for bands
  double band_bytes = 0;
  uint64_t bands = 0;
  double rank_key_bytes = 0;
  double ids = 0;
  double members = 0;
  double sets = 0;          // documents with one
  double set_shingles = 0;  // of them
  double copies_to_look_at = 0;
  double representatives_removed = 0;
  double removed = 0;
  double label_bytes = 0;  // of one document
};

struct ScratchOptions {
  uint64_t before = 0;  // what may stay in memory during the first pass
  MemoryPlan memory;    // later
  size_t threads = 1;
  bool is_compressed = false;  // some of what is kept
  // The run is long enough for a checkpoint: the rows of the first pass and of the second go to the
  // disk whatever fits. Those of the decisions too.
  bool is_saved = false;
};

struct ExpectedScratch {
  std::vector<std::pair<std::string, uint64_t>> written;  // bytes by kind, in order of stages
  uint64_t total = 0;
  uint64_t disk_peak = 0;
  uint64_t memory_peak = 0;
};

ExpectedScratch ExpectScratch(const ExpectedRows& rows, const ScratchOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_SCRATCH_H_
