#ifndef ZHIWEN_TERM_SNAPSHOT_H_
#define ZHIWEN_TERM_SNAPSHOT_H_

// In how many documents of a corpus each term is: the df of TF·IDF, frozen as a value with a
// version.
//
// Out         a file that is mapped and searched in place
// Guarantees  the same bytes for the same documents, whatever their order, threads and memory; the
//             merge of two snapshots is, byte for byte, the snapshot of both corpora
// Cost        building: that of the terms; memory as options say, the rest sorted on disk, also of
//             a single text that has more terms than fit. Opening
//             reads the file once; a look-up is a binary search
// Threads     a snapshot is const: share freely. A builder: one at a time
// Fails       see the functions
// Persisted   docs/formats/terms.md

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/environment.h"
#include "zhiwen/executor.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

class SectionFile;
class TermExtractor;

class TermSnapshot {
 public:
  // Maps and verifies the file. Fails: kNotFound; kUnreadable when it is damaged or no such file;
  // kConflict when it is of another format version.
  static Result<std::shared_ptr<const TermSnapshot>> Open(FileSystem& files,
                                                          const std::string& path);
  ~TermSnapshot();

  // 16 hex digits of its checksum; what scheme names have behind "df=".
  const std::string& id() const { return id_; }
  const std::string& path() const;
  // TermExtractor::name() of the terms.
  std::string_view terms_name() const { return terms_name_; }
  uint64_t documents() const { return documents_; }
  // Terms of fewer documents were left out; 1: none were.
  uint64_t least_documents() const { return least_documents_; }
  // Whether a term that is in so many documents of the snapshot may be one of fewer documents that
  // was left out.
  bool may_be_left_out(uint64_t documents) const { return documents == 0 && least_documents_ > 1; }

  // The terms in order of their bytes.
  size_t size() const { return counts_.size(); }
  std::string_view term(size_t index) const;
  uint64_t documents_with(size_t index) const { return counts_[index]; }

  // In how many documents the term is; 0 when it is not in the snapshot.
  uint64_t DocumentsWith(std::string_view wanted) const;

  // 65536 · (1 + log2((N + 1) / (d + 1))), where N documents were counted and d have the term;
  // where rare terms were left out, d of a missing one is the most that it can be. In integers:
  // the same on every machine.
  uint64_t Idf(std::string_view wanted) const;

  // Fails: kConflict where the terms of `extractor` are not those that were counted; kUnreadable
  // where none were.
  Status CheckMadeWith(const TermExtractor& extractor) const;

 private:
  TermSnapshot() = default;
  Status Read();

  std::unique_ptr<const SectionFile> file_;
  std::string id_;
  std::string_view terms_name_, words_;
  std::span<const uint32_t> ends_, counts_;
  uint64_t documents_ = 0, least_documents_ = 1;
};

inline constexpr uint64_t kLeastSnapshotMemory = uint64_t{4} << 20;

struct SnapshotOptions {
  std::string output;            // the file; work is done in "OUTPUT.partial/", which then goes
  bool overwrite = false;        // a snapshot, or an empty file, that is there
  uint64_t least_documents = 1;  // terms of fewer are left out
  // Of counting, at least kLeastSnapshotMemory; the texts of a call of Add come on top, and a
  // megabyte or two of the segmenter for each thread.
  uint64_t memory_bytes = uint64_t{1} << 30;
};

// What was written.
struct SnapshotSummary {
  std::string id;
  uint64_t documents = 0, terms = 0, left_out = 0;  // left_out: terms
};

// Counts the documents of a corpus. Without Finish nothing is left on disk.
class SnapshotBuilder {
 public:
  // `extractor` and `files` must outlive the builder. Fails: kConflict when the output is there, or
  // another process is at it; kInvalidArgument for too little memory.
  static Result<std::unique_ptr<SnapshotBuilder>> Create(FileSystem& files,
                                                         const TermExtractor& extractor,
                                                         const SnapshotOptions& options);
  ~SnapshotBuilder();

  // Counts one document for each text. Fails: kExhausted (the disk; 2³² documents), or on
  // cancellation, which is seen inside of a text; then the builder is of no further use.
  Status Add(Executor& executor, std::span<const std::string_view> texts,
             const Cancellation& cancellation);

  // Writes the snapshot and moves it to its place. Fails also on cancellation, and, with nothing
  // replaced, where there is no term: kUnreadable, or kInvalidArgument when all were left out.
  Result<SnapshotSummary> Finish(const Cancellation& cancellation);

 private:
  struct State;
  explicit SnapshotBuilder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Writes the snapshot of all corpora that `snapshots`, at least one, were made of. Fails: kConflict
// when they have other terms, or rare terms of one were left out, which makes sums wrong; as Finish
// where no term is left.
Result<SnapshotSummary> MergeSnapshots(
    FileSystem& files, std::span<const std::shared_ptr<const TermSnapshot>> snapshots,
    const SnapshotOptions& options, const Cancellation& cancellation);

// The indices of the `top` terms of most documents, equal ones in order of their bytes.
std::vector<size_t> MostFrequent(const TermSnapshot& snapshot, size_t top);

}  // namespace zhiwen

#endif  // ZHIWEN_TERM_SNAPSHOT_H_
