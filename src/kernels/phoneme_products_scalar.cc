#include <cmath>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kEnds[] = {0, kInitialsEnd, kFinalsEnd, kPhonemeRow};

uint32_t Product(const uint8_t* a, const uint8_t* b, size_t kind) {
  uint32_t sum = 0;
  for (size_t i = kEnds[kind]; i < kEnds[kind + 1]; ++i) sum += uint32_t{a[i]} * b[i];
  return sum;
}

}  // namespace

void PhonemeProductsScalar(const uint8_t* query, const uint8_t* rows, size_t count,
                           uint32_t* products) {
  for (size_t i = 0; i < count; ++i, rows += kPhonemeRow) {
    for (size_t kind = 0; kind < 3; ++kind) {
      products[kind * kPhonemeBlock + i] = Product(query, rows, kind);
    }
  }
}

void PhonemeScalesScalar(const uint8_t* rows, size_t count, float* scales) {
  for (size_t i = 0; i < count; ++i, rows += kPhonemeRow) {
    for (size_t kind = 0; kind < 3; ++kind) {
      const auto square = static_cast<float>(Product(rows, rows, kind));
      scales[kind * kPhonemeBlock + i] = square == 0 ? 0 : 1 / std::sqrt(square);
    }
  }
}

}  // namespace zhiwen
