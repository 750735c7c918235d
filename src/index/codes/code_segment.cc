#include "index/codes/code_segment.h"

#include <array>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/coding.h"
#include "base/prefetch.h"
#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr std::string_view kSettings = "settings";
constexpr std::string_view kRowStarts = "rows.starts";
constexpr std::string_view kLabels = "labels.bytes";
constexpr std::string_view kLabelPlaces = "labels.places";

constexpr uint32_t kHasLabels = 1;
constexpr uint64_t kRowsOfPlace = 16;   // the place of every 16th row is noted
constexpr uint64_t kMostSizeBytes = 5;  // maximum size of an encoded label length
constexpr size_t kValuesAtOnce = 4096;

struct Settings {
  uint64_t codes = 0, rows = 0;
  uint32_t code_bits = 64;
  uint32_t flags = 0;
};

// Gathers the values of a section.
template <typename Value>
class ValueWriter {
 public:
  explicit ValueWriter(BlockFileWriter& file) : file_(file) { values_.reserve(kValuesAtOnce); }

  Status Add(Value value) {
    values_.push_back(value);
    return values_.size() == kValuesAtOnce ? Finish() : Status();
  }
  Status Finish() {
    ZHIWEN_RETURN_IF_ERROR(file_.AppendValues(std::span<const Value>(values_)));
    values_.clear();
    return {};
  }

 private:
  BlockFileWriter& file_;
  std::vector<Value> values_;
};

Status WriteTable(const SegmentRows& rows, size_t half, BlockFileWriter& file) {
  PackedTableWriter table(file, kHalfNames[half], rows.codes());
  ZHIWEN_RETURN_IF_ERROR(table.Start());
  const auto add = [&](uint64_t entry) { return table.Add(entry); };
  ZHIWEN_RETURN_IF_ERROR(half == 0 ? rows.VisitLow(add) : rows.VisitHigh(add));
  return table.Finish();
}

Status WriteRowStarts(const SegmentRows& rows, BlockFileWriter& file) {
  ZHIWEN_RETURN_IF_ERROR(file.StartSection(kRowStarts));
  ValueWriter<uint32_t> starts(file);
  uint32_t row = 0;
  const auto add = [&](bool is_first, std::string_view /*label*/) -> Status {
    if (is_first) ZHIWEN_RETURN_IF_ERROR(starts.Add(row));
    ++row;
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(rows.VisitRows(add));
  ZHIWEN_RETURN_IF_ERROR(starts.Add(row));
  return starts.Finish();
}

Status WriteLabels(const SegmentRows& rows, BlockFileWriter& file) {
  constexpr size_t kBytesAtOnce = size_t{64} << 10;
  ZHIWEN_RETURN_IF_ERROR(file.StartSection(kLabels));
  std::vector<uint64_t> places;
  std::string bytes;
  uint64_t written = 0, row = 0;
  const auto add = [&](bool /*is_first*/, std::string_view label) -> Status {
    if (row++ % kRowsOfPlace == 0) places.push_back(written + bytes.size());
    AppendString(bytes, label);
    if (bytes.size() < kBytesAtOnce) return {};
    written += bytes.size();
    ZHIWEN_RETURN_IF_ERROR(file.Append(bytes));
    bytes.clear();
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(rows.VisitRows(add));
  ZHIWEN_RETURN_IF_ERROR(file.Append(bytes));
  ZHIWEN_RETURN_IF_ERROR(file.StartSection(kLabelPlaces));
  return file.AppendValues(std::span<const uint64_t>(places));
}

}  // namespace

Result<uint64_t> WriteCodeSegment(const SegmentRows& rows, const SectionSink& take) {
  BlockFileWriter file(kCodeSegmentKind, take);
  ZHIWEN_RETURN_IF_ERROR(file.StartSection(kSettings));
  const Settings settings = {.codes = rows.codes(),
                             .rows = rows.rows(),
                             .code_bits = rows.code_bits(),
                             .flags = rows.has_labels() ? kHasLabels : 0};
  ZHIWEN_RETURN_IF_ERROR(file.Append(BytesOfValue(settings)));
  for (size_t half = 0; half < 2; ++half) ZHIWEN_RETURN_IF_ERROR(WriteTable(rows, half, file));
  if (rows.has_labels()) {
    ZHIWEN_RETURN_IF_ERROR(WriteRowStarts(rows, file));
    ZHIWEN_RETURN_IF_ERROR(WriteLabels(rows, file));
  }
  return file.Finish();
}

Result<std::unique_ptr<CodeSegment>> CodeSegment::Open(FileSystem& files, const std::string& path) {
  auto segment = std::make_unique<CodeSegment>();
  ZHIWEN_ASSIGN_OR_RETURN(segment->file_, BlockFile::Open(files, path, kCodeSegmentKind));
  ZHIWEN_ASSIGN_OR_RETURN(const BlockSection section, segment->file_->Section(kSettings));
  Settings settings;
  if (section.size() != sizeof(settings) || !section.Touch(0, sizeof(settings))) {
    return section.Damaged(0);
  }
  std::memcpy(&settings, section.data(), sizeof(settings));
  const bool has_labels = settings.flags == kHasLabels;
  if (settings.rows > UINT32_MAX || settings.codes > settings.rows ||
      (settings.codes == 0 && settings.rows != 0) ||
      (settings.code_bits != 64 && settings.code_bits != 32) || settings.flags > kHasLabels ||
      (!has_labels && settings.codes != settings.rows)) {
    return section.Damaged(0);
  }
  segment->code_bits_ = settings.code_bits;
  segment->rows_ = settings.rows;
  segment->has_labels_ = has_labels;
  ZHIWEN_ASSIGN_OR_RETURN(segment->codes_,
                          PackedHamming::Open(*segment->file_, settings.codes, settings.code_bits));
  if (has_labels) ZHIWEN_RETURN_IF_ERROR(segment->OpenLabels());
  return segment;
}

Status CodeSegment::OpenLabels() {
  ZHIWEN_ASSIGN_OR_RETURN(row_starts_, file_->Section(kRowStarts));
  ZHIWEN_ASSIGN_OR_RETURN(labels_, file_->Section(kLabels));
  ZHIWEN_ASSIGN_OR_RETURN(label_places_, file_->Section(kLabelPlaces));
  if (row_starts_.size() != (codes() + 1) * sizeof(uint32_t)) return row_starts_.Damaged(0);
  const uint64_t places = (rows_ + kRowsOfPlace - 1) / kRowsOfPlace;
  return label_places_.size() == places * sizeof(uint64_t) ? Status() : label_places_.Damaged(0);
}

Result<CodeSegment::RowRange> CodeSegment::RowsOf(uint32_t number) const {
  if (!has_labels_) return RowRange{number, number + 1};
  const uint64_t place = uint64_t{number} * sizeof(uint32_t);
  if (!row_starts_.Touch(place, 2 * sizeof(uint32_t))) return row_starts_.Damaged(place);
  const auto* const starts = row_starts_.values<uint32_t>() + number;
  const RowRange range = {starts[0], starts[1]};
  if (range.begin >= range.end || range.end > rows_) return row_starts_.Damaged(place);
  return range;
}

Result<CodeSegment::RowRange> CodeSegment::RowsOfCode(uint64_t code) const {
  ZHIWEN_ASSIGN_OR_RETURN(const auto number, codes_.table(0).Find(EntryBy(0, code, code_bits_)));
  if (!number.has_value()) return RowRange{};
  return RowsOf(*number);
}

Result<uint64_t> CodeSegment::CodeOf(uint32_t row) const {
  uint32_t number = row;
  if (has_labels_) {
    number = 0;
    uint32_t end = static_cast<uint32_t>(codes());
    while (end - number > 1) {
      const uint32_t middle = number + (end - number) / 2;
      ZHIWEN_ASSIGN_OR_RETURN(const RowRange range, RowsOf(middle));
      (range.begin <= row ? number : end) = middle;
    }
  }
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t entry, codes_.table(0).At(number));
  return CodeOfLow(entry, code_bits_);
}

// Returns the label at a place, and moves the place to the next label.
Result<std::string_view> CodeSegment::LabelAt(uint64_t& place) const {
  if (place >= labels_.size()) return labels_.Damaged(labels_.size());
  const uint64_t head = std::min(kMostSizeBytes, labels_.size() - place);
  if (!labels_.Touch(place, head)) return labels_.Damaged(place);
  const auto* const bytes = labels_.values<char>();
  Decoder decoder(std::string_view(bytes + place, head));
  const auto size = decoder.Varint();
  if (!size) return labels_.Damaged(place);
  const uint64_t begin = place + head - decoder.rest().size();
  if (*size > labels_.size() - begin || !labels_.Touch(begin, *size)) return labels_.Damaged(place);
  place = begin + *size;
  return std::string_view(bytes + begin, *size);
}

Result<std::string_view> CodeSegment::LabelOf(uint32_t row) const {
  if (!has_labels_) return std::string_view();
  const uint64_t at = row / kRowsOfPlace * sizeof(uint64_t);
  if (!label_places_.Touch(at, sizeof(uint64_t))) return label_places_.Damaged(at);
  uint64_t place = label_places_.values<uint64_t>()[row / kRowsOfPlace];
  for (uint64_t skipped = row % kRowsOfPlace; skipped != 0; --skipped) {
    ZHIWEN_RETURN_IF_ERROR(LabelAt(place));
  }
  return LabelAt(place);
}

Result<std::optional<uint32_t>> CodeSegment::FindLabel(const RowRange& rows,
                                                       std::string_view label) const {
  RowRange range = rows;
  while (range.begin < range.end) {
    const uint32_t middle = range.begin + range.size() / 2;
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view found, LabelOf(middle));
    if (found == label) return middle;
    (found < label ? range.begin : range.end) = found < label ? middle + 1 : middle;
  }
  return std::nullopt;
}

void CodeSegment::PrefetchRows(uint32_t number) const {
  if (has_labels_) Prefetch(row_starts_.values<uint32_t>() + number);
}

void CodeSegment::PrefetchLabelPlace(uint32_t row) const {
  if (has_labels_) Prefetch(label_places_.values<uint64_t>() + row / kRowsOfPlace);
}

void CodeSegment::PrefetchLabel(uint32_t row) const {
  if (!has_labels_) return;
  // Not checked yet: whatever the place is, nothing beyond the section is asked for.
  const uint64_t place = label_places_.values<uint64_t>()[row / kRowsOfPlace];
  if (place >= labels_.size()) return;
  Prefetch(labels_.data() + place);
  if (labels_.size() - place > kLineBytes) Prefetch(labels_.data() + place + kLineBytes);
}

Status CodeSegment::CheckAll(const Cancellation& cancellation) const {
  ZHIWEN_RETURN_IF_ERROR(file_->CheckAll());
  ZHIWEN_RETURN_IF_ERROR(CheckTables(cancellation));
  return has_labels_ ? CheckRows(cancellation) : Status();
}

// Checks that both tables hold the same codes: equally many, and each code of one is in the other.
Status CodeSegment::CheckTables(const Cancellation& cancellation) const {
  PackedCursor cursor(codes_.table(1));
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_there, cursor.Next());
    if (!is_there || cancellation.requested()) return cancellation.Check();
    ZHIWEN_ASSIGN_OR_RETURN(const auto number, codes_.table(0).Find(OtherEntry(cursor.entry())));
    if (!number.has_value()) {
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("\"{}\" is damaged: its two tables hold different codes", path()));
    }
  }
}

Status CodeSegment::CheckRows(const Cancellation& cancellation) const {
  LabelCursor labels(*this);
  uint32_t next = 0;
  for (uint32_t number = 0; number < codes(); ++number) {
    if (cancellation.requested()) return cancellation.Check();
    ZHIWEN_ASSIGN_OR_RETURN(const RowRange range, RowsOf(number));
    if (range.begin != next) return row_starts_.Damaged(uint64_t{number} * sizeof(uint32_t));
    std::string_view before;
    for (; next < range.end; ++next) {
      ZHIWEN_ASSIGN_OR_RETURN(const std::string_view label, labels.Next());
      ZHIWEN_ASSIGN_OR_RETURN(const std::string_view same, LabelOf(next));
      if (same.data() != label.data() || (next > range.begin && label <= before)) {
        return labels_.Damaged(static_cast<uint64_t>(label.data() - labels_.values<char>()));
      }
      before = label;
    }
  }
  return next == rows_ ? Status() : row_starts_.Damaged(0);
}

Result<std::string_view> LabelCursor::Next() {
  if (!segment_->has_labels()) return std::string_view();
  return segment_->LabelAt(place_);
}

}  // namespace zhiwen
