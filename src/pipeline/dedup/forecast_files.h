#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FILES_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FILES_H_

// A file system for a run that leaves nothing behind: what it writes below one folder stays in
// memory, everything else is read from where it is.
//
// Guarantees  the files below are never written to. Records that a run writes for its user (kept/)
//             are dropped, as nobody reads them
// Cost        memory: what was written and not removed
// Threads     any
// Fails       as the files below do; kInternal for a write outside of the folder
// Not for     links: to link is to forget

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
  // Absolute and normal; need not exist, and is never made.
  ForecastFiles(FileSystem& below, std::string folder);

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

  // What is in memory of one file.
  class Content;

 private:
  bool IsOurs(const std::string& path) const;
  Status CheckOurs(const std::string& path) const;

  FileSystem& below_;
  const std::string folder_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Content>> contents_;
  std::set<std::string> folders_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FILES_H_
