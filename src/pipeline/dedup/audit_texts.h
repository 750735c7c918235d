#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_TEXTS_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_TEXTS_H_

// Some documents, each to be compared with some others, are read again from the inputs: as many at
// once as fit in memory.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/dedup/outputs.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Compare a document with others.
struct AuditTask {
  DocumentIndex document = 0;
  std::vector<DocumentIndex> others;
};

// Called with the place of a task, its document's text and those of the others, in their order.
using AuditComparison = std::function<Status(size_t task, std::string_view text,
                                             std::span<const std::string_view> others)>;

// Calls `compare` for every task, by all workers at once. Each document must have
// kMostAuditedCodePoints or fewer. Memory: `memory_bytes`, one task at least. Fails: as `compare`
// does, kUnreadable, and on cancellation.
Status CompareTexts(const RunData& run, std::span<const AuditTask> tasks, uint64_t memory_bytes,
                    const DedupEnvironment& environment, const AuditComparison& compare);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_AUDIT_TEXTS_H_
