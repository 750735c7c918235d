#include "zhiwen/library_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "document/field_names.h"
#include "document/parse_date.h"
#include "pipeline/library/added_notes.h"
#include "pipeline/library/document_labels.h"
#include "pipeline/library/library_folder.h"
#include "pipeline/library/owner_overlaps.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

constexpr LinesKind kOverlapLines = {.name = "overlap", .field = "\",\"relation\":\""};
constexpr size_t kUnusedNamed = 3;  // rows of a manifest

void WarnOfUnused(const WorkManifest& manifest, const std::string& path, LogSink& log) {
  const std::vector<std::string> unused = manifest.Unused();
  if (unused.empty()) return;
  std::string names;
  for (size_t i = 0; i < std::min(kUnusedNamed, unused.size()); ++i) {
    names += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", unused[i]);
  }
  log.Warn(fmt::format("{} of the manifest \"{}\" {} about no document of the inputs: {}{}",
                       FormatPlural(unused.size(), "record"), path,
                       unused.size() == 1 ? "is" : "are", names,
                       unused.size() > kUnusedNamed ? ", …" : ""));
}

void WarnOfIgnored(const WorkManifest& manifest, const AddFilesOptions& options, LogSink& log) {
  const std::vector<std::string>& fields = manifest.ignored_fields();
  if (fields.empty()) return;
  const uint64_t nobodys = options.owner.empty() ? manifest.CountWithoutOwner() : 0;
  const std::string owners = nobodys == 0
                                 ? ""
                                 : fmt::format("; {} of its {} {} no owner", FormatCount(nobodys),
                                               FormatPlural(manifest.CountRows(), "record"),
                                               nobodys == 1 ? "has" : "have");
  log.Warn(fmt::format("ignored {} of the manifest \"{}\": {}{}",
                       fields.size() == 1 ? "field" : "fields", options.manifest,
                       QuoteNames(fields), owners));
}

Result<WorkManifest> ReadManifest(const AddFilesOptions& options,
                                  const BatchEnvironment& environment) {
  if (options.manifest.empty()) return WorkManifest();
  ZHIWEN_ASSIGN_OR_RETURN(WorkManifest manifest,
                          WorkManifest::Read(environment.files, options.manifest));
  WarnOfIgnored(manifest, options, environment.log);
  return manifest;
}

void AddUp(AddedDocuments& sum, const AddedDocuments& added) {
  sum.added += added.added;
  sum.updated += added.updated;
  sum.unchanged += added.unchanged;
  sum.equal_texts += added.equal_texts;
  sum.empty += added.empty;
  sum.works_added += added.works_added;
  sum.works_updated += added.works_updated;
  sum.with_works.insert(sum.with_works.end(), added.with_works.begin(), added.with_works.end());
}

uint64_t CountStored(const AddedDocuments& added) {
  return added.added + added.updated + added.unchanged;
}

// Returns what the catalog knows of a work, or of the work of a live document.
Result<std::optional<WorkLabels>> FindStoredWork(const CorpusStore& catalog,
                                                 const std::string& name, const std::string& id) {
  if (!name.empty()) return catalog.FindWork(name);
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<StoredDocument> versions, catalog.FindVersions(id));
  if (versions.empty() || versions.front().state != DocumentState::kLive) {
    return std::optional<WorkLabels>();
  }
  return std::optional<WorkLabels>(std::move(versions.front().work));
}

// Removes the documents of an export that were removed in their library. They are added before, and
// removed together: at the end, or before a later version of one of them is added.
class RemovedDocuments {
 public:
  explicit RemovedDocuments(LibraryWriter& writer) : writer_(writer) {}

  bool IsDue(const std::string& id) const { return ids_.contains(id); }
  void Note(const std::string& id) { ids_.insert(id); }
  // Everything noted must be stored.
  Result<uint64_t> Remove() {
    const std::vector<std::string> ids(ids_.begin(), ids_.end());
    ids_.clear();
    if (!ids.empty()) ZHIWEN_RETURN_IF_ERROR(writer_.Remove(ids));
    return ids.size();
  }

 private:
  LibraryWriter& writer_;
  std::set<std::string> ids_;
};

// A history makes the same library of an empty one alone: what is there would be its beginning.
class HistoryTarget {
 public:
  static Result<HistoryTarget> Create(const CorpusStore& catalog, const std::string& folder) {
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t last, catalog.LastSequence());
    return HistoryTarget(folder, last);
  }

  // Notes a version of a history. Fails: kConflict when the library was not empty.
  Status Note() {
    is_noted_ = true;
    if (changes_before_ == 0) return {};
    return Fail(
        ErrorCode::kConflict,
        fmt::format("\"{}\" is not new, and a history goes into a new library alone", folder_));
  }

  // Returns what the message of a failure says of the documents that were added before.
  std::string AdviceAfter(uint64_t documents) const {
    if (documents == 0) return "";
    return fmt::format(
        "; {} read before {} in \"{}\", {}", FormatPlural(documents, "document"),
        documents == 1 ? "is" : "are", folder_,
        is_noted_ ? "begin again with a new library" : "add the same again to go on");
  }

 private:
  HistoryTarget(std::string folder, uint64_t changes_before)
      : folder_(std::move(folder)), changes_before_(changes_before) {}

  std::string folder_;
  uint64_t changes_before_;
  bool is_noted_ = false;
};

// Refuses days of an exposure that are none, or of which the last comes before the first.
Status CheckExposure(const AddFilesOptions& options) {
  for (const std::string* day : {&options.exposed_from, &options.exposed_until}) {
    if (day->empty() || ParseDate(*day)) continue;
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is no date; write it as 2024-05-06", *day));
  }
  const auto from = ParseDateRange(options.exposed_from);
  const auto until = ParseDateRange(options.exposed_until);
  if (!from || !until || from->begin < until->end) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("a decoy cannot be published until {}, before it was from {} on",
                          options.exposed_until, options.exposed_from));
}

// Refuses decoys whose text another document of the library has, all or a passage of it: a copy of
// that would look like a copy of the decoy.
class DecoyCheck {
 public:
  static Result<DecoyCheck> Create(const AddFilesOptions& options,
                                   const BatchEnvironment& environment) {
    ZHIWEN_RETURN_IF_ERROR(CheckExposure(options));
    DecoyCheck check;
    if (options.kind != DocumentKind::kDecoy || options.restores) return check;
    ZHIWEN_ASSIGN_OR_RETURN(check.library_,
                            Library::Open(environment.files, options.folder, environment.language));
    return check;
  }

  // Gives a document that is refused a fault, as the labeller does.
  Status Check(DocumentLabeller& labeller, SourceDocument& document) const {
    ZHIWEN_RETURN_IF_ERROR(labeller.Check(document));
    if (library_ == nullptr || !document.fault.empty() || document.text.empty()) return {};
    ZHIWEN_ASSIGN_OR_RETURN(
        const CheckedText checked,
        library_->Check(document.text, {.set_phrases = SetPhrases::kKeep, .has_granules = false}));
    const auto other = std::ranges::find_if(checked.matches, [&](const CheckMatch& match) {
      return match.document.id != document.id;  // not its earlier version
    });
    if (other == checked.matches.end()) return {};
    document.fault = "decoy_not_unique";
    document.fault_detail = fmt::format(
        "{} of a decoy {} in the document \"{}\" of the library, too; a decoy has text that "
        "nothing else has",
        FormatPlural(other->matched, "symbol"), other->matched == 1 ? "is" : "are",
        other->document.id);
    return {};
  }

 private:
  std::unique_ptr<Library> library_;  // as it was before; null: no decoys are added
};

void NoteGiven(const SourceDocument& document, const LibraryDocument& labelled,
               DocumentLabeller& labeller, AddedNotes& notes) {
  const bool is_text = document.record == 0 && labelled.picture.empty();
  notes.Give(is_text ? AddedNotes::Origin::kText : AddedNotes::Origin::kRecord);
  if (document.record == 0) return;  // it has the owner that the manifest says
  const std::string by_manifest = labeller.OwnerByManifest(document, labelled.work.name);
  if (by_manifest.empty() || by_manifest == labelled.work.owner) return;
  notes.Contradict(labelled, by_manifest);
}

void TellContradicted(const AddFilesOptions& options, const AddedNotes::Contradicted& contradicted,
                      LogSink& log, AddFilesSummary& summary) {
  summary.contradicted_owners = contradicted.documents;
  summary.first_contradicted_id = contradicted.id;
  if (contradicted.documents == 0) return;
  const bool is_one = contradicted.documents == 1;
  log.Warn(fmt::format(
      "{} {} another owner of {} work than the manifest \"{}\", and the owner of a record counts "
      "before that of the manifest: of \"{}\" it is \"{}\", and by the manifest \"{}\"{}; make "
      "both the same, or leave the owner of records out",
      FormatPlural(contradicted.documents, "record"), is_one ? "names" : "name",
      is_one ? "its" : "their", options.manifest, contradicted.id, contradicted.owner,
      contradicted.owner_by_manifest, is_one ? "" : ", …"));
}

// Puts what was noted into the summary, and warns of it.
Status TellNotes(const AddFilesOptions& options, const AddedNotes& notes,
                 const CorpusStore& catalog, LogSink& log, AddFilesSummary& summary) {
  if (notes.repeated_ids() > 0 && !options.restores) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto first, catalog.Find(notes.first_repeated()));
    summary.repeated_ids = notes.repeated_ids();
    summary.first_repeated_id = first ? first->id : "";
    log.Warn(fmt::format(
        "{} came more than once with different texts or labels, and the last of them stands: "
        "\"{}\"{}",
        FormatPlural(summary.repeated_ids, "id"), summary.first_repeated_id,
        summary.repeated_ids == 1 ? "" : ", …"));
  }
  TellContradicted(options, notes.contradicted(), log, summary);
  summary.texts_without_work = notes.texts_without_work();
  if (summary.texts_without_work == 0) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t works, catalog.CountWorks());
  if (works == 0 && options.manifest.empty()) return {};
  log.Warn(fmt::format(
      "{} {} to no work; add the folder above the folders of works (novels/, not novels/BOOK/)",
      FormatPlural(summary.texts_without_work, "text"),
      summary.texts_without_work == 1 ? "belongs" : "belong"));
  return {};
}

}  // namespace

Result<AddFilesSummary> AddFiles(const AddFilesOptions& options,
                                 const BatchEnvironment& environment) {
  std::unique_ptr<LinesOutput> overlaps;
  if (!options.overlaps_file.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(
        overlaps, LinesOutput::Create(environment.files, kOverlapLines,
                                      {.path = options.overlaps_file, .overwrite = true}));
  }
  ZHIWEN_ASSIGN_OR_RETURN(WorkManifest manifest, ReadManifest(options, environment));
  std::unique_ptr<CorpusStore> catalog;  // opened below, when a writer has brought it up to date
  DocumentLabeller labeller(options, std::move(manifest), [&](const auto& name, const auto& id) {
    return FindStoredWork(*catalog, name, id);
  });
  ZHIWEN_ASSIGN_OR_RETURN(const DecoyCheck decoys, DecoyCheck::Create(options, environment));
  DocumentInputs inputs = options.inputs;
  inputs.documents.value_fields = labeller.ValueFields();
  inputs.leave_out = options.manifest;
  inputs.pictures = PictureTaking::kNamed;
  DocumentBatches batches(
      std::move(inputs),
      {.stage = Stage::kAddRows,
       .outcome = "place in the library",
       .done = "",
       .check = [&](auto& document) { return decoys.Check(labeller, document); },
       .keeps = true},
      environment);
  ZHIWEN_RETURN_IF_ERROR(batches.Prepare());
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<LibraryWriter> writer,
                          LibraryWriter::Open(options.folder, environment));
  AddFilesSummary summary;
  AddedNotes notes;
  uint64_t documents = 0;
  RemovedDocuments removed(*writer);
  ZHIWEN_ASSIGN_OR_RETURN(catalog,
                          OpenCatalog(environment.files, options.folder, CatalogAccess::kRead));
  ZHIWEN_ASSIGN_OR_RETURN(HistoryTarget history, HistoryTarget::Create(*catalog, options.folder));
  const auto add = [&](std::span<const LibraryDocument> next) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(const AddedDocuments added, writer->AddNext(next));
    AddUp(summary.documents, added);
    notes.Take(added.each);
    const uint64_t before = std::exchange(documents, documents + CountStored(added));
    return options.stored && documents > before ? options.stored(documents) : Status();
  };
  const auto remove = [&]() -> Status {
    ZHIWEN_RETURN_IF_ERROR(add({}));
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t count, removed.Remove());
    summary.removed += count;
    return {};
  };
  const auto take = [&](std::span<const SourceDocument> batch) -> Status {
    std::vector<LibraryDocument> to_add;
    to_add.reserve(batch.size());
    for (const SourceDocument& document : batch) {
      if (labeller.IsOfHistory(document)) ZHIWEN_RETURN_IF_ERROR(history.Note());
      if (removed.IsDue(document.id)) {
        ZHIWEN_RETURN_IF_ERROR(add(std::exchange(to_add, {})));
        ZHIWEN_RETURN_IF_ERROR(remove());
      }
      if (labeller.WasRemoved(document)) removed.Note(document.id);
      to_add.push_back(labeller.Label(document));
      NoteGiven(document, to_add.back(), labeller, notes);
    }
    return add(to_add);
  };
  Status status = batches.ForEach(take);
  // Documents that were read before a failure are added, and stay.
  const Status last = remove();
  const Status closed = writer->Close();
  if (!status) {
    Error error = std::move(status).error();
    error.message += history.AdviceAfter(documents);
    return tl::unexpected(std::move(error));
  }
  ZHIWEN_RETURN_IF_ERROR(Status(last));
  ZHIWEN_RETURN_IF_ERROR(Status(closed));
  summary.found = batches.found();
  ZHIWEN_RETURN_IF_ERROR(TellNotes(options, notes, *catalog, environment.log, summary));
  WarnOfUnused(labeller.manifest(), options.manifest, environment.log);
  writer.reset();
  if (options.overlaps == OwnerOverlaps::kFind) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto found,
                            FindOwnerOverlaps(options.folder, summary.documents.with_works,
                                              overlaps.get(), environment));
    summary.compared = found.compared;
    summary.overlapping = found.overlapping;
    summary.truncated = found.truncated;
  }
  if (overlaps != nullptr) ZHIWEN_RETURN_IF_ERROR(overlaps->Publish());
  return summary;
}

}  // namespace zhiwen
