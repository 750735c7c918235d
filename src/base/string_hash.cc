#include "base/string_hash.h"

#include <bit>
#include <cstring>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

uint64_t LoadLittleEndian(const char* bytes, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i) value |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
  return value;
}

// The state of lookup3.
struct Lookup3 {
  uint32_t a, b, c;

  void Mix() {
    a -= c, a ^= std::rotl(c, 4), c += b;
    b -= a, b ^= std::rotl(a, 6), a += c;
    c -= b, c ^= std::rotl(b, 8), b += a;
    a -= c, a ^= std::rotl(c, 16), c += b;
    b -= a, b ^= std::rotl(a, 19), a += c;
    c -= b, c ^= std::rotl(b, 4), b += a;
  }
  void Finish() {
    c ^= b, c -= std::rotl(b, 14);
    a ^= c, a -= std::rotl(c, 11);
    b ^= a, b -= std::rotl(a, 25);
    c ^= b, c -= std::rotl(b, 16);
    a ^= c, a -= std::rotl(c, 4);
    b ^= a, b -= std::rotl(a, 14);
    c ^= b, c -= std::rotl(b, 24);
  }
};

}  // namespace

uint64_t Murmur64A(std::string_view bytes, uint64_t seed) {
  constexpr uint64_t kMultiplier = 0xC6A4A7935BD1E995;
  constexpr int kShift = 47;
  uint64_t hash = seed ^ bytes.size() * kMultiplier;
  size_t at = 0;
  for (; bytes.size() - at >= 8; at += 8) {
    uint64_t word = LoadLittleEndian(bytes.data() + at, 8) * kMultiplier;
    word ^= word >> kShift;
    hash = (hash ^ word * kMultiplier) * kMultiplier;
  }
  if (at < bytes.size()) {
    hash = (hash ^ LoadLittleEndian(bytes.data() + at, bytes.size() - at)) * kMultiplier;
  }
  hash = (hash ^ hash >> kShift) * kMultiplier;
  return hash ^ hash >> kShift;
}

uint64_t Lookup3Ycs64(std::string_view utf8, uint64_t seed) {
  const uint32_t start = 0xDEADBEEF + static_cast<uint32_t>(seed);
  Lookup3 state = {start, start, start + static_cast<uint32_t>(seed >> 32)};
  const auto* at = reinterpret_cast<const uint8_t*>(utf8.data());
  const uint8_t* const end = at + utf8.size();
  size_t added = 0;
  while (at < end) {
    const DecodedCodePoint decoded = DecodeCodePoint(at, end);
    uint32_t& word = added % 3 == 0 ? state.a : added % 3 == 1 ? state.b : state.c;
    word += decoded.code_point;
    at += decoded.length;
    // At the end of the text, the last words are finished instead of mixed.
    if (++added % 3 == 0 && at < end) state.Mix();
  }
  if (added > 0) state.Finish();
  // Adds as Java adds signed numbers.
  return (uint64_t{state.b} << 32) + static_cast<uint64_t>(static_cast<int32_t>(state.c));
}

}  // namespace zhiwen
