#include "index/vectors/phoneme_scan.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace zhiwen {
namespace {

// An upper bound on the rounding error of 32-bit arithmetic in a cosine or in a weighted sum of
// three.
constexpr double kSlack = 1e-5;

// Returns the angle between bytes at which the bound is a tangent: at this angle the counts are
// just at the threshold, which may be any number.
double TangentAt(double threshold, double turned) {
  const double angle = std::acos(std::clamp(threshold, -1.0, 1.0)) + turned;
  return std::clamp(angle, 1e-3, std::numbers::pi / 2);
}

}  // namespace

PhonemeBound::PhonemeBound(std::span<const uint8_t, kPhonemeCount> query, const PhonemeModel& model,
                           PhonemeRule::Kind kind, const PhonemeTriple& turned)
    : is_sum_(kind != PhonemeRule::Kind::kThresholds) {
  std::ranges::copy(query, query_.begin());
  std::array<float, 3 * kPhonemeBlock> scales = {};
  ActiveKernels().phoneme_scales(query_.data(), 1, scales.data());
  double above = kSlack;
  for (size_t i = 0; i < 3; ++i) {
    // The cosine of the counts is at most `rise` + `slope` times the cosine of the bytes.
    const double at = TangentAt(is_sum_ ? model.similarity : model.thresholds[i], turned[i]);
    const double rise = turned[i] / std::sin(at);
    const double slope = 1 - rise * std::cos(at);
    const double weight = is_sum_ ? model.weights[i] : 1;
    factors_[i] = static_cast<float>(weight * slope * scales[i * kPhonemeBlock]);
    least_[i] = static_cast<float>(model.thresholds[i] - rise - kSlack);
    above += weight * rise;
  }
  above_ = static_cast<float>(above);
  if (!is_sum_) return;
  Raise(kind == PhonemeRule::Kind::kNearest ? -std::numeric_limits<double>::infinity()
                                            : model.similarity);
}

void PhonemeBound::Raise(double similarity) { least_[0] = static_cast<float>(similarity) - above_; }

size_t PhonemeBound::Select(const uint32_t* products, const float* scales, size_t count,
                            uint32_t* selected) const {
  // How far each row is above the bound. Compilers vectorize loops of fixed length.
  std::array<float, kPhonemeBlock> margins;
  const auto part = [&](size_t kind, size_t row) {
    const size_t at = kind * kPhonemeBlock + row;
    return static_cast<float>(static_cast<int32_t>(products[at])) * scales[at] * factors_[kind];
  };
  int32_t any = 0;
  if (is_sum_) {
    for (size_t i = 0; i < kPhonemeBlock; ++i) {
      margins[i] = part(0, i) + part(1, i) + part(2, i) - least_[0];
      any |= margins[i] >= 0 ? 1 : 0;
    }
  } else {
    for (size_t i = 0; i < kPhonemeBlock; ++i) {
      margins[i] = std::min(std::min(part(0, i) - least_[0], part(1, i) - least_[1]),
                            part(2, i) - least_[2]);
      any |= margins[i] >= 0 ? 1 : 0;
    }
  }
  if (any == 0) return 0;
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    selected[found] = static_cast<uint32_t>(i);
    found += margins[i] >= 0 ? 1 : 0;
  }
  return found;
}

}  // namespace zhiwen
