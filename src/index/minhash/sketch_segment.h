#ifndef ZHIWEN_INDEX_MINHASH_SKETCH_SEGMENT_H_
#define ZHIWEN_INDEX_MINHASH_SKETCH_SEGMENT_H_

// Immutable documents of an index in a mapped file: their numbers, the bits of their signatures,
// and for each band a table from keys to rows (sketch_rows.h).
//
// Cost        8 bytes and the bits a document, 5.6 to 6.9 bytes a band from a million on: 93 at
//             defaults. Opening reads a thousandth of the file; finding a document by its number
//             reads as many places as the logarithm of the rows
// Threads     const after Open: share freely
// Fails       Open: kNotFound, kUnreadable for damage, kConflict for another version; others:
//             kUnreadable, naming the file and the place
// Persisted   docs/formats/minhash_index.md

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/block_file.h"
#include "base/prefetch.h"
#include "index/hamming/packed_table.h"
#include "index/minhash/sketch_rows.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr SectionFileKind kSketchSegmentKind = {
    .name = "minhash segment", .version = 1, .part_of = "index"};

// A band takes two of the 1,024 sections that a file may have.
inline constexpr uint32_t kMostBands = 500;

// Passes the bytes of a file with these rows to `take`. Returns its BlockFile::identity(). Fails
// with the error of `take` or of `rows`.
Result<uint64_t> WriteSketchSegment(const SketchRows& rows, const SectionSink& take);

class SketchSegment {
 public:
  static Result<std::unique_ptr<SketchSegment>> Open(FileSystem& files, const std::string& path);

  const SketchForm& form() const { return form_; }
  uint64_t rows() const { return rows_; }
  uint64_t bytes() const { return file_->size(); }
  uint64_t identity() const { return file_->identity(); }
  const std::string& path() const { return file_->path(); }

  // A forged file may name rows that do not exist: see CheckRow.
  const PackedTable& band(uint32_t band) const { return bands_[band]; }
  Status CheckRow(uint32_t row) const;

  // Returns the row of a document, or nothing when the segment lacks it.
  Result<std::optional<uint32_t>> Find(uint64_t document) const;
  // Returns the number of the document of a row, which must exist.
  Result<uint64_t> DocumentOf(uint32_t row) const;
  // Returns the words of a row, which are valid as long as the segment.
  Result<const uint64_t*> BitsOf(uint32_t row) const;
  void PrefetchBits(uint32_t row) const { Prefetch(bits_.data() + uint64_t{row} * bit_bytes_); }

  // Reads all data, and compares its parts with each other.
  Status CheckAll(const Cancellation& cancellation) const;

 private:
  Status OpenSections(const std::vector<uint64_t>& entries);
  Status CheckBand(const PackedTable& band) const;
  tl::unexpected<Error> Damaged(const std::string& what) const;

  std::unique_ptr<BlockFile> file_;
  SketchForm form_;
  uint64_t rows_ = 0;
  uint64_t bit_bytes_ = 0;  // of a row
  BlockSection documents_, bits_;
  std::vector<PackedTable> bands_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_SKETCH_SEGMENT_H_
