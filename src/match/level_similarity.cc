#include "match/level_similarity.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "base/hash.h"
#include "base/value_bytes.h"
#include "fingerprint/tagstr.h"

namespace zhiwen {
namespace {

double Dice(size_t common, size_t of_a, size_t of_b) {
  return 2 * static_cast<double>(common) / static_cast<double>(of_a + of_b);
}

uint64_t ReadBigEndian(std::span<const uint8_t> bytes) {
  uint64_t value = 0;
  for (const uint8_t byte : bytes) value = value << 8 | byte;
  return value;
}

size_t IndexOf(uint64_t string, uint64_t function, size_t bits) {
  return HashBytes64(BytesOfValue(string), function) % bits;
}

LevelFeatures Sorted(LevelFeatures features, RepeatedFeatures repeats) {
  std::ranges::sort(features);
  if (repeats == RepeatedFeatures::kDistinct) {
    features.erase(std::ranges::unique(features).begin(), features.end());
  }
  return features;
}

// Compares levels of pages whose strings are so many; common(level) is how similar levels are that
// are not both empty.
template <typename CountOfA, typename CountOfB, typename SimilarityOf>
LevelSimilarity CompareLevels(size_t levels, double threshold, const CountOfA& count_of_a,
                              const CountOfB& count_of_b, const SimilarityOf& similarity_of) {
  LevelSimilarity result;
  for (size_t level = 0; level < levels; ++level) {
    const size_t of_a = count_of_a(level), of_b = count_of_b(level);
    result.of_a += of_a == 0 ? 0 : 1;
    result.of_b += of_b == 0 ? 0 : 1;
    if (of_a == 0 && of_b == 0) {
      result.levels.emplace_back();
      continue;
    }
    const double similarity = of_a == 0 || of_b == 0 ? 0 : similarity_of(level);
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

bool HasLevels(const CodeSequence& codes) { return codes.width == kTagstrWidth; }

std::vector<LevelFeatures> LevelsOf(const CodeSequence& codes) {
  std::vector<LevelFeatures> levels;
  for (size_t i = 0; i < codes.size(); ++i) {
    const uint64_t level = ReadBigEndian(codes[i].first(kTagstrLevelBytes));
    if (levels.size() <= level) levels.resize(level + 1);
    levels[level].push_back(ReadBigEndian(codes[i].subspan(kTagstrLevelBytes)));
  }
  return levels;
}

LevelSimilarity ComputeLevelSimilarity(std::span<const LevelFeatures> a,
                                       std::span<const LevelFeatures> b, double threshold,
                                       RepeatedFeatures repeats) {
  return CompareLevels(
      std::max(a.size(), b.size()), threshold,
      [&](size_t level) { return level < a.size() ? a[level].size() : 0; },
      [&](size_t level) { return level < b.size() ? b[level].size() : 0; },
      [&](size_t level) {
        const LevelFeatures of_a = Sorted(a[level], repeats), of_b = Sorted(b[level], repeats);
        LevelFeatures common;
        std::ranges::set_intersection(of_a, of_b, std::back_inserter(common));
        return Dice(common.size(), of_a.size(), of_b.size());
      });
}

std::optional<double> SimilarityOfSortedLevels(std::span<const LevelFeatures> a,
                                               std::span<const LevelFeatures> b, double threshold) {
  const auto has_strings = [](const LevelFeatures& level) { return !level.empty(); };
  const auto of_a = static_cast<size_t>(std::ranges::count_if(a, has_strings));
  const auto of_b = static_cast<size_t>(std::ranges::count_if(b, has_strings));
  if (of_a + of_b == 0) return std::nullopt;
  size_t alike = 0;
  for (size_t level = 0; level < std::min(a.size(), b.size()); ++level) {
    const LevelFeatures& x = a[level];
    const LevelFeatures& y = b[level];
    if (x.empty() || y.empty()) continue;
    // As many as the smaller level has are the most that both can have.
    if (Dice(std::min(x.size(), y.size()), x.size(), y.size()) <= threshold) continue;
    size_t common = 0;
    for (size_t i = 0, j = 0; i < x.size() && j < y.size();) {
      common += x[i] == y[j] ? 1 : 0;
      const bool in_x = x[i] <= y[j], in_y = y[j] <= x[i];
      i += in_x ? 1 : 0;
      j += in_y ? 1 : 0;
    }
    alike += Dice(common, x.size(), y.size()) > threshold ? 1 : 0;
  }
  return Dice(alike, of_a, of_b);
}

FilteredPage::FilteredPage(std::span<const LevelFeatures> levels, double false_positives) {
  constexpr double kLn2 = std::numbers::ln2;
  for (const LevelFeatures& strings : levels) {
    Level& level = levels_.emplace_back();
    level.strings = strings.size();
    if (strings.empty()) continue;
    if (false_positives <= 0) {
      level.sorted = Sorted(strings, RepeatedFeatures::kCount);
      continue;
    }
    const auto count = static_cast<double>(strings.size());
    const double bits = std::ceil(count * -std::log(false_positives) / (kLn2 * kLn2));
    level.bits.resize(static_cast<size_t>(bits));
    level.hashes = std::max<uint64_t>(static_cast<uint64_t>(std::lround(bits / count * kLn2)), 1);
    for (const uint64_t string : strings) {
      for (uint64_t i = 0; i < level.hashes; ++i) {
        level.bits[IndexOf(string, i, level.bits.size())] = true;
      }
    }
  }
}

bool FilteredPage::Level::MayContain(uint64_t string) const {
  if (hashes == 0) return std::ranges::binary_search(sorted, string);
  for (uint64_t i = 0; i < hashes; ++i) {
    if (!bits[IndexOf(string, i, bits.size())]) return false;
  }
  return true;
}

LevelSimilarity FilteredPage::Compare(std::span<const LevelFeatures> page, double threshold) const {
  return CompareLevels(
      std::max(levels_.size(), page.size()), threshold,
      [&](size_t level) { return level < levels_.size() ? levels_[level].strings : 0; },
      [&](size_t level) { return level < page.size() ? page[level].size() : 0; },
      [&](size_t level) {
        const Level& source = levels_[level];
        const auto contained = static_cast<size_t>(std::ranges::count_if(
            page[level], [&](uint64_t string) { return source.MayContain(string); }));
        const size_t most = std::min(source.strings, page[level].size());
        return Dice(std::min(contained, most), source.strings, page[level].size());
      });
}

}  // namespace zhiwen
