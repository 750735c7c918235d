#include "pipeline/dedup/sketch/collapse.h"

#include <algorithm>
#include <bit>
#include <span>

#include "base/scratch/partitioned_spool.h"
#include "pipeline/dedup/rows/bounded_partitions.h"
#include "pipeline/dedup/rows/removal_row.h"

namespace zhiwen {
namespace {

struct CollapseRow {
  Hash128 collapse;
  uint64_t raw;
  DocumentIndex document;
  uint32_t has_shingles;
};

// Memory of a row of a partition, with its places in the table.
constexpr uint64_t kBytesPerRow = sizeof(CollapseRow) + 2 * sizeof(uint32_t) * 2;
constexpr size_t kPartitionBuffer = size_t{16} << 10;

// Open addressing over the rows of a partition; a slot holds the first row of its group by rank.
class GroupTable {
 public:
  GroupTable(std::span<const CollapseRow> rows, const std::vector<uint32_t>& ranks)
      : rows_(rows),
        ranks_(ranks),
        slots_(std::bit_ceil(rows.size() * 2 + 2), kFree),
        mask_(slots_.size() - 1) {}

  void Insert(uint32_t row) {
    uint32_t& first = SlotOf(rows_[row]);
    if (first == kFree || ranks_[rows_[row].document] < ranks_[rows_[first].document]) first = row;
  }

  const CollapseRow& FirstOf(const CollapseRow& row) { return rows_[SlotOf(row)]; }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;

  uint32_t& SlotOf(const CollapseRow& row) {
    size_t at = row.collapse.low & mask_;
    while (slots_[at] != kFree && rows_[slots_[at]].collapse != row.collapse) at = (at + 1) & mask_;
    return slots_[at];
  }

  std::span<const CollapseRow> rows_;
  const std::vector<uint32_t>& ranks_;
  std::vector<uint32_t> slots_;
  size_t mask_;
};

void CollapsePartition(std::span<const CollapseRow> rows, const std::vector<uint32_t>& ranks,
                       Collapsed& collapsed) {
  GroupTable groups(rows, ranks);
  for (uint32_t row = 0; row < rows.size(); ++row) groups.Insert(row);
  for (const CollapseRow& row : rows) {
    const CollapseRow& first = groups.FirstOf(row);
    collapsed.representatives[row.document] = first.document;
    if (row.raw != first.raw && row.has_shingles != 0) collapsed.differs[row.document] = true;
  }
}

// Spreads documents by hash. Empty texts are left out: they represent themselves; so are those that
// match a reference.
Status SpreadRows(const RunSpools& spools, std::vector<DocumentIndex>& representatives,
                  PartitionedSpool& partitions) {
  Spool::Reader reader(*spools.documents);
  Spool::Reader against(*spools.against);
  RemovalRow decided{.document = kNoDocument};
  if (!against.AtEnd()) ZHIWEN_RETURN_IF_ERROR(against.ReadRow(decided));
  for (DocumentIndex d = 0; d < representatives.size(); ++d) {
    DocumentRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    if (decided.document == d) {
      representatives[d] = kNoDocument;
      if (!against.AtEnd()) ZHIWEN_RETURN_IF_ERROR(against.ReadRow(decided));
      continue;
    }
    representatives[d] = d;
    if (row.code_points == 0) continue;
    const CollapseRow out{row.collapse, row.raw, d, row.shingles > 0 ? 1U : 0U};
    const auto partition =
        static_cast<uint32_t>((row.collapse.high >> 32) * partitions.partitions() >> 32);
    ZHIWEN_RETURN_IF_ERROR(
        partitions.Append(partition, {reinterpret_cast<const char*>(&out), sizeof(out)}));
  }
  return {};
}

}  // namespace

Result<Collapsed> CollapseEqual(const RunContext& run, const std::vector<uint32_t>& ranks) {
  Collapsed collapsed;
  collapsed.representatives.resize(ranks.size());
  collapsed.differs.resize(ranks.size());
  const uint64_t parts =
      1 + ranks.size() * kBytesPerRow / std::max<uint64_t>(run.work_bytes / 2, 1);
  ZHIWEN_ASSIGN_OR_RETURN(
      const auto partitions,
      PartitionedSpool::Create(run.scratch, "collapse",
                               static_cast<uint32_t>(std::min<uint64_t>(parts, kMostPartitions)),
                               kPartitionBuffer));
  ZHIWEN_RETURN_IF_ERROR(SpreadRows(run.spools, collapsed.representatives, *partitions));
  std::vector<char> bytes;
  for (uint32_t p = 0; p < partitions->partitions(); ++p) {
    ZHIWEN_RETURN_IF_ERROR(run.environment.cancellation.Check());
    run.environment.progress.Advance(Stage::kCollapse, p, partitions->partitions());
    ZHIWEN_RETURN_IF_ERROR(partitions->Read(p, bytes));
    const std::span rows(reinterpret_cast<const CollapseRow*>(bytes.data()),
                         bytes.size() / sizeof(CollapseRow));
    CollapsePartition(rows, ranks, collapsed);
  }
  return collapsed;
}

}  // namespace zhiwen
