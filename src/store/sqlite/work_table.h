#ifndef ZHIWEN_STORE_SQLITE_WORK_TABLE_H_
#define ZHIWEN_STORE_SQLITE_WORK_TABLE_H_

// The works of a catalog.
//
// Threads     one at a time

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "store/corpus_store.h"
#include "store/sqlite/catalog_rows.h"
#include "store/sqlite/database.h"
#include "zhiwen/result.h"
#include "zhiwen/stored_document.h"

namespace zhiwen {

class WorkTable {
 public:
  // `database` must outlive the object.
  explicit WorkTable(const Database& database) : db_(database) {}

  // Not to be called for a catalog of a schema without works: then Read finds none.
  Status Prepare(Database::Access access);

  // Writes what is said of a work, and returns its key; 0 where nothing names one. What is not said
  // stays. `outcome` becomes what came of the work, unless that is nothing, or it has no name.
  Result<uint64_t> Put(const WorkLabels& labels, StoreOutcome& outcome);

  // Deletes a work to which no document belongs any more.
  Status DeleteUnused(uint64_t key);

  // Returns the works with live documents behind the one with the key `after`, which becomes that
  // of the last: `most` at most.
  Result<std::vector<StoredWork>> Read(uint64_t& after, size_t most);

 private:
  Result<std::optional<WorkRow>> Find(const WorkLabels& labels);

  const Database& db_;
  bool is_prepared_ = false;
  Statement read_, find_, find_owner_, last_, put_, delete_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_SQLITE_WORK_TABLE_H_
