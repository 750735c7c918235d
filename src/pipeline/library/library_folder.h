#ifndef ZHIWEN_PIPELINE_LIBRARY_LIBRARY_FOLDER_H_
#define ZHIWEN_PIPELINE_LIBRARY_LIBRARY_FOLDER_H_

// The files of a library: catalog.sqlite with its log, index/, and the lock of the one writer.

#include <cstdint>
#include <memory>
#include <string>

#include "store/corpus_store.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

std::string CatalogPath(const std::string& folder);

// Holds a library for one writer as long as the result lives. Fails: kNotFound when there is no
// library; kConflict when another process writes to it.
Result<std::unique_ptr<FileLock>> LockLibrary(FileSystem& files, const std::string& folder);

enum class CatalogAccess : uint8_t { kRead, kWrite };

// Opens the catalog of a library. Fails: kNotFound when there is none; kConflict when its
// signatures were computed by another scheme than this program's.
Result<std::unique_ptr<CorpusStore>> OpenCatalog(FileSystem& files, const std::string& folder,
                                                 CatalogAccess access);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_LIBRARY_FOLDER_H_
