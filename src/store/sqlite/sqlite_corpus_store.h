#ifndef ZHIWEN_STORE_SQLITE_SQLITE_CORPUS_STORE_H_
#define ZHIWEN_STORE_SQLITE_SQLITE_CORPUS_STORE_H_

// The catalog of a library as one SQLite file, with a write-ahead log that is synced at every
// commit. schema.h has its tables.
//
// Cost        20 to 40 µs a document of 2 KB that is added, a thousand or more at once; finding a
//             document or text reads a few pages of the file
// Persisted   docs/formats/catalog.md

#include <memory>
#include <string>

#include "store/corpus_store.h"

namespace zhiwen {

class SqliteCorpusStore {
 public:
  // Makes the catalog `path`; its id is drawn. Fails: kConflict when there is one.
  static Status Create(const std::string& path, const CatalogSettings& settings);

  // Whether a file is the beginning of a catalog whose creation was cut short.
  static bool IsUnfinished(const std::string& path);

  enum class Access : uint8_t { kRead, kWrite };
  // Opens a catalog of this or an earlier schema. A writer brings it to the newest schema; a reader
  // reads it as it is, without works, until a writer adds documents with works to it, which is
  // kConflict. Fails: kNotFound when there is none; kConflict when it has the schema of a newer
  // version.
  static Result<std::unique_ptr<CorpusStore>> Open(const std::string& path, Access access);
};

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_SQLITE_SQLITE_CORPUS_STORE_H_
