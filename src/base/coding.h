#ifndef ZHIWEN_BASE_CODING_H_
#define ZHIWEN_BASE_CODING_H_

// Encodes and decodes persisted values: fixed little-endian integers, LEB128 varints,
// length-prefixed strings, CRC-32C.

#include <cstdint>
#include <string>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

void AppendFixed32(std::string& out, uint32_t value);
void AppendFixed64(std::string& out, uint64_t value);
void AppendVarint(std::string& out, uint64_t value);
void AppendString(std::string& out, std::string_view value);  // varint length, bytes

// Reads values off the front of a byte string. Each call fails with kUnreadable when the bytes end
// early or a varint is longer than ten bytes, and then leaves the position where it was.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  Result<uint32_t> Fixed32();
  Result<uint64_t> Fixed64();
  Result<uint64_t> Varint();
  Result<std::string_view> String();  // a view into the bytes given to the constructor
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// Returns the CRC-32C (Castagnoli) of `bytes`, continuing from `crc`.
uint32_t Crc32c(std::string_view bytes, uint32_t crc = 0);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_CODING_H_
