#ifndef ZHIWEN_LIBRARY_FILES_H_
#define ZHIWEN_LIBRARY_FILES_H_

// Adds the documents of files to a library; zhiwen/check_files.h checks documents of files.
//
// In          documents of files, folders and standard input (zhiwen/document_batches.h)
// Guarantees  documents are added in the order of the inputs. A batch of documents is on the disk
//             before the next one is read. All documents of the call with an owner, new or not,
//             are compared with those of other owners, of the same call, too
// Cost        a batch of documents; the executor computes their fingerprints. Comparing owners
// costs
//             a check of each document (zhiwen/check.h), once all are added; nothing where fewer
//             than two owners are known
// Threads     one; `stored` is called on the calling thread
// Fails       as DocumentBatches and LibraryWriter do, and as `stored` does

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "zhiwen/document_batches.h"
#include "zhiwen/library.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The fields of records that become labels. A record without such a field has an empty label.
struct LabelFields {
  std::string title = "title", author = "author", date = "date", url = "url";
  std::string work = "work", part = "part", owner = "owner";
};

enum class OwnerOverlaps : uint8_t { kFind, kLeave };

struct AddFilesOptions {
  std::string folder;
  DocumentInputs inputs = {};
  LabelFields labels = {};
  std::string manifest = {};  // a file that says what applies to works; empty: none
  std::string owner = {};     // of documents of which neither they nor the manifest say it
  DocumentKind kind = DocumentKind::kOriginal;
  OwnerOverlaps overlaps = OwnerOverlaps::kFind;
  // A file of lines {"id","work","part","owner","relation","resemblance","containment",
  // "containment_of_original","matched","longest_run","document":{…}}, one for each overlap with a
  // document of another owner; *.jsonl, *.jsonl.gz or *.jsonl.zst. An earlier one is replaced.
  // Empty: none.
  std::string overlaps_file = {};
  // Called after each batch with the number of documents that are on the disk so far; may be empty.
  std::function<Status(uint64_t documents)> stored = {};
};

struct AddFilesSummary {
  AddedDocuments documents;
  FoundFields found;
  uint64_t compared = 0;     // documents, with those of other owners
  uint64_t overlapping = 0;  // of these: same, near, containing or contained
};

Result<AddFilesSummary> AddFiles(const AddFilesOptions& options,
                                 const BatchEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_LIBRARY_FILES_H_
