#include "base/compress/peeked_file.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace zhiwen {
namespace {

constexpr size_t kFirstBytes = 4;  // that decide

// A file whose first bytes were taken and are given again.
class ReplayedFile final : public ReadableFile {
 public:
  ReplayedFile(std::unique_ptr<ReadableFile> file, std::string first)
      : file_(std::move(file)), first_(std::move(first)) {}

  Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
    size_t count = 0;
    if (offset < first_.size()) {
      count = std::min<size_t>(out.size(), first_.size() - offset);
      std::memcpy(out.data(), first_.data() + offset, count);
    }
    if (count == out.size()) return count;
    ZHIWEN_ASSIGN_OR_RETURN(const size_t more, file_->ReadAt(offset + count, out.subspan(count)));
    return count + more;
  }
  Result<FileIdentity> Identity() const override { return file_->Identity(); }
  const std::string& path() const override { return file_->path(); }

 private:
  std::unique_ptr<ReadableFile> file_;
  std::string first_;
};

}  // namespace

Result<PeekedFile> PeekFile(std::unique_ptr<ReadableFile> file) {
  std::string first(kFirstBytes, '\0');
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count, file->ReadAt(0, first));
  first.resize(count);
  const Compression compression = DetectCompression(first);
  return PeekedFile{std::make_unique<ReplayedFile>(std::move(file), std::move(first)), compression,
                    count};
}

}  // namespace zhiwen
