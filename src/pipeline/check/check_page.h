#ifndef ZHIWEN_PIPELINE_CHECK_CHECK_PAGE_H_
#define ZHIWEN_PIPELINE_CHECK_CHECK_PAGE_H_

// The page of a check: of each document that matches, what it shares with which originals, and
// both texts side by side.
//
// Guarantees  one file that asks for nothing and needs no script; as base/files/output_file.h
// Cost        holds the HTML of kShownSuspects documents, those that match most; a document is
//             rendered when it is among them so far
// Threads     one at a time
// Fails       as OutputFile, as the library does for texts

#include <memory>
#include <string>

#include "base/files/output_file.h"
#include "pipeline/check/shown_suspects.h"
#include "zhiwen/check_files.h"
#include "zhiwen/library.h"

namespace zhiwen {

class CheckPage {
 public:
  // Both must outlive the object.
  static Result<std::unique_ptr<CheckPage>> Create(FileSystem& files,
                                                   const CheckFilesOptions& options);

  // Takes the next document; `library` is the one that it was checked against.
  Status Add(const CheckedDocument& checked, const Library& library);

  Status Publish(const CheckFilesSummary& summary);

 private:
  explicit CheckPage(const CheckFilesOptions& options) : options_(options) {}
  std::string RenderHeadline(const CheckFilesSummary& summary) const;
  std::string RenderSuspects(const CheckFilesSummary& summary) const;

  const CheckFilesOptions& options_;
  std::unique_ptr<OutputFile> output_;
  ShownSuspects suspects_;
  uint64_t documents_ = 0;
  std::string only_;  // the headline of the only document
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CHECK_CHECK_PAGE_H_
