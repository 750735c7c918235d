#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "base/first_error.h"
#include "base/utf8/utf8.h"
#include "pipeline/library/index_writers.h"
#include "pipeline/library/library_folder.h"
#include "pipeline/library/picture_matches.h"
#include "pipeline/library/text_sketcher.h"
#include "zhiwen/library.h"
#include "zhiwen/source_places.h"

namespace zhiwen {
namespace {

class OpenWriter final : public LibraryWriter {
 public:
  OpenWriter(const BatchEnvironment& environment, std::unique_ptr<FileLock> lock,
             std::unique_ptr<CorpusStore> store)
      : environment_(environment), lock_(std::move(lock)), store_(std::move(store)) {}

  Status Prepare(const std::string& folder) {
    ZHIWEN_ASSIGN_OR_RETURN(channels_,
                            OpenPassageChannels(store_->settings(), environment_.language));
    ZHIWEN_ASSIGN_OR_RETURN(schemes_, OpenCodeSchemes(environment_.files, folder,
                                                      store_->settings(), environment_.language));
    ZHIWEN_ASSIGN_OR_RETURN(sketchers_,
                            TextSketcher::CreateForAll(environment_.executor, channels_, schemes_));
    ZHIWEN_ASSIGN_OR_RETURN(indexes_,
                            IndexWriters::Open(folder, *store_, sketchers_, environment_));
    return {};
  }

  Result<AddedDocuments> Add(std::span<const LibraryDocument> documents) override;
  Result<AddedDocuments> AddNext(std::span<const LibraryDocument> documents) override;
  Result<std::vector<bool>> Remove(std::span<const std::string> ids) override;
  Result<std::vector<bool>> Purge(std::span<const std::string> ids) override;
  Status Compact() override {
    ZHIWEN_RETURN_IF_ERROR(CheckUsable());
    return indexes_->Compact();
  }
  Status Close() override {
    ZHIWEN_RETURN_IF_ERROR(CheckUsable());
    return indexes_->Close();
  }

 private:
  struct Prepared {
    DocumentToStore document;
    TextSketch sketch;
  };

  static Result<Prepared> PrepareDocument(const LibraryDocument& document, TextSketcher& sketcher);
  // Stores `before` and prepares `documents`, at the same time.
  Result<AddedDocuments> StoreAndPrepare(std::vector<Prepared> before,
                                         std::span<const LibraryDocument> documents,
                                         std::vector<Prepared>& prepared);
  Result<AddedDocuments> Store(std::vector<Prepared>& prepared);
  Status Index(std::span<const IndexChange> changes);
  // Fails when an earlier change may be in the catalog and not in an index. The next writer applies
  // it again; this one must not record that its indexes have later ones.
  Status CheckUsable() const;

  const BatchEnvironment& environment_;
  const std::unique_ptr<FileLock> lock_;
  const std::unique_ptr<CorpusStore> store_;
  std::vector<PassageChannel> channels_;
  std::vector<CodeScheme> schemes_;
  std::vector<TextSketcher> sketchers_;  // one a worker
  std::unique_ptr<IndexWriters> indexes_;
  std::vector<Prepared> next_;  // of AddNext
  bool is_broken_ = false;
};

Result<OpenWriter::Prepared> OpenWriter::PrepareDocument(const LibraryDocument& document,
                                                         TextSketcher& sketcher) {
  if (document.id.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "a document of a library needs an id");
  }
  if (!IsValidUtf8(document.id) || !IsValidUtf8(document.text) || !IsValidUtf8(document.member)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("document \"{}\" is not valid UTF-8", document.id));
  }
  if (!document.picture.empty() && (!document.text.empty() || !ReadPictureKeys(document.picture))) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("document \"{}\" is a picture with a text, or with keys that are none",
                            document.id));
  }
  Prepared prepared;
  prepared.sketch = sketcher.Sketch(document.text);
  prepared.document = {.id = std::string(document.id),
                       .labels = document.labels,
                       .text = prepared.sketch.keys,
                       .work = document.work,
                       .unsaid = document.unsaid};
  ZHIWEN_ASSIGN_OR_RETURN(prepared.document.text.zstd, sketcher.Compress(document.text));
  prepared.document.source.picture = document.picture;
  if (!document.text.empty() && SourcePlaces::Parse(document.text, document.places)) {
    prepared.document.source.member = document.member;
    prepared.document.source.bytes = document.places.size();
    ZHIWEN_ASSIGN_OR_RETURN(prepared.document.source.zstd, sketcher.Compress(document.places));
  }
  return prepared;
}

Result<AddedDocuments> OpenWriter::StoreAndPrepare(std::vector<Prepared> before,
                                                   std::span<const LibraryDocument> documents,
                                                   std::vector<Prepared>& prepared) {
  prepared = std::vector<Prepared>(documents.size());
  Result<AddedDocuments> added = AddedDocuments();
  FirstError error;
  std::atomic<size_t> next = 0;
  environment_.executor.RunOnAll([&](size_t worker) {
    if (worker == 0 && !before.empty()) added = Store(before);
    for (size_t i = next++; i < documents.size() && !error.is_set(); i = next++) {
      Result<Prepared> one = PrepareDocument(documents[i], sketchers_[worker]);
      if (!one) return error.Keep(Fail(std::move(one)));
      prepared[i] = *std::move(one);
    }
  });
  const Status all_prepared = error.Take();
  if (!all_prepared) prepared.clear();
  if (!added) return added;
  if (!all_prepared) return tl::unexpected(all_prepared.error());
  return added;
}

Status OpenWriter::CheckUsable() const {
  if (!is_broken_) return {};
  return Fail(ErrorCode::kConflict,
              "an earlier change of the library failed; open it again for more");
}

Status OpenWriter::Index(std::span<const IndexChange> changes) {
  if (changes.empty()) return {};
  is_broken_ = true;
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t sequence, store_->LastSequence());
  ZHIWEN_RETURN_IF_ERROR(indexes_->Apply(changes, sequence));
  is_broken_ = false;
  return {};
}

Result<AddedDocuments> OpenWriter::Add(std::span<const LibraryDocument> documents) {
  std::vector<Prepared> prepared, none;
  ZHIWEN_RETURN_IF_ERROR(StoreAndPrepare({}, documents, prepared));
  return StoreAndPrepare(std::move(prepared), {}, none);
}

Result<AddedDocuments> OpenWriter::AddNext(std::span<const LibraryDocument> documents) {
  return StoreAndPrepare(std::exchange(next_, {}), documents, next_);
}

Result<AddedDocuments> OpenWriter::Store(std::vector<Prepared>& prepared) {
  ZHIWEN_RETURN_IF_ERROR(CheckUsable());
  std::vector<DocumentToStore> to_store;
  to_store.reserve(prepared.size());
  for (Prepared& one : prepared) to_store.push_back(std::move(one.document));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<StoredChange> stored,
                          store_->Add(to_store, environment_.clock.Now()));
  AddedDocuments added;
  std::vector<IndexChange> changes;
  for (size_t i = 0; i < stored.size(); ++i) {
    const StoredChange& change = stored[i];
    added.added += change.outcome == StoreOutcome::kAdded ? 1 : 0;
    added.updated += change.outcome == StoreOutcome::kUpdated ? 1 : 0;
    added.unchanged += change.outcome == StoreOutcome::kUnchanged ? 1 : 0;
    added.works_added += change.work == StoreOutcome::kAdded ? 1 : 0;
    added.works_updated += change.work == StoreOutcome::kUpdated ? 1 : 0;
    if (change.has_work) added.with_works.push_back(change.number);
    added.each.push_back({.number = change.number,
                          .superseded = change.superseded,
                          .has_named_work = change.has_named_work});
    if (change.outcome == StoreOutcome::kUnchanged) continue;
    const bool is_empty = to_store[i].text.units == 0;
    added.empty += is_empty && to_store[i].source.picture.empty() ? 1 : 0;
    added.equal_texts += change.has_equal_text && !is_empty ? 1 : 0;
    if (change.superseded != 0) {
      changes.push_back({.kind = CatalogChangeKind::kRemove, .document = change.superseded});
    }
    changes.push_back({.kind = CatalogChangeKind::kAdd,
                       .document = change.number,
                       .sketch = &prepared[i].sketch});
  }
  ZHIWEN_RETURN_IF_ERROR(Index(changes));
  return added;
}

Result<std::vector<bool>> OpenWriter::Remove(std::span<const std::string> ids) {
  ZHIWEN_RETURN_IF_ERROR(CheckUsable());
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<uint32_t> numbers, store_->Remove(ids));
  std::vector<bool> was_there;
  std::vector<IndexChange> changes;
  for (const uint32_t number : numbers) {
    was_there.push_back(number != 0);
    if (number == 0) continue;
    changes.push_back({.kind = CatalogChangeKind::kRemove, .document = number});
  }
  ZHIWEN_RETURN_IF_ERROR(Index(changes));
  return was_there;
}

Result<std::vector<bool>> OpenWriter::Purge(std::span<const std::string> ids) {
  ZHIWEN_RETURN_IF_ERROR(CheckUsable());
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<CorpusStore::Purged> purged, store_->Purge(ids));
  std::vector<bool> existed;
  std::vector<IndexChange> changes;
  for (const CorpusStore::Purged& one : purged) {
    existed.push_back(one.existed);
    if (one.live == 0) continue;
    changes.push_back({.kind = CatalogChangeKind::kRemove, .document = one.live});
  }
  ZHIWEN_RETURN_IF_ERROR(Index(changes));
  ZHIWEN_RETURN_IF_ERROR(store_->CutLog());
  return existed;
}

}  // namespace

Result<std::unique_ptr<LibraryWriter>> LibraryWriter::Open(const std::string& folder,
                                                           const BatchEnvironment& environment) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<FileLock> lock, LockLibrary(environment.files, folder));
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<CorpusStore> store,
                          OpenCatalog(environment.files, folder, CatalogAccess::kWrite));
  auto writer = std::make_unique<OpenWriter>(environment, std::move(lock), std::move(store));
  ZHIWEN_RETURN_IF_ERROR(writer->Prepare(folder));
  return std::unique_ptr<LibraryWriter>(std::move(writer));
}

}  // namespace zhiwen
