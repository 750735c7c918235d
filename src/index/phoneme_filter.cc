#include "index/phoneme_filter.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace zhiwen {
namespace {

// Vectors that are multiplied at a time; their products stay in the first cache.
constexpr size_t kBlock = 512;

// More than rounding of products in 32 bits can make of a cosine.
constexpr float kSlack = 1e-5F;

}  // namespace

void PhonemeFilter::Add(const PhonemeVector& vector) {
  vectors_.insert(vectors_.end(), vector.bytes.begin(), vector.bytes.end());
  std::array<float, 3>& inverse = inverse_lengths_.emplace_back();
  for (size_t i = 0; i < 3; ++i) {
    inverse[i] = vector.lengths[i] == 0 ? 0 : 1 / vector.lengths[i];
    angles_[i] = std::max(angles_[i], vector.angles[i]);
  }
}

// The exact vectors of two texts lie at most as far from the quantised ones as both were turned, φ:
// their cosine is at most cos(θ − φ) ≤ cos θ + φ sin θ.
void PhonemeFilter::Query(const PhonemeVector& query, const PhonemeModel& model, Model which,
                          std::vector<uint32_t>& candidates) const {
  candidates.clear();
  if (std::ranges::min(query.lengths) == 0) return;
  std::array<float, 3> inverse, turned, weights, least;
  for (size_t i = 0; i < 3; ++i) {
    inverse[i] = 1 / query.lengths[i];
    turned[i] = query.angles[i] + angles_[i];
    weights[i] = static_cast<float>(model.weights[i]);
    least[i] = static_cast<float>(model.thresholds[i]) - kSlack;
  }
  const float least_sum = static_cast<float>(model.similarity) - kSlack;
  std::array<uint32_t, 3 * kBlock> products;
  for (size_t begin = 0; begin < size(); begin += kBlock) {
    const size_t count = std::min(kBlock, size() - begin);
    ActiveKernels().phoneme_products(query.bytes.data(), vectors_.data() + begin * kPhonemeVector,
                                     count, products.data());
    for (size_t i = 0; i < count; ++i) {
      std::array<float, 3> most;  // that the exact cosines can be
      for (size_t j = 0; j < 3; ++j) {
        const float cosine =
            static_cast<float>(products[3 * i + j]) * inverse[j] * inverse_lengths_[begin + i][j];
        most[j] = cosine + turned[j] * std::sqrt(std::max(0.0F, 1 - cosine * cosine));
      }
      const bool may_be =
          which == Model::kThresholds
              ? most[0] >= least[0] && most[1] >= least[1] && most[2] >= least[2]
              : weights[0] * most[0] + weights[1] * most[1] + weights[2] * most[2] >= least_sum;
      if (may_be) candidates.push_back(static_cast<uint32_t>(begin + i));
    }
  }
}

}  // namespace zhiwen
