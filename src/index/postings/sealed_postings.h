#ifndef ZHIWEN_INDEX_POSTINGS_SEALED_POSTINGS_H_
#define ZHIWEN_INDEX_POSTINGS_SEALED_POSTINGS_H_

// Postings in a file, mapped and used where they lie; WritePostings makes it. A feature is looked
// up in a directory by the upper bits of its key; its documents are gaps packed into as many bits
// as the largest gap of 128 needs: the blocks of D. Lemire, L. Boytsov, "Decoding Billions of
// Integers per Second through Vectorization", 2015, with a front that tells where a block begins.
//
// Guarantees  what is given is what was written, or an error
// Cost        with the directory 13 bytes a feature, 12 from 2,048 on, 11 from half a million on,
// 10 from 134 million
//             on; for one in two documents or more 4 bytes, 8 bytes for each 128, and a posting as
//             many bits as its block's largest gap. Open reads the summary, and what
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
  // Those of a file that has the same sections and others; it outlives the object.
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

  // For FindTopOverlap, of distinct features; it uses this object.
  Result<FoundLists> ListsOf(std::span<const uint64_t> features) const;

  // All of it, to be written again; it uses this object.
  PostingsSource Source() const;

  // Of what a file can have, lists and features: how much these need, mostly, merged with others.
  double ShareOfFile() const;

  // Greater than every document that has a feature.
  uint64_t documents_end() const { return summary_.documents_end; }

  // Reads everything, and holds its parts against each other.
  Status CheckAll(const Cancellation& cancellation) const;

  // The file, for its identity and to check every block of it.
  const BlockFile& file() const { return *file_; }

 private:
  class Lists;
  friend class PostingsCursor;

  SealedPostings() = default;
  Status ReadSections();
  // A feature, and its place among all.
  struct Found {
    uint64_t place = 0;
    FeatureEntry entry;
  };
  // The entry at a place, in a part of the directory.
  Result<FeatureEntry> EntryAt(uint64_t place, uint64_t part) const;
  Result<std::optional<Found>> Find(uint64_t feature) const;
  Result<PostingList> ListOf(const FeatureEntry& entry) const;
  static Status AppendDocuments(const PostingList& list, std::vector<uint32_t>& documents);
  Result<uint64_t> PositionsOf(uint64_t place, const PostingList& list, uint64_t block) const;
  Status VisitFeatures(const FeatureTake& take) const;
  Status CheckDirectory(uint64_t& part, uint64_t place, uint64_t end) const;
  void PrefetchAll(std::span<const uint64_t> features) const;

  std::unique_ptr<BlockFile> owned_;  // by who opened a path
  const BlockFile* file_ = nullptr;
  BlockSection lists_, features_, directory_, positions_, position_starts_;
  PostingsSummary summary_;
  FeatureCoding coding_;
};

// Goes through the features of a file, by key, which outlives it.
class PostingsCursor {
 public:
  explicit PostingsCursor(const SealedPostings& postings) : postings_(&postings) {}

  // Goes to the next feature; false behind the last.
  Result<bool> Next();
  // Of the feature that it is at.
  uint64_t key() const { return entry_.key; }
  // Its documents and positions; views that live until the next call.
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
