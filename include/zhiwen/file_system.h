#ifndef ZHIWEN_FILE_SYSTEM_H_
#define ZHIWEN_FILE_SYSTEM_H_

// File access as an interface, so that tests can make any operation fail. Messages of errors name
// the path and the cause.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

// What tells whether a file changed between two passes.
struct FileIdentity {
  uint64_t size = 0;
  int64_t modified_nanoseconds = 0;
  uint64_t device = 0, inode = 0;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// A whole file in place; the view lives as long as the object.
class MappedFile {
 public:
  virtual ~MappedFile() = default;
  virtual std::string_view bytes() const = 0;  // aligned to 8
};

// Threads: ReadAt may be called from several threads at once.
class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  // Reads up to out.size() bytes at `offset`; returns how many, less only at the end of the file.
  virtual Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const = 0;
  virtual Result<FileIdentity> Identity() const = 0;
  // Maps the file as it is now; it need not stay open. Where files cannot be mapped: a copy, read
  // with ReadAt.
  virtual Result<std::unique_ptr<MappedFile>> Map() const;
  virtual const std::string& path() const = 0;
};

// Threads: one at a time. A file that is destroyed without Close keeps what was written, with no
// promise.
class WritableFile {
 public:
  virtual ~WritableFile() = default;
  virtual Status Append(std::string_view bytes) = 0;
  // Appends up to `length` bytes of another file from `offset` on, without bringing them into
  // memory. Returns how many: fewer where the system cannot, or at the end of that file; the caller
  // appends the rest.
  virtual Result<uint64_t> AppendFrom(const ReadableFile& from, uint64_t offset, uint64_t length);
  virtual Status Sync() = 0;
  virtual Status Close() = 0;
  virtual const std::string& path() const = 0;
};

// Held until destroyed.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

struct DirectoryEntry {
  std::string name;
  bool is_directory = false;  // a folder itself, not a link to one
  bool is_file = true;        // a regular file, or a link to one or to nothing
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) = 0;
  // Opens what is read once and from the front, each ReadAt where the last one ended: a pipe and a
  // device too, where the system has them.
  virtual Result<std::unique_ptr<ReadableFile>> OpenStream(const std::string& path);
  // Creates or truncates.
  virtual Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path) = 0;
  // Opens an existing file to write at its end, after cutting it to `size` bytes. kUnreadable when
  // it is shorter than that, and then leaves it as it is.
  virtual Result<std::unique_ptr<WritableFile>> OpenForAppend(const std::string& path,
                                                              uint64_t size) = 0;
  virtual Status CreateDirectories(const std::string& path) = 0;
  virtual Result<bool> IsDirectory(const std::string& path) = 0;  // kNotFound when nothing is there
  virtual Result<bool> Exists(const std::string& path) = 0;
  virtual Result<std::vector<DirectoryEntry>> List(const std::string& path) = 0;  // sorted by name
  virtual Status Rename(const std::string& from, const std::string& to) = 0;
  // Gives the file `from` the second name `to`, which must not exist. False when the system cannot,
  // as across devices: copy it then.
  virtual Result<bool> Link(const std::string& from, const std::string& to) = 0;
  // Where the link `path` leads in the end; a path that is no link is returned as it is. kNotFound
  // where it leads to nothing.
  virtual Result<std::string> FollowLink(const std::string& path);
  virtual Status RemoveFile(const std::string& path) = 0;  // kNotFound when nothing is there
  virtual Status RemoveAll(const std::string& path) = 0;   // nothing there is success
  // Removes the folder `path` when it is empty; one that holds something, and nothing there, are
  // success. Where that cannot be done it stays.
  virtual Status RemoveEmptyFolder(const std::string& path);
  virtual Status SyncDirectory(const std::string& path) = 0;
  // Creates `path` and locks it against other processes. kConflict when it is held.
  virtual Result<std::unique_ptr<FileLock>> Lock(const std::string& path) = 0;
  // Fails as Lock does where another one holds `path`; makes and changes nothing. Nothing there is
  // success.
  virtual Status CheckUnlocked(const std::string& path);
  // How many bytes can still be written below `path`, or below the nearest folder above it that is
  // there. kUnavailable where nobody knows.
  virtual Result<uint64_t> FreeBytes(const std::string& path);
  // Which disk that is: two paths of one number share their free bytes. Fails as FreeBytes.
  virtual Result<uint64_t> DeviceOf(const std::string& path);
};

FileSystem& PosixFileSystem();

// Returns `bytes` as a file; `name` is what messages call it.
std::unique_ptr<ReadableFile> OpenBytes(std::string bytes, std::string name);

// Reads a whole file or stream. Fails also: kExhausted when it is larger than `limit`.
Result<std::string> ReadWholeFile(FileSystem& files, const std::string& path, uint64_t limit);

}  // namespace zhiwen

#endif  // ZHIWEN_FILE_SYSTEM_H_
