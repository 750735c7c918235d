#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {

// The instruction of SSE 4.2, which every processor with AVX2 has.
uint32_t Crc32cAvx2(uint32_t crc, const uint8_t* bytes, size_t size) {
  uint64_t wide = crc;
  for (; size >= 8; bytes += 8, size -= 8) {
    uint64_t word;
    __builtin_memcpy(&word, bytes, sizeof(word));
    wide = _mm_crc32_u64(wide, word);
  }
  crc = static_cast<uint32_t>(wide);
  for (; size > 0; ++bytes, --size) crc = _mm_crc32_u8(crc, *bytes);
  return crc;
}

}  // namespace zhiwen
