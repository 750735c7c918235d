#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 8;
constexpr size_t kBlock = 3 * kLanes;
constexpr size_t kReadAhead = 28;  // two loads of 16 bytes, 12 apart

struct Block {
  uint32_t lanes;  // how many characters from the first on are consumed
  uint32_t kept;   // a bit for each of them that yields a symbol
};

inline __m256i LookUp(const uint16_t* table, __m256i index) {
  const __m256i pairs = _mm256_i32gather_epi32(reinterpret_cast<const int*>(table), index, 2);
  return _mm256_and_si256(pairs, _mm256_set1_epi32(0xFFFF));
}

// Folds the eight characters in [text, text + kReadAhead).
inline Block FoldBlock(const uint8_t* text, const uint16_t* table, uint32_t* out) {
  const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 12));
  const __m256i spread = _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1,  //
                                          0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
  const __m256i bytes = _mm256_shuffle_epi8(_mm256_set_m128i(high, low), spread);
  const __m256i marks = _mm256_and_si256(bytes, _mm256_set1_epi32(0x00C0C0F0));
  const __m256i is_wide = _mm256_cmpeq_epi32(marks, _mm256_set1_epi32(0x008080E0));
  // 0000zzzz 00yyyyyy 00xxxxxx, the lead byte lowest → z << 12 | y << 6 | x
  const __m256i z = _mm256_slli_epi32(_mm256_and_si256(bytes, _mm256_set1_epi32(0xF)), 12);
  const __m256i y = _mm256_srli_epi32(_mm256_and_si256(bytes, _mm256_set1_epi32(0x3F00)), 2);
  const __m256i x = _mm256_srli_epi32(_mm256_and_si256(bytes, _mm256_set1_epi32(0x3F0000)), 16);
  const __m256i entries = LookUp(table, _mm256_or_si256(_mm256_or_si256(z, y), x));
  const __m256i stops = _mm256_cmpeq_epi32(entries, _mm256_set1_epi32(kFoldStop));
  const __m256i dropped = _mm256_cmpeq_epi32(entries, _mm256_set1_epi32(kFoldDropped));
  const auto mask = [](__m256i lanes) {
    return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(lanes)));
  };
  // How far the block goes rests on the bytes alone unless an entry stops it, which is rare: the
  // branches need not wait for the table.
  uint32_t lanes = _tzcnt_u32(~mask(is_wide));
  if (const uint32_t stop = _tzcnt_u32(mask(stops)); stop < lanes) [[unlikely]] {
    lanes = stop;
  }
  const uint32_t kept = ~mask(dropped) & ((1U << lanes) - 1);
  // Moves the kept lanes to the front: their numbers, a byte each, by one pext.
  const uint64_t kept_bytes = _pdep_u64(kept, 0x0101010101010101) * 0xFF;
  const uint64_t order = _pext_u64(0x0706050403020100, kept_bytes);
  const __m256i permutation =
      _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(order)));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                      _mm256_permutevar8x32_epi32(entries, permutation));
  return {lanes, kept};
}

inline bool IsKept(const uint8_t* at, const uint16_t* table) {
  return table[(at[0] & 0xF) << 12 | (at[1] & 0x3F) << 6 | (at[2] & 0x3F)] != kFoldDropped;
}

}  // namespace

size_t FoldWideAvx2(const uint8_t* text, size_t size, const uint16_t* table, uint32_t* out,
                    size_t* count) {
  size_t at = 0, symbols = 0;
  uint32_t lanes = kLanes;
  while (lanes == kLanes && size - at >= kReadAhead) {
    const Block block = FoldBlock(text + at, table, out + symbols);
    lanes = block.lanes;
    if (lanes == kLanes) [[likely]] {  // a branch, so that the next block need not wait
      at += kBlock;
    } else {
      at += 3 * lanes;
    }
    symbols += static_cast<size_t>(_mm_popcnt_u32(block.kept));
  }
  while (lanes == kLanes) {  // the rest, padded with zeros, which stop
    uint8_t rest[kReadAhead] = {};
    for (size_t i = 0; i < kBlock && at + i < size; ++i) rest[i] = text[at + i];
    const Block block = FoldBlock(rest, table, out + symbols);
    lanes = block.lanes;
    at += 3 * lanes;
    symbols += static_cast<size_t>(_mm_popcnt_u32(block.kept));
  }
  if (at > 0 && (at >= size || text[at] >= 0x80)) {
    at -= 3;
    symbols -= IsKept(text + at, table) ? 1 : 0;
  }
  *count += symbols;
  return at;
}

}  // namespace zhiwen
