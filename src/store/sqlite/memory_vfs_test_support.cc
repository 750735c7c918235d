#include "store/sqlite/memory_vfs_test_support.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

class VfsFile;

// The state that the connections of one database share.
struct SharedByConnections {
  std::set<VfsFile*> files;                     // open ones
  std::vector<std::unique_ptr<char[]>> memory;  // of the log, by region
};

}  // namespace

struct MemoryVfs::State {
  InMemoryFileSystem& memory;
  FaultyFileSystem& faults;
  sqlite3_vfs* system = nullptr;  // for the time, and random bytes
  sqlite3_vfs vfs = {};
  std::mutex mutex = {};
  std::map<std::string, SharedByConnections> databases = {};

  // Returns `failure`, or that the disk is full, when this operation is to fail.
  int Count(FileOperation operation, int failure) {
    const Status counted = faults.Count(operation);
    if (counted) return SQLITE_OK;
    const bool is_full =
        operation == FileOperation::kWrite && counted.error().code == ErrorCode::kExhausted;
    return is_full ? SQLITE_FULL : failure;
  }

  // Makes the names of the folder that a file is in durable.
  int SyncFolderOf(const std::string& path) {
    const size_t slash = path.rfind('/');
    const Status synced =
        faults.SyncDirectory(slash == std::string::npos ? "" : path.substr(0, slash));
    return synced ? SQLITE_OK : SQLITE_IOERR_DIR_FSYNC;
  }
};

namespace {

class VfsFile {
 public:
  VfsFile(MemoryVfs::State& vfs, std::string path, bool is_new_log,
          std::unique_ptr<InMemoryFileSystem::RandomAccessFile> file)
      : vfs_(vfs), path_(std::move(path)), is_new_log_(is_new_log), file_(std::move(file)) {
    const std::scoped_lock lock(vfs_.mutex);
    vfs_.databases[path_].files.insert(this);
  }

  ~VfsFile() {
    const std::scoped_lock lock(vfs_.mutex);
    SharedByConnections& shared = vfs_.databases[path_];
    shared.files.erase(this);
    if (shared.files.empty()) vfs_.databases.erase(path_);
  }

  int Read(std::span<char> out, uint64_t offset) {
    if (const int failed = vfs_.Count(FileOperation::kRead, SQLITE_IOERR_READ)) return failed;
    const size_t count = file_->ReadAt(offset, out);
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(count), out.end(), '\0');
    return count == out.size() ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
  }

  int Write(std::string_view bytes, uint64_t offset) {
    const int failed = vfs_.Count(FileOperation::kWrite, SQLITE_IOERR_WRITE);
    file_->WriteAt(offset, failed == SQLITE_OK ? bytes : bytes.substr(0, bytes.size() / 2));
    return failed;
  }

  int Resize(uint64_t size) {
    if (const int failed = vfs_.Count(FileOperation::kWrite, SQLITE_IOERR_TRUNCATE)) return failed;
    file_->Resize(size);
    return SQLITE_OK;
  }

  int Sync() {
    if (const int failed = vfs_.Count(FileOperation::kSync, SQLITE_IOERR_FSYNC)) return failed;
    file_->Sync();
    return std::exchange(is_new_log_, false) ? vfs_.SyncFolderOf(path_) : SQLITE_OK;
  }

  int Size(sqlite3_int64* size) {
    if (const int failed = vfs_.Count(FileOperation::kExamine, SQLITE_IOERR_FSTAT)) return failed;
    *size = static_cast<sqlite3_int64>(file_->size());
    return SQLITE_OK;
  }

  // Locks a file as https://www.sqlite.org/lockingv3.html describes.
  int Lock(int level) {
    const std::scoped_lock lock(vfs_.mutex);
    if (level <= level_) return SQLITE_OK;
    const int others = LevelOfOthers();
    if (level == SQLITE_LOCK_SHARED && others >= SQLITE_LOCK_PENDING) return SQLITE_BUSY;
    if (level > SQLITE_LOCK_SHARED && others > SQLITE_LOCK_SHARED) return SQLITE_BUSY;
    if (level == SQLITE_LOCK_EXCLUSIVE && others == SQLITE_LOCK_SHARED) {
      level_ = SQLITE_LOCK_PENDING;
      return SQLITE_BUSY;
    }
    level_ = level;
    return SQLITE_OK;
  }

  void Unlock(int level) {
    const std::scoped_lock lock(vfs_.mutex);
    level_ = std::min(level_, level);
  }

  bool IsReserved() {
    const std::scoped_lock lock(vfs_.mutex);
    return std::max(level_, LevelOfOthers()) > SQLITE_LOCK_SHARED;
  }

  int MapShared(size_t region, size_t bytes, bool extends, void volatile** memory) {
    *memory = nullptr;
    if (const int failed = vfs_.Count(FileOperation::kExamine, SQLITE_IOERR_SHMMAP)) return failed;
    const std::scoped_lock lock(vfs_.mutex);
    auto& regions = vfs_.databases[path_].memory;
    if (region >= regions.size() && !extends) return SQLITE_OK;
    while (region >= regions.size()) regions.push_back(std::make_unique<char[]>(bytes));
    *memory = regions[region].get();
    return SQLITE_OK;
  }

  // Takes or gives back some of the eight locks of the shared memory.
  int LockShared(size_t first, size_t count, int flags) {
    const std::scoped_lock lock(vfs_.mutex);
    const bool is_exclusive = (flags & SQLITE_SHM_EXCLUSIVE) != 0;
    const Held wanted = is_exclusive ? Held::kExclusive : Held::kShared;
    const bool unlocks = (flags & SQLITE_SHM_UNLOCK) != 0;
    for (size_t i = first; i < first + count && !unlocks; ++i) {
      for (const VfsFile* other : vfs_.databases[path_].files) {
        if (other == this || other->held_[i] == Held::kNot) continue;
        if (is_exclusive || other->held_[i] == Held::kExclusive) return SQLITE_BUSY;
      }
    }
    for (size_t i = first; i < first + count; ++i) held_[i] = unlocks ? Held::kNot : wanted;
    return SQLITE_OK;
  }

  void UnmapShared() {
    const std::scoped_lock lock(vfs_.mutex);
    held_.fill(Held::kNot);
  }

 private:
  enum class Held : uint8_t { kNot, kShared, kExclusive };

  int LevelOfOthers() const {
    int level = SQLITE_LOCK_NONE;
    for (const VfsFile* other : vfs_.databases[path_].files) {
      if (other != this) level = std::max(level, other->level_);
    }
    return level;
  }

  MemoryVfs::State& vfs_;
  const std::string path_;
  bool is_new_log_;  // whose name was not synced
  std::unique_ptr<InMemoryFileSystem::RandomAccessFile> file_;
  int level_ = SQLITE_LOCK_NONE;
  std::array<Held, SQLITE_SHM_NLOCK> held_ = {};
};

// --- what SQLite calls ---------------------------------------------------------------------------

struct OpenFile {
  sqlite3_file base;  // first, as SQLite wants it
  VfsFile* file;
};

VfsFile& Of(sqlite3_file* file) { return *reinterpret_cast<OpenFile*>(file)->file; }
MemoryVfs::State& Of(sqlite3_vfs* vfs) { return *static_cast<MemoryVfs::State*>(vfs->pAppData); }

const sqlite3_io_methods& FileMethods() {
  static const sqlite3_io_methods kMethods = [] {
    sqlite3_io_methods methods = {};
    methods.iVersion = 2;
    methods.xClose = [](sqlite3_file* file) {
      delete &Of(file);
      file->pMethods = nullptr;
      return SQLITE_OK;
    };
    methods.xRead = [](sqlite3_file* file, void* out, int count, sqlite3_int64 offset) {
      return Of(file).Read({static_cast<char*>(out), static_cast<size_t>(count)},
                           static_cast<uint64_t>(offset));
    };
    methods.xWrite = [](sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
      return Of(file).Write({static_cast<const char*>(bytes), static_cast<size_t>(count)},
                            static_cast<uint64_t>(offset));
    };
    methods.xTruncate = [](sqlite3_file* file, sqlite3_int64 size) {
      return Of(file).Resize(static_cast<uint64_t>(size));
    };
    methods.xSync = [](sqlite3_file* file, int) { return Of(file).Sync(); };
    methods.xFileSize = [](sqlite3_file* file, sqlite3_int64* size) { return Of(file).Size(size); };
    methods.xLock = [](sqlite3_file* file, int level) { return Of(file).Lock(level); };
    methods.xUnlock = [](sqlite3_file* file, int level) {
      Of(file).Unlock(level);
      return SQLITE_OK;
    };
    methods.xCheckReservedLock = [](sqlite3_file* file, int* is_reserved) {
      *is_reserved = Of(file).IsReserved() ? 1 : 0;
      return SQLITE_OK;
    };
    methods.xFileControl = [](sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; };
    methods.xSectorSize = [](sqlite3_file*) { return 4096; };
    methods.xDeviceCharacteristics = [](sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; };
    methods.xShmMap = [](sqlite3_file* file, int region, int bytes, int extends,
                         void volatile** memory) {
      return Of(file).MapShared(static_cast<size_t>(region), static_cast<size_t>(bytes),
                                extends != 0, memory);
    };
    methods.xShmLock = [](sqlite3_file* file, int first, int count, int flags) {
      return Of(file).LockShared(static_cast<size_t>(first), static_cast<size_t>(count), flags);
    };
    methods.xShmBarrier = [](sqlite3_file*) {
      std::atomic_thread_fence(std::memory_order_seq_cst);
    };
    methods.xShmUnmap = [](sqlite3_file* file, int) {
      Of(file).UnmapShared();
      return SQLITE_OK;
    };
    return methods;
  }();
  return kMethods;
}

int OpenOf(MemoryVfs::State& vfs, const char* name, sqlite3_file* file, int flags) {
  file->pMethods = nullptr;
  if (const int failed = vfs.Count(FileOperation::kOpenForWrite, SQLITE_CANTOPEN)) return failed;
  const std::string path = name == nullptr ? "" : name;
  const bool makes = (flags & SQLITE_OPEN_CREATE) != 0;
  const bool is_there = path.empty() || vfs.memory.Exists(path).value_or(false);
  auto opened = vfs.memory.OpenRandom(path, {.makes_missing = makes});
  if (!opened) return SQLITE_CANTOPEN;
  const bool is_log = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
  reinterpret_cast<OpenFile*>(file)->file =
      new VfsFile(vfs, path, is_log && !is_there, *std::move(opened));
  file->pMethods = &FileMethods();
  return SQLITE_OK;
}

int DeleteOf(MemoryVfs::State& vfs, const std::string& path, bool syncs_folder) {
  if (const int failed = vfs.Count(FileOperation::kRemove, SQLITE_IOERR_DELETE)) return failed;
  if (!vfs.memory.RemoveFile(path)) return SQLITE_IOERR_DELETE_NOENT;
  return syncs_folder ? vfs.SyncFolderOf(path) : SQLITE_OK;
}

// A file without bytes is none, as SQLite's own files have it.
int AccessOf(MemoryVfs::State& vfs, const std::string& path, int* result) {
  if (const int failed = vfs.Count(FileOperation::kExamine, SQLITE_IOERR_ACCESS)) return failed;
  const auto file = vfs.memory.OpenRandom(path, {});
  *result = file && (*file)->size() > 0 ? 1 : 0;
  return SQLITE_OK;
}

sqlite3_vfs MakeVfs(MemoryVfs::State& state) {
  sqlite3_vfs vfs = {};
  vfs.iVersion = 2;
  vfs.szOsFile = sizeof(OpenFile);
  vfs.mxPathname = 1024;
  vfs.zName = "memory-of-a-test";
  vfs.pAppData = &state;
  vfs.xOpen = [](sqlite3_vfs* of, const char* name, sqlite3_file* file, int flags, int* out) {
    if (out != nullptr) *out = flags;
    return OpenOf(Of(of), name, file, flags);
  };
  vfs.xDelete = [](sqlite3_vfs* of, const char* name, int syncs_folder) {
    return DeleteOf(Of(of), name, syncs_folder != 0);
  };
  vfs.xAccess = [](sqlite3_vfs* of, const char* name, int, int* result) {
    return AccessOf(Of(of), name, result);
  };
  vfs.xFullPathname = [](sqlite3_vfs*, const char* name, int size, char* out) {
    if (std::strlen(name) >= static_cast<size_t>(size)) return SQLITE_CANTOPEN;
    std::strcpy(out, name);
    return SQLITE_OK;
  };
  vfs.xRandomness = [](sqlite3_vfs* of, int size, char* out) {
    return Of(of).system->xRandomness(Of(of).system, size, out);
  };
  vfs.xSleep = [](sqlite3_vfs* of, int microseconds) {
    return Of(of).system->xSleep(Of(of).system, microseconds);
  };
  vfs.xCurrentTime = [](sqlite3_vfs* of, double* out) {
    return Of(of).system->xCurrentTime(Of(of).system, out);
  };
  vfs.xCurrentTimeInt64 = [](sqlite3_vfs* of, sqlite3_int64* out) {
    return Of(of).system->xCurrentTimeInt64(Of(of).system, out);
  };
  vfs.xGetLastError = [](sqlite3_vfs*, int, char*) { return 0; };
  return vfs;
}

}  // namespace

MemoryVfs::MemoryVfs(InMemoryFileSystem& memory, FaultyFileSystem& faults)
    : state_(new State{.memory = memory, .faults = faults}) {
  state_->system = sqlite3_vfs_find(nullptr);
  state_->vfs = MakeVfs(*state_);
  EXPECT_EQ(sqlite3_vfs_register(&state_->vfs, 1), SQLITE_OK);
}

MemoryVfs::~MemoryVfs() {
  EXPECT_TRUE(state_->databases.empty()) << "a database is open";
  sqlite3_vfs_unregister(&state_->vfs);
}

}  // namespace zhiwen
