#ifndef ZHIWEN_MATCH_LEVEL_SIMILARITY_H_
#define ZHIWEN_MATCH_LEVEL_SIMILARITY_H_

// How alike two pages are by the levels of their trees of body text: the similarity of each level
// says whether it is alike, and the share of levels that are says how alike the pages are. 熊忠阳
// et al. 2013, §5.
//
// In          of each level the hashes of its feature strings, in any order, repeats kept
// Guarantees  symmetric
// Cost        n log n

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace zhiwen {

using LevelFeatures = std::vector<uint64_t>;

struct LevelSimilarity {
  // Of each level, from the highest: twice the strings that both have there, over those of both. 0
  // where one has none, nothing where neither has.
  std::vector<std::optional<double>> levels;
  size_t alike = 0;           // levels whose similarity is above the threshold
  size_t of_a = 0, of_b = 0;  // levels with a string

  // Twice the levels that are alike, over those of both; nothing where there are none.
  std::optional<double> Similarity() const;
};

enum class RepeatedFeatures : uint8_t {
  kCount,     // as often as the rarer of both has them
  kDistinct,  // once
};

LevelSimilarity ComputeLevelSimilarity(std::span<const LevelFeatures> a,
                                       std::span<const LevelFeatures> b, double threshold,
                                       RepeatedFeatures repeats = RepeatedFeatures::kCount);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_LEVEL_SIMILARITY_H_
