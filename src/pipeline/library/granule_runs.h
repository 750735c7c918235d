#ifndef ZHIWEN_PIPELINE_LIBRARY_GRANULE_RUNS_H_
#define ZHIWEN_PIPELINE_LIBRARY_GRANULE_RUNS_H_

// Chooses which passages of granules count in a check, and gives them the form of runs, in which
// those of channels are merged with them (pipeline/library/merged_passages.h).
//
// Cost        some code points are counted for each passage, and for each of the folded channel's
//             runs that it overlaps
// Threads     free function

#include <cstdint>
#include <vector>

#include "pipeline/library/code_point_table.h"
#include "zhiwen/compare.h"
#include "zhiwen/library_query.h"

namespace zhiwen {

struct GranuleRuns {
  std::vector<SharedRun> runs = {};  // ascending, of code points of the text; none overlap in it
  uint64_t granules = 0;             // of the document, in these
};

// Returns the passages of `match` that have kLeastGranules, of those that overlap in the text the
// longest. Set phrases are no disguise: kPassageRun code points of a passage must lie in no run of
// so many symbols in `folded`, the comparison of both texts on the folded channel. `points` is of
// the text.
GranuleRuns ChooseGranuleRuns(const SchemeMatch& match, const Comparison& folded,
                              const CodePointTable& points);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_GRANULE_RUNS_H_
