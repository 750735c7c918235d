#include "base/utf8.h"

#include <cstdint>
#include <cstring>

#include "base/json/valid_utf8.h"
#include "base/utf8_decode.h"

namespace zhiwen {

size_t FindInvalidUtf8(std::string_view bytes) {
  constexpr size_t kShort = 64;  // bytes, which the loop below is done with as soon
  if (bytes.size() >= kShort && IsValidUtf8(bytes)) return bytes.size();
  const auto* begin = reinterpret_cast<const uint8_t*>(bytes.data());
  const uint8_t* end = begin + bytes.size();
  const uint8_t* at = begin;
  while (at < end) {
    if (*at < 0x80) {
      uint64_t word = 0;
      while (end - at >= 8 && (std::memcpy(&word, at, 8), (word & 0x8080808080808080) == 0)) {
        at += 8;
      }
      while (at < end && *at < 0x80) ++at;
      continue;
    }
    const DecodedCodePoint decoded = DecodeMultiByte(at, end);
    if (!decoded.is_valid()) break;
    at += decoded.length;
  }
  return static_cast<size_t>(at - begin);
}

}  // namespace zhiwen
