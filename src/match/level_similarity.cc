#include "match/level_similarity.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "base/hash.h"
#include "base/value_bytes.h"

namespace zhiwen {
namespace {

double Dice(size_t common, size_t of_a, size_t of_b) {
  return 2 * static_cast<double>(common) / static_cast<double>(of_a + of_b);
}

// A Bloom filter as the source describes it (§4), with as many hash functions as have the fewest
// false positives.
class StringFilter {
 public:
  StringFilter(std::span<const uint64_t> strings, double false_positives) {
    constexpr double kLn2 = std::numbers::ln2;
    const auto count = static_cast<double>(std::max<size_t>(strings.size(), 1));
    const double bits = std::ceil(count * -std::log(false_positives) / (kLn2 * kLn2));
    bits_.resize(static_cast<size_t>(bits));
    hashes_ = std::max<uint64_t>(static_cast<uint64_t>(std::lround(bits / count * kLn2)), 1);
    for (const uint64_t string : strings) {
      for (uint64_t i = 0; i < hashes_; ++i) bits_[IndexOf(string, i)] = true;
    }
  }

  bool MayContain(uint64_t string) const {
    for (uint64_t i = 0; i < hashes_; ++i) {
      if (!bits_[IndexOf(string, i)]) return false;
    }
    return true;
  }

 private:
  size_t IndexOf(uint64_t string, uint64_t i) const {
    return HashBytes64(BytesOfValue(string), i) % bits_.size();
  }

  std::vector<bool> bits_;
  uint64_t hashes_ = 1;
};

size_t CountContained(const LevelFeatures& source, const LevelFeatures& page,
                      double false_positives) {
  const auto count = [&](const auto& contains) {
    return static_cast<size_t>(std::ranges::count_if(page, contains));
  };
  if (false_positives > 0) {
    const StringFilter filter(source, false_positives);
    return count([&](uint64_t string) { return filter.MayContain(string); });
  }
  LevelFeatures sorted = source;
  std::ranges::sort(sorted);
  return count([&](uint64_t string) { return std::ranges::binary_search(sorted, string); });
}

LevelFeatures Sorted(LevelFeatures features, RepeatedFeatures repeats) {
  std::ranges::sort(features);
  if (repeats == RepeatedFeatures::kDistinct) {
    features.erase(std::ranges::unique(features).begin(), features.end());
  }
  return features;
}

// Compares levels; common(a, b) is how many strings both have, of levels that are not both empty.
template <typename Common>
LevelSimilarity CompareLevels(std::span<const LevelFeatures> a, std::span<const LevelFeatures> b,
                              double threshold, const Common& common) {
  LevelSimilarity result;
  for (size_t level = 0; level < std::max(a.size(), b.size()); ++level) {
    const LevelFeatures of_a = level < a.size() ? a[level] : LevelFeatures();
    const LevelFeatures of_b = level < b.size() ? b[level] : LevelFeatures();
    result.of_a += of_a.empty() ? 0 : 1;
    result.of_b += of_b.empty() ? 0 : 1;
    if (of_a.empty() && of_b.empty()) {
      result.levels.emplace_back();
      continue;
    }
    const double similarity = common(of_a, of_b);
    result.levels.emplace_back(similarity);
    result.alike += similarity > threshold ? 1 : 0;
  }
  return result;
}

}  // namespace

std::optional<double> LevelSimilarity::Similarity() const {
  if (of_a + of_b == 0) return std::nullopt;
  return Dice(alike, of_a, of_b);
}

LevelSimilarity ComputeLevelSimilarity(std::span<const LevelFeatures> a,
                                       std::span<const LevelFeatures> b, double threshold,
                                       RepeatedFeatures repeats) {
  return CompareLevels(a, b, threshold, [&](const LevelFeatures& x, const LevelFeatures& y) {
    const LevelFeatures of_a = Sorted(x, repeats), of_b = Sorted(y, repeats);
    LevelFeatures common;
    std::ranges::set_intersection(of_a, of_b, std::back_inserter(common));
    return Dice(common.size(), of_a.size(), of_b.size());
  });
}

LevelSimilarity ComputeFilteredLevelSimilarity(std::span<const LevelFeatures> source,
                                               std::span<const LevelFeatures> page,
                                               double threshold, double false_positives) {
  return CompareLevels(
      source, page, threshold, [&](const LevelFeatures& x, const LevelFeatures& y) {
        const size_t most = std::min(x.size(), y.size());
        return Dice(std::min(CountContained(x, y, false_positives), most), x.size(), y.size());
      });
}

}  // namespace zhiwen
