#ifndef ZHIWEN_STORE_SQLITE_TEXT_TABLE_H_
#define ZHIWEN_STORE_SQLITE_TEXT_TABLE_H_

// The texts of a catalog. Equal ones are stored once, and count their users.
//
// Threads     one at a time

#include <cstdint>

#include "store/corpus_store.h"
#include "store/sqlite/catalog_rows.h"
#include "store/sqlite/database.h"
#include "zhiwen/result.h"

namespace zhiwen {

class TextTable {
 public:
  // `database` must outlive the object.
  explicit TextTable(const Database& database) : db_(database) {}
  Status Prepare(Database::Access access);

  // Stores a text for one more user, and returns its key.
  Result<uint64_t> Put(const TextToStore& text);

  // Takes one user of a text away; a text without users is deleted.
  Status Release(uint64_t key);

  // Returns whether the text of `key` is exactly this one.
  Result<bool> IsEqual(uint64_t key, const TextToStore& text);

  // Returns whether a live document has the text of `key`.
  Result<bool> HasLiveUser(uint64_t key);

  // Fails: kNotFound when there is no such text.
  Result<TextRow> Read(uint64_t key);

 private:
  const Database& db_;
  Statement read_, find_, live_user_, insert_, add_user_, release_, delete_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_SQLITE_TEXT_TABLE_H_
