#include "match/passages/chains.h"

#include <algorithm>
#include <numeric>

namespace zhiwen {
namespace {

constexpr double kPriceOfGap = 0.25, kPriceOfShift = 0.4;
constexpr uint32_t kNoMatch = UINT32_MAX;

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

struct BestChain {
  double score = 0;            // of the best chain that ends with the stretch
  uint32_t before = kNoMatch;  // the stretch before it there
};

std::vector<BestChain> ScoreChains(std::span<const SeedMatch> matches, const BothWeights& weights) {
  std::vector<BestChain> best(matches.size());
  std::vector<uint32_t> furthest(matches.size());  // end in a of the stretches up to each
  for (size_t i = 0; i < matches.size(); ++i) {
    const SeedMatch& next = matches[i];
    furthest[i] = std::max(i == 0 ? 0 : furthest[i - 1], next.a + next.length);
    best[i].score = weights.Of(next);
    for (size_t back = 1; back <= std::min(i, kMostPredecessors); ++back) {
      if (furthest[i - back] + kLongestGap < next.a) break;
      const SeedMatch& before = matches[i - back];
      if (next.b < before.b || next.b > before.b + before.length + kLongestGap) continue;
      const uint32_t overlap = OverlapWith(before, next);
      if (overlap >= next.length) continue;
      const uint32_t a_gap = next.a + overlap - (before.a + before.length);
      const uint32_t b_gap = next.b + overlap - (before.b + before.length);
      if (a_gap > kLongestGap || b_gap > kLongestGap) continue;
      const double price = kPriceOfGap * std::min(a_gap, b_gap) +
                           kPriceOfShift * (std::max(a_gap, b_gap) - std::min(a_gap, b_gap));
      const SeedMatch added = {next.a + overlap, next.b + overlap, next.length - overlap};
      const double score = best[i - back].score + weights.Of(added) - price;
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
                              double least_score) {
  const std::vector<BestChain> best = ScoreChains(matches, weights);
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

}  // namespace zhiwen
