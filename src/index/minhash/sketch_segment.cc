#include "index/minhash/sketch_segment.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace zhiwen {
namespace {

constexpr std::string_view kSettings = "settings";
constexpr std::string_view kDocuments = "documents";
constexpr std::string_view kBits = "bits";
constexpr size_t kWordsAtOnce = 8192;

// The first part of `settings`; the entries of each band follow.
struct SegmentSettings {
  uint64_t rows = 0;
  SketchForm form;
};
static_assert(sizeof(SegmentSettings) == 24);

std::string NameOf(uint32_t band) { return fmt::format("band-{}", band); }

// Gathers words of a section.
class WordWriter {
 public:
  explicit WordWriter(BlockFileWriter& file) : file_(file) { words_.reserve(2 * kWordsAtOnce); }

  Status Add(std::span<const uint64_t> words) {
    words_.insert(words_.end(), words.begin(), words.end());
    return words_.size() >= kWordsAtOnce ? Finish() : Status();
  }
  Status Finish() {
    ZHIWEN_RETURN_IF_ERROR(file_.AppendValues(std::span<const uint64_t>(words_)));
    words_.clear();
    return {};
  }

 private:
  BlockFileWriter& file_;
  std::vector<uint64_t> words_;
};

Status WriteDocuments(const SketchRows& rows, BlockFileWriter& file) {
  ZHIWEN_RETURN_IF_ERROR(file.StartSection(kDocuments));
  WordWriter words(file);
  ZHIWEN_RETURN_IF_ERROR(rows.VisitDocuments([&](uint64_t document) {
    return words.Add({&document, 1});
  }));
  return words.Finish();
}

Status WriteBits(const SketchRows& rows, BlockFileWriter& file) {
  ZHIWEN_RETURN_IF_ERROR(file.StartSection(kBits));
  WordWriter words(file);
  ZHIWEN_RETURN_IF_ERROR(
      rows.VisitAllBits([&](std::span<const uint64_t> bits) { return words.Add(bits); }));
  return words.Finish();
}

Status WriteBand(const SketchRows& rows, uint32_t band, BlockFileWriter& file) {
  PackedTableWriter table(file, NameOf(band), rows.entries(band));
  ZHIWEN_RETURN_IF_ERROR(table.Start());
  ZHIWEN_RETURN_IF_ERROR(rows.VisitBand(band, [&](uint64_t entry) { return table.Add(entry); }));
  return table.Finish();
}

bool CanBe(const SegmentSettings& settings) {
  const SketchForm& form = settings.form;
  return settings.rows <= UINT32_MAX && form.bands != 0 && form.bands <= kMostBands &&
         form.band_rows != 0 && BbitSignatures::Create({form.values, form.value_bits}).has_value();
}

}  // namespace

Result<uint64_t> WriteSketchSegment(const SketchRows& rows, const SectionSink& take) {
  BlockFileWriter file(kSketchSegmentKind, take);
  ZHIWEN_RETURN_IF_ERROR(file.StartSection(kSettings));
  const SegmentSettings settings = {.rows = rows.rows(), .form = rows.form()};
  ZHIWEN_RETURN_IF_ERROR(file.Append(BytesOfValue(settings)));
  std::vector<uint64_t> entries(settings.form.bands);
  for (uint32_t band = 0; band < entries.size(); ++band) entries[band] = rows.entries(band);
  ZHIWEN_RETURN_IF_ERROR(file.AppendValues(std::span<const uint64_t>(entries)));
  ZHIWEN_RETURN_IF_ERROR(WriteDocuments(rows, file));
  ZHIWEN_RETURN_IF_ERROR(WriteBits(rows, file));
  for (uint32_t band = 0; band < settings.form.bands; ++band) {
    ZHIWEN_RETURN_IF_ERROR(WriteBand(rows, band, file));
  }
  return file.Finish();
}

Result<std::unique_ptr<SketchSegment>> SketchSegment::Open(FileSystem& files,
                                                           const std::string& path) {
  auto segment = std::make_unique<SketchSegment>();
  ZHIWEN_ASSIGN_OR_RETURN(segment->file_, BlockFile::Open(files, path, kSketchSegmentKind));
  ZHIWEN_ASSIGN_OR_RETURN(const BlockSection section, segment->file_->Section(kSettings));
  SegmentSettings settings;
  if (section.size() < sizeof(settings) || !section.Touch(0, section.size())) {
    return section.Damaged(0);
  }
  std::memcpy(&settings, section.data(), sizeof(settings));
  if (!CanBe(settings) ||
      section.size() != sizeof(settings) + settings.form.bands * sizeof(uint64_t)) {
    return section.Damaged(0);
  }
  std::vector<uint64_t> entries(settings.form.bands);
  std::memcpy(entries.data(), section.data() + sizeof(settings), entries.size() * sizeof(uint64_t));
  if (std::ranges::any_of(entries, [&](uint64_t count) { return count > settings.rows; })) {
    return section.Damaged(0);
  }
  segment->form_ = settings.form;
  segment->rows_ = settings.rows;
  segment->bit_bytes_ = settings.form.words() * sizeof(uint64_t);
  ZHIWEN_RETURN_IF_ERROR(segment->OpenSections(entries));
  return segment;
}

Status SketchSegment::OpenSections(const std::vector<uint64_t>& entries) {
  ZHIWEN_ASSIGN_OR_RETURN(documents_, file_->Section(kDocuments));
  ZHIWEN_ASSIGN_OR_RETURN(bits_, file_->Section(kBits));
  if (documents_.size() != rows_ * sizeof(uint64_t)) return documents_.Damaged(0);
  if (bits_.size() != rows_ * bit_bytes_) return bits_.Damaged(0);
  for (uint32_t band = 0; band < form_.bands; ++band) {
    ZHIWEN_ASSIGN_OR_RETURN(const PackedTable table,
                            PackedTable::Open(*file_, NameOf(band), entries[band]));
    bands_.push_back(table);
  }
  return {};
}

tl::unexpected<Error> SketchSegment::Damaged(const std::string& what) const {
  return Fail(ErrorCode::kUnreadable, fmt::format("\"{}\" is damaged: {}", path(), what));
}

Status SketchSegment::CheckRow(uint32_t row) const {
  return row < rows_ ? Status() : Damaged("a band names a row that is not there");
}

Result<uint64_t> SketchSegment::DocumentOf(uint32_t row) const {
  const uint64_t place = uint64_t{row} * sizeof(uint64_t);
  if (!documents_.Touch(place, sizeof(uint64_t))) return documents_.Damaged(place);
  return documents_.values<uint64_t>()[row];
}

Result<const uint64_t*> SketchSegment::BitsOf(uint32_t row) const {
  const uint64_t place = row * bit_bytes_;
  if (!bits_.Touch(place, bit_bytes_)) return bits_.Damaged(place);
  return bits_.values<uint64_t>() + row * form_.words();
}

Result<std::optional<uint32_t>> SketchSegment::Find(uint64_t document) const {
  uint64_t begin = 0, end = rows_;
  while (begin < end) {
    const auto middle = static_cast<uint32_t>(begin + (end - begin) / 2);
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t found, DocumentOf(middle));
    if (found == document) return middle;
    (found < document ? begin : end) = found < document ? uint64_t{middle} + 1 : middle;
  }
  return std::nullopt;
}

Status SketchSegment::CheckAll(const Cancellation& cancellation) const {
  ZHIWEN_RETURN_IF_ERROR(file_->CheckAll());
  const auto* const documents = documents_.values<uint64_t>();
  for (uint64_t row = 1; row < rows_; ++row) {
    if (documents[row - 1] >= documents[row]) return documents_.Damaged(row * sizeof(uint64_t));
  }
  for (const PackedTable& band : bands_) {
    ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
    ZHIWEN_RETURN_IF_ERROR(CheckBand(band));
  }
  return {};
}

// Checks that a row has at most one key, which must not be kNoSketchKey.
Status SketchSegment::CheckBand(const PackedTable& band) const {
  std::vector<bool> has_key(rows_);
  PackedCursor cursor(band);
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_there, cursor.Next());
    if (!is_there) return {};
    const uint32_t row = ValueOf(cursor.entry());
    ZHIWEN_RETURN_IF_ERROR(CheckRow(row));
    if (has_key[row] || MixedOf(cursor.entry()) == kNoSketchKey) {
      return Damaged(fmt::format("row {} has two keys of a band, or one that cannot be", row));
    }
    has_key[row] = true;
  }
}

}  // namespace zhiwen
