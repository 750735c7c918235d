#include "feature/shingle_ranges.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "feature/shingles.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
// The planned share of the room in use at the end of a walk. Hashes are uniform but not exactly
// even, so a full room would overflow.
constexpr double kFilled = 0.8;

// Returns the end of a range from `first` on that is expected to hold as many shingles as fit, when
// the range of `width` held `count`.
uint64_t NextEnd(uint64_t first, uint64_t width, size_t count, size_t room) {
  const double wanted = kFilled * static_cast<double>(room);
  const double next =
      static_cast<double>(width) * wanted / static_cast<double>(std::max<size_t>(count, 1));
  const uint64_t left = kMost - first;
  return next >= static_cast<double>(left) ? kMost : first + static_cast<uint64_t>(next);
}

}  // namespace

Status ShingleRanges::Visit(size_t expected, const std::function<void(const Take&)>& walk,
                            const std::function<Status(std::span<const uint64_t> range)>& visit) {
  first_ = 0;
  last_ = kMost;
  collected_.reserve(std::min(room_, expected));
  const Take collect = [&](std::span<const uint64_t> shingles) { Collect(shingles); };
  while (true) {
    collected_.clear();
    walk(collect);
    SortCollected();
    ZHIWEN_RETURN_IF_ERROR(visit(collected_));
    if (last_ == kMost) return {};
    const uint64_t width = last_ - first_;
    first_ = last_ + 1;
    last_ = NextEnd(first_, width, collected_.size(), room_);
  }
}

void ShingleRanges::Shrink() {
  std::vector<uint64_t>().swap(collected_);
  std::vector<uint64_t>().swap(sorting_);
}

// Collects the shingles of the current range. When the room is full of distinct shingles, the
// greater half is dropped and left to a later walk.
void ShingleRanges::Collect(std::span<const uint64_t> shingles) {
  while (!shingles.empty()) {
    const size_t begin = collected_.size();
    const size_t count = std::min(shingles.size(), room_ - begin);
    collected_.resize(begin + count);
    size_t end = begin;
    const uint64_t first = first_, width = last_ - first_;
    for (const uint64_t shingle : shingles.first(count)) {
      collected_[end] = shingle;
      end += shingle - first <= width;
    }
    collected_.resize(end);
    shingles = shingles.subspan(count);
    if (end < room_) continue;
    SortCollected();
    if (collected_.size() <= room_ / 2) continue;
    collected_.resize(room_ / 2);
    last_ = collected_.back();
  }
}

// Sorts after scaling the range to 64 bits, because MakeShingleSet is fast when values are uniform
// over 64 bits.
void ShingleRanges::SortCollected() {
  const uint64_t first = first_;
  const int shift = std::countl_zero(std::max<uint64_t>(last_ - first_, 1));
  for (uint64_t& shingle : collected_) shingle = (shingle - first) << shift;
  MakeShingleSet(collected_, sorting_);
  for (uint64_t& shingle : collected_) shingle = (shingle >> shift) + first;
}

}  // namespace zhiwen
