// Implements FileSystem on POSIX. Reads and writes go straight to the system, unbuffered, because
// callers pass large pieces. Interrupted calls are repeated, short ones continued.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/files/posix_error.h"
#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

namespace fs = std::filesystem;

// Linux moves at most 2 GiB in one call; a smaller piece lets a signal be seen in between.
constexpr size_t kLargestCall = size_t{1} << 30;

template <typename Call>
auto Repeating(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  int number() const { return number_; }
  int Release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

Result<Descriptor> Open(std::string_view action, const std::string& path, int flags) {
  const int number = Repeating([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); });
  if (number < 0) return FailPosix(action, path, errno);
  return Descriptor(number);
}

FileIdentity IdentityOf(const struct stat& status) {
  return {.size = static_cast<uint64_t>(status.st_size),
          .modified_nanoseconds =
              int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec,
          .device = status.st_dev,
          .inode = status.st_ino};
}

class PosixMappedFile final : public MappedFile {
 public:
  explicit PosixMappedFile(std::string_view bytes) : bytes_(bytes) {}
  PosixMappedFile(const PosixMappedFile&) = delete;
  PosixMappedFile& operator=(const PosixMappedFile&) = delete;
  ~PosixMappedFile() override { ::munmap(const_cast<char*>(bytes_.data()), bytes_.size()); }

  std::string_view bytes() const override { return bytes_; }

 private:
  std::string_view bytes_;
};

class PosixReadableFile : public ReadableFile {
 public:
  PosixReadableFile(std::string path, Descriptor file)
      : path_(std::move(path)), file_(std::move(file)) {}

  Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
    size_t done = 0;
    while (done < out.size()) {
      const size_t wanted = std::min(out.size() - done, kLargestCall);
      const ssize_t count = Repeating(
          [&] { return ReadSome(file_.number(), offset + done, out.subspan(done, wanted)); });
      if (count < 0) return FailPosix("read", path_, errno);
      if (count == 0) break;
      done += static_cast<size_t>(count);
    }
    return done;
  }

  Result<FileIdentity> Identity() const override {
    struct stat status {};
    if (::fstat(file_.number(), &status) != 0) return FailPosix("examine", path_, errno);
    return IdentityOf(status);
  }

  Result<std::unique_ptr<MappedFile>> Map() const override {
    ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity identity, Identity());
    if (identity.size == 0) return ReadableFile::Map();  // an empty file cannot be mapped
    void* const at = ::mmap(nullptr, identity.size, PROT_READ, MAP_SHARED, file_.number(), 0);
    if (at == MAP_FAILED) return FailPosix("map", path_, errno);
    return std::make_unique<PosixMappedFile>(
        std::string_view(static_cast<const char*>(at), identity.size));
  }

  const std::string& path() const override { return path_; }
  int number() const { return file_.number(); }

 private:
  virtual ssize_t ReadSome(int number, uint64_t offset, std::span<char> out) const {
    return ::pread(number, out.data(), out.size(), static_cast<off_t>(offset));
  }

  std::string path_;
  Descriptor file_;
};

// A pipe or a device, whose bytes can be read only once.
class PosixStream final : public PosixReadableFile {
 public:
  using PosixReadableFile::PosixReadableFile;

 private:
  ssize_t ReadSome(int number, uint64_t, std::span<char> out) const override {
    return ::read(number, out.data(), out.size());
  }
};

// Returns whether copy_file_range failed because these files, or this system, do not support it.
bool CannotCopyRanges(int error) {
  return error == EXDEV || error == EINVAL || error == ENOSYS || error == EOPNOTSUPP ||
         error == EPERM || error == EBADF || error == ETXTBSY;
}

class PosixWritableFile final : public WritableFile {
 public:
  PosixWritableFile(std::string path, Descriptor file)
      : path_(std::move(path)), file_(std::move(file)) {}

  Status Append(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t count = Repeating([&] {
        return ::write(file_.number(), bytes.data(), std::min(bytes.size(), kLargestCall));
      });
      if (count < 0) return FailPosix("write", path_, errno);
      bytes.remove_prefix(static_cast<size_t>(count));
    }
    return {};
  }

  Result<uint64_t> AppendFrom(const ReadableFile& from, uint64_t offset, uint64_t length) override {
    const auto* const source = dynamic_cast<const PosixReadableFile*>(&from);
    uint64_t done = 0;
    while (source != nullptr && done < length) {
      auto at = static_cast<off64_t>(offset + done);
      const ssize_t count = Repeating([&] {
        return ::copy_file_range(source->number(), &at, file_.number(), nullptr,
                                 std::min<uint64_t>(length - done, kLargestCall), 0);
      });
      if (count < 0 && !CannotCopyRanges(errno)) return FailPosix("write", path_, errno);
      if (count <= 0) break;
      done += static_cast<uint64_t>(count);
    }
    return done;
  }

  Status Sync() override {
    const int result = Repeating([&] { return ::fdatasync(file_.number()); });
    // Pipes and devices have nothing to sync.
    if (result != 0 && errno != EINVAL && errno != EROFS) return FailPosix("write", path_, errno);
    return {};
  }

  Status Close() override {
    // After EINTR the descriptor is closed on Linux: repeating could close somebody else's.
    const int number = file_.Release();
    if (number >= 0 && ::close(number) != 0 && errno != EINTR) {
      return FailPosix("write", path_, errno);
    }
    return {};
  }

  const std::string& path() const override { return path_; }

 private:
  std::string path_;
  Descriptor file_;
};

// The lock file is removed, under the lock, through its folder's descriptor, so that a renamed
// folder does not keep it.
class PosixFileLock final : public FileLock {
 public:
  PosixFileLock(Descriptor folder, std::string name, Descriptor file)
      : folder_(std::move(folder)), name_(std::move(name)), file_(std::move(file)) {}
  ~PosixFileLock() override { ::unlinkat(folder_.number(), name_.c_str(), 0); }

 private:
  Descriptor folder_;
  std::string name_;
  Descriptor file_;
};

// Reads the text that the holder of a lock wrote into it, for messages.
std::string HolderOf(const Descriptor& file) {
  char text[32] = {};
  const ssize_t count = Repeating([&] { return ::pread(file.number(), text, sizeof text - 1, 0); });
  const std::string_view digits(text, count > 0 ? static_cast<size_t>(count) : 0);
  const std::string_view pid = digits.substr(0, digits.find_first_not_of("0123456789"));
  return pid.empty() ? "another process" : fmt::format("process {}", pid);
}

// Returns whether `name` in `folder` still is `file`. The last holder may have removed it between
// our open and our lock.
bool IsStillNamed(const Descriptor& folder, const std::string& name, const Descriptor& file) {
  struct stat named {
  }, opened{};
  return ::fstatat(folder.number(), name.c_str(), &named, 0) == 0 &&
         ::fstat(file.number(), &opened) == 0 && named.st_ino == opened.st_ino &&
         named.st_dev == opened.st_dev;
}

tl::unexpected<Error> FailHeld(const std::string& path, const Descriptor& file) {
  return Fail(ErrorCode::kConflict,
              fmt::format("cannot lock \"{}\": {} is using it; wait until it ends or choose "
                          "another output folder",
                          path, HolderOf(file)));
}

Status WriteHolder(const Descriptor& file, const std::string& path) {
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(file.number(), 0) != 0 ||
      Repeating([&] { return ::pwrite(file.number(), pid.data(), pid.size(), 0); }) < 0) {
    return FailPosix("lock", path, errno);
  }
  return {};
}

tl::unexpected<Error> FailTooShort(const std::string& path, const struct stat& status,
                                   uint64_t size) {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot continue \"{}\": it has {} bytes of the {} that were written; it "
                          "was cut or replaced meanwhile",
                          path, status.st_size, size));
}

// Calls ask(folder) with `path`, or with the nearest existing folder above it.
template <typename Ask>
Status AskNearest(std::string_view action, const std::string& path, const Ask& ask) {
  std::error_code ignored;
  for (fs::path at = fs::absolute(path, ignored); true; at = at.parent_path()) {
    if (Repeating([&] { return ask(at.c_str()); }) == 0) return {};
    const int cause = errno;
    if (cause != ENOENT || !at.has_relative_path()) return FailPosix(action, path, cause);
  }
}

class PosixFiles final : public FileSystem {
 public:
  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    // O_NONBLOCK: opening a pipe without a writer must not hang.
    ZHIWEN_ASSIGN_OR_RETURN(Descriptor file, Open("read", path, O_RDONLY | O_NONBLOCK));
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) return FailPosix("read", path, errno);
    if (S_ISDIR(status.st_mode)) return FailPosix("read", path, EISDIR);
    if (!S_ISREG(status.st_mode)) {
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("cannot read \"{}\": it is a pipe or a device; pipe it to standard "
                              "input, and give - for it, or write it to a file first",
                              path));
    }
    ::posix_fadvise(file.number(), 0, 0, POSIX_FADV_SEQUENTIAL);
    return std::make_unique<PosixReadableFile>(path, std::move(file));
  }

  Result<std::unique_ptr<ReadableFile>> OpenStream(const std::string& path) override {
    std::error_code ignored;  // opening the file reports the error
    const fs::file_type type = fs::status(path, ignored).type();
    if (type != fs::file_type::fifo && type != fs::file_type::character) return OpenForRead(path);
    ZHIWEN_ASSIGN_OR_RETURN(Descriptor stream, Open("read", path, O_RDONLY));
    return std::make_unique<PosixStream>(path, std::move(stream));
  }

  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path) override {
    ZHIWEN_ASSIGN_OR_RETURN(Descriptor file, Open("write", path, O_WRONLY | O_CREAT | O_TRUNC));
    return std::make_unique<PosixWritableFile>(path, std::move(file));
  }

  Result<std::unique_ptr<WritableFile>> OpenForAppend(const std::string& path,
                                                      uint64_t size) override {
    ZHIWEN_ASSIGN_OR_RETURN(Descriptor file, Open("write", path, O_WRONLY | O_APPEND));
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) return FailPosix("write", path, errno);
    if (static_cast<uint64_t>(status.st_size) < size) return FailTooShort(path, status, size);
    if (::ftruncate(file.number(), static_cast<off_t>(size)) != 0) {
      return FailPosix("write", path, errno);
    }
    return std::make_unique<PosixWritableFile>(path, std::move(file));
  }

  Status CreateDirectories(const std::string& path) override {
    std::error_code error;
    fs::create_directories(path, error);
    if (!error && !fs::is_directory(path, error)) {
      error = std::make_error_code(std::errc::file_exists);
    }
    if (error == std::errc::not_a_directory) error = std::make_error_code(std::errc::file_exists);
    if (error) return FailPosix("create the folder", path, error.value());
    return {};
  }

  Result<bool> IsDirectory(const std::string& path) override {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) return FailPosix("find", path, ENOENT);
    if (error) return FailPosix("examine", path, error.value());
    return status.type() == fs::file_type::directory;
  }

  Result<bool> Exists(const std::string& path) override {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (status.type() == fs::file_type::not_found) return false;
    if (error) return FailPosix("examine", path, error.value());
    return true;
  }

  Result<std::vector<DirectoryEntry>> List(const std::string& path) override {
    std::error_code error;
    std::vector<DirectoryEntry> entries;
    fs::directory_iterator at(path, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
      std::error_code ignored;  // a dangling link is listed as a file; opening it reports the error
      const fs::file_type type = at->status(ignored).type();
      entries.push_back(
          {.name = at->path().filename().string(),
           .is_directory =
               type == fs::file_type::directory && at->symlink_status(ignored).type() == type,
           .is_file = type == fs::file_type::regular || type == fs::file_type::not_found});
    }
    if (error) return FailPosix("list", path, error.value());
    std::ranges::sort(entries, {}, &DirectoryEntry::name);
    return entries;
  }

  Status Rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) {
      return FailPosix(fmt::format("rename \"{}\" to", from), to, errno);
    }
    return {};
  }

  Result<bool> Link(const std::string& from, const std::string& to) override {
    if (::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
    const int number = errno;
    const std::string action = fmt::format("link \"{}\" to", from);
    if (number == EPERM && IsDirectory(from).value_or(false)) return FailPosix(action, to, EISDIR);
    // EPERM: a file system without hard links, or a file of another user.
    const bool cannot = number == EXDEV || number == EPERM || number == EMLINK ||
                        number == EOPNOTSUPP || number == ENOSYS;
    if (cannot) return false;
    return FailPosix(action, to, number);
  }

  Result<std::string> FollowLink(const std::string& path) override {
    std::error_code error;
    if (fs::symlink_status(path, error).type() != fs::file_type::symlink) return path;
    const fs::path target = fs::canonical(path, error);
    if (error) return FailPosix("follow the link", path, error.value());
    return target.string();
  }

  Status RemoveFile(const std::string& path) override {
    if (::unlink(path.c_str()) != 0) return FailPosix("remove", path, errno);
    return {};
  }

  Status RemoveAll(const std::string& path) override {
    std::error_code error;
    fs::remove_all(path, error);
    if (error) return FailPosix("remove", path, error.value());
    return {};
  }

  Status RemoveEmptyFolder(const std::string& path) override {
    if (::rmdir(path.c_str()) == 0 || errno == ENOTEMPTY || errno == EEXIST || errno == ENOENT) {
      return {};
    }
    return FailPosix("remove", path, errno);
  }

  Status SyncDirectory(const std::string& path) override {
    ZHIWEN_ASSIGN_OR_RETURN(const Descriptor folder, Open("sync", path, O_RDONLY | O_DIRECTORY));
    const int result = Repeating([&] { return ::fsync(folder.number()); });
    // Some file systems cannot sync a folder, and have nothing to lose by it.
    if (result != 0 && errno != EINVAL) return FailPosix("sync", path, errno);
    return {};
  }

  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    const fs::path parent = fs::path(path).parent_path();
    const std::string name = fs::path(path).filename().string();
    const std::string folder_path = parent.empty() ? "." : parent.string();
    while (true) {
      ZHIWEN_ASSIGN_OR_RETURN(Descriptor folder, Open("lock", folder_path, O_RDONLY | O_DIRECTORY));
      ZHIWEN_ASSIGN_OR_RETURN(Descriptor file, Open("lock", path, O_RDWR | O_CREAT));
      if (Repeating([&] { return ::flock(file.number(), LOCK_EX | LOCK_NB); }) != 0) {
        if (errno != EWOULDBLOCK) return FailPosix("lock", path, errno);
        return FailHeld(path, file);
      }
      if (!IsStillNamed(folder, name, file)) continue;
      ZHIWEN_RETURN_IF_ERROR(WriteHolder(file, path));
      return std::make_unique<PosixFileLock>(std::move(folder), name, std::move(file));
    }
  }

  Status CheckUnlocked(const std::string& path) override {
    const auto file = Open("lock", path, O_RDONLY);
    if (!file && file.error().code == ErrorCode::kNotFound) return {};
    if (!file) return tl::unexpected<Error>(file.error());
    // A brief shared lock disturbs only a run that begins at this moment.
    if (Repeating([&] { return ::flock(file->number(), LOCK_SH | LOCK_NB); }) == 0) return {};
    if (errno != EWOULDBLOCK) return FailPosix("lock", path, errno);
    return FailHeld(path, *file);
  }

  Result<uint64_t> FreeBytes(const std::string& path) override {
    struct statvfs found {};
    ZHIWEN_RETURN_IF_ERROR(AskNearest("find the free space of", path,
                                      [&](const char* at) { return ::statvfs(at, &found); }));
    return uint64_t{found.f_bavail} * found.f_frsize;
  }

  Result<uint64_t> DeviceOf(const std::string& path) override {
    struct stat found {};
    ZHIWEN_RETURN_IF_ERROR(
        AskNearest("find the disk of", path, [&](const char* at) { return ::stat(at, &found); }));
    return uint64_t{found.st_dev};
  }
};

}  // namespace

FileSystem& PosixFileSystem() {
  static PosixFiles files;
  return files;
}

}  // namespace zhiwen
