#include "base/compress/gzip_header.h"

#include <isa-l/crc.h>

#include <cstddef>
#include <cstdint>

namespace zhiwen {
namespace {

constexpr uint32_t kDeflate = 8;
constexpr uint32_t kHasChecksum = 2, kHasExtra = 4, kHasName = 8, kHasComment = 16;
constexpr uint32_t kReserved = 0xe0;

// Reads numbers and texts. After the end of the file every byte is 0.
class HeaderReader {
 public:
  explicit HeaderReader(FilePieces& pieces) : pieces_(pieces) {}

  Result<uint32_t> Number(size_t bytes) {
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; ++i) {
      ZHIWEN_ASSIGN_OR_RETURN(const unsigned char byte, Byte());
      value |= uint32_t{byte} << 8 * i;
    }
    return value;
  }

  Status PassBytes(size_t count) {
    for (; count > 0 && whole_; --count) ZHIWEN_RETURN_IF_ERROR(Byte());
    return {};
  }

  Status PassText() {
    while (true) {
      ZHIWEN_ASSIGN_OR_RETURN(const unsigned char byte, Byte());
      if (byte == 0) return {};
    }
  }

  // Returns the CRC of the bytes read so far.
  uint32_t crc() const { return crc_; }
  bool whole() const { return whole_; }

 private:
  Result<unsigned char> Byte() {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view bytes, pieces_.Peek(1));
    if (bytes.empty()) {
      whole_ = false;
      return 0;
    }
    const auto byte = static_cast<unsigned char>(bytes.front());
    crc_ = crc32_gzip_refl(crc_, &byte, 1);
    pieces_.Consume(1);
    return byte;
  }

  FilePieces& pieces_;
  uint32_t crc_ = 0;
  bool whole_ = true;
};

}  // namespace

Result<GzipHeader> ParseGzipHeader(FilePieces& pieces) {
  HeaderReader reader(pieces);
  ZHIWEN_RETURN_IF_ERROR(reader.PassBytes(2));  // the magic, which the caller has checked
  ZHIWEN_ASSIGN_OR_RETURN(const uint32_t method, reader.Number(1));
  if (!reader.whole()) return GzipHeader{.whole = false};
  if (method != kDeflate) return GzipHeader{.whole = true, .cause = "unknown compression method"};
  ZHIWEN_ASSIGN_OR_RETURN(const uint32_t flags, reader.Number(1));
  if ((flags & kReserved) != 0) return GzipHeader{.whole = true, .cause = "unknown header flags"};
  ZHIWEN_RETURN_IF_ERROR(reader.PassBytes(6));  // time, compression, system
  if ((flags & kHasExtra) != 0) {
    ZHIWEN_ASSIGN_OR_RETURN(const uint32_t size, reader.Number(2));
    ZHIWEN_RETURN_IF_ERROR(reader.PassBytes(size));
  }
  if ((flags & kHasName) != 0) ZHIWEN_RETURN_IF_ERROR(reader.PassText());
  if ((flags & kHasComment) != 0) ZHIWEN_RETURN_IF_ERROR(reader.PassText());
  if ((flags & kHasChecksum) != 0) {
    const uint32_t expected = reader.crc() & 0xffff;
    ZHIWEN_ASSIGN_OR_RETURN(const uint32_t checksum, reader.Number(2));
    if (reader.whole() && checksum != expected) {
      return GzipHeader{.whole = true, .cause = "the checksum of the header is wrong"};
    }
  }
  return GzipHeader{.whole = reader.whole()};
}

}  // namespace zhiwen
