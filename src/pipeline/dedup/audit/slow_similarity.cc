#include "pipeline/dedup/audit/slow_similarity.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace zhiwen {

SlowSet::SlowSet(std::vector<uint32_t> symbols, size_t length,
                 const std::function<bool(std::span<const uint32_t> run)>& left_out)
    : length_(length), symbols_(std::move(symbols)) {
  if (length_ == 0 || symbols_.size() < length_) return;
  const auto runs = static_cast<uint32_t>(symbols_.size() - length_ + 1);
  slots_.assign(std::bit_ceil(size_t{runs} * 2), kFree);
  shift_ = 64 - std::countr_zero(slots_.size());
  begins_.reserve(runs);
  for (uint32_t begin = 0; begin < runs; ++begin) {
    if (left_out && left_out(std::span(symbols_).subspan(begin, length_))) continue;
    uint32_t& slot = slots_[Find(&symbols_[begin])];
    if (slot != kFree) continue;
    slot = begin;
    begins_.push_back(begin);
  }
}

uint64_t SlowSet::CountShared(const SlowSet& other) const {
  if (empty() || other.empty()) return 0;
  return static_cast<uint64_t>(std::ranges::count_if(begins_, [&](uint32_t begin) {
    return other.slots_[other.Find(&symbols_[begin])] != kFree;
  }));
}

size_t SlowSet::Find(const uint32_t* run) const {
  uint64_t hash = 0;
  for (size_t i = 0; i < length_; ++i) hash = (hash + run[i]) * 0x9FB21C651E98DF25;
  size_t at = hash >> shift_;
  while (slots_[at] != kFree && !std::equal(run, run + length_, &symbols_[slots_[at]])) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return at;
}

Result<std::vector<uint32_t>> SlowSymbols(const Channel& channel, std::string_view text) {
  ZHIWEN_ASSIGN_OR_RETURN(SpannedSymbols spanned, ComputeSymbols(channel, text));
  return std::move(spanned.symbols);
}

Result<SlowSet> SlowShingles(const Channel& channel, std::string_view text) {
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<uint32_t> symbols, SlowSymbols(channel, text));
  return SlowSet(std::move(symbols));
}

Result<bool> SlowShareRun(const Channel& channel, std::string_view a, std::string_view b,
                          size_t length) {
  ZHIWEN_ASSIGN_OR_RETURN(SpannedSymbols symbols_a, ComputeSymbols(channel, a));
  ZHIWEN_ASSIGN_OR_RETURN(SpannedSymbols symbols_b, ComputeSymbols(channel, b));
  const SlowSet runs(std::move(symbols_a.symbols), length);
  return runs.CountShared(SlowSet(std::move(symbols_b.symbols), length)) > 0;
}

double SlowResemblance(const SlowSet& a, const SlowSet& b) {
  return SlowResemblance({a.size(), b.size(), a.CountShared(b)});
}

double SlowResemblance(const SetOverlap& overlap) {
  const uint64_t united = overlap.a + overlap.b - overlap.shared;
  return united == 0 ? 0 : static_cast<double>(overlap.shared) / static_cast<double>(united);
}

Result<bool> SlowEqual(const Channel& channel, std::string_view a, std::string_view b) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<uint32_t> symbols_a, SlowSymbols(channel, a));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<uint32_t> symbols_b, SlowSymbols(channel, b));
  return symbols_a == symbols_b;
}

}  // namespace zhiwen
