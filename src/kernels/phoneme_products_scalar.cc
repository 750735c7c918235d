#include "kernels/kernels.h"

namespace zhiwen {
namespace {

uint32_t Product(const uint8_t* a, const uint8_t* b, size_t begin, size_t end) {
  uint32_t sum = 0;
  for (size_t i = begin; i < end; ++i) sum += uint32_t{a[i]} * b[i];
  return sum;
}

}  // namespace

void PhonemeProductsScalar(const uint8_t* query, const uint8_t* vectors, size_t count,
                           uint32_t* products) {
  for (size_t i = 0; i < count; ++i, vectors += kPhonemeVector, products += 3) {
    products[0] = Product(query, vectors, 0, kInitialsEnd);
    products[1] = Product(query, vectors, kInitialsEnd, kFinalsEnd);
    products[2] = Product(query, vectors, kFinalsEnd, kPhonemeVector);
  }
}

}  // namespace zhiwen
