#include "match/shared_runs.h"

#include <algorithm>
#include <queue>

#include "match/suffix_array.h"

namespace zhiwen {
namespace {

// The longest match in b of the symbols that start at one place of a.
struct Match {
  uint32_t length = 0;
  uint32_t b = 0;
};

// The letters of a, a separator that neither text contains, and the letters of b. Letters 0 …
// alphabet − 1 are in the order of the symbols.
struct JoinedTexts {
  std::vector<uint32_t> letters;
  uint32_t alphabet = 0;
};

// Numbers the distinct symbols of two texts from 1 on, ascending. For long texts, characters below
// U+10000 (nearly all characters) are looked up in a table.
class Letters {
 public:
  Letters(std::span<const uint32_t> a, std::span<const uint32_t> b)
      : of_low_(a.size() + b.size() < kLong ? 0 : kLow) {
    for (const std::span<const uint32_t> text : {a, b}) {
      for (const uint32_t symbol : text) {
        if (symbol < of_low_.size()) {
          of_low_[symbol] = 1;
        } else {
          high_.push_back(symbol);
        }
      }
    }
    for (uint32_t& letter : of_low_) {
      if (letter != 0) letter = ++low_;
    }
    std::sort(high_.begin(), high_.end());
    high_.erase(std::unique(high_.begin(), high_.end()), high_.end());
  }

  uint32_t size() const { return low_ + static_cast<uint32_t>(high_.size()); }

  uint32_t Of(uint32_t symbol) const {
    if (symbol < of_low_.size()) return of_low_[symbol];
    const auto at = std::lower_bound(high_.begin(), high_.end(), symbol);
    return low_ + static_cast<uint32_t>(at - high_.begin()) + 1;
  }

 private:
  static constexpr size_t kLow = size_t{1} << 16;
  static constexpr size_t kLong = 4096;  // number of symbols from which on the table pays

  std::vector<uint32_t> of_low_;
  uint32_t low_ = 0;            // number of letters in of_low_
  std::vector<uint32_t> high_;  // ascending
};

JoinedTexts Join(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  const Letters letters(a, b);
  JoinedTexts joined;
  joined.alphabet = letters.size() + 1;
  joined.letters.reserve(a.size() + b.size() + 1);
  for (const uint32_t symbol : a) joined.letters.push_back(letters.Of(symbol));
  joined.letters.push_back(0);  // the separator: no match can span it
  for (const uint32_t symbol : b) joined.letters.push_back(letters.Of(symbol));
  return joined;
}

// Keeps the longer match, or the one earlier in b when both are equally long.
void Offer(Match& best, uint32_t length, uint32_t b) {
  if (length > best.length || (length == best.length && b < best.b)) best = {length, b};
}

// Returns the longest match for every start in a. The suffixes of b with the longest common prefix
// are the nearest ones in sorted order, before and after the suffix of a.
std::vector<Match> FindLongestMatches(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  const JoinedTexts joined = Join(a, b);
  const std::vector<uint32_t> order = MakeSuffixArray(joined.letters, joined.alphabet);
  const std::vector<uint32_t> common = MakeCommonPrefixes(joined.letters, order);
  const auto b_begin = static_cast<uint32_t>(a.size() + 1);

  std::vector<Match> matches(a.size());
  uint32_t length = 0;
  uint32_t nearest = 0;
  for (size_t at = 0; at < order.size(); ++at) {
    length = std::min(length, common[at]);
    if (order[at] >= b_begin) {
      nearest = order[at] - b_begin;
      length = UINT32_MAX;
    } else if (order[at] < a.size() && length > 0) {
      Offer(matches[order[at]], length, nearest);
    }
  }
  length = 0;
  for (size_t at = order.size(); at-- > 0;) {
    if (order[at] >= b_begin) {
      nearest = order[at] - b_begin;
      length = UINT32_MAX;
    } else if (order[at] < a.size() && length > 0) {
      Offer(matches[order[at]], length, nearest);
    }
    length = std::min(length, common[at]);
  }
  return matches;
}

struct Tile {
  uint32_t begin = 0, end = 0;  // in a
  uint32_t b = 0;

  uint32_t length() const { return end - begin; }
};

// Orders tiles by length, the longest first; of equally long ones the earlier in a comes first.
struct PlacedLater {
  bool operator()(const Tile& x, const Tile& y) const {
    return x.length() != y.length() ? x.length() < y.length() : x.begin > y.begin;
  }
};

using TileQueue = std::priority_queue<Tile, std::vector<Tile>, PlacedLater>;

// Returns the matches that are not contained in the match that begins one symbol earlier.
TileQueue CollectTiles(std::span<const Match> matches, uint32_t min_run) {
  std::vector<Tile> tiles;
  for (uint32_t i = 0; i < matches.size(); ++i) {
    const bool inside = i > 0 && matches[i - 1].length == matches[i].length + 1;
    if (matches[i].length >= min_run && !inside) {
      tiles.push_back({i, i + matches[i].length, matches[i].b});
    }
  }
  return TileQueue(PlacedLater(), std::move(tiles));
}

// The places covered by tiles: for each symbol of a, the tile that covers it.
class Cover {
 public:
  explicit Cover(size_t size) : tile_(size, 0), placed_(1) {}

  void Place(const Tile& tile) {
    std::fill(tile_.begin() + tile.begin, tile_.begin() + tile.end,
              static_cast<uint32_t>(placed_.size()));
    placed_.push_back(tile);
  }

  // Removes the covered part of `tile`. A placed tile is at least as long, so it covers a
  // beginning, an end, or all of `tile`, never a middle.
  Tile Trim(Tile tile) const {
    if (const uint32_t first = tile_[tile.begin]; first != 0) {
      const uint32_t begin = std::min(placed_[first].end, tile.end);
      tile.b += begin - tile.begin;
      tile.begin = begin;
    }
    if (tile.begin == tile.end) return tile;
    if (const uint32_t last = tile_[tile.end - 1]; last != 0) {
      tile.end = std::max(placed_[last].begin, tile.begin);
    }
    return tile;
  }

  std::vector<Tile> Take() {
    placed_.erase(placed_.begin());
    return std::move(placed_);
  }

 private:
  std::vector<uint32_t> tile_;  // number of the tile, 0 for none
  std::vector<Tile> placed_;    // element 0 stands for no tile
};

}  // namespace

std::vector<SymbolRun> FindSharedRuns(std::span<const uint32_t> a, std::span<const uint32_t> b,
                                      uint32_t min_run) {
  min_run = std::max(min_run, 1u);
  if (a.size() < min_run || b.size() < min_run) return {};
  TileQueue queue = CollectTiles(FindLongestMatches(a, b), min_run);
  Cover cover(a.size());
  while (!queue.empty()) {
    const Tile tile = queue.top();
    queue.pop();
    const Tile rest = cover.Trim(tile);
    if (rest.length() == tile.length()) {
      cover.Place(tile);
    } else if (rest.length() >= min_run) {
      queue.push(rest);
    }
  }
  std::vector<SymbolRun> runs;
  for (const Tile& tile : cover.Take()) {
    runs.push_back({SymbolOffset{tile.begin}, SymbolOffset{tile.b}, tile.length()});
  }
  std::sort(runs.begin(), runs.end(),
            [](const SymbolRun& x, const SymbolRun& y) { return x.a < y.a; });
  return runs;
}

uint64_t FindLongestSharedRun(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  if (a.empty() || b.empty()) return 0;
  uint64_t longest = 0;
  for (const Match& match : FindLongestMatches(a, b)) {
    longest = std::max<uint64_t>(longest, match.length);
  }
  return longest;
}

}  // namespace zhiwen
