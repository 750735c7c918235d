#ifndef ZHIWEN_STORE_SQLITE_SCHEMA_H_
#define ZHIWEN_STORE_SQLITE_SCHEMA_H_

// The tables of a catalog, and how a catalog of an earlier version becomes one of this version: by
// numbered migrations, each of which runs once. docs/formats/catalog.md describes them.

#include <cstdint>
#include <map>
#include <string>

#include "store/sqlite/database.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr int64_t kCatalogApplication = 0x7A77636C;  // "zwcl", PRAGMA application_id

// The first schema that knows works.
inline constexpr int64_t kSchemaOfWorks = 2;
// And the first that knows what documents were made of: places of texts, and pictures.
inline constexpr int64_t kSchemaOfSources = 3;
// And the first that knows when decoys were published.
inline constexpr int64_t kSchemaOfExposures = 4;

// Returns the number of the newest schema.
int64_t NewestSchema();

// Returns the schema of a database, 0 for an empty one. Fails: kConflict for a database of another
// program, and for a schema that is newer than this program.
Result<int64_t> SchemaOf(const Database& database);

// Brings a database from any earlier schema to the newest one. The caller has a transaction.
Status Migrate(Database& database);

// Returns the tables and indexes of a schema: the statements that make them, by name.
Result<std::map<std::string, std::string>> TablesOfSchema(int64_t schema);
Result<std::map<std::string, std::string>> TablesOf(const Database& database);

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_SQLITE_SCHEMA_H_
