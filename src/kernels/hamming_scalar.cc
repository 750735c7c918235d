#include <cstring>

#include "kernels/kernels.h"

namespace zhiwen {

void MixKeysScalar(uint32_t key, const uint32_t* flips, size_t count, uint32_t kept,
                   uint32_t* out) {
  const uint32_t upper = ~uint32_t{0} >> kept, less = kept / 2;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t flipped = key ^ flips[i];
    uint32_t mixed = flipped >> kept;
    mixed ^= mixed >> (16 - less);
    mixed = mixed * 0x85EBCA6B & upper;
    mixed ^= mixed >> (13 - less);
    mixed = mixed * 0xC2B2AE35 & upper;
    mixed ^= mixed >> (16 - less);
    out[i] = mixed << kept | (flipped & ~(~uint32_t{0} << kept));
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
    const uint64_t first = key >> search.kept_bits << search.kept_bits;
    return line_at(search.chunks, first * parts >> search.shift);
  };
  size_t found = 0;
  for (size_t i = 0; i < count && i < kAhead; ++i) __builtin_prefetch(line_of(keys[i]));
  for (size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) __builtin_prefetch(line_of(keys[i + kAhead]));
    const uint32_t slots = keys[i] >= search.frontier ? search.moved_slots : search.slots;
    const auto low = static_cast<uint8_t>(keys[i]);
    const bool is_loose = search.others != nullptr && search.loose != nullptr;
    const auto loose = static_cast<uint8_t>(is_loose ? search.loose[i % search.together] : 0);
    const auto has_slot = [&](const uint8_t* line) {
      for (uint32_t slot = 0; slot < slots; ++slot) {
        if (((line[slots * sizeof(uint32_t) + slot] ^ low) & ~loose) != 0) continue;
        if (search.others == nullptr) return true;
        uint32_t value;
        std::memcpy(&value, line + slot * sizeof(value), sizeof(value));
        const int distance = __builtin_popcount(value ^ search.others[i / search.together]);
        if (static_cast<uint32_t>(distance) <= search.bounds[i % search.together]) return true;
      }
      return false;
    };
    const auto link_of = [&](const uint8_t* line) {
      uint32_t tail;
      std::memcpy(&tail, line + kLineTail, sizeof(tail));
      return tail >> 8 | (slots == 12 ? (tail & 15) << 24 : 0);
    };
    const uint8_t* line = line_of(keys[i]);
    bool may_have = has_slot(line);
    const uint8_t last = line[slots * sizeof(uint32_t) + slots - 1];
    uint32_t link = last > (low | loose) ? 0 : link_of(line);
    for (int behind = 0; !may_have && link - 1 < search.overflow_lines; ++behind) {
      if (behind == kLinesBehind) break;
      line = line_at(search.overflow_chunks, link - 1);
      may_have = has_slot(line);
      link = link_of(line);
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

size_t ValuesWithinScalar(const uint32_t* values, size_t count, uint32_t query, uint32_t radius,
                          uint32_t* out) {
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    out[found] = static_cast<uint32_t>(i);
    found += static_cast<uint32_t>(__builtin_popcount(values[i] ^ query)) <= radius ? 1 : 0;
  }
  return found;
}

}  // namespace zhiwen
