#include "index/hamming/packed_table.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace zhiwen {
namespace {

constexpr uint32_t kMaxDirectoryBits = 28;
constexpr uint64_t kEntriesOfBucket = 8;  // at least, but for small tables
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

Status PackedTableWriter::Add(uint32_t mixed, uint32_t value) {
  const auto slot = static_cast<uint32_t>(added_ % format_.slots);
  if (slot == 0) {
    if (lines_.size() == kLinesAtOnce) ZHIWEN_RETURN_IF_ERROR(WriteLines());
    lines_.push_back({});
  }
  WithSlots(format_, [&](const auto& in) { in.Put(lines_.back(), slot, mixed, value); });
  SetSlotCount(lines_.back(), slot + 1);
  ++added_;
  ++starts_[(uint64_t{mixed} >> (32 - directory_bits_)) + 1];
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

Status PackedTable::CheckLines(const Range& range) const {
  const uint64_t first = range.begin / format_.slots;
  const uint64_t last = (range.end - 1) / format_.slots;
  if (lines_.Touch(first * sizeof(Line), (last - first + 1) * sizeof(Line))) return {};
  return lines_.Damaged(first * sizeof(Line));
}

}  // namespace zhiwen
