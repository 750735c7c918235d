#ifndef ZHIWEN_PIPELINE_DEDUP_WRITE_KEEPER_LABELS_H_
#define ZHIWEN_PIPELINE_DEDUP_WRITE_KEEPER_LABELS_H_

// What the keepers of removals are called, in the order of the removals: outputs name both, and the
// keepers lie anywhere. Sorted by keeper, joined with the labels front to back, sorted back.
//
// Cost        two sorts of a row each removal; labels are read once. None is looked up by its place
// Threads     Make: one at a time; then as labels.h

#include <memory>

#include "pipeline/dedup/decide/removals.h"
#include "pipeline/dedup/rows/labels.h"
#include "pipeline/dedup/sketch/references.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

class KeeperLabels {
 public:
  // `references`: of removals against them; none: nullptr. Fails: as base/scratch/scratch.h, and on
  // cancellation.
  static Result<KeeperLabels> Make(const RunContext& run, const Removals& removals,
                                   const References* references);

  // One label for each row of removals.rows.
  const Labels& labels() const { return *labels_; }

 private:
  KeeperLabels() = default;

  std::unique_ptr<Spool> rows_;
  std::unique_ptr<Labels> labels_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_WRITE_KEEPER_LABELS_H_
