#ifndef ZHIWEN_PIPELINE_LIBRARY_OWNER_OVERLAPS_H_
#define ZHIWEN_PIPELINE_LIBRARY_OWNER_OVERLAPS_H_

// Finds the documents of a library that overlap documents of other owners: that equal or resemble
// them, contain most of them, or are mostly in them. What a check finds, this finds
// (zhiwen/check.h).

#include <cstdint>
#include <span>
#include <string>

#include "pipeline/lines_output.h"
#include "zhiwen/check.h"
#include "zhiwen/document_batches.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct OwnerOverlapCounts {
  uint64_t compared = 0;     // live documents that have an owner
  uint64_t overlapping = 0;  // of these
  uint64_t truncated = 0;  // of those compared: their search met a bound, and may have missed some
};

// Compares the documents with these numbers, each once, and adds a line for each overlap to
// `lines`, unless that is null. Does nothing where the library knows fewer than two owners. Fails:
// as Library and LinesOutput do, and as `cancellation` says.
Result<OwnerOverlapCounts> FindOwnerOverlaps(const std::string& folder,
                                             std::span<const uint32_t> documents,
                                             LinesOutput* lines,
                                             const BatchEnvironment& environment);

// Returns a line of AddFilesOptions::overlaps_file, without its end.
std::string OwnerOverlapToJson(const StoredDocument& document, const CheckMatch& match);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_OWNER_OVERLAPS_H_
