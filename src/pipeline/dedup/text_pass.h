#ifndef ZHIWEN_PIPELINE_DEDUP_TEXT_PASS_H_
#define ZHIWEN_PIPELINE_DEDUP_TEXT_PASS_H_

// The second pass: chosen documents are read again, in the order of input, and handed to a visitor.

#include <functional>
#include <span>
#include <string_view>

#include "pipeline/dedup/document_table.h"
#include "pipeline/dedup/inputs.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Called with the place of a document in `chosen` and its text; from several workers at once.
using TextVisitor = std::function<void(size_t worker, size_t chosen, std::string_view text)>;

// Visits every document of `chosen` (ascending). Fails: kUnreadable (a read failed, or a text is
// not what the first pass read), and on cancellation.
Status VisitTexts(const DedupInputs& inputs, const RecordFields& fields, const DocumentTable& table,
                  std::span<const DocumentIndex> chosen, std::string_view stage,
                  const DedupEnvironment& environment, const TextVisitor& visitor);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_TEXT_PASS_H_
