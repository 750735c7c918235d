#ifndef ZHIWEN_INDEX_MINHASH_MINHASH_PLAN_H_
#define ZHIWEN_INDEX_MINHASH_MINHASH_PLAN_H_

// Decides what a MinHash index keeps of a signature, and says what it finds with that: bands of
// rows (bands/band_plan.h), and a few bits of each value (bbit_signatures.h).
//
// Threads     const after Create: share freely
// Fails       Create: an option outside its range, or no bands for these → kInvalidArgument

#include <cstddef>
#include <cstdint>

#include "index/bands/band_plan.h"
#include "index/minhash/bbit_signatures.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct MinHashIndexOptions {
  double threshold = 0.8;
  double recall = 0.98;           // recall of documents at the threshold
  uint32_t signature_size = 128;  // number of values
  uint32_t band_values = 40;      // maximum number of values that bands are made of
  BbitSignatures::Options estimates = {};
  // The share of the documents at the threshold that may have too few equal bits to be candidates.
  double filter_miss = 1e-4;
  size_t bucket_limit = 1000;  // number of documents of a bucket that are examined
};

class MinHashPlan {
 public:
  static Result<MinHashPlan> Create(const MinHashIndexOptions& options);
  // Makes a plan whose bands were chosen before, perhaps by arithmetic that rounds otherwise. Fails
  // also where `bands` has none, or needs more values than the options allow.
  static Result<MinHashPlan> Restore(const MinHashIndexOptions& options, const BandPlan& bands);

  const MinHashIndexOptions& options() const { return options_; }
  const BandPlan& bands() const { return bands_; }
  const BbitSignatures& bbit() const { return bbit_; }
  // Return the least number of values with equal bits of a candidate that is verified, and of one
  // whose estimate reaches the threshold.
  uint32_t least_equal() const { return least_equal_; }
  uint32_t least_estimated() const;

  // Returns the least probability with which MinHashIndex::QueryVerified finds a document of this
  // resemblance, when signatures are made by ideal permutations and `cut_bands` bands of the query
  // were not read (`truncated`).
  double ExpectedRecall(double resemblance, uint32_t cut_bands) const;

 private:
  MinHashPlan(const MinHashIndexOptions& options, const BandPlan& bands,
              const BbitSignatures& bbit);

  MinHashIndexOptions options_;
  BandPlan bands_;
  BbitSignatures bbit_;
  uint32_t least_equal_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_MINHASH_PLAN_H_
