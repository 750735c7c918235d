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

// Replaces `symbols` by those of `text`.
Status ReadSymbols(const Channel& channel, std::string_view text, std::vector<uint32_t>& symbols) {
  if (const size_t broken = FindInvalidUtf8(text); broken != text.size()) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read the text on channel {}: invalid UTF-8 at byte {}",
                            channel.name(), broken));
  }
  symbols.clear();
  channel.view().ExplainInto(text, symbols);
  return {};
}

bool AreEqual(const uint32_t* a, const uint32_t* b, size_t length) {
  size_t i = 0;
  while (i < length && a[i] == b[i]) ++i;
  return i == length;
}

}  // namespace

Status SlowSet::Read(const Channel& channel, std::string_view text, size_t length) {
  ZHIWEN_RETURN_IF_ERROR(ReadSymbols(channel, text, symbols_));
  Collect(length);
  return {};
}

// The hash of a run is a polynomial in its symbols, the first of which the next run leaves behind.
void SlowSet::Collect(size_t length) {
  length_ = length;
  runs_.clear();
  slots_.clear();
  if (length == 0 || symbols_.size() < length) return;
  const size_t count = symbols_.size() - length + 1;
  runs_.resize(count);
  uint64_t hash = 0, first = 1;
  for (size_t i = 0; i < length; ++i) {
    first *= kRunMultiplier;
    hash = (hash + symbols_[i]) * kRunMultiplier;
  }
  for (size_t begin = 0;; ++begin) {
    runs_[begin] = {static_cast<uint32_t>(begin), static_cast<uint32_t>(hash >> 32)};
    if (begin + 1 == count) break;
    hash = (hash - symbols_[begin] * first + symbols_[begin + length]) * kRunMultiplier;
  }
  slots_.assign(std::bit_ceil(count * 2), kFree);
  shift_ = 32 - std::countr_zero(slots_.size());
  size_t kept = 0;
  VisitSlots(runs_, symbols_, [&](const Run& run, size_t at) {
    if (slots_[at] != kFree) return;
    slots_[at] = run.begin;
    runs_[kept++] = run;
  });
  runs_.resize(kept);
}

uint64_t SlowSet::CountShared(const SlowSet& other) const {
  if (empty() || other.empty()) return 0;
  uint64_t shared = 0;
  other.VisitSlots(runs_, symbols_, [&](const Run&, size_t at) {
    shared += other.slots_[at] != kFree ? 1 : 0;
  });
  return shared;
}

// Calls visit(run, slot) for `runs` of `symbols`, with the slot that has the run, or the free one
// where it would be.
template <typename Visit>
void SlowSet::VisitSlots(std::span<const Run> runs, std::span<const uint32_t> symbols,
                         const Visit& visit) const {
  for (size_t i = 0; i < runs.size(); ++i) {
    Prefetch(&slots_[runs[std::min(i + kAhead, runs.size() - 1)].hash >> shift_]);
    const Run run = runs[i];
    size_t at = run.hash >> shift_;
    while (slots_[at] != kFree && !AreEqual(&symbols[run.begin], &symbols_[slots_[at]], length_)) {
      at = (at + 1) & (slots_.size() - 1);
    }
    visit(run, at);
  }
}

Result<std::vector<uint32_t>> SlowSymbols(const Channel& channel, std::string_view text) {
  std::vector<uint32_t> symbols;
  ZHIWEN_RETURN_IF_ERROR(ReadSymbols(channel, text, symbols));
  return symbols;
}

Result<SlowSet> SlowShingles(const Channel& channel, std::string_view text) {
  SlowSet set;
  ZHIWEN_RETURN_IF_ERROR(set.Read(channel, text));
  return set;
}

Result<bool> SlowShareRun(const Channel& channel, std::string_view a, std::string_view b,
                          size_t length) {
  SlowSet of_a, of_b;
  ZHIWEN_RETURN_IF_ERROR(of_a.Read(channel, a, length));
  ZHIWEN_RETURN_IF_ERROR(of_b.Read(channel, b, length));
  return of_a.CountShared(of_b) > 0;
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
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<uint32_t> symbols_a, SlowSymbols(channel, a));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<uint32_t> symbols_b, SlowSymbols(channel, b));
  return symbols_a == symbols_b;
}

}  // namespace zhiwen
