#ifndef ZHIWEN_FEATURE_TERMS_SNAPSHOT_FILE_H_
#define ZHIWEN_FEATURE_TERMS_SNAPSHOT_FILE_H_

// Writes a snapshot from terms that come in order, through scratch: a snapshot may be larger than
// the memory.
//
// Guarantees  as SectionOutput
// Threads     one at a time
// Fails       kConflict: the output is there or another process is at it; kExhausted: the disk, or
//             4 GiB of terms; kUnreadable, kInvalidArgument: there is no term (SnapshotBuilder)
// Persisted   docs/formats/terms.md

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/files/section_file.h"
#include "base/files/section_output.h"
#include "base/scratch/scratch.h"
#include "base/scratch/spool.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"
#include "zhiwen/term_snapshot.h"

namespace zhiwen {

inline constexpr SectionFileKind kTermsFile = {.name = "terms", .version = 1};
inline constexpr uint64_t kMostSnapshotDocuments = UINT32_MAX;

// Its sections, in order.
inline constexpr std::string_view kAboutSection = "about";    // SnapshotAbout
inline constexpr std::string_view kNameSection = "name";      // TermExtractor::name()
inline constexpr std::string_view kWordsSection = "words";    // the terms, one behind another
inline constexpr std::string_view kEndsSection = "ends";      // uint32_t: where each ends in words
inline constexpr std::string_view kCountsSection = "counts";  // uint32_t: documents with each

struct SnapshotAbout {
  uint64_t documents = 0;
  uint64_t least_documents = 1;
};

class SnapshotFile {
 public:
  static Result<std::unique_ptr<SnapshotFile>> Create(FileSystem& files,
                                                      const SnapshotOptions& options);

  // For sorting; its spools and those of this object share an eighth of the memory.
  Scratch& scratch() { return *scratch_; }

  // Adds a term, each above the one before it, that `documents` have; one of too few is left out.
  Status Add(std::string_view term, uint64_t documents);

  // Writes the file and gives it its place.
  Result<SnapshotSummary> Publish(std::string_view terms_name, uint64_t documents);

 private:
  explicit SnapshotFile(const SnapshotOptions& options) : options_(options) {}
  Status Open(FileSystem& files);
  Status CheckAnyTerm(uint64_t documents) const;

  const SnapshotOptions options_;
  std::unique_ptr<SectionOutput> output_;  // goes last: it removes the scratch
  std::unique_ptr<Scratch> scratch_;
  std::unique_ptr<Spool> words_, ends_, counts_;
  SnapshotSummary summary_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FEATURE_TERMS_SNAPSHOT_FILE_H_
