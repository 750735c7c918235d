#ifndef ZHIWEN_TEXT_SYMBOL_SINK_H_
#define ZHIWEN_TEXT_SYMBOL_SINK_H_

// The sink of fast forms (text/fold_machine.h), which passes on symbols some thousands at a time.

#include <cstdint>

#include "text/symbol_buffer.h"
#include "text/wide_table.h"

namespace zhiwen {

template <typename Take>
class SymbolSink {
 public:
  static constexpr bool kExplains = false;

  SymbolSink(const WideTable& table, const Take& take, size_t most = kLargestPiece)
      : table_(table), buffer_(take, most) {}

  void Emit(uint32_t symbol, const uint8_t*, const uint8_t*) { buffer_.Add(symbol); }
  size_t FoldWide(const uint8_t* at, size_t size) {
    return buffer_.FoldWide(table_.data(), at, size);
  }
  void Flush() { buffer_.Flush(); }

  // Return the number of symbols so far, and the last of them, if any.
  uint64_t emitted() const { return buffer_.added(); }
  uint32_t last() const { return buffer_.last(); }

 private:
  const WideTable& table_;
  BasicSymbolBuffer<Take> buffer_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SYMBOL_SINK_H_
