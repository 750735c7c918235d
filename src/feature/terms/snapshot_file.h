#ifndef ZHIWEN_FEATURE_TERMS_SNAPSHOT_FILE_H_
#define ZHIWEN_FEATURE_TERMS_SNAPSHOT_FILE_H_

// Writes a snapshot from terms given in ascending order. The terms pass through scratch files, so a
// snapshot may be larger than the memory.
//
// Guarantees  as SectionOutput
// Threads     one at a time
// Fails       kConflict: the output exists, or another process is writing it; kExhausted: the disk
//             is full, or there are more than 4 GiB of terms; kUnreadable, kInvalidArgument: there
//             is no term (SnapshotBuilder)
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

// The sections of the file, in order.
inline constexpr std::string_view kAboutSection = "about";    // SnapshotAbout
inline constexpr std::string_view kNameSection = "name";      // TermExtractor::name()
inline constexpr std::string_view kWordsSection = "words";    // the terms, concatenated
inline constexpr std::string_view kEndsSection = "ends";      // uint32_t: where each term ends
inline constexpr std::string_view kCountsSection = "counts";  // uint32_t: documents with each term

struct SnapshotAbout {
  uint64_t documents = 0;
  uint64_t least_documents = 1;
};

class SnapshotFile {
 public:
  static Result<std::unique_ptr<SnapshotFile>> Create(FileSystem& files,
                                                      const SnapshotOptions& options);

  // Returns the scratch for sorting. Its spools and those of this object share an eighth of the
  // memory.
  Scratch& scratch() { return *scratch_; }

  // Adds a term that `documents` documents contain. Each term must be greater than the one before.
  // A term of too few documents is left out.
  Status Add(std::string_view term, uint64_t documents);

  // Writes the file and moves it to its place.
  Result<SnapshotSummary> Publish(std::string_view terms_name, uint64_t documents);

 private:
  explicit SnapshotFile(const SnapshotOptions& options) : options_(options) {}
  Status Open(FileSystem& files);
  Status CheckAnyTerm(uint64_t documents) const;

  const SnapshotOptions options_;
  std::unique_ptr<SectionOutput> output_;  // must be destroyed last, since it removes the scratch
  std::unique_ptr<Scratch> scratch_;
  std::unique_ptr<Spool> words_, ends_, counts_;
  SnapshotSummary summary_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FEATURE_TERMS_SNAPSHOT_FILE_H_
