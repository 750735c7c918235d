#ifndef ZHIWEN_INDEX_CODES_CODE_SEGMENT_H_
#define ZHIWEN_INDEX_CODES_CODE_SEGMENT_H_

// Immutable rows of an index in a mapped file: codes under both of their halves, and the labels of
// each code. The number of a row is its place in the order of segment_rows.h.
//
// Cost        11.2 to 13.8 bytes a code from a million on; rows with labels 4 bytes a code, 0.5 a
//             row, and the label with its size. Opening reads a thousandth of the file
// Threads     const after Open: share freely
// Fails       Open: kNotFound, kUnreadable for damage, kConflict for another version; others:
//             kUnreadable, naming the file and the place
// Persisted   docs/formats/code_index.md

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/block_file.h"
#include "index/codes/segment_rows.h"
#include "index/hamming/packed_hamming.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr SectionFileKind kCodeSegmentKind = {
    .name = "code segment", .version = 1, .part_of = "index"};

// Passes the bytes of a file with these rows to `take`. Returns its BlockFile::identity(). Fails
// with the error of `take` or of `rows`.
Result<uint64_t> WriteCodeSegment(const SegmentRows& rows, const SectionSink& take);

class CodeSegment {
 public:
  struct RowRange {
    uint32_t begin = 0, end = 0;

    uint32_t size() const { return end - begin; }
  };

  static Result<std::unique_ptr<CodeSegment>> Open(FileSystem& files, const std::string& path);

  uint32_t code_bits() const { return code_bits_; }
  uint64_t codes() const { return codes_.size(); }
  uint64_t rows() const { return rows_; }
  bool has_labels() const { return has_labels_; }
  uint64_t bytes() const { return file_->size(); }
  uint64_t identity() const { return file_->identity(); }
  const std::string& path() const { return file_->path(); }
  const PackedHamming& hamming() const { return codes_; }

  // Returns the rows of the code with a number in the table by low halves.
  Result<RowRange> RowsOf(uint32_t number) const;
  // Returns the rows of a code, or none when the segment lacks it.
  Result<RowRange> RowsOfCode(uint64_t code) const;
  // Return the code and the label of a row, which must exist.
  Result<uint64_t> CodeOf(uint32_t row) const;
  Result<std::string_view> LabelOf(uint32_t row) const;
  // Returns the row with the label among `rows`, which must be those of one code.
  Result<std::optional<uint32_t>> FindLabel(const RowRange& rows, std::string_view label) const;

  // Prefetch what RowsOf(number) reads, what LabelOf(row) reads first, and what LabelOf(row) reads
  // afterwards.
  void PrefetchRows(uint32_t number) const;
  void PrefetchLabelPlace(uint32_t row) const;
  void PrefetchLabel(uint32_t row) const;

  // Reads all data, and compares its parts with each other.
  Status CheckAll(const Cancellation& cancellation) const;

 private:
  friend class LabelCursor;

  Status OpenLabels();
  Result<std::string_view> LabelAt(uint64_t& place) const;
  Status CheckTables(const Cancellation& cancellation) const;
  Status CheckRows(const Cancellation& cancellation) const;

  std::unique_ptr<BlockFile> file_;
  uint32_t code_bits_ = 64;
  uint64_t rows_ = 0;
  bool has_labels_ = false;
  PackedHamming codes_;
  BlockSection row_starts_, labels_, label_places_;
};

// Iterates over the labels of a segment by row. The segment must outlive the cursor.
class LabelCursor {
 public:
  explicit LabelCursor(const CodeSegment& segment) : segment_(&segment) {}

  // Returns the label of the next row, which must exist, as a view of the file.
  Result<std::string_view> Next();

 private:
  const CodeSegment* segment_;
  uint64_t place_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_CODES_CODE_SEGMENT_H_
