#include "pipeline/dedup/audit/audit_estimates.h"

#include <algorithm>
#include <cmath>

namespace zhiwen {
namespace {

constexpr double kTail = 0.025;  // on each side of 95 %

double LogChoose(uint64_t n, uint64_t k) {
  return std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(k) + 1) -
         std::lgamma(static_cast<double>(n - k) + 1);
}

// Whether a sample of `size` without replacement has `hits` or fewer of the `marked` ones of
// `population` in more than kTail of all cases.
bool IsLikely(uint64_t hits, uint64_t size, uint64_t marked, uint64_t population) {
  const double mean =
      static_cast<double>(size) * static_cast<double>(marked) / static_cast<double>(population);
  if (static_cast<double>(hits) >= mean) return true;
  const uint64_t others = population - marked;
  if (hits + others < size) return false;  // there are always more hits
  // Below the mean each smaller number is less likely than the one before.
  double chance = std::exp(LogChoose(marked, hits) + LogChoose(others, size - hits) -
                           LogChoose(population, size));
  double sum = chance;
  for (uint64_t i = hits; i > 0 && size - i < others && chance > sum * 1e-9; --i) {
    chance *= static_cast<double>(i) * static_cast<double>(others - (size - i));
    chance /= static_cast<double>(marked - i + 1) * static_cast<double>(size - i + 1);
    sum += chance;
  }
  return sum > kTail;
}

// The greatest number of marked ones of `population` of which a sample has `hits` or fewer in more
// than kTail of all cases.
uint64_t MostMarked(uint64_t hits, uint64_t size, uint64_t population) {
  uint64_t likely = hits, unlikely = population - (size - hits) + 1;
  while (unlikely - likely > 1) {
    const uint64_t middle = likely + (unlikely - likely) / 2;
    (IsLikely(hits, size, middle, population) ? likely : unlikely) = middle;
  }
  return likely;
}

double Recall(const RecallCounts& counts, double residual) {
  const auto removed = static_cast<double>(counts.removed);
  const double left = static_cast<double>(counts.kept) * residual;
  return removed + left == 0 ? 1 : removed / (removed + left);
}

}  // namespace

uint64_t SampleSize(uint64_t wanted, uint64_t population) {
  constexpr uint64_t kFew = 10;
  if (wanted / kFew >= population) return population;
  uint64_t enough = std::min(wanted, population);
  if (enough == 0) return 0;
  const double most = 1 - std::pow(kTail, 1 / static_cast<double>(wanted));
  uint64_t too_few = 0;
  while (enough - too_few > 1) {
    const uint64_t middle = too_few + (enough - too_few) / 2;
    const auto left = static_cast<double>(MostMarked(0, middle, population));
    (left <= most * static_cast<double>(population) ? enough : too_few) = middle;
  }
  return enough;
}

ShareInterval ExactInterval(const Sample& sample) {
  if (sample.size == 0) return {};
  const auto [hits, size, population, unsure, beyond, miss] = sample;
  const auto all = static_cast<double>(population + beyond);
  const uint64_t least = population - MostMarked(size - hits, size, population);
  const auto most = static_cast<double>(MostMarked(hits + unsure, size, population));
  const double share = static_cast<double>(hits) / static_cast<double>(size);
  const double high = (most / (1 - miss) + static_cast<double>(beyond)) / all;
  return {share, std::min(static_cast<double>(least) / all, share), std::clamp(high, share, 1.0)};
}

ShareInterval EstimateRecall(const RecallCounts& counts, const ShareInterval& residual) {
  return {Recall(counts, residual.share), Recall(counts, residual.high),
          Recall(counts, residual.low)};
}

}  // namespace zhiwen
