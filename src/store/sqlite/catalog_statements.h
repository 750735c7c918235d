#ifndef ZHIWEN_STORE_SQLITE_CATALOG_STATEMENTS_H_
#define ZHIWEN_STORE_SQLITE_CATALOG_STATEMENTS_H_

// The statements on the documents and changes of a catalog, prepared once.
//
// Threads     one at a time, as their connection

#include <cstdint>

#include "store/sqlite/database.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct CatalogStatements {
  Statement find, find_versions, find_exact, find_folded, visit_live, visit_all, changes;
  Statement incarnation;
  Statement find_parts;  // from kSchemaOfWorks on
  // With kWrite alone.
  Statement empty_document, begin_incarnation, insert_document, set_state, insert_change;

  // Prepares those that a catalog of this schema has. The connection must outlive the object.
  Status Prepare(const Database& database, int64_t schema, Database::Access access);
};

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_SQLITE_CATALOG_STATEMENTS_H_
