#include "match/run_finder.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "match/shared_runs.h"

namespace zhiwen {
namespace {

constexpr uint64_t kRunBase = 0x9E3779B97F4A7C15;
constexpr size_t kBitsPerBlock = 16;          // of has_hash_
constexpr uint64_t kExtensionsPerSymbol = 8;  // more of them: repeats

// Adds a symbol to a hash.
uint64_t Roll(uint64_t hash, uint32_t symbol) { return hash * kRunBase + symbol + 1; }

// Spreads a hash, whose low bits depend on low bits of symbols alone.
uint64_t Spread(uint64_t hash) { return (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9 >> 20; }

// Returns how many symbols are equal from a[i] and b[j] on, to the right, and before them, to the
// left.
size_t EqualAfter(std::span<const uint32_t> a, size_t i, std::span<const uint32_t> b, size_t j) {
  size_t count = 0;
  while (i + count < a.size() && j + count < b.size() && a[i + count] == b[j + count]) ++count;
  return count;
}
size_t EqualBefore(std::span<const uint32_t> a, size_t i, std::span<const uint32_t> b, size_t j) {
  size_t count = 0;
  while (count < i && count < j && a[i - count - 1] == b[j - count - 1]) ++count;
  return count;
}

}  // namespace

RunFinder::RunFinder(std::span<const uint32_t> text, uint32_t least)
    : text_(text), least_(least), length_((least + 1) / 2) {
  for (uint32_t i = 0; i < length_; ++i) power_ *= kRunBase;
  for (size_t begin = 0; begin + length_ <= text.size(); begin += length_) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < length_; ++i) hash = Roll(hash, text[begin + i]);
    blocks_.push_back({hash, static_cast<uint32_t>(begin)});
  }
  std::ranges::sort(blocks_, {}, &Block::hash);
  const size_t bits = std::bit_ceil(std::max<size_t>(64, blocks_.size() * kBitsPerBlock));
  has_hash_.assign(bits / 64, 0);
  mask_ = bits - 1;
  for (const Block& block : blocks_) {
    const uint64_t bit = Spread(block.hash) & mask_;
    has_hash_[bit / 64] |= uint64_t{1} << bit % 64;
  }
}

bool RunFinder::SharesRun(std::span<const uint32_t> other) const {
  if (text_.size() < least_ || other.size() < least_) return false;
  uint64_t hash = 0;
  uint64_t extensions = kExtensionsPerSymbol * (other.size() + text_.size());
  for (size_t end = 1; end <= other.size(); ++end) {
    hash = Roll(hash, other[end - 1]);
    if (end < length_) continue;
    if (end > length_) hash -= power_ * (uint64_t{other[end - 1 - length_]} + 1);
    const uint64_t bit = Spread(hash) & mask_;
    if ((has_hash_[bit / 64] >> bit % 64 & 1) == 0) continue;
    const size_t begin = end - length_;
    for (const Block& block : std::ranges::equal_range(blocks_, hash, {}, &Block::hash)) {
      const size_t run = EqualAfter(text_, block.begin, other, begin) +
                         EqualBefore(text_, block.begin, other, begin);
      if (run >= least_) return true;
      if (extensions < run + 1) return FindLongestSharedRun(text_, other) >= least_;
      extensions -= run + 1;
    }
  }
  return false;
}

}  // namespace zhiwen
