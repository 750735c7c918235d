#include "pipeline/library/index_writers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/first_error.h"
#include "base/for_each_until_error.h"

namespace zhiwen {
namespace {

constexpr size_t kChangesAtOnce = 64;      // a commit excludes readers while it lasts
constexpr uint64_t kFlushChanges = 16384;  // so many changes are in memory at most
constexpr size_t kReplayedAtOnce = 1024;

}  // namespace

Result<std::unique_ptr<IndexWriters>> IndexWriters::Open(const std::string& library,
                                                         CorpusStore& store,
                                                         std::vector<TextSketcher>& sketchers,
                                                         const BatchEnvironment& environment) {
  std::unique_ptr<IndexWriters> writers(new IndexWriters(library, store, sketchers, environment));
  for (const DerivedIndex& derived : DerivedIndexesOf(store.settings())) {
    ZHIWEN_ASSIGN_OR_RETURN(Index index, writers->OpenOrBegin(derived));
    writers->indexes_.push_back(std::move(index));
  }
  ZHIWEN_RETURN_IF_ERROR(writers->Replay());
  return writers;
}

Result<IndexWriters::Index> IndexWriters::OpenOrBegin(const DerivedIndex& derived) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t incarnation, store_.Incarnation(derived.name));
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t last, store_.LastSequence());
  if (incarnation == 0) return Begin(derived);
  const std::string folder =
      DerivedIndexFolder(library_, store_.settings(), derived.name, incarnation);
  Index index{.derived = derived, .folder = folder};
  auto opened = derived.kind->open(environment_.files, folder, derived.part);
  if (opened) {
    index.writer = *std::move(opened);
    index.sequence = index.writer->sequence();
    if (index.sequence <= last) return index;
    index.writer.reset();  // lets its folder go
    environment_.log.Warn(fmt::format(
        "\"{}\" is ahead of the catalog, which was restored from a copy; it is made anew", folder));
  } else if (opened.error().code == ErrorCode::kNotFound ||
             opened.error().code == ErrorCode::kUnreadable) {
    environment_.log.Warn(
        fmt::format("the index is made anew from the catalog: {}", opened.error().message));
  } else {
    return Fail(std::move(opened));
  }
  return Begin(derived);
}

// Begins an index in the folder of a new incarnation. The catalog names it once it is there, and
// then the others of its kind are removed, so that readers always find the one that is named.
Result<IndexWriters::Index> IndexWriters::Begin(const DerivedIndex& derived) {
  FileSystem& files = environment_.files;
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t before, store_.Incarnation(derived.name));
  const std::string parent = library_ + "/index";
  const std::string folder =
      DerivedIndexFolder(library_, store_.settings(), derived.name, before + 1);
  ZHIWEN_RETURN_IF_ERROR(files.CreateDirectories(parent));
  ZHIWEN_RETURN_IF_ERROR(files.RemoveAll(folder));  // of a writer that was killed
  ZHIWEN_RETURN_IF_ERROR(derived.kind->create(files, folder, store_.settings()));
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t incarnation, store_.BeginIncarnation(derived.name));
  if (incarnation != before + 1) {
    return Fail(ErrorCode::kConflict, fmt::format("another process begins \"{}\"", folder));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files.List(parent));
  for (const DirectoryEntry& entry : entries) {
    const std::string path = parent + "/" + entry.name;
    if (!entry.name.starts_with(fmt::format("{}-", derived.name)) || path == folder) continue;
    ZHIWEN_RETURN_IF_ERROR(files.RemoveAll(path));
  }
  Index index{.derived = derived, .folder = folder};
  ZHIWEN_ASSIGN_OR_RETURN(index.writer, derived.kind->open(files, folder, derived.part));
  return index;
}

// --- what indexes lack ---------------------------------------------------------------------------

// Returns the sketches of the documents that changes add and that are still live: the removal of
// the others follows. Their sketches are empty.
Result<std::vector<TextSketch>> IndexWriters::SketchAdded(std::span<const CatalogChange> changes) {
  std::vector<TextSketch> sketches(changes.size());
  FirstError unreadable;
  const auto sketch_one = [&](size_t i, TextSketcher& sketcher) -> Status {
    if (changes[i].kind != CatalogChangeKind::kAdd) return {};
    ZHIWEN_ASSIGN_OR_RETURN(const auto document, store_.Find(changes[i].document));
    if (!document || document->state != DocumentState::kLive) return {};
    const Result<std::string> text = store_.ReadText(document->text);
    if (!text && text.error().code == ErrorCode::kUnreadable) {
      unreadable.Keep(tl::unexpected(text.error()));  // it can be removed, and fsck reports it
      return {};
    }
    if (!text) return Fail(Result(text));
    sketches[i] = sketcher.Sketch(*text);
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(ForEachUntilError(
      environment_.executor, changes.size(), 1,
      [&](size_t worker, size_t i) { return sketch_one(i, sketchers_[worker]); }));
  if (const Status first = unreadable.Take(); !first) {
    environment_.log.Warn(fmt::format("a document is in no index: {}", first.error().message));
  }
  return sketches;
}

Status IndexWriters::ReplaySome(std::span<const CatalogChange> changes) {
  ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<TextSketch> sketches, SketchAdded(changes));
  for (Index& index : indexes_) {
    std::vector<IndexChange> lacking;
    for (size_t i = 0; i < changes.size(); ++i) {
      if (changes[i].sequence <= index.sequence) continue;
      const bool adds =
          changes[i].kind == CatalogChangeKind::kAdd && !sketches[i].signature.empty();
      lacking.push_back({.kind = adds ? CatalogChangeKind::kAdd : CatalogChangeKind::kRemove,
                         .document = changes[i].document,
                         .sketch = adds ? &sketches[i] : nullptr});
    }
    ZHIWEN_RETURN_IF_ERROR(ApplyTo(index, lacking, changes.back().sequence));
  }
  unflushed_ += changes.size();
  return unflushed_ >= kFlushChanges ? Flush() : Status();
}

Status IndexWriters::Replay() {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t last, store_.LastSequence());
  const uint64_t first = std::ranges::min_element(indexes_, {}, &Index::sequence)->sequence;
  std::vector<CatalogChange> changes;
  const auto take = [&](const CatalogChange& change) -> Status {
    changes.push_back(change);
    if (changes.size() < kReplayedAtOnce) return {};
    const Status replayed = ReplaySome(changes);
    environment_.progress.Advance(Stage::kReplay, change.sequence - first, last - first);
    changes.clear();
    return replayed;
  };
  ZHIWEN_RETURN_IF_ERROR(store_.VisitChanges(first, take));
  return changes.empty() ? Status() : ReplaySome(changes);
}

// --- changes -------------------------------------------------------------------------------------

Status IndexWriters::ApplyTo(Index& index, std::span<const IndexChange> changes,
                             uint64_t sequence) {
  for (size_t begin = 0; begin < changes.size(); begin += kChangesAtOnce) {
    const size_t count = std::min(kChangesAtOnce, changes.size() - begin);
    ZHIWEN_RETURN_IF_ERROR(index.writer->Commit(changes.subspan(begin, count)));
  }
  index.sequence = std::max(index.sequence, sequence);
  return {};
}

Status IndexWriters::Apply(std::span<const IndexChange> changes, uint64_t sequence) {
  for (Index& index : indexes_) {
    ZHIWEN_RETURN_IF_ERROR(ApplyTo(index, changes, sequence));
  }
  unflushed_ += changes.size();
  return unflushed_ >= kFlushChanges ? Flush() : Status();
}

Status IndexWriters::Flush() {
  for (Index& index : indexes_) {
    ZHIWEN_RETURN_IF_ERROR(index.writer->Flush(index.sequence));
    for (bool merges = true; merges;) {
      ZHIWEN_ASSIGN_OR_RETURN(merges,
                              index.writer->MergeOnce(NoProgress(), environment_.cancellation));
    }
  }
  unflushed_ = 0;
  return {};
}

Status IndexWriters::Compact() {
  ZHIWEN_RETURN_IF_ERROR(Flush());
  bool has_begun = false;
  for (Index& index : indexes_) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_whole, IsWhole(index));
    if (is_whole) continue;
    index.writer.reset();  // what it has in memory is replayed
    ZHIWEN_ASSIGN_OR_RETURN(index, Begin(DerivedIndex(index.derived)));
    has_begun = true;
  }
  if (has_begun) {
    ZHIWEN_RETURN_IF_ERROR(Replay());
    ZHIWEN_RETURN_IF_ERROR(Flush());
  }
  for (Index& index : indexes_) {
    ZHIWEN_RETURN_IF_ERROR(
        index.writer->MergeAll(environment_.progress, environment_.cancellation));
  }
  return {};
}

// Reads every byte of an index. Warns when it is damaged.
Result<bool> IndexWriters::IsWhole(const Index& index) {
  ZHIWEN_ASSIGN_OR_RETURN(
      const DerivedIndexCheck check,
      index.derived.kind->check(environment_.files, index.folder, environment_.progress,
                                environment_.cancellation));
  if (check.problems.empty()) return true;
  environment_.log.Warn(
      fmt::format("the index is made anew from the catalog: {}", check.problems.front()));
  return false;
}

Status IndexWriters::Close() {
  ZHIWEN_RETURN_IF_ERROR(Flush());
  for (Index& index : indexes_) ZHIWEN_RETURN_IF_ERROR(index.writer->Close());
  return {};
}

}  // namespace zhiwen
