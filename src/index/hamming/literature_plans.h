#ifndef ZHIWEN_INDEX_HAMMING_LITERATURE_PLANS_H_
#define ZHIWEN_INDEX_HAMMING_LITERATURE_PLANS_H_

// The plans of the literature, implemented as described, for comparison with HalfKeyIndex: looking
// up every variant of a query, storing every variant of a code, and tables of permuted codes.
//
// Guarantees  exact up to the radius that they are made for
// Cost        the counts that each class names; BlockPlan says how many candidates a table gives
// Threads     const functions from many threads
// Fails       Create: see there; std::bad_alloc, as operator new does
// Not for     use: HalfKeyIndex is better than all of them

#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "index/hamming/hamming_index.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns how many codes of 64 bits differ from one code in at most `radius` bits: 43,745 for 3.
uint64_t VariantCount(uint32_t radius);

// Looks up every variant of the query among the codes.
class ProbeVariants final : public HammingIndex {
 public:
  // Supports radii up to 4.
  explicit ProbeVariants(std::span<const uint64_t> codes) : codes_(codes.begin(), codes.end()) {}

  uint64_t size() const override { return codes_.size(); }
  uint64_t bytes() const override;
  Status Query(std::span<const uint64_t> queries, uint32_t radius,
               HammingAnswer& answer) const override;

 private:
  std::unordered_set<uint64_t> codes_;
};

// Stores every variant of every code, 16 bytes each, and looks up the query among them.
class StoreVariants final : public HammingIndex {
 public:
  // Fails: kExhausted when the variants take more than `memory` bytes.
  static Result<StoreVariants> Create(std::span<const uint64_t> codes, uint32_t radius,
                                      uint64_t memory);

  uint64_t size() const override { return size_; }
  uint64_t bytes() const override { return variants_.capacity() * sizeof(Variant); }
  // Supports radii up to the one given to Create.
  Status Query(std::span<const uint64_t> queries, uint32_t radius,
               HammingAnswer& answer) const override;

 private:
  struct Variant {
    uint64_t value = 0, code = 0;
    friend auto operator<=>(const Variant&, const Variant&) = default;
  };
  uint64_t size_ = 0;
  std::vector<Variant> variants_;  // ascending
};

// Tables of permuted codes, sorted: G. S. Manku, A. Jain, A. Das Sarma, "Detecting Near-Duplicates
// for Web Crawling", 2007, §3. A code is cut into blocks. Within distance r of a query, some choice
// of all blocks but r is equal. A table puts such a choice first (the permutation π(i)), and its
// p(i) bits are searched for.
struct BlockPlan {
  struct Table {
    uint64_t mask = 0;  // bits that come first
  };
  std::vector<Table> tables;

  // Returns the plan for radius r with `blocks` blocks of about equal width. Each table puts
  // another choice of blocks − r first. For r = 3 there are 4 tables of 16 bits with 4 blocks, 10
  // of 25 and 26 with 5, and 20 of 31 to 33 with 6. Fails: kInvalidArgument unless r < blocks ≤ 64.
  static Result<BlockPlan> Choose(uint32_t blocks, uint32_t radius);

  // Returns the 16 tables of 28 bits: one of four blocks of 16 bits, then one of four blocks of 12
  // of the rest.
  static BlockPlan TwoLevels();

  // Returns the expected candidates of a query among `codes` uniform codes, over all tables.
  double ExpectedCandidates(double codes) const;
  // Returns the memory of the permuted codes.
  double Bytes(double codes) const { return 8.0 * codes * static_cast<double>(tables.size()); }
};

class BlockTables final : public HammingIndex {
 public:
  BlockTables(std::span<const uint64_t> codes, const BlockPlan& plan);

  uint64_t size() const override { return size_; }
  uint64_t bytes() const override;
  // Supports radii up to that of the plan.
  Status Query(std::span<const uint64_t> queries, uint32_t radius,
               HammingAnswer& answer) const override;

  // Returns the number of codes that these queries are compared with, over all tables.
  uint64_t CountCandidates(std::span<const uint64_t> queries) const;

 private:
  struct Table {
    uint64_t mask = 0;
    int first_bits = 0;
    std::vector<uint64_t> codes;  // permuted, ascending
  };
  static uint64_t Permute(uint64_t code, uint64_t mask);
  static uint64_t Restore(uint64_t permuted, uint64_t mask);
  static std::span<const uint64_t> Candidates(const Table& table, uint64_t permuted);

  uint64_t size_ = 0;
  std::vector<Table> tables_;
};

// The memory that a plan needs for `codes` over machines of `memory` bytes, and the cost of a
// query.
struct PlanCost {
  double bytes = 0, machines = 0;
  double look_ups = 0, candidates = 0;  // for a query, on all machines together
};
PlanCost CostOf(const BlockPlan& plan, double codes, double memory);
// Return the costs of the other plans. The look-ups of HalfKeyIndex are lines, each of another
// flip, as in tables of billions of codes.
PlanCost CostOfProbing(uint32_t radius, double codes, double memory);
PlanCost CostOfStoring(uint32_t radius, double codes, double memory);
PlanCost CostOfHalfKeys(uint32_t radius, double codes, double memory);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_LITERATURE_PLANS_H_
