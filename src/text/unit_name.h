#ifndef ZHIWEN_TEXT_UNIT_NAME_H_
#define ZHIWEN_TEXT_UNIT_NAME_H_

// Names units whose symbols have the top bit set. The name is found from the bytes of the unit,
// because the symbol is only a hash.

#include <cstdint>
#include <string>
#include <string_view>

#include "text/fold_table.h"

namespace zhiwen {

// Returns the text of the unit whose bytes are `source`, mapped by `table`; empty when that unit
// has another symbol.
std::string NameOfUnit(uint32_t symbol, std::string_view source, const FoldTable& table);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_UNIT_NAME_H_
