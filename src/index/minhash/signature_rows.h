#ifndef ZHIWEN_INDEX_MINHASH_SIGNATURE_ROWS_H_
#define ZHIWEN_INDEX_MINHASH_SIGNATURE_ROWS_H_

// A view of consecutive MinHash signatures (fingerprint/minhash.h, fingerprint/one_permutation.h).

#include <cstddef>
#include <cstdint>
#include <span>

namespace zhiwen {

class SignatureRows {
 public:
  SignatureRows() = default;
  // The number of `values` must be a multiple of `width`, which is at least 1. A row has `width`
  // values.
  SignatureRows(std::span<const uint32_t> values, size_t width) : values_(values), width_(width) {}

  size_t size() const { return values_.size() / width_; }
  std::span<const uint32_t> operator[](size_t row) const {
    return values_.subspan(row * width_, width_);
  }

 private:
  std::span<const uint32_t> values_;
  size_t width_ = 1;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_SIGNATURE_ROWS_H_
