#ifndef ZHIWEN_INDEX_VECTORS_PHONEME_SCAN_H_
#define ZHIWEN_INDEX_VECTORS_PHONEME_SCAN_H_

// Scans rows of bytes for those that may sound like queries, and misses none that does.
//
// Guarantees  the cosines of bytes are computed in 32 bits, with more slack than the rounding
//             error. Where bytes stand for counts, the angle of the counts differs from that of the
//             bytes by at most φ, the sum of the angles by which both were turned. The cosine of
//             the counts is therefore at most cos(θ − φ) ≤ cos θ + φ sin θ, and sin θ is, as a
//             function of cos θ, below each of its tangents, which gives a bound that is linear in
//             the cosine
// Cost        a row: 63 bytes from memory, and three products for each query; docs/phonemes.md has
//             figures
// Threads     const functions from many threads; the others alone

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "index/vectors/phoneme_index.h"
#include "kernels/kernels.h"

namespace zhiwen {

static_assert(kPhonemeCount == kPhonemeRow);

// The bound that rows must reach to be examined, for one query.
class PhonemeBound {
 public:
  // `turned` holds, for initials, finals and tones, the angles in radians by which the bytes of the
  // query and of any row together were turned from the counts; 0 when bytes stand for themselves.
  PhonemeBound(std::span<const uint8_t, kPhonemeCount> query, const PhonemeModel& model,
               PhonemeRule::Kind kind, const PhonemeTriple& turned = {});

  const uint8_t* query() const { return query_.data(); }

  // Excludes weighted sums below `similarity` from now on (kNearest).
  void Raise(double similarity);

  // Writes the indexes of those of `count` rows that reach the bound. Returns their number.
  // `products` and `scales` are results of the kernels, in whole blocks.
  size_t Select(const uint32_t* products, const float* scales, size_t count,
                uint32_t* selected) const;

 private:
  std::array<uint8_t, kPhonemeCount + 1> query_ = {};  // a kernel reads one byte more
  bool is_sum_;
  std::array<float, 3> factors_ = {};  // of the products, divided by the lengths of rows
  std::array<float, 3> least_ = {};    // for each cosine; the first one is for the sum
  // How far the bound of a sum is below a similarity.
  float above_ = 0;
};

// Calls visit(query, place) for each row that may be a match of a query and is not removed. Rows
// are visited in blocks, and in each block those of one query after another, ascending. visit may
// raise the bound of the query.
template <typename Visit>
void SelectRows(const PhonemeRows& rows, std::span<const PhonemeBound> queries,
                const Visit& visit) {
  const Kernels& kernels = ActiveKernels();
  std::array<uint8_t, kPhonemeBlock* kPhonemeRow + 1> last = {};
  std::array<float, 3 * kPhonemeBlock> scales = {};
  std::array<uint32_t, 3 * kPhonemeBlock> products = {};
  std::array<uint32_t, kPhonemeBlock> selected;
  for (size_t begin = 0; begin < rows.size(); begin += kPhonemeBlock) {
    const size_t count = std::min(kPhonemeBlock, rows.size() - begin);
    const uint8_t* block = rows.bytes.data() + begin * kPhonemeRow;
    if (begin + count == rows.size()) {
      block = std::copy_n(block, count * kPhonemeRow, last.data()) - count * kPhonemeRow;
    }
    kernels.phoneme_scales(block, count, scales.data());
    for (size_t q = 0; q < queries.size(); ++q) {
      kernels.phoneme_products(queries[q].query(), block, count, products.data());
      const size_t found =
          queries[q].Select(products.data(), scales.data(), count, selected.data());
      for (size_t i = 0; i < found; ++i) {
        const size_t place = begin + selected[i];
        if (!rows.is_removed(place)) visit(q, place);
      }
    }
  }
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_VECTORS_PHONEME_SCAN_H_
