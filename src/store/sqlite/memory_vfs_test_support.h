#ifndef ZHIWEN_STORE_SQLITE_MEMORY_VFS_TEST_SUPPORT_H_
#define ZHIWEN_STORE_SQLITE_MEMORY_VFS_TEST_SUPPORT_H_

// Databases in the memory of a test: as long as the object lives, SQLite reads and writes the files
// of an InMemoryFileSystem, and each of its operations is one of a FaultyFileSystem's, which may
// fail. Whatever tests do to other files they thus do to databases too: the n-th operation fails,
// the disk is full, the machine stops and loses what was not synced.
//
// Guarantees  locks and the shared memory of write-ahead logs are those of connections in one
//             process. A write that fails leaves half of its bytes behind. A new log is found again
//             under its name once it was synced, as SQLite's own files are
// Threads     any

#include <memory>

#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {

class MemoryVfs {
 public:
  // Both must outlive the object. Databases must be closed before it ends. `faults` is usually a
  // view of `memory`.
  MemoryVfs(InMemoryFileSystem& memory, FaultyFileSystem& faults);
  ~MemoryVfs();
  MemoryVfs(const MemoryVfs&) = delete;
  MemoryVfs& operator=(const MemoryVfs&) = delete;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_SQLITE_MEMORY_VFS_TEST_SUPPORT_H_
