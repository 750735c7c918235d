#include "text/utf8.h"

#include <algorithm>
#include <cstring>

namespace zhiwen {

uint64_t CountCodePoints(std::string_view utf8) {
  const uint64_t size = utf8.size();
  constexpr uint64_t kLowBits = 0x0101010101010101;
  constexpr size_t kRounds = 255;  // of eight bytes, until a byte of the sums may overflow
  uint64_t continuations = 0;
  while (utf8.size() >= 8) {
    const size_t words = std::min(utf8.size() / 8, kRounds);
    uint64_t sums = 0;
    for (size_t i = 0; i < words; ++i) {
      uint64_t word;
      std::memcpy(&word, utf8.data() + i * 8, 8);
      sums += word >> 7 & ~word >> 6 & kLowBits;  // 1 in each byte 10xxxxxx
    }
    continuations += (sums & 0x00FF00FF00FF00FF) * 0x0001000100010001 >> 48;
    continuations += (sums >> 8 & 0x00FF00FF00FF00FF) * 0x0001000100010001 >> 48;
    utf8.remove_prefix(words * 8);
  }
  for (const char byte : utf8) continuations += static_cast<int8_t>(byte) < -0x40 ? 1 : 0;
  return size - continuations;
}

}  // namespace zhiwen
