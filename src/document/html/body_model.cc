#include "document/html/body_model.h"

#include <cmath>

namespace zhiwen {
namespace {

float Sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

// The sum of products, in an order that does not depend on the compiler.
template <size_t kSize>
float Dot(const std::array<float, kSize>& a, const std::array<float, kSize>& b) {
  constexpr size_t kLanes = 4;
  std::array<float, kLanes> sums = {};
  size_t i = 0;
  for (; i + kLanes <= kSize; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (size_t lane = 0; i < kSize; ++i, ++lane) sums[lane] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

std::vector<float> ComputeBodyProbabilities(const HtmlPage& page,
                                            std::span<const BlockStatistics> statistics,
                                            const BodyWeights& weights) {
  const BlockFeatures features(page, statistics);
  std::vector<float> first(page.blocks.size()), second(page.blocks.size());
  FirstFeatures row = {};
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    features.Compute(i, row);
    first[i] = Sigmoid(weights.first_bias + Dot(weights.first, row));
    second[i] = weights.second_bias + Dot(weights.second, row);
  }
  const BlockContext context(page, statistics, features, first);
  ContextFeatures of_context = {};
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    context.Compute(i, of_context);
    second[i] = Sigmoid(second[i] + Dot(weights.context, of_context));
  }
  return second;
}

}  // namespace zhiwen
