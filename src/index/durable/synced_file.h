#ifndef ZHIWEN_INDEX_DURABLE_SYNCED_FILE_H_
#define ZHIWEN_INDEX_DURABLE_SYNCED_FILE_H_

// A file of an index, written at once.

#include <functional>
#include <string>

#include "base/files/section_file.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Makes the file, has `write` fill it, and syncs it; not its folder. Returns what `write` returns.
// A file that could not be written is removed, where that can be.
Result<uint64_t> WriteSyncedFile(FileSystem& files, const std::string& path,
                                 const std::function<Result<uint64_t>(const SectionSink&)>& write);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_SYNCED_FILE_H_
