#ifndef ZHIWEN_PIPELINE_DEDUP_REPORT_EXAMPLES_H_
#define ZHIWEN_PIPELINE_DEDUP_REPORT_EXAMPLES_H_

// Chooses a few removals for people to look at, with the beginnings of both texts.

#include <vector>

#include "pipeline/dedup/decide/run_data.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Chooses by the hash of the removed text, so that the same corpus shows the same examples; near
// copies first, they say more.
Result<std::vector<RemovalExample>> ChooseExamples(const RunData& run);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_REPORT_EXAMPLES_H_
