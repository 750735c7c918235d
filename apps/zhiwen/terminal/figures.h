#ifndef ZHIWEN_APPS_ZHIWEN_TERMINAL_FIGURES_H_
#define ZHIWEN_APPS_ZHIWEN_TERMINAL_FIGURES_H_

// Tables of figures, and the figures themselves (zhiwen/figures.h).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "zhiwen/figures.h"

namespace zhiwen {

// Rows as aligned columns (by display width), two spaces apart, each line ended. A last cell may be
// wider than the others of its column; where it does not fit in `columns`, it goes on below itself.
std::string FormatTable(std::span<const std::vector<std::string>> rows, size_t columns = SIZE_MAX);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_TERMINAL_FIGURES_H_
