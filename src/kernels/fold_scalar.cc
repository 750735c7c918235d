#include "kernels/kernels.h"

namespace zhiwen {

size_t FoldWideScalar(const uint8_t* text, size_t size, const uint16_t* table, uint32_t* out,
                      size_t* count) {
  const uint8_t* at = text;
  const uint8_t* const end = text + size;
  uint32_t* const first = out;
  bool last_kept = false;
  while (end - at >= 3) {
    const uint32_t bytes = static_cast<uint32_t>(at[0] << 16 | at[1] << 8 | at[2]);
    if ((bytes & 0xF0C0C0) != 0xE08080) break;
    const uint16_t symbol = table[(bytes >> 4 & 0xF000) | (bytes >> 2 & 0xFC0) | (bytes & 0x3F)];
    if (symbol == kFoldStop) break;
    last_kept = symbol != kFoldDropped;
    *out = symbol;
    out += last_kept ? 1 : 0;
    at += 3;
  }
  if (at > text && (at == end || *at >= 0x80)) {
    at -= 3;
    out -= last_kept ? 1 : 0;
  }
  *count += static_cast<size_t>(out - first);
  return static_cast<size_t>(at - text);
}

}  // namespace zhiwen
