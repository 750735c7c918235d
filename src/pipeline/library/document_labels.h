#ifndef ZHIWEN_PIPELINE_LIBRARY_DOCUMENT_LABELS_H_
#define ZHIWEN_PIPELINE_LIBRARY_DOCUMENT_LABELS_H_

// Says what documents of files are to a library: their labels, and the works that they belong to.
//
//   records   from fields (LabelFields)
//   texts     NOVELS/凡人/第012章.txt, of an input NOVELS, is the part 第012章 of the work 凡人;
//             NOVELS/凡人/第一卷/第012章.txt the part 第一卷/第012章. A text that was given itself,
//             or stands in the input, belongs to no work
//
// The manifest completes both, and then the owner of all documents. The manifest alone changes the
// owner of a work that the library has.
//
// Threads     one

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/library/work_manifest.h"
#include "zhiwen/documents.h"
#include "zhiwen/library.h"
#include "zhiwen/library_files.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns the work of a name that a library has or, where the name is empty, the work of the live
// document with an id.
using FindKnownWork = std::function<Result<std::optional<WorkLabels>>(const std::string& name,
                                                                      const std::string& id)>;

class DocumentLabeller {
 public:
  // `options` must outlive the object.
  DocumentLabeller(const AddFilesOptions& options, WorkManifest manifest, FindKnownWork find)
      : options_(options), manifest_(std::move(manifest)), find_(std::move(find)) {}

  // Returns the fields whose values it needs, in SourceDocument::values.
  std::vector<std::string> ValueFields() const;

  // Gives a picture its keys instead of its pixels. Gives a document a fault whose work belongs to
  // another owner in an earlier document, or in the library where the manifest does not say that it
  // changes. Fails as the look-up of a work does.
  Status Check(SourceDocument& document);

  // Returns whether a document is a version of an export of all versions.
  bool IsOfHistory(const SourceDocument& document) const;

  // Returns whether an exported document (AddFilesOptions::restores) had been removed.
  bool WasRemoved(const SourceDocument& document) const;

  // Returns the document with its labels; views into it.
  LibraryDocument Label(const SourceDocument& document);

  // Returns the owner that the manifest says of a document of this work; empty: none.
  std::string OwnerByManifest(const SourceDocument& document, const std::string& work);

  const WorkManifest& manifest() const { return manifest_; }

 private:
  struct KnownOwner {
    std::string name;
    bool is_stored = false;  // the library says it, and no document so far
  };

  std::string PathBelowInput(std::string_view path) const;
  // Returns the paths by which a manifest names a text; none of a record.
  std::vector<std::string> PathsOf(const SourceDocument& document) const;
  using WorkOwner = std::pair<const std::string, KnownOwner>;
  // Returns the work of a document that has an owner, and whose the work is; null of no work.
  Result<WorkOwner*> OwnerOf(const LibraryDocument& document);

  // The work of a document that may not be stored yet; empty where it is unknown.
  std::string WorkOfRecent(std::string_view id) const;
  void NoteWork(const LibraryDocument& document);

  const AddFilesOptions& options_;
  WorkManifest manifest_;
  FindKnownWork find_;
  std::map<std::string, KnownOwner> owners_;  // by work, of the documents so far
  // Works by the ids of the last documents: those of the last full map, and those since then.
  std::map<std::string, std::string, std::less<>> recent_[2];
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_DOCUMENT_LABELS_H_
