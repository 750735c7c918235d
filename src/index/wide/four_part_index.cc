#include "index/wide/four_part_index.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/large_memory.h"
#include "base/radix_sort.h"
#include "index/hamming/flips.h"
#include "index/line_table/mix_key.h"
#include "index/wide/four_part_query.h"

namespace zhiwen {
namespace {

constexpr size_t kAhead = 8;             // codes whose lines are asked for before they are needed
constexpr double kLineNanoseconds = 20;  // of a line that is waited for with others
constexpr size_t kFew = 4096;            // codes that are not worth sorting

}  // namespace

FourPartIndex::MixedParts FourPartIndex::MixedPartsOf(const Code128& code) {
  MixedParts mixed;
  for (size_t p = 0; p < kParts; ++p) mixed[p] = MixKey(PartOf(code, p));
  return mixed;
}

uint64_t FourPartIndex::bytes() const {
  uint64_t bytes = codes_.bytes();
  for (const LineTable& table : tables_) bytes += table.bytes();
  return bytes;
}

// Asks the table in which the fewest codes share the part: a hot one would be gone through.
std::optional<uint32_t> FourPartIndex::Find(const Code128& code, const MixedParts& mixed) const {
  size_t least = 0;
  for (size_t p = 1; p < kParts && tables_[least].HotValues(mixed[least]) > 0; ++p) {
    if (tables_[p].HotValues(mixed[p]) < tables_[least].HotValues(mixed[least])) least = p;
  }
  std::optional<uint32_t> found;
  tables_[least].VisitValues(mixed[least], SIZE_MAX, [&](uint32_t slot) {
    if (codes_.at(slot) == code) found = slot;
  });
  return found;
}

uint64_t FourPartIndex::Insert(std::span<const Code128> codes) {
  constexpr size_t kMost = size_t{1} << 23;  // that are sorted together
  uint64_t added = 0;
  while (!codes.empty()) {
    const auto some = codes.first(std::min(kMost, codes.size()));
    codes = codes.subspan(some.size());
    const bool are_many = some.size() >= kFew && some.size() >= size() / 4;
    added += are_many ? InsertMany(some) : InsertFew(some);
  }
  return added;
}

uint64_t FourPartIndex::InsertFew(std::span<const Code128> codes) {
  const auto prefetch = [&](size_t i, const auto& in_table) {
    if (i >= codes.size()) return;
    const MixedParts mixed = MixedPartsOf(codes[i]);
    for (size_t p = 0; p < kParts; ++p) in_table(tables_[p], mixed[p]);
  };
  const auto line = [](const LineTable& table, uint32_t key) { table.PrefetchLine(key); };
  const auto chain = [](const LineTable& table, uint32_t key) { table.PrefetchChain(key); };
  const uint64_t before = size();
  for (size_t i = 0; i < kAhead; ++i) prefetch(i, line);
  for (size_t i = 0; i < codes.size(); ++i) {
    prefetch(i + kAhead, line);
    prefetch(i + kAhead / 2, chain);
    const MixedParts mixed = MixedPartsOf(codes[i]);
    if (Find(codes[i], mixed)) continue;
    const auto slot = static_cast<uint32_t>(size());
    codes_.Push(codes[i]);
    for (size_t p = 0; p < kParts; ++p) tables_[p].Insert(mixed[p], slot);
  }
  return size() - before;
}

// In the order of each table.
uint64_t FourPartIndex::InsertMany(std::span<const Code128> codes) {
  LargeVector<Code128> added(codes.begin(), codes.end());
  std::sort(added.begin(), added.end());
  added.erase(std::unique(added.begin(), added.end()), added.end());
  const uint64_t before = size();
  if (before > 0) {
    std::erase_if(added, [&](const Code128& code) { return Find(code, MixedPartsOf(code)); });
  }
  for (const Code128& code : added) codes_.Push(code);
  LargeVector<uint64_t> entries(added.size()), scratch;
  for (size_t p = 0; p < kParts; ++p) {
    for (size_t i = 0; i < added.size(); ++i) {
      entries[i] = uint64_t{MixKey(PartOf(added[i], p))} << 32 | (before + i);
    }
    RadixSort(entries, scratch);
    tables_[p].InsertMany(entries);
  }
  return added.size();
}

uint64_t FourPartIndex::Remove(std::span<const Code128> codes) {
  const uint64_t before = size();
  for (const Code128& code : codes) {
    const MixedParts mixed = MixedPartsOf(code);
    if (const auto slot = Find(code, mixed)) RemoveSlot(*slot, mixed);
  }
  return before - size();
}

void FourPartIndex::RemoveSlot(uint32_t slot, const MixedParts& mixed) {
  for (size_t p = 0; p < kParts; ++p) tables_[p].Remove(mixed[p], slot);
  const auto last = static_cast<uint32_t>(size() - 1);
  if (slot != last) {
    const Code128 moved = codes_.at(last);
    const MixedParts its = MixedPartsOf(moved);
    for (size_t p = 0; p < kParts; ++p) {
      tables_[p].Remove(its[p], last);
      tables_[p].Insert(its[p], slot);
    }
    codes_.Set(slot, moved);
  }
  codes_.Pop();
}

uint64_t FourPartIndex::LinesFor(uint32_t radius, size_t queries) const {
  const FourPartPlan plan = {.radius = radius};
  const uint64_t look_ups = plan.look_ups();
  if (look_ups == 0) return 0;
  const auto codes = static_cast<double>(size()), count = static_cast<double>(queries);
  // With each look-up goes a code for every 2³² that are there.
  const double lines = static_cast<double>(look_ups) * (1 + codes * 0x1p-32);
  const double all = WideCodeScan::Nanoseconds(queries) * codes;
  return kLineNanoseconds * lines * count < all ? look_ups : 0;
}

void FourPartIndex::Query(std::span<const Code128> queries, uint32_t radius,
                          WideAnswer& answer) const {
  if (LinesFor(radius, queries.size()) == 0) return GoThrough(queries, radius, answer);
  FourPartQuery({.tables = tables_, .codes = codes_, .limit = options_.scan_limit},
                {.radius = radius})
      .Run(queries, answer);
}

void FourPartIndex::GoThrough(std::span<const Code128> queries, uint32_t radius,
                              WideAnswer& answer) const {
  const size_t before = answer.matches.size();
  WideCodeScan scan(queries, radius, answer);
  for (uint64_t slot = 0; slot < size(); ++slot) scan.Add(codes_.at(slot));
  scan.Finish();
  SortMatches(answer, before);
}

}  // namespace zhiwen
