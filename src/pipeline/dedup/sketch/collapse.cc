#include "pipeline/dedup/sketch/collapse.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "base/scratch/partitioned_spool.h"
#include "pipeline/dedup/rows/bounded_partitions.h"
#include "pipeline/dedup/rows/document_cuts.h"
#include "pipeline/dedup/rows/removal_row.h"

namespace zhiwen {
namespace {

struct CollapseRow {
  Hash128 collapse;
  uint64_t raw;
  DocumentIndex document;
  uint32_t has_shingles;
};

// The same where dates count.
struct DatedRow {
  Hash128 collapse;
  uint64_t raw;
  DocumentIndex document;
  uint32_t has_shingles;
  int64_t date;
};

// Memory of a row of a partition, with its places in the table.
template <typename Row>
constexpr uint64_t kBytesPerRow = sizeof(Row) + 2 * sizeof(uint32_t) * 2;
constexpr size_t kPartitionBuffer = size_t{16} << 10;

// Open addressing over the rows of a partition; a slot holds the first row of its group by rank.
template <typename Row>
class GroupTable {
 public:
  GroupTable(std::span<const Row> rows, const std::vector<uint32_t>& ranks)
      : rows_(rows),
        ranks_(ranks),
        slots_(std::bit_ceil(rows.size() * 2 + 2), kFree),
        mask_(slots_.size() - 1) {}

  void Insert(uint32_t row) {
    uint32_t& first = SlotOf(rows_[row]);
    if (first == kFree || ranks_[rows_[row].document] < ranks_[rows_[first].document]) first = row;
  }

  const Row& FirstOf(const Row& row) { return rows_[SlotOf(row)]; }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;

  uint32_t& SlotOf(const Row& row) {
    size_t at = row.collapse.low & mask_;
    while (slots_[at] != kFree && rows_[slots_[at]].collapse != row.collapse) at = (at + 1) & mask_;
    return slots_[at];
  }

  std::span<const Row> rows_;
  const std::vector<uint32_t>& ranks_;
  std::vector<uint32_t> slots_;
  size_t mask_;
};

// Documents that a reference decided represent nothing: those that it removed, and those that lost
// a passage and stay.
Status LeaveOutDecided(const RunSpools& spools, std::vector<DocumentIndex>& representatives) {
  std::iota(representatives.begin(), representatives.end(), DocumentIndex{0});
  for (Spool::Reader against(*spools.against); !against.AtEnd();) {
    RemovalRow row;
    ZHIWEN_RETURN_IF_ERROR(against.ReadRow(row));
    representatives[row.document] = kNoDocument;
  }
  return VisitCutDocuments(*spools.cuts,
                           [&](DocumentIndex d) { representatives[d] = kNoDocument; });
}

// Groups rows with equal hashes, one partition of the hashes after the other.
template <typename Row>
class Grouping {
 public:
  // `name`: of the scratch file. Both outlive it.
  static Result<Grouping> Create(const RunContext& run, const std::vector<uint32_t>& ranks,
                                 const std::string& name) {
    const uint64_t parts =
        1 + ranks.size() * kBytesPerRow<Row> / std::max<uint64_t>(run.work_bytes / 2, 1);
    Grouping grouping(run, ranks);
    ZHIWEN_ASSIGN_OR_RETURN(
        grouping.partitions_,
        PartitionedSpool::Create(run.scratch, name,
                                 static_cast<uint32_t>(std::min<uint64_t>(parts, kMostPartitions)),
                                 kPartitionBuffer));
    return grouping;
  }

  Status Add(const Row& row) {
    const auto partition =
        static_cast<uint32_t>((row.collapse.high >> 32) * partitions_->partitions() >> 32);
    return partitions_->Append(partition, {reinterpret_cast<const char*>(&row), sizeof(row)});
  }

  // Calls visit(row, first row of its group by rank) for every row.
  template <typename Visit>
  Status ForEach(const Visit& visit) const {
    return ForEachPartition([&](std::span<Row> rows) -> Status {
      GroupTable<Row> groups(rows, *ranks_);
      for (uint32_t row = 0; row < rows.size(); ++row) groups.Insert(row);
      for (const Row& row : rows) ZHIWEN_RETURN_IF_ERROR(visit(row, groups.FirstOf(row)));
      return {};
    });
  }

  // Calls visit(rows) for every group, its rows by rank.
  template <typename Visit>
  Status ForEachGroup(const Visit& visit) const {
    return ForEachPartition([&](std::span<Row> rows) -> Status {
      std::ranges::sort(rows, {}, [&](const Row& row) {
        return std::pair(row.collapse, (*ranks_)[row.document]);
      });
      for (size_t begin = 0; begin < rows.size();) {
        size_t end = begin + 1;
        while (end < rows.size() && rows[end].collapse == rows[begin].collapse) ++end;
        visit(rows.subspan(begin, end - begin));
        begin = end;
      }
      return {};
    });
  }

 private:
  template <typename Visit>
  Status ForEachPartition(const Visit& visit) const {
    std::vector<char> bytes;
    for (uint32_t p = 0; p < partitions_->partitions(); ++p) {
      ZHIWEN_RETURN_IF_ERROR(run_->environment.cancellation.Check());
      run_->environment.progress.Advance(Stage::kCollapse, p, partitions_->partitions());
      ZHIWEN_RETURN_IF_ERROR(partitions_->Read(p, bytes));
      ZHIWEN_RETURN_IF_ERROR(
          visit(std::span(reinterpret_cast<Row*>(bytes.data()), bytes.size() / sizeof(Row))));
    }
    return {};
  }

  Grouping(const RunContext& run, const std::vector<uint32_t>& ranks)
      : run_(&run), ranks_(&ranks) {}

  const RunContext* run_;
  const std::vector<uint32_t>* ranks_;
  std::unique_ptr<PartitionedSpool> partitions_;
};

// Of the documents with one key, the first by rank stays.
Status CollapseKeys(const RunContext& run, const std::vector<uint32_t>& ranks,
                    Collapsed& collapsed) {
  ZHIWEN_ASSIGN_OR_RETURN(auto grouping, Grouping<CollapseRow>::Create(run, ranks, "equal_keys"));
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
  ZHIWEN_ASSIGN_OR_RETURN(auto grouping, Grouping<CollapseRow>::Create(run, ranks, "collapse"));
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

// The rows of one group that represent themselves, by date.
class Representatives {
 public:
  Representatives(const RemovalRules& rules, const std::vector<uint32_t>& ranks)
      : rules_(rules), ranks_(ranks) {}

  void Clear() {
    undated_ = nullptr;
    dated_.clear();
  }

  void Add(const DatedRow& row) {
    if (row.date == kNoDate) {
      undated_ = &row;
    } else {
      dated_.emplace(row.date, &row);
    }
  }

  // The first by rank near `date`; none: nullptr. One without a date is near all, so that it is
  // the only one, and one with a date meets two at most.
  const DatedRow* Find(int64_t date) const {
    if (undated_ != nullptr) return undated_;
    const DatedRow* first = nullptr;
    const auto offer = [&](const DatedRow* row) {
      if (first == nullptr || ranks_[row->document] < ranks_[first->document]) first = row;
    };
    if (date == kNoDate) {
      for (const auto& [other, row] : dated_) offer(row);
      return first;
    }
    const auto after = dated_.lower_bound(date);
    for (auto at = after; at != dated_.end() && rules_.AreNear(at->first, date); ++at) {
      offer(at->second);
    }
    for (auto at = after; at != dated_.begin() && rules_.AreNear(std::prev(at)->first, date);
         --at) {
      offer(std::prev(at)->second);
    }
    return first;
  }

 private:
  const RemovalRules& rules_;
  const std::vector<uint32_t>& ranks_;
  const DatedRow* undated_ = nullptr;
  std::map<int64_t, const DatedRow*> dated_;
};

Status CollapseDatedTexts(const RunContext& run, const std::vector<uint32_t>& ranks,
                          Collapsed& collapsed) {
  ZHIWEN_ASSIGN_OR_RETURN(auto grouping, Grouping<DatedRow>::Create(run, ranks, "collapse"));
  Spool::Reader reader(*run.spools.documents), dates(*run.spools.dates);
  for (DocumentIndex d = 0; d < ranks.size(); ++d) {
    DocumentRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    int64_t date = 0;
    ZHIWEN_RETURN_IF_ERROR(dates.ReadRow(date));
    if (row.code_points == 0 || collapsed.representatives[d] == kNoDocument) continue;
    ZHIWEN_RETURN_IF_ERROR(
        grouping.Add({row.collapse, row.raw, d, row.shingles > 0 ? 1U : 0U, date}));
  }
  Representatives representatives(run.rules, ranks);
  return grouping.ForEachGroup([&](std::span<const DatedRow> rows) {
    representatives.Clear();
    for (const DatedRow& row : rows) {
      const DatedRow* const first = representatives.Find(row.date);
      if (first == nullptr) {
        representatives.Add(row);
        continue;
      }
      collapsed.representatives[row.document] = first->document;
      if (row.raw != first->raw && row.has_shingles != 0) collapsed.differs[row.document] = true;
    }
  });
}

}  // namespace

Result<Collapsed> CollapseEqual(const RunContext& run, const std::vector<uint32_t>& ranks) {
  Collapsed collapsed;
  collapsed.representatives.resize(ranks.size());
  collapsed.differs.resize(ranks.size());
  ZHIWEN_RETURN_IF_ERROR(LeaveOutDecided(run.spools, collapsed.representatives));
  if (run.reading.key) ZHIWEN_RETURN_IF_ERROR(CollapseKeys(run, ranks, collapsed));
  ZHIWEN_RETURN_IF_ERROR(run.reading.date ? CollapseDatedTexts(run, ranks, collapsed)
                                          : CollapseTexts(run, ranks, collapsed));
  return collapsed;
}

}  // namespace zhiwen
