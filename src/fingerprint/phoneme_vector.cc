#include "fingerprint/phoneme_vector.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace zhiwen {
namespace {

// An upper bound on the error of an angle due to rounding of the sums below.
constexpr double kSlack = 1e-5;

// Writes the scaled `counts`, and returns the angle between them and the written vector.
double Quantise(std::span<const uint64_t> counts, uint8_t* bytes) {
  const uint64_t most = std::ranges::max(counts);
  if (most == 0) return 0;
  double product = 0, square = 0, square_of_bytes = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    // Rounds to the nearest, in integers. No text has counts above 2⁵⁵, so nothing overflows.
    bytes[i] = static_cast<uint8_t>((counts[i] * 510 + most) / (2 * most));
    const auto count = static_cast<double>(counts[i]);
    product += count * bytes[i];
    square += count * count;
    square_of_bytes += static_cast<double>(uint32_t{bytes[i]} * bytes[i]);
  }
  const double cosine = std::min(1.0, product / std::sqrt(square * square_of_bytes));
  return std::acos(cosine) + kSlack;
}

}  // namespace

PhonemeVector QuantisePhonemes(const PhonemeCounts& counts) {
  PhonemeVector vector;
  const std::array<double, 3> angles = {
      Quantise(counts.initials, vector.bytes.data()),
      Quantise(counts.finals, vector.bytes.data() + kInitialCount),
      Quantise(counts.tones, vector.bytes.data() + kInitialCount + kFinalCount)};
  for (size_t i = 0; i < 3; ++i) vector.angles[i] = static_cast<float>(angles[i]);
  return vector;
}

}  // namespace zhiwen
