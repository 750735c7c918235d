#ifndef ZHIWEN_INDEX_LINE_TABLE_MIX_KEY_H_
#define ZHIWEN_INDEX_LINE_TABLE_MIX_KEY_H_

// A bijection of keys and its inverse. It makes biased keys (codes of few bits, consecutive
// numbers) as even as uniform ones. A. Appleby, MurmurHash3, 2011, fmix32 and fmix64.
// Persisted: docs/formats/code_index.md, filters.md, postings.md

#include <cstdint>

namespace zhiwen {

// The lowest `kept` bits, at most kMostKeptBits, are not changed, and the others do not depend on
// them: keys that differ only in these bits remain adjacent. The kernel mix_keys computes the same.
inline constexpr uint32_t kMostKeptBits = 8;

constexpr uint32_t MixKey(uint32_t key, uint32_t kept = 0) {
  const uint32_t upper = ~uint32_t{0} >> kept, less = kept / 2;
  uint32_t mixed = key >> kept;
  mixed ^= mixed >> (16 - less);
  mixed = mixed * 0x85EBCA6B & upper;
  mixed ^= mixed >> (13 - less);
  mixed = mixed * 0xC2B2AE35 & upper;
  mixed ^= mixed >> (16 - less);
  return mixed << kept | (key & ~(~uint32_t{0} << kept));
}

constexpr uint32_t UnmixKey(uint32_t mixed, uint32_t kept = 0) {
  const uint32_t upper = ~uint32_t{0} >> kept, less = kept / 2;
  uint32_t key = mixed >> kept;
  key ^= key >> (16 - less) ^ static_cast<uint32_t>(uint64_t{key} >> (32 - 2 * less));
  key = key * 0x7ED1B41D & upper;  // the inverse of 0xC2B2AE35 modulo 2³²
  key ^= key >> (13 - less) ^ key >> (26 - 2 * less);
  key = key * 0xA5CB9243 & upper;  // the inverse of 0x85EBCA6B
  key ^= key >> (16 - less) ^ static_cast<uint32_t>(uint64_t{key} >> (32 - 2 * less));
  return key << kept | (mixed & ~(~uint32_t{0} << kept));
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
  mixed *= 0x4F74430C22A54005;  // the inverse of 0xFF51AFD7ED558CCD
  return mixed ^ mixed >> 33;
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LINE_TABLE_MIX_KEY_H_
