#include "pipeline/dedup/forecast/forecast_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <shared_mutex>
#include <utility>

namespace zhiwen {

// Pieces as they were appended, so that nothing is moved when a file grows.
class ForecastFiles::Content {
 public:
  explicit Content(std::shared_ptr<Room> room) : room_(std::move(room)) {}
  ~Content() { room_->used -= charged_; }
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;

  Status Append(const std::string& path, std::string_view bytes) {
    const std::unique_lock lock(mutex_);
    if (bytes.empty()) return {};
    const uint64_t cost = bytes.size() + kPieceBytes;
    if ((room_->used += cost) > room_->limit) {
      room_->used -= cost;
      room_->is_full = true;
      return Fail(ErrorCode::kExhausted,
                  fmt::format("\"{}\" of a forecast does not fit in its memory", path));
    }
    charged_ += cost;
    pieces_.emplace_back(bytes);
    size_ += bytes.size();
    ends_.push_back(size_);
    return {};
  }

  size_t ReadAt(uint64_t offset, std::span<char> out) const {
    const std::shared_lock lock(mutex_);
    size_t done = 0;
    auto piece = static_cast<size_t>(std::ranges::upper_bound(ends_, offset) - ends_.begin());
    for (; done < out.size() && piece < pieces_.size(); ++piece) {
      const std::string& bytes = pieces_[piece];
      const uint64_t begin = ends_[piece] - bytes.size();
      const auto from = static_cast<size_t>(offset + done - begin);
      const size_t count = std::min(out.size() - done, bytes.size() - from);
      std::memcpy(out.data() + done, bytes.data() + from, count);
      done += count;
    }
    return done;
  }

  // All of it in one place, until something is appended. Pieces go as they are moved.
  std::string_view Join() {
    const std::unique_lock lock(mutex_);
    if (pieces_.size() > 1) {
      std::string all;
      all.reserve(size_);
      for (std::string& piece : pieces_) {
        all += piece;
        std::string().swap(piece);
      }
      pieces_.clear();
      pieces_.push_back(std::move(all));
      ends_.assign(1, size_);
    }
    return pieces_.empty() ? std::string_view() : std::string_view(pieces_.front());
  }

  uint64_t size() const {
    const std::shared_lock lock(mutex_);
    return size_;
  }

 private:
  static constexpr uint64_t kPieceBytes = 2 * sizeof(std::string);  // of a piece, beside its bytes

  const std::shared_ptr<Room> room_;
  mutable std::shared_mutex mutex_;
  std::vector<std::string> pieces_;
  std::vector<uint64_t> ends_;
  uint64_t size_ = 0, charged_ = 0;
};

namespace {

class ContentInPlace final : public MappedFile {
 public:
  explicit ContentInPlace(std::shared_ptr<ForecastFiles::Content> content)
      : content_(std::move(content)), bytes_(content_->Join()) {}
  std::string_view bytes() const override { return bytes_; }

 private:
  const std::shared_ptr<ForecastFiles::Content> content_;
  const std::string_view bytes_;
};

class ContentReader final : public ReadableFile {
 public:
  ContentReader(std::string path, std::shared_ptr<ForecastFiles::Content> content)
      : path_(std::move(path)), content_(std::move(content)) {}
  Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
    return content_->ReadAt(offset, out);
  }
  Result<FileIdentity> Identity() const override { return FileIdentity{.size = content_->size()}; }
  Result<std::unique_ptr<MappedFile>> Map() const override {
    return std::make_unique<ContentInPlace>(content_);
  }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_;
  const std::shared_ptr<ForecastFiles::Content> content_;
};

// Without content: drops what is written.
class ContentWriter final : public WritableFile {
 public:
  ContentWriter(std::string path, std::shared_ptr<ForecastFiles::Content> content)
      : path_(std::move(path)), content_(std::move(content)) {}
  Status Append(std::string_view bytes) override {
    return content_ == nullptr ? Status() : content_->Append(path_, bytes);
  }
  Status Sync() override { return {}; }
  Status Close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_;
  const std::shared_ptr<ForecastFiles::Content> content_;
};

class NoLock final : public FileLock {};

bool IsWithin(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace

ForecastFiles::ForecastFiles(FileSystem& below, std::string folder, uint64_t limit)
    : below_(below), folder_(std::move(folder)) {
  room_->limit = limit;
}

bool ForecastFiles::IsOurs(const std::string& path) const { return IsWithin(path, folder_); }

// A run reads nothing again but its scratch.
bool ForecastFiles::IsHeld(const std::string& path) const {
  return IsWithin(path, folder_ + "/.partial/scratch");
}

Status ForecastFiles::CheckOurs(const std::string& path) const {
  if (IsOurs(path)) return {};
  return Fail(ErrorCode::kInternal, fmt::format("a forecast would have written \"{}\"", path));
}

Result<std::unique_ptr<ReadableFile>> ForecastFiles::OpenForRead(const std::string& path) {
  if (!IsOurs(path)) return below_.OpenForRead(path);
  const std::scoped_lock lock(mutex_);
  const auto found = contents_.find(path);
  if (found == contents_.end()) {
    return Fail(ErrorCode::kNotFound, fmt::format("there is no \"{}\" in memory", path));
  }
  return std::make_unique<ContentReader>(path, found->second);
}

Result<std::unique_ptr<WritableFile>> ForecastFiles::OpenForWrite(const std::string& path) {
  ZHIWEN_RETURN_IF_ERROR(CheckOurs(path));
  if (!IsHeld(path)) return std::make_unique<ContentWriter>(path, nullptr);
  const std::scoped_lock lock(mutex_);
  auto& content = contents_[path];
  content = std::make_shared<Content>(room_);
  return std::make_unique<ContentWriter>(path, content);
}

Result<std::unique_ptr<WritableFile>> ForecastFiles::OpenForAppend(const std::string& path,
                                                                   uint64_t size) {
  ZHIWEN_RETURN_IF_ERROR(CheckOurs(path));
  const std::scoped_lock lock(mutex_);
  const auto found = contents_.find(path);
  if (found == contents_.end() || found->second->size() != size) {
    return Fail(ErrorCode::kInternal, fmt::format("a forecast does not continue \"{}\"", path));
  }
  return std::make_unique<ContentWriter>(path, found->second);
}

Status ForecastFiles::CreateDirectories(const std::string& path) {
  ZHIWEN_RETURN_IF_ERROR(CheckOurs(path));
  const std::scoped_lock lock(mutex_);
  folders_.insert(path);
  return {};
}

Result<bool> ForecastFiles::IsDirectory(const std::string& path) {
  if (!IsOurs(path)) return below_.IsDirectory(path);
  const std::scoped_lock lock(mutex_);
  if (folders_.contains(path)) return true;
  if (contents_.contains(path)) return false;
  return Fail(ErrorCode::kNotFound, fmt::format("there is no \"{}\" in memory", path));
}

Result<bool> ForecastFiles::Exists(const std::string& path) {
  if (!IsOurs(path)) return below_.Exists(path);
  const std::scoped_lock lock(mutex_);
  return folders_.contains(path) || contents_.contains(path);
}

// What a run leaves is listed by nobody; what was there before it is nothing.
Result<std::vector<DirectoryEntry>> ForecastFiles::List(const std::string& path) {
  if (!IsOurs(path)) return below_.List(path);
  return std::vector<DirectoryEntry>();
}

Status ForecastFiles::Rename(const std::string& from, const std::string& to) {
  ZHIWEN_RETURN_IF_ERROR(CheckOurs(from));
  ZHIWEN_RETURN_IF_ERROR(CheckOurs(to));
  const std::scoped_lock lock(mutex_);
  if (const auto found = contents_.find(from); found != contents_.end()) {
    auto content = std::move(found->second);
    contents_.erase(found);
    contents_[to] = std::move(content);
  }
  return {};
}

Result<bool> ForecastFiles::Link(const std::string&, const std::string& to) {
  ZHIWEN_RETURN_IF_ERROR(CheckOurs(to));
  return true;
}

Status ForecastFiles::RemoveFile(const std::string& path) {
  ZHIWEN_RETURN_IF_ERROR(CheckOurs(path));
  const std::scoped_lock lock(mutex_);
  contents_.erase(path);
  return {};
}

Status ForecastFiles::RemoveAll(const std::string& path) {
  ZHIWEN_RETURN_IF_ERROR(CheckOurs(path));
  const std::scoped_lock lock(mutex_);
  std::erase_if(contents_, [&](const auto& item) { return IsWithin(item.first, path); });
  std::erase_if(folders_, [&](const std::string& folder) { return IsWithin(folder, path); });
  return {};
}

Status ForecastFiles::SyncDirectory(const std::string& path) { return CheckOurs(path); }

Result<std::unique_ptr<FileLock>> ForecastFiles::Lock(const std::string& path) {
  ZHIWEN_RETURN_IF_ERROR(CheckOurs(path));
  return std::make_unique<NoLock>();
}

Result<uint64_t> ForecastFiles::FreeBytes(const std::string& path) {
  return below_.FreeBytes(path);
}

}  // namespace zhiwen
