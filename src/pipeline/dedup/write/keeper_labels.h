#ifndef ZHIWEN_PIPELINE_DEDUP_WRITE_KEEPER_LABELS_H_
#define ZHIWEN_PIPELINE_DEDUP_WRITE_KEEPER_LABELS_H_

// Looks up the labels of all keepers, in the order of the removals, for outputs that name both
// documents of a pair. Keepers lie anywhere: the removals are sorted by keeper, joined with the
// labels from front to back, and sorted back.
//
// Cost        two sorts of a row each removal; labels are read once
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
