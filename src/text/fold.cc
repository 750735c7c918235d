#include "text/fold.h"

#include <algorithm>
#include <array>
#include <span>

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

const WideTable& WideSymbols() {
  static const WideTable table = MakeWideTable();
  return table;
}

// Gathers symbols in a small buffer and hands them on: take(span).
template <typename Take>
class SymbolSink {
 public:
  static constexpr bool kExplains = false;

  SymbolSink(const WideTable& table, const Take& take)
      : table_(table), fold_wide_(ActiveKernels().fold_wide), take_(take) {}
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
    if (count_ > 0) take_(std::span<const uint32_t>(buffer_, count_));
    count_ = 0;
  }

  const WideTable& table_;
  decltype(Kernels::fold_wide) fold_wide_;
  const Take& take_;
  size_t count_ = 0;
  uint32_t buffer_[kCapacity];
};

template <typename Take>
void Fold(std::string_view utf8, const Take& take) {
  SymbolSink<Take> sink(WideSymbols(), take);
  const auto* begin = reinterpret_cast<const uint8_t*>(utf8.data());
  FoldMachine<SymbolSink<Take>>(sink).Run(begin, begin + utf8.size());
}

}  // namespace

void FoldInto(std::string_view utf8, std::vector<uint32_t>& symbols) {
  Fold(utf8, [&](std::span<const uint32_t> more) {
    symbols.insert(symbols.end(), more.begin(), more.end());
  });
}

void VisitFolded(std::string_view utf8, const SymbolVisitor& visit) { Fold(utf8, visit); }

}  // namespace zhiwen
