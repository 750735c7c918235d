#ifndef ZHIWEN_PIPELINE_DEDUP_SKETCH_COLLAPSE_H_
#define ZHIWEN_PIPELINE_DEDUP_SKETCH_COLLAPSE_H_

// Applies the first rules of dedup. Of the documents with one key (--key), the first by rank stays.
// Of those that stay, documents with equal symbol sequences are one, and the first by rank
// represents them. Documents too short for a shingle are compared on the exact channel. A text
// without a byte never equals another one. Where dates may be too far apart (--within), a document
// is represented by the first by rank that equals it, represents itself and is near in time.

#include <memory>
#include <vector>

#include "base/scratch/spool.h"
#include "pipeline/dedup/input/run_context.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A document, and the first by rank with its key.
struct KeyCopyRow {
  DocumentIndex document = 0;
  DocumentIndex first = 0;
};

struct Collapsed {
  // By document its representative; a document alone, or first of its group, is its own; none of
  // one that matches a reference (whether it is removed or cut) or has the key of another one: it
  // takes part in nothing.
  std::vector<DocumentIndex> representatives;
  // By document: its bytes are not those of its representative, although it has shingles, so that
  // only the texts tell whether both are equal on the exact channel. (Shorter texts were collapsed
  // on that channel.)
  std::vector<bool> differs;
  std::unique_ptr<Spool> key_copies;  // KeyCopyRow, in no order; none without keys
};

// Memory: 4 bytes and a bit a document, and work_bytes.
Result<Collapsed> CollapseEqual(const RunContext& run, const std::vector<uint32_t>& ranks);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SKETCH_COLLAPSE_H_
