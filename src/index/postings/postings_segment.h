#ifndef ZHIWEN_INDEX_POSTINGS_POSTINGS_SEGMENT_H_
#define ZHIWEN_INDEX_POSTINGS_POSTINGS_SEGMENT_H_

// Immutable documents of an index in a mapped file: the postings of their rows, and their numbers.
// A row is the place of a document in the order of the numbers, so that lists are short whatever
// the numbers are, and several segments can be merged list by list.
//
// Cost        as sealed_postings.h, and 4 bytes a document; looking up a document is a binary
//             search in the numbers
// Threads     const after Open: share freely
// Fails       Open: kNotFound, kUnreadable for damage, kConflict for another version; others:
//             kUnreadable, naming the file and the place
// Persisted   docs/formats/postings_index.md

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/block_file.h"
#include "index/postings/sealed_postings.h"
#include "index/postings/segment_postings.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr SectionFileKind kPostingsSegmentKind = {
    .name = "postings segment", .version = 1, .part_of = "index"};

// Passes the bytes of a file with these documents to `take`. Returns its BlockFile::identity().
// Fails with the error of `take` or of `postings`.
Result<uint64_t> WritePostingsSegment(const SegmentPostings& postings, const SectionSink& take);

class PostingsSegment {
 public:
  static Result<std::unique_ptr<PostingsSegment>> Open(FileSystem& files, const std::string& path);

  PostingsContent content() const { return postings_->content(); }
  uint64_t rows() const { return documents_.size() / sizeof(uint32_t); }
  uint64_t bytes() const { return file_->size(); }
  uint64_t identity() const { return file_->identity(); }
  const std::string& path() const { return file_->path(); }

  // Returns the postings of rows: its documents are rows of this segment.
  const SealedPostings& postings() const { return *postings_; }

  // Return the number of a row, which must exist, and the row of a number.
  Result<uint32_t> DocumentOf(uint64_t row) const;
  Result<std::optional<uint32_t>> RowOf(uint32_t document) const;

  // Returns the error for a file with valid checksums and impossible content.
  tl::unexpected<Error> Impossible(std::string_view what) const {
    return ImpossiblePostings(*file_, what);
  }

  // Returns lists of rows for FindTopOverlap. `features` must be distinct. The lists use this
  // object.
  Result<FoundLists> ListsOf(std::span<const uint64_t> features) const;

  // Reads all data, and compares its parts with each other.
  Status CheckAll(const Cancellation& cancellation) const;

 private:
  class Lists;

  std::unique_ptr<BlockFile> file_;
  std::unique_ptr<SealedPostings> postings_;
  BlockSection documents_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTINGS_SEGMENT_H_
