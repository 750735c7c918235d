#ifndef ZHIWEN_PIPELINE_DEDUP_COLLAPSE_H_
#define ZHIWEN_PIPELINE_DEDUP_COLLAPSE_H_

// The first rule of dedup: documents with equal symbol sequences (those under one shingle: with an
// equal exact channel) are one; the first by rank represents them. A text without a byte is never
// equal to another.

#include <vector>

#include "pipeline/dedup/document_table.h"

namespace zhiwen {

// Returns for each document its representative; a document alone, or first of its group, is its
// own.
std::vector<DocumentIndex> CollapseEqual(const DocumentTable& table);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_COLLAPSE_H_
