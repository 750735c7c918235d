#include "index/hamming/half_key_index.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "index/hamming/flips.h"

namespace zhiwen {
namespace {

constexpr size_t kAhead = 16;             // codes whose lines are asked for before they are needed
constexpr size_t kLookUpsOfBlock = 1056;  // whose keys fit the first-level cache

}  // namespace

// Queries that are looked up together, and what for.
struct HalfKeyIndex::Block {
  std::span<const uint64_t> queries;
  uint32_t first_query = 0;  // the number of the first in its batch
  uint32_t radius = 0;
  std::array<uint32_t, 2> radii = {};  // of the halves
  std::vector<uint32_t> keys, selected;
};

uint64_t HalfKeyIndex::Insert(std::span<const uint64_t> codes) {
  uint64_t added = 0;
  const auto prefetch = [&](size_t i) {
    const Halves halves = HalvesOf(codes[i]);
    for (size_t t = 0; t < 2; ++t) tables_[t].PrefetchLine(MixKey(halves.of[t]));
  };
  for (size_t i = 0; i < std::min(kAhead, codes.size()); ++i) prefetch(i);
  for (size_t i = 0; i < codes.size(); ++i) {
    if (i + kAhead < codes.size()) prefetch(i + kAhead);
    const Halves halves = HalvesOf(codes[i]);
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
    const Halves halves = HalvesOf(code);
    if (!tables_[0].Remove(MixKey(halves.of[0]), halves.of[1])) continue;
    tables_[1].Remove(MixKey(halves.of[1]), halves.of[0]);
    ++removed;
  }
  return removed;
}

uint64_t HalfKeyIndex::LinesFor(uint32_t radius) const {
  // Nanoseconds of a line that is waited for with others, and of a code when all are gone through.
  constexpr double kLine = 20, kCode = 4;
  if (radius > 2 * kMaxFlippedBits) return 0;
  const uint64_t lines = FlipCount(half_bits(), radius / 2) +
                         (radius == 0 ? 0 : FlipCount(half_bits(), (radius - 1) / 2));
  const bool is_cheaper = kLine * static_cast<double>(lines) < kCode * static_cast<double>(size());
  return is_cheaper ? lines : 0;
}

void HalfKeyIndex::Query(std::span<const uint64_t> queries, uint32_t radius,
                         HammingAnswer& answer) const {
  if (LinesFor(radius) == 0) return GoThrough(queries, radius, answer);
  Block block;
  block.radius = radius;
  block.radii = {radius / 2, radius == 0 ? 0 : (radius - 1) / 2};
  const size_t flips = FlipCount(half_bits(), block.radii[0]);
  const size_t together = std::max<size_t>(1, kLookUpsOfBlock / flips);
  for (size_t begin = 0; begin < queries.size(); begin += together) {
    block.queries = queries.subspan(begin, std::min(together, queries.size() - begin));
    block.first_query = static_cast<uint32_t>(begin);
    QueryBlock(block, answer);
  }
}

void HalfKeyIndex::QueryBlock(Block& block, HammingAnswer& answer) const {
  const size_t matches = answer.matches.size();
  const size_t truncated = answer.truncated.size();
  LookUp(0, block, answer);
  if (block.radius > 0) LookUp(1, block, answer);
  SortMatches(answer, matches);
  std::sort(answer.truncated.begin() + static_cast<ptrdiff_t>(truncated), answer.truncated.end());
  answer.truncated.erase(std::unique(answer.truncated.begin() + static_cast<ptrdiff_t>(truncated),
                                     answer.truncated.end()),
                         answer.truncated.end());
}

// Looks the halves of `table` up with all flips, as many at a time as a block has room for.
void HalfKeyIndex::LookUp(size_t table, Block& block, HammingAnswer& answer) const {
  const std::span<const uint32_t> all = Flips(half_bits(), block.radii[table]);
  for (size_t begin = 0; begin < all.size(); begin += kLookUpsOfBlock) {
    const auto flips = all.subspan(begin, std::min(kLookUpsOfBlock, all.size() - begin));
    block.keys.resize(block.queries.size() * flips.size());
    block.selected.resize(block.keys.size());
    for (size_t q = 0; q < block.queries.size(); ++q) {
      ActiveKernels().mix_keys(HalvesOf(block.queries[q]).of[table], flips.data(), flips.size(),
                               block.keys.data() + q * flips.size());
    }
    block.selected.resize(tables_[table].Select(block.keys, block.selected.data()));
    ReadSelected(table, flips, block, answer);
  }
}

// Reads the values of selected keys. What both tables find is reported by the first.
void HalfKeyIndex::ReadSelected(size_t table, std::span<const uint32_t> flips, const Block& block,
                                HammingAnswer& answer) const {
  const LineTable& lines = tables_[table];
  const std::span<const uint32_t> selected = block.selected;
  const auto prefetch = [&](size_t i) { lines.PrefetchChain(block.keys[selected[i]]); };
  for (size_t i = 0; i < std::min(kAhead, selected.size()); ++i) prefetch(i);
  for (size_t i = 0; i < selected.size(); ++i) {
    if (i + kAhead < selected.size()) prefetch(i + kAhead);
    const size_t q = selected[i] / flips.size();
    const uint32_t flip = flips[selected[i] % flips.size()];
    const auto query = static_cast<uint32_t>(block.first_query + q);
    const Halves halves = HalvesOf(block.queries[q]);
    const auto here = static_cast<uint32_t>(std::popcount(flip));
    const auto visit = [&](uint32_t value) {
      const auto there = static_cast<uint32_t>(std::popcount(value ^ halves.of[1 - table]));
      if (here + there > block.radius || (table == 1 && there <= block.radii[0])) return;
      const Halves found =
          table == 0 ? Halves{{halves.of[0] ^ flip, value}} : Halves{{value, halves.of[1] ^ flip}};
      answer.matches.push_back({query, here + there, CodeOf(found)});
    };
    const bool is_all = lines.VisitValues(block.keys[selected[i]], options_.scan_limit, visit);
    if (!is_all) answer.truncated.push_back(query);
  }
}

void HalfKeyIndex::GoThrough(std::span<const uint64_t> queries, uint32_t radius,
                             HammingAnswer& answer) const {
  const size_t before = answer.matches.size();
  VisitAll([&](uint64_t code) {
    for (size_t q = 0; q < queries.size(); ++q) {
      const auto distance = static_cast<uint32_t>(std::popcount(code ^ queries[q]));
      if (distance <= radius) answer.matches.push_back({static_cast<uint32_t>(q), distance, code});
    }
  });
  SortMatches(answer, before);
}

}  // namespace zhiwen
