#include "match/level_similarity.h"

#include <algorithm>
#include <iterator>

namespace zhiwen {
namespace {

double Dice(size_t common, size_t of_a, size_t of_b) {
  return 2 * static_cast<double>(common) / static_cast<double>(of_a + of_b);
}

LevelFeatures Sorted(LevelFeatures features, RepeatedFeatures repeats) {
  std::ranges::sort(features);
  if (repeats == RepeatedFeatures::kDistinct) {
    features.erase(std::ranges::unique(features).begin(), features.end());
  }
  return features;
}

}  // namespace

std::optional<double> LevelSimilarity::Similarity() const {
  if (of_a + of_b == 0) return std::nullopt;
  return Dice(alike, of_a, of_b);
}

LevelSimilarity ComputeLevelSimilarity(std::span<const LevelFeatures> a,
                                       std::span<const LevelFeatures> b, double threshold,
                                       RepeatedFeatures repeats) {
  LevelSimilarity result;
  for (size_t level = 0; level < std::max(a.size(), b.size()); ++level) {
    const LevelFeatures of_a = level < a.size() ? Sorted(a[level], repeats) : LevelFeatures();
    const LevelFeatures of_b = level < b.size() ? Sorted(b[level], repeats) : LevelFeatures();
    result.of_a += of_a.empty() ? 0 : 1;
    result.of_b += of_b.empty() ? 0 : 1;
    if (of_a.empty() && of_b.empty()) {
      result.levels.emplace_back();
      continue;
    }
    LevelFeatures common;
    std::ranges::set_intersection(of_a, of_b, std::back_inserter(common));
    const double similarity = Dice(common.size(), of_a.size(), of_b.size());
    result.levels.emplace_back(similarity);
    result.alike += similarity > threshold ? 1 : 0;
  }
  return result;
}

}  // namespace zhiwen
