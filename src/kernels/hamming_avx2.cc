#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr uint64_t kInChunk = (uint64_t{1} << kChunkShift) - 1;
constexpr size_t kAhead = 16;     // lines that are brought to the first-level cache together
constexpr size_t kFarAhead = 64;  // and to the second-level cache before, a power of two

const uint8_t* LineAt(const void* const* chunks, uint64_t line) {
  return static_cast<const uint8_t*>(chunks[line >> kChunkShift]) + (line & kInChunk) * kLineBytes;
}

const uint8_t* LineOf(const LineSearch& search, uint64_t key) {
  const uint64_t parts = search.parts + static_cast<uint64_t>(key >= search.frontier);
  const uint64_t first = key >> search.kept_bits << search.kept_bits;
  return LineAt(search.chunks, first * parts >> search.shift);
}

uint32_t TailOf(const uint8_t* line) {
  uint32_t tail;
  __builtin_memcpy(&tail, line + kLineTail, sizeof(tail));
  return tail;
}

uint32_t LinkOf(uint32_t tail, uint32_t slots) {
  return tail >> 8 | (slots == 12 ? (tail & 15) << 24 : 0);
}

// The line that follows; where it is not known, the same once more. No branch.
const uint8_t* LineAfter(const LineSearch& search, const uint8_t* line, uint32_t link) {
  const bool is_known = link - 1 < search.overflow_lines;
  const void* const* const chunks = is_known ? search.overflow_chunks : search.chunks;
  const uint8_t* const after = LineAt(chunks, is_known ? link - 1 : 0);
  return is_known ? after : line;
}

// A key, and what is asked of its values.
struct Asked {
  uint32_t key, slots;  // of a line
  uint32_t loose = 0;
  bool is_near = false;
  uint32_t other = 0, bound = 0;
};

// Goes through places in ascending order.
class AskedKeys {
 public:
  AskedKeys(const LineSearch& search, const uint32_t* keys) : search_(search), keys_(keys) {}

  Asked At(size_t place) {
    const uint32_t key = keys_[place];
    const uint32_t slots = key >= search_.frontier ? search_.moved_slots : search_.slots;
    if (search_.others == nullptr) return {.key = key, .slots = slots};
    while (place - first_ >= search_.together) {
      first_ += search_.together;
      ++query_;
    }
    const size_t flip = place - first_;
    return {.key = key,
            .slots = slots,
            .loose = search_.loose == nullptr ? 0 : search_.loose[flip],
            .is_near = true,
            .other = search_.others[query_],
            .bound = search_.bounds[flip]};
  }

 private:
  const LineSearch& search_;
  const uint32_t* keys_;
  size_t first_ = 0, query_ = 0;  // the place of the first key of a query, and its number
};

// The link behind a first line, unless nothing that follows has a key that is asked for.
uint32_t LinkFor(const uint8_t* line, const Asked& asked) {
  const uint8_t last = line[asked.slots * (sizeof(uint32_t) + 1) - 1];
  const uint32_t may_follow = static_cast<uint8_t>(asked.key | asked.loose) >= last ? 1 : 0;
  // No branch: nobody could predict it.
  return LinkOf(TailOf(line), asked.slots) & (0 - may_follow);
}

// The slots with the low byte of a key that is asked for, as bits.
uint32_t SlotsWith(const uint8_t* line, const Asked& asked) {
  const auto* const low = reinterpret_cast<const __m128i*>(line + asked.slots * sizeof(uint32_t));
  const __m128i loose = _mm_set1_epi8(static_cast<char>(asked.loose));
  const __m128i equal = _mm_cmpeq_epi8(_mm_or_si128(_mm_loadu_si128(low), loose),
                                       _mm_set1_epi8(static_cast<char>(asked.key | asked.loose)));
  return _bzhi_u32(static_cast<uint32_t>(_mm_movemask_epi8(equal)), asked.slots);
}

// The slots whose values differ from `other` in at most `bound` bits, and others behind them.
uint32_t SlotsNear(const uint8_t* line, uint32_t other, uint32_t bound) {
  const __m256i nibble = _mm256_set1_epi8(15);
  const __m256i bits_of = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                           0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const auto near_of = [&](const uint8_t* values) {
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
    const __m256i bits = _mm256_xor_si256(all, _mm256_set1_epi32(static_cast<int>(other)));
    const __m256i low = _mm256_shuffle_epi8(bits_of, _mm256_and_si256(bits, nibble));
    const __m256i high =
        _mm256_shuffle_epi8(bits_of, _mm256_and_si256(_mm256_srli_epi16(bits, 4), nibble));
    const __m256i pairs = _mm256_maddubs_epi16(_mm256_add_epi8(low, high), _mm256_set1_epi8(1));
    const __m256i distances = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
    const __m256i above = _mm256_cmpgt_epi32(distances, _mm256_set1_epi32(static_cast<int>(bound)));
    return ~static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(above))) & 0xFF;
  };
  return near_of(line) | near_of(line + 32) << 8;
}

// The slots with such a byte and a value that counts, as bits.
uint32_t SlotsThatCount(const uint8_t* line, const Asked& asked) {
  const uint32_t matches = SlotsWith(line, asked);
  return asked.is_near ? matches & SlotsNear(line, asked.other, asked.bound) : matches;
}

// Of the lines behind the first follower, which has the link.
bool MayHaveBehind(const LineSearch& search, uint32_t link, const Asked& asked) {
  for (int behind = 1; behind < kLinesBehind && link - 1 < search.overflow_lines; ++behind) {
    const uint8_t* const line = LineAt(search.overflow_chunks, link - 1);
    if (SlotsThatCount(line, asked) != 0) return true;
    link = LinkOf(TailOf(line), asked.slots);
  }
  return link != 0;
}

}  // namespace

void MixKeysAvx2(uint32_t key, const uint32_t* flips, size_t count, uint32_t kept, uint32_t* out) {
  const __m256i keys = _mm256_set1_epi32(static_cast<int>(key));
  const __m256i first = _mm256_set1_epi32(static_cast<int>(0x85EBCA6B));
  const __m256i second = _mm256_set1_epi32(static_cast<int>(0xC2B2AE35));
  const __m256i upper = _mm256_set1_epi32(static_cast<int>(~uint32_t{0} >> kept));
  const __m256i lower = _mm256_set1_epi32(static_cast<int>(~(~uint32_t{0} << kept)));
  const auto shift_by = [](uint32_t bits) { return _mm_cvtsi32_si128(static_cast<int>(bits)); };
  const __m128i by_kept = shift_by(kept), far = shift_by(16 - kept / 2);
  const __m128i near = shift_by(13 - kept / 2);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const auto* const at = reinterpret_cast<const __m256i*>(flips + i);
    const __m256i flipped = _mm256_xor_si256(keys, _mm256_loadu_si256(at));
    __m256i mixed = _mm256_srl_epi32(flipped, by_kept);
    mixed = _mm256_xor_si256(mixed, _mm256_srl_epi32(mixed, far));
    mixed = _mm256_and_si256(_mm256_mullo_epi32(mixed, first), upper);
    mixed = _mm256_xor_si256(mixed, _mm256_srl_epi32(mixed, near));
    mixed = _mm256_and_si256(_mm256_mullo_epi32(mixed, second), upper);
    mixed = _mm256_xor_si256(mixed, _mm256_srl_epi32(mixed, far));
    mixed = _mm256_or_si256(_mm256_sll_epi32(mixed, by_kept), _mm256_and_si256(flipped, lower));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), mixed);
  }
  MixKeysScalar(key, flips + i, count - i, kept, out + i);
}

size_t SelectByNextLines(const LineSearch& search, const uint32_t* keys, size_t count,
                         uint32_t* selected) {
  constexpr size_t kTogether = 64;
  const uint8_t* followers[kTogether];
  uint32_t links[kTogether];
  AskedKeys first_asked(search, keys), next_asked(search, keys);
  size_t found = 0;
  for (size_t begin = 0; begin < count; begin += kTogether) {
    const size_t some = count - begin < kTogether ? count - begin : kTogether;
    for (size_t i = 0; i < some; ++i) {
      const Asked asked = first_asked.At(selected[begin + i] & ~kSettled);
      const uint8_t* const line = LineOf(search, asked.key);
      links[i] = LinkFor(line, asked);
      followers[i] = LineAfter(search, line, links[i]);
      _mm_prefetch(followers[i], _MM_HINT_T0);
    }
    for (size_t i = 0; i < some; ++i) {
      const uint32_t place = selected[begin + i] & ~kSettled;
      const Asked asked = next_asked.At(place);
      const bool is_known = links[i] - 1 < search.overflow_lines;
      const uint8_t* const follower = followers[i];
      // Hardly a branch: what comes of one look-up says nothing of the next.
      const uint32_t behind = SlotsThatCount(follower, asked);
      bool may_have = ((selected[begin + i] & kSettled) | (is_known ? behind : links[i])) != 0;
      const uint32_t further = is_known ? LinkOf(TailOf(follower), asked.slots) : 0;
      if (further != 0 && !may_have) may_have = MayHaveBehind(search, further, asked);
      selected[found] = place;
      found += static_cast<size_t>(may_have);
    }
  }
  return found;
}

size_t SelectLinesAvx2(const LineSearch& search, const uint32_t* keys, size_t count,
                       uint32_t* selected) {
  const uint8_t* ring[kFarAhead];
  for (size_t i = 0; i < count && i < kFarAhead; ++i) {
    ring[i] = LineOf(search, keys[i]);
    _mm_prefetch(ring[i], _MM_HINT_T1);
  }
  AskedKeys asked_keys(search, keys);
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* const line = ring[i % kFarAhead];
    if (i + kFarAhead < count) {
      const uint8_t* const next = LineOf(search, keys[i + kFarAhead]);
      ring[i % kFarAhead] = next;
      _mm_prefetch(next, _MM_HINT_T1);
    }
    if (i + kAhead < count) _mm_prefetch(ring[(i + kAhead) % kFarAhead], _MM_HINT_T0);
    const Asked asked = asked_keys.At(i);
    const uint32_t here = SlotsThatCount(line, asked);
    selected[found] = static_cast<uint32_t>(i) | (here != 0 ? kSettled : 0);
    found += static_cast<size_t>((here | LinkFor(line, asked)) != 0);
  }
  return SelectByNextLines(search, keys, found, selected);
}

size_t CodesWithinAvx2(const uint64_t* codes, size_t count, uint64_t query, uint32_t radius,
                       uint32_t* out) {
  const __m256i queries = _mm256_set1_epi64x(static_cast<int64_t>(query));
  const __m256i nibble = _mm256_set1_epi8(15);
  const __m256i bits_of = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                           0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i bound = _mm256_set1_epi64x(static_cast<int64_t>(radius));
  size_t found = 0;
  for (size_t i = 0; i < count; i += 4) {
    const size_t left = count - i;
    const uint32_t some = left < 4 ? (1U << left) - 1 : 15;
    const __m256i is_there = _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<int64_t>(left)),
                                                _mm256_setr_epi64x(0, 1, 2, 3));
    const auto* const at = reinterpret_cast<const long long*>(codes + i);
    const __m256i bits = _mm256_xor_si256(_mm256_maskload_epi64(at, is_there), queries);
    const __m256i low = _mm256_shuffle_epi8(bits_of, _mm256_and_si256(bits, nibble));
    const __m256i high =
        _mm256_shuffle_epi8(bits_of, _mm256_and_si256(_mm256_srli_epi16(bits, 4), nibble));
    const __m256i distance = _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256());
    const __m256i beyond = _mm256_cmpgt_epi64(distance, bound);
    auto within = ~static_cast<uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(beyond))) & some;
    for (; within != 0; within &= within - 1) {
      out[found++] = static_cast<uint32_t>(i) + _tzcnt_u32(within);
    }
  }
  return found;
}

size_t ValuesWithinAvx2(const uint32_t* values, size_t count, uint32_t query, uint32_t radius,
                        uint32_t* out) {
  const __m256i queries = _mm256_set1_epi32(static_cast<int>(query));
  const __m256i nibble = _mm256_set1_epi8(15);
  const __m256i bits_of = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                           0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i bound = _mm256_set1_epi32(static_cast<int>(radius));
  const __m256i ones = _mm256_set1_epi8(1);
  size_t found = 0;
  for (size_t i = 0; i < count; i += 8) {
    const size_t left = count - i;
    const uint32_t some = left < 8 ? (1U << left) - 1 : 255;
    const __m256i is_there =
        _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(left < 8 ? left : 8)),
                           _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    const auto* const at = reinterpret_cast<const int*>(values + i);
    const __m256i bits = _mm256_xor_si256(_mm256_maskload_epi32(at, is_there), queries);
    const __m256i low = _mm256_shuffle_epi8(bits_of, _mm256_and_si256(bits, nibble));
    const __m256i high =
        _mm256_shuffle_epi8(bits_of, _mm256_and_si256(_mm256_srli_epi16(bits, 4), nibble));
    const __m256i pairs = _mm256_maddubs_epi16(_mm256_add_epi8(low, high), ones);
    const __m256i distance = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
    const __m256i beyond = _mm256_cmpgt_epi32(distance, bound);
    auto within = ~static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(beyond))) & some;
    for (; within != 0; within &= within - 1) {
      out[found++] = static_cast<uint32_t>(i) + _tzcnt_u32(within);
    }
  }
  return found;
}

}  // namespace zhiwen
