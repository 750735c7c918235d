#ifndef ZHIWEN_PIPELINE_DEDUP_DECIDE_SET_PASS_H_
#define ZHIWEN_PIPELINE_DEDUP_DECIDE_SET_PASS_H_

// The second pass reads documents again (document_pass.h) for what the first pass did not keep: the
// shingle sets of documents that may match, by batch, and the exact channel of copies whose bytes
// differ from those of their representative.

#include <memory>
#include <vector>

#include "base/scratch/mapped_spool.h"
#include "base/scratch/partitioned_spool.h"
#include "pipeline/dedup/decide/batches.h"
#include "pipeline/dedup/decide/stage_checkpoint.h"
#include "pipeline/dedup/input/run_context.h"
#include "pipeline/dedup/sketch/collapse.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// In front of `count` shingles, ascending and distinct, or of a LargeSet that says where they are.
struct SetRow {
  DocumentIndex document = 0;
  uint32_t rank = 0;
  uint64_t count = 0;
  uint64_t group = 0;  // hash of the value of --group-by
  int64_t date = kNoDate;
  uint64_t exact = 0;  // where dates count: half of the hash of the exact channel
};

// Locates the shingle set of a document of BatchPlan::large.
struct LargeSet {
  uint64_t place = 0;     // in SetSpools::large
  uint64_t checksum = 0;  // low half of HashBytes128 of the shingles
};

// One a copy that needs a look, and one a representative of such.
struct ExactRow {
  DocumentIndex representative = 0;
  DocumentIndex document = 0;
  Hash128 hash;  // of the exact channel
};

struct SetSpools {
  // Leaves the files to a later process.
  void Keep();

  std::unique_ptr<PartitionedSpool> sets;   // by batch: SetRow, and shingles or a LargeSet
  std::unique_ptr<MappedSpool> large;       // shingles, 64 bits each
  std::unique_ptr<PartitionedSpool> exact;  // by representative (RangePartition): ExactRow
};

// Which of `partitions` ranges of equal length a document lies in.
inline uint32_t RangePartition(DocumentIndex d, uint64_t documents, uint32_t partitions) {
  return static_cast<uint32_t>(uint64_t{d} * partitions / documents);
}

// A place in the pass.
struct SetMark {
  uint64_t blocks = 0;  // those before it are in the spools
  SpoolMark sets;
  MappedMark large;
  SpoolMark exact;
};

// `exact_partitions`: of SetSpools::exact. Fails: kUnreadable (a read failed, an input changed),
// and on cancellation.
Result<SetSpools> RunSetPass(const RunContext& run, const Collapsed& collapsed,
                             const std::vector<uint32_t>& ranks, const BatchPlan& plan,
                             uint32_t exact_partitions, const StageCheckpoint<SetMark>& checkpoint);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_DECIDE_SET_PASS_H_
