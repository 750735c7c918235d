#ifndef ZHIWEN_INDEX_MINHASH_MINHASH_INDEX_H_
#define ZHIWEN_INDEX_MINHASH_MINHASH_INDEX_H_

// An index in a folder that finds the documents that resemble a query by their MinHash signatures:
// a document that shares a band of rows with the query (bands/band_plan.h), and enough of the bits
// that are kept of all values, is a candidate. The index survives a crash, and its files are
// mapped, not read. P. Indyk, R. Motwani, "Approximate Nearest Neighbors", 1998; J. Leskovec, A.
// Rajaraman, J. Ullman, "Mining of Massive Datasets", §3.4.
//
// In          documents' numbers, which their owner chooses, and signatures of one MinHash
// Out         the documents that reach the threshold, as the owner says or by estimates
// Guarantees  an index is a set of documents: a document that is added again is replaced. Changes
//             for which Commit returned survive a crash, by whole batches; damage gives an error or
//             the right answer (zhiwen/code_index.h states the exception). What QueryVerified lists
//             is true. Of the documents at resemblance s it finds a share of at least
//             ExpectedRecall(s), for all queries except those in `truncated`. The limit of a bucket
//             applies separately in each segment and in the log: there at most as many documents of
//             a bucket are examined, deleted ones included until segments are merged. A band that
//             is cut in any of these counts once
// Cost        93 bytes a document on disk at defaults, from a million on; documents of the log are
//             in memory, 200 bytes each. A query reads 16 places of each segment and one for each
//             document of its buckets: 1.6 µs in one segment of a million, 4.3 µs in five of a
//             fifth (minhash_benchmark.cc). A change reads one place for each doubling of every
//             segment. Merging takes 6 bytes of memory a document
// Threads     const functions from many threads at once, also while others commit or merge; Commit
//             from many threads: those that meet share a sync
// Fails       see the functions; std::bad_alloc, and if that ended a change, later queries fail
//             with kExhausted
// Persisted   docs/formats/minhash_index.md
// Not for     short texts in long ones, whose resemblance is low

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/minhash/minhash_changes.h"
#include "index/minhash/minhash_plan.h"
#include "index/minhash/signature_rows.h"
#include "index/minhash/similarity_answer.h"
#include "zhiwen/durability.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct MinHashSegmentStats {
  std::string file;  // name in the folder
  uint64_t documents = 0, deleted_documents = 0;
  uint64_t bytes = 0;
};

struct MinHashIndexStats {
  std::vector<MinHashSegmentStats> segments;  // in the order in which they were made
  // Generation of the manifest, which grows by one with every change of files.
  uint64_t generation = 0;
  uint64_t sequence = 0;  // the value last given to Flush
  uint64_t log_documents = 0;
  uint64_t log_bytes = 0;

  // Return the sums over segments and log.
  uint64_t documents() const;
  uint64_t bytes() const;
};

// An index as it was when it was opened, or the current one of a writer.
class MinHashIndex {
 public:
  // Makes a folder with an index without documents. Fails: kConflict when something is in the way;
  // kInvalidArgument for options out of range, or more than kMostBands bands.
  static Status Create(FileSystem& files, const std::string& folder,
                       const MinHashIndexOptions& options);

  // Opens the state of the last commit for reading; later changes by others do not affect it.
  // `files` must outlive the object. Fails: kNotFound when there is no index; kUnreadable, naming
  // the file, when a file is damaged or missing; kConflict for files of another version or another
  // kind.
  static Result<std::unique_ptr<MinHashIndex>> Open(FileSystem& files, const std::string& folder);

  virtual ~MinHashIndex() = default;

  // Returns the plan with which changes are made.
  virtual const MinHashPlan& plan() const = 0;
  virtual MinHashIndexStats stats() const = 0;

  // Return for each query the documents that reach the threshold: by the estimate of resemblance,
  // or by the caller, who is asked for the similarities of all candidates of a query at once. A
  // batch, of fewer than 2³² queries, sees one state; commits wait while candidates are searched.
  // Fail: kInvalidArgument for signatures of another size; kUnreadable when a file is damaged.
  virtual Result<SimilarityAnswer> QueryEstimates(const SignatureRows& queries) const = 0;
  virtual Result<SimilarityAnswer> QueryVerified(const SignatureRows& queries,
                                                 const SimilarityOf& similarity_of) const = 0;
  double ExpectedRecall(double resemblance, uint32_t cut_bands = 0) const {
    return plan().ExpectedRecall(resemblance, cut_bands);
  }

  virtual Result<bool> Contains(uint64_t document) const = 0;
  // Calls visit(document) for all documents, in no particular order. Commits wait meanwhile, and so
  // do queries that start then: `visit` must do neither.
  virtual Status VisitDocuments(const std::function<Status(uint64_t document)>& visit) const = 0;
};

struct MinHashWriterOptions {
  Durability durability = Durability::kOwnLog;
  // A log of this size, at most a gigabyte, becomes a segment. At defaults it has 75 bytes a
  // document. Opening the index reads the log. With kReplayedByOwner only Flush makes segments, and
  // so bounds memory.
  uint64_t log_bytes = uint64_t{16} << 20;
};

class MinHashIndexWriter {
 public:
  // Fails as MinHashIndex::Open does; also kConflict when another writer has the index open.
  static Result<std::unique_ptr<MinHashIndexWriter>> Open(FileSystem& files,
                                                          const std::string& folder,
                                                          const MinHashWriterOptions& options);
  virtual ~MinHashIndexWriter() = default;

  // Returns the state of the last commit, at any time. It lives as long as the writer.
  virtual const MinHashIndex& index() const = 0;

  // These functions are those of CodeIndexWriter (zhiwen/code_index.h). Commit also fails with
  // kInvalidArgument, and nothing changed, for changes that were made with another plan.
  virtual Status Commit(const MinHashChanges& changes) = 0;
  virtual Status Flush(uint64_t sequence) = 0;
  virtual Result<bool> MergeOnce(ProgressSink& progress, const Cancellation& cancellation) = 0;
  virtual Status MergeAll(ProgressSink& progress, const Cancellation& cancellation) = 0;
  virtual Status Close() = 0;
};

// The findings of CheckMinHashIndex.
struct MinHashIndexCheck {
  MinHashIndexStats stats;
  std::vector<std::string> problems;   // each names the file
  std::vector<std::string> leftovers;  // files that the next writer removes
};

// Reads every byte of an index, and compares its parts with each other. Fails: kNotFound when there
// is no index, and as `cancellation` says. Damage is reported as a problem, and is not a failure.
Result<MinHashIndexCheck> CheckMinHashIndex(FileSystem& files, const std::string& folder,
                                            ProgressSink& progress,
                                            const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_MINHASH_INDEX_H_
