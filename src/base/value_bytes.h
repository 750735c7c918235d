#ifndef ZHIWEN_BASE_VALUE_BYTES_H_
#define ZHIWEN_BASE_VALUE_BYTES_H_

// Views values as the bytes they have in memory, for scratch files and hashes that only this
// machine reads, and for hashes of little-endian numbers, which zhiwen's machines have (asserted in
// feature/shingles_xxh3.cc). The views are valid as long as the values.

#include <span>
#include <string_view>
#include <type_traits>

namespace zhiwen {

template <typename Value>
std::string_view BytesOfValue(const Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

// Returns the bytes of a span or a vector.
template <typename Values>
std::string_view BytesOfValues(const Values& values) {
  const std::span all(values);
  static_assert(std::is_trivially_copyable_v<typename decltype(all)::value_type>);
  return {reinterpret_cast<const char*>(all.data()), all.size_bytes()};
}

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_VALUE_BYTES_H_
