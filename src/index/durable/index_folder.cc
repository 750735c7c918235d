#include "index/durable/index_folder.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/files/section_file.h"
#include "base/fixed_name.h"
#include "base/value_bytes.h"
#include "index/durable/synced_file.h"

namespace zhiwen {
namespace {

constexpr SectionFileKind kManifestKind = {
    .name = "index manifest", .version = 1, .part_of = "index"};
constexpr std::string_view kManifestName = "manifest";
constexpr std::string_view kNewManifestName = "manifest.new";
constexpr std::string_view kLockName = "lock";

// The head of the manifest as it is stored in the file.
struct StoredAbout {
  char kind[16] = {};
  uint64_t generation = 0, next_number = 0, sequence = 0, log = 0, log_bytes = 0;
};

struct StoredSegment {
  uint64_t number = 0, rows = 0, identity = 0, deleted = 0;
};

// Returns whether a name is one that PathOf returns.
bool IsFileOfIndex(std::string_view name) {
  if (name == kNewManifestName) return true;
  for (const std::string_view what : {"segment-", "deleted-", "log-"}) {
    if (name.starts_with(what) && name.size() > what.size() &&
        name.find_first_not_of("0123456789", what.size()) == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

bool IsPossible(const Manifest& manifest) {
  uint64_t before = 0;
  for (const ManifestSegment& segment : manifest.segments) {
    if (segment.number <= before || segment.number >= manifest.next_number ||
        segment.deleted >= manifest.next_number || segment.rows > UINT32_MAX) {
      return false;
    }
    before = segment.number;
  }
  return manifest.log < manifest.next_number;
}

}  // namespace

std::string IndexFolder::PathOf(std::string_view what, uint64_t number) const {
  return fmt::format("{}/{}-{:06}", folder_, what, number);
}

Status IndexFolder::CheckEmpty() const {
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files_.Exists(folder_));
  if (!exists) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files_.IsDirectory(folder_));
  if (is_folder) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files_.List(folder_));
    // Files that an interrupted Create leaves are not in the way.
    const auto is_other = [](const DirectoryEntry& entry) {
      return entry.name != kLockName && entry.name != kNewManifestName;
    };
    if (std::ranges::none_of(entries, is_other)) return {};
  }
  return Fail(ErrorCode::kConflict,
              fmt::format("cannot create the index \"{}\": something is there already; choose "
                          "another name",
                          folder_));
}

Status IndexFolder::Create(std::string settings) {
  if (folder_.empty()) return Fail(ErrorCode::kInvalidArgument, "no folder for the index is named");
  ZHIWEN_RETURN_IF_ERROR(CheckEmpty());
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<std::string> parents, NewParents());
  ZHIWEN_RETURN_IF_ERROR(files_.CreateDirectories(folder_));
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<FileLock> lock, Lock());
  ZHIWEN_RETURN_IF_ERROR(CheckEmpty());
  Manifest manifest;
  manifest.settings = std::move(settings);
  bool is_open = false;
  ZHIWEN_RETURN_IF_ERROR(Publish(manifest, &is_open));
  for (const std::string& parent : parents) ZHIWEN_RETURN_IF_ERROR(files_.SyncDirectory(parent));
  return {};
}

// Returns the folders that get a new entry when the index folder and its missing parents are made.
Result<std::vector<std::string>> IndexFolder::NewParents() const {
  std::vector<std::string> parents;
  for (std::filesystem::path path = folder_; !path.empty() && path != path.root_path();) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files_.Exists(path.string()));
    if (exists) break;
    path = path.parent_path();
    parents.push_back(path.empty() ? "." : path.string());
  }
  return parents;
}

bool IndexFolder::IsLocked() const {
  return !files_.CheckUnlocked(fmt::format("{}/{}", folder_, kLockName));
}

Result<std::unique_ptr<FileLock>> IndexFolder::Lock() const {
  auto lock = files_.Lock(fmt::format("{}/{}", folder_, kLockName));
  if (lock || lock.error().code != ErrorCode::kConflict) return lock;
  return Fail(ErrorCode::kConflict,
              fmt::format("cannot write to the index \"{}\": another process is writing to it; "
                          "wait for that",
                          folder_));
}

// Returns the error for a folder without a manifest, which may or may not have files of an index.
tl::unexpected<Error> IndexFolder::FailNoManifest() const {
  const auto entries = files_.List(folder_);
  const bool has_parts = entries && std::ranges::any_of(*entries, [](const DirectoryEntry& entry) {
                           return entry.name != kNewManifestName && IsFileOfIndex(entry.name);
                         });
  if (has_parts) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot open the index \"{}\": its manifest is gone, without which "
                            "nobody knows which of its files count; restore the index from a copy",
                            folder_));
  }
  return Fail(ErrorCode::kNotFound,
              fmt::format("cannot open the index \"{}\": it has no manifest; make one with index "
                          "create",
                          folder_));
}

Result<Manifest> IndexFolder::Read() const {
  const std::string path = fmt::format("{}/{}", folder_, kManifestName);
  auto opened = SectionFile::Open(files_, path, kManifestKind);
  if (!opened && opened.error().code == ErrorCode::kNotFound) {
    return FailNoManifest();
  }
  ZHIWEN_ASSIGN_OR_RETURN(const SectionFile file, std::move(opened));
  ZHIWEN_ASSIGN_OR_RETURN(const auto abouts, file.Values<StoredAbout>("about"));
  ZHIWEN_ASSIGN_OR_RETURN(const auto segments, file.Values<StoredSegment>("segments"));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string_view settings, file.Bytes("settings"));
  if (abouts.size() != 1) return file.Damaged("about", "its size is wrong");
  const StoredAbout& about = abouts[0];
  const std::string_view kind = NameIn(about.kind);
  if (kind != kind_) {
    return Fail(ErrorCode::kConflict, fmt::format("cannot open the index \"{}\": it is one of {}, "
                                                  "not of {}",
                                                  folder_, kind, kind_));
  }
  Manifest manifest = {.generation = about.generation,
                       .next_number = about.next_number,
                       .sequence = about.sequence,
                       .log = about.log,
                       .log_bytes = about.log_bytes,
                       .segments = {},
                       .settings = std::string(settings)};
  for (const StoredSegment& segment : segments) {
    manifest.segments.push_back({.number = segment.number,
                                 .rows = segment.rows,
                                 .identity = segment.identity,
                                 .deleted = segment.deleted});
  }
  if (!IsPossible(manifest)) return file.Damaged("segments", "it has numbers that cannot be");
  return manifest;
}

Status IndexFolder::Publish(Manifest& manifest, bool* is_open) const {
  *is_open = false;
  StoredAbout about = {.kind = {},
                       .generation = manifest.generation + 1,
                       .next_number = manifest.next_number,
                       .sequence = manifest.sequence,
                       .log = manifest.log,
                       .log_bytes = manifest.log_bytes};
  CopyName(kind_, about.kind);
  std::vector<StoredSegment> segments;
  segments.reserve(manifest.segments.size());
  for (const ManifestSegment& segment : manifest.segments) {
    segments.push_back({.number = segment.number,
                        .rows = segment.rows,
                        .identity = segment.identity,
                        .deleted = segment.deleted});
  }
  SectionWriter writer;
  writer.Add("about", BytesOfValue(about));
  writer.AddValues("segments", std::span<const StoredSegment>(segments));
  writer.Add("settings", manifest.settings);
  const std::string made = fmt::format("{}/{}", folder_, kNewManifestName);
  const auto write = [&](const SectionSink& take) {
    return WriteSections(kManifestKind, writer.contents(), take);
  };
  // Files that the manifest names must exist whenever the manifest does.
  ZHIWEN_RETURN_IF_ERROR(files_.SyncDirectory(folder_));
  ZHIWEN_RETURN_IF_ERROR(WriteSyncedFile(files_, made, write));
  *is_open = true;
  ZHIWEN_RETURN_IF_ERROR(files_.Rename(made, fmt::format("{}/{}", folder_, kManifestName)));
  ZHIWEN_RETURN_IF_ERROR(files_.SyncDirectory(folder_));
  *is_open = false;
  ++manifest.generation;
  return {};
}

Result<std::vector<std::string>> IndexFolder::Leftovers(const Manifest& manifest) const {
  std::set<std::string> named;
  for (const ManifestSegment& segment : manifest.segments) {
    named.insert(SegmentPath(segment.number));
    if (segment.deleted != 0) named.insert(DeletedPath(segment.deleted));
  }
  if (manifest.log != 0) named.insert(LogPath(manifest.log));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files_.List(folder_));
  std::vector<std::string> leftovers;
  for (const DirectoryEntry& entry : entries) {
    std::string path = fmt::format("{}/{}", folder_, entry.name);
    if (IsFileOfIndex(entry.name) && !named.contains(path)) leftovers.push_back(std::move(path));
  }
  return leftovers;
}

void IndexFolder::RemoveLeftovers(const Manifest& manifest) const {
  const auto leftovers = Leftovers(manifest);
  if (!leftovers) return;
  for (const std::string& path : *leftovers) (void)files_.RemoveFile(path);
}

}  // namespace zhiwen
