#include "document/html/block_context.h"

#include <algorithm>

namespace zhiwen {
namespace {

constexpr uint32_t kSomeTokens = 8;
constexpr uint32_t kSureTokens = 10;
constexpr float kSure = 0.6F;
constexpr uint8_t kFar = 30;  // blocks; farther ones count as this far
constexpr size_t kNear = 5;   // blocks on either side, whose weights fall with their distance
constexpr std::array<double, 2 * kNear + 1> kNearWeights = {
    1.0 / 6, 1.0 / 5, 1.0 / 4, 1.0 / 3, 1.0 / 2, 0, 1.0 / 2, 1.0 / 3, 1.0 / 4, 1.0 / 5, 1.0 / 6};
constexpr ptrdiff_t kShown = 3;  // on either side, whose probabilities are numbers themselves

}  // namespace

BlockContext::BlockContext(const HtmlPage& page, std::span<const BlockStatistics> statistics,
                           const BlockFeatures& features, std::span<const float> probabilities)
    : page_(page), statistics_(statistics), features_(features), probabilities_(probabilities) {
  Mass sum;
  sums_.reserve(statistics.size() + 1);
  sums_.push_back(sum);
  for (size_t i = 0; i < statistics.size(); ++i) {
    const double tokens = statistics[i].tokens;
    sum.tokens += tokens;
    sum.body_tokens += tokens * static_cast<double>(probabilities[i]);
    sums_.push_back(sum);
    if (statistics[i].tokens >= kSomeTokens) most_ = std::max(most_, probabilities[i]);
  }
  VisitNodes();
  SumPlaces();
  FindSure();
}

// The node whose text has the largest expected F1 as body, and the means of all nodes.
void BlockContext::VisitNodes() {
  const Mass all = sums_.back();
  node_mean_.reserve(page_.nodes.size());
  for (const HtmlNode& node : page_.nodes) {
    const Mass mass = sums_[node.block_end] - sums_[node.block_begin];
    node_mean_.push_back(static_cast<float>(mass.Mean()));
    const double whole = mass.tokens + all.body_tokens;
    const double f1 = whole > 0 ? 2 * mass.body_tokens / whole : 0;
    if (f1 <= best_.f1) continue;
    best_ = {node.block_begin, node.block_end, f1, all.tokens > 0 ? mass.tokens / all.tokens : 0};
  }
}

void BlockContext::SumPlaces() {
  std::vector<Mass> masses(features_.place_count());
  for (size_t i = 0; i < statistics_.size(); ++i) {
    Mass& mass = masses[features_.places()[i]];
    mass.tokens += statistics_[i].tokens;
    mass.body_tokens += statistics_[i].tokens * static_cast<double>(probabilities_[i]);
  }
  place_mean_.reserve(masses.size());
  for (const Mass& mass : masses) place_mean_.push_back(static_cast<float>(mass.Mean()));
}

void BlockContext::FindSure() {
  const size_t count = statistics_.size();
  const auto is_sure = [&](size_t i) {
    return probabilities_[i] > kSure && statistics_[i].tokens >= kSureTokens;
  };
  const auto farther = [](uint8_t distance) {
    return static_cast<uint8_t>(std::min<int>(kFar, distance + 1));
  };
  sure_before_.assign(count, kFar);
  sure_behind_.assign(count, kFar);
  for (size_t i = 1; i < count; ++i) {
    sure_before_[i] = is_sure(i - 1) ? uint8_t{1} : farther(sure_before_[i - 1]);
  }
  for (size_t i = count; i-- > 1;) {
    sure_behind_[i - 1] = is_sure(i) ? uint8_t{1} : farther(sure_behind_[i]);
  }
}

float BlockContext::ProbabilityAt(ptrdiff_t block) const {
  const bool is_there = block >= 0 && block < static_cast<ptrdiff_t>(probabilities_.size());
  return is_there ? probabilities_[static_cast<size_t>(block)] : 0;
}

float BlockContext::NearMean(size_t block) const {
  double sum = 0, weights = 0;
  const size_t begin = block < kNear ? 0 : block - kNear;
  const size_t end = std::min(block + kNear + 1, probabilities_.size());
  for (size_t i = begin; i < end; ++i) {
    const double weight = statistics_[i].tokens * kNearWeights[i + kNear - block];
    weights += weight;
    sum += weight * static_cast<double>(probabilities_[i]);
  }
  return weights > 0 ? static_cast<float>(sum / weights) : 0;
}

void BlockContext::Compute(size_t block, ContextFeatures& out) const {
  size_t at = 0;
  const auto add = [&](double value) { out[at++] = static_cast<float>(value); };
  for (ptrdiff_t offset = -kShown; offset <= kShown; ++offset) {
    add(static_cast<double>(ProbabilityAt(static_cast<ptrdiff_t>(block) + offset)));
  }
  uint32_t index = page_.blocks[block].node;
  for (int level = 0; level < 4; ++level) {
    add(static_cast<double>(node_mean_[index]));
    index = page_.nodes[index].parent;
  }
  add(static_cast<double>(place_mean_[features_.places()[block]]));
  add(static_cast<double>(node_mean_.front()));
  add(static_cast<double>(NearMean(block)));
  add(static_cast<double>(most_));
  add(block >= best_.begin && block < best_.end ? 1 : 0);
  add(block < best_.begin ? 1 : 0);
  add(block >= best_.end ? 1 : 0);
  add(best_.f1);
  add(best_.share);
  const double body = sums_.back().body_tokens;
  add(body > 0 ? sums_[block].body_tokens / body : 0);
  add(body > 0 ? (sums_.back() - sums_[block + 1]).body_tokens / body : 0);
  add(sure_before_[block]);
  add(sure_behind_[block]);
  const bool is_heading = HeadingLevel(page_.nodes[page_.blocks[block].node].tag) > 0;
  add(is_heading ? static_cast<double>(ProbabilityAt(static_cast<ptrdiff_t>(block) + 1)) : 0);
}

}  // namespace zhiwen
