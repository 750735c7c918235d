#ifndef ZHIWEN_DOCUMENT_OFFICE_XML_VALUES_H_
#define ZHIWEN_DOCUMENT_OFFICE_XML_VALUES_H_

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace zhiwen {

// A whole number from −10^9 to 10^9; nothing for other values.
inline std::optional<int64_t> ParseXmlNumber(std::string_view value) {
  constexpr int64_t kMost = 1'000'000'000;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
  if (number < -kMost || number > kMost) return std::nullopt;
  return number;
}

// Whether a property that stands there without a value, or with this one, is on.
inline bool IsOn(std::optional<std::string_view> value) {
  return !value || (*value != "0" && *value != "false" && *value != "off");
}

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_XML_VALUES_H_
