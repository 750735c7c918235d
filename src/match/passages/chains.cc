#include "match/passages/chains.h"

#include <algorithm>
#include <numeric>

namespace zhiwen {
namespace {

constexpr double kPriceOfGap = 0.25, kPriceOfShift = 0.4;
constexpr uint32_t kNoMatch = UINT32_MAX;
// Texts with very many stretches, as those of 25 characters, are compared with fewer before each.
constexpr size_t kMostSteps = 400'000'000, kLeastPredecessors = 16;
constexpr size_t kStepsPerCheck = 1024;  // of cancellation

// Returns how many symbols of a stretch overlap with one before it, in either text.
uint32_t OverlapWith(const SeedMatch& before, const SeedMatch& next) {
  const uint32_t a_end = before.a + before.length, b_end = before.b + before.length;
  return std::max(a_end - std::min(a_end, next.a), b_end - std::min(b_end, next.b));
}

// Returns the part of a stretch behind another one that it is chained to.
SeedMatch TrimBehind(const SeedMatch& before, const SeedMatch& next) {
  const uint32_t overlap = OverlapWith(before, next);
  return {next.a + overlap, next.b + overlap, next.length - overlap};
}

// Symbols between two stretches.
struct ChainGap {
  uint32_t a = 0, b = 0;

  double price() const {
    const uint32_t shorter = std::min(a, b), longer = std::max(a, b);
    return kPriceOfGap * shorter + kPriceOfShift * (longer - shorter);
  }
};

ChainGap GapOf(const SeedMatch& before, const SeedMatch& next) {
  return {next.a - (before.a + before.length), next.b - (before.b + before.length)};
}

struct BestChain {
  double score = 0;            // of the best chain that ends with the stretch
  uint32_t before = kNoMatch;  // the stretch before it there
};

std::vector<BestChain> ScoreChains(std::span<const SeedMatch> matches, const BothWeights& weights,
                                   const Cancellation& cancellation) {
  const size_t predecessors = std::clamp(kMostSteps / std::max<size_t>(matches.size(), 1),
                                         kLeastPredecessors, kMostPredecessors);
  std::vector<BestChain> best(matches.size());
  std::vector<uint32_t> furthest(matches.size());  // end in a of the stretches up to each
  for (size_t i = 0; i < matches.size(); ++i) {
    if (i % kStepsPerCheck == 0 && cancellation.requested()) break;
    const SeedMatch& next = matches[i];
    furthest[i] = std::max(i == 0 ? 0 : furthest[i - 1], next.a + next.length);
    best[i].score = weights.Of(next);
    for (size_t back = 1; back <= std::min(i, predecessors); ++back) {
      if (furthest[i - back] + kLongestGap < next.a) break;
      const SeedMatch& before = matches[i - back];
      if (next.b < before.b || next.b > before.b + before.length + kLongestGap) continue;
      const uint32_t overlap = OverlapWith(before, next);
      if (overlap >= next.length) continue;
      const SeedMatch added = {next.a + overlap, next.b + overlap, next.length - overlap};
      const ChainGap gap = GapOf(before, added);
      if (gap.a > kLongestGap || gap.b > kLongestGap) continue;
      const double score = best[i - back].score + weights.Of(added) - gap.price();
      if (score > best[i].score) best[i] = {score, static_cast<uint32_t>(i - back)};
    }
  }
  return best;
}

}  // namespace

WeightSums::WeightSums(std::span<const float> weights) : sums_(weights.size() + 1) {
  std::partial_sum(weights.begin(), weights.end(), sums_.begin() + 1, std::plus<double>());
}

double BothWeights::Of(const SeedMatch& match) const {
  return std::max(a.Of(match.a, match.a + match.length), b.Of(match.b, match.b + match.length));
}

std::vector<Chain> FindChains(std::span<const SeedMatch> matches, const BothWeights& weights,
                              double least_score, const Cancellation& cancellation) {
  const std::vector<BestChain> best = ScoreChains(matches, weights, cancellation);
  std::vector<uint32_t> ends;
  for (uint32_t i = 0; i < best.size(); ++i) {
    if (best[i].score >= least_score) ends.push_back(i);
  }
  std::ranges::stable_sort(ends,
                           [&](uint32_t x, uint32_t y) { return best[x].score > best[y].score; });
  std::vector<bool> is_taken(matches.size());
  std::vector<Chain> chains;
  for (const uint32_t end : ends) {
    Chain chain;
    uint32_t at = end;
    while (at != kNoMatch && !is_taken[at]) {
      is_taken[at] = true;
      chain.matches.push_back(matches[at]);
      at = best[at].before;
    }
    // Where it runs into a better chain, it begins behind that one.
    chain.score = best[end].score - (at == kNoMatch ? 0 : best[at].score);
    if (chain.matches.empty() || chain.score < least_score) continue;
    std::ranges::reverse(chain.matches);
    for (size_t i = chain.matches.size() - 1; i > 0; --i) {  // each behind a whole one
      chain.matches[i] = TrimBehind(chain.matches[i - 1], chain.matches[i]);
    }
    chains.push_back(std::move(chain));
  }
  std::ranges::stable_sort(chains,
                           [](const Chain& x, const Chain& y) { return x.score > y.score; });
  return chains;
}

double ScoreOfChain(std::span<const SeedMatch> matches, const BothWeights& weights) {
  double score = 0;
  for (size_t i = 0; i < matches.size(); ++i) {
    score += weights.Of(matches[i]);
    if (i > 0) score -= GapOf(matches[i - 1], matches[i]).price();
  }
  return score;
}

}  // namespace zhiwen
