#ifndef ZHIWEN_INDEX_DURABLE_SYNCED_FILE_H_
#define ZHIWEN_INDEX_DURABLE_SYNCED_FILE_H_

// Writes a file of an index in one go.

#include <functional>
#include <string>

#include "base/files/section_file.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Makes the file, lets `write` fill it, and syncs the file but not its folder. Returns what `write`
// returns. A file that could not be written is removed if possible.
Result<uint64_t> WriteSyncedFile(FileSystem& files, const std::string& path,
                                 const std::function<Result<uint64_t>(const SectionSink&)>& write);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_SYNCED_FILE_H_
