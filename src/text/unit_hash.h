#ifndef ZHIWEN_TEXT_UNIT_HASH_H_
#define ZHIWEN_TEXT_UNIT_HASH_H_

// Computes the symbol of a unit of several code points: 31 bits of a hash of its UTF-8 bytes, with
// the top bit set. Bytes are taken eight at a time, so that an English word costs one
// multiplication. A unit contains no NUL, so padding with zeros is unambiguous. Exact definition
// and vectors: docs/formats/channels.md.
//
// Not for     data in which an attacker must not produce collisions

#include <cstdint>

#include "base/utf8/utf8.h"

namespace zhiwen {

inline constexpr uint64_t kUnitHashSeed = 0x9E3779B97F4A7C15;
inline constexpr uint64_t kUnitHashMultiplier = 0xD6E8FEB86659FD93;

inline uint64_t MixUnitWord(uint64_t state, uint64_t word) {
  const uint64_t product = (state ^ word) * kUnitHashMultiplier;
  return product ^ product >> 32;
}

inline uint32_t FinishUnitHash(uint64_t state) {
  return static_cast<uint32_t>((state * kUnitHashMultiplier) >> 33) | 0x80000000U;
}

// Returns whether a symbol stands for a unit of several code points.
inline bool IsHashedUnit(uint32_t symbol) { return (symbol & 0x80000000U) != 0; }

// Builds the hash of one unit, code point by code point.
class UnitHash {
 public:
  void Start(uint32_t code_point) {
    first_ = code_point;
    is_single_ = true;
  }

  void Append(uint32_t code_point) {
    HashFirst();
    AppendBytes(code_point);
  }

  // Appends `length` (1–8) ASCII bytes, the first in the lowest byte of `bytes`, the rest zero.
  void AppendAscii(uint64_t bytes, uint32_t length) {
    HashFirst();
    word_ |= bytes << bits_;
    bits_ += length * 8;
    if (bits_ >= 64) {
      state_ = MixUnitWord(state_, word_);
      bits_ -= 64;
      word_ = bits_ == 0 ? 0 : bytes >> (length * 8 - bits_);
    }
  }

  uint32_t Symbol() const {
    if (is_single_) return first_;
    return FinishUnitHash(bits_ == 0 ? state_ : MixUnitWord(state_, word_));
  }

 private:
  void HashFirst() {
    if (!is_single_) return;
    is_single_ = false;
    state_ = kUnitHashSeed;
    word_ = 0;
    bits_ = 0;
    AppendBytes(first_);
  }

  void AppendBytes(uint32_t code_point) {
    ForEachUtf8Byte(code_point, [this](uint32_t byte) { AppendByte(byte); });
  }

  void AppendByte(uint64_t byte) {
    word_ |= byte << bits_;
    bits_ += 8;
    if (bits_ == 64) {
      state_ = MixUnitWord(state_, word_);
      word_ = 0;
      bits_ = 0;
    }
  }

  uint64_t state_ = kUnitHashSeed;
  uint64_t word_ = 0;
  uint32_t bits_ = 0;  // number of bits used in word_
  uint32_t first_ = 0;
  bool is_single_ = true;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_UNIT_HASH_H_
