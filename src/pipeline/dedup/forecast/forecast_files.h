#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_FILES_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_FILES_H_

// A file system for a run that leaves nothing behind: what it writes below one folder stays in
// memory, everything else is read from where it is.
//
// Guarantees  the files below are never written to. What a run writes for its user is dropped, as
//             nobody reads it; its scratch is held. Never more than `limit` bytes are held
// Cost        memory: what was written to scratch and not removed. A mapped file takes no more
// Threads     any
// Fails       as the files below do; kInternal for a write outside of the folder; kExhausted where
//             a write would pass the limit: is_full() from then on
// Not for     links: to link is to forget

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "zhiwen/file_system.h"

namespace zhiwen {

class ForecastFiles final : public FileSystem {
 public:
  // `folder`: absolute and normal; need not exist, and is never made.
  ForecastFiles(FileSystem& below, std::string folder, uint64_t limit);

  // Whether a write was refused because of the limit.
  bool is_full() const { return room_->is_full; }

  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override;
  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path) override;
  Result<std::unique_ptr<WritableFile>> OpenForAppend(const std::string& path,
                                                      uint64_t size) override;
  Status CreateDirectories(const std::string& path) override;
  Result<bool> IsDirectory(const std::string& path) override;
  Result<bool> Exists(const std::string& path) override;
  Result<std::vector<DirectoryEntry>> List(const std::string& path) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Result<bool> Link(const std::string& from, const std::string& to) override;
  Status RemoveFile(const std::string& path) override;
  Status RemoveAll(const std::string& path) override;
  Status SyncDirectory(const std::string& path) override;
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override;
  Result<uint64_t> FreeBytes(const std::string& path) override;

  // What all files together may take.
  struct Room {
    uint64_t limit = 0;
    std::atomic<uint64_t> used = 0;
    std::atomic<bool> is_full = false;
  };
  // What is in memory of one file.
  class Content;

 private:
  bool IsOurs(const std::string& path) const;
  bool IsHeld(const std::string& path) const;
  Status CheckOurs(const std::string& path) const;

  FileSystem& below_;
  const std::string folder_;
  const std::shared_ptr<Room> room_ = std::make_shared<Room>();
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Content>> contents_;
  std::set<std::string> folders_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_FILES_H_
