#ifndef ZHIWEN_TEXT_UNIT_NAME_H_
#define ZHIWEN_TEXT_UNIT_NAME_H_

// What units say that are symbols with the top bit set: no such symbol tells, but its bytes do.

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
