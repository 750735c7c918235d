#include "index/hamming/packed_table.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace zhiwen {
namespace {

constexpr uint32_t kMaxDirectoryBits = 28;
constexpr uint64_t kEntriesOfBucket = 8;  // at least, except in small tables
constexpr size_t kLinesAtOnce = 1024;

uint64_t LinesFor(uint64_t entries, const LineFormat& format) {
  return (entries + format.slots - 1) / format.slots;
}

}  // namespace

uint32_t DirectoryBits(uint64_t entries) {
  const uint64_t buckets = std::max<uint64_t>(1, entries / kEntriesOfBucket);
  return std::min(kMaxDirectoryBits, static_cast<uint32_t>(std::bit_width(buckets) - 1));
}

PackedTableWriter::PackedTableWriter(BlockFileWriter& file, std::string_view name, uint64_t entries)
    : file_(file),
      name_(name),
      directory_bits_(DirectoryBits(entries)),
      format_(LineFormatFor(32 - directory_bits_)) {}

Status PackedTableWriter::Start() {
  starts_.assign((size_t{1} << directory_bits_) + 1, 0);
  lines_.reserve(kLinesAtOnce);
  return file_.StartSection(name_ + ".lines");
}

Status PackedTableWriter::Add(uint64_t entry) {
  const auto slot = static_cast<uint32_t>(added_ % format_.slots);
  if (slot == 0) {
    if (lines_.size() == kLinesAtOnce) ZHIWEN_RETURN_IF_ERROR(WriteLines());
    lines_.push_back({});
  }
  WithSlots(format_,
            [&](const auto& in) { in.Put(lines_.back(), slot, MixedOf(entry), ValueOf(entry)); });
  SetSlotCount(lines_.back(), slot + 1);
  ++added_;
  ++starts_[(uint64_t{MixedOf(entry)} >> (32 - directory_bits_)) + 1];
  return {};
}

Status PackedTableWriter::WriteLines() {
  ZHIWEN_RETURN_IF_ERROR(file_.AppendValues(std::span<const Line>(lines_)));
  lines_.clear();
  return {};
}

Status PackedTableWriter::Finish() {
  ZHIWEN_RETURN_IF_ERROR(WriteLines());
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  ZHIWEN_RETURN_IF_ERROR(file_.StartSection(name_ + ".starts"));
  return file_.AppendValues(std::span<const uint32_t>(starts_));
}

Result<PackedTable> PackedTable::Open(const BlockFile& file, std::string_view name,
                                      uint64_t entries) {
  PackedTable table;
  const uint32_t directory_bits = DirectoryBits(entries);
  table.size_ = entries;
  table.shift_ = 32 - directory_bits;
  table.format_ = LineFormatFor(table.shift_);
  ZHIWEN_ASSIGN_OR_RETURN(table.starts_, file.Section(fmt::format("{}.starts", name)));
  ZHIWEN_ASSIGN_OR_RETURN(table.lines_, file.Section(fmt::format("{}.lines", name)));
  const uint64_t starts = (uint64_t{1} << directory_bits) + 1;
  if (table.starts_.size() != starts * sizeof(uint32_t) ||
      table.lines_.size() != LinesFor(entries, table.format_) * sizeof(Line)) {
    return table.lines_.Damaged(0);
  }
  return table;
}

Result<PackedTable::Range> PackedTable::RangeOf(uint32_t bucket) const {
  const uint64_t place = uint64_t{bucket} * sizeof(uint32_t);
  if (!starts_.Touch(place, 2 * sizeof(uint32_t))) return starts_.Damaged(place);
  const auto* const starts = starts_.values<uint32_t>() + bucket;
  const Range range = {starts[0], starts[1]};
  if (range.begin > range.end || range.end > size_) return starts_.Damaged(place);
  return range;
}

Result<std::optional<uint32_t>> PackedTable::Find(uint64_t entry) const {
  const auto bucket = static_cast<uint32_t>(uint64_t{MixedOf(entry)} >> shift_);
  ZHIWEN_ASSIGN_OR_RETURN(Range range, RangeOf(bucket));
  if (range.begin == range.end) return std::nullopt;
  ZHIWEN_RETURN_IF_ERROR(CheckLines(range));
  while (range.begin < range.end) {
    const uint32_t middle = range.begin + (range.end - range.begin) / 2;
    const uint64_t found = EntryIn(bucket, middle);
    if (found == entry) return middle;
    (found < entry ? range.begin : range.end) = found < entry ? middle + 1 : middle;
  }
  return std::nullopt;
}

Result<uint64_t> PackedTable::At(uint32_t number) const {
  uint32_t bucket = 0;
  for (uint64_t step = buckets() / 2; step != 0; step /= 2) {
    ZHIWEN_ASSIGN_OR_RETURN(const Range range, RangeOf(bucket + static_cast<uint32_t>(step)));
    if (range.begin <= number) bucket += static_cast<uint32_t>(step);
  }
  ZHIWEN_RETURN_IF_ERROR(CheckLines({number, number + 1}));
  return EntryIn(bucket, number);
}

Result<bool> PackedCursor::Next() {
  const PackedTable& table = *table_;
  if (next_ == table.size()) return false;
  while (next_ >= range_.end) {
    if (bucket_ == table.buckets()) return table.lines_.Damaged(0);
    ZHIWEN_ASSIGN_OR_RETURN(range_, table.RangeOf(bucket_++));
    if (range_.begin > next_) return table.lines_.Damaged(0);
    if (next_ < range_.end) ZHIWEN_RETURN_IF_ERROR(table.CheckLines(range_));
  }
  number_ = next_++;
  const uint64_t before = entry_;
  entry_ = table.EntryIn(bucket_ - 1, number_);
  if (number_ > 0 && entry_ <= before) return table.lines_.Damaged(0);
  return true;
}

Status PackedTable::CheckLines(const Range& range) const {
  const uint64_t first = range.begin / format_.slots;
  const uint64_t last = (range.end - 1) / format_.slots;
  if (lines_.Touch(first * sizeof(Line), (last - first + 1) * sizeof(Line))) return {};
  return lines_.Damaged(first * sizeof(Line));
}

}  // namespace zhiwen
