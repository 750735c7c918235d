#include "pipeline/dedup/audit/audit_estimates.h"

#include <algorithm>
#include <cmath>

namespace zhiwen {
namespace {

constexpr double kDeviations = 1.959963984540054;  // of the normal distribution, 95 % within

double Recall(const RecallCounts& counts, double residual) {
  const auto removed = static_cast<double>(counts.removed);
  const double left = static_cast<double>(counts.kept) * residual;
  return removed + left == 0 ? 1 : removed / (removed + left);
}

}  // namespace

ShareInterval WilsonInterval(const Sample& sample) {
  if (sample.size == 0) return {};
  const auto size = static_cast<double>(sample.size);
  const double share = static_cast<double>(sample.hits) / size;
  const double square = kDeviations * kDeviations;
  const double middle = (share + square / (2 * size)) / (1 + square / size);
  const double half = kDeviations / (1 + square / size) *
                      std::sqrt(share * (1 - share) / size + square / (4 * size * size));
  // At the ends of the scale the formula gives them exactly, but for rounding.
  return {share, sample.hits == 0 ? 0 : std::max(middle - half, 0.0),
          sample.hits == sample.size ? 1 : std::min(middle + half, 1.0)};
}

ShareInterval EstimateRecall(const RecallCounts& counts, const ShareInterval& residual) {
  return {Recall(counts, residual.share), Recall(counts, residual.high),
          Recall(counts, residual.low)};
}

}  // namespace zhiwen
