#include "kernels/kernels.h"

namespace zhiwen {
namespace {

// Slicing by eight (M. Kounavis and F. Berry, "A Systematic Approach to Building High Performance
// Software-based CRC Generators", 2005): table k advances a byte over k zero bytes more.
struct CrcTables {
  uint32_t of[8][256];
};

constexpr CrcTables MakeCrcTables() {
  constexpr uint32_t kReversedPolynomial = 0x82f63b78;
  CrcTables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? kReversedPolynomial : 0);
    tables.of[0][byte] = crc;
  }
  for (size_t k = 1; k < 8; ++k) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t shorter = tables.of[k - 1][byte];
      tables.of[k][byte] = shorter >> 8 ^ tables.of[0][shorter & 0xff];
    }
  }
  return tables;
}
constexpr CrcTables kTables = MakeCrcTables();

}  // namespace

uint32_t Crc32cScalar(uint32_t crc, const uint8_t* bytes, size_t size) {
  const auto& table = kTables.of;
  for (; size >= 8; bytes += 8, size -= 8) {
    uint32_t low = 0, high = 0;
    for (int i = 0; i < 4; ++i) {
      low |= static_cast<uint32_t>(bytes[i]) << 8 * i;
      high |= static_cast<uint32_t>(bytes[4 + i]) << 8 * i;
    }
    low ^= crc;
    crc = table[7][low & 0xff] ^ table[6][low >> 8 & 0xff] ^ table[5][low >> 16 & 0xff] ^
          table[4][low >> 24] ^ table[3][high & 0xff] ^ table[2][high >> 8 & 0xff] ^
          table[1][high >> 16 & 0xff] ^ table[0][high >> 24];
  }
  for (; size > 0; ++bytes, --size) crc = crc >> 8 ^ table[0][(crc ^ *bytes) & 0xff];
  return crc;
}

}  // namespace zhiwen
