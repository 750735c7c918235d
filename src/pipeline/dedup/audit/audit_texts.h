#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_TEXTS_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_TEXTS_H_

// Reads documents again from the inputs, with the documents and references that each is compared
// with: as many at once as fit in memory, in most runs all.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "document/record.h"
#include "pipeline/dedup/decide/run_data.h"
#include "pipeline/dedup/input/document_pass.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Compare a document with others, then with references.
struct AuditTask {
  DocumentIndex document = 0;
  std::vector<DocumentIndex> others = {};
  std::vector<uint32_t> references = {};
};

struct AuditedText {
  std::string text;
  uint64_t group = 0;      // of the value of --group-by; references have none
  std::string key = {};    // of --key; references have none
  int64_t date = kNoDate;  // of --within
  // What is left of the text, where it loses what matches a reference.
  std::optional<std::string> rest = {};
};

// Memory of what the slow path makes of two texts, by a code point of the longer one.
inline constexpr uint64_t kBytesPerComparedCodePoint = 64;

// Called by a worker with the place of a task, its document, and what that is compared with:
// others, then references, in their order.
using AuditComparison =
    std::function<Status(size_t worker, size_t task, const AuditedText& document,
                         std::span<const AuditedText* const> others)>;

// Calls `compare` for every task, by all workers at once. The first pass over the inputs serves
// `wishes` too; without a task it serves them alone. Each document and reference must have
// kMostAuditedCodePoints or fewer. Memory: work_bytes, one task at least. Fails: as `compare` does,
// kUnreadable, and on cancellation.
Status CompareTexts(const RunData& run, std::span<const AuditTask> tasks,
                    std::span<const DocumentWish> wishes, const AuditComparison& compare);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_TEXTS_H_
