#include "index/hamming/literature_plans.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "index/hamming/flips.h"
#include "index/hamming/half_keys.h"

namespace zhiwen {
namespace {

constexpr int kBits = 64;

// Calls visit(variant) for every word that differs from `code` in exactly `flips` bits, all from
// bit `first` on.
template <typename Visit>
void VisitVariants(uint64_t code, uint32_t flips, int first, const Visit& visit) {
  if (flips == 0) {
    visit(code);
    return;
  }
  for (int bit = first; bit < kBits; ++bit) {
    VisitVariants(code ^ uint64_t{1} << bit, flips - 1, bit + 1, visit);
  }
}

// Calls choose(mask) for every choice of `left` of the `blocks` from `first` on.
template <typename Choose>
void VisitChoices(const std::vector<uint64_t>& blocks, size_t first, uint32_t left, uint64_t mask,
                  const Choose& choose) {
  if (left == 0) {
    choose(mask);
    return;
  }
  for (size_t i = first; i < blocks.size(); ++i) {
    VisitChoices(blocks, i + 1, left - 1, mask | blocks[i], choose);
  }
}

// Returns the bits of `of`, cut into `blocks` of about equal width, as masks, the wider ones first.
std::vector<uint64_t> Blocks(uint64_t of, uint32_t blocks) {
  std::vector<uint64_t> masks(blocks);
  const auto width = static_cast<uint32_t>(std::popcount(of));
  uint32_t block = 0;
  uint32_t left = (width + blocks - 1) / blocks;
  for (int bit = kBits - 1; bit >= 0; --bit) {
    if ((of >> bit & 1) == 0) continue;
    if (left == 0) {
      ++block;
      left = width / blocks + (block < width % blocks ? 1 : 0);
    }
    masks[block] |= uint64_t{1} << bit;
    --left;
  }
  return masks;
}

double MachinesFor(double bytes, double memory) { return std::ceil(bytes / memory); }

}  // namespace

uint64_t VariantCount(uint32_t radius) { return FlipCount(kBits, radius); }

uint64_t ProbeVariants::bytes() const {
  return codes_.bucket_count() * sizeof(void*) + codes_.size() * 2 * sizeof(uint64_t);
}

Status ProbeVariants::Query(std::span<const uint64_t> queries, uint32_t radius,
                            HammingAnswer& answer) const {
  for (size_t q = 0; q < queries.size(); ++q) {
    const size_t before = answer.matches.size();
    for (uint32_t distance = 0; distance <= radius; ++distance) {
      VisitVariants(queries[q], distance, 0, [&](uint64_t variant) {
        if (!codes_.contains(variant)) return;
        answer.matches.push_back({static_cast<uint32_t>(q), distance, variant});
      });
    }
    SortMatches(answer, before);
  }
  return {};
}

Result<StoreVariants> StoreVariants::Create(std::span<const uint64_t> codes, uint32_t radius,
                                            uint64_t memory) {
  const uint64_t variants = VariantCount(radius);
  if (codes.size() > memory / sizeof(Variant) / variants) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("cannot store {} variants of each of {} codes in {} bytes; store fewer "
                            "codes, or use HalfKeyIndex",
                            variants, codes.size(), memory));
  }
  StoreVariants index;
  index.size_ = codes.size();
  index.variants_.reserve(codes.size() * variants);
  for (const uint64_t code : codes) {
    for (uint32_t distance = 0; distance <= radius; ++distance) {
      VisitVariants(code, distance, 0, [&](uint64_t variant) {
        index.variants_.push_back({variant, code});
      });
    }
  }
  std::sort(index.variants_.begin(), index.variants_.end());
  return index;
}

Status StoreVariants::Query(std::span<const uint64_t> queries, uint32_t radius,
                            HammingAnswer& answer) const {
  for (size_t q = 0; q < queries.size(); ++q) {
    const size_t before = answer.matches.size();
    auto at = std::lower_bound(variants_.begin(), variants_.end(), Variant{queries[q], 0});
    for (; at != variants_.end() && at->value == queries[q]; ++at) {
      const auto distance = static_cast<uint32_t>(std::popcount(at->code ^ queries[q]));
      if (distance > radius) continue;
      answer.matches.push_back({static_cast<uint32_t>(q), distance, at->code});
    }
    SortMatches(answer, before);
  }
  return {};
}

Result<BlockPlan> BlockPlan::Choose(uint32_t blocks, uint32_t radius) {
  if (blocks <= radius || blocks > kBits) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot plan {} blocks for radius {}: blocks are more than the radius, "
                            "and 64 at most",
                            blocks, radius));
  }
  BlockPlan plan;
  VisitChoices(Blocks(~uint64_t{0}, blocks), 0, blocks - radius, 0,
               [&](uint64_t mask) { plan.tables.push_back({mask}); });
  return plan;
}

BlockPlan BlockPlan::TwoLevels() {
  BlockPlan plan;
  for (const uint64_t first : Blocks(~uint64_t{0}, 4)) {
    for (const uint64_t second : Blocks(~first, 4)) plan.tables.push_back({first | second});
  }
  return plan;
}

double BlockPlan::ExpectedCandidates(double codes) const {
  double candidates = 0;
  for (const Table& table : tables) candidates += std::ldexp(codes, -std::popcount(table.mask));
  return candidates;
}

BlockTables::BlockTables(std::span<const uint64_t> codes, const BlockPlan& plan)
    : size_(codes.size()) {
  for (const BlockPlan::Table& of_plan : plan.tables) {
    Table table{of_plan.mask, std::popcount(of_plan.mask), {}};
    table.codes.reserve(codes.size());
    for (const uint64_t code : codes) table.codes.push_back(Permute(code, table.mask));
    std::sort(table.codes.begin(), table.codes.end());
    tables_.push_back(std::move(table));
  }
}

uint64_t BlockTables::bytes() const {
  uint64_t bytes = 0;
  for (const Table& table : tables_) bytes += table.codes.capacity() * sizeof(uint64_t);
  return bytes;
}

// Puts the bits of the mask first, then the others, each in their order.
uint64_t BlockTables::Permute(uint64_t code, uint64_t mask) {
  uint64_t first = 0, rest = 0;
  for (int bit = kBits - 1; bit >= 0; --bit) {
    uint64_t& to = (mask >> bit & 1) != 0 ? first : rest;
    to = to << 1 | (code >> bit & 1);
  }
  const int width = std::popcount(mask);
  return width == kBits ? first : first << (kBits - width) | rest;
}

uint64_t BlockTables::Restore(uint64_t permuted, uint64_t mask) {
  uint64_t code = 0;
  int first = kBits, rest = kBits - std::popcount(mask);
  for (int bit = kBits - 1; bit >= 0; --bit) {
    int& from = (mask >> bit & 1) != 0 ? first : rest;
    code |= (permuted >> --from & 1) << bit;
  }
  return code;
}

std::span<const uint64_t> BlockTables::Candidates(const Table& table, uint64_t permuted) {
  const uint64_t rest = table.first_bits == kBits ? 0 : ~uint64_t{0} >> table.first_bits;
  const auto begin = std::lower_bound(table.codes.begin(), table.codes.end(), permuted & ~rest);
  const auto end = std::upper_bound(begin, table.codes.end(), permuted | rest);
  return {begin, end};
}

Status BlockTables::Query(std::span<const uint64_t> queries, uint32_t radius,
                          HammingAnswer& answer) const {
  std::vector<uint64_t> found;
  for (size_t q = 0; q < queries.size(); ++q) {
    found.clear();
    for (const Table& table : tables_) {
      const uint64_t query = Permute(queries[q], table.mask);
      for (const uint64_t candidate : Candidates(table, query)) {
        if (static_cast<uint32_t>(std::popcount(candidate ^ query)) > radius) continue;
        found.push_back(Restore(candidate, table.mask));
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    const size_t before = answer.matches.size();
    for (const uint64_t code : found) {
      const auto distance = static_cast<uint32_t>(std::popcount(code ^ queries[q]));
      answer.matches.push_back({static_cast<uint32_t>(q), distance, code});
    }
    SortMatches(answer, before);
  }
  return {};
}

uint64_t BlockTables::CountCandidates(std::span<const uint64_t> queries) const {
  uint64_t candidates = 0;
  for (const uint64_t query : queries) {
    for (const Table& table : tables_) {
      candidates += Candidates(table, Permute(query, table.mask)).size();
    }
  }
  return candidates;
}

PlanCost CostOf(const BlockPlan& plan, double codes, double memory) {
  const double machines = MachinesFor(plan.Bytes(codes), memory);
  return {plan.Bytes(codes), machines, static_cast<double>(plan.tables.size()) * machines,
          plan.ExpectedCandidates(codes)};
}

PlanCost CostOfProbing(uint32_t radius, double codes, double memory) {
  const double bytes = 8 * codes / 0.7;  // a hash table, 70 % full
  const auto variants = static_cast<double>(VariantCount(radius));
  return {bytes, MachinesFor(bytes, memory), variants, 0};
}

PlanCost CostOfStoring(uint32_t radius, double codes, double memory) {
  const double bytes = 16 * codes * static_cast<double>(VariantCount(radius));
  return {bytes, MachinesFor(bytes, memory), 1, 0};
}

PlanCost CostOfHalfKeys(uint32_t radius, double codes, double memory) {
  const double bytes = 18 * codes;
  const double machines = MachinesFor(bytes, memory);
  const HalfKeyPlan plan = {.radius = radius};
  const auto lines = static_cast<double>(plan.look_ups());
  return {bytes, machines, lines * machines,
          std::ldexp(codes * lines, -static_cast<int>(plan.half_bits()))};
}

}  // namespace zhiwen
