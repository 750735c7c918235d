#ifndef ZHIWEN_INDEX_POSTINGS_POSTINGS_INDEX_H_
#define ZHIWEN_INDEX_POSTINGS_POSTINGS_INDEX_H_

// A folder of documents with their features, searched by how many of these they share.
//
// In          documents: a number of 32 bits, as OverlapIndex has them, and features
// Guarantees  a document is there once, with the features that it was added with last. What Commit
//             returned for is there after a crash, whole batches alone; a query gives the right
//             answer or an error, whatever happened to the files before they were opened, but for
//             the last record of the log of a writer that was killed. Bounds of frequencies count
//             deleted documents, see postings_parts.h
// Cost        on disk see postings_segment.h; what is in the log is in memory, see
//             memory_postings.h. Adding a document looks for its number in every segment
// Threads     const functions from many threads at once, also while others commit or merge; Commit
//             from many threads: those that meet share a sync
// Fails       see the functions; std::bad_alloc, and if that ended a change, questions afterwards
//             with kExhausted
// Persisted   docs/formats/postings_index.md

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/postings/overlap_index.h"
#include "zhiwen/durability.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct PostingsIndexOptions {
  PostingsContent content = PostingsContent::kDocuments;

  friend bool operator==(const PostingsIndexOptions&, const PostingsIndexOptions&) = default;
};

struct PostingsSegmentStats {
  std::string file;               // its name in the folder
  PostingsStatistics statistics;  // with the deleted documents
  uint64_t deleted_documents = 0;
  uint64_t bytes = 0;
};

struct PostingsIndexStats {
  std::vector<PostingsSegmentStats> segments;  // as they were made
  PostingsStatistics log;                      // what is in the log alone
  uint64_t generation = 0;  // of the manifest: one more with every change of files
  uint64_t sequence = 0;    // what Flush was told last
  uint64_t log_bytes = 0;

  uint64_t documents() const;
  uint64_t bytes() const;  // on the disk
};

// An index as it was when it was opened, or that of a writer.
class PostingsIndex : public OverlapIndex {
 public:
  // Makes a folder with an index without documents. Fails: kConflict where something is in the way.
  static Status Create(FileSystem& files, const std::string& folder,
                       const PostingsIndexOptions& options);

  // Opens the state of the last commit, for reading: what others do later does not change it.
  // `files` must outlive the object. Fails: kNotFound where no index is; kUnreadable, naming the
  // file, where one is damaged or missing; kConflict for files of another version.
  static Result<std::unique_ptr<PostingsIndex>> Open(FileSystem& files, const std::string& folder);

  virtual PostingsIndexStats stats() const = 0;
};

// Changes of documents, in their order; an index takes all or none.
class PostingsChanges {
 public:
  // For an index of this content.
  explicit PostingsChanges(PostingsContent content) : content_(content) {}

  // In place of what was there under the number. Features as MutableOverlapIndex::Insert has them.
  void Add(uint32_t document, std::span<const FeatureAt> features);
  // A document that is not there is no error.
  void Remove(uint32_t document);

  PostingsContent content() const { return content_; }
  uint64_t size() const { return additions_ + removals_; }
  uint64_t additions() const { return additions_; }
  uint64_t removals() const { return removals_; }
  void Clear();

  // As the log has them: docs/formats/postings_index.md.
  const std::string& bytes() const { return bytes_; }

 private:
  PostingsContent content_;
  std::string bytes_;
  std::vector<FeatureAt> sorted_;
  uint64_t additions_ = 0, removals_ = 0;
};

struct PostingsWriterOptions {
  Durability durability = Durability::kOwnLog;
  // A log of so many bytes, a gigabyte at most, becomes a segment. It has 8 bytes for a feature of
  // a document, 12 with its position; in memory they take about 35, and whoever opens the index
  // reads them. With kReplayedByOwner only Flush makes segments, and so bounds memory.
  uint64_t log_bytes = uint64_t{16} << 20;
};

class PostingsIndexWriter {
 public:
  // Fails as PostingsIndex::Open; kConflict when another writer has it open.
  static Result<std::unique_ptr<PostingsIndexWriter>> Open(FileSystem& files,
                                                           const std::string& folder,
                                                           const PostingsWriterOptions& options);
  virtual ~PostingsIndexWriter() = default;

  // The state of the last commit, at any time; it lives as long as the writer.
  virtual const PostingsIndex& index() const = 0;

  // Returns when the changes are on the disk; with kReplayedByOwner, when they are in memory.
  // Fails: kInvalidArgument for changes of another content, or more than a gigabyte of them, with
  // nothing changed; else with what the disk says: then it is open whether they are in the index,
  // and as a rule every further change fails until it is opened again.
  virtual Status Commit(const PostingsChanges& changes) = 0;

  // Makes a segment of what is in memory, and tells the index that its owner need not commit again
  // what was numbered up to `sequence`. Fails as Commit; a full disk alone changes nothing, and it
  // can be tried again.
  virtual Status Flush(uint64_t sequence) = 0;

  // Merges some segments of about one size into one, or writes one of which a quarter is deleted
  // again; returns false where there is none to. Needs as much free disk as the segments take;
  // memory: 4 bytes for each of their documents, and the postings of one feature. Others may commit
  // and query meanwhile. Fails as Flush, and as `cancellation` says, with nothing changed.
  virtual Result<bool> MergeOnce(ProgressSink& progress, const Cancellation& cancellation) = 0;
  // Makes one segment of all, as far as they fit into one: 2³¹ documents, and 12 GiB of lists, for
  // which each feature of a segment counts as 8 bytes more.
  virtual Status MergeAll(ProgressSink& progress, const Cancellation& cancellation) = 0;

  // Notes that the index was closed in order, so that damage of its log can be told from a crash.
  // Nothing else may be called then. Fails as Commit; what was committed is there all the same.
  virtual Status Close() = 0;
};

// What CheckPostingsIndex found.
struct PostingsIndexCheck {
  PostingsIndexStats stats;
  std::vector<std::string> problems;   // each names the file
  std::vector<std::string> leftovers;  // of no index: the next writer removes them
};

// Reads every byte of an index and holds its parts against each other. Fails: kNotFound where no
// index is, and as `cancellation` says; damage is a problem, no failure.
Result<PostingsIndexCheck> CheckPostingsIndex(FileSystem& files, const std::string& folder,
                                              ProgressSink& progress,
                                              const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTINGS_INDEX_H_
