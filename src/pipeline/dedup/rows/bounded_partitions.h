#ifndef ZHIWEN_PIPELINE_DEDUP_ROWS_BOUNDED_PARTITIONS_H_
#define ZHIWEN_PIPELINE_DEDUP_ROWS_BOUNDED_PARTITIONS_H_

// Spreads rows over partitions and reads them back sorted, one partition at a time. Memory is
// bounded even where rows crowd in one partition, as when one shingle is in every document: rows
// that do not fit go to an external sort and are merged in.
//
// In          rows with an order, and `Coding`: kBytes, Encode(row, out) and Decode(bytes), whose
//             bytes order as the rows do
// Out         the rows of each partition, ascending, some thousands at a time
// Cost        memory: a buffer a partition while rows are added, and `sorter_bytes`; then
//             `partition_bytes` for each partition that is being read, twice that where the
//             partition has more rows. Rows that did not fit are written and read once more
// Threads     rows are added by one thread; partitions are read by any, large ones by one at a time
// Fails       as base/scratch/scratch.h

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/scratch/partitioned_spool.h"
#include "base/scratch/row_sorter.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The largest number of partitions that rows are spread over.
inline constexpr uint32_t kMostPartitions = 4096;

struct PartitionSizes {
  uint32_t partitions = 1;
  uint64_t buffer_bytes = 0;
  uint64_t partition_bytes = 0;  // of rows that are read at once
  uint64_t sorter_bytes = 0;
};

template <typename Row, typename Coding>
class BoundedPartitions {
 public:
  using Visit = std::function<Status(std::span<const Row> rows)>;

  static Result<std::unique_ptr<BoundedPartitions>> Create(Scratch& scratch,
                                                           const std::string& name,
                                                           const PartitionSizes& sizes) {
    std::unique_ptr<BoundedPartitions> out(new BoundedPartitions(scratch, name, sizes));
    ZHIWEN_ASSIGN_OR_RETURN(
        out->spool_, PartitionedSpool::Create(scratch, name, sizes.partitions, sizes.buffer_bytes));
    return out;
  }

  uint32_t partitions() const { return spool_->partitions(); }
  // Whether rows of it are beyond its memory.
  bool IsLarge(uint32_t partition) const { return is_large_[partition]; }

  Status Append(uint32_t partition, const Row& row) {
    if (spool_->size(partition) + sizeof(Row) <= sizes_.partition_bytes) {
      return spool_->AppendRow(partition, row);
    }
    is_large_[partition] = true;
    if (sorter_ == nullptr) {
      ZHIWEN_ASSIGN_OR_RETURN(sorter_,
                              RowSorter::Create(scratch_, name_ + "_rest", sizes_.sorter_bytes));
    }
    std::array<char, kPrefix + Coding::kBytes> bytes;
    PutBigEndian(partition, bytes.data());
    Coding::Encode(row, bytes.data() + kPrefix);
    return sorter_->Add({bytes.data(), bytes.size()});
  }

  // Visits a partition that is not large. `rows` is used again.
  Status Read(uint32_t partition, std::vector<char>& bytes, const Visit& visit) const {
    ZHIWEN_ASSIGN_OR_RETURN(const std::span<Row> rows, ReadSorted(partition, bytes));
    return visit(rows);
  }

  // Visits the large partitions, ascending, after `begin` of each and before `end`. Once.
  Status ReadLarge(const std::function<Status(uint32_t partition)>& begin, const Visit& visit,
                   const std::function<Status()>& end) {
    if (sorter_ == nullptr) return {};
    ZHIWEN_RETURN_IF_ERROR(sorter_->Sort());
    ZHIWEN_RETURN_IF_ERROR(Advance());
    std::vector<char> bytes;
    while (has_rest_) {
      const uint32_t partition = rest_partition_;
      ZHIWEN_RETURN_IF_ERROR(begin(partition));
      ZHIWEN_ASSIGN_OR_RETURN(const std::span<Row> rows, ReadSorted(partition, bytes));
      ZHIWEN_RETURN_IF_ERROR(Merge(partition, rows, visit));
      ZHIWEN_RETURN_IF_ERROR(end());
    }
    sorter_.reset();
    return {};
  }

 private:
  static constexpr size_t kPrefix = sizeof(uint32_t);
  static constexpr size_t kRowsAtOnce = 4096;

  BoundedPartitions(Scratch& scratch, std::string name, const PartitionSizes& sizes)
      : scratch_(scratch), name_(std::move(name)), sizes_(sizes), is_large_(sizes.partitions) {}

  static void PutBigEndian(uint32_t value, char* out) {
    value = __builtin_bswap32(value);
    std::copy_n(reinterpret_cast<const char*>(&value), sizeof value, out);
  }

  Result<std::span<Row>> ReadSorted(uint32_t partition, std::vector<char>& bytes) const {
    ZHIWEN_RETURN_IF_ERROR(spool_->Read(partition, bytes));
    const std::span rows(reinterpret_cast<Row*>(bytes.data()), bytes.size() / sizeof(Row));
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  // Takes the next row of the sorter.
  Status Advance() {
    std::string_view bytes;
    ZHIWEN_ASSIGN_OR_RETURN(has_rest_, sorter_->Next(bytes));
    if (!has_rest_) return {};
    uint32_t partition;
    std::copy_n(bytes.data(), sizeof partition, reinterpret_cast<char*>(&partition));
    rest_partition_ = __builtin_bswap32(partition);
    rest_ = Coding::Decode(bytes.data() + kPrefix);
    return {};
  }

  Status Merge(uint32_t partition, std::span<const Row> rows, const Visit& visit) {
    std::vector<Row> merged;
    merged.reserve(kRowsAtOnce);
    for (size_t next = 0; next < rows.size() || (has_rest_ && rest_partition_ == partition);) {
      const bool from_rest =
          has_rest_ && rest_partition_ == partition && (next == rows.size() || rest_ < rows[next]);
      merged.push_back(from_rest ? rest_ : rows[next]);
      if (from_rest) {
        ZHIWEN_RETURN_IF_ERROR(Advance());
      } else {
        ++next;
      }
      if (merged.size() < kRowsAtOnce) continue;
      ZHIWEN_RETURN_IF_ERROR(visit(merged));
      merged.clear();
    }
    return visit(merged);
  }

  Scratch& scratch_;
  const std::string name_;
  const PartitionSizes sizes_;
  std::unique_ptr<PartitionedSpool> spool_;
  std::vector<bool> is_large_;
  std::unique_ptr<RowSorter> sorter_;  // of what is beyond, by partition
  bool has_rest_ = false;
  uint32_t rest_partition_ = 0;
  Row rest_ = {};
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_ROWS_BOUNDED_PARTITIONS_H_
