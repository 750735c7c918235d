#include "kernels/kernels.h"

namespace zhiwen {
namespace {

// Numbers of as many bits as there are planes, one in each of 64 columns: plane p has bit p of
// them.
struct Columns {
  uint64_t planes[64] = {};

  // Adds 2ᵖ in the columns that `bits` has.
  void Add(uint64_t bits, size_t p) {
    for (; bits != 0; ++p) {
      const uint64_t carried = planes[p] & bits;
      planes[p] ^= bits;
      bits = carried;
    }
  }

  // Adds a and b to what `sum` has; returns what is carried.
  static uint64_t AddTwo(uint64_t& sum, uint64_t a, uint64_t b) {
    const uint64_t either = sum ^ a;
    const uint64_t carried = (sum & a) | (either & b);
    sum = either ^ b;
    return carried;
  }

  // Adds 2ᵖ for each of eight.
  void AddEight(const uint64_t* words, size_t p) {
    const uint64_t a = AddTwo(planes[p], words[0], words[1]);
    const uint64_t b = AddTwo(planes[p], words[2], words[3]);
    const uint64_t c = AddTwo(planes[p], words[4], words[5]);
    const uint64_t d = AddTwo(planes[p], words[6], words[7]);
    const uint64_t e = AddTwo(planes[p + 1], a, b);
    const uint64_t f = AddTwo(planes[p + 1], c, d);
    Add(AddTwo(planes[p + 2], e, f), p + 3);
  }

  void AddTo(uint64_t* counts) const {
    for (size_t p = 0; p < 64; ++p) {
      const uint64_t plane = planes[p];
      if (plane == 0) continue;
      for (size_t bit = 0; bit < 64; ++bit) counts[bit] += (plane >> bit & 1) << p;
    }
  }
};

}  // namespace

void CountBitsScalar(const uint64_t* hashes, size_t count, uint64_t* counts) {
  Columns columns;
  size_t i = 0;
  for (; i + 8 <= count; i += 8) columns.AddEight(hashes + i, 0);
  for (; i < count; ++i) columns.Add(hashes[i], 0);
  columns.AddTo(counts);
}

void AddBitPlanes(const uint64_t* lanes, size_t lane_count, size_t plane_count, uint64_t* counts) {
  Columns columns;
  for (size_t p = 0; p < plane_count; ++p, lanes += lane_count) {
    size_t lane = 0;
    for (; lane + 8 <= lane_count; lane += 8) columns.AddEight(lanes + lane, p);
    for (; lane < lane_count; ++lane) columns.Add(lanes[lane], p);
  }
  columns.AddTo(counts);
}

}  // namespace zhiwen
