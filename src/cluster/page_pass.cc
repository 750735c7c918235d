#include "cluster/page_pass.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/value_bytes.h"

namespace zhiwen {
namespace {

struct SourcePage {
  uint64_t number = 0;
  double rank = 0;
  std::vector<LevelFeatures> levels;
};

bool HasStrings(std::span<const LevelFeatures> levels) {
  return std::ranges::any_of(levels, [](const LevelFeatures& level) { return !level.empty(); });
}

std::vector<LevelFeatures> SortedLevelsOf(const StreamPage& page) {
  std::vector<LevelFeatures> levels(page.levels.begin(), page.levels.end());
  for (LevelFeatures& level : levels) std::ranges::sort(level);
  return levels;
}

// Strings of the page ascend in each level, too.
double SimilarityOf(const SourcePage& source, const StreamPage& page) {
  return SimilarityOfSortedLevels(source.levels, page.levels, kAlikeLevel).value_or(0);
}

// The source pages so far, and the choice among them.
class SourcePages {
 public:
  const SourcePage& operator[](size_t place) const { return pages_[place]; }
  size_t size() const { return pages_.size(); }

  // Compares one; whether the page is a copy of it.
  bool Compare(size_t place, const StreamPage& page) {
    ++compared_;
    const double similarity = SimilarityOf(pages_[place], page);
    if (similarity <= kAlikePages) return false;
    const bool is_better = !best_ || similarity > similarity_ ||
                           (similarity == similarity_ && IsPreferred(place, *best_));
    if (is_better) {
      best_ = place;
      similarity_ = similarity;
    }
    return true;
  }

  // Ends the comparisons of a page: it joins the best one, or becomes a source page.
  PagePassStep Finish(const StreamPage& page) {
    PagePassStep step{.source = page.number, .is_new = !best_, .compared = compared_};
    if (best_) {
      step.source = pages_[*best_].number;
      step.similarity = similarity_;
    } else {
      pages_.push_back({.number = page.number,
                        .rank = page.rank,
                        .levels = {page.levels.begin(), page.levels.end()}});
    }
    best_.reset();
    compared_ = 0;
    return step;
  }

 private:
  bool IsPreferred(size_t a, size_t b) const {
    return pages_[a].rank > pages_[b].rank || (pages_[a].rank == pages_[b].rank && a < b);
  }

  std::vector<SourcePage> pages_;
  std::optional<size_t> best_;
  double similarity_ = 0;
  size_t compared_ = 0;
};

class ComparingPagePass final : public PagePass {
 public:
  explicit ComparingPagePass(PageChoice choice) : choice_(choice) {}

  std::optional<PagePassStep> Take(const StreamPage& taken) override {
    if (!HasStrings(taken.levels)) return std::nullopt;
    const std::vector<LevelFeatures> levels = SortedLevelsOf(taken);
    const StreamPage page = {.number = taken.number, .levels = levels, .rank = taken.rank};
    for (size_t place = 0; place < pages_.size(); ++place) {
      if (pages_.Compare(place, page) && choice_ == PageChoice::kFirst) break;
    }
    return pages_.Finish(page);
  }

 private:
  PageChoice choice_;
  SourcePages pages_;
};

class FilteringPagePass final : public PagePass {
 public:
  std::optional<PagePassStep> Take(const StreamPage& page) override {
    if (!HasStrings(page.levels)) return std::nullopt;
    size_t compared = 0;
    for (const auto& [number, filters] : pages_) {
      ++compared;
      const LevelSimilarity levels = filters.Compare(page.levels, kAlikeLevel);
      const double similarity = levels.Similarity().value_or(0);
      if (similarity <= kAlikePages) continue;
      return PagePassStep{.source = number, .similarity = similarity, .compared = compared};
    }
    pages_.emplace_back(page.number, FilteredPage(page.levels));
    return PagePassStep{.source = page.number, .is_new = true, .compared = compared};
  }

 private:
  std::vector<std::pair<uint64_t, FilteredPage>> pages_;
};

// How many of `count` elements may be missing from another set, when twice the common ones over the
// elements of both are above `threshold`: the common ones are then more than threshold · count /
// (2 − threshold), because the other set has at least these.
size_t MostMissing(size_t count, double threshold) {
  constexpr double kRounding = 1e-9;
  const double bound = threshold * static_cast<double>(count) / (2 - threshold);
  const auto least = static_cast<size_t>(std::floor(bound - kRounding)) + 1;
  return count - std::min(least, count);
}

// Of a level's strings, one more than may be missing in an alike level: the rarest ones, of which
// that level has at least one.
struct LevelProbe {
  std::vector<uint64_t> keys;
  size_t cost = 0;  // source pages that have them
};

class IndexedPagePass final : public PagePass {
 public:
  std::optional<PagePassStep> Take(const StreamPage& taken) override {
    if (!HasStrings(taken.levels)) return std::nullopt;
    const std::vector<LevelFeatures> levels = SortedLevelsOf(taken);
    const StreamPage page = {.number = taken.number, .levels = levels, .rank = taken.rank};
    for (const uint32_t place : FindCandidates(page)) pages_.Compare(place, page);
    const PagePassStep step = pages_.Finish(page);
    if (step.is_new) AddLast();
    return step;
  }

 private:
  static uint64_t KeyOf(size_t level, uint64_t string) {
    return HashBytes64(BytesOfValue(string), level);
  }

  size_t CountOf(uint64_t key) const {
    const auto found = postings_.find(key);
    return found == postings_.end() ? 0 : found->second.size();
  }

  LevelProbe ProbeOf(size_t level, const LevelFeatures& strings) const {
    std::vector<std::pair<size_t, uint64_t>> counted;  // each as often as the level has it
    counted.reserve(strings.size());
    for (const uint64_t string : strings) {
      const uint64_t key = KeyOf(level, string);
      counted.emplace_back(CountOf(key), key);
    }
    std::ranges::sort(counted);
    counted.resize(MostMissing(strings.size(), kAlikeLevel) + 1);
    LevelProbe probe;
    for (const auto& [count, key] : counted) {
      if (!probe.keys.empty() && probe.keys.back() == key) continue;
      probe.keys.push_back(key);
      probe.cost += count;
    }
    return probe;
  }

  // Every source page of which the page may be a copy, ascending.
  std::vector<uint32_t> FindCandidates(const StreamPage& page) const {
    std::vector<LevelProbe> probes;
    for (size_t level = 0; level < page.levels.size(); ++level) {
      if (!page.levels[level].empty()) probes.push_back(ProbeOf(level, page.levels[level]));
    }
    std::ranges::sort(probes, {}, &LevelProbe::cost);
    probes.resize(MostMissing(probes.size(), kAlikePages) + 1);
    std::vector<uint32_t> candidates;
    for (const LevelProbe& probe : probes) {
      for (const uint64_t key : probe.keys) {
        const auto found = postings_.find(key);
        if (found == postings_.end()) continue;
        candidates.insert(candidates.end(), found->second.begin(), found->second.end());
      }
    }
    std::ranges::sort(candidates);
    candidates.erase(std::ranges::unique(candidates).begin(), candidates.end());
    return candidates;
  }

  void AddLast() {
    const auto place = static_cast<uint32_t>(pages_.size() - 1);
    const std::vector<LevelFeatures>& levels = pages_[place].levels;
    for (size_t level = 0; level < levels.size(); ++level) {
      for (const uint64_t string : levels[level]) {
        std::vector<uint32_t>& places = postings_[KeyOf(level, string)];
        if (places.empty() || places.back() != place) places.push_back(place);
      }
    }
  }

  SourcePages pages_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> postings_;
};

}  // namespace

std::unique_ptr<PagePass> MakeComparingPagePass(PageChoice choice) {
  return std::make_unique<ComparingPagePass>(choice);
}

std::unique_ptr<PagePass> MakeFilteringPagePass() { return std::make_unique<FilteringPagePass>(); }

std::unique_ptr<PagePass> MakeIndexedPagePass() { return std::make_unique<IndexedPagePass>(); }

}  // namespace zhiwen
