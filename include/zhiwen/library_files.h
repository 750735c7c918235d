#ifndef ZHIWEN_LIBRARY_FILES_H_
#define ZHIWEN_LIBRARY_FILES_H_

// Libraries and files: adds the documents of files to a library, and checks those of others.
//
// In          documents of files, folders and standard input (zhiwen/document_batches.h)
// Guarantees  documents are added, and answers given, in the order of the inputs. A batch of
//             documents is on the disk before the next one is read
// Cost        a batch of documents; the executor computes their fingerprints, and checks them
// Threads     one; sinks are called on the calling thread
// Fails       as DocumentBatches, LibraryWriter and Library do, and as a sink does

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "zhiwen/check.h"
#include "zhiwen/document_batches.h"
#include "zhiwen/library.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The fields of records that become labels. A record without such a field has an empty label.
struct LabelFields {
  std::string title = "title", author = "author", date = "date", url = "url";
  std::string work = "work", part = "part", owner = "owner";
};

struct AddFilesOptions {
  std::string folder;
  DocumentInputs inputs = {};
  LabelFields labels = {};
  std::string manifest = {};  // a file that says what applies to works; empty: none
  std::string owner = {};     // of documents of which neither they nor the manifest say it
  DocumentKind kind = DocumentKind::kOriginal;
  // Called after each batch with the number of documents that are on the disk so far; may be empty.
  std::function<Status(uint64_t documents)> stored = {};
};

struct AddFilesSummary {
  AddedDocuments documents;
  FoundFields found;
};

Result<AddFilesSummary> AddFiles(const AddFilesOptions& options,
                                 const BatchEnvironment& environment);

struct CheckFilesOptions {
  std::string folder;
  DocumentInputs inputs = {};
  TextCheckOptions check = {};
};

// A document that was checked; it lives until the sink returns.
struct CheckedDocument {
  const SourceDocument& document;
  const CheckedText& checked;
};

struct CheckFilesSummary {
  uint64_t documents = 0;
  uint64_t matched = 0;  // of these, with a match
};

Result<CheckFilesSummary> CheckFiles(
    const CheckFilesOptions& options,
    const std::function<Status(const CheckedDocument& checked)>& sink,
    const BatchEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_LIBRARY_FILES_H_
