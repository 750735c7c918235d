#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kTile = 16;  // keys
constexpr size_t kTiles = 4;  // whose lines are brought to the second-level cache together

struct Tile {
  const uint8_t* lines[kTile];
};

__mmask16 Some(size_t left) {
  return static_cast<__mmask16>(left < kTile ? (1U << left) - 1 : 0xFFFFU);
}

// The keys that are at the frontier or behind it; the frontier is 2^32 where none are.
__mmask16 MovedOf(const LineSearch& search, __m512i keys) {
  if (search.frontier >> 32 != 0) return 0;
  return _mm512_cmpge_epu32_mask(keys, _mm512_set1_epi32(static_cast<int>(search.frontier)));
}

__m512i LinesOf(const LineSearch& search, __m256i keys) {
  const __m512i wide = _mm512_cvtepu32_epi64(keys);
  const __m512i frontier = _mm512_set1_epi64(static_cast<int64_t>(search.frontier));
  const __m512i parts = _mm512_set1_epi64(static_cast<int64_t>(search.parts));
  const __m512i more = _mm512_set1_epi64(static_cast<int64_t>(search.parts + 1));
  const __mmask8 is_moved = _mm512_cmpge_epu64_mask(wide, frontier);
  const __m512i product = _mm512_mul_epu32(wide, _mm512_mask_blend_epi64(is_moved, parts, more));
  const __m512i line = _mm512_srl_epi64(product, _mm_cvtsi32_si128(static_cast<int>(search.shift)));
  const __m512i chunk = _mm512_srli_epi64(line, kChunkShift);
  const __m512i in_chunk =
      _mm512_and_si512(line, _mm512_set1_epi64((int64_t{1} << kChunkShift) - 1));
  return _mm512_add_epi64(_mm512_i64gather_epi64(chunk, search.chunks, sizeof(void*)),
                          _mm512_slli_epi64(in_chunk, 6));
}
static_assert(kLineBytes == 1 << 6);

// Where the lines of up to kTile keys are; behind the last one, those of key 0.
void Ask(const LineSearch& search, const uint32_t* keys, size_t count, Tile& tile) {
  const __m512i some = _mm512_maskz_loadu_epi32(Some(count), keys);
  _mm512_storeu_si512(tile.lines, LinesOf(search, _mm512_castsi512_si256(some)));
  _mm512_storeu_si512(tile.lines + 8, LinesOf(search, _mm512_extracti64x4_epi64(some, 1)));
  for (const uint8_t* const line : tile.lines) _mm_prefetch(line, _MM_HINT_T1);
}

// What of their lines decides: the slots with the low byte of the key, as bits; the low byte of the
// last slot; and the tail.
struct Seen {
  uint32_t matches[kTile], last[kTile], tails[kTile];
};

template <typename SlotsFor>
void See(const Tile& tile, const uint32_t* keys, size_t count, const SlotsFor& slots_for,
         Seen& seen) {
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* const line = tile.lines[i];
    const size_t slots = slots_for(keys[i]);
    const auto* const low = reinterpret_cast<const __m128i*>(line + slots * sizeof(uint32_t));
    const __m128i equal =
        _mm_cmpeq_epi8(_mm_loadu_si128(low), _mm_set1_epi8(static_cast<char>(keys[i])));
    seen.matches[i] = static_cast<uint32_t>(_mm_movemask_epi8(equal));
    seen.last[i] = line[slots * (sizeof(uint32_t) + 1) - 1];
    __builtin_memcpy(&seen.tails[i], line + kLineTail, sizeof(uint32_t));
  }
}

// The keys that may have values by what was seen, as bits.
__mmask16 MayHave(const LineSearch& search, const Seen& seen, __m512i keys) {
  const __mmask16 is_moved = MovedOf(search, keys);
  const auto by_format = [&](const auto& value_of) {
    return _mm512_mask_blend_epi32(is_moved, _mm512_set1_epi32(value_of(search.slots)),
                                   _mm512_set1_epi32(value_of(search.moved_slots)));
  };
  const __m512i slots = by_format([](uint32_t n) { return static_cast<int>((1U << n) - 1); });
  const __m512i links = by_format([](uint32_t n) { return n == 12 ? ~0xF0 : ~0xFF; });
  const __mmask16 here = _mm512_test_epi32_mask(_mm512_loadu_si512(seen.matches), slots);
  const __mmask16 linked = _mm512_test_epi32_mask(_mm512_loadu_si512(seen.tails), links);
  const __m512i low = _mm512_and_si512(keys, _mm512_set1_epi32(0xFF));
  const __mmask16 may_follow =
      _mm512_mask_cmpge_epu32_mask(linked, low, _mm512_loadu_si512(seen.last));
  return static_cast<__mmask16>(here | may_follow);
}

}  // namespace

size_t SelectLinesAvx512(const LineSearch& search, const uint32_t* keys, size_t count,
                         uint32_t* selected) {
  Tile tiles[kTiles];
  const auto ask = [&](size_t begin) {
    if (begin < count) Ask(search, keys + begin, count - begin, tiles[begin / kTile % kTiles]);
  };
  for (size_t i = 0; i < kTiles - 1; ++i) ask(i * kTile);
  const __m512i steps = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  Seen seen = {};
  size_t found = 0;
  for (size_t begin = 0; begin < count; begin += kTile) {
    ask(begin + (kTiles - 1) * kTile);
    if (begin + kTile < count) {
      for (const uint8_t* const line : tiles[(begin / kTile + 1) % kTiles].lines) {
        _mm_prefetch(line, _MM_HINT_T0);
      }
    }
    const size_t some = count - begin < kTile ? count - begin : kTile;
    const Tile& tile = tiles[begin / kTile % kTiles];
    const uint32_t* const of = keys + begin;
    const uint32_t slots = search.slots;
    if (slots == search.moved_slots) {
      See(
          tile, of, some, [slots](uint32_t) { return slots; }, seen);
    } else {
      const auto slots_for = [&](uint32_t key) {
        return key >= search.frontier ? search.moved_slots : slots;
      };
      See(tile, of, some, slots_for, seen);
    }
    const __mmask16 asked = Some(some);
    const auto may_have =
        static_cast<__mmask16>(MayHave(search, seen, _mm512_maskz_loadu_epi32(asked, of)) & asked);
    const __m512i places = _mm512_add_epi32(steps, _mm512_set1_epi32(static_cast<int>(begin)));
    const size_t more = _mm_popcnt_u32(may_have);
    _mm512_mask_storeu_epi32(selected + found, Some(more),
                             _mm512_maskz_compress_epi32(may_have, places));
    found += more;
  }
  return SelectByNextLines(search, keys, found, selected);
}

void MixKeysAvx512(uint32_t key, const uint32_t* flips, size_t count, uint32_t* out) {
  const __m512i keys = _mm512_set1_epi32(static_cast<int>(key));
  const __m512i first = _mm512_set1_epi32(static_cast<int>(0x85EBCA6B));
  const __m512i second = _mm512_set1_epi32(static_cast<int>(0xC2B2AE35));
  for (size_t i = 0; i < count; i += 16) {
    const size_t left = count - i;
    const auto some = static_cast<__mmask16>(left < 16 ? (1U << left) - 1 : 0xFFFFU);
    __m512i mixed = _mm512_xor_si512(keys, _mm512_maskz_loadu_epi32(some, flips + i));
    mixed = _mm512_xor_si512(mixed, _mm512_srli_epi32(mixed, 16));
    mixed = _mm512_mullo_epi32(mixed, first);
    mixed = _mm512_xor_si512(mixed, _mm512_srli_epi32(mixed, 13));
    mixed = _mm512_mullo_epi32(mixed, second);
    mixed = _mm512_xor_si512(mixed, _mm512_srli_epi32(mixed, 16));
    _mm512_mask_storeu_epi32(out + i, some, mixed);
  }
}

size_t CodesWithinAvx512(const uint64_t* codes, size_t count, uint64_t query, uint32_t radius,
                         uint32_t* out) {
  const __m512i queries = _mm512_set1_epi64(static_cast<int64_t>(query));
  const __m512i nibble = _mm512_set1_epi8(15);
  const __m512i bits_of =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m512i bound = _mm512_set1_epi64(static_cast<int64_t>(radius));
  size_t found = 0;
  for (size_t i = 0; i < count; i += 8) {
    const size_t left = count - i;
    const auto some = static_cast<__mmask8>(left < 8 ? (1U << left) - 1 : 0xFFU);
    const __m512i bits = _mm512_xor_si512(_mm512_maskz_loadu_epi64(some, codes + i), queries);
    const __m512i low = _mm512_shuffle_epi8(bits_of, _mm512_and_si512(bits, nibble));
    const __m512i high =
        _mm512_shuffle_epi8(bits_of, _mm512_and_si512(_mm512_srli_epi16(bits, 4), nibble));
    const __m512i distance = _mm512_sad_epu8(_mm512_add_epi8(low, high), _mm512_setzero_si512());
    uint32_t within = _mm512_mask_cmple_epu64_mask(some, distance, bound);
    for (; within != 0; within &= within - 1) {
      out[found++] = static_cast<uint32_t>(i) + _tzcnt_u32(within);
    }
  }
  return found;
}

size_t ValuesWithinAvx512(const uint32_t* values, size_t count, uint32_t query, uint32_t radius,
                          uint32_t* out) {
  const __m512i queries = _mm512_set1_epi32(static_cast<int>(query));
  const __m512i nibble = _mm512_set1_epi8(15);
  const __m512i bits_of =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m512i bound = _mm512_set1_epi32(static_cast<int>(radius));
  const __m512i ones = _mm512_set1_epi8(1);
  size_t found = 0;
  for (size_t i = 0; i < count; i += 16) {
    const size_t left = count - i;
    const auto some = static_cast<__mmask16>(left < 16 ? (1U << left) - 1 : 0xFFFFU);
    const __m512i bits = _mm512_xor_si512(_mm512_maskz_loadu_epi32(some, values + i), queries);
    const __m512i low = _mm512_shuffle_epi8(bits_of, _mm512_and_si512(bits, nibble));
    const __m512i high =
        _mm512_shuffle_epi8(bits_of, _mm512_and_si512(_mm512_srli_epi16(bits, 4), nibble));
    const __m512i pairs = _mm512_maddubs_epi16(_mm512_add_epi8(low, high), ones);
    const __m512i distance = _mm512_madd_epi16(pairs, _mm512_set1_epi16(1));
    uint32_t within = _mm512_mask_cmple_epu32_mask(some, distance, bound);
    for (; within != 0; within &= within - 1) {
      out[found++] = static_cast<uint32_t>(i) + _tzcnt_u32(within);
    }
  }
  return found;
}

}  // namespace zhiwen
