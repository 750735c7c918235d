#include <cstring>

#include "kernels/kernels.h"

namespace zhiwen {

size_t CountCodePointsScalar(const uint8_t* bytes, size_t size) {
  constexpr uint64_t kLowBits = 0x0101010101010101;
  constexpr size_t kRounds = 255;  // of eight bytes, until a byte of the sums may overflow
  size_t later = 0;                // bytes 10xxxxxx
  size_t i = 0;
  while (i + 8 <= size) {
    uint64_t sums = 0;
    for (size_t round = 0; round < kRounds && i + 8 <= size; ++round, i += 8) {
      uint64_t word;
      std::memcpy(&word, bytes + i, 8);
      sums += word >> 7 & ~word >> 6 & kLowBits;
    }
    later += (sums & 0x00FF00FF00FF00FF) * 0x0001000100010001 >> 48;
    later += (sums >> 8 & 0x00FF00FF00FF00FF) * 0x0001000100010001 >> 48;
  }
  for (; i < size; ++i) later += (bytes[i] & 0xC0) == 0x80;
  return size - later;
}

}  // namespace zhiwen
