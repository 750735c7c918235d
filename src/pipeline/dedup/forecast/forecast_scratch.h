#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SCRATCH_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SCRATCH_H_

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
  // Those with very many shingles: how many each has, and how many there are of it.
  struct LargeSets {
    double shingles = 0, count = 0;
  };
  std::vector<LargeSets> large_sets;
  double largest_text_bytes = 0;
  double copies_to_look_at = 0;
  double representatives_removed = 0;
  double removed = 0;
  double label_bytes = 0;  // of one document
};

struct ScratchOptions {
  uint64_t before = 0;        // what may stay in memory during the first pass
  MemoryPlan memory;          // later
  uint64_t memory_bytes = 0;  // in all
  size_t threads = 1;
  bool is_compressed = false;  // some of what is kept
  // When checkpoints are made: rows of the first pass, of the second and of the decisions then go
  // to the disk whatever fits, and stay in memory until then.
  double checkpoint_every = 0;
  double sketch_seconds = 0, between_seconds = 0, set_seconds = 0, decide_seconds = 0;
};

struct ExpectedScratch {
  std::vector<std::pair<std::string, uint64_t>> written;  // bytes by kind, in order of stages
  uint64_t total = 0;
  uint64_t disk_peak = 0;
  uint64_t disk_end = 0;  // there while outputs are written
  uint64_t memory_peak = 0;
};

ExpectedScratch ExpectScratch(const ExpectedRows& rows, const ScratchOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SCRATCH_H_
