#ifndef ZHIWEN_TEXT_WIDE_TABLE_H_
#define ZHIWEN_TEXT_WIDE_TABLE_H_

// Tables for the kernel `fold_wide` (kernels/kernels.h). They say what a three-byte character
// becomes on a channel when it is a unit by itself. Every channel that folds derives its table from
// folded's.

#include <array>
#include <cstdint>
#include <memory>

#include "kernels/kernels.h"
#include "text/fold_table.h"

namespace zhiwen {

using WideTable = std::array<uint16_t, kFoldTableSize>;

// Returns the table of a version of folded: the folded symbol, kFoldDropped or kFoldStop.
WideTable MakeFoldedWideTable(const FoldTable& folds);

// Returns the table of kBaseFolded, which is made once.
const WideTable& BaseFoldedWideTable();

// Returns the table of a channel on which a unit becomes of_folded(its folded symbol): a symbol,
// kFoldDropped, or kFoldStop, which leaves the character to the sink's Emit.
template <typename OfFolded>
std::unique_ptr<const WideTable> MakeWideTable(const OfFolded& of_folded) {
  auto table = std::make_unique<WideTable>(BaseFoldedWideTable());
  for (uint16_t& entry : *table) {
    if (entry < kFoldDropped) entry = of_folded(entry);
  }
  return table;
}

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_WIDE_TABLE_H_
