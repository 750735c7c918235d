#ifndef ZHIWEN_INDEX_LSH_SIGNATURE_ROWS_H_
#define ZHIWEN_INDEX_LSH_SIGNATURE_ROWS_H_

// Signatures of MinHash (fingerprint/minhash.h, fingerprint/one_permutation.h), one after another,
// as a view.

#include <cstddef>
#include <cstdint>
#include <span>

namespace zhiwen {

class SignatureRows {
 public:
  SignatureRows() = default;
  // `values` has a multiple of `width` values; a row has `width`, at least 1.
  SignatureRows(std::span<const uint32_t> values, size_t width) : values_(values), width_(width) {}

  size_t size() const { return values_.size() / width_; }
  std::span<const uint32_t> operator[](size_t row) const {
    return values_.subspan(row * width_, width_);
  }

 private:
  std::span<const uint32_t> values_;
  size_t width_ = 1;
};

// The signature of the empty set is all ones; no value of another one is.
inline bool IsOfEmptySet(std::span<const uint32_t> signature) { return signature[0] == UINT32_MAX; }

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LSH_SIGNATURE_ROWS_H_
