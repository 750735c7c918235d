#ifndef ZHIWEN_TESTS_SUPPORT_FLIPPED_BIT_H_
#define ZHIWEN_TESTS_SUPPORT_FLIPPED_BIT_H_

#include <cstddef>
#include <string>

namespace zhiwen {

// The bytes, with one bit of them flipped: bit % 8, from the lowest, of byte bit / 8.
inline std::string WithBitFlipped(std::string bytes, size_t bit) {
  bytes.at(bit / 8) = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
  return bytes;
}

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_FLIPPED_BIT_H_
