#ifndef ZHIWEN_LIBRARY_FILES_H_
#define ZHIWEN_LIBRARY_FILES_H_

// Adds the documents of files to a library, and writes those of a library to a file that can be
// added again; zhiwen/check_files.h checks documents of files.
//
// In          documents of files, folders and standard input (zhiwen/document_batches.h), and
//             pictures that are given themselves
// Guarantees  documents are added in the order of the inputs. A batch of documents is on the disk
//             before the next one is read. Only the manifest changes the owner of a work that the
//             library has: a document with another one is a failed record. All documents of the
//             call with an owner, new or not, are compared with those of other owners, of the same
//             call, too
//             A decoy that shares a passage with another document that the library had before the
//             call is a failed record
// Cost        a batch of documents; the executor computes their fingerprints. Comparing owners
//             costs a check of each document (zhiwen/check.h), once all are added; nothing where
//             fewer than two owners are known
// Threads     one; `stored` is called on the calling thread
// Fails       as DocumentBatches and LibraryWriter do, and as `stored` does

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
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
  std::string manifest = {};  // a file that says what applies to works, in a record or more
  std::string owner = {};     // of documents of which neither they nor the manifest say it
  DocumentKind kind = DocumentKind::kOriginal;
  // Decoys get these as DocumentLabels::exposed_from and exposed_until.
  std::string exposed_from = {}, exposed_until = {};
  OwnerOverlaps overlaps = OwnerOverlaps::kFind;
  // A file of lines {"id","work","part","owner","relation","resemblance","containment",
  // "containment_of_original","matched","longest_run","document":{…}}, one for each overlap with a
  // document of another owner; *.jsonl, *.jsonl.gz or *.jsonl.zst. An earlier one is replaced.
  // Empty: none.
  std::string overlaps_file = {};
  // The records are those of ExportLibrary: their kinds count, and what was removed is removed
  // again. Superseded versions come before what superseded them, and need no more than their order.
  // Records of an export of all versions fail with kConflict when the library was not empty: one
  // that was stopped in between is begun again with a new library.
  bool restores = false;
  // Called after each batch with the number of documents that are on the disk so far; may be empty.
  std::function<Status(uint64_t documents)> stored = {};
};

struct AddFilesSummary {
  AddedDocuments documents;
  uint64_t removed = 0;  // of these, because of their state
  FoundFields found;
  // Ids that came more than once in this call with different texts or labels: the last one stands.
  // A history has none.
  uint64_t repeated_ids = 0;
  std::string first_repeated_id = {};
  uint64_t texts_without_work = 0;  // texts of files that belong to no work
  // Records that name another owner of their work than the manifest: theirs counts.
  uint64_t contradicted_owners = 0;
  std::string first_contradicted_id = {};
  uint64_t compared = 0;     // documents, with those of other owners
  uint64_t overlapping = 0;  // of these: same, near, containing or contained
  uint64_t truncated = 0;  // of those compared: their search met a bound, and may have missed some
};

// Warns of repeated ids, and of records and manifests that contradict each other; and where the
// library has works or there is a manifest, of texts of files that belong to no work.
Result<AddFilesSummary> AddFiles(const AddFilesOptions& options,
                                 const BatchEnvironment& environment);

// The object of LibraryFactsToJson with one field more: "change":{"added","updated","unchanged",
// "removed","works_added","works_updated","equal_texts","empty","repeated_ids","first_repeated_id",
// "texts_without_work","contradicted_owners","first_contradicted_id",
// "overlaps":{"compared","overlapping","truncated"}}.
std::string AddFilesSummaryToJson(const AddFilesSummary& summary, const LibraryFacts& facts,
                                  std::string_view folder);

// Fields of exported records beside those of LabelFields.
inline constexpr std::string_view kStateField = "state", kKindField = "kind";
inline constexpr std::string_view kExposedFromField = "exposed_from";
inline constexpr std::string_view kExposedUntilField = "exposed_until";
// And those of what was extracted, which have the same names where it is read (DocumentSource).
inline constexpr std::string_view kSourcePlacesField = "sources", kSourceMemberField = "member";
// And the PictureKeys of a picture, as hex digits; only AddFilesOptions::restores reads them.
inline constexpr std::string_view kPictureKeysField = "picture_keys";

struct ExportOptions {
  std::string folder;
  LibraryVersions versions = LibraryVersions::kLive;
  std::string output = {};  // *.jsonl, *.jsonl.gz or *.jsonl.zst; empty: to `lines`
  bool overwrite = false;   // an export that is there, or an empty file; nothing else
  TextSink lines = {};
};

struct ExportSummary {
  uint64_t documents = 0;
  uint64_t purged = 0;  // versions that have no text any more, and are left out
};

// Writes the documents by number, one object of JSON a line: "id", the labels in fields with the
// names of LabelFields, "kind", "text"; of a decoy, where it is known when it was published, also
// "exposed_from" and "exposed_until"; with all versions also "state"; where it is known where the
// text stands in what it was extracted from also "sources" and "member"; of a picture also
// "picture_keys". AddFiles with `restores`
// makes the same documents of it: a new library then gives the same bytes. Numbers, times of
// addition and versions that were purged are not written, and of works the names and owners alone:
// StoredWorkToJson writes the records of a manifest. A document that another process changes
// meanwhile may come in two versions, the older first. Fails: as Library and OutputFile do, and as
// `lines` does.
Result<ExportSummary> ExportLibrary(const ExportOptions& options,
                                    const BatchEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_LIBRARY_FILES_H_
