#include "text/fold.h"

#include <algorithm>
#include <array>

#include "kernels/kernels.h"
#include "text/fold_machine.h"

namespace zhiwen {
namespace {

using WideTable = std::array<uint16_t, kFoldTableSize>;

// The symbol of a three-byte character for the kernel: units and separators that nothing but a
// following Extend, SpacingMark or ZWJ joins, and those are kFoldStop themselves.
uint16_t MakeWideEntry(uint32_t code_point) {
  const FoldRecord record = LookUpFold(code_point);
  switch (record.grapheme_break()) {
    case GraphemeBreak::kOther:
    case GraphemeBreak::kControl:
    case GraphemeBreak::kLv:
    case GraphemeBreak::kLvt:
    case GraphemeBreak::kPictographic:
      break;
    default:
      return kFoldStop;
  }
  const uint32_t mapped = record.Map(code_point);
  switch (record.fold_class()) {
    case FoldClass::kDropped:
    case FoldClass::kPoint:
      return kFoldDropped;
    case FoldClass::kHan:
    case FoldClass::kKana:
    case FoldClass::kHangul:
    case FoldClass::kSymbol:
      return mapped < kFoldDropped ? static_cast<uint16_t>(mapped) : kFoldStop;
    case FoldClass::kExpansion: {
      const auto is_dropped = [](uint32_t part) {
        const FoldClass part_class = LookUpFold(part).fold_class();
        return part_class == FoldClass::kDropped || part_class == FoldClass::kPoint;
      };
      return std::ranges::all_of(record.expansion(), is_dropped) ? kFoldDropped : kFoldStop;
    }
    default:
      return kFoldStop;
  }
}

WideTable MakeWideTable() {
  WideTable table;
  table.fill(kFoldStop);
  for (uint32_t code_point = 0x800; code_point < 0x10000; ++code_point) {
    if ((code_point & 0xF800) != 0xD800) table[code_point] = MakeWideEntry(code_point);
  }
  return table;
}

// Gathers symbols in a small buffer, which spares filling the vector with zeros first.
class SymbolSink {
 public:
  static constexpr bool kExplains = false;

  SymbolSink(const WideTable& table, std::vector<uint32_t>& symbols)
      : table_(table), fold_wide_(ActiveKernels().fold_wide), symbols_(symbols) {}
  ~SymbolSink() { Flush(); }
  SymbolSink(const SymbolSink&) = delete;
  SymbolSink& operator=(const SymbolSink&) = delete;

  void Emit(uint32_t symbol, const uint8_t*, const uint8_t*) {
    buffer_[count_++] = symbol;
    if (count_ == kCapacity) Flush();
  }

  size_t FoldWide(const uint8_t* at, size_t size) {
    if (kCapacity - count_ < kCapacity / 2) Flush();
    const size_t room = (kCapacity - count_ - 16) * 3;
    return fold_wide_(at, std::min(size, room), table_.data(), buffer_ + count_, &count_);
  }

 private:
  static constexpr size_t kCapacity = 2048;

  void Flush() {
    symbols_.insert(symbols_.end(), buffer_, buffer_ + count_);
    count_ = 0;
  }

  const WideTable& table_;
  decltype(Kernels::fold_wide) fold_wide_;
  std::vector<uint32_t>& symbols_;
  size_t count_ = 0;
  uint32_t buffer_[kCapacity];
};

}  // namespace

void FoldInto(std::string_view utf8, std::vector<uint32_t>& symbols) {
  static const WideTable table = MakeWideTable();
  SymbolSink sink(table, symbols);
  const auto* begin = reinterpret_cast<const uint8_t*>(utf8.data());
  FoldMachine<SymbolSink>(sink).Run(begin, begin + utf8.size());
}

}  // namespace zhiwen
