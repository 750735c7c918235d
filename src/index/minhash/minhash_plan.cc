#include "index/minhash/minhash_plan.h"

#include <fmt/core.h>

#include <algorithm>

namespace zhiwen {
namespace {

Status CheckOptions(const MinHashIndexOptions& options) {
  const uint32_t needed = std::max(options.band_values, options.estimates.values);
  if (needed > options.signature_size) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot index signatures of {} values: bands and estimates need {}",
                            options.signature_size, needed));
  }
  if (!(options.filter_miss >= 0 && options.filter_miss < 1)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot filter candidates: the share {} that may be missed is outside "
                            "[0, 1)",
                            options.filter_miss));
  }
  if (options.bucket_limit == 0) {
    return Fail(ErrorCode::kInvalidArgument,
                "cannot look at no document of a bucket: the limit of buckets is 0");
  }
  if (options.recall >= 1 - options.filter_miss) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot find a share of {} of the documents at the threshold: the "
                            "filter alone may miss {}",
                            options.recall, options.filter_miss));
  }
  return {};
}

}  // namespace

Result<MinHashPlan> MinHashPlan::Create(const MinHashIndexOptions& options) {
  ZHIWEN_RETURN_IF_ERROR(CheckOptions(options));
  ZHIWEN_ASSIGN_OR_RETURN(const BbitSignatures bbit, BbitSignatures::Create(options.estimates));
  // The recall of the bands compensates for the misses of the filter.
  const double recall = options.recall / (1 - options.filter_miss);
  ZHIWEN_ASSIGN_OR_RETURN(const BandPlan bands,
                          PlanBands(options.threshold, recall, options.band_values));
  return MinHashPlan(options, bands, bbit);
}

Result<MinHashPlan> MinHashPlan::Restore(const MinHashIndexOptions& options,
                                         const BandPlan& bands) {
  ZHIWEN_RETURN_IF_ERROR(CheckOptions(options));
  ZHIWEN_ASSIGN_OR_RETURN(const BbitSignatures bbit, BbitSignatures::Create(options.estimates));
  const bool is_share =
      options.threshold > 0 && options.threshold <= 1 && options.recall > 0 && options.recall < 1;
  if (!is_share || bands.bands == 0 || bands.rows == 0 ||
      uint64_t{bands.bands} * bands.rows > options.band_values) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot use {} bands of {} rows of signatures of {} values",
                            bands.bands, bands.rows, options.signature_size));
  }
  return MinHashPlan(options, bands, bbit);
}

MinHashPlan::MinHashPlan(const MinHashIndexOptions& options, const BandPlan& bands,
                         const BbitSignatures& bbit)
    : options_(options),
      bands_(bands),
      bbit_(bbit),
      least_equal_(bbit.LeastEqual(options.threshold, options.filter_miss)) {}

uint32_t MinHashPlan::least_estimated() const {
  uint32_t least = 0;
  while (bbit_.Estimate(least) < options_.threshold) ++least;
  return least;
}

// Each equal value makes both events more likely. Together they are therefore at least as likely as
// if they were independent (T. E. Harris, 1960).
double MinHashPlan::ExpectedRecall(double resemblance, uint32_t cut_bands) const {
  if (cut_bands >= bands_.bands) return 0;
  const BandPlan read = {bands_.bands - cut_bands, bands_.rows};
  return CandidateProbability(read, resemblance) *
         bbit_.ReachProbability(least_equal_, resemblance);
}

}  // namespace zhiwen
