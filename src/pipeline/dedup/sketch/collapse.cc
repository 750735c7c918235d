#include "pipeline/dedup/sketch/collapse.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <string>

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

// Documents that a reference decided represent nothing.
Status LeaveOutDecided(const RunSpools& spools, std::vector<DocumentIndex>& representatives) {
  std::iota(representatives.begin(), representatives.end(), DocumentIndex{0});
  for (Spool::Reader against(*spools.against); !against.AtEnd();) {
    RemovalRow row;
    ZHIWEN_RETURN_IF_ERROR(against.ReadRow(row));
    representatives[row.document] = kNoDocument;
  }
  return {};
}

// Groups rows with equal hashes, one partition of the hashes after the other.
class Grouping {
 public:
  // `name`: of the scratch file. Both outlive it.
  static Result<Grouping> Create(const RunContext& run, const std::vector<uint32_t>& ranks,
                                 const std::string& name) {
    const uint64_t parts =
        1 + ranks.size() * kBytesPerRow / std::max<uint64_t>(run.work_bytes / 2, 1);
    Grouping grouping(run, ranks);
    ZHIWEN_ASSIGN_OR_RETURN(
        grouping.partitions_,
        PartitionedSpool::Create(run.scratch, name,
                                 static_cast<uint32_t>(std::min<uint64_t>(parts, kMostPartitions)),
                                 kPartitionBuffer));
    return grouping;
  }

  Status Add(const CollapseRow& row) {
    const auto partition =
        static_cast<uint32_t>((row.collapse.high >> 32) * partitions_->partitions() >> 32);
    return partitions_->Append(partition, {reinterpret_cast<const char*>(&row), sizeof(row)});
  }

  // Calls visit(row, first row of its group by rank) for every row.
  template <typename Visit>
  Status ForEach(const Visit& visit) const {
    std::vector<char> bytes;
    for (uint32_t p = 0; p < partitions_->partitions(); ++p) {
      ZHIWEN_RETURN_IF_ERROR(run_->environment.cancellation.Check());
      run_->environment.progress.Advance("collapse", p, partitions_->partitions(), "partitions");
      ZHIWEN_RETURN_IF_ERROR(partitions_->Read(p, bytes));
      const std::span rows(reinterpret_cast<const CollapseRow*>(bytes.data()),
                           bytes.size() / sizeof(CollapseRow));
      GroupTable groups(rows, *ranks_);
      for (uint32_t row = 0; row < rows.size(); ++row) groups.Insert(row);
      for (const CollapseRow& row : rows) ZHIWEN_RETURN_IF_ERROR(visit(row, groups.FirstOf(row)));
    }
    return {};
  }

 private:
  Grouping(const RunContext& run, const std::vector<uint32_t>& ranks) : run_(&run), ranks_(&ranks) {}

  const RunContext* run_;
  const std::vector<uint32_t>* ranks_;
  std::unique_ptr<PartitionedSpool> partitions_;
};

// Of the documents with one key, the first by rank stays.
Status CollapseKeys(const RunContext& run, const std::vector<uint32_t>& ranks,
                    Collapsed& collapsed) {
  ZHIWEN_ASSIGN_OR_RETURN(Grouping grouping, Grouping::Create(run, ranks, "equal_keys"));
  Spool::Reader reader(*run.spools.keys);
  for (DocumentIndex d = 0; d < ranks.size(); ++d) {
    Hash128 key;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(key));
    if (key == Hash128() || collapsed.representatives[d] == kNoDocument) continue;
    ZHIWEN_RETURN_IF_ERROR(grouping.Add({key, 0, d, 0}));
  }
  ZHIWEN_ASSIGN_OR_RETURN(collapsed.key_copies, Spool::Create(run.scratch, "key_copies"));
  return grouping.ForEach([&](const CollapseRow& row, const CollapseRow& first) -> Status {
    if (row.document == first.document) return {};
    collapsed.representatives[row.document] = kNoDocument;
    return collapsed.key_copies->AppendRow(KeyCopyRow{row.document, first.document});
  });
}

// Empty texts represent themselves.
Status CollapseTexts(const RunContext& run, const std::vector<uint32_t>& ranks,
                     Collapsed& collapsed) {
  ZHIWEN_ASSIGN_OR_RETURN(Grouping grouping, Grouping::Create(run, ranks, "collapse"));
  Spool::Reader reader(*run.spools.documents);
  for (DocumentIndex d = 0; d < ranks.size(); ++d) {
    DocumentRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    if (row.code_points == 0 || collapsed.representatives[d] == kNoDocument) continue;
    ZHIWEN_RETURN_IF_ERROR(grouping.Add({row.collapse, row.raw, d, row.shingles > 0 ? 1U : 0U}));
  }
  return grouping.ForEach([&](const CollapseRow& row, const CollapseRow& first) -> Status {
    collapsed.representatives[row.document] = first.document;
    if (row.raw != first.raw && row.has_shingles != 0) collapsed.differs[row.document] = true;
    return {};
  });
}

}  // namespace

Result<Collapsed> CollapseEqual(const RunContext& run, const std::vector<uint32_t>& ranks) {
  Collapsed collapsed;
  collapsed.representatives.resize(ranks.size());
  collapsed.differs.resize(ranks.size());
  ZHIWEN_RETURN_IF_ERROR(LeaveOutDecided(run.spools, collapsed.representatives));
  if (run.reading.key) ZHIWEN_RETURN_IF_ERROR(CollapseKeys(run, ranks, collapsed));
  ZHIWEN_RETURN_IF_ERROR(CollapseTexts(run, ranks, collapsed));
  return collapsed;
}

}  // namespace zhiwen
