#ifndef ZHIWEN_INDEX_POSTINGS_SEALED_POSTINGS_H_
#define ZHIWEN_INDEX_POSTINGS_SEALED_POSTINGS_H_

// Postings in a mapped file, which are used in place; WritePostings writes the file. A feature is
// looked up in a directory by the upper bits of its key. Its documents are stored as gaps, packed
// into as many bits as the largest of 128 gaps needs. These are the blocks of D. Lemire, L.
// Boytsov, "Decoding Billions of Integers per Second through Vectorization", 2015, with a header
// that tells where a block begins.
//
// Guarantees  the answer is what was written, or an error
// Cost        with the directory 13 bytes a feature, 12 from 2,048 on, 11 from half a million on,
//             10 from 134 million on; short ones take 2 or 3 bytes less. A feature in two or more
//             documents also takes 4 bytes, 8 bytes for each 128 documents, and for a posting as
//             many bits as the largest gap of its block. Open reads the summary, and what
//             BlockFile::Open reads; a look-up reads two places, and a third when the feature is in
//             several documents
// Threads     const after Open: share freely
// Fails       Open: kNotFound, kUnreadable for damage, kConflict for another version; all others:
//             kUnreadable
// Persisted   docs/formats/postings.md

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files/block_file.h"
#include "index/postings/overlap_index.h"
#include "index/postings/posting_list.h"
#include "index/postings/postings_writer.h"
#include "index/postings/top_overlap.h"
#include "zhiwen/environment.h"

namespace zhiwen {

class SealedPostings final : public OverlapIndex {
 public:
  static Result<std::unique_ptr<SealedPostings>> Open(FileSystem& files, const std::string& path);
  // Opens the postings in a file with the same sections and others, which must outlive the object.
  static Result<std::unique_ptr<SealedPostings>> Of(const BlockFile& file);

  PostingsStatistics statistics() const override;
  PostingsContent content() const override {
    return summary_.content == 1 ? PostingsContent::kPositions : PostingsContent::kDocuments;
  }
  uint64_t bytes() const override { return file_->size(); }
  Status FindDocuments(uint64_t feature, std::vector<uint32_t>& documents) const override;
  Status FindPositions(uint64_t feature, uint32_t document,
                       std::vector<uint32_t>& positions) const override;
  Result<OverlapAnswer> Query(std::span<const uint64_t> features,
                              const OverlapOptions& options) const override;

  // Returns lists for FindTopOverlap. `features` must be distinct. The lists use this object.
  Result<FoundLists> ListsOf(std::span<const uint64_t> features) const;

  // Returns all postings, to be written again. The source uses this object.
  PostingsSource Source() const;

  // Returns the share of a file's limits, of lists and of features, that these postings usually
  // need when they are merged with others.
  double ShareOfFile() const;

  // Returns a number greater than every document that has a feature.
  uint64_t documents_end() const { return summary_.documents_end; }

  // Reads all data, and compares its parts with each other.
  Status CheckAll(const Cancellation& cancellation) const;

  // Returns the file, for its identity and for checking all blocks.
  const BlockFile& file() const { return *file_; }

 private:
  class Lists;
  friend class PostingsCursor;

  SealedPostings() = default;
  Status ReadSections();
  // A feature, and its index among all.
  struct Found {
    uint64_t place = 0;
    FeatureEntry entry;
  };
  // Returns the entry at a place, in a part of the directory.
  Result<FeatureEntry> EntryAt(uint64_t place, uint64_t part) const;
  Result<std::optional<Found>> Find(uint64_t feature) const;
  Result<PostingList> ListOf(const FeatureEntry& entry) const;
  static Status AppendDocuments(const PostingList& list, std::vector<uint32_t>& documents);
  Result<uint64_t> PositionsOf(uint64_t place, const PostingList& list, uint64_t block) const;
  Status VisitFeatures(const FeatureTake& take) const;
  Status CheckDirectory(uint64_t& part, uint64_t place, uint64_t end) const;
  void PrefetchAll(std::span<const uint64_t> features) const;

  std::unique_ptr<BlockFile> owned_;  // set when a path was opened
  const BlockFile* file_ = nullptr;
  BlockSection lists_, features_, directory_, positions_, position_starts_;
  PostingsSummary summary_;
  FeatureCoding coding_;
};

// Iterates over the features of a file by key. The file must outlive the cursor.
class PostingsCursor {
 public:
  explicit PostingsCursor(const SealedPostings& postings) : postings_(&postings) {}

  // Moves to the next feature. Returns false after the last one.
  Result<bool> Next();
  // Returns the key of the current feature.
  uint64_t key() const { return entry_.key; }
  // Returns its documents and positions, as views that are valid until the next call.
  Result<FeaturePostings> Read();

 private:
  const SealedPostings* postings_;
  uint64_t next_ = 0, part_ = 0;
  FeatureEntry entry_;
  std::vector<uint32_t> documents_, positions_;
  std::vector<uint64_t> ends_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_SEALED_POSTINGS_H_
