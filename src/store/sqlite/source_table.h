#ifndef ZHIWEN_STORE_SQLITE_SOURCE_TABLE_H_
#define ZHIWEN_STORE_SQLITE_SOURCE_TABLE_H_

// What the documents of a catalog were made of: a row for each of which something is known, whose
// checksum is in the row of the document.
//
// Threads     one at a time

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "store/corpus_store.h"
#include "store/sqlite/database.h"
#include "zhiwen/result.h"
#include "zhiwen/stored_document.h"

namespace zhiwen {

class SourceTable {
 public:
  // `database` must outlive the object.
  explicit SourceTable(const Database& database) : db_(database) {}

  // Not to be called for a catalog of a schema without sources: then Read finds none.
  Status Prepare(Database::Access access);

  // Stores the source of a document that has none. Otherwise, and where the source is empty,
  // nothing changes.
  Status Put(StoredDocument document, const SourceToStore& source);

  // Deletes the source of a document, if it has one.
  Status Delete(uint32_t document);

  // Returns whether a document is this picture; of an empty one whether it is none.
  Result<bool> IsPicture(const StoredDocument& document, std::string_view picture);

  Result<std::optional<DocumentSource>> Read(uint32_t document);
  Result<std::vector<StoredPicture>> ReadPictures();

 private:
  const Database& db_;
  bool is_prepared_ = false;
  Statement read_, pictures_, insert_, set_, delete_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_SQLITE_SOURCE_TABLE_H_
