#include "text/letter.h"

#include "text/fold_tables.h"

namespace zhiwen {

bool IsLetterOrDigit(uint32_t code_point) {
  FoldRecord record = LookUpFold(code_point);
  if (record.fold_class() == FoldClass::kExpansion) record = LookUpFold(record.expansion()[0]);
  switch (record.fold_class()) {
    case FoldClass::kHan:
    case FoldClass::kKana:
    case FoldClass::kHangul:
    case FoldClass::kSea:
    case FoldClass::kRun:
    case FoldClass::kDigit:
      return true;
    default:
      return false;
  }
}

}  // namespace zhiwen
