#include "fingerprint/dna_code.h"

namespace zhiwen {
namespace {

__extension__ using Uint128 = unsigned __int128;  // 10^20 is more than 2^64

constexpr struct {
  uint32_t radix, width;
} kCodes[] = {{10, 9}, {8, 8}, {4, 5}, {2, 3}};

}  // namespace

uint32_t DnaWidth(uint32_t radix) {
  for (const auto& code : kCodes) {
    if (code.radix == radix) return code.width;
  }
  return 0;
}

uint32_t DnaRadix(size_t width) {
  for (const auto& code : kCodes) {
    if (code.width == width) return code.radix;
  }
  return 0;
}

void AppendDnaCode(const DnaDigits& digits, uint32_t radix, FingerprintBytes& bytes) {
  Uint128 number = 0;
  for (const uint8_t digit : digits) number = number * radix + digit;
  for (uint32_t i = DnaWidth(radix); i-- > 0;) {
    bytes.push_back(static_cast<uint8_t>(number >> (8 * i)));
  }
}

DnaDigits DigitsOfDna(std::span<const uint8_t> code, uint32_t radix) {
  Uint128 number = 0;
  for (const uint8_t byte : code) number = number << 8 | byte;
  DnaDigits digits;
  for (size_t i = digits.size(); i-- > 0; number /= radix) {
    digits[i] = static_cast<uint8_t>(number % radix);
  }
  return digits;
}

}  // namespace zhiwen
