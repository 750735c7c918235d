#include "document/html/body_model.h"

#include <bit>
#include <cstring>

#include "document/html/article_bounds.h"
#include "document/html/steady_math.h"

namespace zhiwen {
namespace {

using FourFloats [[gnu::vector_size(16)]] = float;

FourFloats LoadFour(const float* at) {
  FourFloats four;
  std::memcpy(&four, at, sizeof(four));
  return four;
}

// Sums of products, in an order that does not depend on the compiler.
float SumOf(FourFloats sums) { return (sums[0] + sums[1]) + (sums[2] + sums[3]); }

float Dot(const ContextFeatures& a, const ContextFeatures& b) {
  constexpr size_t kWhole = kContextFeatures / 4 * 4;
  FourFloats sums = {};
  for (size_t i = 0; i < kWhole; i += 4) sums += LoadFour(&a[i]) * LoadFour(&b[i]);
  for (size_t i = kWhole; i < kContextFeatures; ++i) sums[i - kWhole] += a[i] * b[i];
  return SumOf(sums);
}

// The sum of the weights of groups that occur.
float SumOfBits(const float* weights, uint32_t bits) {
  float sum = 0;
  for (; bits != 0; bits &= bits - 1) sum += weights[std::countr_zero(bits)];
  return sum;
}

float SumOfGroups(const FirstFeatures& weights, const GroupFeatures& groups) {
  const float* const of_groups = weights.data() + kNumbers;
  return SumOfBits(of_groups, groups.phrases) +
         SumOfBits(of_groups + kPhraseGroups, groups.own_places) +
         SumOfBits(of_groups + kPhraseGroups + kPlaceGroups, groups.all_places);
}

// Each stage makes such a sum of the features of a block, to which the bias is added.
struct OfStages {
  float first = 0, second = 0;
};

OfStages Weigh(const BodyWeights& weights, const NumberFeatures& numbers,
               const GroupFeatures& groups) {
  static_assert(kNumbers % 4 == 0);
  FourFloats first = {}, second = {};
#pragma GCC unroll 6
  for (size_t i = 0; i < kNumbers; i += 4) {
    const FourFloats four = LoadFour(&numbers[i]);
    first += LoadFour(&weights.first[i]) * four;
    second += LoadFour(&weights.second[i]) * four;
  }
  return {SumOf(first) + SumOfGroups(weights.first, groups),
          SumOf(second) + SumOfGroups(weights.second, groups)};
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
    const OfStages sums = Weigh(weights, numbers, features.GroupsOf(i));
    first[i] = SteadySigmoid(weights.first_bias + sums.first);
    second[i] = weights.second_bias + sums.second;
  }
  const BlockContext context(page, statistics, features, first);
  ContextFeatures of_context = {};
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    context.Compute(i, of_context);
    second[i] = SteadySigmoid(second[i] + Dot(weights.context, of_context));
  }
  LeaveOutOutsideOfArticle(page, statistics, features, second);
  return second;
}

}  // namespace zhiwen
