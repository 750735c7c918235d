#ifndef ZHIWEN_INDEX_LINE_TABLE_MIX_KEY_H_
#define ZHIWEN_INDEX_LINE_TABLE_MIX_KEY_H_

#include <cstdint>

namespace zhiwen {

// A bijection of keys after which biased ones are as even as uniform ones, and back. A. Appleby,
// MurmurHash3, the finaliser of 32 bits. The kernel mix_keys computes the same.
constexpr uint32_t MixKey(uint32_t key) {
  key ^= key >> 16;
  key *= 0x85EBCA6B;
  key ^= key >> 13;
  key *= 0xC2B2AE35;
  return key ^ key >> 16;
}

constexpr uint32_t UnmixKey(uint32_t mixed) {
  mixed ^= mixed >> 16;
  mixed *= 0x7ED1B41D;  // the inverse of 0xC2B2AE35 modulo 2³²
  mixed ^= mixed >> 13 ^ mixed >> 26;
  mixed *= 0xA5CB9243;  // of 0x85EBCA6B
  return mixed ^ mixed >> 16;
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LINE_TABLE_MIX_KEY_H_
