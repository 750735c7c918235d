#include "pipeline/columnar/cell.h"

#include <arrow/array/array_dict.h>
#include <arrow/extension_type.h>
#include <arrow/scalar.h>
#include <arrow/type.h>
#include <arrow/util/checked_cast.h>
#include <arrow/util/float16.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/base64.h"
#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

using arrow::Type;
using arrow::internal::checked_cast;

template <typename Array>
auto ValueOf(const Cell& cell) {
  return checked_cast<const Array&>(*cell.array).Value(cell.row);
}

template <typename Array>
std::string_view ViewOf(const Cell& cell) {
  return checked_cast<const Array&>(*cell.array).GetView(cell.row);
}

// Rounds down, so that times before 1970 have positive parts.
std::pair<int64_t, int64_t> DivideDown(int64_t value, int64_t by) {
  const int64_t rest = ((value % by) + by) % by;
  return {(value - rest) / by, rest};
}

int64_t PerSecond(arrow::TimeUnit::type unit) {
  switch (unit) {
    case arrow::TimeUnit::SECOND:
      return 1;
    case arrow::TimeUnit::MILLI:
      return 1'000;
    case arrow::TimeUnit::MICRO:
      return 1'000'000;
    case arrow::TimeUnit::NANO:
      break;
  }
  return 1'000'000'000;
}

// False for a day outside of the calendar's 65,000 years.
bool AppendDate(std::string& out, int64_t days) {
  constexpr int64_t kMostDays = 10'000'000;
  if (days < -kMostDays || days > kMostDays) return false;
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return true;
}

void AppendTime(std::string& out, int64_t value, int64_t per_second) {
  const auto [seconds, fraction] = DivideDown(value, per_second);
  fmt::format_to(std::back_inserter(out), "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60,
                 seconds % 60);
  if (fraction == 0) return;
  std::string digits = fmt::format("{}", fraction + per_second).substr(1);
  digits.erase(digits.find_last_not_of('0') + 1);
  out += '.';
  out += digits;
}

bool SpellTimestamp(const Cell& cell, std::string& out) {
  const auto& type = checked_cast<const arrow::TimestampType&>(*cell.array->type());
  const int64_t per_second = PerSecond(type.unit());
  constexpr int64_t kSecondsPerDay = 86400;
  const auto [seconds, fraction] = DivideDown(ValueOf<arrow::TimestampArray>(cell), per_second);
  const auto [days, second] = DivideDown(seconds, kSecondsPerDay);
  if (!AppendDate(out, days)) return false;
  out += 'T';
  AppendTime(out, second * per_second + fraction, per_second);
  if (!type.timezone().empty()) out += 'Z';
  return true;
}

void SpellTime(const Cell& cell, std::string& out) {
  const auto& type = checked_cast<const arrow::TimeType&>(*cell.array->type());
  const int64_t value = cell.array->type_id() == Type::TIME32 ? ValueOf<arrow::Time32Array>(cell)
                                                              : ValueOf<arrow::Time64Array>(cell);
  AppendTime(out, value, PerSecond(type.unit()));
}

template <typename Float>
bool SpellFloat(Float value, std::string& out) {
  if (!std::isfinite(value)) return false;
  out += fmt::to_string(value);
  return true;
}

bool SpellNumber(const Cell& cell, std::string& out) {
  switch (cell.array->type_id()) {
    case Type::INT8:
      out += fmt::to_string(int{ValueOf<arrow::Int8Array>(cell)});
      return true;
    case Type::INT16:
      out += fmt::to_string(ValueOf<arrow::Int16Array>(cell));
      return true;
    case Type::INT32:
      out += fmt::to_string(ValueOf<arrow::Int32Array>(cell));
      return true;
    case Type::INT64:
      out += fmt::to_string(ValueOf<arrow::Int64Array>(cell));
      return true;
    case Type::UINT8:
      out += fmt::to_string(unsigned{ValueOf<arrow::UInt8Array>(cell)});
      return true;
    case Type::UINT16:
      out += fmt::to_string(ValueOf<arrow::UInt16Array>(cell));
      return true;
    case Type::UINT32:
      out += fmt::to_string(ValueOf<arrow::UInt32Array>(cell));
      return true;
    case Type::UINT64:
      out += fmt::to_string(ValueOf<arrow::UInt64Array>(cell));
      return true;
    case Type::HALF_FLOAT:
      return SpellFloat(
          arrow::util::Float16::FromBits(ValueOf<arrow::HalfFloatArray>(cell)).ToFloat(), out);
    case Type::FLOAT:
      return SpellFloat(ValueOf<arrow::FloatArray>(cell), out);
    case Type::DOUBLE:
      return SpellFloat(ValueOf<arrow::DoubleArray>(cell), out);
    case Type::DECIMAL32:
      out += checked_cast<const arrow::Decimal32Array&>(*cell.array).FormatValue(cell.row);
      return true;
    case Type::DECIMAL64:
      out += checked_cast<const arrow::Decimal64Array&>(*cell.array).FormatValue(cell.row);
      return true;
    case Type::DECIMAL128:
      out += checked_cast<const arrow::Decimal128Array&>(*cell.array).FormatValue(cell.row);
      return true;
    case Type::DECIMAL256:
      out += checked_cast<const arrow::Decimal256Array&>(*cell.array).FormatValue(cell.row);
      return true;
    case Type::DURATION:
      out += fmt::to_string(ValueOf<arrow::DurationArray>(cell));
      return true;
    default:
      return false;
  }
}

bool IsNumber(Type::type type) {
  return arrow::is_integer(type) || arrow::is_floating(type) || arrow::is_decimal(type) ||
         type == Type::DURATION;
}

// Lists of every kind: where a row's values are.
struct Values {
  std::shared_ptr<arrow::Array> array;
  int64_t begin = 0, end = 0;
};

template <typename List>
Values SliceOf(const Cell& cell) {
  const auto& list = checked_cast<const List&>(*cell.array);
  const int64_t begin = list.value_offset(cell.row);
  return {list.values(), begin, begin + list.value_length(cell.row)};
}

std::optional<Values> ListOf(const Cell& cell) {
  switch (cell.array->type_id()) {
    case Type::LIST:
      return SliceOf<arrow::ListArray>(cell);
    case Type::LARGE_LIST:
      return SliceOf<arrow::LargeListArray>(cell);
    case Type::LIST_VIEW:
      return SliceOf<arrow::ListViewArray>(cell);
    case Type::LARGE_LIST_VIEW:
      return SliceOf<arrow::LargeListViewArray>(cell);
    case Type::FIXED_SIZE_LIST:
      return SliceOf<arrow::FixedSizeListArray>(cell);
    default:
      return std::nullopt;
  }
}

void WriteMap(JsonWriter& json, const Cell& cell) {
  const auto& map = checked_cast<const arrow::MapArray&>(*cell.array);
  json.BeginArray();
  for (int64_t i = map.value_offset(cell.row); i < map.value_offset(cell.row + 1); ++i) {
    json.BeginObject().Key("key");
    WriteCell(json, *map.keys(), i);
    json.Key("value");
    WriteCell(json, *map.items(), i);
    json.EndObject();
  }
  json.EndArray();
}

void WriteStruct(JsonWriter& json, const Cell& cell) {
  const auto& parent = checked_cast<const arrow::StructArray&>(*cell.array);
  json.BeginObject();
  for (int i = 0; i < parent.num_fields(); ++i) {
    json.Key(parent.struct_type()->field(i)->name());
    WriteCell(json, *parent.field(i), cell.row);
  }
  json.EndObject();
}

void WriteScalar(JsonWriter& json, const Cell& cell) {
  if (const std::optional<std::string_view> bytes = StringOf(cell)) {
    const bool readable = IsTextType(cell) || FindInvalidUtf8(*bytes) == bytes->size();
    json.String(readable ? std::string(*bytes) : EncodeBase64(*bytes));
    return;
  }
  std::string text;
  const Type::type type = cell.array->type_id();
  if (Spell(cell, text)) {
    const bool plain = (IsNumber(type) && !arrow::is_decimal(type)) || type == Type::BOOL;
    if (plain) {
      json.Raw(text);
    } else {
      json.String(text);
    }
    return;
  }
  const auto scalar = arrow::is_floating(type) ? arrow::Status::Invalid("not finite")
                                               : cell.array->GetScalar(cell.row);
  if (scalar.ok()) {
    json.String((*scalar)->ToString());
  } else {
    json.Null();
  }
}

}  // namespace

std::optional<Cell> CellAt(const arrow::Array& array, int64_t row) {
  Cell cell{&array, row};
  while (true) {
    if (cell.array->IsNull(cell.row)) return std::nullopt;
    if (cell.array->type_id() == Type::DICTIONARY) {
      const auto& coded = checked_cast<const arrow::DictionaryArray&>(*cell.array);
      cell = {coded.dictionary().get(), coded.GetValueIndex(cell.row)};
      if (cell.row < 0 || cell.row >= cell.array->length()) return std::nullopt;
    } else if (cell.array->type_id() == Type::EXTENSION) {
      cell.array = checked_cast<const arrow::ExtensionArray&>(*cell.array).storage().get();
    } else {
      return cell;
    }
  }
}

std::optional<std::string_view> StringOf(const Cell& cell) {
  switch (cell.array->type_id()) {
    case Type::STRING:
    case Type::BINARY:
      return ViewOf<arrow::BinaryArray>(cell);
    case Type::LARGE_STRING:
    case Type::LARGE_BINARY:
      return ViewOf<arrow::LargeBinaryArray>(cell);
    case Type::STRING_VIEW:
    case Type::BINARY_VIEW:
      return ViewOf<arrow::BinaryViewArray>(cell);
    case Type::FIXED_SIZE_BINARY:
      return ViewOf<arrow::FixedSizeBinaryArray>(cell);
    default:
      return std::nullopt;
  }
}

bool IsTextType(const Cell& cell) {
  const Type::type type = cell.array->type_id();
  return type == Type::STRING || type == Type::LARGE_STRING || type == Type::STRING_VIEW;
}

bool Spell(const Cell& cell, std::string& out) {
  switch (cell.array->type_id()) {
    case Type::BOOL:
      out += ValueOf<arrow::BooleanArray>(cell) ? "true" : "false";
      return true;
    case Type::TIMESTAMP:
      return SpellTimestamp(cell, out);
    case Type::DATE32:
      return AppendDate(out, ValueOf<arrow::Date32Array>(cell));
    case Type::DATE64:
      return AppendDate(out, DivideDown(ValueOf<arrow::Date64Array>(cell), 86'400'000).first);
    case Type::TIME32:
    case Type::TIME64:
      SpellTime(cell, out);
      return true;
    default:
      return SpellNumber(cell, out);
  }
}

bool JoinStrings(const Cell& cell, std::string& out) {
  const std::optional<Values> values = ListOf(cell);
  if (!values) return false;
  bool is_first = true;
  for (int64_t i = values->begin; i < values->end; ++i) {
    const std::optional<Cell> item = CellAt(*values->array, i);
    if (!item) continue;
    const std::optional<std::string_view> text = StringOf(*item);
    if (!text) return false;
    if (!std::exchange(is_first, false)) out += '\n';
    out += *text;
  }
  return true;
}

std::string_view KindOf(const Cell& cell) {
  const Type::type type = cell.array->type_id();
  if (type == Type::BOOL) return "true or false";
  if (IsNumber(type)) return "a number";
  if (arrow::is_temporal(type)) return "a date or a time";
  if (type == Type::STRUCT) return "an object";
  return "an array";
}

void WriteCell(JsonWriter& json, const arrow::Array& array, int64_t row) {
  const std::optional<Cell> cell = CellAt(array, row);
  if (!cell.has_value()) {
    json.Null();
  } else if (const std::optional<Values> values = ListOf(*cell)) {
    json.BeginArray();
    for (int64_t i = values->begin; i < values->end; ++i) WriteCell(json, *values->array, i);
    json.EndArray();
  } else if (cell->array->type_id() == Type::MAP) {
    WriteMap(json, *cell);
  } else if (cell->array->type_id() == Type::STRUCT) {
    WriteStruct(json, *cell);
  } else {
    WriteScalar(json, *cell);
  }
}

}  // namespace zhiwen
