#ifndef ZHIWEN_PIPELINE_DEDUP_DECIDE_RUN_DATA_H_
#define ZHIWEN_PIPELINE_DEDUP_DECIDE_RUN_DATA_H_

// A run whose documents are all decided, for the stages that check it, audit it, write it and show
// it; and the names by which outputs call its documents.
//
// Threads     const: any number
// Fails       names: as labels.h

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/dedup/decide/removals.h"
#include "pipeline/dedup/input/run_context.h"
#include "pipeline/dedup/rows/labels.h"
#include "pipeline/dedup/sketch/references.h"
#include "pipeline/dedup/sketch/sketch_pass.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct RunData : RunContext {
  const SketchTotals& totals;
  const std::vector<BadFile>& bad_files;
  const Removals& removals;
  const Labels& keeper_labels;   // of removals.rows, in their order
  const References* references;  // none: nullptr
  // By the kept document of a cluster, or the one that represents it; 0 for other removed ones, 1
  // for those that a reference removed.
  std::vector<uint32_t> cluster_sizes;
};

std::vector<uint32_t> CountClusterSizes(const Removals& removals);

// Returns the name by which outputs call a document: its id, else its place.
std::string LabelText(const DedupInputs& inputs, const DocumentLabel& label);
// Returns the place of a document: "file:record", or the file when a text is all of it.
std::string PlaceText(const DedupInputs& inputs, const DocumentLabel& label);
Result<std::string> DocumentLabelText(const RunData& run, DocumentIndex d);
Result<std::string> KeeperLabelText(const RunData& run, const RemovalRow& removal);

// The label of a removal's keeper: of a document, or of a reference.
Result<DocumentLabel> KeeperLabel(const RunData& run, const RemovalRow& removal);
// The files that the keeper's label speaks of.
const DedupInputs& KeeperInputs(const RunData& run, const RemovalRow& removal);
const DedupInputs& KeeperInputs(const RunData& run, DocumentIndex removed);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_DECIDE_RUN_DATA_H_
