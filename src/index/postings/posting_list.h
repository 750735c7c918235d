#ifndef ZHIWEN_INDEX_POSTINGS_POSTING_LIST_H_
#define ZHIWEN_INDEX_POSTINGS_POSTING_LIST_H_

// Reads a list of documents in a mapped file, and its positions. Nothing outside of a section is
// read, whatever the bytes contain.
//
// Threads  const functions from many threads
// Fails    kUnreadable for damage

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/block_file.h"
#include "index/postings/posting_coding.h"
#include "kernels/kernels.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns the error for a file with valid checksums and impossible content.
tl::unexpected<Error> ImpossiblePostings(const BlockFile& file, std::string_view what);

class PostingList {
 public:
  using Documents = std::array<uint32_t, kPostingBlock + 16>;

  // Opens the list of an entry, with at least one document, all below `documents_end`. File and
  // section must outlive it.
  static Result<PostingList> Open(const BlockFile& file, const BlockSection& lists,
                                  uint64_t documents_end, const FeatureEntry& entry);

  uint64_t frequency() const { return frequency_; }
  uint64_t blocks() const { return blocks_; }

  // Writes the documents of a block to `room`, and returns a view of it. They ascend, and are
  // greater than those of the block before.
  Result<std::span<const uint32_t>> Read(uint64_t block, Documents& room) const;

  // Returns the block, from `from` on, that contains a document if the list does.
  uint64_t BlockOf(uint32_t document, uint64_t from) const;

  // Appends the indexes of those documents of `among`, which ascend, that are in the list.
  Status FindAmong(std::span<const uint32_t> among, std::vector<uint32_t>& places) const;

 private:
  PostingList(const BlockFile& file, const BlockSection& lists, uint64_t documents_end,
              const FeatureEntry& entry)
      : file_(&file), lists_(&lists), documents_end_(documents_end), entry_(entry) {}
  // Returns the headers, whose bytes were touched.
  const PostingBlock* headers() const {
    return reinterpret_cast<const PostingBlock*>(lists_->data() + begin());
  }
  // Returns the offset of the headers.
  uint64_t begin() const { return uint64_t{entry_.at} * kListAlignment + sizeof(uint32_t); }
  // Returns a bound above all documents of a block: the first one of the next block, or the end.
  uint64_t Behind(uint64_t block) const {
    if (block + 1 == blocks_) return documents_end_;
    return std::min<uint64_t>(headers()[block + 1].first, documents_end_);
  }

  const BlockFile* file_;
  const BlockSection* lists_;
  uint64_t documents_end_ = 0;
  FeatureEntry entry_;
  uint64_t frequency_ = 1;
  uint64_t blocks_ = 1;
};

// Reads the positions of one document after another.
class PositionReader {
 public:
  PositionReader(const BlockFile& file, const BlockSection& positions, uint64_t at)
      : file_(&file), positions_(&positions), at_(at) {}

  // Appends the positions of the next document.
  Status Next(std::vector<uint32_t>& positions);

 private:
  Result<uint64_t> Number();

  const BlockFile* file_;
  const BlockSection* positions_;
  uint64_t at_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTING_LIST_H_
