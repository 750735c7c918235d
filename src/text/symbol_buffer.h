#ifndef ZHIWEN_TEXT_SYMBOL_BUFFER_H_
#define ZHIWEN_TEXT_SYMBOL_BUFFER_H_

// Gathers the symbols of a fast form and passes them on, at most `most` at a time, by take(span),
// which may change them. The user must call Flush at the end.

#include <algorithm>
#include <cstdint>
#include <span>

#include "kernels/kernels.h"
#include "text/channel_view.h"

namespace zhiwen {

// The number of symbols after the last one that fold_wide may overwrite.
inline constexpr size_t kFoldWideSlack = 16;

template <typename Take>
class BasicSymbolBuffer {
 public:
  explicit BasicSymbolBuffer(const Take& take, size_t most = kLargestPiece)
      : fold_wide_(ActiveKernels().fold_wide), take_(take), most_(most) {}
  BasicSymbolBuffer(const BasicSymbolBuffer&) = delete;
  BasicSymbolBuffer& operator=(const BasicSymbolBuffer&) = delete;

  void Add(uint32_t symbol) {
    buffer_[count_++] = symbol;
    if (count_ == most_) Flush();
  }

  // Runs the kernel fold_wide with a table of 65,536 symbols. Returns how many bytes it consumed.
  size_t FoldWide(const uint16_t* table, const uint8_t* at, size_t size) {
    if (count_ > most_ / 2) Flush();
    const size_t room = (most_ - count_ - kFoldWideSlack) * 3;
    return fold_wide_(at, std::min(size, room), table, buffer_ + count_, &count_);
  }

  void Flush() {
    if (count_ == 0) return;
    take_(std::span<uint32_t>(buffer_, count_));
    flushed_ += count_;
    last_flushed_ = buffer_[count_ - 1];
    count_ = 0;
  }

  // Return the number of symbols so far, and the last of them, if any.
  uint64_t added() const { return flushed_ + count_; }
  uint32_t last() const { return count_ > 0 ? buffer_[count_ - 1] : last_flushed_; }

 private:
  decltype(Kernels::fold_wide) fold_wide_;
  const Take& take_;
  const size_t most_;
  size_t count_ = 0;
  uint64_t flushed_ = 0;
  uint32_t last_flushed_ = 0;
  uint32_t buffer_[kLargestPiece];
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SYMBOL_BUFFER_H_
