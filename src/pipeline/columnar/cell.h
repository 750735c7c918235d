#ifndef ZHIWEN_PIPELINE_COLUMNAR_CELL_H_
#define ZHIWEN_PIPELINE_COLUMNAR_CELL_H_

// One value of an Arrow array, as text and as JSON.
//
// Out         numbers and bools as JSON spells them; timestamps, dates and times in ISO 8601, with
//             Z where the column has a time zone, whose values are UTC; decimals in full
// Threads     any

#include <arrow/array.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json_writer.h"

namespace zhiwen {

// The position of a value: dictionaries are followed to what they hold.
struct Cell {
  const arrow::Array* array = nullptr;
  int64_t row = 0;
};

// Returns the value of `array` at `row`, nothing when it is null.
std::optional<Cell> CellAt(const arrow::Array& array, int64_t row);

// Returns the bytes of a string or binary value, which live as long as the array; nothing for a
// value of another type.
std::optional<std::string_view> StringOf(const Cell& cell);

// True when the column is declared as text, not as bytes.
bool IsTextType(const Cell& cell);

// Writes a number, a bool, a date, a time or a decimal to `out`. Returns false for everything else,
// NaN and infinities among it.
bool Spell(const Cell& cell, std::string& out);

// Writes the strings of a list, one a line, without those that are null. Returns false, having
// written some, for a list of something else and for what is no list.
bool JoinStrings(const Cell& cell, std::string& out);

// "a number", "a date", …: what a value that is no string is.
std::string_view KindOf(const Cell& cell);

// Writes any value: bytes that are no UTF-8 as base64, a map as a list of {"key", "value"}.
void WriteCell(JsonWriter& json, const arrow::Array& array, int64_t row);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COLUMNAR_CELL_H_
