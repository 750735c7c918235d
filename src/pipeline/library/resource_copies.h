#ifndef ZHIWEN_PIPELINE_LIBRARY_RESOURCE_COPIES_H_
#define ZHIWEN_PIPELINE_LIBRARY_RESOURCE_COPIES_H_

// Copies of the files that schemes of a library were made with, so that values can be computed
// wherever the library is, and whatever becomes of the files.
//
//   resources/HASH   the bytes of a file; HASH is their XXH3-128, as 32 hex digits
//
// The setting code_files.NAME of the catalog says which files the scheme of the index NAME has:
// "df=HASH dictionary=HASH dictionary=HASH". Equal files are kept once.
//
// Guarantees  a copy has its name once it is whole and on the disk; every byte is compared with the
//             name before a copy is used
// Not for     keys: a library that others may read keeps no secret
// Persisted   docs/formats/catalog.md

#include <string>
#include <string_view>

#include "store/corpus_store.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme_files.h"

namespace zhiwen {

std::string ResourceFolder(const std::string& library);

// Copies files into a library, unless whole copies are there. Returns the setting that names them,
// empty without files.
Result<std::string> CopyResources(FileSystem& files, const std::string& library,
                                  const SchemeFiles& given);

// Returns the paths of the copies that the scheme of an index was made with. Fails: kUnreadable
// when one is missing or damaged, naming the scheme and saying what to do.
Result<SchemeFiles> FindResources(FileSystem& files, const std::string& library,
                                  const CatalogSettings& settings, const std::string& index);

// Removes what no setting names.
Status RemoveIdleResources(FileSystem& files, const std::string& library,
                           const CatalogSettings& settings);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_RESOURCE_COPIES_H_
