#include "pipeline/library/near_index.h"

#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "base/first_error.h"
#include "zhiwen/durability.h"

namespace zhiwen {
namespace {

constexpr size_t kChangesAtOnce = 64;     // a commit excludes readers while it lasts
constexpr uint64_t kFlushChanges = 8192;  // signatures of so many changes are in memory at most
constexpr size_t kReplayedAtOnce = 1024;

std::string IndexesFolder(const std::string& library) { return library + "/index"; }

}  // namespace

std::string NearIndexFolder(const std::string& library, uint64_t incarnation) {
  return fmt::format("{}/near-{}", IndexesFolder(library), incarnation);
}

Result<std::unique_ptr<NearIndexWriter>> NearIndexWriter::Open(
    const std::string& library, CorpusStore& store, std::vector<TextSketcher>& sketchers,
    const BatchEnvironment& environment) {
  std::unique_ptr<NearIndexWriter> writer(
      new NearIndexWriter(library, store, sketchers, environment));
  ZHIWEN_RETURN_IF_ERROR(writer->OpenOrBegin());
  ZHIWEN_RETURN_IF_ERROR(writer->Replay());
  return writer;
}

Status NearIndexWriter::OpenOrBegin() {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t incarnation, store_.Incarnation());
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t last, store_.LastSequence());
  if (incarnation == 0) return Begin();
  const std::string folder = NearIndexFolder(library_, incarnation);
  auto opened = MinHashIndexWriter::Open(environment_.files, folder,
                                         {.durability = Durability::kReplayedByOwner});
  if (opened) {
    sequence_ = (*opened)->index().stats().sequence;
    if (sequence_ <= last) {
      index_ = *std::move(opened);
      return {};
    }
    environment_.log.Warn(fmt::format(
        "\"{}\" is ahead of the catalog, which was restored from a copy; it is made anew", folder));
  } else if (opened.error().code == ErrorCode::kNotFound ||
             opened.error().code == ErrorCode::kUnreadable) {
    environment_.log.Warn(
        fmt::format("the index is made anew from the catalog: {}", opened.error().message));
  } else {
    return Fail(std::move(opened));
  }
  return Begin();
}

// Begins an index in the folder of a new incarnation, and removes all others.
Status NearIndexWriter::Begin() {
  FileSystem& files = environment_.files;
  index_.reset();
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t incarnation, store_.BeginIncarnation());
  ZHIWEN_RETURN_IF_ERROR(files.CreateDirectories(IndexesFolder(library_)));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries,
                          files.List(IndexesFolder(library_)));
  for (const DirectoryEntry& entry : entries) {
    if (!entry.name.starts_with("near-")) continue;
    ZHIWEN_RETURN_IF_ERROR(files.RemoveAll(IndexesFolder(library_) + "/" + entry.name));
  }
  const std::string folder = NearIndexFolder(library_, incarnation);
  ZHIWEN_RETURN_IF_ERROR(MinHashIndex::Create(
      files, folder,
      {.threshold = store_.settings().near_threshold, .signature_size = kSignatureSize}));
  ZHIWEN_ASSIGN_OR_RETURN(index_, MinHashIndexWriter::Open(
                                      files, folder, {.durability = Durability::kReplayedByOwner}));
  sequence_ = 0;
  return {};
}

// Returns the changes with the signatures of the documents that are still live: of the others, the
// removal follows.
Result<std::vector<NearChange>> NearIndexWriter::ReadChanges(
    const std::vector<CatalogChange>& changes) {
  std::vector<NearChange> read(changes.size());
  FirstError error;
  const auto read_one = [&](size_t i, TextSketcher& sketcher) -> Status {
    read[i] = {.kind = CatalogChangeKind::kRemove, .document = changes[i].document};
    if (changes[i].kind == CatalogChangeKind::kRemove) return {};
    ZHIWEN_ASSIGN_OR_RETURN(const auto document, store_.Find(changes[i].document));
    if (!document || document->state != DocumentState::kLive) return {};
    ZHIWEN_ASSIGN_OR_RETURN(const std::string text, store_.ReadText(document->text));
    read[i].kind = CatalogChangeKind::kAdd;
    read[i].signature = sketcher.Sketch(text).signature;
    return {};
  };
  std::atomic<size_t> next = 0;
  environment_.executor.RunOnAll([&](size_t worker) {
    for (size_t i = next++; i < changes.size() && !error.is_set(); i = next++) {
      error.Keep(read_one(i, sketchers_[worker]));
    }
  });
  ZHIWEN_RETURN_IF_ERROR(error.Take());
  return read;
}

Status NearIndexWriter::Replay() {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t last, store_.LastSequence());
  std::vector<CatalogChange> changes;
  const auto apply = [&]() -> Status {
    if (changes.empty()) return {};
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(std::vector<NearChange> read, ReadChanges(changes));
    const uint64_t sequence = changes.back().sequence;
    environment_.progress.Advance(Stage::kReplay, sequence, last);
    changes.clear();
    return Apply(read, sequence);
  };
  ZHIWEN_RETURN_IF_ERROR(store_.VisitChanges(sequence_, [&](const CatalogChange& change) -> Status {
    changes.push_back(change);
    return changes.size() < kReplayedAtOnce ? Status() : apply();
  }));
  return apply();
}

Status NearIndexWriter::Apply(std::span<const NearChange> changes, uint64_t sequence) {
  MinHashChanges batch(index_->index().plan());
  const auto commit = [&]() -> Status {
    if (batch.size() == 0) return {};
    ZHIWEN_RETURN_IF_ERROR(index_->Commit(batch));
    batch.Clear();
    return {};
  };
  for (const NearChange& change : changes) {
    if (change.kind == CatalogChangeKind::kAdd) {
      batch.Add(change.document, change.signature);
    } else {
      batch.Remove(change.document);
    }
    if (batch.size() >= kChangesAtOnce) ZHIWEN_RETURN_IF_ERROR(commit());
  }
  ZHIWEN_RETURN_IF_ERROR(commit());
  sequence_ = sequence;
  unflushed_ += changes.size();
  return unflushed_ >= kFlushChanges ? Flush() : Status();
}

Status NearIndexWriter::Flush() {
  ZHIWEN_RETURN_IF_ERROR(index_->Flush(sequence_));
  unflushed_ = 0;
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool merged,
                            index_->MergeOnce(NoProgress(), environment_.cancellation));
    if (!merged) return {};
  }
}

Status NearIndexWriter::Compact() {
  ZHIWEN_RETURN_IF_ERROR(Flush());
  return index_->MergeAll(environment_.progress, environment_.cancellation);
}

Status NearIndexWriter::Close() {
  ZHIWEN_RETURN_IF_ERROR(Flush());
  return index_->Close();
}

}  // namespace zhiwen
