#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 16;
constexpr size_t kBlock = 3 * kLanes;

inline bool IsKept(const uint8_t* at, const uint16_t* table) {
  return table[(at[0] & 0xF) << 12 | (at[1] & 0x3F) << 6 | (at[2] & 0x3F)] != kFoldDropped;
}

inline __m512i LookUp(const uint16_t* table, __m512i index) {
  return _mm512_and_si512(_mm512_i32gather_epi32(index, table, 2), _mm512_set1_epi32(0xFFFF));
}

// 0000zzzz 00yyyyyy 00xxxxxx, the lead byte lowest → z << 12 | y << 6 | x
inline __m512i CodePoints(__m512i bytes) {
  const __m512i z = _mm512_slli_epi32(_mm512_and_si512(bytes, _mm512_set1_epi32(0xF)), 12);
  const __m512i y = _mm512_srli_epi32(_mm512_and_si512(bytes, _mm512_set1_epi32(0x3F00)), 2);
  const __m512i x = _mm512_srli_epi32(_mm512_and_si512(bytes, _mm512_set1_epi32(0x3F0000)), 16);
  return _mm512_or_si512(_mm512_or_si512(z, y), x);
}

}  // namespace

size_t FoldWideAvx512(const uint8_t* text, size_t size, const uint16_t* table, uint32_t* out,
                      size_t* count) {
  alignas(64) static constexpr uint8_t kSpread[64] = {
      0,  1,  2,  0,  3,  4,  5,  0,  6,  7,  8,  0,  9,  10, 11, 0,  12, 13, 14, 0,  15, 16,
      17, 0,  18, 19, 20, 0,  21, 22, 23, 0,  24, 25, 26, 0,  27, 28, 29, 0,  30, 31, 32, 0,
      33, 34, 35, 0,  36, 37, 38, 0,  39, 40, 41, 0,  42, 43, 44, 0,  45, 46, 47, 0};
  const __m512i spread = _mm512_load_si512(kSpread);
  size_t at = 0, symbols = 0;
  while (true) {
    const size_t left = size - at;
    const __mmask64 inside = left >= kBlock ? (1ULL << kBlock) - 1 : (1ULL << left) - 1;
    const __m512i text_bytes = _mm512_maskz_loadu_epi8(inside, text + at);
    const __m512i bytes = _mm512_maskz_permutexvar_epi8(0x7777777777777777, spread, text_bytes);
    const __m512i marks = _mm512_and_si512(bytes, _mm512_set1_epi32(0x00C0C0F0));
    const __mmask16 is_wide = _mm512_cmpeq_epi32_mask(marks, _mm512_set1_epi32(0x008080E0));
    const __m512i entries = LookUp(table, CodePoints(bytes));
    // How far the block goes rests on the bytes alone unless an entry stops it, which is rare: the
    // branches need not wait for the table.
    uint32_t lanes = is_wide == 0xFFFF ? kLanes : _tzcnt_u32(~static_cast<uint32_t>(is_wide));
    const __mmask16 stops =
        _mm512_mask_cmpeq_epi32_mask(is_wide, entries, _mm512_set1_epi32(kFoldStop));
    if (stops != 0) [[unlikely]] {
      const uint32_t stop = _tzcnt_u32(stops);
      lanes = stop < lanes ? stop : lanes;
    }
    const auto consumed = static_cast<__mmask16>((1U << lanes) - 1);
    const __mmask16 kept =
        _mm512_mask_cmpneq_epi32_mask(consumed, entries, _mm512_set1_epi32(kFoldDropped));
    _mm512_storeu_si512(out + symbols, _mm512_maskz_compress_epi32(kept, entries));
    symbols += static_cast<size_t>(_mm_popcnt_u32(kept));
    if (lanes != kLanes) {
      at += 3 * lanes;
      break;
    }
    at += kBlock;
  }
  if (at > 0 && (at >= size || text[at] >= 0x80)) {
    at -= 3;
    symbols -= IsKept(text + at, table) ? 1 : 0;
  }
  *count += symbols;
  return at;
}

}  // namespace zhiwen
