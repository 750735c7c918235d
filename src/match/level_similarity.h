#ifndef ZHIWEN_MATCH_LEVEL_SIMILARITY_H_
#define ZHIWEN_MATCH_LEVEL_SIMILARITY_H_

// Compares two pages by the levels of their trees of body text. A level is alike when its
// similarity is above a threshold, and the share of levels that are alike is the similarity of the
// pages. 熊忠阳 et al. 2013, §5.
//
// In          for each level the hashes of its feature strings, in any order, repeats kept
// Guarantees  ComputeLevelSimilarity is symmetric
// Cost        n log n

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "zhiwen/fingerprint.h"

namespace zhiwen {

using LevelFeatures = std::vector<uint64_t>;

inline constexpr double kAlikeLevel = 0.92;  // the source's β: similarities above it are alike

struct LevelSimilarity {
  // For each level, from the highest: twice the number of strings that both pages have there, over
  // the number of strings of both. 0 where one page has none, nothing where neither has.
  std::vector<std::optional<double>> levels;
  size_t alike = 0;           // levels whose similarity is above the threshold
  size_t of_a = 0, of_b = 0;  // levels with at least one string

  // Returns twice the number of levels that are alike, over the number of levels of both pages;
  // nothing when there are none.
  std::optional<double> Similarity() const;
};

enum class RepeatedFeatures : uint8_t {
  kCount,     // a shared string counts as often as the page that has fewer of it has it
  kDistinct,  // a shared string counts once
};

// Whether a value is one of the scheme tagstr, and its levels.
bool HasLevels(const CodeSequence& codes);
std::vector<LevelFeatures> LevelsOf(const CodeSequence& codes);

LevelSimilarity ComputeLevelSimilarity(std::span<const LevelFeatures> a,
                                       std::span<const LevelFeatures> b, double threshold,
                                       RepeatedFeatures repeats = RepeatedFeatures::kCount);

// ComputeLevelSimilarity(a, b, threshold).Similarity(), where the strings of each level ascend.
std::optional<double> SimilarityOfSortedLevels(std::span<const LevelFeatures> a,
                                               std::span<const LevelFeatures> b, double threshold);

// A source page as the source describes it (§4, §5.2): each level is a Bloom filter with as many
// hash functions as have the fewest false positives.
class FilteredPage {
 public:
  // m, the number of bits, follows from `false_positives`, which is above 0 and below 1; with 0
  // sets stand for filters.
  explicit FilteredPage(std::span<const LevelFeatures> levels, double false_positives = 1e-4);

  // Every string of the other page that the filter has counts, but at most as many as the page with
  // fewer strings has. So it isn't symmetric where strings are repeated. The index of a bit is 0 to
  // m − 1.
  LevelSimilarity Compare(std::span<const LevelFeatures> page, double threshold) const;

 private:
  struct Level {
    size_t strings = 0;
    uint64_t hashes = 0;  // functions of the filter; 0: `sorted` is the level
    std::vector<bool> bits;
    LevelFeatures sorted;
    bool MayContain(uint64_t string) const;
  };
  std::vector<Level> levels_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_LEVEL_SIMILARITY_H_
