#ifndef ZHIWEN_INDEX_DURABLE_LOG_FILE_H_
#define ZHIWEN_INDEX_DURABLE_LOG_FILE_H_

// A write-ahead log: records at the end of a file, each synced before it is acknowledged. A crash
// can leave one incomplete record, the last, which readers leave out. Any other damage is an error.
//
// Cost        a write and a sync a record, whatever its size; reading holds the file in memory
// Threads     one at a time
// Fails       see the functions
// Persisted   docs/formats/index_folder.md

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint64_t kMostRecordBytes = uint64_t{1} << 30;
inline constexpr uint64_t kRecordHeadBytes = 16;              // size of the head before each record
inline constexpr uint64_t kMostLogBytes = uint64_t{1} << 32;  // longer logs are not read

// The end of a log, which is needed to continue it.
struct LogEnd {
  uint64_t bytes = 0;    // bytes of the file that are whole
  uint64_t records = 0;  // number of records in these bytes
};

class LogFile {
 public:
  // Makes a log without records and syncs it, but not its folder. `number` distinguishes it from
  // other logs.
  static Result<std::unique_ptr<LogFile>> Create(FileSystem& files, const std::string& path,
                                                 uint64_t number);
  // Opens a log that was read, to continue at its end. Bytes after the end are removed.
  static Result<std::unique_ptr<LogFile>> Continue(FileSystem& files, const std::string& path,
                                                   const LogEnd& end);

  // Adds a record of at most kMostRecordBytes, and returns once it is on the disk. After a failure
  // it is unknown whether the record is there, and nothing more may be added.
  Status Append(std::string_view record);
  Status Close() { return file_->Close(); }

  const LogEnd& end() const { return end_; }

 private:
  LogFile(std::unique_ptr<WritableFile> file, const LogEnd& end)
      : file_(std::move(file)), end_(end) {}

  const std::unique_ptr<WritableFile> file_;
  LogEnd end_;
  std::string bytes_;
};

// Calls visit(record) for every record. At least the first `acknowledged` bytes of the file must be
// whole. Fails: kNotFound; kUnreadable when these bytes are damaged, or a record other than the
// last; kConflict for another version; and as `visit` does.
Result<LogEnd> ReadLogFile(FileSystem& files, const std::string& path, uint64_t number,
                           uint64_t acknowledged,
                           const std::function<Status(std::string_view record)>& visit);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_LOG_FILE_H_
