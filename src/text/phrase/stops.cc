#include "text/phrase/stops.h"

#include <algorithm>

#include "text/explain.h"
#include "text/fold_tables.h"

namespace zhiwen {
namespace {

bool IsFoldedStop(uint32_t folded) {
  return IsAsciiStop(folded) || folded == U'。' || folded == U'、';
}

}  // namespace

bool IsStop(uint32_t code_point) {
  const FoldRecord record = LookUpFold(code_point);
  if (record.fold_class() == FoldClass::kExpansion) {
    return std::ranges::any_of(record.expansion(), IsFoldedStop);
  }
  return IsFoldedStop(record.Map(code_point));
}

bool IsPartedByStop(std::string_view word) {
  const auto* begin = reinterpret_cast<const uint8_t*>(word.data());
  const SpannedSymbols folded = ExplainFolded(word, BaseFoldTable());
  for (size_t i = 1; i < folded.spans.size(); ++i) {
    if (HasStop(begin + folded.spans[i - 1].end.value, begin + folded.spans[i].begin.value)) {
      return true;
    }
  }
  return false;
}

}  // namespace zhiwen
