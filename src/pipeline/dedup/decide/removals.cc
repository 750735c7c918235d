#include "pipeline/dedup/decide/removals.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/value_bytes.h"
#include "pipeline/dedup/rows/bounded_partitions.h"
#include "pipeline/dedup/rows/document_cuts.h"

namespace zhiwen {
namespace {

constexpr size_t kBuffer = size_t{16} << 10;
// What one document takes in a range at most: its rows of every kind.
constexpr uint64_t kBytesPerDocument =
    sizeof(OverlapRow) + sizeof(ExactRow) + sizeof(RemovalRow) + sizeof(DocumentIndex) * 2;

struct CopyRow {
  DocumentIndex representative;
  DocumentIndex document;
};

// All rows of a partition.
template <typename Row>
Result<std::span<Row>> ReadRows(const PartitionedSpool& spool, uint32_t partition,
                                std::vector<char>& bytes) {
  ZHIWEN_RETURN_IF_ERROR(spool.Read(partition, bytes));
  return std::span<Row>(reinterpret_cast<Row*>(bytes.data()), bytes.size() / sizeof(Row));
}

class RemovalFinisher {
 public:
  RemovalFinisher(const RunContext& run, const Collapsed& collapsed, SimilarDecisions* near,
                  const PartitionedSpool* exact, uint32_t partitions)
      : run_(run), collapsed_(collapsed), near_(near), exact_(exact), partitions_(partitions) {}

  Result<Removals> Run() {
    const auto make = [&](const char* name) {
      return PartitionedSpool::Create(run_.scratch, name, partitions_, kBuffer);
    };
    ZHIWEN_ASSIGN_OR_RETURN(removals_, make("removals_by_range"));
    ZHIWEN_ASSIGN_OR_RETURN(overlaps_, make("overlaps_by_range"));
    ZHIWEN_ASSIGN_OR_RETURN(copies_, make("copies"));
    if (run_.rules.keeps_none) represents_.resize(collapsed_.representatives.size());
    ZHIWEN_RETURN_IF_ERROR(SpreadAgainst());
    ZHIWEN_RETURN_IF_ERROR(SpreadOverlaps());
    ZHIWEN_RETURN_IF_ERROR(SpreadCopies());
    ZHIWEN_RETURN_IF_ERROR(SpreadKeyCopies());
    for (uint32_t p = 0; p < partitions_; ++p) {
      ZHIWEN_RETURN_IF_ERROR(run_.environment.cancellation.Check());
      ZHIWEN_RETURN_IF_ERROR(FollowRepresentatives(p));
      run_.environment.progress.Advance(Stage::kCopies, p + 1, partitions_);
    }
    overlaps_.reset();
    copies_.reset();
    ZHIWEN_RETURN_IF_ERROR(RemoveRepresentatives());
    return Sort();
  }

 private:
  uint32_t PartitionOf(DocumentIndex d) const {
    return RangePartition(d, collapsed_.representatives.size(), partitions_);
  }

  Status Add(const RemovalRow& row) {
    if (!represents_.empty() && !row.against && !row.by_key) represents_[row.keeper] = true;
    return removals_->Append(PartitionOf(row.document), BytesOfValue(row));
  }

  // Those that others were removed for, where nothing of a cluster is kept.
  Status RemoveRepresentatives() {
    const std::vector<bool> represents = std::exchange(represents_, {});
    for (DocumentIndex d = 0; d < represents.size(); ++d) {
      if (represents[d]) ZHIWEN_RETURN_IF_ERROR(Add({.document = d, .keeper = d}));
    }
    return {};
  }

  // Documents that match a reference: no representative stands for them.
  Status SpreadAgainst() {
    for (Spool::Reader reader(*run_.spools.against); !reader.AtEnd();) {
      RemovalRow row;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
      ZHIWEN_RETURN_IF_ERROR(Add(row));
    }
    return {};
  }

  Status SpreadOverlaps() {
    if (near_ == nullptr) return {};
    for (Spool::Reader reader(*near_->overlaps); !reader.AtEnd();) {
      OverlapRow row;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
      ZHIWEN_RETURN_IF_ERROR(overlaps_->Append(PartitionOf(row.document), BytesOfValue(row)));
    }
    return {};
  }

  // Copies whose row follows from what their representative has go to its range; others are done.
  Status SpreadCopies() {
    const auto& representatives = collapsed_.representatives;
    for (DocumentIndex d = 0; d < representatives.size(); ++d) {
      const DocumentIndex representative = representatives[d];
      if (representative == d || representative == kNoDocument) continue;
      const bool removed = near_ != nullptr && near_->keepers[representative] != kNoDocument;
      if (removed || collapsed_.differs[d]) {
        const CopyRow row{representative, d};
        ZHIWEN_RETURN_IF_ERROR(copies_->Append(PartitionOf(representative), BytesOfValue(row)));
      } else {
        ZHIWEN_RETURN_IF_ERROR(Add(
            {.document = d, .keeper = representative, .equal_channel = true, .equal_exact = true}));
      }
    }
    return {};
  }

  // Their rows name the first with their key, whatever becomes of it.
  Status SpreadKeyCopies() {
    if (collapsed_.key_copies == nullptr) return {};
    for (Spool::Reader reader(*collapsed_.key_copies); !reader.AtEnd();) {
      KeyCopyRow copy;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(copy));
      ZHIWEN_RETURN_IF_ERROR(
          Add({.document = copy.document, .keeper = copy.first, .by_key = true}));
      if (represents_.empty()) continue;
      const DocumentIndex equal = collapsed_.representatives[copy.first];
      const DocumentIndex keeper = near_ == nullptr ? kNoDocument : near_->keepers[equal];
      represents_[keeper == kNoDocument ? equal : keeper] = true;
    }
    return {};
  }

  // Of the representatives in one range.
  Status FollowRepresentatives(uint32_t partition) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto overlaps,
                            ReadRows<OverlapRow>(*overlaps_, partition, overlap_bytes_));
    std::ranges::sort(overlaps, {}, &OverlapRow::document);
    for (const OverlapRow& row : overlaps) ZHIWEN_RETURN_IF_ERROR(Add(Follow(row, row.document)));
    std::span<ExactRow> hashes;
    if (exact_ != nullptr) {
      ZHIWEN_ASSIGN_OR_RETURN(hashes, ReadRows<ExactRow>(*exact_, partition, exact_bytes_));
      std::ranges::sort(hashes, {}, &ExactRow::document);
    }
    ZHIWEN_ASSIGN_OR_RETURN(const auto copies, ReadRows<CopyRow>(*copies_, partition, copy_bytes_));
    for (const CopyRow& copy : copies) {
      const auto overlap =
          std::ranges::lower_bound(overlaps, copy.representative, {}, &OverlapRow::document);
      if (overlap != overlaps.end() && overlap->document == copy.representative) {
        RemovalRow row = Follow(*overlap, copy.document);
        row.equal_exact =
            row.equal_exact && (!collapsed_.differs[copy.document] || EqualExact(hashes, copy));
        ZHIWEN_RETURN_IF_ERROR(Add(row));
      } else {
        ZHIWEN_RETURN_IF_ERROR(Add({.document = copy.document,
                                    .keeper = copy.representative,
                                    .equal_channel = true,
                                    .equal_exact = EqualExact(hashes, copy)}));
      }
    }
    return {};
  }

  static RemovalRow Follow(const OverlapRow& row, DocumentIndex d) {
    return {.document = d,
            .keeper = row.keeper,
            .size = row.size,
            .keeper_size = row.keeper_size,
            .shared = row.shared,
            .equal_channel = row.size == 0,
            .equal_exact = row.size == 0};
  }

  static bool EqualExact(std::span<const ExactRow> hashes, const CopyRow& copy) {
    const auto of = [&](DocumentIndex d) {
      return std::ranges::lower_bound(hashes, d, {}, &ExactRow::document)->hash;
    };
    return of(copy.document) == of(copy.representative);
  }

  Result<Removals> Sort() {
    Removals removals;
    if (near_ != nullptr) near_->keepers = {};
    removals.keepers.assign(collapsed_.representatives.size(), kNoDocument);
    if (run_.rules.cuts) removals.cut.resize(removals.keepers.size());
    ZHIWEN_RETURN_IF_ERROR(
        VisitCutDocuments(*run_.spools.cuts, [&](DocumentIndex d) { removals.cut[d] = true; }));
    ZHIWEN_ASSIGN_OR_RETURN(removals.rows, Spool::Create(run_.scratch, "removals"));
    for (uint32_t p = 0; p < partitions_; ++p) {
      ZHIWEN_ASSIGN_OR_RETURN(const auto rows, ReadRows<RemovalRow>(*removals_, p, overlap_bytes_));
      std::ranges::sort(rows, {}, &RemovalRow::document);
      for (const RemovalRow& row : rows) {
        removals.keepers[row.document] = row.against ? kReferenceKeeper : row.keeper;
      }
      ZHIWEN_RETURN_IF_ERROR(
          removals.rows->Append({reinterpret_cast<const char*>(rows.data()), rows.size_bytes()}));
    }
    if (collapsed_.key_copies == nullptr) return removals;
    for (Spool::Reader reader(*collapsed_.key_copies); !reader.AtEnd();) {
      KeyCopyRow copy;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(copy));
      removals.keepers[copy.document] = removals.ClusterOf(copy.first);
    }
    return removals;
  }

  const RunContext& run_;
  const Collapsed& collapsed_;
  SimilarDecisions* near_;
  const PartitionedSpool* exact_;
  const uint32_t partitions_;
  std::vector<bool> represents_;  // by document; empty unless representatives go, too
  std::unique_ptr<PartitionedSpool> removals_, overlaps_, copies_;
  std::vector<char> overlap_bytes_, exact_bytes_, copy_bytes_;
};

}  // namespace

uint32_t PlanRangePartitions(uint64_t documents, uint64_t memory_bytes) {
  const uint64_t parts =
      1 + documents * kBytesPerDocument / std::max<uint64_t>(memory_bytes / 2, 1);
  return static_cast<uint32_t>(std::min<uint64_t>(parts, kMostPartitions));
}

Result<Removals> FinishRemovals(const RunContext& run, const Collapsed& collapsed,
                                SimilarDecisions* near, const PartitionedSpool* exact,
                                uint32_t partitions) {
  return RemovalFinisher(run, collapsed, near, exact, partitions).Run();
}

}  // namespace zhiwen
