#ifndef ZHIWEN_DOCUMENT_OFFICE_CELL_VALUES_H_
#define ZHIWEN_DOCUMENT_OFFICE_CELL_VALUES_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace zhiwen {

enum class NumberForm : uint8_t { kNumber, kDate };

// Returns whether the numbers of a format of cells are dates or times, by its code,
// "yyyy\-mm\-dd;@", or by its number where that is one of ECMA-376, 18.8.30.
NumberForm NumberFormOfCode(std::string_view code);
NumberForm NumberFormOfId(int64_t id);

// Returns a stored number as text: without the digits that only binary numbers have.
std::string ShowNumber(std::string_view stored);

enum class DateSystem : uint8_t { k1900, k1904 };

// Returns the date of a stored number of days: "2024-05-01", "2024-05-01 08:30:00", "08:30:00". The
// number itself where it is none.
std::string ShowDate(std::string_view stored, DateSystem system);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_CELL_VALUES_H_
