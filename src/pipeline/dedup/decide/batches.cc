#include "pipeline/dedup/decide/batches.h"

#include <algorithm>
#include <limits>

namespace zhiwen {
namespace {

// Sizes are counted in units of so many shingles, so that 32 bits hold any component.
constexpr uint64_t kUnit = 16;

void AddUnits(uint32_t units, uint32_t& sum) {
  sum = units > std::numeric_limits<uint32_t>::max() - sum ? std::numeric_limits<uint32_t>::max()
                                                           : sum + units;
}

class BatchPlanner {
 public:
  BatchPlanner(const RunSpools& spools, const std::vector<uint32_t>& ranks,
               const BatchLimits& limits)
      : spools_(spools),
        ranks_(ranks),
        limits_(limits),
        capacity_(std::max<uint64_t>(limits.shingles / kUnit, 1)) {}

  // plan.batch_of: by document the first of its component, or kNoBatch; then its batch.
  Status Run(BatchPlan& plan) {
    ZHIWEN_RETURN_IF_ERROR(MeasureComponents(plan));
    const uint32_t split = AssignComponents(plan);
    for (uint32_t component = 0; component < split; ++component) {
      ZHIWEN_RETURN_IF_ERROR(SplitComponent(component, plan));
    }
    return {};
  }

 private:
  // Components that are split have these numbers until their batches are known.
  static constexpr uint32_t kFirstSplit = uint32_t{1} << 31;

  bool IsLarge(const DocumentRow& row) const { return row.shingles > limits_.large_shingles; }

  uint32_t UnitsOf(const DocumentRow& row) const {
    const uint64_t shingles =
        IsLarge(row) ? static_cast<uint64_t>(row.shingles * limits_.large_share) : row.shingles;
    return static_cast<uint32_t>(shingles / kUnit + 1);
  }

  Status MeasureComponents(BatchPlan& plan) {
    units_.assign(plan.batch_of.size(), 0);
    Spool::Reader reader(*spools_.documents);
    for (DocumentIndex d = 0; d < plan.batch_of.size(); ++d) {
      const uint32_t first = plan.batch_of[d];
      DocumentRow row;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
      if (first == kNoBatch) continue;
      if (IsLarge(row)) plan.large.push_back(d);
      AddUnits(UnitsOf(row), units_[first]);
      ++plan.documents;
      plan.shingles += row.shingles;
    }
    return {};
  }

  // Fills batches with whole components, by their first documents; returns how many do not fit.
  uint32_t AssignComponents(BatchPlan& plan) {
    uint32_t split = 0;
    uint64_t load = 0;
    for (uint32_t d = 0; d < plan.batch_of.size(); ++d) {
      const uint32_t first = plan.batch_of[d];
      if (first == kNoBatch) continue;
      if (first == d) {  // from here on its units are its batch
        const uint64_t units = units_[d];
        if (units > capacity_) {
          units_[d] = kFirstSplit + split++;
        } else {
          if (plan.series.empty() || load + units > capacity_) {
            plan.series.push_back({static_cast<uint32_t>(plan.series.size()), 1});
            load = 0;
          }
          load += units;
          units_[d] = plan.series.back().first;
        }
      }
      plan.batch_of[d] = units_[first];
    }
    return split;
  }

  // Cuts a component in rank order.
  Status SplitComponent(uint32_t component, BatchPlan& plan) {
    const uint32_t number = kFirstSplit + component;
    std::vector<uint32_t>& units_by_rank = units_;
    units_by_rank.assign(plan.batch_of.size(), 0);
    Spool::Reader reader(*spools_.documents);
    for (uint32_t d = 0; d < plan.batch_of.size(); ++d) {
      DocumentRow row;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
      if (plan.batch_of[d] == number) units_by_rank[ranks_[d]] = UnitsOf(row);
    }
    std::vector<uint32_t> cuts;  // the rank at which each batch but the first begins
    // Two batches of a series are in memory at once.
    const uint64_t capacity = std::max<uint64_t>(capacity_ / 2, 1);
    uint64_t load = 0;
    for (uint32_t rank = 0; rank < units_by_rank.size(); ++rank) {
      if (load > 0 && load + units_by_rank[rank] > capacity) {
        cuts.push_back(rank);
        load = 0;
      }
      load += units_by_rank[rank];
    }
    const uint32_t first = plan.batches();
    for (uint32_t d = 0; d < plan.batch_of.size(); ++d) {
      if (plan.batch_of[d] != number) continue;
      const auto cut = std::upper_bound(cuts.begin(), cuts.end(), ranks_[d]);
      plan.batch_of[d] = first + static_cast<uint32_t>(cut - cuts.begin());
    }
    plan.series.push_back({first, static_cast<uint32_t>(cuts.size() + 1)});
    return {};
  }

  const RunSpools& spools_;
  const std::vector<uint32_t>& ranks_;
  const BatchLimits& limits_;
  const uint64_t capacity_;      // units
  std::vector<uint32_t> units_;  // by first document of a component, or by rank
};

}  // namespace

Result<BatchPlan> PlanBatches(const RunSpools& spools, std::optional<Components> components,
                              const std::vector<DocumentIndex>& representatives,
                              const std::vector<uint32_t>& ranks, const BatchLimits& limits) {
  BatchPlan plan;
  if (components) {
    plan.batch_of = std::move(components->first);
    for (size_t d = 0; d < plan.batch_of.size(); ++d) {
      if (!components->comparable[d]) plan.batch_of[d] = kNoBatch;
    }
  } else {
    plan.batch_of.assign(representatives.size(), kNoBatch);
    Spool::Reader reader(*spools.documents);
    DocumentIndex first = kNoDocument;
    for (DocumentIndex d = 0; d < representatives.size(); ++d) {
      DocumentRow row;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
      if (row.shingles == 0 || representatives[d] != d) continue;
      first = std::min(first, d);
      plan.batch_of[d] = first;
    }
  }
  ZHIWEN_RETURN_IF_ERROR(BatchPlanner(spools, ranks, limits).Run(plan));
  return plan;
}

}  // namespace zhiwen
