#ifndef ZHIWEN_TEXT_LOCATED_SYMBOLS_H_
#define ZHIWEN_TEXT_LOCATED_SYMBOLS_H_

// Gathers the symbols of fast forms together with their bytes. Sinks (text/fold_machine.h) add to
// it.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "kernels/kernels.h"
#include "text/symbol_buffer.h"
#include "text/wide_table.h"
#include "zhiwen/channel.h"

namespace zhiwen {

class LocatedSymbols {
 public:
  // `utf8` must outlive the object.
  explicit LocatedSymbols(std::string_view utf8)
      : origin_(reinterpret_cast<const uint8_t*>(utf8.data())),
        fold_wide_(ActiveKernels().fold_wide) {
    out_.symbols.reserve(utf8.size() / 3 + 1);
    out_.spans.reserve(utf8.size() / 3 + 1);
  }

  void Add(uint32_t symbol, const uint8_t* begin, const uint8_t* end) {
    out_.symbols.push_back(symbol);
    out_.spans.push_back({{Place(begin)}, {Place(end)}});
  }

  // Runs the kernel fold_wide, and tells by the table which characters have a symbol. Returns how
  // many bytes were consumed.
  size_t FoldWide(const WideTable& table, const uint8_t* at, size_t size) {
    constexpr size_t kMost = 512;  // characters at a time
    uint32_t folded[kMost + kFoldWideSlack];
    size_t count = 0;
    const size_t bytes = fold_wide_(at, std::min(size, kMost * 3), table.data(), folded, &count);
    out_.symbols.insert(out_.symbols.end(), folded, folded + count);
    const bool has_all = count * 3 == bytes;
    for (const uint8_t* const end = at + bytes; at < end; at += 3) {
      const uint32_t code_point = (at[0] & 0xFU) << 12 | (at[1] & 0x3FU) << 6 | (at[2] & 0x3FU);
      if (!has_all && table[code_point] == kFoldDropped) continue;
      out_.spans.push_back({{Place(at)}, {Place(at + 3)}});
    }
    return bytes;
  }

  SpannedSymbols Take() { return std::move(out_); }

 private:
  uint64_t Place(const uint8_t* at) const { return static_cast<uint64_t>(at - origin_); }

  const uint8_t* const origin_;
  decltype(Kernels::fold_wide) fold_wide_;
  SpannedSymbols out_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_LOCATED_SYMBOLS_H_
