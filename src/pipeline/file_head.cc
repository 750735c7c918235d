#include "pipeline/file_head.h"

#include <utility>

#include "base/compress/byte_source.h"
#include "base/utf8/text_encoding.h"
#include "pipeline/reader/document_input.h"

namespace zhiwen {
namespace {

class BytesFile final : public ReadableFile {
 public:
  BytesFile(std::string bytes, std::string name)
      : bytes_(std::move(bytes)), name_(std::move(name)) {}
  Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
    return offset >= bytes_.size() ? 0 : bytes_.copy(out.data(), out.size(), offset);
  }
  Result<FileIdentity> Identity() const override { return FileIdentity(); }
  const std::string& path() const override { return name_; }

 private:
  const std::string bytes_, name_;
};

DocumentCompression CompressionOf(std::string_view head) {
  switch (DetectCompression(head)) {
    case Compression::kGzip:
      return DocumentCompression::kGzip;
    case Compression::kZstd:
      return DocumentCompression::kZstd;
    case Compression::kNone:
      break;
  }
  return DocumentCompression::kNone;
}

// The first decompressed bytes; all that there are before a damage.
std::string Decompressed(std::unique_ptr<ReadableFile> file, DocumentCompression compression) {
  auto source = OpenByteSource(std::move(file), ToCompression(compression));
  if (!source) return {};
  std::string head(kHeadBytes, '\0');
  const Result<size_t> count = (*source)->Read(head);
  head.resize(count ? *count : (*source)->before_failure().bytes);
  return head;
}

}  // namespace

std::unique_ptr<ReadableFile> MakeBytesFile(std::string bytes, std::string name) {
  return std::make_unique<BytesFile>(std::move(bytes), std::move(name));
}

Result<FileHead> ReadFileHead(FileSystem& files, const std::string& path) {
  FileHead head;
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, files.OpenForRead(path));
  ZHIWEN_ASSIGN_OR_RETURN(head.identity, file->Identity());
  head.stored.resize(kHeadBytes);
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count, file->ReadAt(0, head.stored));
  head.stored.resize(count);
  head.compression = CompressionOf(head.stored);
  head.bytes = head.compression == DocumentCompression::kNone
                   ? head.stored
                   : Decompressed(std::move(file), head.compression);
  return head;
}

FileHead HeadOfBytes(std::string_view first) {
  FileHead head;
  head.stored = first;
  head.compression = CompressionOf(first);
  head.bytes = head.compression == DocumentCompression::kNone
                   ? head.stored.substr(0, kHeadBytes)
                   : Decompressed(MakeBytesFile(head.stored, {}), head.compression);
  return head;
}

bool BeginsWithBracket(std::string_view head) {
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  const size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '[';
}

}  // namespace zhiwen
