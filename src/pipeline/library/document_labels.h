#ifndef ZHIWEN_PIPELINE_LIBRARY_DOCUMENT_LABELS_H_
#define ZHIWEN_PIPELINE_LIBRARY_DOCUMENT_LABELS_H_

// Says what documents of files are to a library: their labels, and the works that they belong to.
//
//   records   from fields (LabelFields)
//   texts     NOVELS/凡人/第012章.txt, of an input NOVELS, is the part 第012章 of the work 凡人;
//             NOVELS/凡人/第一卷/第012章.txt the part 第一卷/第012章. A text that was given itself,
//             or stands in the input, belongs to no work
//
// The manifest completes both, and then the owner of all documents.
//
// Threads     one

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/library/work_manifest.h"
#include "zhiwen/documents.h"
#include "zhiwen/library.h"
#include "zhiwen/library_files.h"
#include "zhiwen/result.h"

namespace zhiwen {

class DocumentLabeller {
 public:
  // `options` must outlive the object.
  DocumentLabeller(const AddFilesOptions& options, WorkManifest manifest)
      : options_(options), manifest_(std::move(manifest)) {}

  // Returns the fields whose values it needs, in SourceDocument::values.
  std::vector<std::string> ValueFields() const;

  // Gives a document a fault whose work belongs to another owner in an earlier document.
  void Check(SourceDocument& document);

  // Returns whether a document is a version of an export of all versions.
  bool IsOfHistory(const SourceDocument& document) const;

  // Returns whether an exported document (AddFilesOptions::restores) had been removed.
  bool WasRemoved(const SourceDocument& document) const;

  // Returns the document with its labels; views into it.
  LibraryDocument Label(const SourceDocument& document);

  const WorkManifest& manifest() const { return manifest_; }

 private:
  std::string PathBelowInput(std::string_view path) const;

  const AddFilesOptions& options_;
  WorkManifest manifest_;
  std::map<std::string, std::string> owners_;  // by work, of the documents so far
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_DOCUMENT_LABELS_H_
