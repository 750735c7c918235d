#ifndef ZHIWEN_DOCUMENT_HTML_STEADY_MATH_H_
#define ZHIWEN_DOCUMENT_HTML_STEADY_MATH_H_

// Logarithm and sigmoid of sums and products alone, so that every machine finds the same bits: the
// C library chooses other forms on other processors, and the last bit may decide about a block.
//
// Guarantees  errors below 1e-7
// Threads     free functions

#include <array>
#include <bit>
#include <cstdint>

namespace zhiwen {

// Returns log2(x); x is at least 1. The error grows to that of a float.
constexpr float SteadyLog2(double x) {
  constexpr double kTwoOverLn2 = 2.8853900817779268;
  constexpr uint64_t kMantissa = (uint64_t{1} << 52) - 1;
  const auto bits = std::bit_cast<uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  const double mantissa = std::bit_cast<double>((bits & kMantissa) | uint64_t{1023} << 52);
  const double z = (mantissa - 1) / (mantissa + 1);  // at most 1/3
  constexpr std::array<double, 9> kTerms = {1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9,
                                            1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
  double series = 0;
  for (const double term : kTerms) series = series * (z * z) + term;
  return static_cast<float>(exponent + kTwoOverLn2 * z * series);
}

// Returns 1 / (1 + exp(−x)).
inline float SteadySigmoid(float x) {
  constexpr double kLog2E = 1.4426950408889634, kLn2 = 0.6931471805599453;
  constexpr float kFar = 40;  // there the result is 0 or 1
  if (x > kFar) return 1;
  if (x < -kFar) return 0;
  const double power = -static_cast<double>(x) * kLog2E;
  const auto whole = static_cast<int64_t>(power < 0 ? power - 0.5 : power + 0.5);
  const double rest = (power - static_cast<double>(whole)) * kLn2;  // within ±0.35
  constexpr std::array<double, 11> kTerms = {1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                                             1.0 / 720,     1.0 / 120,    1.0 / 24,    1.0 / 6,
                                             1.0 / 2,       1.0,          1.0};
  double series = 0;
  for (const double term : kTerms) series = series * rest + term;
  const double scale = std::bit_cast<double>(static_cast<uint64_t>(1023 + whole) << 52);
  return static_cast<float>(1 / (1 + series * scale));
}

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_STEADY_MATH_H_
