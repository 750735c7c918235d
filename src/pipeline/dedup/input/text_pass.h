#ifndef ZHIWEN_PIPELINE_DEDUP_INPUT_TEXT_PASS_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUT_TEXT_PASS_H_

// Some documents are read once more, to be shown or checked.

#include <functional>
#include <span>
#include <string_view>

#include "pipeline/dedup/input/inputs.h"
#include "pipeline/dedup/rows/run_spools.h"
#include "pipeline/dedup/sketch/sketch_pass.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Called with the place of a document in `chosen` and what was read of it.
using DocumentVisitor = std::function<void(size_t chosen, const Document& document)>;
using TextVisitor = std::function<void(size_t chosen, std::string_view text)>;

// Visits every document of `chosen` (ascending), in that order, reading the blocks they are in.
// Fails: kUnreadable (a read failed, or a block is not what the first pass read), and on
// cancellation.
Status VisitDocuments(const DedupInputs& inputs, const SketchPassOptions& reading,
                      const RunSpools& spools, std::span<const DocumentIndex> chosen,
                      const DedupEnvironment& environment, const DocumentVisitor& visitor);

// Visits their texts alone.
Status VisitTexts(const DedupInputs& inputs, const SketchPassOptions& reading,
                  const RunSpools& spools, std::span<const DocumentIndex> chosen,
                  const DedupEnvironment& environment, const TextVisitor& visitor);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUT_TEXT_PASS_H_
