#include "match/passages/seed_matches.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

namespace zhiwen {
namespace {

constexpr uint64_t kSeedBase = 0x9E3779B97F4A7C15;
constexpr uint32_t kNone = UINT32_MAX;
constexpr uint32_t kSeedsPerCheck = 4096;  // of cancellation
// How many times longer a seed becomes that has too many places.
constexpr std::array<uint32_t, 3> kSeedFactors = {1, 3, 8};

uint64_t SpreadSeed(uint64_t hash) { return (hash ^ hash >> 31) * 0xBF58476D1CE4E5B9; }

// Returns what VisitSeeds calls the hash of these symbols.
uint64_t HashOfSeed(std::span<const uint32_t> symbols) {
  uint64_t hash = 0;
  for (const uint32_t symbol : symbols) hash = hash * kSeedBase + symbol + 1;
  return SpreadSeed(hash);
}

// Calls visit(position, hash) for all runs of `length` symbols.
template <typename Visit>
void VisitSeeds(std::span<const uint32_t> symbols, uint32_t length, const Visit& visit) {
  uint64_t power = 1, hash = 0;
  for (uint32_t i = 0; i < length; ++i) power *= kSeedBase;
  for (size_t end = 1; end <= symbols.size(); ++end) {
    hash = hash * kSeedBase + symbols[end - 1] + 1;
    if (end < length) continue;
    if (end > length) hash -= power * (uint64_t{symbols[end - 1 - length]} + 1);
    visit(end - length, SpreadSeed(hash));
  }
}

}  // namespace

SeedFilter::SeedFilter(uint32_t length, size_t symbols)
    : length_(length), bits_(std::bit_ceil(std::max<size_t>(symbols * 8, 64)) / 64) {
  shift_ = 58 - static_cast<uint32_t>(std::countr_zero(bits_.size()));
}

void SeedFilter::Add(std::span<const uint32_t> symbols) {
  VisitSeeds(symbols, length_, [&](size_t, uint64_t hash) {
    bits_[hash >> shift_ >> 6] |= uint64_t{1} << (hash >> shift_ & 63);
  });
}

// Tells where the seeds of one length are in a text.
class SeedPlaces {
 public:
  // Leaves out those that `wanted` surely has not.
  SeedPlaces(std::span<const uint32_t> symbols, uint32_t length, const SeedFilter* wanted)
      : length_(length) {
    if (symbols.size() < length) return;
    std::vector<std::pair<uint64_t, uint32_t>> seeds;
    seeds.reserve(symbols.size());
    VisitSeeds(symbols, length, [&](size_t position, uint64_t hash) {
      if (wanted != nullptr && !wanted->MayHave(hash)) return;
      seeds.emplace_back(hash, static_cast<uint32_t>(position));
    });
    if (seeds.empty()) return;
    const size_t slots = std::bit_ceil(seeds.size() * 2);
    shift_ = 64 - static_cast<uint32_t>(std::countr_zero(slots));
    hashes_.assign(slots, 0);
    firsts_.assign(slots, kNone);
    counts_.assign(slots, 0);
    next_.assign(seeds.back().second + size_t{1}, kNone);
    std::vector<uint32_t> lasts(slots, kNone);
    for (const auto& [hash, place] : seeds) {
      const size_t slot = SlotOf(hash);
      hashes_[slot] = hash;
      if (firsts_[slot] == kNone) {
        firsts_[slot] = place;
      } else if (counts_[slot] <= kMostSeedPlaces) {
        next_[lasts[slot]] = place;
      }
      lasts[slot] = place;
      if (counts_[slot] <= kMostSeedPlaces) ++counts_[slot];
    }
  }

  uint32_t length() const { return length_; }

  struct Found {
    uint32_t first = kNone;
    bool is_common = false;  // more than kMostSeedPlaces places have it
  };
  Found Find(uint64_t hash) const {
    if (hashes_.empty()) return {};
    const size_t slot = SlotOf(hash);
    return {firsts_[slot], counts_[slot] > kMostSeedPlaces};
  }
  // Returns the next place of the same seed, kNone after the last one.
  uint32_t NextOf(uint32_t place) const { return next_[place]; }

 private:
  // Returns the slot of a hash, or the empty one where it belongs.
  size_t SlotOf(uint64_t hash) const {
    size_t slot = hash >> shift_;
    while (firsts_[slot] != kNone && hashes_[slot] != hash) slot = (slot + 1) % hashes_.size();
    return slot;
  }

  uint32_t length_;
  uint32_t shift_ = 0;
  std::vector<uint64_t> hashes_;
  std::vector<uint32_t> firsts_;  // kNone: the slot is empty
  std::vector<uint8_t> counts_;   // at most kMostSeedPlaces + 1
  std::vector<uint32_t> next_;    // by place
};

namespace {

// Tells which pairs of places of two texts are near an anchor, by cells of kCellOfA times kCellOfB
// symbols: those of an anchor, and those around them.
class AnchoredCells {
 public:
  AnchoredCells(size_t a_size, size_t b_size)
      : columns_(b_size / kCellOfB + 1), rows_(a_size / kCellOfA + 1) {
    cells_.assign(columns_ * rows_, false);
  }

  void Mark(const SeedMatch& anchor) {
    for (uint32_t step = 0;; step = std::min(step + kCellOfA, anchor.length)) {
      MarkAround((anchor.a + step) / kCellOfA, (anchor.b + step) / kCellOfB);
      if (step == anchor.length) return;
    }
  }

  bool Has(const SeedMatch& match) const {
    return cells_[match.a / kCellOfA * columns_ + match.b / kCellOfB];
  }

  static constexpr uint32_t kCellOfA = 64, kCellOfB = 64;

 private:
  void MarkAround(size_t row, size_t column) {
    for (size_t r = row - std::min<size_t>(row, 1); r <= std::min(row + 1, rows_ - 1); ++r) {
      for (size_t c = column - std::min<size_t>(column, 1); c <= std::min(column + 1, columns_ - 1);
           ++c) {
        cells_[r * columns_ + c] = true;
      }
    }
  }

  const size_t columns_, rows_;
  std::vector<bool> cells_;
};

class SeedExtender {
 public:
  // `ends` are zeros, as many as there are, and again after Take.
  SeedExtender(std::span<const uint32_t> a, std::span<const uint32_t> b,
               std::vector<uint32_t>& ends)
      : a_(a), b_(b), ends_(ends) {
    if (ends_.size() < a.size() + b.size()) ends_.resize(a.size() + b.size());
  }

  uint32_t covered() const { return covered_; }
  uint32_t covered_in_b() const { return covered_in_b_; }

  // Adds the stretch that a[i …] and b[j …] begin, unless it is known.
  void Extend(uint32_t i, uint32_t j, uint32_t least) {
    uint32_t& end = ends_[b_.size() + i - j];
    if (end > i) return;
    uint32_t after = 0, before = 0;
    while (i + after < a_.size() && j + after < b_.size() && a_[i + after] == b_[j + after]) {
      ++after;
    }
    if (after < least) return;  // equal hashes of different symbols
    while (i - before > end && before < j && a_[i - before - 1] == b_[j - before - 1]) ++before;
    end = i + after;
    covered_ = std::max(covered_, end);
    covered_in_b_ = std::max(covered_in_b_, j + after);
    matches_.push_back({i - before, j - before, before + after});
  }

  // Leaves out the stretches that are far from all of `anchor` symbols.
  std::vector<SeedMatch> TakeNearAnchors(uint32_t anchor) {
    ClearEnds();
    AnchoredCells cells(a_.size(), b_.size());
    for (const SeedMatch& match : matches_) {
      if (match.length >= anchor) cells.Mark(match);
    }
    std::erase_if(matches_, [&](const SeedMatch& match) { return !cells.Has(match); });
    return Take();
  }

  std::vector<SeedMatch> Take() {
    ClearEnds();
    std::ranges::sort(matches_, [](const SeedMatch& x, const SeedMatch& y) {
      return x.a != y.a ? x.a < y.a : x.b < y.b;
    });
    return std::move(matches_);
  }

 private:
  void ClearEnds() {
    for (const SeedMatch& match : matches_) ends_[b_.size() + match.a - match.b] = 0;
  }

  const std::span<const uint32_t> a_, b_;
  std::vector<uint32_t>& ends_;  // in a, of the last stretch of each diagonal
  uint32_t covered_ = 0;         // the symbols of a before it are in a stretch, or were tried
  uint32_t covered_in_b_ = 0;    // likewise
  std::vector<SeedMatch> matches_;
};

std::vector<uint64_t> HashesOf(std::span<const uint32_t> symbols, uint32_t length) {
  std::vector<uint64_t> hashes;
  hashes.reserve(symbols.size());
  VisitSeeds(symbols, length, [&](size_t, uint64_t hash) { hashes.push_back(hash); });
  return hashes;
}

}  // namespace

SeedMatcher::SeedMatcher(std::span<const uint32_t> b, uint32_t seed, PassageSource source,
                         const SeedFilter* wanted)
    : b_(b), seed_(seed), source_(source), wanted_(wanted) {}

SeedMatcher::~SeedMatcher() = default;

const SeedPlaces& SeedMatcher::PlacesOf(size_t level) {
  if (level == places_.size()) {
    places_.push_back(std::make_unique<SeedPlaces>(b_, seed_ * kSeedFactors[level],
                                                   level == 0 ? wanted_ : nullptr));
  }
  return *places_[level];
}

std::vector<SeedMatch> SeedMatcher::Find(std::span<const uint32_t> a,
                                         const Cancellation& cancellation) {
  if (a.size() < seed_ || b_.size() < seed_) return {};
  SeedExtender extender(a, b_, ends_);
  std::array<std::vector<uint64_t>, kSeedFactors.size()> hashes;  // of the seeds of a, once needed
  for (uint32_t i = 0; i + seed_ <= a.size(); ++i) {
    if (i % kSeedsPerCheck == 0 && cancellation.requested()) break;
    const uint32_t b_end = source_ == PassageSource::kEarlier ? i : kNone;  // places are before it
    uint32_t common = kNone;  // first place of the longest seed that has too many
    uint32_t common_length = 0;
    for (size_t level = 0; level < kSeedFactors.size(); ++level) {
      const SeedPlaces& places = PlacesOf(level);
      const uint32_t length = places.length();
      if (i + length > a.size()) break;
      if (hashes[level].empty()) hashes[level] = HashesOf(a, length);
      const SeedPlaces::Found found = places.Find(hashes[level][i]);
      if (found.is_common) {
        common = found.first;
        common_length = length;
        continue;
      }
      if (found.first != kNone || level < 2) common = kNone;
      for (uint32_t j = found.first; j < b_end; j = places.NextOf(j)) {
        extender.Extend(i, j, length);
      }
      break;
    }
    if (common < b_end && i >= extender.covered()) extender.Extend(i, common, common_length);
  }
  return extender.Take();
}

SeedFinder::SeedFinder(std::span<const uint32_t> text, uint32_t seed, uint32_t anchor)
    : text_(text),
      seed_(seed),
      anchor_(std::max(anchor, seed)),
      places_(std::make_unique<SeedPlaces>(text, seed, nullptr)),
      may_have_(seed, text.size()) {
  may_have_.Add(text);
}

SeedFinder::~SeedFinder() = default;

// Returns the symbols of the other text from the seed at `at` to the end of the longest stretch
// that has it, if it is an anchor, with those before the seed that an anchor may have.
std::optional<SymbolSpan> SeedFinder::AnchorAt(std::span<const uint32_t> other, size_t at) const {
  const SeedPlaces::Found found = places_->Find(HashOfSeed(other.subspan(at, seed_)));
  const size_t most_before = std::min<size_t>(at, anchor_ - seed_);
  if (found.is_common) return SymbolSpan{{at - most_before}, {at + seed_}};
  size_t longest = 0;  // symbols from the seed on
  for (uint32_t i = found.first; i != kNone; i = places_->NextOf(i)) {
    size_t before = 0, after = 0;
    while (before < std::min<size_t>(i, most_before) &&
           text_[i - before - 1] == other[at - before - 1]) {
      ++before;
    }
    const size_t most = std::min(text_.size() - i, other.size() - at);
    while (after < most && text_[i + after] == other[at + after]) ++after;
    if (before + after >= anchor_) longest = std::max(longest, after);
  }
  if (longest == 0) return std::nullopt;
  return SymbolSpan{{at - most_before}, {at + longest}};
}

// Returns the places where stretches may begin that are near an anchor: those of its cells and of
// the cells around them. A stretch of which a later place is found, or which covers the place of a
// seed that many have, is shorter than an anchor, or is one: a few more places are taken for them.
std::vector<SymbolSpan> SeedFinder::PlacesNearAnchors(std::span<const uint32_t> other) const {
  constexpr uint64_t kCell = AnchoredCells::kCellOfB, kBefore = 16;
  std::vector<SymbolSpan> places;
  // An anchor has a seed at one of so many places.
  const size_t step = anchor_ - seed_ + 1;
  for (size_t next = 0; next + seed_ <= other.size(); next += step) {
    const size_t at = next;
    if (!may_have_.MayHave(HashOfSeed(other.subspan(at, seed_)))) continue;
    const std::optional<SymbolSpan> anchor = AnchorAt(other, at);
    if (!anchor) continue;
    // Another one that ends behind it has a seed in its own last symbols.
    next = std::max<size_t>(
        at, (anchor->end.value - std::min<uint64_t>(anchor->end.value, anchor_)) / step * step);
    const uint64_t first = anchor->begin.value / kCell * kCell;
    const uint64_t begin = first - std::min(first, kCell + kBefore);
    const uint64_t end =
        std::min<uint64_t>((anchor->end.value / kCell + 2) * kCell + anchor_, other.size());
    if (!places.empty() && begin <= places.back().end.value) {
      places.back().begin.value = std::min(places.back().begin.value, begin);
      places.back().end.value = std::max(places.back().end.value, end);
    } else {
      places.push_back({{begin}, {end}});
    }
  }
  return places;
}

std::vector<SeedMatch> SeedFinder::Find(std::span<const uint32_t> other) {
  if (text_.size() < seed_ || other.size() < seed_) return {};
  const std::vector<SymbolSpan> near = PlacesNearAnchors(other);
  if (near.empty()) return {};
  SeedExtender extender(text_, other, ends_);
  for (const auto& [begin, end] : near) {
    VisitSeeds(other.subspan(begin.value, end - begin), seed_, [&](size_t at, uint64_t hash) {
      if (!may_have_.MayHave(hash)) return;
      const SeedPlaces::Found found = places_->Find(hash);
      const auto place = static_cast<uint32_t>(begin.value + at);
      if (found.is_common) {
        if (place >= extender.covered_in_b()) extender.Extend(found.first, place, seed_);
        return;
      }
      for (uint32_t i = found.first; i != kNone; i = places_->NextOf(i)) {
        extender.Extend(i, place, seed_);
      }
    });
  }
  return extender.TakeNearAnchors(anchor_);
}

}  // namespace zhiwen
