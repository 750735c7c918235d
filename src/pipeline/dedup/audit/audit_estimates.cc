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

uint64_t SampleSize(uint64_t wanted, uint64_t population) {
  if (wanted == 0 || population == 0) return 0;
  const auto size = static_cast<double>(wanted);
  const double few = std::ceil(size / (1 + (size - 1) / static_cast<double>(population)));
  return std::min(static_cast<uint64_t>(few), population);
}

ShareInterval WilsonInterval(const Sample& sample) {
  if (sample.size == 0) return {};
  const double share = static_cast<double>(sample.hits) / static_cast<double>(sample.size);
  if (sample.size >= sample.population) return {share, share, share};
  const double size = static_cast<double>(sample.size) *
                      static_cast<double>(sample.population - 1) /
                      static_cast<double>(sample.population - sample.size);
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
