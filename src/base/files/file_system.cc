#include "zhiwen/file_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace zhiwen {
namespace {

class CopiedFile final : public MappedFile {
 public:
  explicit CopiedFile(std::vector<char> bytes) : bytes_(std::move(bytes)) {}
  std::string_view bytes() const override { return {bytes_.data(), bytes_.size()}; }

 private:
  std::vector<char> bytes_;
};

class BytesFile final : public ReadableFile {
 public:
  BytesFile(std::string bytes, std::string name)
      : bytes_(std::move(bytes)), name_(std::move(name)) {}
  Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
    return offset >= bytes_.size() ? 0 : bytes_.copy(out.data(), out.size(), offset);
  }
  Result<FileIdentity> Identity() const override { return FileIdentity{.size = bytes_.size()}; }
  const std::string& path() const override { return name_; }

 private:
  const std::string bytes_, name_;
};

}  // namespace

std::unique_ptr<ReadableFile> OpenBytes(std::string bytes, std::string name) {
  return std::make_unique<BytesFile>(std::move(bytes), std::move(name));
}

Result<std::unique_ptr<MappedFile>> ReadableFile::Map() const {
  ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity identity, Identity());
  std::vector<char> bytes(identity.size);
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count, ReadAt(0, bytes));
  bytes.resize(count);
  return std::make_unique<CopiedFile>(std::move(bytes));
}

Result<uint64_t> WritableFile::AppendFrom(const ReadableFile&, uint64_t, uint64_t) { return 0; }

Result<std::unique_ptr<ReadableFile>> FileSystem::OpenStream(const std::string& path) {
  return OpenForRead(path);
}

Result<std::string> FileSystem::FollowLink(const std::string& path) { return path; }

Result<uint64_t> FileSystem::FreeBytes(const std::string& path) {
  return Fail(ErrorCode::kUnavailable,
              fmt::format("nobody knows how much room there is in \"{}\"", path));
}

Status FileSystem::RemoveEmptyFolder(const std::string&) { return {}; }

Result<uint64_t> FileSystem::DeviceOf(const std::string& path) {
  return Fail(ErrorCode::kUnavailable, fmt::format("nobody knows on which disk \"{}\" is", path));
}

Status FileSystem::CheckUnlocked(const std::string&) { return {}; }

Result<std::string> ReadWholeFile(FileSystem& files, const std::string& path, uint64_t limit) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<ReadableFile> file, files.OpenStream(path));
  ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity identity, file->Identity());
  const auto too_large = [&] {
    return Fail(ErrorCode::kExhausted, fmt::format("cannot read \"{}\": it is larger than the {} "
                                                   "bytes allowed here",
                                                   path, limit));
  };
  if (identity.size > limit) return too_large();
  // One more byte than expected shows a file that has grown, or that does not report its size.
  std::string content(identity.size + 1, '\0');
  size_t size = 0;
  while (true) {
    const std::span<char> rest = std::span(content).subspan(size);
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, file->ReadAt(size, rest));
    size += count;
    if (size > limit) return too_large();
    if (count < rest.size()) break;
    content.resize(std::min<uint64_t>(content.size() * 2, limit + 1));
  }
  content.resize(size);
  return content;
}

}  // namespace zhiwen
