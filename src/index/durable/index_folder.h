#ifndef ZHIWEN_INDEX_DURABLE_INDEX_FOLDER_H_
#define ZHIWEN_INDEX_DURABLE_INDEX_FOLDER_H_

// The folder of an index: the files that it consists of, and the transition from one state to the
// next. A manifest names the segments, the deleted rows of each, and the log of later changes.
// Every file has a number of its own and is never changed, except the log, which grows. A new state
// is written beside the old one: first the files, synced; then the manifest under another name,
// synced and renamed; then the folder is synced, and files that no state needs are removed.
//
// Guarantees  a reader sees the old state or the new one; open files of the old one stay readable
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
  uint64_t number = 0;    // number of its file
  uint64_t rows = 0;      // fewer than 2³²
  uint64_t identity = 0;  // BlockFile::identity()
  uint64_t deleted = 0;   // number of the file of its deleted rows; 0 when none are
};

struct Manifest {
  uint64_t generation = 0;
  uint64_t next_number = 1;  // number of the next file
  // Chosen by the owner: tells which changes the segments contain.
  uint64_t sequence = 0;
  uint64_t log = 0;                       // number of the log, 0 when there is none
  uint64_t log_bytes = 0;                 // at least this many bytes of the log are whole
  std::vector<ManifestSegment> segments;  // by number
  std::string settings;                   // settings of the kind of index
};

class IndexFolder {
 public:
  // `kind` names what is indexed, in at most 15 bytes. `files` must outlive the object.
  IndexFolder(FileSystem& files, std::string folder, std::string_view kind)
      : files_(files), folder_(std::move(folder)), kind_(kind) {}

  // Makes a folder with a manifest without segments. Fails: kConflict when the path exists and is
  // not an empty folder, or when another process is making an index there.
  Status Create(std::string settings);

  // Returns a lock that excludes other writers as long as it lives. Fails: kConflict when there is
  // one.
  Result<std::unique_ptr<FileLock>> Lock() const;

  // Returns whether another process is writing.
  bool IsLocked() const;

  // Reads the manifest. Fails: kNotFound when there is no index; kConflict for an index of another
  // kind or version; kUnreadable for damage, and for files of an index without a manifest.
  Result<Manifest> Read() const;

  // Makes `manifest` the state, with the next generation. Its files must be synced. Fails as the
  // disk does; then `*is_open` says whether it is unknown which state is on the disk.
  Status Publish(Manifest& manifest, bool* is_open) const;

  std::string SegmentPath(uint64_t number) const { return PathOf("segment", number); }
  std::string DeletedPath(uint64_t number) const { return PathOf("deleted", number); }
  std::string LogPath(uint64_t number) const { return PathOf("log", number); }

  // Returns the files of an index that `manifest` does not name.
  Result<std::vector<std::string>> Leftovers(const Manifest& manifest) const;
  // Removes the leftovers, as far as possible.
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
