#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 8;
constexpr size_t kPlanes = 40;  // of counts that memory has room for

// As in bit_counts_scalar.cc, of eight words side by side.
struct Columns {
  __m512i planes[kPlanes];

  Columns() {
    for (__m512i& plane : planes) plane = _mm512_setzero_si512();
  }

  void Add(__m512i bits, size_t p) {
    for (; _mm512_test_epi64_mask(bits, bits) != 0; ++p) {
      const __m512i carried = _mm512_and_si512(planes[p], bits);
      planes[p] = _mm512_xor_si512(planes[p], bits);
      bits = carried;
    }
  }

  static __m512i AddTwo(__m512i& sum, __m512i a, __m512i b) {
    const __m512i carried = _mm512_ternarylogic_epi64(sum, a, b, 0xE8);  // the majority
    sum = _mm512_ternarylogic_epi64(sum, a, b, 0x96);                    // exclusive or
    return carried;
  }

  void AddEight(const uint64_t* words) {
    const auto load = [words](size_t i) { return _mm512_loadu_si512(words + i * kLanes); };
    const __m512i a = AddTwo(planes[0], load(0), load(1));
    const __m512i b = AddTwo(planes[0], load(2), load(3));
    const __m512i c = AddTwo(planes[0], load(4), load(5));
    const __m512i d = AddTwo(planes[0], load(6), load(7));
    const __m512i e = AddTwo(planes[1], a, b);
    const __m512i f = AddTwo(planes[1], c, d);
    Add(AddTwo(planes[2], e, f), 3);
  }
};

}  // namespace

void CountBitsAvx512(const uint64_t* hashes, size_t count, uint64_t* counts) {
  Columns columns;
  size_t i = 0;
  for (; i + 8 * kLanes <= count; i += 8 * kLanes) columns.AddEight(hashes + i);
  for (; i + kLanes <= count; i += kLanes) columns.Add(_mm512_loadu_si512(hashes + i), 0);
  CountBitsScalar(hashes + i, count - i, counts);
  uint64_t lanes[kPlanes * kLanes];
  size_t used = 0;  // planes, as many as the largest count needs
  while (i >> used != 0) ++used;
  for (size_t p = 0; p < used; ++p) {
    _mm512_storeu_si512(lanes + p * kLanes, columns.planes[p]);
  }
  AddBitPlanes(lanes, kLanes, used, counts);
}

}  // namespace zhiwen
