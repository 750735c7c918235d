#include "pipeline/dedup/audit/slow_similarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/prefetch.h"
#include "base/utf8/utf8.h"
#include "text/channel_view.h"

namespace zhiwen {
namespace {

constexpr uint64_t kRunMultiplier = 0x9FB21C651E98DF25;
constexpr size_t kAhead = 16;  // runs between asking for a slot and looking at it

bool AreEqual(const uint32_t* a, const uint32_t* b, size_t length) {
  size_t i = 0;
  while (i < length && a[i] == b[i]) ++i;
  return i == length;
}

// The hash of a run: the high half of a polynomial in its symbols.
uint32_t HashOfRun(const uint32_t* run, size_t length) {
  uint64_t hash = 0;
  for (size_t i = 0; i < length; ++i) hash = (hash + run[i]) * kRunMultiplier;
  return static_cast<uint32_t>(hash >> 32);
}

// Replaces `hashes` by those of all runs: each leaves the first symbol of the one before behind.
void HashRuns(std::span<const uint32_t> symbols, size_t length, std::vector<uint32_t>& hashes) {
  hashes.resize(symbols.size() - length + 1);
  uint64_t hash = 0, first = 1;
  for (size_t i = 0; i < length; ++i) {
    first *= kRunMultiplier;
    hash = (hash + symbols[i]) * kRunMultiplier;
  }
  for (size_t begin = 0; begin + 1 < hashes.size(); ++begin) {
    hashes[begin] = static_cast<uint32_t>(hash >> 32);
    hash = (hash - symbols[begin] * first + symbols[begin + length]) * kRunMultiplier;
  }
  hashes.back() = static_cast<uint32_t>(hash >> 32);
}

}  // namespace

void RunTable::Reset(size_t runs) {
  slots_.assign(std::bit_ceil(runs * 2), kNone);
  shift_ = 32 - std::countr_zero(slots_.size());
}

void RunTable::Fetch(uint32_t hash) const { Prefetch(&slots_[hash >> shift_]); }

size_t RunTable::SlotOf(const uint32_t* run, uint32_t hash, size_t length,
                        const uint32_t* symbols) const {
  size_t at = hash >> shift_;
  while (slots_[at] != kNone && !AreEqual(run, &symbols[slots_[at]], length)) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return at;
}

Status ReadSlowSymbols(const Channel& channel, std::string_view text,
                       std::vector<uint32_t>& symbols) {
  if (const size_t broken = FindInvalidUtf8(text); broken != text.size()) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read the text on channel {}: invalid UTF-8 at byte {}",
                            channel.name(), broken));
  }
  symbols.clear();
  channel.view().ExplainInto(text, symbols);
  return {};
}

Status SlowSet::Read(const Channel& channel, std::string_view text, size_t length) {
  ZHIWEN_RETURN_IF_ERROR(ReadSlowSymbols(channel, text, symbols_));
  Collect(length);
  return {};
}

void SlowSet::Collect(size_t length) {
  length_ = length;
  size_ = 0;
  first_.clear();
  table_.Reset(1);
  if (length == 0 || symbols_.size() < length) return;
  HashRuns(symbols_, length, hashes_);
  table_.Reset(hashes_.size());
  first_.resize(hashes_.size());
  for (size_t begin = 0; begin < hashes_.size(); ++begin) {
    table_.Fetch(hashes_[std::min(begin + kAhead, hashes_.size() - 1)]);
    uint32_t& first = table_.Find(&symbols_[begin], hashes_[begin], length, symbols_.data());
    if (first == RunTable::kNone) {
      first = static_cast<uint32_t>(begin);
      ++size_;
    }
    first_[begin] = first;
  }
}

// Where a run of the other text is equal to one here, the next runs of both are equal when their
// last symbols are: most of two texts that resemble each other needs no look at the table.
SetOverlap SlowSet::Compare(std::span<const uint32_t> symbols) const {
  SetOverlap overlap{size_, 0, 0};
  if (length_ == 0 || symbols.size() < length_) return overlap;
  const size_t count = symbols.size() - length_ + 1;
  const size_t last = length_ - 1;
  others_.Reset(count);
  seen_.assign(first_.size(), 0);
  size_t next = first_.size();  // the run here that may equal the next one, or none
  for (size_t begin = 0; begin < count; ++begin) {
    const uint32_t* const run = &symbols[begin];
    if (next >= first_.size() || symbols_[next + last] != run[last]) {
      const uint32_t hash = HashOfRun(run, length_);
      next = table_.Find(run, hash, length_, symbols_.data());
      if (next == RunTable::kNone) {
        uint32_t& other = others_.Find(run, hash, length_, symbols.data());
        overlap.b += other == RunTable::kNone ? 1 : 0;
        if (other == RunTable::kNone) other = static_cast<uint32_t>(begin);
        continue;
      }
    }
    char& seen = seen_[first_[next++]];
    overlap.shared += seen == 0 ? 1 : 0;
    seen = 1;
  }
  overlap.b += overlap.shared;
  return overlap;
}

Result<SlowSet> SlowShingles(const Channel& channel, std::string_view text) {
  SlowSet set;
  ZHIWEN_RETURN_IF_ERROR(set.Read(channel, text));
  return set;
}

Result<bool> SlowShareRun(const Channel& channel, std::string_view a, std::string_view b,
                          size_t length) {
  SlowSet runs;
  ZHIWEN_RETURN_IF_ERROR(runs.Read(channel, a, length));
  std::vector<uint32_t> symbols;
  ZHIWEN_RETURN_IF_ERROR(ReadSlowSymbols(channel, b, symbols));
  return runs.Compare(symbols).shared > 0;
}

double SlowResemblance(const SlowSet& a, const SlowSet& b) {
  return SlowResemblance({a.size(), b.size(), a.CountShared(b)});
}

double SlowResemblance(const SetOverlap& overlap) {
  const uint64_t united = overlap.a + overlap.b - overlap.shared;
  return united == 0 ? 0 : static_cast<double>(overlap.shared) / static_cast<double>(united);
}

Result<bool> SlowEqual(const Channel& channel, std::string_view a, std::string_view b) {
  if (a == b) return true;
  std::vector<uint32_t> symbols_a, symbols_b;
  ZHIWEN_RETURN_IF_ERROR(ReadSlowSymbols(channel, a, symbols_a));
  ZHIWEN_RETURN_IF_ERROR(ReadSlowSymbols(channel, b, symbols_b));
  return symbols_a == symbols_b;
}

}  // namespace zhiwen
