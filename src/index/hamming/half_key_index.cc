#include "index/hamming/half_key_index.h"

#include <algorithm>
#include <vector>

#include "base/large_memory.h"
#include "base/radix_sort.h"

namespace zhiwen {
namespace {

constexpr size_t kAhead = 16;            // codes whose lines are asked for before they are needed
constexpr double kLineNanoseconds = 20;  // of a line that is waited for with others
constexpr size_t kFew = 4096;            // codes that are not worth sorting

}  // namespace

HalfKeyIndex::HalfKeyIndex(const HalfKeyOptions& options) : options_(options) {
  if (options.third_bits > 0 && options.code_bits == 64) thirds_.emplace(options.third_bits);
}

uint64_t HalfKeyIndex::bytes() const {
  return tables_[0].bytes() + tables_[1].bytes() + (thirds_ ? thirds_->bytes() : 0);
}

// Asks the table in which fewer codes share the key: a hot key would be gone through.
bool HalfKeyIndex::Contains(const CodeHalves& halves) const {
  const std::array<uint32_t, 2> mixed = {MixKey(halves.of[0]), MixKey(halves.of[1])};
  const size_t t = tables_[0].HotValues(mixed[0]) <= tables_[1].HotValues(mixed[1]) ? 0 : 1;
  return tables_[t].Contains(mixed[t], halves.of[1 - t]);
}

uint64_t HalfKeyIndex::Insert(std::span<const uint64_t> codes) {
  constexpr size_t kMost = size_t{1} << 24;  // that are sorted together
  uint64_t added = 0;
  while (!codes.empty()) {
    const auto some = codes.first(std::min(kMost, codes.size()));
    codes = codes.subspan(some.size());
    const bool are_many = some.size() >= kFew && some.size() >= size() / 4;
    added += are_many ? InsertMany(some) : InsertFew(some);
  }
  return added;
}

uint64_t HalfKeyIndex::InsertFew(std::span<const uint64_t> codes) {
  const HalfKeyPlan plan = PlanFor(0);
  const auto for_both = [&](size_t i, const auto& prefetch) {
    if (i >= codes.size()) return;
    const CodeHalves halves = plan.HalvesOf(codes[i]);
    for (size_t t = 0; t < 2; ++t) prefetch(tables_[t], MixKey(halves.of[t]));
  };
  const auto line = [](const LineTable& table, uint32_t key) { table.PrefetchLine(key); };
  const auto chain = [](const LineTable& table, uint32_t key) { table.PrefetchChain(key); };
  uint64_t added = 0;
  std::vector<uint64_t> added_codes;  // only for the thirds
  for (size_t i = 0; i < kAhead; ++i) for_both(i, line);
  for (size_t i = 0; i < codes.size(); ++i) {
    for_both(i + kAhead, line);
    for_both(i + kAhead / 2, chain);
    const CodeHalves halves = plan.HalvesOf(codes[i]);
    if (Contains(halves)) continue;
    tables_[0].Insert(MixKey(halves.of[0]), halves.of[1]);
    tables_[1].Insert(MixKey(halves.of[1]), halves.of[0]);
    ++added;
    if (thirds_) added_codes.push_back(codes[i]);
  }
  if (thirds_) thirds_->Insert(added_codes);
  return added;
}

// In the order of either table.
uint64_t HalfKeyIndex::InsertMany(std::span<const uint64_t> codes) {
  const HalfKeyPlan plan = PlanFor(0);
  LargeVector<uint64_t> entries(codes.size()), scratch;
  for (size_t i = 0; i < codes.size(); ++i) {
    const CodeHalves halves = plan.HalvesOf(codes[i]);
    entries[i] = uint64_t{MixKey(halves.of[0])} << 32 | halves.of[1];
  }
  RadixSort(entries, scratch);
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  const auto halves_of = [](uint64_t entry) -> CodeHalves {
    return {{UnmixKey(static_cast<uint32_t>(entry >> 32)), static_cast<uint32_t>(entry)}};
  };
  if (size() > 0)
    std::erase_if(entries, [&](uint64_t entry) { return Contains(halves_of(entry)); });
  tables_[0].InsertMany(entries);
  for (uint64_t& entry : entries) {
    const CodeHalves halves = halves_of(entry);
    entry = uint64_t{MixKey(halves.of[1])} << 32 | halves.of[0];
  }
  RadixSort(entries, scratch);
  tables_[1].InsertMany(entries);
  if (thirds_) {
    for (uint64_t& entry : entries) {
      const CodeHalves swapped = halves_of(entry);
      entry = plan.CodeOf({{swapped.of[1], swapped.of[0]}});
    }
    thirds_->Insert(entries);
  }
  return entries.size();
}

uint64_t HalfKeyIndex::Remove(std::span<const uint64_t> codes) {
  uint64_t removed = 0;
  for (const uint64_t code : codes) {
    const CodeHalves halves = PlanFor(0).HalvesOf(code);
    if (!tables_[0].Remove(MixKey(halves.of[0]), halves.of[1])) continue;
    tables_[1].Remove(MixKey(halves.of[1]), halves.of[0]);
    if (thirds_) thirds_->Remove(code);
    ++removed;
  }
  return removed;
}

uint64_t HalfKeyIndex::LinesFor(uint32_t radius, size_t queries) const {
  return PlanFor(radius).look_ups_among(size(), queries, kLineNanoseconds);
}

Status HalfKeyIndex::Query(std::span<const uint64_t> queries, uint32_t radius,
                           HammingAnswer& answer) const {
  const uint64_t lines = LinesFor(radius, queries.size());
  const double nanoseconds = static_cast<double>(lines) * kLineNanoseconds;
  if (thirds_ && (lines == 0 || thirds_->NanosecondsFor(radius) < nanoseconds)) {
    thirds_->Query(queries, radius, answer);
    return {};
  }
  if (lines == 0) {
    GoThrough(queries, radius, answer);
    return {};
  }
  return HalfKeyQuery(tables_, PlanFor(radius), options_.scan_limit).Run(queries, answer);
}

void HalfKeyIndex::GoThrough(std::span<const uint64_t> queries, uint32_t radius,
                             HammingAnswer& answer) const {
  const size_t before = answer.matches.size();
  CodeScan scan(queries, radius, answer);
  VisitAll([&](uint64_t code) { scan.Add(code); });
  scan.Finish();
  SortMatches(answer, before);
}

}  // namespace zhiwen
