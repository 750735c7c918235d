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
  const __m512i kept = _mm512_set1_epi32(static_cast<int>(~uint32_t{0} << search.kept_bits));
  const __m512i some = _mm512_and_si512(kept, _mm512_maskz_loadu_epi32(Some(count), keys));
  _mm512_storeu_si512(tile.lines, LinesOf(search, _mm512_castsi512_si256(some)));
  _mm512_storeu_si512(tile.lines + 8, LinesOf(search, _mm512_extracti64x4_epi64(some, 1)));
}

// What of their lines decides: the slots with the low byte of a key that this one stands for and a
// value that counts, as bits, and others behind the slots; the greatest such byte; that of the last
// slot; and the tail.
struct Seen {
  uint32_t matches[kTile], greatest[kTile], last[kTile], tails[kTile];
};

// Which keys a key stands for, and which of their values count: itself, and all.
struct AnyValue {
  uint8_t loose() const { return 0; }
  __mmask16 In(const uint8_t*) const { return 0xFFFF; }
  void Next() {}
};

// Those that differ in loose bits, and those near to the other half. Goes from key to key.
class NearValue {
 public:
  NearValue(const LineSearch& search, size_t place)
      : search_(search),
        other_(search.others + place / search.together),
        flip_(static_cast<uint32_t>(place % search.together)) {}

  uint8_t loose() const {
    return static_cast<uint8_t>(search_.loose == nullptr ? 0 : search_.loose[flip_]);
  }
  __mmask16 In(const uint8_t* line) const {
    const __m512i other = _mm512_set1_epi32(static_cast<int>(*other_));
    const __m512i bound = _mm512_set1_epi32(static_cast<int>(search_.bounds[flip_]));
    const __m512i bits = _mm512_xor_si512(_mm512_loadu_si512(line), other);
    return _mm512_cmple_epu32_mask(_mm512_popcnt_epi32(bits), bound);
  }
  void Next() {
    if (++flip_ < search_.together) return;
    flip_ = 0;
    ++other_;
  }

 private:
  const LineSearch& search_;
  const uint32_t* other_;
  uint32_t flip_;
};

// The keys that have a slot that counts, and those that may have values, as bits.
struct Decision {
  __mmask16 has, may_have;
};

Decision Decided(const LineSearch& search, const Seen& seen, __m512i keys) {
  const __mmask16 is_moved = MovedOf(search, keys);
  const auto by_format = [&](const auto& value_of) {
    return _mm512_mask_blend_epi32(is_moved, _mm512_set1_epi32(value_of(search.slots)),
                                   _mm512_set1_epi32(value_of(search.moved_slots)));
  };
  const __m512i slots = by_format([](uint32_t n) { return static_cast<int>((1U << n) - 1); });
  const __m512i links = by_format([](uint32_t n) { return n == 12 ? ~0xF0 : ~0xFF; });
  const __mmask16 here = _mm512_test_epi32_mask(_mm512_loadu_si512(seen.matches), slots);
  const __mmask16 linked = _mm512_test_epi32_mask(_mm512_loadu_si512(seen.tails), links);
  const __mmask16 may_follow = _mm512_mask_cmpge_epu32_mask(
      linked, _mm512_loadu_si512(seen.greatest), _mm512_loadu_si512(seen.last));
  return {here, static_cast<__mmask16>(here | may_follow)};
}

// The search for the lines of keys, a tile of them after another. Lines come to the second-level
// cache three tiles before they are seen, to the first-level cache one tile before, a line at a
// time, between the looks at other lines; what was seen is decided a tile later, when it is stored.
class Selection {
 public:
  Selection(const LineSearch& search, const uint32_t* keys, size_t count, uint32_t* selected)
      : search_(search), keys_(keys), count_(count), selected_(selected) {}

  // Returns how many may have values; those that have some in their first lines with kSettled.
  size_t Run() {
    for (Tile& tile : tiles_) Ask(search_, keys_, count_, tile);
    for (size_t i = 0; i < kTiles - 1; ++i) {
      AskFor(i * kTile);
      for (const uint8_t* const line : tiles_[i].lines) _mm_prefetch(line, _MM_HINT_T1);
    }
    for (size_t begin = 0; begin < count_; begin += kTile) {
      AskFor(begin + (kTiles - 1) * kTile);
      if (search_.others == nullptr) {
        SeeAll(begin, AnyValue());
      } else {
        SeeAll(begin, NearValue(search_, begin));
      }
      if (begin > 0) Decide(begin - kTile);
    }
    if (count_ > 0) Decide((count_ - 1) / kTile * kTile);
    return found_;
  }

 private:
  const Tile& TileOf(size_t begin) const { return tiles_[begin / kTile % kTiles]; }

  void AskFor(size_t begin) {
    if (begin >= count_) return;
    Ask(search_, keys_ + begin, count_ - begin, tiles_[begin / kTile % kTiles]);
  }

  // Of a table whose lines may be of two formats.
  template <typename Value>
  void SeeAll(size_t begin, const Value& value) {
    const uint32_t slots = search_.slots, moved = search_.moved_slots;
    const uint64_t frontier = search_.frontier;
    if (slots == moved) {
      See(
          begin, [slots](uint32_t) { return slots; }, value);
    } else {
      See(
          begin, [&](uint32_t key) { return key >= frontier ? moved : slots; }, value);
    }
  }

  template <typename SlotsFor, typename Value>
  void See(size_t begin, const SlotsFor& slots_for, Value value) {
    const Tile& tile = TileOf(begin);
    const Tile& next = TileOf(begin + kTile);
    const Tile& last = TileOf(begin + (kTiles - 1) * kTile);
    Seen& seen = seen_[begin / kTile % 2];
    const uint32_t* const keys = keys_ + begin;
    const size_t count = count_ - begin < kTile ? count_ - begin : kTile;
    for (size_t i = 0; i < count; ++i, value.Next()) {
      _mm_prefetch(last.lines[i], _MM_HINT_T1);
      _mm_prefetch(next.lines[i], _MM_HINT_T0);
      const uint8_t* const line = tile.lines[i];
      const size_t slots = slots_for(keys[i]);
      const auto* const low = reinterpret_cast<const __m128i*>(line + slots * sizeof(uint32_t));
      const __m128i loose = _mm_set1_epi8(static_cast<char>(value.loose()));
      const auto greatest = static_cast<uint8_t>(keys[i] | value.loose());
      const __mmask16 equal = _mm_cmpeq_epi8_mask(_mm_or_si128(_mm_loadu_si128(low), loose),
                                                  _mm_set1_epi8(static_cast<char>(greatest)));
      seen.matches[i] = static_cast<uint32_t>(equal & value.In(line));
      seen.greatest[i] = greatest;
      seen.last[i] = line[slots * (sizeof(uint32_t) + 1) - 1];
      __builtin_memcpy(&seen.tails[i], line + kLineTail, sizeof(uint32_t));
    }
  }

  void Decide(size_t begin) {
    const __mmask16 asked = Some(count_ - begin);
    const Decision decision =
        Decided(search_, seen_[begin / kTile % 2], _mm512_maskz_loadu_epi32(asked, keys_ + begin));
    const auto may_have = static_cast<__mmask16>(decision.may_have & asked);
    const __m512i steps = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i places = _mm512_add_epi32(steps, _mm512_set1_epi32(static_cast<int>(begin)));
    places = _mm512_mask_or_epi32(places, decision.has, places,
                                  _mm512_set1_epi32(static_cast<int>(kSettled)));
    const size_t more = _mm_popcnt_u32(may_have);
    _mm512_mask_storeu_epi32(selected_ + found_, Some(more),
                             _mm512_maskz_compress_epi32(may_have, places));
    found_ += more;
  }

  const LineSearch& search_;
  const uint32_t* keys_;
  const size_t count_;
  uint32_t* selected_;
  size_t found_ = 0;
  Tile tiles_[kTiles];
  Seen seen_[2] = {};
};

}  // namespace

size_t SelectLinesAvx512(const LineSearch& search, const uint32_t* keys, size_t count,
                         uint32_t* selected) {
  const size_t found = Selection(search, keys, count, selected).Run();
  return SelectByNextLines(search, keys, found, selected);
}

void MixKeysAvx512(uint32_t key, const uint32_t* flips, size_t count, uint32_t kept,
                   uint32_t* out) {
  const __m512i keys = _mm512_set1_epi32(static_cast<int>(key));
  const __m512i first = _mm512_set1_epi32(static_cast<int>(0x85EBCA6B));
  const __m512i second = _mm512_set1_epi32(static_cast<int>(0xC2B2AE35));
  const __m512i upper = _mm512_set1_epi32(static_cast<int>(~uint32_t{0} >> kept));
  const __m512i lower = _mm512_set1_epi32(static_cast<int>(~(~uint32_t{0} << kept)));
  const auto shift_by = [](uint32_t bits) { return _mm_cvtsi32_si128(static_cast<int>(bits)); };
  const __m128i by_kept = shift_by(kept), far = shift_by(16 - kept / 2);
  const __m128i near = shift_by(13 - kept / 2);
  for (size_t i = 0; i < count; i += 16) {
    const size_t left = count - i;
    const auto some = static_cast<__mmask16>(left < 16 ? (1U << left) - 1 : 0xFFFFU);
    const __m512i flipped = _mm512_xor_si512(keys, _mm512_maskz_loadu_epi32(some, flips + i));
    __m512i mixed = _mm512_srl_epi32(flipped, by_kept);
    mixed = _mm512_xor_si512(mixed, _mm512_srl_epi32(mixed, far));
    mixed = _mm512_and_si512(_mm512_mullo_epi32(mixed, first), upper);
    mixed = _mm512_xor_si512(mixed, _mm512_srl_epi32(mixed, near));
    mixed = _mm512_and_si512(_mm512_mullo_epi32(mixed, second), upper);
    mixed = _mm512_xor_si512(mixed, _mm512_srl_epi32(mixed, far));
    mixed = _mm512_or_si512(_mm512_sll_epi32(mixed, by_kept), _mm512_and_si512(flipped, lower));
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
