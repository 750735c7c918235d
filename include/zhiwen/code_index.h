#ifndef ZHIWEN_CODE_INDEX_H_
#define ZHIWEN_CODE_INDEX_H_

// A folder of binary codes with labels, searched by Hamming distance: SimHash values of documents,
// hashes of pictures, anything of 64 or 32 bits of which equal is not enough. Rows are added and
// removed at any time, survive a crash, and are looked up in files that are mapped, not read.
//
// In          rows: a code, and a label of any bytes, often the id of a document, or none
// Out         the rows whose code differs from a query in at most `radius` bits
// Guarantees  an index is a set of rows: one that is added again is there once. What Commit
//             returned for is there after a crash, whole batches alone; a query gives the right
//             answer or an error, whatever happened to the files before they were opened, but for
//             the last record of the log of a writer that was killed: damage of that cannot be
//             told from a write that was cut off. Exact for every radius, but for queries that are
//             listed as truncated
// Cost        11 to 14 bytes a code on disk, 5 to 11 more and the label for rows with labels; a
//             look-up within 3 bits touches 66 places of each segment, or 50 to 60 places in all
//             after ReadIntoMemory. Rows of the log are in memory, see CodeWriterOptions
// Threads     const functions from many threads at once, also while others commit or merge; Commit
//             from many threads: those that meet share a sync. Not in a child of fork()
// Fails       see the functions; std::bad_alloc, and if that ended a change, questions afterwards
//             with kExhausted
// Persisted   docs/formats/code_index.md
// Not for     similar texts: their codes differ in more than 3 bits (docs/choosing.md)
//
// `files` is PosixFileSystem() of zhiwen/file_system.h; examples/find_package/known_pictures.cc
// opens, asks and adds.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/durability.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct CodeIndexOptions {
  uint32_t code_bits = 64;  // or 32: then the upper half of every code is 0

  friend bool operator==(const CodeIndexOptions&, const CodeIndexOptions&) = default;
};

inline constexpr uint32_t kMostRadius = 64;
inline constexpr size_t kMostLabelBytes = size_t{1} << 16;

struct CodeQuery {
  uint32_t radius = 3;  // at most kMostRadius
  // Where not 0: of each query only the rows of so many nearest codes; of codes at one distance
  // the least.
  uint32_t nearest = 0;
  // Behind the query with which the answer has so many rows it stops: see CodeAnswer::answered.
  // What is in memory is bounded by that, the rows of one query, and of each segment a million
  // codes, or those near the queries that it is asked for together: 32 at first, twice as many each
  // time, at most 1024, and fewer where they find many. Of `nearest`: those near 16384 queries.
  uint64_t most_rows = UINT64_MAX;
};

struct CodeMatch {
  uint32_t query = 0;  // its place in the batch
  uint32_t distance = 0;
  uint64_t code = 0;
  uint64_t label_begin = 0;  // in CodeAnswer::labels
  uint32_t label_size = 0;
};

struct CodeAnswer {
  // By query, then distance, code and label; each row once.
  std::vector<CodeMatch> matches;
  // The queries, ascending, of which a bound of the index was hit (a million codes that share one
  // half): what is listed of them is true, and there may be more.
  std::vector<uint32_t> truncated;
  std::string labels;
  // How many queries of the batch, from the front, the answer is of.
  uint32_t answered = 0;

  std::string_view LabelOf(const CodeMatch& match) const {
    return std::string_view(labels).substr(match.label_begin, match.label_size);
  }
};

// One query of a batch, and the part of a CodeAnswer that it found.
struct CodeQueryResult {
  uint64_t code = 0;
  std::string_view label = {};  // of the query
  bool is_truncated = false;
  std::span<const CodeMatch> matches;
};

// Two rows of a join. Codes of a pair differ, and are then those of two least labels; or they are
// equal, and the labels differ: then `a` is the row of the code with the least label.
struct CodeRowPair {
  uint32_t distance = 0;
  uint64_t a = 0, b = 0;  // a <= b
  std::string_view label_a, label_b;
};

struct CodeSegmentStats {
  std::string file;    // its name in the folder
  uint64_t codes = 0;  // distinct ones
  uint64_t rows = 0, deleted_rows = 0;
  uint64_t bytes = 0;
};

struct CodeIndexStats {
  std::vector<CodeSegmentStats> segments;  // as they were made
  uint64_t generation = 0;                 // of the manifest: one more with every change of files
  uint64_t sequence = 0;                   // what Flush was told last
  uint64_t log_rows = 0;                   // rows that are in the log alone
  uint64_t log_bytes = 0;
  uint64_t table_bytes = 0;  // of memory that ReadIntoMemory took

  // Of segments and log. A row that was added in two segments counts twice until they are merged.
  uint64_t rows() const;
  uint64_t bytes() const;
  // Whether rows() counts each row once, whatever was added.
  bool counts_once() const { return segments.size() + (log_rows == 0 ? 0 : 1) <= 1; }
};

// An index as it was when it was opened, or that of a writer.
class CodeIndex {
 public:
  // Makes a folder with an index without rows. Fails: kConflict where something is in the way;
  // kInvalidArgument for options out of range.
  static Status Create(FileSystem& files, const std::string& folder,
                       const CodeIndexOptions& options);

  // Opens the state of the last commit, for reading: what others do later does not change it.
  // `files` must outlive the object. Fails: kNotFound where no index is; kUnreadable, naming the
  // file, where one is damaged or missing; kConflict for files of another version.
  static Result<std::unique_ptr<CodeIndex>> Open(FileSystem& files, const std::string& folder);

  virtual ~CodeIndex() = default;

  virtual const CodeIndexOptions& options() const = 0;
  virtual CodeIndexStats stats() const = 0;

  // Reads all codes into tables in memory. Later queries look codes up there and not in every
  // segment. Their answers are the same, but other queries may be truncated: in these tables, the
  // halves of a code are its even and its odd bits. Labels are still read from the segments. This
  // pays off for hundreds of thousands of queries: reading ten million codes takes two seconds and
  // saves 4 to 15 µs a query. Cost: 18 bytes of memory a code from ten million codes on, 21.5 from
  // a million on; while they are read, 24 bytes more for each of up to 2²⁴ codes, and half of the
  // tables a second time. Others may query meanwhile.
  // Progress is the stage "rows". Fails: kUnreadable where a file is damaged, and as
  // `cancellation` says, with nothing changed.
  virtual Status ReadIntoMemory(ProgressSink& progress, const Cancellation& cancellation) = 0;

  // Appends the matches of `queries`, fewer than 2³², to `answer`. A batch sees one state; commits
  // wait for it, and who asks then for these. Fails: kUnreadable where a file is damaged;
  // kInvalidArgument for a radius, or a query, out of range.
  virtual Status Query(std::span<const uint64_t> queries, const CodeQuery& query,
                       CodeAnswer& answer) const = 0;

  // Calls visit(pair) for every two codes within `radius` of each other, and for every further
  // label of a code, by a, then b, then labels. Commits wait for it, and who asks then for these:
  // `visit` must do neither. Progress is the stages "join", when pairs are found, and "rows", when
  // they are handed over. Cost: memory of 40 bytes a code, and of the pairs. Fails as Query, and
  // as `visit` and `cancellation` say.
  virtual Status Join(uint32_t radius, const std::function<Status(const CodeRowPair& pair)>& visit,
                      ProgressSink& progress, const Cancellation& cancellation) const = 0;
};

// Changes of rows, in their order; an index takes all or none.
class CodeChanges {
 public:
  void Add(uint64_t code, std::string_view label = {});
  // Rows that are not there are no error. Of one row, of all rows with the code, with the label.
  void Remove(uint64_t code, std::string_view label);
  void RemoveCode(uint64_t code);
  void RemoveLabel(std::string_view label);

  uint64_t size() const { return additions_ + removals_; }
  uint64_t additions() const { return additions_; }
  uint64_t removals() const { return removals_; }
  void Clear();

  // As the log has them: docs/formats/code_index.md.
  const std::string& bytes() const { return bytes_; }
  // What all codes have of bits, and the size of the longest label.
  uint64_t code_bits_set() const { return code_bits_set_; }
  size_t longest_label() const { return longest_label_; }

 private:
  void NoteCode(uint64_t code);
  void NoteLabel(std::string_view label);

  std::string bytes_;
  uint64_t additions_ = 0, removals_ = 0;
  uint64_t code_bits_set_ = 0;
  size_t longest_label_ = 0;
};

struct CodeWriterOptions {
  Durability durability = Durability::kOwnLog;
  // A log of so many bytes, a gigabyte at most, becomes a segment. Its rows are in memory, 250
  // bytes each and the label, and whoever opens the index reads it, half a million rows a second;
  // where labels are removed all labels of the index once more. With kReplayedByOwner only Flush
  // makes segments, and so bounds memory.
  uint64_t log_bytes = uint64_t{4} << 20;
  // A commit of so many additions, and nothing else, becomes a segment at once, without the log.
  uint64_t direct_rows = uint64_t{1} << 16;
};

class CodeIndexWriter {
 public:
  // Fails as CodeIndex::Open; kConflict when another writer has it open.
  static Result<std::unique_ptr<CodeIndexWriter>> Open(FileSystem& files, const std::string& folder,
                                                       const CodeWriterOptions& options);
  virtual ~CodeIndexWriter() = default;

  // The state of the last commit, at any time; it lives as long as the writer.
  virtual const CodeIndex& index() const = 0;

  // As CodeIndex::ReadIntoMemory, for queries of index(). Commits wait for it, and from then on
  // change the tables, too; queries wait for that, half a microsecond a row. If it fails because a
  // file is damaged, later queries read the segments again.
  virtual Status ReadIntoMemory(ProgressSink& progress, const Cancellation& cancellation) = 0;

  // Returns when the changes are on the disk; with kReplayedByOwner, when they are in memory. A
  // removal by label reads all labels of the index, once a commit. Fails: kInvalidArgument for a
  // code or a label out of range, or more than a gigabyte of changes, and where the log has no
  // room, with nothing changed; else with what the disk says: then it is open whether they are in
  // the index, and as a rule every further change fails until it is opened again.
  virtual Status Commit(const CodeChanges& changes) = 0;

  // Makes a segment of what is in memory, and tells the index that its owner need not commit again
  // what was numbered up to `sequence`. Fails as Commit; a full disk alone changes nothing, and it
  // can be tried again.
  virtual Status Flush(uint64_t sequence) = 0;

  // Merges some segments of about one size into one, or writes one of which a quarter is deleted
  // again; returns false where there is none to. A row is written once for each fourfold growth of
  // what is added. Needs as much free disk as the segments take; memory: 16 MB, and
  // 16 bytes for each deleted code. Others may commit and query meanwhile. Fails as Flush, and as
  // `cancellation` says, with nothing changed.
  virtual Result<bool> MergeOnce(ProgressSink& progress, const Cancellation& cancellation) = 0;
  // Makes one segment of all, as long as they have fewer than 2³¹ rows.
  virtual Status MergeAll(ProgressSink& progress, const Cancellation& cancellation) = 0;

  // Notes that the index was closed in order, so that damage of its log can be told from a crash.
  // Nothing else may be called then. Fails as Commit; what was committed is there all the same.
  virtual Status Close() = 0;
};

// What CheckCodeIndex found.
struct CodeIndexCheck {
  CodeIndexStats stats;
  std::vector<std::string> problems;  // each names the file
  std::vector<std::string>
      leftovers;  // files that belong to no index: the next writer removes them
};

// Reads every byte of an index and holds its parts against each other. Fails: kNotFound where no
// index is, and as `cancellation` says; damage is a problem, no failure.
Result<CodeIndexCheck> CheckCodeIndex(FileSystem& files, const std::string& folder,
                                      ProgressSink& progress, const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_CODE_INDEX_H_
