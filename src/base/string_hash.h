#ifndef ZHIWEN_BASE_STRING_HASH_H_
#define ZHIWEN_BASE_STRING_HASH_H_

// Hashes of short strings that sources name, in their usual forms, over unsigned bytes. They exist
// so that values can be compared with those of other programs; for anything else use base/hash.h.
//
// In          bytes; Lookup3Ycs64: UTF-8, an invalid byte is read as U+FFFD
// Out         32, 64 or 128 bits; arithmetic wraps
// Not for     hash tables and identities: some leave bits constant for short strings
//             (docs/formats/simhash.md)

#include <climits>
#include <cstdint>
#include <string_view>

namespace zhiwen {

// The RS hash of R. Sedgewick, "Algorithms in C", 1990.
template <typename Word>
Word RsHash(std::string_view bytes) {
  Word hash = 0;
  Word multiplier = 63689;
  for (const char c : bytes) {
    hash = hash * multiplier + static_cast<uint8_t>(c);
    multiplier *= 378551;
  }
  return hash;
}

// The JS hash of J. Sobel.
template <typename Word>
Word JsHash(std::string_view bytes) {
  Word hash = 1315423911;
  for (const char c : bytes) hash ^= (hash << 5) + static_cast<uint8_t>(c) + (hash >> 2);
  return hash;
}

// The PJW hash of P. J. Weinberger; A. Aho, R. Sethi, J. Ullman, "Compilers", 1986, §7.6. It shifts
// by an eighth of the bits.
template <typename Word>
Word PjwHash(std::string_view bytes) {
  constexpr int kBits = sizeof(Word) * CHAR_BIT;
  constexpr Word kHigh = ~Word{0} << (kBits - kBits / 8);
  Word hash = 0;
  for (const char c : bytes) {
    hash = (hash << (kBits / 8)) + static_cast<uint8_t>(c);
    if (const Word high = hash & kHigh; high != 0) {
      hash = (hash ^ high >> (kBits * 3 / 4)) & ~kHigh;
    }
  }
  return hash;
}

// The hash of the ELF object format, System V ABI. It shifts by four bits.
template <typename Word>
Word ElfHash(std::string_view bytes) {
  constexpr int kBits = sizeof(Word) * CHAR_BIT;
  constexpr Word kHigh = ~Word{0} << (kBits - 4);
  Word hash = 0;
  for (const char c : bytes) {
    hash = (hash << 4) + static_cast<uint8_t>(c);
    const Word high = hash & kHigh;
    hash ^= high >> (kBits - 8);
    hash &= ~high;
  }
  return hash;
}

// The hash of the sdbm library, which multiplies by 65599.
template <typename Word>
Word SdbmHash(std::string_view bytes) {
  Word hash = 0;
  for (const char c : bytes) {
    hash = static_cast<uint8_t>(c) + (hash << 6) + (hash << 16) - hash;
  }
  return hash;
}

// MurmurHash2 of A. Appleby, 2008, in the form of 64 bits for 64-bit processors.
uint64_t Murmur64A(std::string_view bytes, uint64_t seed);

// lookup3 of B. Jenkins, 2006, in the form of Apache Solr's Lookup3Signature: over code points,
// without the length of the text.
uint64_t Lookup3Ycs64(std::string_view utf8, uint64_t seed);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_STRING_HASH_H_
