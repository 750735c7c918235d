#ifndef ZHIWEN_STORE_SQLITE_CHECK_CATALOG_H_
#define ZHIWEN_STORE_SQLITE_CHECK_CATALOG_H_

// Reads every row of a catalog: what CorpusStore::Check promises.

#include <cstdint>
#include <functional>
#include <string>

#include "store/sqlite/database.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

Status CheckCatalog(const Database& database, int64_t schema,
                    const std::function<void(std::string problem)>& problem, ProgressSink& progress,
                    const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_SQLITE_CHECK_CATALOG_H_
