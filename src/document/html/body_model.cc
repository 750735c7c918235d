#include "document/html/body_model.h"

#include <bit>

#include "document/html/article_bounds.h"
#include "document/html/steady_math.h"

namespace zhiwen {
namespace {

// The sum of products, in an order that does not depend on the compiler.
template <size_t kSize>
float Dot(const float* a, const std::array<float, kSize>& b) {
  constexpr size_t kLanes = 4, kWhole = kSize / kLanes * kLanes;
  std::array<float, kLanes> sums = {};
  for (size_t i = 0; i < kWhole; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (size_t lane = 0; lane < kSize - kWhole; ++lane) {
    sums[lane] += a[kWhole + lane] * b[kWhole + lane];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// The sum of the weights of groups that occur.
float SumOfBits(const float* weights, uint32_t bits) {
  float sum = 0;
  for (; bits != 0; bits &= bits - 1) sum += weights[std::countr_zero(bits)];
  return sum;
}

float Weigh(const std::array<float, kFirstFeatures>& weights, const NumberFeatures& numbers,
            const GroupFeatures& groups) {
  const float* const of_groups = weights.data() + kNumbers;
  return Dot(weights.data(), numbers) + SumOfBits(of_groups, groups.phrases) +
         SumOfBits(of_groups + kPhraseGroups, groups.own_places) +
         SumOfBits(of_groups + kPhraseGroups + kPlaceGroups, groups.all_places);
}

}  // namespace

std::vector<float> ComputeBodyProbabilities(const HtmlPage& page,
                                            std::span<const BlockStatistics> statistics,
                                            const BodyWeights& weights) {
  const BlockFeatures features(page, statistics);
  std::vector<float> first(page.blocks.size()), second(page.blocks.size());
  NumberFeatures numbers = {};
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    features.ComputeNumbers(i, numbers);
    const GroupFeatures groups = features.GroupsOf(i);
    first[i] = SteadySigmoid(weights.first_bias + Weigh(weights.first, numbers, groups));
    second[i] = weights.second_bias + Weigh(weights.second, numbers, groups);
  }
  const BlockContext context(page, statistics, features, first);
  ContextFeatures of_context = {};
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    context.Compute(i, of_context);
    second[i] = SteadySigmoid(second[i] + Dot(weights.context.data(), of_context));
  }
  LeaveOutOutsideOfArticle(page, statistics, features, second);
  return second;
}

}  // namespace zhiwen
