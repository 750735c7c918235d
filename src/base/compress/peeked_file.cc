#include "base/compress/peeked_file.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/compress/gzip_decoder.h"
#include "base/compress/zstd_decoder.h"

namespace zhiwen {
namespace {

// Number of bytes that decide the compression.
constexpr size_t kFirstBytes = 4;

// Returns whether more bytes may lead to another decision.
bool IsOpen(std::string_view first) {
  if (first.size() >= kFirstBytes || DetectCompression(first) != Compression::kNone) return false;
  return first.empty() || StartsAsGzip(first) || StartsAsZstd(first);
}

// A file whose first bytes were already read and are returned once more.
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
  std::string first;
  while (IsOpen(first)) {
    char byte = 0;
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, file->ReadAt(first.size(), std::span(&byte, 1)));
    if (count == 0) break;
    first += byte;
  }
  const Compression compression = DetectCompression(first);
  const size_t count = first.size();
  return PeekedFile{std::make_unique<ReplayedFile>(std::move(file), std::move(first)), compression,
                    count};
}

}  // namespace zhiwen
