// Maps each stage of long work to its name and its unit.

#include <array>

#include "zhiwen/environment.h"

namespace zhiwen {
namespace {

constexpr std::array kStages = {
    StageTraits{Stage::kRead, "read", "bytes"},
    StageTraits{Stage::kSample, "sample", "bytes"},
    StageTraits{Stage::kCheck, "check", "bytes"},
    StageTraits{Stage::kReferences, "references", "bytes"},
    StageTraits{Stage::kSketch, "sketch", "bytes"},
    StageTraits{Stage::kMatchReferences, "references", "documents"},
    StageTraits{Stage::kReadMatches, "references", "parts"},
    StageTraits{Stage::kRank, "rank", "documents"},
    StageTraits{Stage::kCollapse, "collapse", "partitions"},
    StageTraits{Stage::kBands, "bands", "bands"},
    StageTraits{Stage::kCandidates, "candidates", ""},
    StageTraits{Stage::kJoinPartitions, "join", "partitions"},
    StageTraits{Stage::kSelect, "select", "partitions"},
    StageTraits{Stage::kBatches, "batches", ""},
    StageTraits{Stage::kShingleSets, "shingle sets", "parts"},
    StageTraits{Stage::kDecide, "decide", "batches"},
    StageTraits{Stage::kCopies, "copies", "partitions"},
    StageTraits{Stage::kCount, "count", ""},
    StageTraits{Stage::kAudit, "audit", "documents"},
    StageTraits{Stage::kAuditParts, "audit", "parts"},
    StageTraits{Stage::kWrite, "write", "files"},
    StageTraits{Stage::kExplain, "explain", ""},
    StageTraits{Stage::kCompute, "compute", "bytes"},
    StageTraits{Stage::kCompare, "compare", "bytes"},
    StageTraits{Stage::kSegment, "segment", "bytes"},
    StageTraits{Stage::kExtract, "extract", "bytes"},
    StageTraits{Stage::kCountTerms, "count", "bytes"},
    StageTraits{Stage::kTrain, "train", "texts"},
    StageTraits{Stage::kCalibrate, "calibrate", "texts"},
    StageTraits{Stage::kAddRows, "add", "bytes"},
    StageTraits{Stage::kRemoveRows, "remove", "bytes"},
    StageTraits{Stage::kQuery, "query", "bytes"},
    StageTraits{Stage::kMergeCodes, "merge", "codes"},
    StageTraits{Stage::kMergeEntries, "merge", "entries"},
    StageTraits{Stage::kMergeFeatures, "merge", "features"},
    StageTraits{Stage::kCheckRows, "fsck", "rows"},
    StageTraits{Stage::kJoinRows, "rows", "codes"},
    StageTraits{Stage::kJoinCodes, "join", "codes"},
    StageTraits{Stage::kReplay, "index", "changes"},
    StageTraits{Stage::kLearn, "learn", "bytes"},
};

constexpr bool StagesAreInOrder() {
  for (size_t i = 0; i < kStages.size(); ++i) {
    if (static_cast<size_t>(kStages[i].stage) != i) return false;
  }
  return kStages.size() == static_cast<size_t>(Stage::kLearn) + 1;
}
static_assert(StagesAreInOrder());

}  // namespace

const StageTraits& TraitsOf(Stage stage) { return kStages[static_cast<size_t>(stage)]; }

std::span<const StageTraits> AllStageTraits() { return kStages; }

}  // namespace zhiwen
