#ifndef ZHIWEN_INDEX_LINE_TABLE_MIX_KEY_H_
#define ZHIWEN_INDEX_LINE_TABLE_MIX_KEY_H_

// A bijection of keys, after which biased ones (codes of few bits, numbers in sequence) are as even
// as uniform ones, and back. A. Appleby, MurmurHash3, 2011, fmix32 and fmix64.
// Persisted: docs/formats/code_index.md, filters.md, postings.md

#include <cstdint>

namespace zhiwen {

// The kernel mix_keys computes the same.
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

constexpr uint64_t MixKey64(uint64_t key) {
  key ^= key >> 33;
  key *= 0xFF51AFD7ED558CCD;
  key ^= key >> 33;
  key *= 0xC4CEB9FE1A85EC53;
  return key ^ key >> 33;
}

constexpr uint64_t UnmixKey64(uint64_t mixed) {
  mixed ^= mixed >> 33;
  mixed *= 0x9CB4B2F8129337DB;  // the inverse of 0xC4CEB9FE1A85EC53 modulo 2⁶⁴
  mixed ^= mixed >> 33;
  mixed *= 0x4F74430C22A54005;  // of 0xFF51AFD7ED558CCD
  return mixed ^ mixed >> 33;
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LINE_TABLE_MIX_KEY_H_
