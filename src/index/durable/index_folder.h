#ifndef ZHIWEN_INDEX_DURABLE_INDEX_FOLDER_H_
#define ZHIWEN_INDEX_DURABLE_INDEX_FOLDER_H_

// The folder of an index: which files make it up, and how one state follows another. A manifest
// names the segments, what is deleted of each, and the log of what came after all of them; every
// file has a number of its own and is never changed but for the log, which grows. A new state is
// written beside the old one: files first, synced; then the manifest under another name, synced and
// renamed; then the folder is synced, and files that no state needs go.
//
// Guarantees  a reader sees the old state or the new one; files of the old one that are open stay
//             readable
// Threads     one at a time
// Fails       see the functions
// Persisted   docs/formats/index_folder.md

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct ManifestSegment {
  uint64_t number = 0;    // of its file
  uint64_t rows = 0;      // fewer than 2³²
  uint64_t identity = 0;  // BlockFile::identity()
  uint64_t deleted = 0;   // the number of the file of its deleted rows; 0: none are
};

struct Manifest {
  uint64_t generation = 0;
  uint64_t next_number = 1;               // of files
  uint64_t sequence = 0;                  // of the owner: what is in the segments
  uint64_t log = 0;                       // the number of the log; 0: none
  uint64_t log_bytes = 0;                 // at least so many of them are whole
  std::vector<ManifestSegment> segments;  // by number
  std::string settings;                   // of the kind of index
};

class IndexFolder {
 public:
  // `kind` says what is indexed, in at most 15 bytes. `files` must outlive the object.
  IndexFolder(FileSystem& files, std::string folder, std::string_view kind)
      : files_(files), folder_(std::move(folder)), kind_(kind) {}

  // Makes a folder with a manifest without segments. Fails: kConflict where something is there
  // that is no empty folder, or another process makes one.
  Status Create(std::string settings);

  // Keeps other writers away as long as it lives. Fails: kConflict when one is there.
  Result<std::unique_ptr<FileLock>> Lock() const;

  // Whether another process writes.
  bool IsLocked() const;

  // Fails: kNotFound where no index is; kConflict for one of another kind or version; kUnreadable,
  // also where files of an index are without a manifest.
  Result<Manifest> Read() const;

  // Makes `manifest` the state, one generation on; its files are synced. Fails as the disk does:
  // `*is_open` says whether it is open which state is there.
  Status Publish(Manifest& manifest, bool* is_open) const;

  std::string SegmentPath(uint64_t number) const { return PathOf("segment", number); }
  std::string DeletedPath(uint64_t number) const { return PathOf("deleted", number); }
  std::string LogPath(uint64_t number) const { return PathOf("log", number); }

  // The files of an index that `manifest` does not name.
  Result<std::vector<std::string>> Leftovers(const Manifest& manifest) const;
  // Removes them, where that can be.
  void RemoveLeftovers(const Manifest& manifest) const;

  FileSystem& files() const { return files_; }
  const std::string& folder() const { return folder_; }

 private:
  std::string PathOf(std::string_view what, uint64_t number) const;
  Status CheckEmpty() const;
  tl::unexpected<Error> FailNoManifest() const;
  Result<std::vector<std::string>> NewParents() const;

  FileSystem& files_;
  const std::string folder_;
  const std::string kind_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_INDEX_FOLDER_H_
