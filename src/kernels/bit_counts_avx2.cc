#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 4;
constexpr size_t kPlanes = 40;  // of counts that memory has room for

// As in bit_counts_scalar.cc, of four words side by side.
struct Columns {
  __m256i planes[kPlanes];

  Columns() {
    for (__m256i& plane : planes) plane = _mm256_setzero_si256();
  }

  void Add(__m256i bits, size_t p) {
    for (; _mm256_testz_si256(bits, bits) == 0; ++p) {
      const __m256i carried = _mm256_and_si256(planes[p], bits);
      planes[p] = _mm256_xor_si256(planes[p], bits);
      bits = carried;
    }
  }

  static __m256i AddTwo(__m256i& sum, __m256i a, __m256i b) {
    const __m256i either = _mm256_xor_si256(sum, a);
    const __m256i carried = _mm256_or_si256(_mm256_and_si256(sum, a), _mm256_and_si256(either, b));
    sum = _mm256_xor_si256(either, b);
    return carried;
  }

  void AddEight(const uint64_t* words) {
    const auto load = [words](size_t i) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + i * kLanes));
    };
    const __m256i a = AddTwo(planes[0], load(0), load(1));
    const __m256i b = AddTwo(planes[0], load(2), load(3));
    const __m256i c = AddTwo(planes[0], load(4), load(5));
    const __m256i d = AddTwo(planes[0], load(6), load(7));
    const __m256i e = AddTwo(planes[1], a, b);
    const __m256i f = AddTwo(planes[1], c, d);
    Add(AddTwo(planes[2], e, f), 3);
  }
};

}  // namespace

void CountBitsAvx2(const uint64_t* hashes, size_t count, uint64_t* counts) {
  Columns columns;
  size_t i = 0;
  for (; i + 8 * kLanes <= count; i += 8 * kLanes) columns.AddEight(hashes + i);
  for (; i + kLanes <= count; i += kLanes) {
    columns.Add(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(hashes + i)), 0);
  }
  CountBitsScalar(hashes + i, count - i, counts);
  uint64_t lanes[kPlanes * kLanes];
  size_t used = 0;  // planes, as many as the largest count needs
  while (i >> used != 0) ++used;
  for (size_t p = 0; p < used; ++p) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes + p * kLanes), columns.planes[p]);
  }
  AddBitPlanes(lanes, kLanes, used, counts);
}

}  // namespace zhiwen
