#include "index/hamming/half_key_index.h"

#include <algorithm>

namespace zhiwen {
namespace {

constexpr size_t kAhead = 16;  // codes whose lines are asked for before they are needed

}  // namespace

uint64_t HalfKeyIndex::Insert(std::span<const uint64_t> codes) {
  const HalfKeyPlan plan = PlanFor(0);
  const auto prefetch = [&](size_t i) {
    const CodeHalves halves = plan.HalvesOf(codes[i]);
    for (size_t t = 0; t < 2; ++t) tables_[t].PrefetchLine(MixKey(halves.of[t]));
  };
  uint64_t added = 0;
  for (size_t i = 0; i < std::min(kAhead, codes.size()); ++i) prefetch(i);
  for (size_t i = 0; i < codes.size(); ++i) {
    if (i + kAhead < codes.size()) prefetch(i + kAhead);
    const CodeHalves halves = plan.HalvesOf(codes[i]);
    const uint32_t low = MixKey(halves.of[0]);
    if (tables_[0].Contains(low, halves.of[1])) continue;
    tables_[0].Insert(low, halves.of[1]);
    tables_[1].Insert(MixKey(halves.of[1]), halves.of[0]);
    ++added;
  }
  return added;
}

uint64_t HalfKeyIndex::Remove(std::span<const uint64_t> codes) {
  uint64_t removed = 0;
  for (const uint64_t code : codes) {
    const CodeHalves halves = PlanFor(0).HalvesOf(code);
    if (!tables_[0].Remove(MixKey(halves.of[0]), halves.of[1])) continue;
    tables_[1].Remove(MixKey(halves.of[1]), halves.of[0]);
    ++removed;
  }
  return removed;
}

uint64_t HalfKeyIndex::LinesFor(uint32_t radius, size_t queries) const {
  constexpr double kLineNanoseconds = 20;  // that is waited for with others
  return PlanFor(radius).look_ups_among(size(), queries, kLineNanoseconds);
}

Status HalfKeyIndex::Query(std::span<const uint64_t> queries, uint32_t radius,
                           HammingAnswer& answer) const {
  if (LinesFor(radius, queries.size()) == 0) {
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
