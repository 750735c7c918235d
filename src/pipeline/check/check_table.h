#ifndef ZHIWEN_PIPELINE_CHECK_CHECK_TABLE_H_
#define ZHIWEN_PIPELINE_CHECK_CHECK_TABLE_H_

// The table of a check (比对表), a Word file: of several documents a row each, with their total and
// those of which most is known; then of each document that matches what it shares with which
// originals, and each passage in both texts.
//
// Guarantees  as pipeline/word/word_file.h and base/files/output_file.h. A passage is never cut
// Cost        holds a row of each of kMostChapters documents, and of kShownSuspects documents,
// those
//             that match most, the passages with originals until these are kMostTableBytes of XML;
//             further originals are rows
// Threads     one at a time
// Fails       as OutputFile, as the library does for texts; kExhausted for a file of more than 1
// GiB

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/files/output_file.h"
#include "pipeline/check/shown_suspects.h"
#include "pipeline/word/word_file.h"
#include "zhiwen/check_files.h"
#include "zhiwen/library.h"

namespace zhiwen {

inline constexpr size_t kMostChapters = 10000;
inline constexpr size_t kMostTableBytes = size_t{8} << 20;

class CheckTable {
 public:
  // Both must outlive the object.
  static Result<std::unique_ptr<CheckTable>> Create(FileSystem& files,
                                                    const CheckFilesOptions& options);

  // Takes the next document; `library` is the one that it was checked against.
  Status Add(const CheckedDocument& checked, const Library& library);

  Status Publish(const CheckFilesSummary& summary);

 private:
  explicit CheckTable(const CheckFilesOptions& options);
  void AddChapter(const CheckedDocument& checked);
  std::string RenderChapters(const CheckFilesSummary& summary);

  const CheckFilesOptions& options_;
  std::unique_ptr<OutputFile> output_;
  ShownSuspects suspects_;
  Words only_;  // the sentence on the only document
  WordTable chapters_;
  std::string mostly_known_;  // the chapters with a share of kMostlyKnown, as paragraphs
  uint64_t mostly_known_chapters_ = 0, listed_ = 0;
  uint64_t documents_ = 0, units_ = 0, matched_ = 0;  // units and matched of all documents
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CHECK_CHECK_TABLE_H_
