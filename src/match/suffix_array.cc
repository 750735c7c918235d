#include "match/suffix_array.h"

#include <algorithm>
#include <cstddef>

namespace zhiwen {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// A suffix is small when it sorts before its successor. The first small suffix of each run of small
// ones (a "leftmost small") is the seed from which the order of all others follows.
class InducedSort {
 public:
  InducedSort(std::span<const uint32_t> letters, uint32_t alphabet)
      : letters_(letters), small_(letters.size()), first_(alphabet + 1, 0) {
    for (const uint32_t letter : letters_) ++first_[letter + 1];
    for (size_t letter = 1; letter < first_.size(); ++letter) first_[letter] += first_[letter - 1];
    for (size_t i = letters_.size(); i-- > 1;) {
      small_[i - 1] =
          letters_[i - 1] < letters_[i] || (letters_[i - 1] == letters_[i] && small_[i]);
    }
  }

  std::vector<uint32_t> Run() {
    std::vector<uint32_t> seeds;
    for (uint32_t i = 1; i < letters_.size(); ++i) {
      if (IsSeed(i)) seeds.push_back(i);
    }
    // Seeds in text order give the order of the stretches between seeds; those stretches, named by
    // rank, are a text of at most half the length whose suffixes give the order of the seeds.
    std::vector<uint32_t> order = Induce(seeds);
    if (seeds.size() > 1) order = Induce(SortSeeds(seeds, order));
    return order;
  }

 private:
  bool IsSeed(uint32_t i) const { return i > 0 && small_[i] && !small_[i - 1]; }

  // Places `seeds` at the ends of their letters' buckets, then every other suffix by its successor.
  std::vector<uint32_t> Induce(std::span<const uint32_t> seeds) const {
    std::vector<uint32_t> order(letters_.size(), kNone);
    std::vector<uint32_t> next(first_.begin() + 1, first_.end());
    for (size_t i = seeds.size(); i-- > 0;) order[--next[letters_[seeds[i]]]] = seeds[i];
    InduceLarge(order);
    InduceSmall(order);
    return order;
  }

  void InduceLarge(std::vector<uint32_t>& order) const {
    std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
    const auto place = [&](uint32_t i) { order[next[letters_[i]]++] = i; };
    // The suffix at the end of the text is the smallest and has no entry, so the last letter is
    // placed first.
    if (!letters_.empty()) place(static_cast<uint32_t>(letters_.size() - 1));
    for (size_t at = 0; at < order.size(); ++at) {
      const uint32_t i = order[at];
      if (i != kNone && i > 0 && !small_[i - 1]) place(i - 1);
    }
  }

  void InduceSmall(std::vector<uint32_t>& order) const {
    std::vector<uint32_t> next(first_.begin() + 1, first_.end());
    for (size_t at = order.size(); at-- > 0;) {
      const uint32_t i = order[at];
      if (i != kNone && i > 0 && small_[i - 1]) order[--next[letters_[i - 1]]] = i - 1;
    }
  }

  // Returns `seeds`, which are given in text order, in the order of their suffixes. `order` has the
  // stretches sorted.
  std::vector<uint32_t> SortSeeds(std::span<const uint32_t> seeds,
                                  std::span<const uint32_t> order) const {
    std::vector<uint32_t> number(letters_.size(), kNone);  // number of the seed that starts here
    for (uint32_t k = 0; k < seeds.size(); ++k) number[seeds[k]] = k;
    std::vector<uint32_t> names(seeds.size());
    uint32_t name = 0;
    uint32_t previous = kNone;
    for (const uint32_t i : order) {
      const uint32_t k = number[i];
      if (k == kNone) continue;
      if (previous != kNone && !SameStretch(seeds, previous, k)) ++name;
      names[k] = name;
      previous = k;
    }
    std::vector<uint32_t> sorted;
    if (name + 1 == seeds.size()) {
      sorted.resize(seeds.size());
      for (uint32_t k = 0; k < seeds.size(); ++k) sorted[names[k]] = seeds[k];
      return sorted;
    }
    sorted = MakeSuffixArray(names, name + 1);
    for (uint32_t& k : sorted) k = seeds[k];
    return sorted;
  }

  // Returns whether the stretches of two seeds, up to and including the next seed, have equal
  // letters. The last stretch ends with the text and equals no other.
  bool SameStretch(std::span<const uint32_t> seeds, uint32_t a, uint32_t b) const {
    if (a + 1 == seeds.size() || b + 1 == seeds.size()) return false;
    const size_t length = seeds[a + 1] - seeds[a] + 1;
    if (seeds[b + 1] - seeds[b] + 1 != length) return false;
    return std::equal(letters_.begin() + seeds[a], letters_.begin() + seeds[a] + length,
                      letters_.begin() + seeds[b]);
  }

  std::span<const uint32_t> letters_;
  std::vector<bool> small_;
  // Where each letter's bucket begins, and the end of the last bucket.
  std::vector<uint32_t> first_;
};

}  // namespace

std::vector<uint32_t> MakeSuffixArray(std::span<const uint32_t> letters, uint32_t alphabet) {
  if (letters.empty()) return {};
  return InducedSort(letters, alphabet).Run();
}

std::vector<uint32_t> MakeCommonPrefixes(std::span<const uint32_t> letters,
                                         std::span<const uint32_t> order) {
  std::vector<uint32_t> rank(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  std::vector<uint32_t> common(order.size(), 0);
  uint32_t length = 0;
  for (uint32_t i = 0; i < order.size(); ++i) {
    if (rank[i] == 0) {
      length = 0;
      continue;
    }
    const uint32_t before = order[rank[i] - 1];
    const size_t limit = letters.size() - std::max(i, before);
    while (length < limit && letters[i + length] == letters[before + length]) ++length;
    common[rank[i]] = length;
    if (length > 0) --length;
  }
  return common;
}

}  // namespace zhiwen
