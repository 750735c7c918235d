#include <cstring>

#include "kernels/kernels.h"

namespace zhiwen {

void MixKeysScalar(uint32_t key, const uint32_t* flips, size_t count, uint32_t* out) {
  for (size_t i = 0; i < count; ++i) {
    uint32_t mixed = key ^ flips[i];
    mixed ^= mixed >> 16;
    mixed *= 0x85EBCA6B;
    mixed ^= mixed >> 13;
    mixed *= 0xC2B2AE35;
    out[i] = mixed ^ mixed >> 16;
  }
}

size_t SelectLinesScalar(const LineSearch& search, const uint32_t* keys, size_t count,
                         uint32_t* selected) {
  constexpr uint64_t kInChunk = (uint64_t{1} << kChunkShift) - 1;
  constexpr size_t kAhead = 16;
  const auto line_at = [](const void* const* chunks, uint64_t line) {
    return static_cast<const uint8_t*>(chunks[line >> kChunkShift]) +
           (line & kInChunk) * kLineBytes;
  };
  const auto line_of = [&](uint64_t key) {
    const uint64_t parts = search.parts + (key >= search.frontier ? 1 : 0);
    return line_at(search.chunks, key * parts >> search.shift);
  };
  size_t found = 0;
  for (size_t i = 0; i < count && i < kAhead; ++i) __builtin_prefetch(line_of(keys[i]));
  for (size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) __builtin_prefetch(line_of(keys[i + kAhead]));
    const uint32_t slots = keys[i] >= search.frontier ? search.moved_slots : search.slots;
    const auto low = static_cast<uint8_t>(keys[i]);
    const uint8_t* line = line_of(keys[i]);
    const bool is_last_byte_above = line[slots * sizeof(uint32_t) + slots - 1] > low;
    bool may_have = false;
    uint32_t link = 0;
    for (size_t lines = 0; lines < 2; ++lines) {
      uint32_t tail;
      std::memcpy(&tail, line + kLineTail, sizeof(tail));
      for (uint32_t slot = 0; slot < slots; ++slot) {
        may_have |= line[slots * sizeof(uint32_t) + slot] == low;
      }
      link = is_last_byte_above ? 0 : tail >> 8 | (slots == 12 ? (tail & 15) << 24 : 0);
      if (link - 1 >= search.overflow_lines) break;
      line = line_at(search.overflow_chunks, link - 1);
    }
    if (may_have || link != 0) selected[found++] = static_cast<uint32_t>(i);
  }
  return found;
}

size_t CodesWithinScalar(const uint64_t* codes, size_t count, uint64_t query, uint32_t radius,
                         uint32_t* out) {
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    out[found] = static_cast<uint32_t>(i);
    found += static_cast<uint32_t>(__builtin_popcountll(codes[i] ^ query)) <= radius ? 1 : 0;
  }
  return found;
}

}  // namespace zhiwen
