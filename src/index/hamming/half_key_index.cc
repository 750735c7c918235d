#include "index/hamming/half_key_index.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/large_memory.h"
#include "base/radix_sort.h"

namespace zhiwen {
namespace {

constexpr size_t kAhead = 16;            // codes whose lines are prefetched
constexpr double kLineNanoseconds = 20;  // for a line that is waited for with others
constexpr size_t kFew = 4096;            // fewer codes are not worth sorting

}  // namespace

HalfKeyIndex::HalfKeyIndex(const HalfKeyOptions& options)
    : HalfKeyIndex(options, BitOrder(options.code_bits)) {
  if (options.third_bits > 0 && options.code_bits == 64) thirds_.emplace(options.third_bits);
}

HalfKeyIndex::HalfKeyIndex(const HalfKeyOptions& options, BitOrder order)
    : options_(options),
      order_(std::move(order)),
      tables_{LineTable(1, order_.kept_bits()), LineTable(1.015, order_.kept_bits())} {}

uint64_t HalfKeyIndex::bytes() const {
  return tables_[0].bytes() + tables_[1].bytes() + (thirds_ ? thirds_->bytes() : 0);
}

// Asks the table in which fewer codes share the key, because all codes of a hot key would be
// compared.
bool HalfKeyIndex::Contains(const CodeHalves& halves) const {
  const std::array<uint32_t, 2> mixed = {Mix(halves.of[0]), Mix(halves.of[1])};
  const size_t t = tables_[0].HotValues(mixed[0]) <= tables_[1].HotValues(mixed[1]) ? 0 : 1;
  return tables_[t].Contains(mixed[t], halves.of[1 - t]);
}

void HalfKeyIndex::ChooseOrder(std::span<const uint64_t> more) {
  if (is_order_chosen_ || size() + more.size() < kOrderedAt) return;
  LargeVector<uint64_t> there;
  there.reserve(size());
  VisitAll([&](uint64_t code) { there.push_back(code); });
  std::vector<uint64_t> sample(there.begin(), there.end());
  const size_t step = std::max<size_t>(1, more.size() / kOrderedAt);
  for (size_t i = 0; i < more.size(); i += step) sample.push_back(more[i]);
  std::ranges::sort(sample);
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  if (sample.size() < kOrderedAt) return;
  HalfKeyIndex ordered({.code_bits = options_.code_bits}, BitOrder(sample, options_.code_bits));
  for (uint64_t& code : there) code = ordered.order_.OrderedOf(code);
  ordered.InsertMany(there);
  order_ = std::move(ordered.order_);
  tables_ = std::move(ordered.tables_);
  is_order_chosen_ = true;
}

uint64_t HalfKeyIndex::Insert(std::span<const uint64_t> codes) {
  constexpr size_t kMost = size_t{1} << 24;  // number of codes sorted together
  ChooseOrder(codes);
  uint64_t added = 0;
  while (!codes.empty()) {
    const bool are_many = codes.size() >= kFew && codes.size() >= size() / 4;
    const auto some = codes.first(std::min(are_many ? kMost : kFew, codes.size()));
    codes = codes.subspan(some.size());
    LargeVector<uint64_t> ordered(some.size());
    for (size_t i = 0; i < some.size(); ++i) ordered[i] = order_.OrderedOf(some[i]);
    added += are_many ? InsertMany(ordered) : InsertFew(ordered);
  }
  return added;
}

uint64_t HalfKeyIndex::InsertFew(std::span<const uint64_t> ordered) {
  const HalfKeyPlan plan = PlanFor(0);
  const auto for_both = [&](size_t i, const auto& prefetch) {
    if (i >= ordered.size()) return;
    const CodeHalves halves = plan.HalvesOf(ordered[i]);
    for (size_t t = 0; t < 2; ++t) prefetch(tables_[t], Mix(halves.of[t]));
  };
  const auto line = [](const LineTable& table, uint32_t key) { table.PrefetchLine(key); };
  const auto chain = [](const LineTable& table, uint32_t key) { table.PrefetchChain(key); };
  uint64_t added = 0;
  std::vector<uint64_t> added_codes;  // used only for the thirds
  for (size_t i = 0; i < kAhead; ++i) for_both(i, line);
  for (size_t i = 0; i < ordered.size(); ++i) {
    for_both(i + kAhead, line);
    for_both(i + kAhead / 2, chain);
    const CodeHalves halves = plan.HalvesOf(ordered[i]);
    if (Contains(halves)) continue;
    tables_[0].Insert(Mix(halves.of[0]), halves.of[1]);
    tables_[1].Insert(Mix(halves.of[1]), halves.of[0]);
    ++added;
    if (thirds_) added_codes.push_back(order_.CodeOf(ordered[i]));
  }
  if (thirds_) thirds_->Insert(added_codes);
  return added;
}

// Inserts the codes in the order of either table.
uint64_t HalfKeyIndex::InsertMany(LargeVector<uint64_t>& ordered) {
  const HalfKeyPlan plan = PlanFor(0);
  LargeVector<uint64_t>& entries = ordered;
  LargeVector<uint64_t> scratch;
  for (uint64_t& entry : entries) {
    const CodeHalves halves = plan.HalvesOf(entry);
    entry = uint64_t{Mix(halves.of[0])} << 32 | halves.of[1];
  }
  RadixSort(entries, scratch);
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  const auto halves_of = [&](uint64_t entry) -> CodeHalves {
    return {{Unmix(static_cast<uint32_t>(entry >> 32)), static_cast<uint32_t>(entry)}};
  };
  if (size() > 0)
    std::erase_if(entries, [&](uint64_t entry) { return Contains(halves_of(entry)); });
  tables_[0].InsertMany(entries);
  for (uint64_t& entry : entries) {
    const CodeHalves halves = halves_of(entry);
    entry = uint64_t{Mix(halves.of[1])} << 32 | halves.of[0];
  }
  RadixSort(entries, scratch);
  tables_[1].InsertMany(entries);
  if (thirds_) {
    for (uint64_t& entry : entries) {
      const CodeHalves swapped = halves_of(entry);
      entry = order_.CodeOf(plan.CodeOf({{swapped.of[1], swapped.of[0]}}));
    }
    thirds_->Insert(entries);
  }
  return entries.size();
}

uint64_t HalfKeyIndex::Remove(std::span<const uint64_t> codes) {
  const HalfKeyPlan plan = PlanFor(0);
  uint64_t removed = 0;
  for (const uint64_t code : codes) {
    const CodeHalves halves = plan.HalvesOf(order_.OrderedOf(code));
    if (!tables_[0].Remove(Mix(halves.of[0]), halves.of[1])) continue;
    tables_[1].Remove(Mix(halves.of[1]), halves.of[0]);
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
  std::vector<uint64_t> ordered(queries.size());
  for (size_t i = 0; i < queries.size(); ++i) ordered[i] = order_.OrderedOf(queries[i]);
  const size_t before = answer.matches.size();
  if (lines == 0) {
    GoThrough(ordered, radius, answer);
  } else {
    HalfKeyQuery query(tables_, PlanFor(radius), options_.scan_limit);
    const auto go_through = [&](std::span<const uint64_t> some, HammingAnswer& scanned) -> Status {
      GoThrough(some, radius, scanned);
      return {};
    };
    ZHIWEN_RETURN_IF_ERROR(query.RunExactly(ordered, size(), answer, go_through));
  }
  for (size_t i = before; i < answer.matches.size(); ++i) {
    answer.matches[i].code = order_.CodeOf(answer.matches[i].code);
  }
  SortMatches(answer, before);
  return {};
}

void HalfKeyIndex::GoThrough(std::span<const uint64_t> ordered, uint32_t radius,
                             HammingAnswer& answer) const {
  CodeScan scan(ordered, radius, answer);
  VisitOrdered([&](uint64_t code) { scan.Add(code); });
  scan.Finish();
}

}  // namespace zhiwen
