#include "fingerprint/winnowing.h"

#include <algorithm>

namespace zhiwen {
namespace {

__extension__ using Product = unsigned __int128;

constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
constexpr uint64_t kBase = 0x12A9B4F7C3D1E865 % kPrime;

// Initial capacity for units, blocks and passed candidates.
constexpr size_t kUsual = 64;

// Reduces a value below 2·kPrime to one below kPrime.
constexpr uint64_t Reduce(uint64_t value) { return value >= kPrime ? value - kPrime : value; }

constexpr uint64_t ReduceAny(uint64_t value) { return Reduce((value & kPrime) + (value >> 61)); }

constexpr uint64_t Multiply(uint64_t a, uint64_t b) {
  const Product product = Product{a} * b;
  return ReduceAny((static_cast<uint64_t>(product) & kPrime) +
                   static_cast<uint64_t>(product >> 61));
}

}  // namespace

Winnower::Winnower(const WinnowingOptions& options) : options_(options) {
  for (size_t i = 0; i < options.block; ++i) power_ = Multiply(power_, kBase);
  recent_.reserve(std::min(options.block, kUsual));
  candidates_.reserve(std::min(options.window, kUsual) + kUsual);
}

void Winnower::Add(const TextUnit& unit, SelectedShingles& selected) {
  const Recent recent = {ReduceAny(unit.hash), unit.source.begin};
  hash_ = Reduce(Multiply(hash_, kBase) + recent.value);
  ++units_;
  if (recent_.size() < options_.block) {
    recent_.push_back(recent);
    if (recent_.size() < options_.block) return;
  } else {
    hash_ = Reduce(hash_ + kPrime - Multiply(recent_[oldest_].value, power_));
    recent_[oldest_] = recent;
    oldest_ = oldest_ + 1 == options_.block ? 0 : oldest_ + 1;
  }
  TakeBlock({.hash = hash_,
             .position = units_ - options_.block,
             .source = {recent_[oldest_].begin, unit.source.end}},
            selected);
}

void Winnower::TakeBlock(const SelectedShingle& block, SelectedShingles& selected) {
  if (options_.window == 1) {
    selected.push_back(block);
    return;
  }
  while (candidates_.size() > head_ && candidates_.back().hash >= block.hash) {
    candidates_.pop_back();
  }
  if (candidates_.size() == head_) {
    candidates_.clear();
    head_ = 0;
    has_selected_head_ = false;
  }
  candidates_.push_back(block);
  if (candidates_[head_].position + options_.window <= block.position) {
    ++head_;
    has_selected_head_ = false;
  }
  if (++blocks_ < options_.window || has_selected_head_) return;
  selected.push_back(candidates_[head_]);
  has_selected_head_ = true;
  if (head_ < std::max(options_.window, kUsual)) return;
  candidates_.erase(candidates_.begin(), candidates_.begin() + static_cast<ptrdiff_t>(head_));
  head_ = 0;
}

void Winnower::AddOfShortRun(SelectedShingles& selected) const {
  if (blocks_ > 0 && blocks_ < options_.window) selected.push_back(candidates_[head_]);
}

void Winnower::EndRun() {
  hash_ = 0;
  recent_.clear();
  oldest_ = 0;
  blocks_ = 0;
  candidates_.clear();
  head_ = 0;
  has_selected_head_ = false;
}

}  // namespace zhiwen
