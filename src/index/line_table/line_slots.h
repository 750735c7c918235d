#ifndef ZHIWEN_INDEX_LINE_TABLE_LINE_SLOTS_H_
#define ZHIWEN_INDEX_LINE_TABLE_LINE_SLOTS_H_

// Defines the layout of a line: `slots` 32-bit values; then the low bytes of their keys, and for
// formats with more bits, one such row for each further byte; then the tail, from bit 0: four bits
// of the last key (11 slots) or of the link (12 slots), four bits that count the used slots, and
// the link.

#include <cstdint>
#include <cstring>

#include "index/line_table/line_memory.h"
#include "kernels/kernels.h"

namespace zhiwen {

struct LineFormat {
  uint32_t slots = 0;
  uint32_t bits = 0;  // bits of its key that a slot holds

  uint32_t rest_mask() const { return static_cast<uint32_t>((uint64_t{1} << bits) - 1); }
  // Returns the link that says that some key of this line has an array of its own.
  uint32_t hot_link() const { return slots == 12 ? 0xFFFFFFF : 0xFFFFFF; }
};

// Returns the format with the most slots for keys that differ in their low `bits` bits.
constexpr LineFormat LineFormatFor(uint32_t bits) {
  if (bits <= 8) return {12, 8};
  if (bits <= 12) return {11, 12};
  if (bits <= 16) return {10, 16};
  if (bits <= 24) return {8, 24};
  return {7, 32};
}

template <uint32_t kBits>
struct LineSlots {
  static constexpr uint32_t kSlots = LineFormatFor(kBits).slots;
  static constexpr size_t kLow = kSlots * sizeof(uint32_t);

  // Returns the low kBits bits of the key in `slot`.
  static uint32_t Rest(const Line& line, size_t slot) {
    const uint8_t* const low = line.bytes + kLow + slot;
    uint32_t rest = low[0];
    if constexpr (kBits == 12) {
      const uint8_t nibbles = line.bytes[kLow + kSlots + slot / 2];
      rest |= (nibbles >> slot % 2 * 4 & 15U) << 8;
    } else {
      if constexpr (kBits > 8) rest |= static_cast<uint32_t>(low[kSlots]) << 8;
      if constexpr (kBits > 16) rest |= static_cast<uint32_t>(low[2 * kSlots]) << 16;
      if constexpr (kBits > 24) rest |= static_cast<uint32_t>(low[3 * kSlots]) << 24;
    }
    return rest;
  }

  static uint8_t LowByte(const Line& line, size_t slot) { return line.bytes[kLow + slot]; }

  // Overwrites the slot.
  static void Put(Line& line, size_t slot, uint32_t mixed, uint32_t value) {
    std::memcpy(line.bytes + slot * sizeof(value), &value, sizeof(value));
    uint8_t* const low = line.bytes + kLow + slot;
    low[0] = static_cast<uint8_t>(mixed);
    if constexpr (kBits == 12) {
      uint8_t& nibbles = line.bytes[kLow + kSlots + slot / 2];
      const uint32_t shift = slot % 2 * 4;
      nibbles = static_cast<uint8_t>((nibbles & ~(15U << shift)) | (mixed >> 8 & 15) << shift);
    } else {
      if constexpr (kBits > 8) low[kSlots] = static_cast<uint8_t>(mixed >> 8);
      if constexpr (kBits > 16) low[2 * kSlots] = static_cast<uint8_t>(mixed >> 16);
      if constexpr (kBits > 24) low[3 * kSlots] = static_cast<uint8_t>(mixed >> 24);
    }
  }
};
static_assert(LineSlots<12>::kLow + 11 + 5 == kLineTail);  // where the last four bits are

// Calls use(LineSlots<bits>()).
template <typename Use>
decltype(auto) WithSlots(const LineFormat& format, const Use& use) {
  switch (format.bits) {
    case 8:
      return use(LineSlots<8>());
    case 12:
      return use(LineSlots<12>());
    case 16:
      return use(LineSlots<16>());
    case 24:
      return use(LineSlots<24>());
    default:
      return use(LineSlots<32>());
  }
}

inline uint32_t LineTailOf(const Line& line) {
  uint32_t tail;
  std::memcpy(&tail, line.bytes + kLineTail, sizeof(tail));
  return tail;
}

// Returns the number of used slots, which are the first ones.
inline uint32_t SlotCount(const Line& line) { return line.bytes[kLineTail] >> 4; }

inline void SetSlotCount(Line& line, uint32_t count) {
  uint8_t& tail = line.bytes[kLineTail];
  tail = static_cast<uint8_t>((tail & 15U) | count << 4);
}

// Returns 0, or the number of the next line plus 1, or hot_link().
inline uint32_t LinkOf(const Line& line, const LineFormat& format) {
  const uint32_t tail = LineTailOf(line);
  return tail >> 8 | (format.slots == 12 ? (tail & 15) << 24 : 0);
}

inline void SetLink(Line& line, const LineFormat& format, uint32_t link) {
  uint32_t tail = (LineTailOf(line) & 0xFF) | link << 8;
  if (format.slots == 12) tail = (tail & ~15U) | link >> 24;
  std::memcpy(line.bytes + kLineTail, &tail, sizeof(tail));
}

// Returns whether some key of a first line has an array of its own. The line then has no entries,
// but a link.
inline bool HasHotKeys(const Line& line, const LineFormat& format) {
  return SlotCount(line) == 0 && LinkOf(line, format) != 0;
}

// Returns whether the lines after this one may have values of the key. In a line with a link, the
// last slot has the greatest low byte of a key, and no key after the line has a smaller one. For a
// line without entries, all following lines must be read.
inline bool MayFollow(const Line& line, const LineFormat& format, uint32_t mixed) {
  const uint8_t last = line.bytes[format.slots * (sizeof(uint32_t) + 1) - 1];
  return LinkOf(line, format) != 0 && static_cast<uint8_t>(mixed) >= last;
}

// Returns, as bits, the used slots that may have the low byte of the key, apart from the loose
// bits. All slots that have it are among them.
inline uint64_t SlotsWith(const Line& line, const LineFormat& format, uint32_t mixed,
                          uint32_t loose = 0) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  const uint64_t either = (loose & 0xFF) * kOnes, wanted = (mixed & 0xFF) * kOnes | either;
  const uint8_t* const low = line.bytes + format.slots * sizeof(uint32_t);
  uint64_t slots = 0;
  for (size_t half = 0; half < 2; ++half) {
    uint64_t bytes;
    std::memcpy(&bytes, low + half * sizeof(bytes), sizeof(bytes));
    bytes = (bytes | either) ^ wanted;
    // Sets the top bit of every zero byte, and of some bytes above one; then collects these bits.
    const uint64_t zeros = (bytes - kOnes) & ~bytes & kOnes << 7;
    slots |= ((zeros >> 7) * 0x0102040810204080 >> 56) << half * 8;
  }
  return slots & ((uint64_t{1} << SlotCount(line)) - 1);
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LINE_TABLE_LINE_SLOTS_H_
