#ifndef ZHIWEN_TEXT_SYMBOL_BUFFER_H_
#define ZHIWEN_TEXT_SYMBOL_BUFFER_H_

// Gathers the symbols of a fast form and hands them on some thousands at a time: take(span).
// Whoever fills it calls Flush at the end.

#include <algorithm>
#include <cstdint>
#include <span>

#include "kernels/kernels.h"

namespace zhiwen {

template <typename Take>
class BasicSymbolBuffer {
 public:
  explicit BasicSymbolBuffer(const Take& take)
      : fold_wide_(ActiveKernels().fold_wide), take_(take) {}
  BasicSymbolBuffer(const BasicSymbolBuffer&) = delete;
  BasicSymbolBuffer& operator=(const BasicSymbolBuffer&) = delete;

  void Add(uint32_t symbol) {
    buffer_[count_++] = symbol;
    if (count_ == kCapacity) Flush();
  }

  // Runs the kernel of that name with a table of 65,536 symbols; returns how many bytes it took.
  size_t FoldWide(const uint16_t* table, const uint8_t* at, size_t size) {
    if (kCapacity - count_ < kCapacity / 2) Flush();
    const size_t room = (kCapacity - count_ - 16) * 3;
    return fold_wide_(at, std::min(size, room), table, buffer_ + count_, &count_);
  }

  void Flush() {
    if (count_ == 0) return;
    take_(std::span<const uint32_t>(buffer_, count_));
    flushed_ += count_;
    last_flushed_ = buffer_[count_ - 1];
    count_ = 0;
  }

  // How many symbols there were, and the last of them, if any.
  uint64_t added() const { return flushed_ + count_; }
  uint32_t last() const { return count_ > 0 ? buffer_[count_ - 1] : last_flushed_; }

 private:
  static constexpr size_t kCapacity = 2048;

  decltype(Kernels::fold_wide) fold_wide_;
  const Take& take_;
  size_t count_ = 0;
  uint64_t flushed_ = 0;
  uint32_t last_flushed_ = 0;
  uint32_t buffer_[kCapacity];
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SYMBOL_BUFFER_H_
