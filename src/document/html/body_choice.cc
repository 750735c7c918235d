#include "document/html/body_choice.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "document/html/numbered_keys.h"

namespace zhiwen {
namespace {

constexpr size_t kBins = 256;
constexpr size_t kLeastBin = kBins * 2 / 5;  // probability 0.4
constexpr double kLeastTokens = 8;
constexpr double kLeastShare = 0.25;  // of the expected tokens
constexpr uint32_t kMostWeight = 30;  // tokens
constexpr uint32_t kTwinTokens = 10;
constexpr float kSureTwin = 0.9F;

size_t BinOf(float probability) {
  const float scaled = std::clamp(probability, 0.0F, 1.0F) * static_cast<float>(kBins);
  return std::min(kBins - 1, static_cast<size_t>(scaled));
}

struct Threshold {
  size_t bin = 0;
  double tokens = 0;  // chosen
};

// Chooses the bin from which on blocks are body.
class ThresholdChoice {
 public:
  ThresholdChoice(std::span<const BlockStatistics> statistics,
                  std::span<const float> probabilities) {
    for (size_t i = 0; i < statistics.size(); ++i) {
      const double expected = statistics[i].tokens * static_cast<double>(probabilities[i]);
      tokens_[BinOf(probabilities[i])] += statistics[i].tokens;
      expected_[BinOf(probabilities[i])] += expected;
      all_expected_ += expected;
    }
  }

  // Returns the threshold of the largest expected F1, of bins from `least` on.
  Threshold Best(size_t least) const {
    Threshold best{.bin = kBins};
    double tokens = 0, expected = 0, best_f1 = -1;
    for (size_t bin = kBins; bin-- > least;) {
      tokens += tokens_[bin];
      expected += expected_[bin];
      const double whole = tokens + all_expected_;
      const double f1 = whole > 0 ? 2 * expected / whole : 0;
      if (tokens_[bin] == 0 || f1 <= best_f1) continue;
      best_f1 = f1;
      best = {bin, tokens};
    }
    return best;
  }

  bool IsEnough(const Threshold& threshold) const {
    return threshold.tokens >= kLeastTokens && threshold.tokens >= kLeastShare * all_expected_;
  }

 private:
  std::array<double, kBins> tokens_ = {}, expected_ = {};
  double all_expected_ = 0;
};

size_t FindStrongest(std::span<const BlockStatistics> statistics,
                     std::span<const float> probabilities) {
  size_t strongest = 0;
  float most = -1;
  for (size_t i = 0; i < statistics.size(); ++i) {
    const auto weight = static_cast<float>(std::min(statistics[i].tokens, kMostWeight));
    if (probabilities[i] * weight <= most) continue;
    most = probabilities[i] * weight;
    strongest = i;
  }
  return strongest;
}

// Takes weaker blocks out whose text stands in a stronger one.
void DropTwins(const HtmlPage& page, std::span<const BlockStatistics> statistics,
               std::span<const float> probabilities, std::vector<uint32_t>& chosen) {
  NumberedKeys texts(chosen.size());
  std::vector<uint32_t> strongest;  // by number of the text
  std::vector<uint8_t> is_dropped(page.blocks.size());
  for (const uint32_t block : chosen) {
    if (statistics[block].tokens < kTwinTokens) continue;
    const uint32_t number = texts.NumberOf(statistics[block].hash);
    if (number == strongest.size()) {
      strongest.push_back(block);
      continue;
    }
    const uint32_t other = strongest[number];
    const bool is_weaker = probabilities[block] <= probabilities[other];
    const uint32_t weaker = is_weaker ? block : other;
    strongest[number] = is_weaker ? other : block;
    const auto signature = [&](uint32_t of) { return page.nodes[page.blocks[of].node].signature; };
    const bool stays = probabilities[weaker] > kSureTwin || signature(block) == signature(other);
    is_dropped[weaker] = stays ? 0 : 1;
  }
  std::erase_if(chosen, [&](uint32_t block) { return is_dropped[block] != 0; });
}

}  // namespace

std::vector<uint32_t> ChooseBody(const HtmlPage& page, std::span<const BlockStatistics> statistics,
                                 std::span<const float> probabilities) {
  std::vector<uint32_t> chosen;
  if (statistics.empty()) return chosen;
  const ThresholdChoice choice(statistics, probabilities);
  Threshold threshold = choice.Best(kLeastBin);
  size_t added = statistics.size();
  if (!choice.IsEnough(threshold)) {
    threshold = choice.Best(0);
    added = FindStrongest(statistics, probabilities);
  }
  for (size_t i = 0; i < statistics.size(); ++i) {
    if (statistics[i].tokens == 0 && i == added) continue;
    if (BinOf(probabilities[i]) >= threshold.bin || i == added) {
      chosen.push_back(static_cast<uint32_t>(i));
    }
  }
  DropTwins(page, statistics, probabilities, chosen);
  return chosen;
}

std::string JoinBlocks(const HtmlPage& page, std::span<const uint32_t> blocks) {
  std::string text;
  for (const uint32_t block : blocks) {
    if (!text.empty()) text += '\n';
    text += page.TextOf(page.blocks[block]);
  }
  return text;
}

}  // namespace zhiwen
