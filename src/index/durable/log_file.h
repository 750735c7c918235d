#ifndef ZHIWEN_INDEX_DURABLE_LOG_FILE_H_
#define ZHIWEN_INDEX_DURABLE_LOG_FILE_H_

// A write-ahead log: records at the end of a file, each synced before anybody is told that it is
// there. What a crash can leave behind is one record that is not whole, the last: a reader leaves
// it out. Any other damage is an error.
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
inline constexpr uint64_t kRecordHeadBytes = 16;              // before each record
inline constexpr uint64_t kMostLogBytes = uint64_t{1} << 32;  // longer ones are not read

// Where a log ends: what is to be known of it to go on.
struct LogEnd {
  uint64_t bytes = 0;    // those of a file that are whole
  uint64_t records = 0;  // in them
};

class LogFile {
 public:
  // Makes a log without records, and syncs it; not its folder. `number` tells it from others.
  static Result<std::unique_ptr<LogFile>> Create(FileSystem& files, const std::string& path,
                                                 uint64_t number);
  // Opens a log that was read, to go on at its end; what is behind that goes.
  static Result<std::unique_ptr<LogFile>> Continue(FileSystem& files, const std::string& path,
                                                   const LogEnd& end);

  // Adds a record of at most kMostRecordBytes, and returns when it is on the disk. When that
  // fails it is open whether it is, and nothing more may be added.
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

// Calls visit(record) for every record. At least the first `acknowledged` bytes of the file are
// known to be whole. Fails: kNotFound; kUnreadable where they are not, or where another record than
// the last is damaged; kConflict for another version; and as `visit` does.
Result<LogEnd> ReadLogFile(FileSystem& files, const std::string& path, uint64_t number,
                           uint64_t acknowledged,
                           const std::function<Status(std::string_view record)>& visit);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_LOG_FILE_H_
