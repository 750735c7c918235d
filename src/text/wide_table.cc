#include "text/wide_table.h"

#include <algorithm>

namespace zhiwen {
namespace {

// Returns the kernel's symbol for a three-byte character: units and separators that only a
// following Extend, SpacingMark or ZWJ joins. Such joining characters are kFoldStop.
uint16_t MakeWideEntry(const FoldTable& folds, uint32_t code_point) {
  const FoldRecord record = folds.LookUp(code_point);
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
    case FoldClass::kOperator:
      // These are units only directly after a letter or digit, where the kernel is not used.
      return mapped == ':' || mapped == '?' ? kFoldDropped : kFoldStop;
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

}  // namespace

WideTable MakeFoldedWideTable(const FoldTable& folds) {
  WideTable table;
  table.fill(kFoldStop);
  for (uint32_t code_point = 0x800; code_point < 0x10000; ++code_point) {
    if ((code_point & 0xF800) != 0xD800) table[code_point] = MakeWideEntry(folds, code_point);
  }
  return table;
}

const WideTable& BaseFoldedWideTable() {
  static const WideTable table = MakeFoldedWideTable(BaseFoldTable());
  return table;
}

}  // namespace zhiwen
