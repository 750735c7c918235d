#include "index/joins/sampled_shingles.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "index/thresholds/containment_threshold.h"

namespace zhiwen {
namespace {

constexpr double kBoundMiss = 0.0005;
// Expected at the threshold: 32 asks at 0.8.
constexpr double kSharedAsks = 25.6;
constexpr double kTiny = 1e-290;  // below it products lose digits

__extension__ using Uint128 = unsigned __int128;

Status CheckThreshold(double threshold) {
  if (threshold > 0 && threshold <= 1) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("cannot sample shingles: threshold {} is outside (0, 1]", threshold));
}

// The masses of Binomial(n, p) on 0 … m, where m is far in the upper tail.
std::vector<double> BinomialMasses(uint64_t n, double p) {
  if (p >= 1) {
    std::vector<double> masses(n + 1, 0);
    masses[n] = 1;
    return masses;
  }
  const double mean = static_cast<double>(n) * p;
  const auto last = std::min<uint64_t>(n, static_cast<uint64_t>(mean + 12 * std::sqrt(mean) + 40));
  std::vector<double> masses = {std::exp(static_cast<double>(n) * std::log1p(-p))};
  for (uint64_t i = 0; i < last; ++i) {
    masses.push_back(masses.back() * static_cast<double>(n - i) / static_cast<double>(i + 1) * p /
                     (1 - p));
  }
  return masses;
}

}  // namespace

Result<ShingleSampling> ShingleSampling::Create(const ShingleSamplingOptions& options) {
  ZHIWEN_RETURN_IF_ERROR(CheckThreshold(options.threshold));
  if (!(options.least_recall > 0 && options.least_recall < 1)) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot sample shingles: recall {} is outside (0, 1)", options.least_recall));
  }
  ShingleSampling sampling;
  sampling.threshold_ = options.threshold;
  // (1 − rate)^s is the share of misses that the recall allows, less the share that RequiredAnswers
  // misses.
  const auto s = static_cast<double>(RequiredShared(kLeastContainedSize, options.threshold));
  const double miss = std::max(1 - options.least_recall - kBoundMiss, kBoundMiss);
  const double rate = 1 - std::pow(miss, 1 / s);
  const auto in_64ths = static_cast<uint32_t>(std::ceil(rate * 64));
  sampling.answer_rate_64ths_ = std::clamp(in_64ths, 1u, 64u);
  sampling.answer_bound_ = static_cast<uint64_t>((Uint128{sampling.answer_rate_64ths_} << 58) - 1);
  sampling.asks_ = options.asks != 0
                       ? options.asks
                       : static_cast<uint64_t>(std::ceil(kSharedAsks / options.threshold));
  return sampling;
}

Result<ShingleSampling> ShingleSampling::CreateExact(double threshold) {
  ZHIWEN_RETURN_IF_ERROR(CheckThreshold(threshold));
  ShingleSampling sampling;
  sampling.threshold_ = threshold;
  return sampling;
}

uint64_t ShingleSampling::AskBound(uint64_t size) const {
  if (asks_ == 0 || size <= asks_) return answer_bound_;
  const auto bound = static_cast<uint64_t>((Uint128{asks_} << 64) / size - 1);
  return std::min(bound, answer_bound_);
}

ShingleSample ShingleSampling::SampleOf(std::span<const uint64_t> beginning, uint64_t size) const {
  if (size < kLeastContainedSize) return {};
  const auto up_to = [&](uint64_t bound) {
    const auto end = std::upper_bound(beginning.begin(), beginning.end(), bound);
    return beginning.first(static_cast<size_t>(end - beginning.begin()));
  };
  return {up_to(answer_bound_), up_to(AskBound(size))};
}

// The number of shared shingles among `asks` of `size` shingles, of which `shared` are shared, is
// hypergeometric. Its probabilities are summed up from the least possible value, by products and
// quotients only, so that the bound is the same on every machine.
uint32_t ShingleSampling::RequiredAnswers(uint64_t size, uint64_t asks) const {
  const uint64_t shared = RequiredShared(size, threshold_);
  const uint64_t own = size - shared;  // shingles that the pair need not share
  if (asks >= size) return static_cast<uint32_t>(std::min<uint64_t>(shared, UINT32_MAX));
  uint64_t answers = asks > own ? asks - own : 0;
  double mass = 1;  // probability of `answers`
  if (answers == 0) {
    for (uint64_t i = 0; i < asks && mass > kTiny; ++i) {
      mass *= static_cast<double>(own - i) / static_cast<double>(size - i);
    }
  } else {
    for (uint64_t i = 0; i < own && mass > kTiny; ++i) {
      mass *= static_cast<double>(asks - i) / static_cast<double>(size - i);
    }
  }
  // With too many asks to compute this, as many as every pair at the threshold answers are
  // required, and at least 1.
  if (mass <= kTiny) return static_cast<uint32_t>(std::max<uint64_t>(answers, 1));
  double below = 0;
  while (answers < asks && below + mass <= kBoundMiss) {
    below += mass;
    mass *= static_cast<double>(shared - answers) * static_cast<double>(asks - answers);
    mass /= static_cast<double>(answers + 1) * static_cast<double>(own + answers + 1 - asks);
    ++answers;
  }
  return static_cast<uint32_t>(std::max<uint64_t>(answers, 1));
}

double ShingleSampling::MissProbability(uint64_t size, uint64_t shared) const {
  if (size < kLeastContainedSize) return 1;
  const double rate = std::ldexp(static_cast<double>(AskBound(size)) + 1, -64);
  const auto shared_asks = BinomialMasses(shared, rate);
  const auto own_asks = BinomialMasses(size - shared, rate);
  std::vector<uint32_t> required(shared_asks.size() + own_asks.size());
  for (size_t asks = 0; asks < required.size(); ++asks) {
    required[asks] = RequiredAnswers(size, asks);
  }
  double miss = 0;
  for (size_t x = 0; x < shared_asks.size(); ++x) {
    for (size_t y = 0; y < own_asks.size(); ++y) {
      if (x < required[x + y]) miss += shared_asks[x] * own_asks[y];
    }
  }
  return miss;
}

}  // namespace zhiwen
