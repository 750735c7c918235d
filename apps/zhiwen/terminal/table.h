#ifndef ZHIWEN_APPS_ZHIWEN_TERMINAL_TABLE_H_
#define ZHIWEN_APPS_ZHIWEN_TERMINAL_TABLE_H_

// Formats tables for people.

#include <span>
#include <string>
#include <vector>

namespace zhiwen {

// Formats rows as columns aligned by display width, two spaces apart, each line ended. A last cell
// may be wider than its column; where it does not fit in `columns`, it continues below itself.
std::string FormatTable(std::span<const std::vector<std::string>> rows, size_t columns = SIZE_MAX);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_TERMINAL_TABLE_H_
