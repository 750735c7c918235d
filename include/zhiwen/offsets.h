#ifndef ZHIWEN_OFFSETS_H_
#define ZHIWEN_OFFSETS_H_

// Offsets into a text. Bytes, code points, symbols and shingles are counted differently; giving
// each its own type makes mixing them a compile error.

#include <compare>
#include <cstdint>

namespace zhiwen {

template <typename Tag>
struct Offset {
  uint64_t value = 0;

  friend auto operator<=>(const Offset&, const Offset&) = default;
  friend Offset operator+(Offset a, uint64_t n) { return {a.value + n}; }
  friend uint64_t operator-(Offset a, Offset b) { return a.value - b.value; }
};

using ByteOffset = Offset<struct ByteTag>;            // into the UTF-8 bytes of the source
using CodePointOffset = Offset<struct CodePointTag>;  // Unicode scalar values of the source
using SymbolOffset = Offset<struct SymbolTag>;        // symbols of one channel
using ShingleOffset = Offset<struct ShingleTag>;      // the shingle that starts at this symbol

// Half open: [begin, end).
template <typename At>
struct Span {
  At begin;
  At end;

  friend bool operator==(const Span&, const Span&) = default;
  uint64_t size() const { return end - begin; }
};

using ByteSpan = Span<ByteOffset>;
using SymbolSpan = Span<SymbolOffset>;

}  // namespace zhiwen

#endif  // ZHIWEN_OFFSETS_H_
