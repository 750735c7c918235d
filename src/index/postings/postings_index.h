#ifndef ZHIWEN_INDEX_POSTINGS_POSTINGS_INDEX_H_
#define ZHIWEN_INDEX_POSTINGS_POSTINGS_INDEX_H_

// An index in a folder of documents with their features. A search finds the documents that share
// the most features with a query.
//
// In          documents: 32-bit numbers, as in OverlapIndex, and features
// Guarantees  a document is in the index once, with the features that were added last. Changes for
//             which Commit returned survive a crash, by whole batches; a query gives the right
//             answer or an error, whatever happened to the files before they were opened, except
//             for the last record of the log of a writer that was killed. Bounds of frequencies
//             count deleted documents, see postings_parts.h
// Cost        on disk see postings_segment.h; the content of the log is in memory, see
//             memory_postings.h. Adding a document looks for its number in every segment
// Threads     const functions from many threads at once, also while others commit or merge; Commit
//             from many threads: those that meet share a sync
// Fails       see the functions; std::bad_alloc, and if that ended a change, later queries fail
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

// An index keeps features whole or short. Short ones have 42 bits of their hash, and take 2 or 3
// bytes less. A query that looks n of them up meets, in an index of m different ones, a wrong one
// n·m / 2⁴² times.
enum class FeatureKeys : uint8_t { kWhole, kShort };

struct PostingsIndexOptions {
  PostingsContent content = PostingsContent::kDocuments;
  FeatureKeys keys = FeatureKeys::kWhole;

  friend bool operator==(const PostingsIndexOptions&, const PostingsIndexOptions&) = default;
};

struct PostingsSegmentStats {
  std::string file;               // name in the folder
  PostingsStatistics statistics;  // including deleted documents
  uint64_t deleted_documents = 0;
  uint64_t bytes = 0;
};

struct PostingsIndexStats {
  std::vector<PostingsSegmentStats> segments;  // in the order in which they were made
  PostingsStatistics log;                      // for the log alone
  // Generation of the manifest, which grows by one with every change of files.
  uint64_t generation = 0;
  uint64_t sequence = 0;  // the value last given to Flush
  uint64_t log_bytes = 0;

  uint64_t documents() const;
  uint64_t bytes() const;  // on the disk
};

// Features that were looked up once, for several queries. Changes of the index wait while it lives.
//
// Threads     ends in the thread that made it, which neither commits nor queries the index
// meanwhile
class FeatureLists {
 public:
  virtual ~FeatureLists() = default;

  // Answers as OverlapIndex::Query does, from `features` that were all looked up.
  virtual Result<OverlapAnswer> Query(std::span<const uint64_t> features,
                                      const OverlapOptions& options) const = 0;
};

// An index as it was when it was opened, or the current one of a writer.
class PostingsIndex : public OverlapIndex {
 public:
  // Makes a folder with an index without documents. Fails: kConflict when something is in the way.
  static Status Create(FileSystem& files, const std::string& folder,
                       const PostingsIndexOptions& options);

  // Opens the state of the last commit for reading; later changes by others do not affect it.
  // `files` must outlive the object. Fails: kNotFound when there is no index; kUnreadable, naming
  // the file, when a file is damaged or missing; kConflict for files of another version.
  static Result<std::unique_ptr<PostingsIndex>> Open(FileSystem& files, const std::string& folder);

  // Looks features up, for queries about any of them. The index must outlive the lists.
  virtual Result<std::unique_ptr<FeatureLists>> LookUp(
      std::span<const uint64_t> features) const = 0;

  virtual const PostingsIndexOptions& options() const = 0;
  virtual PostingsIndexStats stats() const = 0;
};

// A sequence of changes of documents. An index applies all or none.
class PostingsChanges {
 public:
  // Makes changes for an index with these options.
  explicit PostingsChanges(const PostingsIndexOptions& options) : options_(options) {}
  explicit PostingsChanges(PostingsContent content) : options_{.content = content} {}

  // Adds a document, or replaces the one with this number. Features are as for
  // MutableOverlapIndex::Insert.
  void Add(uint32_t document, std::span<const FeatureAt> features);
  // Removes a document. Removing a missing one is not an error.
  void Remove(uint32_t document);

  const PostingsIndexOptions& options() const { return options_; }
  uint64_t size() const { return additions_ + removals_; }
  uint64_t additions() const { return additions_; }
  uint64_t removals() const { return removals_; }
  void Clear();

  // Returns the changes as the log stores them: docs/formats/postings_index.md.
  const std::string& bytes() const { return bytes_; }

 private:
  PostingsIndexOptions options_;
  std::string bytes_;
  std::vector<FeatureAt> sorted_;
  uint64_t additions_ = 0, removals_ = 0;
};

struct PostingsWriterOptions {
  Durability durability = Durability::kOwnLog;
  // A log of this size, at most a gigabyte, becomes a segment. It has 8 bytes for a feature of a
  // document, 12 with its position; in memory they take about 35. Opening the index reads the log.
  // With kReplayedByOwner only Flush makes segments, and so bounds memory.
  uint64_t log_bytes = uint64_t{16} << 20;
};

class PostingsIndexWriter {
 public:
  // Fails as PostingsIndex::Open does; also kConflict when another writer has the index open.
  static Result<std::unique_ptr<PostingsIndexWriter>> Open(FileSystem& files,
                                                           const std::string& folder,
                                                           const PostingsWriterOptions& options);
  virtual ~PostingsIndexWriter() = default;

  // Returns the state of the last commit, at any time. It lives as long as the writer.
  virtual const PostingsIndex& index() const = 0;

  // Returns once the changes are on the disk; with kReplayedByOwner, once they are in memory.
  // Fails: kInvalidArgument, with nothing changed, for changes of other options or more than a
  // gigabyte of them; otherwise as the disk does. It is then unknown whether the changes are in the
  // index, and as a rule every further change fails until the index is opened again.
  virtual Status Commit(const PostingsChanges& changes) = 0;

  // Makes a segment of the rows in memory, and notes that the owner need not commit again the
  // changes numbered up to `sequence`. Fails as Commit does; a full disk changes nothing, and the
  // call can be repeated.
  virtual Status Flush(uint64_t sequence) = 0;

  // Merges some segments of similar size into one, or rewrites a segment of which a quarter is
  // deleted. Returns false when there is nothing to do. Needs as much free disk as the segments
  // take; memory: 4 bytes for each of their documents, and the postings of one feature. Others may
  // commit and query meanwhile. Fails as Flush does, and as `cancellation` says, with nothing
  // changed.
  virtual Result<bool> MergeOnce(ProgressSink& progress, const Cancellation& cancellation) = 0;
  // Merges all segments into one, as far as they fit: 2³¹ documents, and 12 GiB of lists, for which
  // each feature of a segment counts as 8 bytes more.
  virtual Status MergeAll(ProgressSink& progress, const Cancellation& cancellation) = 0;

  // Notes that the index was closed in order, so that damage of its log can be distinguished from a
  // crash. No other function may be called afterwards. Fails as Commit does; committed changes
  // remain.
  virtual Status Close() = 0;
};

// The findings of CheckPostingsIndex.
struct PostingsIndexCheck {
  PostingsIndexStats stats;
  std::vector<std::string> problems;   // each names the file
  std::vector<std::string> leftovers;  // not part of the index; the next writer removes them
};

// Reads every byte of an index, and compares its parts with each other. Fails: kNotFound when there
// is no index, and as `cancellation` says. Damage is reported as a problem, and is not a failure.
Result<PostingsIndexCheck> CheckPostingsIndex(FileSystem& files, const std::string& folder,
                                              ProgressSink& progress,
                                              const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTINGS_INDEX_H_
