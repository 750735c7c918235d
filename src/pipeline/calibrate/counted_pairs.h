#ifndef ZHIWEN_PIPELINE_CALIBRATE_COUNTED_PAIRS_H_
#define ZHIWEN_PIPELINE_CALIBRATE_COUNTED_PAIRS_H_

// Counts all pairs of texts by the distance of their codes: apart those that are related, that is
// whose shingle sets have at least a given resemblance, and all others.
//
// Guarantees  every pair is counted once; which are related is exact (a join finds candidates,
//             their sets are compared); the same counts for any number of threads
// Cost        n² comparisons of codes; each candidate pair twice; 4 bytes for each text, length and
//             distance

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/joins/prefix_join.h"
#include "zhiwen/calibration.h"
#include "zhiwen/environment.h"
#include "zhiwen/executor.h"

namespace zhiwen {

struct CodedText {
  uint64_t code = 0;
  uint32_t length = 0;  // its place in kCalibrationLengths
  ShingleSet shingles = {};
};

struct CountedPairs {
  UnrelatedPairs unrelated;
  std::array<DistanceCounts, kRelatedFrom.size()> related;
};

struct PairCounting {
  uint32_t bits = 64;
  double unrelated = 0.1;
};

// Returns the pairs by the length of the shorter text, and at the end all of them. `advance` is
// told of each text that was compared with all others.
Result<std::vector<CountedPairs>> CountPairs(std::span<const CodedText> texts,
                                             const PairCounting& options, Executor& executor,
                                             const Cancellation& cancellation,
                                             const std::function<void()>& advance);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CALIBRATE_COUNTED_PAIRS_H_
