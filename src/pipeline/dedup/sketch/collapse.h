#ifndef ZHIWEN_PIPELINE_DEDUP_SKETCH_COLLAPSE_H_
#define ZHIWEN_PIPELINE_DEDUP_SKETCH_COLLAPSE_H_

// Applies the first rule of dedup: documents with equal symbol sequences are one, and the first by
// rank represents them. Documents too short for a shingle are compared on the exact channel. A text
// without a byte never equals another one.

#include <vector>

#include "pipeline/dedup/input/run_context.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct Collapsed {
  // By document its representative; a document alone, or first of its group, is its own; none of
  // one that matches a reference: it is decided, and takes part in nothing.
  std::vector<DocumentIndex> representatives;
  // By document: its bytes are not those of its representative, although it has shingles, so that
  // only the texts tell whether both are equal on the exact channel. (Shorter texts were collapsed
  // on that channel.)
  std::vector<bool> differs;
};

// Memory: 4 bytes and a bit a document, and work_bytes.
Result<Collapsed> CollapseEqual(const RunContext& run, const std::vector<uint32_t>& ranks);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SKETCH_COLLAPSE_H_
