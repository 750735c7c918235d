#ifndef ZHIWEN_MATCH_GRANULE_PASSAGES_H_
#define ZHIWEN_MATCH_GRANULE_PASSAGES_H_

// Finds the passages that a stored text and a query share, by their granules
// (fingerprint/granule_scheme.h). 文辉, 网站文章如何能自动判定是抄袭, 2016, 3.
//
// In          granules of one scheme: of the stored text at the steps of the scheme, of the query
//             at every character, with its codes made ready for searches
// Out         each granule of the stored text is compared with the granules of the query that would
//             go on with a passage, and with the closest one of all, by the L1 distance of their
//             digits; where the query has the closest code in several places, with the first
//             kMostRepeats of them. Granules at most `radius` apart that follow one another in both
//             texts are a passage: in the stored text each touches the one before, and the query is
//             at most a quarter of a granule longer or shorter between the two. A granule may be in
//             several passages, at different places of the query
// Cost        that of SearchedCodes::FindClosest, and for each granule of the stored text half a
//             granule of comparisons for each passage that may go on, of which there are at most
//             kMostOpenPassages
// Threads     free function
// Fails       kInterrupted, kTerminated, as `cancellation` says

#include <cstdint>
#include <vector>

#include "fingerprint/granule_scheme.h"
#include "match/digit_similarity.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr size_t kMostRepeats = 8, kMostOpenPassages = 16;

// A granule of the stored text, and one of the query.
struct AlignedGranule {
  size_t stored = 0, query = 0;  // their places among the granules of the texts
  uint32_t distance = 0;         // L1

  friend bool operator==(const AlignedGranule&, const AlignedGranule&) = default;
};

using GranulePassage = std::vector<AlignedGranule>;  // in order of the stored text

struct GranuleMatchOptions {
  uint32_t radius = 0;
  // Granules of a passage. Where a text is too short for so many and there is no such passage, it
  // may have fewer: all of the stored text, or as many as surely lie in a copy of the length of the
  // query.
  size_t least_granules = 1;
  uint32_t short_radius = 0;  // for the granules of a passage of fewer, where it is below `radius`
};

// Returns the passages in order of the stored text. A short text, of one granule of its own size,
// matches only a short text with an equal code.
Result<std::vector<GranulePassage>> FindGranulePassages(const GranuleScheme& scheme,
                                                        const Granules& stored,
                                                        const Granules& query,
                                                        const SearchedCodes& codes_of_query,
                                                        const GranuleMatchOptions& options,
                                                        const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_GRANULE_PASSAGES_H_
