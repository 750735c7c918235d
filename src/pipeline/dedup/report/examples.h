#ifndef ZHIWEN_PIPELINE_DEDUP_REPORT_EXAMPLES_H_
#define ZHIWEN_PIPELINE_DEDUP_REPORT_EXAMPLES_H_

// Chooses a few removals for people to look at, with the beginnings of both texts.

#include <string>
#include <vector>

#include "pipeline/dedup/decide/run_data.h"
#include "pipeline/dedup/input/document_pass.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

class RemovalExamples {
 public:
  // Chooses by the hash of the removed text, so that the same corpus shows the same examples; near
  // copies first, they say more.
  static Result<RemovalExamples> Choose(const RunData& run);

  // The documents to be visited before Show; this outlives the wish and does not move meanwhile.
  DocumentWish Wish();
  Result<std::vector<RemovalExample>> Show(const RunData& run) const;

 private:
  std::vector<RemovalRow> removed_;
  std::vector<DocumentIndex> documents_;  // ascending
  std::vector<std::string> texts_;        // their beginnings
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_REPORT_EXAMPLES_H_
