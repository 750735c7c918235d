#ifndef ZHIWEN_TESTS_SUPPORT_IN_MEMORY_FILE_SYSTEM_H_
#define ZHIWEN_TESTS_SUPPORT_IN_MEMORY_FILE_SYSTEM_H_

// A FileSystem that lives in memory, for tests: quick, and every byte can be looked at or changed.
// Paths are taken literally, parts separated by '/'; "", "." and "/" are the root, which exists.
//
// Guarantees  the codes of PosixFileSystem (file_system_test.cc runs one suite over both)
// Threads     any, also on one file

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zhiwen/file_system.h"

namespace zhiwen {

class InMemoryFileSystem : public FileSystem {
 public:
  // Puts a file there, with its folders.
  void Put(const std::string& path, std::string content) {
    const std::lock_guard lock(state_->mutex);
    state_->MakeFolders(ParentOf(Clean(path)));
    auto& file = state_->files[Clean(path)];
    file = state_->NewFile(std::move(content));
    file->synced = file->content;
    state_->synced_names[Clean(path)] = state_->eager_names[Clean(path)] = file;
  }

  // The machine stops: files have what was synced of them, under the names that were synced with
  // their folders; kNew: other files that were renamed or removed are so all the same. Of what was
  // not synced, the sectors of 512 bytes are there for which `survives` returns true.
  enum class LostNames { kAll, kNew };
  void LoseUnsynced(
      LostNames lost, const std::function<bool()>& survives = [] { return false; }) {
    const std::lock_guard lock(state_->mutex);
    state_->files = lost == LostNames::kAll ? state_->synced_names : state_->eager_names;
    state_->synced_names = state_->eager_names = state_->files;
    for (const auto& [path, file] : state_->files) file->LoseUnsynced(survives);
    state_->locks.clear();
  }

  // A file that is read and written anywhere, as databases do, and FileSystem does not offer.
  class RandomAccessFile;
  // Opens a file. One that is missing is made if `makes_missing`, and an unnamed one without a
  // path.
  struct RandomAccess {
    bool makes_missing = false;
  };
  Result<std::unique_ptr<RandomAccessFile>> OpenRandom(const std::string& path,
                                                       RandomAccess access) {
    const std::lock_guard lock(state_->mutex);
    if (path.empty()) return std::make_unique<RandomAccessFile>(state_, state_->NewFile(""));
    const std::string clean = Clean(path);
    if (!state_->folders.contains(ParentOf(clean))) return Missing("open", path);
    if (!access.makes_missing && !state_->files.contains(clean)) return Missing("open", path);
    auto& file = state_->files[clean];
    if (file == nullptr) file = state_->NewFile("");
    return std::make_unique<RandomAccessFile>(state_, file);
  }

  // Changes the bytes of a file that is there, as a failing disk does: it stays the same file.
  void Damage(const std::string& path, std::string content) {
    const std::lock_guard lock(state_->mutex);
    state_->files.at(Clean(path))->content = std::move(content);
  }

  // Makes this one equal to `other`, files and their identities.
  void CopyFrom(const InMemoryFileSystem& other) {
    const std::scoped_lock lock(state_->mutex, other.state_->mutex);
    state_->folders = other.state_->folders;
    state_->ticks = other.state_->ticks;
    state_->inodes = other.state_->inodes;
    std::map<std::shared_ptr<File>, std::shared_ptr<File>> copies;  // a file may have two names
    state_->files.clear();
    for (const auto& [path, file] : other.state_->files) {
      auto& copy = copies[file];
      if (copy == nullptr) copy = std::make_shared<File>(*file);
      state_->files[path] = copy;
    }
  }

  // The content of every file by path, to compare runs.
  std::map<std::string, std::string> Files() const {
    const std::lock_guard lock(state_->mutex);
    std::map<std::string, std::string> contents;
    for (const auto& [path, file] : state_->files) contents[path] = file->content;
    return contents;
  }

  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    const std::lock_guard lock(state_->mutex);
    if (state_->folders.contains(Clean(path))) {
      return Cannot(ErrorCode::kUnreadable, "read", path, "is a directory");
    }
    const auto found = state_->files.find(Clean(path));
    if (found == state_->files.end()) return Missing("read", path);
    return std::make_unique<Reader>(path, state_, found->second);
  }

  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path) override {
    const std::lock_guard lock(state_->mutex);
    const std::string clean = Clean(path);
    if (state_->folders.contains(clean)) {
      return Cannot(ErrorCode::kUnreadable, "write", path, "is a directory");
    }
    if (!state_->folders.contains(ParentOf(clean))) return Missing("write", path);
    auto& file = state_->files[clean];
    if (file == nullptr) file = state_->NewFile("");
    file->content.clear();
    file->modified = ++state_->ticks;
    return std::make_unique<Writer>(path, state_, file);
  }

  Result<std::unique_ptr<WritableFile>> OpenForAppend(const std::string& path,
                                                      uint64_t size) override {
    const std::lock_guard lock(state_->mutex);
    if (state_->folders.contains(Clean(path))) {
      return Cannot(ErrorCode::kUnreadable, "write", path, "is a directory");
    }
    const auto found = state_->files.find(Clean(path));
    if (found == state_->files.end()) return Missing("write", path);
    File& file = *found->second;
    if (file.content.size() < size) {
      return Cannot(ErrorCode::kUnreadable, "continue", path, "it is too short");
    }
    file.content.resize(size);
    file.modified = ++state_->ticks;
    return std::make_unique<Writer>(path, state_, found->second);
  }

  Status CreateDirectories(const std::string& path) override {
    const std::lock_guard lock(state_->mutex);
    for (std::string at = Clean(path); !at.empty(); at = ParentOf(at)) {
      if (state_->files.contains(at)) {
        return Cannot(ErrorCode::kConflict, "create the folder", path, "a file is in the way");
      }
    }
    state_->MakeFolders(Clean(path));
    return {};
  }

  Result<bool> IsDirectory(const std::string& path) override {
    const std::lock_guard lock(state_->mutex);
    if (state_->folders.contains(Clean(path))) return true;
    if (state_->files.contains(Clean(path))) return false;
    return Missing("find", path);
  }

  Result<bool> Exists(const std::string& path) override {
    const std::lock_guard lock(state_->mutex);
    return state_->folders.contains(Clean(path)) || state_->files.contains(Clean(path));
  }

  Result<std::vector<DirectoryEntry>> List(const std::string& path) override {
    const std::lock_guard lock(state_->mutex);
    const std::string folder = Clean(path);
    if (!state_->folders.contains(folder)) return Missing("list", path);
    std::map<std::string, bool> found;
    for (const std::string& at : state_->folders) {
      if (!at.empty() && ParentOf(at) == folder) found[NameOf(at)] = true;
    }
    for (const auto& [at, file] : state_->files) {
      if (ParentOf(at) == folder) found[NameOf(at)] = false;
    }
    std::vector<DirectoryEntry> entries;
    for (const auto& [name, is_directory] : found)
      entries.push_back({name, is_directory, !is_directory});
    return entries;
  }

  Status Rename(const std::string& from, const std::string& to) override {
    const std::lock_guard lock(state_->mutex);
    const std::string source = Clean(from), target = Clean(to);
    if (!state_->folders.contains(ParentOf(target))) return Missing("rename", to);
    if (const auto file = state_->files.find(source); file != state_->files.end()) {
      if (state_->folders.contains(target)) {
        return Cannot(ErrorCode::kUnreadable, "rename", to, "is a directory");
      }
      state_->files[target] = state_->eager_names[target] = file->second;
      state_->eager_names.erase(source);
      if (source != target) state_->files.erase(source);
      return {};
    }
    if (!state_->folders.contains(source)) return Missing("rename", from);
    if (state_->HasItems(target)) {
      return Cannot(ErrorCode::kConflict, "rename", to, "directory not empty");
    }
    state_->MoveFolder(source, target);
    return {};
  }

  Result<bool> Link(const std::string& from, const std::string& to) override {
    const std::lock_guard lock(state_->mutex);
    const std::string source = Clean(from), target = Clean(to);
    if (!state_->folders.contains(ParentOf(target))) return Missing("link", to);
    if (state_->folders.contains(target) || state_->files.contains(target)) {
      return Cannot(ErrorCode::kConflict, "link", to, "file exists");
    }
    if (state_->folders.contains(source)) {
      return Cannot(ErrorCode::kUnreadable, "link \"" + from + "\" to", to, "is a directory");
    }
    const auto found = state_->files.find(source);
    if (found == state_->files.end()) return Missing("link", from);
    state_->files[target] = found->second;
    return true;
  }

  Status RemoveFile(const std::string& path) override {
    const std::lock_guard lock(state_->mutex);
    if (state_->folders.contains(Clean(path))) {
      return Cannot(ErrorCode::kUnreadable, "remove", path, "is a directory");
    }
    if (state_->files.erase(Clean(path)) == 0) return Missing("remove", path);
    state_->eager_names.erase(Clean(path));
    return {};
  }

  Status RemoveAll(const std::string& path) override {
    const std::lock_guard lock(state_->mutex);
    const std::string clean = Clean(path);
    std::erase_if(state_->files, [&](const auto& item) { return IsWithin(item.first, clean); });
    std::erase_if(state_->folders, [&](const auto& at) { return IsWithin(at, clean); });
    state_->folders.insert("");
    return {};
  }

  Status RemoveEmptyFolder(const std::string& path) override {
    const std::lock_guard lock(state_->mutex);
    const std::string clean = Clean(path);
    const auto is_below = [&](const std::string& at) { return at != clean && IsWithin(at, clean); };
    const bool is_empty =
        std::ranges::none_of(state_->files,
                             [&](const auto& item) { return is_below(item.first); }) &&
        std::ranges::none_of(state_->folders, is_below);
    if (is_empty && !clean.empty()) state_->folders.erase(clean);
    return {};
  }

  Status SyncDirectory(const std::string& path) override {
    const std::lock_guard lock(state_->mutex);
    const std::string folder = Clean(path);
    if (!state_->folders.contains(folder)) return Missing("sync", path);
    const auto is_here = [&](const auto& item) { return ParentOf(item.first) == folder; };
    for (auto* const names : {&state_->synced_names, &state_->eager_names}) {
      std::erase_if(*names, is_here);
      std::ranges::copy_if(state_->files, std::inserter(*names, names->end()), is_here);
    }
    return {};
  }

  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    const std::lock_guard lock(state_->mutex);
    const std::string clean = Clean(path);
    if (!state_->folders.contains(ParentOf(clean))) return Missing("lock", path);
    if (!state_->locks.insert(clean).second) {
      return Cannot(ErrorCode::kConflict, "lock", path, "another process is using it");
    }
    state_->files[clean] = state_->NewFile("1\n");
    return std::make_unique<Held>(state_, clean);
  }

  Status CheckUnlocked(const std::string& path) override {
    const std::lock_guard lock(state_->mutex);
    if (!state_->locks.contains(Clean(path))) return {};
    return Cannot(ErrorCode::kConflict, "lock", path, "another process is using it");
  }

 private:
  struct File {
    std::string content;
    std::string synced = {};  // of it
    int64_t modified = 0;
    uint64_t inode = 0;

    void LoseUnsynced(const std::function<bool()>& survives) {
      constexpr size_t kSector = 512;
      for (size_t at = 0; at < content.size(); at += kSector) {
        const std::string sector = content.substr(at, kSector);
        if (at < synced.size() && synced.compare(at, sector.size(), sector) == 0) continue;
        if (!survives()) continue;
        synced.resize(std::max(synced.size(), at + sector.size()));
        synced.replace(at, sector.size(), sector);
      }
      if (content.size() < synced.size() && survives()) synced.resize(content.size());
      content = synced;
    }
  };

  struct State {
    std::shared_ptr<File> NewFile(std::string content) {
      const int64_t now = ++ticks;
      return std::make_shared<File>(
          File{.content = std::move(content), .synced = {}, .modified = now, .inode = ++inodes});
    }
    void MakeFolders(std::string path) {
      for (; !path.empty(); path = ParentOf(path)) folders.insert(path);
    }
    bool HasItems(const std::string& folder) const {
      const auto inside = [&](const std::string& at) {
        return at != folder && IsWithin(at, folder);
      };
      for (const std::string& at : folders) {
        if (inside(at)) return true;
      }
      for (const auto& [at, file] : files) {
        if (inside(at) || at == folder) return true;
      }
      return false;
    }
    void MoveFolder(const std::string& from, const std::string& to) {
      const auto moved = [&](const std::string& at) {
        return IsWithin(at, from) ? to + at.substr(from.size()) : at;
      };
      std::set<std::string> new_folders;
      for (const std::string& at : folders) new_folders.insert(moved(at));
      std::map<std::string, std::shared_ptr<File>> new_files;
      for (const auto& [at, file] : files) new_files[moved(at)] = file;
      folders = std::move(new_folders);
      files = std::move(new_files);
    }

    std::mutex mutex;
    std::set<std::string> folders = {""};
    std::map<std::string, std::shared_ptr<File>> files;
    std::map<std::string, std::shared_ptr<File>> synced_names, eager_names;
    std::set<std::string> locks;
    int64_t ticks = 0;
    uint64_t inodes = 0;
  };

  class Reader final : public ReadableFile {
   public:
    Reader(std::string path, std::shared_ptr<State> state, std::shared_ptr<File> file)
        : path_(std::move(path)), state_(std::move(state)), file_(std::move(file)) {}
    Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
      const std::lock_guard lock(state_->mutex);
      const std::string& content = file_->content;
      if (offset >= content.size()) return 0;
      const size_t count = std::min<size_t>(out.size(), content.size() - offset);
      std::memcpy(out.data(), content.data() + offset, count);
      return count;
    }
    Result<FileIdentity> Identity() const override {
      const std::lock_guard lock(state_->mutex);
      return FileIdentity{.size = file_->content.size(),
                          .modified_nanoseconds = file_->modified,
                          .device = 1,
                          .inode = file_->inode};
    }
    const std::string& path() const override { return path_; }
    const std::string& content() const { return file_->content; }

   private:
    std::string path_;
    std::shared_ptr<State> state_;
    std::shared_ptr<File> file_;
  };

  class Writer final : public WritableFile {
   public:
    Writer(std::string path, std::shared_ptr<State> state, std::shared_ptr<File> file)
        : path_(std::move(path)), state_(std::move(state)), file_(std::move(file)) {}
    Status Append(std::string_view bytes) override {
      const std::lock_guard lock(state_->mutex);
      file_->content.append(bytes);
      file_->modified = ++state_->ticks;
      return {};
    }
    // Gives up after some hundred bytes: callers have to append the rest.
    Result<uint64_t> AppendFrom(const ReadableFile& from, uint64_t offset,
                                uint64_t length) override {
      const auto* const source = dynamic_cast<const Reader*>(&from);
      const std::lock_guard lock(state_->mutex);
      if (source == nullptr || offset >= source->content().size()) return 0;
      const std::string bytes = source->content().substr(offset, std::min<uint64_t>(length, 300));
      file_->content.append(bytes);
      file_->modified = ++state_->ticks;
      return bytes.size();
    }
    Status Sync() override {
      const std::lock_guard lock(state_->mutex);
      file_->synced = file_->content;
      return {};
    }
    Status Close() override { return {}; }
    const std::string& path() const override { return path_; }

   private:
    std::string path_;
    std::shared_ptr<State> state_;
    std::shared_ptr<File> file_;
  };

  class Held final : public FileLock {
   public:
    Held(std::shared_ptr<State> state, std::string path)
        : state_(std::move(state)), path_(std::move(path)) {}
    ~Held() override {
      const std::lock_guard lock(state_->mutex);
      state_->locks.erase(path_);
      state_->files.erase(path_);
    }

   private:
    std::shared_ptr<State> state_;
    std::string path_;
  };

  static std::string Clean(std::string path) {
    while (!path.empty() && path.back() == '/') path.pop_back();
    return path == "." ? "" : path;
  }
  static std::string ParentOf(const std::string& path) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash);
  }
  static std::string NameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }
  static bool IsWithin(const std::string& path, const std::string& folder) {
    return folder.empty() || path == folder ||
           (path.starts_with(folder) && path[folder.size()] == '/');
  }
  static tl::unexpected<Error> Cannot(ErrorCode code, std::string_view action,
                                      const std::string& path, std::string_view why) {
    return Fail(code, "cannot " + std::string(action) + " \"" + path + "\": " + std::string(why));
  }
  static tl::unexpected<Error> Missing(std::string_view action, const std::string& path) {
    return Cannot(ErrorCode::kNotFound, action, path, "no such file or directory");
  }

  std::shared_ptr<State> state_ = std::make_shared<State>();
};

class InMemoryFileSystem::RandomAccessFile {
 public:
  RandomAccessFile(std::shared_ptr<State> state, std::shared_ptr<File> file)
      : state_(std::move(state)), file_(std::move(file)) {}

  // Returns how many bytes were read, less only at the end of the file.
  size_t ReadAt(uint64_t offset, std::span<char> out) const {
    const std::lock_guard lock(state_->mutex);
    return offset >= file_->content.size() ? 0
                                           : file_->content.copy(out.data(), out.size(), offset);
  }
  void WriteAt(uint64_t offset, std::string_view bytes) {
    const std::lock_guard lock(state_->mutex);
    file_->content.resize(std::max<size_t>(file_->content.size(), offset + bytes.size()));
    file_->content.replace(offset, bytes.size(), bytes);
    file_->modified = ++state_->ticks;
  }
  void Resize(uint64_t size) {
    const std::lock_guard lock(state_->mutex);
    file_->content.resize(size);
    file_->modified = ++state_->ticks;
  }
  void Sync() {
    const std::lock_guard lock(state_->mutex);
    file_->synced = file_->content;
  }
  uint64_t size() const {
    const std::lock_guard lock(state_->mutex);
    return file_->content.size();
  }

 private:
  std::shared_ptr<State> state_;
  std::shared_ptr<File> file_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_IN_MEMORY_FILE_SYSTEM_H_
